//! Facts that go round by themselves: whose turn it is, and the like.

use crate::{GameLogic, Gate, Known, Lit, Netlist, Source, copied, passes};
use budget::Budget;

/// Periods up to this are found.
const MOST: usize = 8;
/// Facts that depend on more facts than this are not looked at.
const WIDEST: usize = 16;

/// Facts that come back to where they began after a fixed number of steps, whatever is played.
///
/// In a state that play reaches after `t` steps, they are as in phase `t % period`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phases {
    /// The facts, ascending.
    pub facts: Vec<u32>,
    /// For each phase, the values of the facts.
    pub values: Vec<Vec<bool>>,
}

impl Phases {
    /// Finds them. A game without any has one phase and no facts.
    ///
    /// A fact is looked at if whether it holds next depends on few facts, on no move and no
    /// recursive rule; these are then played from the initial state until they repeat. Facts of
    /// several periods are kept together if a common period is short, else the shortest stay.
    pub fn find(logic: &GameLogic) -> Phases {
        let supports = supports(logic);
        let mut sequences: Vec<(u32, Vec<bool>)> = Vec::new();
        for fact in 0..logic.next.len() {
            if let Some(values) = sequence(logic, &supports, fact) {
                sequences.push((fact as u32, values));
            }
        }
        sequences.sort_by_key(|(fact, values)| (values.len(), *fact));
        let mut period = 1;
        sequences.retain(|(_, values)| {
            let common = lcm(period, values.len());
            let fits = common <= MOST;
            if fits {
                period = common;
            }
            fits
        });
        sequences.sort();
        Phases {
            facts: sequences.iter().map(|&(fact, _)| fact).collect(),
            values: (0..period)
                .map(|t| sequences.iter().map(|(_, v)| v[t % v.len()]).collect())
                .collect(),
        }
    }

    /// How many steps it takes until the facts are as before.
    pub fn period(&self) -> usize {
        self.values.len()
    }

    /// The phase of a state, in which `holds` tells which facts hold; `None` for a state that play
    /// does not reach.
    pub fn of(&self, holds: impl Fn(u32) -> bool) -> Option<usize> {
        self.values.iter().position(|values| {
            let mut both = self.facts.iter().zip(values);
            both.all(|(&fact, &value)| holds(fact) == value)
        })
    }

    /// The logic of the states of one phase.
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

/// The logic of a game, apart for each phase.
#[derive(Debug, Clone)]
pub struct Phased {
    /// The phases.
    pub phases: Phases,
    /// For each phase, the logic of its states.
    pub logics: Vec<GameLogic>,
}

impl Phased {
    /// Finds the phases, and specialises the logic for each.
    pub fn new(logic: &GameLogic) -> Phased {
        let phases = Phases::find(logic);
        let logics = (0..phases.period()).map(|phase| phases.specialise(logic, phase));
        Phased {
            logics: logics.collect(),
            phases,
        }
    }

    /// The logic of the states so many steps after those of a phase.
    pub fn ahead(&self, phase: usize, steps: usize) -> &GameLogic {
        &self.logics[(phase + steps) % self.logics.len()]
    }

    /// Optimises the logic of every phase, each within an equal part of the time. In a phase much
    /// more is known than of the game as a whole: who can only pass, and what that leaves alone.
    /// The report has for each phase what passes did.
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

/// For each node, the facts that it depends on; `None` if they are many, or it depends on moves.
fn supports(logic: &GameLogic) -> Vec<Option<Vec<u32>>> {
    let mut supports: Vec<Option<Vec<u32>>> = Vec::with_capacity(logic.net.len());
    for &gate in logic.net.gates() {
        let support = match gate {
            Gate::False => Some(Vec::new()),
            Gate::Input(number) => match logic.sources[number as usize] {
                Source::Fact(fact) => Some(vec![fact]),
                _ => None,
            },
            Gate::And(a, b) | Gate::Xor(a, b) => match (&supports[a.node()], &supports[b.node()]) {
                (Some(a), Some(b)) => {
                    let mut both: Vec<u32> = a.iter().chain(b).copied().collect();
                    both.sort_unstable();
                    both.dedup();
                    (both.len() <= WIDEST).then_some(both)
                }
                _ => None,
            },
        };
        supports.push(support);
    }
    supports
}

/// The values of a fact from the initial state on, until they repeat from the beginning.
fn sequence(logic: &GameLogic, supports: &[Option<Vec<u32>>], fact: usize) -> Option<Vec<bool>> {
    let behind = |fact: usize| supports[logic.next[fact].node()].as_deref();
    let mut facts = vec![fact as u32];
    let mut looked = 0;
    while looked < facts.len() {
        for &other in behind(facts[looked] as usize)? {
            if !facts.contains(&other) {
                facts.push(other);
            }
        }
        if facts.len() > WIDEST {
            return None;
        }
        looked += 1;
    }
    let initial = |fact: u32| logic.words.initial.binary_search(&fact).is_ok();
    let first: Vec<bool> = facts.iter().map(|&fact| initial(fact)).collect();
    let (mut now, mut values) = (first.clone(), Vec::new());
    loop {
        values.push(now[0]);
        let holds = |fact: u32| {
            facts
                .iter()
                .position(|&f| f == fact)
                .is_some_and(|at| now[at])
        };
        let next = facts.iter().map(|&fact| {
            let mut known = rustc_hash::FxHashMap::default();
            value(logic, logic.next[fact as usize], &holds, &mut known)
        });
        now = next.collect();
        if now == first {
            break;
        }
        if values.len() == MOST {
            return None;
        }
    }
    let shortest = (1..=values.len())
        .filter(|period| values.len() % period == 0)
        .find(|&period| (0..values.len()).all(|t| values[t] == values[t % period]))?;
    values.truncate(shortest);
    Some(values)
}

/// The value of a signal that depends on few facts.
fn value(
    logic: &GameLogic,
    lit: Lit,
    holds: &impl Fn(u32) -> bool,
    known: &mut rustc_hash::FxHashMap<usize, bool>,
) -> bool {
    let node = lit.node();
    let plain = match known.get(&node) {
        Some(&plain) => plain,
        None => {
            let plain = match logic.net.gate(node) {
                Gate::False => false,
                Gate::Input(number) => match logic.sources[number as usize] {
                    Source::Fact(fact) => holds(fact),
                    _ => false,
                },
                Gate::And(a, b) => value(logic, a, holds, known) && value(logic, b, holds, known),
                Gate::Xor(a, b) => value(logic, a, holds, known) != value(logic, b, holds, known),
            };
            known.insert(node, plain);
            plain
        }
    };
    plain != lit.is_negated()
}
