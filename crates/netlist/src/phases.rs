//! Periodic facts: facts that cycle independently of play, such as whose turn it is.

use crate::{GameLogic, Gate, Known, Lit, Netlist, Source, copied, passes};
use budget::Budget;

/// The longest period that is found, in plies.
const MOST: usize = 8;
/// Number of rounds in which constant facts may help to prove that others are periodic.
const ROUNDS: usize = 4;

/// Facts that repeat with a fixed period, in plies, whatever is played.
///
/// In a state that play reaches after `t` plies, their values are those of phase `t % period`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phases {
    /// The facts, ascending.
    pub facts: Vec<u32>,
    /// For each phase, the values of the facts.
    pub values: Vec<Vec<bool>>,
}

impl Phases {
    /// Finds the periodic facts. A game without any has one phase and no facts.
    ///
    /// The possible values of facts are followed from the initial state for some plies, where a
    /// role plays the only move that can be legal and never a move that cannot be legal. Of the
    /// facts that repeat there, those are kept that are periodic by induction, whatever all
    /// other facts are. Facts of several periods are kept together if a common period is short.
    /// Otherwise those with the shortest period are kept.
    pub fn find(logic: &GameLogic) -> Phases {
        let mut facts = candidates(logic);
        facts.sort_by_key(|(fact, values)| (values.len(), *fact));
        let mut common = 1;
        facts.retain(|(_, values)| {
            let longer = lcm(common, values.len());
            let fits = longer <= MOST;
            if fits {
                common = longer;
            }
            fits
        });
        let turns = |(_, values): &(u32, Vec<bool>)| values.len() > 1;
        if !facts.iter().any(turns) {
            facts.clear();
        }
        // Constant facts may help the proof. But a counter needs as many rounds as it has
        // facts.
        if !prove(logic, &mut facts, ROUNDS) {
            facts.retain(turns);
            prove(logic, &mut facts, usize::MAX);
        }
        facts.retain(turns);
        facts.sort();
        Phases {
            facts: facts.iter().map(|&(fact, _)| fact).collect(),
            values: (0..period(&facts))
                .map(|t| facts.iter().map(|(_, v)| v[t % v.len()]).collect())
                .collect(),
        }
    }

    /// The number of plies until the facts repeat.
    pub fn period(&self) -> usize {
        self.values.len()
    }

    /// The phase of a state in which `holds` returns whether a fact holds. `None` for a state
    /// that play does not reach.
    pub fn of(&self, holds: impl Fn(u32) -> bool) -> Option<usize> {
        self.values.iter().position(|values| {
            let mut both = self.facts.iter().zip(values);
            both.all(|(&fact, &value)| holds(fact) == value)
        })
    }

    /// Specialises the logic to the states of one phase.
    pub fn specialise(&self, logic: &GameLogic, phase: usize) -> GameLogic {
        let values = &self.values[phase];
        logic.rebuilt(|net: &mut Netlist, node, gate, now| {
            if let Gate::Input(number) = gate
                && let Source::Fact(fact) = logic.sources[number as usize]
                && let Ok(at) = self.facts.binary_search(&fact)
            {
                return Lit::constant(values[at]);
            }
            copied(net, node, gate, now)
        })
    }
}

/// The logic of a game, specialised to each phase.
#[derive(Debug, Clone)]
pub struct Phased {
    /// The phases.
    pub phases: Phases,
    /// For each phase, the logic of its states.
    pub logics: Vec<GameLogic>,
}

impl Phased {
    /// Finds the phases and specialises the logic to each.
    pub fn new(logic: &GameLogic) -> Phased {
        Phased::with(Phases::find(logic), logic)
    }

    /// Specialises another logic of the same game, such as one with simpler goals, to the same
    /// phases.
    pub fn of(&self, logic: &GameLogic) -> Phased {
        Phased::with(self.phases.clone(), logic)
    }

    fn with(phases: Phases, logic: &GameLogic) -> Phased {
        let logics = (0..phases.period()).map(|phase| phases.specialise(logic, phase));
        Phased {
            logics: logics.collect(),
            phases,
        }
    }

    /// The logic of the states `steps` plies after those of a phase.
    pub fn ahead(&self, phase: usize, steps: usize) -> &GameLogic {
        &self.logics[(phase + steps) % self.logics.len()]
    }

    /// Optimises the logic of every phase, each within an equal share of the time.
    ///
    /// In one phase much more is known than about the game as a whole: which roles can only
    /// pass, and which facts that leaves unchanged. The report has the results of the passes
    /// for each phase.
    pub fn optimise(&mut self, known: &Known, budget: &Budget) -> Vec<Vec<passes::Shrunk>> {
        let phases = self.logics.len() as u32;
        let optimise = |(logic, left)| passes::optimise(logic, known, &budget.share(left));
        (self.logics.iter_mut().zip((1..=phases).rev()))
            .map(optimise)
            .collect()
    }
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// The possible values of a signal: false, true, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct May {
    no: bool,
    yes: bool,
}

