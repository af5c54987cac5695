//! Decides which disjunctions of moves to write as the negation of the moves left out.

use super::Group;
use super::made::Made;
use crate::ground::{AtomId, GroundGame, GroundRule};
use rustc_hash::FxHashMap;

/// Which disjunctions to write as the negation of the moves left out.
#[derive(Default)]
pub(super) struct Plan {
    lists: FxHashMap<Vec<AtomId>, List>,
}

/// A disjunction of atoms.
struct List {
    /// How often the disjunction occurs.
    count: u32,
    /// Number of moves that it leaves out.
    others: usize,
    /// Whether to write the moves left out instead.
    inverted: bool,
}

impl Plan {
    pub(super) fn new(
        game: &GroundGame,
        rules: &[GroundRule],
        moved: &[(AtomId, Vec<Group>)],
        tally: &mut Tally,
        made: &Made,
    ) -> Self {
        let mut mentions = vec![0u32; game.atoms.len()];
        let mut written = vec![0u32; game.atoms.len()];
        for rule in rules {
            written[rule.head.index()] += 1;
            for literal in &rule.body {
                mentions[literal.atom.index()] += 1;
            }
        }
        let mut plan = Plan::default();
        // In order of occurrence, so that the result is deterministic.
        let mut order: Vec<&[AtomId]> = Vec::new();
        for group in moved.iter().flat_map(|(_, groups)| groups) {
            if group.either.is_empty() {
                continue;
            }
            if let Some(list) = plan.lists.get_mut(&group.either) {
                list.count += 1;
                continue;
            }
            tally.count(group.either.iter().copied(), made);
            let left_out = tally.left_out(made).unwrap_or_default();
            let list = List {
                count: 1,
                others: left_out.iter().map(|&(_, others)| others).sum(),
                inverted: false,
            };
            plan.lists.insert(group.either.clone(), list);
            order.push(&group.either);
        }
        // The cost of an atom's rules is shared by all rules that mention it. Once some
        // disjunctions are inverted, the remaining mentions bear a larger share.
        for _ in 0..2 {
            for &atoms in &order {
                let Some(list) = plan.lists.get_mut(atoms).filter(|list| !list.inverted) else {
                    continue;
                };
                let share = |atom: &AtomId| {
                    let (rules, users) = (written[atom.index()], mentions[atom.index()]);
                    1.0 + rules as f32 / users.max(1) as f32
                };
                let as_it_is: f32 = atoms.iter().map(share).sum();
                list.inverted = 1.0 + list.others as f32 / (list.count as f32) < as_it_is;
                if list.inverted {
                    for atom in atoms {
                        mentions[atom.index()] = mentions[atom.index()].saturating_sub(list.count);
                    }
                }
            }
        }
        plan
    }

    /// Whether to write the moves that this disjunction leaves out instead.
    pub(super) fn inverts(&self, atoms: &[AtomId]) -> bool {
        self.lists.get(atoms).is_some_and(|list| list.inverted)
    }
}

/// Counts, for each role, the moves that some atoms stand for.
pub(super) struct Tally {
    /// For each move the number of the last count that included it.
    stamps: Vec<u32>,
    stamp: u32,
    /// For each role the number of its moves in the current count.
    pub(super) roles: Vec<u32>,
}

impl Tally {
    pub(super) fn new(made: &Made) -> Self {
        Tally {
            stamps: vec![0; made.roles.len()],
            stamp: 0,
            roles: vec![0; made.first.len() - 1],
        }
    }

    /// Counts the moves that the atoms stand for.
    pub(super) fn count(&mut self, atoms: impl Iterator<Item = AtomId>, made: &Made) {
        self.stamp += 1;
        self.roles.fill(0);
        for atom in atoms {
            for &mv in made.sets[atom.index()].iter().flatten() {
                if std::mem::replace(&mut self.stamps[mv as usize], self.stamp) != self.stamp {
                    self.roles[made.role(mv)] += 1;
                }
            }
        }
    }

    /// Whether the latest count includes the move.
    pub(super) fn has(&self, mv: u32) -> bool {
        self.stamps[mv as usize] == self.stamp
    }

    /// The roles with counted moves, and how many of their moves are left out. `None` if some
    /// role leaves out no move.
    pub(super) fn left_out(&self, made: &Made) -> Option<Vec<(usize, usize)>> {
        let mut list = Vec::new();
        for (role, &count) in self.roles.iter().enumerate() {
            let all = made.first[role + 1] - made.first[role];
            if count == all && count > 0 {
                return None;
            }
            if count > 0 {
                list.push((role, (all - count) as usize));
            }
        }
        Some(list)
    }
}
