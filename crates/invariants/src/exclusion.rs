//! Moves that are never legal together, and how few signals a random choice then needs.
//!
//! A playout chooses uniformly among the legal moves of every role. For many states in lockstep
//! the cost of a choice grows with the number of signals to choose from, even if most of them
//! are never true. So moves of which no two are ever legal in the same state share a *leaf*, and
//! roles of which at most one ever has a real choice share a *choice*.

use crate::domains::{Domains, Entry, Implied};
use crate::forced::forced;
use crate::groups::Groups;
use budget::{Budget, Exhausted};
use netlist::{GameLogic, Lit};
use rustc_hash::FxHashMap;

/// Memory for cached rows of compatible signals, in bytes.
const CACHE: usize = 64 << 20;
/// Signals between two checks of the budget.
const STRIDE: usize = 64;

/// A legal signal, as a role and one of its moves.
pub type Move = (u16, u32);

/// One random choice for some roles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExclusiveMoves {
    /// The roles whose moves are chosen, ascending. In every reachable state at most one of them
    /// has a legal move that is not in `forced`.
    pub roles: Vec<u16>,
    /// Sets of moves; in every reachable state at most one member of each is legal.
    ///
    /// So the number of leaves with a legal member is the number of moves to choose from, and a
    /// member is played exactly if its leaf is chosen and it is legal.
    pub leaves: Vec<Vec<Move>>,
    /// Moves of the roles that are the only legal move of their role whenever they are legal,
    /// including moves that are never legal. They are played exactly if they are legal.
    pub forced: Vec<Move>,
}

/// The choices of a game. Every move is in exactly one leaf or in one `forced` list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exclusion {
    /// Every role is in exactly one of them.
    pub choices: Vec<ExclusiveMoves>,
    /// The part of the budget that ran out, if any; then there may be more leaves than
    /// necessary.
    pub exhausted: Option<Exhausted>,
}

impl Exclusion {
    /// One leaf per move and one choice per role: valid for every game.
    pub fn trivial(logic: &GameLogic) -> Exclusion {
        let choice = |(role, legal): (usize, &Vec<Lit>)| {
            let moves = legal.iter().enumerate();
            let moves = moves.filter(|(_, lit)| **lit != Lit::FALSE);
            ExclusiveMoves {
                roles: vec![role as u16],
                leaves: moves
                    .map(|(mv, _)| vec![(role as u16, mv as u32)])
                    .collect(),
                forced: Vec::new(),
            }
        };
        Exclusion {
            choices: logic.legal.iter().enumerate().map(choice).collect(),
            exhausted: None,
        }
    }

    /// The number of leaves in all choices.
    pub fn leaves(&self) -> usize {
        self.choices.iter().map(|choice| choice.leaves.len()).sum()
    }

    /// The number of forced moves, which take no part in a choice.
    pub fn forced(&self) -> usize {
        self.choices.iter().map(|choice| choice.forced.len()).sum()
    }
}

/// Finds leaves and choices from the invariants of reachable states. The signals are those of
/// `logic`; the result holds for every logic of the same game.
pub fn exclusion(logic: &GameLogic, groups: &Groups, budget: &Budget) -> Exclusion {
    match attempt(logic, groups, budget) {
        Ok(exclusion) => exclusion,
        Err(exhausted) => Exclusion {
            exhausted: Some(exhausted),
            ..Exclusion::trivial(logic)
        },
    }
}

