//! What moves change in a puzzle whose facts change once, if at all.

use crate::imagine::{self, May, OPEN, exactly, imagine, may, must};
use crate::problem::Known;
use budget::{Budget, Exhausted};
use game::State;
use invariants::Groups;
use netlist::GameLogic;

/// What moves change from some state on.
pub(super) struct Changes<'p> {
    pub known: &'p Known,
    start: &'p State,
    /// For each fact, whether it stays absent once it is, and whether it stays once it holds.
    settled: Vec<[bool; 2]>,
    /// For each move, the facts that it changes and their values after it. It changes those that
    /// change once, and that it sets to what they are not in the first state.
    pub effects: Vec<Vec<(u32, bool)>>,
}

impl<'p> Changes<'p> {
    /// `None` if something that matters may change more than once.
    pub fn find(
        known: &'p Known,
        start: &'p State,
        budget: &Budget,
    ) -> Result<Option<Changes<'p>>, Exhausted> {
        let logic = &*known.logic;
        let (used, recursive) = logic.reach(logic.roots());
        let matters = (0..logic.facts.len()).filter(|&fact| used[logic.facts[fact].node()]);
        let matters: Vec<usize> = matters.collect();
        let mut changes = Changes {
            known,
            start,
            settled: settled(logic),
            effects: Vec::new(),
        };
        for &fact in &matters {
            if !changes.settles(fact, budget)? {
                return Ok(None);
            }
        }
        if recursive || !matters.iter().all(|&fact| changes.is_decided(fact)) {
            return Ok(None);
        }
        let mut effects = effects(logic);
        for effects in &mut effects {
            effects.retain(|&(fact, value)| {
                let fact = fact as usize;
                changes.holds(fact) != value && changes.once(fact)
            });
        }
        changes.effects = effects;
        Ok(Some(changes))
    }

    /// Whether a fact keeps a value once it has it. Which one is noted.
    fn settles(&mut self, fact: usize, budget: &Budget) -> Result<bool, Exhausted> {
        let (logic, groups) = (&self.known.logic, &self.known.proved.groups);
        let known = self.known.time.facts[fact] || groups.constant(fact as u32).is_some();
        if known || self.settled[fact].contains(&true) {
            return Ok(true);
        }
        // It stays once it has changed, or from the beginning.
        for value in [!self.holds(fact), self.holds(fact)] {
            if stays(logic, groups, fact as u32, value, budget)? {
                self.settled[fact][usize::from(value)] = true;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a fact holds in the first state.
    pub fn holds(&self, fact: usize) -> bool {
        self.start.words()[fact / 64] >> (fact % 64) & 1 == 1
    }

    /// Whether a fact changes once, from what it is now, so that the moves decide it.
    fn once(&self, fact: usize) -> bool {
        self.settled[fact][usize::from(!self.holds(fact))]
    }

    /// The value of a fact that never changes.
    pub fn fixed(&self, fact: usize) -> Option<bool> {
        let holds = self.holds(fact);
        let constant = self.known.proved.groups.constant(fact as u32);
        let stays = self.settled[fact][usize::from(holds)].then_some(holds);
        constant.or(stays)
    }

    /// Whether moves or time decide a fact, or nothing can change it.
    fn is_decided(&self, fact: usize) -> bool {
        self.once(fact) || self.known.time.facts[fact] || self.fixed(fact).is_some()
    }

    /// Whether something else than time may end play.
    pub fn may_end_early(&self) -> bool {
        let now = |fact: u32| match self.known.time.facts[fact as usize] {
            true => imagine::known(self.holds(fact as usize)),
            false => OPEN,
        };
        let all = imagine(&self.known.logic, now, |_| OPEN);
        may(&all, self.known.logic.terminal)[1] & 1 == 1
    }
}

/// For each fact, whether it stays absent once it is, and whether it stays once it holds.
fn settled(logic: &GameLogic) -> Vec<[bool; 2]> {
    let facts = logic.facts.len();
    let mut settled = vec![[false; 2]; facts];
    for first in (0..facts).step_by(64) {
        for value in [false, true] {
            // In each case one fact has the value, and of the others nothing is known.
            let holds = |fact: u32| match (fact as usize).checked_sub(first) {
                Some(at) if at < 64 && value => [!(1u64 << at), u64::MAX],
                Some(at) if at < 64 => [u64::MAX, !(1u64 << at)],
                _ => OPEN,
            };
            let all = imagine(logic, holds, |_| OPEN);
            let these = settled.iter_mut().zip(&logic.next).skip(first).take(64);
            for (at, (settled, &next)) in these.enumerate() {
                let may = may(&all, next)[usize::from(!value)];
                settled[usize::from(value)] = may >> at & 1 == 0;
            }
        }
    }
    settled
}

/// Whether a fact keeps a value once it has it, whatever legal move is made. What excludes the fact
/// is false then, so that a digit in a square forbids others there. A value that ends play is kept.
fn stays(
    logic: &GameLogic,
    groups: &Groups,
    fact: u32,
    value: bool,
    budget: &Budget,
) -> Result<bool, Exhausted> {
    let mut excluded = vec![false; logic.facts.len()];
    let with = groups
        .groups
        .iter()
        .filter(|group| value && group.facts.contains(&fact));
    for &other in with.flat_map(|group| &group.facts) {
        excluded[other as usize] = true;
    }
    let holds = |other: u32| match excluded[other as usize] {
        _ if other == fact => imagine::known(value),
        true => imagine::known(false),
        false => OPEN,
    };
    if must(&imagine(logic, holds, |_| OPEN), logic.terminal) == u64::MAX {
        return Ok(true);
    }
    for (first, moves) in (0..).step_by(64).zip(logic.legal[0].chunks(64)) {
        budget.check()?;
        let all = imagine(logic, holds, |mv| moves_of(mv, first));
        let changes = may(&all, logic.next[fact as usize])[usize::from(!value)];
        let changing =
            |(at, &legal): (usize, &netlist::Lit)| (changes & may(&all, legal)[1]) >> at & 1 == 1;
        if moves.iter().enumerate().any(changing) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// In case `at`, move `first + at` is made.
fn moves_of(mv: u32, first: usize) -> May {
    match (mv as usize).checked_sub(first) {
        Some(at) if at < 64 => exactly(1 << at),
        _ => imagine::known(false),
    }
}

/// For each move, the facts that hold after it, and those that do not, whatever held before.
fn effects(logic: &GameLogic) -> Vec<Vec<(u32, bool)>> {
    let moves = logic.does[0].len();
    let mut effects = vec![Vec::new(); moves];
    for first in (0..moves).step_by(64) {
        let all = imagine(logic, |_| OPEN, |mv| moves_of(mv, first));
        for (fact, &next) in (0..).zip(&logic.next) {
            for value in [false, true] {
                let mut left = !may(&all, next)[usize::from(!value)];
                while left != 0 {
                    let at = first + left.trailing_zeros() as usize;
                    left &= left - 1;
                    if at < moves {
                        effects[at].push((fact, value));
                    }
                }
            }
        }
    }
    effects
}
