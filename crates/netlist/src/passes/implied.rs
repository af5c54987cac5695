//! Implications between signals, as far as they are cheap to find.

use super::wide::{Wide, WideGate};
use crate::Lit;

/// The maximum number of implied signals kept for each signal. Inputs are kept first.
const MOST: usize = 64;

/// For each signal of a network, some of the signals that are true whenever it is.
#[derive(Default)]
pub struct Implied {
    /// By the code of the signal. Each set is sorted and contains the signal itself.
    sets: Vec<Box<[Lit]>>,
}

impl Implied {
    /// The known implications of a signal.
    pub fn by(&self, lit: Lit) -> &[Lit] {
        &self.sets[lit.code() as usize]
    }

    /// Processes the nodes that were added to the network since the last call.
    ///
    /// An and-gate implies everything that its inputs imply. Its complement implies what the
    /// complements of all its inputs imply in common.
    pub fn extend(&mut self, wide: &Wide) {
        for node in self.sets.len() / 2..wide.len() {
            let lit = Lit::new(node, false);
            let (mut yes, mut no) = (Vec::new(), Vec::new());
            if let WideGate::And(lits) = wide.gate(node) {
                for &input in lits {
                    yes.extend_from_slice(self.by(input));
                }
                let fewest = lits.iter().min_by_key(|input| self.by(!**input).len());
                if let Some(&fewest) = fewest {
                    no.extend_from_slice(self.by(!fewest));
                }
                for &input in lits {
                    if no.is_empty() {
                        break;
                    }
                    let other = self.by(!input);
                    no.retain(|lit| other.binary_search(lit).is_ok());
                }
            }
            self.sets.push(set(yes, lit));
            self.sets.push(set(no, !lit));
        }
    }

    /// Adds implications of a signal. They affect only nodes that are added or processed later.
    pub fn add(&mut self, lit: Lit, more: &[Lit]) {
        let mut all = self.by(lit).to_vec();
        all.extend_from_slice(more);
        self.sets[lit.code() as usize] = set(all, lit);
    }

    /// Forgets the implications of gates. Those added for inputs stay.
    pub fn restart(&mut self, wide: &Wide) {
        let inputs = (0..wide.len()).take_while(|&node| *wide.gate(node) == WideGate::Outside);
        self.sets.truncate(2 * inputs.count());
    }
}

fn set(mut lits: Vec<Lit>, own: Lit) -> Box<[Lit]> {
    lits.sort_unstable();
    lits.dedup();
    lits.truncate(MOST);
    if let Err(place) = lits.binary_search(&own) {
        lits.insert(place, own);
    }
    lits.into()
}

/// Groups of signals of which at most one is true.
#[derive(Default)]
pub struct Groups {
    /// The number of members, for groups of which one member is always true.
    sizes: Vec<Option<usize>>,
    /// By the code of a signal, the groups that contain it. May be shorter than the network.
    of: Vec<Vec<u32>>,
}

impl Groups {
    /// Adds a group. If `exactly` is set, one of its members is always true.
    pub fn add(&mut self, members: &[Lit], exactly: bool) {
        let group = self.sizes.len() as u32;
        self.sizes.push(exactly.then_some(members.len()));
        for lit in members {
            let code = lit.code() as usize;
            if self.of.len() <= code {
                self.of.resize(code + 1, Vec::new());
            }
            self.of[code].push(group);
        }
    }

    fn of(&self, lit: Lit) -> impl Iterator<Item = usize> + '_ {
        let groups = self.of.get(lit.code() as usize).into_iter().flatten();
        groups.map(|&group| group as usize)
    }
}

/// Assumptions, and the signals that follow from them.
pub struct Context {
    /// How often each signal is implied, by its code.
    counts: Vec<u32>,
    /// How many members of each group are true, and how many false.
    members: Vec<(usize, usize)>,
}

impl Context {
    /// Creates a context without assumptions.
    pub fn new(groups: &Groups) -> Context {
        Context {
            counts: Vec::new(),
            members: vec![(0, 0); groups.sizes.len()],
        }
    }

    /// Assumes that a signal is true. Returns false if this contradicts the context. Not all
    /// contradictions are found.
    pub fn assume(&mut self, lit: Lit, implied: &Implied, groups: &Groups) -> bool {
        let possible = !self.refutes(lit, implied, groups);
        for &lit in implied.by(lit) {
            let count = self.count_mut(lit);
            *count += 1;
            if *count == 1 {
                for group in groups.of(lit) {
                    self.members[group].0 += 1;
                }
                for group in groups.of(!lit) {
                    self.members[group].1 += 1;
                }
            }
        }
        possible
    }

    /// Retracts an assumption.
    pub fn retract(&mut self, lit: Lit, implied: &Implied, groups: &Groups) {
        for &lit in implied.by(lit) {
            let count = self.count_mut(lit);
            *count -= 1;
            if *count == 0 {
                for group in groups.of(lit) {
                    self.members[group].0 -= 1;
                }
                for group in groups.of(!lit) {
                    self.members[group].1 -= 1;
                }
            }
        }
    }

    /// Whether a signal contradicts the assumptions. Some contradictions are missed.
    pub fn refutes(&self, lit: Lit, implied: &Implied, groups: &Groups) -> bool {
        implied.by(lit).iter().any(|&lit| {
            let known = usize::from(self.count(lit) > 0);
            self.count(!lit) > 0
                || groups.of(lit).any(|group| self.members[group].0 > known)
                || groups
                    .of(!lit)
                    .any(|group| Some(self.members[group].1 - known + 1) == groups.sizes[group])
        })
    }

    fn count(&self, lit: Lit) -> u32 {
        self.counts.get(lit.code() as usize).copied().unwrap_or(0)
    }

    fn count_mut(&mut self, lit: Lit) -> &mut u32 {
        let code = lit.code() as usize;
        if self.counts.len() <= code {
            self.counts.resize(code + 1, 0);
        }
        &mut self.counts[code]
    }
}
