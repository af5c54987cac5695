//! The depth-first descent to the most proving leaf, with thresholds on the numbers of each
//! state.

use crate::Numbers;
use crate::children::Family;
use crate::prover::Prover;
use crate::table::Name;
use crate::team::Member;
use budget::Budget;
use game::{EngineError, State};

/// The most joint moves that it looks ahead. This guards the stack against games that do not
/// end.
pub(crate) const DEEPEST: u32 = 300;

/// The approximate number of states generated between two checks of the budget.
const STRIDE: u64 = 16;

/// In a team: a child that took at least so many states was slow enough for others to have found
/// something about its siblings.
const SLOW: u64 = 64;

/// The numbers of a state, computed from its children.
struct Sum {
    numbers: Numbers,
    /// The most proving child, and the number of the second best.
    best: usize,
    second: u32,
    /// In the number that combines all children: what is added for those besides the greatest.
    others: u32,
}

impl Sum {
    /// Combines the numbers of the children: each open one but the greatest adds `sibling` to the
    /// number that needs all.
    ///
    /// The side that chooses needs one decided child; the other side needs all. Children with
    /// others of the team below them are less promising.
    fn of(family: &Family, sibling: u32, team: Option<&Member>) -> Sum {
        let (mut first, mut second, mut best) = (Numbers::NEVER, Numbers::NEVER, None);
        let (mut greatest, mut open, mut least) = (0, 0, Numbers::NEVER);
        for (at, child) in family.children().iter().enumerate() {
            let (mut one, all) = match family.own {
                true => (child.numbers.yes, child.numbers.no),
                false => (child.numbers.no, child.numbers.yes),
            };
            least = least.min(one);
            if let Some(team) = team
                && one > 0
                && one < Numbers::NEVER
            {
                one = team.virtually(one, child.name);
            }
            // Nothing is left to search in a decided child.
            if all > 0 && (best.is_none() || one < first) {
                (second, first, best) = (first, one, Some(at));
            } else {
                second = second.min(one);
            }
            greatest = greatest.max(all);
            open += u32::from(all > 0);
        }
        let others = open.saturating_sub(1) * sibling;
        let sum = match greatest {
            Numbers::NEVER => Numbers::NEVER,
            _ => (greatest + others).min(Numbers::NEVER - 1),
        };
        Sum {
            numbers: Numbers::from_chooser(family.own, least, sum),
            best: best.unwrap_or(0),
            second,
            others,
        }
    }

    /// Whether one of the numbers reaches its threshold.
    ///
    /// An infinite number with an infinite threshold does not count where the other number can
    /// still reach its own.
    fn reaches(&self, bounds: Numbers) -> bool {
        let Numbers { yes, no } = self.numbers;
        let open = |number: u32, bound: u32| number >= Numbers::NEVER && bound >= Numbers::NEVER;
        match (open(yes, bounds.yes), open(no, bounds.no)) {
            (true, true) => true,
            (true, false) => no >= bounds.no,
            (false, true) => yes >= bounds.yes,
            (false, false) => yes >= bounds.yes || no >= bounds.no,
        }
    }

    /// The thresholds of the most proving child: beyond them another child becomes the best.
    ///
    /// In a team that child need not have the least number, but it is searched all the same.
    fn bounds(&self, family: &Family, bounds: Numbers) -> Numbers {
        let (one, all) = bounds.of_chooser(family.own);
        let (now, _) = family.children()[self.best].numbers.of_chooser(family.own);
        let next = self.second.saturating_add(self.second / 4 + 1);
        let one = one.min(next).max(now + 1).min(Numbers::NEVER);
        let all = all.saturating_sub(self.others);
        Numbers::from_chooser(family.own, one, all)
    }
}

impl Prover {
    /// Searches a state that is not terminal until one of its numbers reaches its threshold, or
    /// states or time run out.
    ///
    /// Returns the numbers, and if the state is decided, the most joint moves to the end of
    /// play.
    pub(crate) fn descend(
        &mut self,
        state: &State,
        name: Name,
        bounds: Numbers,
        depth: u32,
        budget: &Budget,
    ) -> Result<(Numbers, u16), EngineError> {
        let before = self.states;
        let sibling = self.subject.sibling();
        let mut family = self.family();
        let (mut numbers, mut plies) = (Numbers::CLOSED, 0);
        if let Some(team) = &mut self.team {
            team.enter(name);
        }
        if self.expand(state, &mut family, budget)? {
            self.live += family.capacity();
            if depth == 0 {
                self.keep(&family);
            }
            loop {
                if let Some(known) = self.decided_by_others(name) {
                    (numbers, plies) = known;
                    break;
                }
                let sum = Sum::of(&family, sibling, self.team.as_ref());
                numbers = sum.numbers;
                if numbers.is_known() {
                    plies = longest(&family, numbers);
                    break;
                }
                if sum.reaches(bounds) || self.is_out(budget) || self.is_decided_above() {
                    break;
                }
                if depth >= DEEPEST || self.live > self.room {
                    // The parent is to search elsewhere.
                    numbers = Numbers::CLOSED;
                    break;
                }
                let bounds = sum.bounds(&family, bounds);
                let began = self.states;
                let child = family.child(sum.best);
                let (there, name) = (std::mem::take(&mut child.state), child.name);
                let (found, plies) = self.descend(&there, name, bounds, depth + 1, budget)?;
                let child = family.child(sum.best);
                child.state = there;
                if !self.stopped || found.is_known() {
                    (child.numbers, child.plies) = (found, plies);
                }
                if self.team.is_some() && self.states - began >= SLOW {
                    self.refresh(&mut family);
                }
            }
            self.live -= family.capacity().min(self.live);
        }
        self.give_back(family);
        if let Some(team) = &mut self.team {
            team.leave();
        }
        if numbers != Numbers::CLOSED || !self.stopped {
            self.table.put(name, numbers, plies, self.states - before);
        }
        Ok((numbers, plies))
    }

    /// Stores the children that outlooks decided, so that [`Prover::after`] finds them.
    ///
    /// Other children are stored when they are expanded.
    fn keep(&mut self, family: &Family) {
        let known = family.children().iter();
        let known = known.filter(|child| child.numbers.is_known() && child.plies > 0);
        for child in known {
            let name = self.table.name(&child.state, self.subject.judge.at_least);
            self.table.put(name, child.numbers, child.plies, 1);
        }
    }

    /// Whether states or time have run out.
    fn is_out(&mut self, budget: &Budget) -> bool {
        self.stopped |= self.states >= self.most;
        self.is_late(budget)
    }

    /// Whether time has run out, or states had.
    pub(crate) fn is_late(&mut self, budget: &Budget) -> bool {
        if self.states >= self.due {
            self.due = self.states + STRIDE;
            self.stopped |= budget.check().is_err();
        }
        self.stopped
    }
}

/// The most joint moves to the end of play on the lines that prove the answer.
fn longest(family: &Family, numbers: Numbers) -> u16 {
    let yes = numbers.yes == 0;
    let proved = family.children().iter().filter(|child| match yes {
        true => child.numbers.yes == 0,
        false => child.numbers.no == 0,
    });
    let plies = proved.map(|child| child.plies);
    // The side that chooses needs only one line.
    let found = match family.own == yes {
        true => plies.min(),
        false => plies.max(),
    };
    found.unwrap_or(0).saturating_add(1)
}
