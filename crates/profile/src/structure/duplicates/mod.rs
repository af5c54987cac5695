//! Moves that do the same.
//!
//! Two moves of a role do the same if with either of them, the other moves of the role left out, the
//! relevant facts of the next state are the same signals of the facts and of the other roles' moves.
//! Each move is put into the gates in place of all moves of its role; only what changes is made anew,
//! and the netlist, which never writes a gate twice, shows which moves come to the same. That proves
//! them to be the same in all states.
//!
//! Other moves do the same only in states in which both are legal. Random play suggests these, every
//! legal move tried in every state; case analysis ([`invariants::Prover`]) proves it of some.
//!
//! Of moves that do the same, those need not be searched that are legal only where another one is.

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

/// Pairs of moves of a role that are to be proved to do the same, at most.
const PAIRS: usize = 128;
/// Time for proofs.
const PROVING: Duration = Duration::from_millis(100);
/// Samples below which random play suggests nothing.
const LEAST: u64 = 8;
/// Signals looked at for one pair.
const DIFFERENCES: usize = 64;
/// Twins of one class that are compared with each other.
const MEMBERS: usize = 64;

/// A move that is legal only where another one is that does the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Covered {
    /// The move.
    pub mv: u32,
    /// The other one, which is not itself covered.
    pub by: u32,
    /// Whether the other one is legal only where this one is, too: then it does not matter which one
    /// is left out. Proved, if the covering is.
    pub same: bool,
    /// How sure it is that it is covered.
    pub evidence: Evidence,
}

/// Moves of a role of which all that are legal in a state do the same there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// The moves, ascending; two at least.
    pub moves: Vec<u32>,
    /// How sure it is that they do the same.
    pub evidence: Evidence,
    /// Those that are legal only where another one of the class is, ascending.
    pub covered: Vec<Covered>,
}

/// Moves that do the same to all facts that matter. A move is in one class at most; fillers
/// ([`Relevance::fillers`]), which are proved to do the same by nothing reading them, are in none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Duplicates {
    /// For each role, the classes, by their first moves.
    pub classes: Vec<Vec<Class>>,
    /// Whether all moves were looked at; if not, there may be more.
    pub complete: bool,
}

impl Duplicates {
    /// Finds what it can within the budget.
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
        // The same game, with room for what is asked.
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

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.classes.iter().all(Vec::is_empty)
    }

    /// The game in which of the moves that are proved to do the same, one at most is legal in a
    /// state, and one is wherever there was one. Facts and moves keep their numbers.
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

/// Two moves, by their places among the twins, that did the same so often, and what would have to be
/// false wherever both are legal.
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

/// Sorts moves into classes.
struct Sort<'s, 'l> {
    logic: &'l GameLogic,
    groups: &'s Groups,
    /// Made when something has to be proved.
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
        // Places among the twins; those of the same effect first.
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

    /// How sure it is that two moves do the same where both are legal; `None` if they never are.
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

    /// Without those that no other one was ever legal with.
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

    /// Which are legal only where others are.
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

    /// Whether one signal is proved to be true only where another one is, while play goes on.
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

/// Joins sets of which every two members are a pair: proved ones first, and with what is only
/// observed, those that are in no larger set yet.
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
