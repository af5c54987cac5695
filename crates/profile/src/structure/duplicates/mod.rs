//! Duplicate moves: moves with the same effect.
//!
//! Two moves of a role have the same effect if with either of them, and no other move of the
//! role, the relevant facts of the next state are the same signals of the facts and of the other
//! roles' moves. Each move in turn replaces all moves of its role in the netlist. Only gates
//! that change are written again, and as a netlist never writes a gate twice, equal effects
//! become equal signals. That proves equality in all states.
//!
//! Other moves have the same effect only in states in which both are legal. Random play suggests
//! these, by trying every legal move in every sampled state. Case analysis
//! ([`invariants::Prover`]) proves some of them.
//!
//! A move need not be searched if it is legal only when a move with the same effect is.

mod effects;
mod seen;
mod wave;

use crate::structure::Relevance;
use analysis::Evidence;
use analysis::reads::Readers;
use budget::Budget;
use effects::{Effects, effects, roots};
use invariants::{Groups, Prover};
use netlist::{GameLogic, Lit, Netlist, copied};
use seen::{Seen, look};
use std::time::Duration;

/// Maximum number of pairs of moves of a role for which a proof is tried.
const PAIRS: usize = 128;
/// Maximum time for proofs.
const PROVING: Duration = Duration::from_millis(100);
/// Minimum number of samples for a suggestion by random play.
const LEAST: u64 = 8;
/// Maximum number of signals examined for one pair.
const DIFFERENCES: usize = 64;
/// Maximum number of twins of one class that are compared with each other.
const MEMBERS: usize = 64;

/// A move that is legal only when another move with the same effect is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Covered {
    /// The move.
    pub mv: u32,
    /// The other move, which is not itself covered.
    pub by: u32,
    /// Whether the other move is also legal only when this one is; then either one can be left
    /// out. Proved if the covering is.
    pub same: bool,
    /// The evidence that the move is covered.
    pub evidence: Evidence,
}

/// Moves of a role such that all of them that are legal in a state have the same effect there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// The moves, ascending; at least two.
    pub moves: Vec<u32>,
    /// The evidence that they have the same effect.
    pub evidence: Evidence,
    /// The moves that are legal only when another one of the class is, ascending.
    pub covered: Vec<Covered>,
}

/// Moves with the same effect on all relevant facts. A move is in at most one class. Fillers
/// ([`Relevance::fillers`]), which are proved equivalent since nothing reads them, are in none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Duplicates {
    /// For each role, its classes in order of their first moves.
    pub classes: Vec<Vec<Class>>,
    /// Whether all moves were examined; if not, there may be more.
    pub complete: bool,
}

impl Duplicates {
    /// Finds duplicates within the budget.
    pub(super) fn find(
        logic: &GameLogic,
        readers: &Readers,
        groups: &Groups,
        relevance: &Relevance,
        seed: u64,
        budget: &Budget,
    ) -> Duplicates {
        let roots = roots(logic, &relevance.idle);
        let mut net = logic.net.clone();
        let roles = 0..logic.roles();
        let found: Vec<Effects> = roles
            .map(|role| {
                let fillers = &relevance.fillers[role].moves;
                effects(logic, readers, role, fillers, &roots, &mut net, budget)
            })
            .collect();
        let recursive = logic.depend_on_moves(logic.fix_roots());
        let seen = look(logic, readers, &found, &roots, recursive, seed, budget);
        let asked: Vec<Vec<Asked>> = (found.iter().zip(&seen))
            .map(|(effects, seen)| ask(effects, seen, &mut net))
            .collect();
        // The same game, with a netlist that includes the signals to be proved.
        let logic = GameLogic {
            net,
            ..logic.clone()
        };
        let mut prover = None;
        let proving = budget.clone().with_timeout(PROVING);
        let mut sort = Sort {
            logic: &logic,
            groups,
            prover: &mut prover,
            budget: &proving,
        };
        let classes = (found.iter().zip(&seen).zip(asked))
            .map(|((effects, seen), asked)| sort.classes(effects, seen, &asked))
            .collect();
        Duplicates {
            classes,
            complete: found.iter().all(|effects| effects.complete),
        }
    }

    /// The class of a move, if it is in one.
    pub fn class(&self, role: usize, mv: u32) -> Option<&Class> {
        let classes = self.classes.get(role)?;
        let mut with = classes
            .iter()
            .filter(|class| class.moves.binary_search(&mv).is_ok());
        with.next()
    }