fn attempt(logic: &GameLogic, groups: &Groups, budget: &Budget) -> Result<Exclusion, Exhausted> {
    let roots: Vec<Lit> = logic.legal.iter().flatten().copied().collect();
    let domains = Domains::new(logic, groups, &roots, budget)?;
    let mut table = Table::new(logic, &domains, budget)?;
    table.find_forced(logic, groups, budget)?;
    let choices = table.choices(budget)?;
    let mut exhausted = None;
    let choices = choices.into_iter().map(|roles| {
        let open = table.open(&roles);
        let leaves = match table.colour(&open, budget) {
            Ok(leaves) => leaves,
            Err(why) => {
                exhausted = Some(why);
                open.iter().map(|&at| vec![table.moves[at]]).collect()
            }
        };
        let of_roles = |at: &usize| roles.contains(&table.moves[*at].0) && table.forced.get(*at);
        let forced = (0..table.moves.len()).filter(of_roles);
        let mut forced: Vec<Move> = forced.map(|at| table.moves[at]).collect();
        for &role in &roles {
            let moves = (0..logic.legal[usize::from(role)].len() as u32).map(|mv| (role, mv));
            forced.extend(moves.filter(|mv| table.moves.binary_search(mv).is_err()));
        }
        forced.sort_unstable();
        ExclusiveMoves {
            roles,
            leaves,
            forced,
        }
    });
    let choices = choices.collect();
    Ok(Exclusion { choices, exhausted })
}

/// A set of legal signals, one bit per signal.
#[derive(Debug, Clone)]
struct Set(Vec<u64>);

impl Set {
    fn new(len: usize, value: bool) -> Set {
        let mut words = vec![if value { u64::MAX } else { 0 }; len.div_ceil(64)];
        if value && !len.is_multiple_of(64) {
            words[len / 64] = u64::MAX >> (64 - len % 64);
        }
        Set(words)
    }

    fn get(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    fn set(&mut self, at: usize, value: bool) {
        let bit = 1 << (at % 64);
        if value {
            self.0[at / 64] |= bit;
        } else {
            self.0[at / 64] &= !bit;
        }
    }

    fn intersect(&mut self, other: &Set) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
    }

    fn unite(&mut self, other: &Set) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    fn meets(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
}

/// The legal signals that are ever true, and what they imply.
struct Table<'d> {
    moves: Vec<Move>,
    implied: Vec<&'d [Entry]>,
    /// For each variable, the signals that restrict it, and to which values.
    restricting: Vec<Vec<(u32, u64)>>,
    /// For a variable and a mask, the signals that allow a value of the mask.
    rows: FxHashMap<Entry, Set>,
    /// The moves of each role.
    of_role: Vec<Set>,
    forced: Set,
}

impl<'d> Table<'d> {
    fn new(logic: &GameLogic, domains: &'d Domains, budget: &Budget) -> Result<Self, Exhausted> {
        let (mut moves, mut implied) = (Vec::new(), Vec::new());
        let mut restricting = vec![Vec::new(); domains.variables()];
        for (role, legal) in logic.legal.iter().enumerate() {
            for (mv, &lit) in legal.iter().enumerate() {
                let Implied::Values(entries) = domains.of(lit) else {
                    continue;
                };
                for entry in entries {
                    let of: &mut Vec<(u32, u64)> = &mut restricting[entry.variable as usize];
                    of.push((moves.len() as u32, entry.mask));
                }
                moves.push((role as u16, mv as u32));
                implied.push(entries);
            }
        }
        let mut of_role = vec![Set::new(moves.len(), false); logic.roles()];
        for (at, &(role, _)) in moves.iter().enumerate() {
            of_role[usize::from(role)].set(at, true);
        }
        // A set for each leaf in the worst case.
        budget.check_memory(moves.len().saturating_mul(moves.len() / 8))?;
        Ok(Table {
            forced: Set::new(moves.len(), false),
            moves,
            implied,
            restricting,
            rows: FxHashMap::default(),
            of_role,
        })
    }

    /// The signals that may be true together with the one at `at`, including itself.
    fn compatible(&mut self, at: usize) -> Set {
        let mut set = Set::new(self.moves.len(), true);
        for &entry in self.implied[at] {
            if let Some(row) = self.rows.get(&entry) {
                set.intersect(row);
                continue;
            }
            let mut row = Set::new(self.moves.len(), true);
            for &(other, mask) in &self.restricting[entry.variable as usize] {
                if mask & entry.mask == 0 {
                    row.set(other as usize, false);
                }
            }
            set.intersect(&row);
            if self.rows.len() * self.forced.0.len() * 8 < CACHE {
                self.rows.insert(entry, row);
            }
        }
        set
    }

