//! How far a state is from a result, on relaxations of the network.
//!
//! For each group of facts of which one holds, the least number of plies from one fact to
//! another is counted as if nothing else mattered. Along the circuit of the wanted result these
//! distances are added up, which guides a search, or the greatest is taken, which is a bound
//! that no line can beat.

use crate::imagine::{OPEN, exactly, imagine, known, may};
use crate::time::Time;
use budget::{Budget, Exhausted};
use invariants::Groups;
use netlist::{GameLogic, Gate, Lit, Source};
use std::sync::Arc;

/// A fact cannot come to hold.
const NEVER: u16 = u16::MAX;
/// Larger groups are not looked at: the work grows with the cube of the size.
const LARGEST: usize = 400;
/// Sums end here, so that they do not overflow.
const FAR: u32 = 1 << 20;

/// The distances within a group.
struct Ladder {
    facts: Vec<u32>,
    /// The plies from a fact of the group to another, row by row.
    plies: Vec<u16>,
}

/// Two estimates of the plies to the wanted result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Far {
    /// Guidance: distances added up.
    pub sum: u32,
    /// No line is shorter. At least [`NEVER`] where the result is out of reach.
    pub least: u32,
}

impl Far {
    /// Whether the result can no longer be reached.
    pub fn is_hopeless(self) -> bool {
        self.least >= u32::from(NEVER)
    }
}

/// Estimates for one result of a game.
pub(crate) struct Estimate {
    logic: Arc<GameLogic>,
    wanted: Vec<Lit>,
    /// The nodes below `wanted`, in order.
    cone: Vec<u32>,
    ladders: Arc<Ladders>,
}

/// The distances in all groups, whatever is wanted.
pub(crate) struct Ladders {
    all: Vec<Ladder>,
    /// For each fact, its groups and its position in them.
    of: Vec<Vec<(u32, u32)>>,
    time: Vec<bool>,
}

impl Ladders {
    /// Counts the distances. Groups beyond the budget have none.
    pub fn find(logic: &GameLogic, groups: &Groups, time: &Time, budget: &Budget) -> Ladders {
        let mut ladders = Ladders {
            all: Vec::new(),
            of: vec![Vec::new(); logic.next.len()],
            time: time.facts.clone(),
        };
        for group in &groups.groups {
            if time.facts[group.facts[0] as usize] || group.facts.len() > LARGEST {
                continue;
            }
            let Ok(plies) = plies(logic, &group.facts, budget) else {
                break;
            };
            for (place, &fact) in (0..).zip(&group.facts) {
                ladders.of[fact as usize].push((ladders.all.len() as u32, place));
            }
            ladders.all.push(Ladder {
                facts: group.facts.clone(),
                plies,
            });
        }
        ladders
    }
}

/// The plies from each fact of a group to each other, if nothing else matters.
fn plies(logic: &GameLogic, facts: &[u32], budget: &Budget) -> Result<Vec<u16>, Exhausted> {
    let size = facts.len();
    let place = |fact: u32| facts.iter().position(|&other| other == fact);
    let places: Vec<Option<usize>> = (0..logic.next.len() as u32).map(place).collect();
    let mut plies = vec![NEVER; size * size];
    // In each case one fact of the group holds.
    for first in (0..size).step_by(64) {
        budget.check()?;
        let holds = |fact: u32| match places[fact as usize] {
            Some(at) if (first..first + 64).contains(&at) => exactly(1 << (at - first)),
            Some(_) => known(false),
            None => OPEN,
        };
        let all = imagine(logic, holds, |_| OPEN);
        for (to, &fact) in facts.iter().enumerate() {
            let mut left = may(&all, logic.next[fact as usize])[1];
            while left != 0 {
                let from = first + left.trailing_zeros() as usize;
                left &= left - 1;
                if from < size {
                    plies[from * size + to] = 1;
                }
            }
        }
    }
    for at in 0..size {
        plies[at * size + at] = 0;
    }
    for via in 0..size {
        budget.check()?;
        for from in 0..size {
            let first = plies[from * size + via];
            if first == NEVER {
                continue;
            }
            for to in 0..size {
                let there = first.saturating_add(plies[via * size + to]);
                let known = &mut plies[from * size + to];
                *known = there.min(*known);
            }
        }
    }
    Ok(plies)
}

impl Estimate {
    /// For a state in which all of `wanted` is true.
    pub fn new(logic: Arc<GameLogic>, ladders: Arc<Ladders>, wanted: Vec<Lit>) -> Estimate {
        let inside = logic.net.cone(wanted.iter().copied());
        let nodes = (0..logic.net.len() as u32).filter(|&node| inside[node as usize]);
        Estimate {
            cone: nodes.collect(),
            logic,
            wanted,
            ladders,
        }
    }

    /// The plies from a fact's group to the fact, at least.
    fn to(&self, fact: u32, state: &[u64]) -> u32 {
        let holds = |fact: u32| state[fact as usize / 64] >> (fact % 64) & 1 == 1;
        let mut most = 1;
        for &(ladder, place) in &self.ladders.of[fact as usize] {
            let Ladder { facts, plies } = &self.ladders.all[ladder as usize];
            if let Some(now) = facts.iter().position(|&fact| holds(fact)) {
                most = most.max(u32::from(plies[now * facts.len() + place as usize]));
            }
        }
        most
    }

    /// How far the result is from a state. `scratch` is overwritten.
    pub fn far(&self, state: &[u64], scratch: &mut Vec<[Far; 2]>) -> Far {
        const HERE: Far = Far { sum: 0, least: 0 };
        const OUT: Far = Far {
            sum: FAR,
            least: NEVER as u32,
        };
        let both = |a: Far, b: Far| Far {
            sum: (a.sum + b.sum).min(FAR),
            least: a.least.max(b.least),
        };
        let either = |a: Far, b: Far| Far {
            sum: a.sum.min(b.sum),
            least: a.least.min(b.least),
        };
        scratch.resize(self.logic.net.len(), [HERE; 2]);
        let of = |all: &[[Far; 2]], lit: Lit, value: bool| {
            all[lit.node()][usize::from(value != lit.is_negated())]
        };
        for &node in &self.cone {
            let value = match self.logic.net.gate(node as usize) {
                Gate::False => [HERE, OUT],
                Gate::Input(number) => match self.logic.sources[number as usize] {
                    Source::Fact(fact) if self.ladders.time[fact as usize] => [HERE; 2],
                    Source::Fact(fact) => {
                        let one = Far { sum: 1, least: 1 };
                        if state[fact as usize / 64] >> (fact % 64) & 1 == 1 {
                            [one, HERE]
                        } else {
                            let plies = self.to(fact, state);
                            let far = Far {
                                sum: plies.min(FAR),
                                least: plies,
                            };
                            [HERE, far]
                        }
                    }
                    Source::Does { .. } | Source::Fix(_) => [HERE; 2],
                },
                Gate::And(a, b) => {
                    let all = &scratch[..];
                    [
                        either(of(all, a, false), of(all, b, false)),
                        both(of(all, a, true), of(all, b, true)),
                    ]
                }
                Gate::Xor(a, b) => {
                    let all = &scratch[..];
                    let with = |x, y| both(of(all, a, x), of(all, b, y));
                    [
                        either(with(false, false), with(true, true)),
                        either(with(false, true), with(true, false)),
                    ]
                }
            };
            scratch[node as usize] = value;
        }
        let wanted = self.wanted.iter();
        wanted.fold(HERE, |far, &lit| both(far, of(scratch, lit, true)))
    }
}