    /// Whether there are no duplicates.
    pub fn is_empty(&self) -> bool {
        self.classes.iter().all(Vec::is_empty)
    }

    /// The game in which at most one of the moves that are proved to have the same effect is
    /// legal in a state, and one is whenever one was. Facts and moves keep their numbers.
    pub fn drop(&self, logic: &GameLogic) -> GameLogic {
        let mut smaller = logic.clone();
        for (role, classes) in self.classes.iter().enumerate() {
            for class in classes {
                if class.evidence != Evidence::Proved {
                    continue;
                }
                let legal = &mut smaller.legal[role];
                let mut before = Lit::FALSE;
                for &mv in &class.moves {
                    let place = class
                        .covered
                        .binary_search_by_key(&mv, |covered| covered.mv);
                    let covered = place.map(|at| class.covered[at].evidence);
                    let lit = &mut legal[mv as usize];
                    if covered == Ok(Evidence::Proved) {
                        *lit = Lit::FALSE;
                        continue;
                    }
                    let whole = *lit;
                    *lit = smaller.net.and(whole, !before);
                    before = smaller.net.or(before, whole);
                }
            }
        }
        smaller.rebuilt(|net: &mut Netlist, node, gate, now| copied(net, node, gate, now))
    }
}

/// Two moves, by their positions among the twins, that had the same effect in `samples` states,
/// with the signals that must be false whenever both are legal.
struct Asked {
    samples: u64,
    pair: [usize; 2],
    differences: Vec<Lit>,
}

/// The pairs that random play suggests.
fn ask(effects: &Effects, seen: &Seen, net: &mut Netlist) -> Vec<Asked> {
    let alike = seen.alike(LEAST).into_iter().take(PAIRS);
    let asked = alike.map(|(samples, one, other)| {
        let [a, b] = [one, other].map(|at| effects.twins[at].effect);
        Asked {
            samples,
            pair: [one, other],
            differences: effects.differences(net, a, b),
        }
    });
    asked.collect()
}

/// Groups moves into classes.
struct Sort<'s, 'l> {
    logic: &'l GameLogic,
    groups: &'s Groups,
    /// Created when a proof is first needed.
    prover: &'s mut Option<Prover<'l>>,
    budget: &'s Budget,
}