impl May {
    const OPEN: May = May {
        no: true,
        yes: true,
    };

    fn of(value: bool) -> May {
        May {
            no: !value,
            yes: value,
        }
    }

    fn value(self) -> Option<bool> {
        (self.no != self.yes).then_some(self.yes)
    }

    fn negated(self, negated: bool) -> May {
        match negated {
            true => May {
                no: self.yes,
                yes: self.no,
            },
            false => self,
        }
    }
}

/// The possible values of every node, given those of the facts and moves. Nothing is known
/// about recursive signals.
fn signals(logic: &GameLogic, facts: &[May], does: impl Fn(usize, usize) -> May) -> Vec<May> {
    let mut known: Vec<May> = Vec::with_capacity(logic.net.len());
    for &gate in logic.net.gates() {
        let of = |lit: Lit| known[lit.node()].negated(lit.is_negated());
        known.push(match gate {
            Gate::False => May::of(false),
            Gate::Input(number) => match logic.sources[number as usize] {
                Source::Fact(fact) => facts[fact as usize],
                Source::Does { role, mv } => does(usize::from(role), mv as usize),
                Source::Fix(_) => May::OPEN,
            },
            Gate::And(a, b) => {
                let (a, b) = (of(a), of(b));
                May {
                    no: a.no || b.no,
                    yes: a.yes && b.yes,
                }
            }
            Gate::Xor(a, b) => {
                let (a, b) = (of(a), of(b));
                May {
                    no: a.no && b.no || a.yes && b.yes,
                    yes: a.no && b.yes || a.yes && b.no,
                }
            }
        });
    }
    known
}

/// The possible facts of the next state, given those of this one.
///
/// A role never plays a move that cannot be legal. If only one move can be legal, it plays that
/// one.
fn after(logic: &GameLogic, facts: &[May]) -> Vec<May> {
    let known = signals(logic, facts, |_, _| May::OPEN);
    let of = |known: &[May], lit: Lit| known[lit.node()].negated(lit.is_negated());
    let possible = |row: &Vec<Lit>| -> Vec<bool> {
        let row = row.iter();
        row.map(|&legal| of(&known, legal).yes).collect()
    };
    let possible: Vec<Vec<bool>> = logic.legal.iter().map(possible).collect();
    let count = |row: &Vec<bool>| row.iter().filter(|&&possible| possible).count();
    let counts: Vec<usize> = possible.iter().map(count).collect();
    let known = signals(logic, facts, |role, mv| match possible[role][mv] {
        false => May::of(false),
        true if counts[role] == 1 => May::of(true),
        true => May::OPEN,
    });
    let next = logic.next.iter();
    next.map(|&next| of(&known, next)).collect()
}

/// Facts that appear periodic in the first plies of play, each with its values over one period.
/// They include constant facts.
fn candidates(logic: &GameLogic) -> Vec<(u32, Vec<bool>)> {
    let initial = |fact: usize| logic.words.initial.binary_search(&(fact as u32)).is_ok();
    let facts = 0..logic.next.len();
    let mut now: Vec<May> = facts.map(|fact| May::of(initial(fact))).collect();
    let mut seen = vec![now.clone()];
    while seen.len() < 2 * MOST {
        now = after(logic, &now);
        seen.push(now.clone());
    }
    let round = |fact: usize| {
        let values = seen.iter().map(|known| known[fact].value());
        let values: Vec<bool> = values.collect::<Option<_>>()?;
        let repeats = |period: &usize| (0..values.len()).all(|t| values[t] == values[t % period]);
        let period = (1..=MOST).find(repeats)?;
        Some((fact as u32, values[..period].to_vec()))
    };
    (0..logic.next.len()).filter_map(round).collect()
}

/// Keeps the facts that are periodic whatever all other facts are, by induction over the plies.
/// Returns false if the set is still shrinking after `rounds` rounds.
fn prove(logic: &GameLogic, facts: &mut Vec<(u32, Vec<bool>)>, rounds: usize) -> bool {
    for _ in 0..rounds {
        let period = period(facts);
        let before = facts.len();
        for phase in 0..period {
            let mut now = vec![May::OPEN; logic.next.len()];
            for (fact, values) in &*facts {
                now[*fact as usize] = May::of(values[phase % values.len()]);
            }
            let next = after(logic, &now);
            facts.retain(|(fact, values)| {
                let then = values[(phase + 1) % values.len()];
                next[*fact as usize].value() == Some(then)
            });
        }
        if facts.len() == before {
            return true;
        }
    }
    false
}

/// The common period of the facts.
fn period(facts: &[(u32, Vec<bool>)]) -> usize {
    facts
        .iter()
        .fold(1, |common, (_, values)| lcm(common, values.len()))
}