    /// Finds the moves that are the only legal ones of their role whenever they are legal.
    fn find_forced(
        &mut self,
        logic: &GameLogic,
        groups: &Groups,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        for at in 0..self.moves.len() {
            if at % STRIDE == 0 {
                budget.check()?;
            }
            let (role, _) = self.moves[at];
            let mut others = self.compatible(at);
            others.intersect(&self.of_role[usize::from(role)]);
            self.forced.set(at, others.count() <= 1);
        }
        let known = |&(role, mv): &Move| {
            let at = self.moves.binary_search(&(role, mv));
            at.is_ok_and(|at| self.forced.get(at))
        };
        let more = forced(logic, groups, &known, budget);
        for mv in more {
            if let Ok(at) = self.moves.binary_search(&mv) {
                self.forced.set(at, true);
            }
        }
        Ok(())
    }

    /// The moves of these roles that are not forced.
    fn open(&self, roles: &[u16]) -> Vec<usize> {
        let of_roles = |at: &usize| roles.contains(&self.moves[*at].0) && !self.forced.get(*at);
        (0..self.moves.len()).filter(of_roles).collect()
    }

    /// Groups of roles of which at most one ever has a move that is not forced.
    fn choices(&mut self, budget: &Budget) -> Result<Vec<Vec<u16>>, Exhausted> {
        let roles = self.of_role.len();
        // For each role, the signals that may be true together with one of its moves that is not
        // forced.
        let mut together = vec![Set::new(self.moves.len(), false); roles];
        for at in 0..self.moves.len() {
            if at % STRIDE == 0 {
                budget.check()?;
            }
            if !self.forced.get(at) {
                let compatible = self.compatible(at);
                together[usize::from(self.moves[at].0)].unite(&compatible);
            }
        }
        let mut open = self.of_role.clone();
        for open in &mut open {
            for (word, forced) in open.0.iter_mut().zip(&self.forced.0) {
                *word &= !forced;
            }
        }
        let mut choices: Vec<Vec<u16>> = Vec::new();
        for (role, together) in together.iter().enumerate() {
            let apart = |&other: &u16| !together.meets(&open[usize::from(other)]);
            match choices.iter_mut().find(|choice| choice.iter().all(apart)) {
                Some(choice) => choice.push(role as u16),
                None => choices.push(vec![role as u16]),
            }
        }
        Ok(choices)
    }

    /// Distributes signals over few leaves: each goes to the first leaf all of whose members
    /// exclude it.
    fn colour(&mut self, open: &[usize], budget: &Budget) -> Result<Vec<Vec<Move>>, Exhausted> {
        struct Leaf {
            members: Vec<usize>,
            /// The signals that may be true together with a member.
            blocked: Set,
        }
        let mut order: Vec<(u32, usize)> = Vec::new();
        for (done, &at) in open.iter().enumerate() {
            if done % STRIDE == 0 {
                budget.check()?;
            }
            order.push((self.compatible(at).count(), at));
        }
        // Signals that exclude the fewest others come first.
        order.sort_by_key(|&(count, at)| (std::cmp::Reverse(count), at));
        let mut leaves: Vec<Leaf> = Vec::new();
        for (done, &(_, at)) in order.iter().enumerate() {
            if done % STRIDE == 0 {
                budget.check()?;
            }
            let compatible = self.compatible(at);
            match leaves.iter_mut().find(|leaf| !leaf.blocked.get(at)) {
                Some(leaf) => {
                    leaf.members.push(at);
                    leaf.blocked.unite(&compatible);
                }
                None => leaves.push(Leaf {
                    members: vec![at],
                    blocked: compatible,
                }),
            }
        }
        let mut leaves: Vec<Vec<Move>> = leaves
            .into_iter()
            .map(|mut leaf| {
                leaf.members.sort_unstable();
                leaf.members.iter().map(|&at| self.moves[at]).collect()
            })
            .collect();
        leaves.sort_unstable();
        Ok(leaves)
    }
}