impl<'l> Sort<'_, 'l> {
    fn prover(&mut self) -> &mut Prover<'l> {
        let (logic, groups) = (self.logic, self.groups);
        self.prover
            .get_or_insert_with(|| Prover::new(logic, groups))
    }

    fn classes(&mut self, effects: &Effects, seen: &Seen, asked: &[Asked]) -> Vec<Class> {
        // Positions among the twins, grouped by effect.
        let mut sets: Vec<(Vec<usize>, Evidence)> =
            vec![(Vec::new(), Evidence::Proved); effects.with.len()];
        for (at, twins) in effects.twins.iter().enumerate() {
            sets[twins.effect].0.push(at);
        }
        let mut pairs: Vec<([usize; 2], Evidence)> = asked
            .iter()
            .filter_map(|asked| Some((asked.pair, self.settle(effects, asked)?)))
            .collect();
        pairs.sort_by_key(|&(pair, evidence)| (evidence != Evidence::Proved, pair));
        join(&mut sets, &pairs);
        let classes = sets.into_iter().filter_map(|(set, evidence)| {
            let set = self.useful(effects, seen, set);
            let moves = set.iter().flat_map(|&at| &effects.twins[at].moves);
            let mut moves: Vec<u32> = moves.copied().collect();
            moves.sort_unstable();
            (moves.len() > 1).then(|| Class {
                covered: self.covered(effects, seen, &set),
                moves,
                evidence,
            })
        });
        let mut classes: Vec<Class> = classes.collect();
        classes.sort_by_key(|class| class.moves[0]);
        classes
    }

    /// The evidence that two moves have the same effect when both are legal; `None` if they
    /// never are.
    fn settle(&mut self, effects: &Effects, asked: &Asked) -> Option<Evidence> {
        let observed = Evidence::Observed {
            samples: asked.samples,
        };
        if asked.differences.len() > DIFFERENCES || self.budget.check().is_err() {
            return Some(observed);
        }
        let legal = asked.pair.map(|at| effects.twins[at].legal);
        let same = self.prover().under(&legal, true, |prover| {
            asked.differences.iter().all(|&lit| prover.never(lit))
        });
        same.map(|same| if same { Evidence::Proved } else { observed })
    }

    /// Removes moves that were never legal together with another one.
    fn useful(&self, effects: &Effects, seen: &Seen, mut set: Vec<usize>) -> Vec<usize> {
        let all = set.clone();
        set.retain(|&one| {
            effects.twins[one].moves.len() > 1
                || all
                    .iter()
                    .any(|&other| one != other && seen.together(one, other) > 0)
        });
        set
    }

    /// The moves that are legal only when others are.
    fn covered(&mut self, effects: &Effects, seen: &Seen, set: &[usize]) -> Vec<Covered> {
        let first = |at: usize| effects.twins[at].moves[0];
        let mut covered: Vec<Covered> = Vec::new();
        for &at in set {
            covered.extend(effects.twins[at].moves[1..].iter().map(|&mv| Covered {
                mv,
                by: first(at),
                same: true,
                evidence: Evidence::Proved,
            }));
        }
        let mut left: Vec<usize> = set.to_vec();
        for proving in [true, false] {
            let mut kept: Vec<usize> = Vec::new();
            for &at in left.iter().take(MEMBERS) {
                let mut implied = |one: usize, other: usize| -> Option<Evidence> {
                    let samples = seen.only_with(one, other)?;
                    match proving {
                        true => (self
                            .implies(effects.twins[one].legal, effects.twins[other].legal))
                        .then_some(Evidence::Proved),
                        false => (samples >= LEAST).then_some(Evidence::Observed { samples }),
                    }
                };
                let mut cover = |one: usize, by: usize, same: bool, evidence: Evidence| {
                    for chain in covered.iter_mut().filter(|chain| chain.by == first(one)) {
                        chain.by = first(by);
                        chain.same &= same;
                        if evidence != Evidence::Proved {
                            chain.evidence = evidence;
                        }
                    }
                    covered.push(Covered {
                        mv: first(one),
                        by: first(by),
                        same,
                        evidence,
                    });
                };
                let over = kept
                    .iter()
                    .find_map(|&by| implied(at, by).map(|evidence| (by, evidence)));
                if let Some((by, evidence)) = over {
                    cover(at, by, implied(by, at).is_some(), evidence);
                    continue;
                }
                kept.retain(|&one| match implied(one, at) {
                    Some(evidence) => {
                        cover(one, at, false, evidence);
                        false
                    }
                    None => true,
                });
                kept.push(at);
            }
            kept.extend(left.iter().skip(MEMBERS));
            left = kept;
        }
        covered.sort_unstable_by_key(|covered| covered.mv);
        covered
    }

    /// Whether one signal is proved to imply another one before play has ended.
    fn implies(&mut self, one: Lit, other: Lit) -> bool {
        if one == other || other == Lit::TRUE {
            return true;
        }
        if self.budget.check().is_err() {
            return false;
        }
        let possible = self
            .prover()
            .under(&[one], true, |prover| !prover.never(!other));
        possible != Some(true)
    }
}

/// Joins sets if every two of their members are a pair, proved pairs first. Pairs that are only
/// observed join sets that are not part of a larger proved set yet.
fn join(sets: &mut Vec<(Vec<usize>, Evidence)>, pairs: &[([usize; 2], Evidence)]) {
    let known = |one: usize, other: usize| {
        let mut of = pairs
            .iter()
            .filter(|(pair, _)| *pair == [one, other] || *pair == [other, one]);
        of.next().map(|&(_, evidence)| evidence)
    };
    for &(pair, evidence) in pairs {
        let [one, other] = pair.map(|at| sets.iter().position(|(set, _)| set.contains(&at)));
        let (Some(one), Some(other)) = (one, other) else {
            continue;
        };
        let proved = |set: usize| sets[set].1 == Evidence::Proved;
        let large = |set: usize| proved(set) && sets[set].0.len() > 1;
        let mixed = evidence != Evidence::Proved && (large(one) || large(other));
        let mut across =
            (sets[one].0.iter()).flat_map(|&a| sets[other].0.iter().map(move |&b| (a, b)));
        if one == other || mixed || !across.all(|(a, b)| known(a, b).is_some()) {
            continue;
        }
        let weakest = match (evidence, sets[one].1, sets[other].1) {
            (Evidence::Proved, a, Evidence::Proved) => a,
            (Evidence::Proved, _, b) => b,
            (observed, ..) => observed,
        };
        let (small, large) = (one.max(other), one.min(other));
        let (members, _) = sets.remove(small);
        sets[large].0.extend(members);
        sets[large].0.sort_unstable();
        sets[large].1 = weakest;
    }
}
