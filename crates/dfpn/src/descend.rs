//! Down to the leaf that counts most, and up again, within bounds on the numbers of each state.

use crate::children::Family;
use crate::prover::Prover;
use crate::table::{Name, Numbers};
use budget::Budget;
use game::{EngineError, State};

/// Joint moves that it looks ahead at most: a guard of the stack against games that do not end.
const DEEPEST: u32 = 300;

/// How many states are made, about, between two looks at the budget.
const STRIDE: u64 = 16;

/// The numbers of a state by those of its children.
struct Sum {
    numbers: Numbers,
    /// The child that counts most, and the number of the next one.
    best: usize,
    second: u32,
    /// Of the other number, how much is none of the greatest one's.
    others: u32,
}

impl Sum {
    /// Whoever chooses wants one child to be decided; else all would have to be.
    fn of(family: &Family) -> Sum {
        let (mut first, mut second, mut best) = (Numbers::NEVER, Numbers::NEVER, None);
        let (mut greatest, mut open) = (0, 0);
        for (at, child) in family.children().iter().enumerate() {
            let (one, all) = match family.own {
                true => (child.numbers.yes, child.numbers.no),
                false => (child.numbers.no, child.numbers.yes),
            };
            // There is nothing left to look for in a child that is decided.
            if all > 0 && (best.is_none() || one < first) {
                (second, first, best) = (first, one, Some(at));
            } else {
                second = second.min(one);
            }
            greatest = greatest.max(all);
            open += u32::from(all > 0);
        }
        let others = open.saturating_sub(1);
        let sum = match greatest {
            Numbers::NEVER => Numbers::NEVER,
            _ => (greatest + others).min(Numbers::NEVER - 1),
        };
        let numbers = match family.own {
            true => Numbers {
                yes: first,
                no: sum,
            },
            false => Numbers {
                yes: sum,
                no: first,
            },
        };
        Sum {
            numbers,
            best: best.unwrap_or(0),
            second,
            others,
        }
    }

    /// Whether one of the numbers reaches its bound. What cannot be proved need not be, where the opposite can.
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

    /// What the child that counts most may come to before another one does.
    fn bounds(&self, own: bool, bounds: Numbers) -> Numbers {
        let (one, all) = match own {
            true => (bounds.yes, bounds.no),
            false => (bounds.no, bounds.yes),
        };
        let next = self.second.saturating_add(self.second / 4 + 1);
        let one = one.min(next).min(Numbers::NEVER);
        let all = all.saturating_sub(self.others);
        match own {
            true => Numbers { yes: one, no: all },
            false => Numbers { yes: all, no: one },
        }
    }
}

impl Prover {
    /// Looks at a state in which play is not over until one of its numbers reaches its bound, or states or time
    /// run out. The numbers, and if there is an answer, joint moves to the end of play, at most.
    pub(crate) fn descend(
        &mut self,
        state: &State,
        name: Name,
        bounds: Numbers,
        depth: u32,
        budget: &Budget,
    ) -> Result<(Numbers, u16), EngineError> {
        let before = self.states;
        let mut family = self.family();
        let (mut numbers, mut plies) = (Numbers::CLOSED, 0);
        if self.expand(state, &mut family, budget)? {
            self.live += family.capacity();
            if depth == 0 {
                self.keep(&family);
            }
            loop {
                let sum = Sum::of(&family);
                numbers = sum.numbers;
                if numbers.is_known() {
                    plies = longest(&family, numbers);
                    break;
                }
                if sum.reaches(bounds) || self.is_out(budget) {
                    break;
                }
                if depth >= DEEPEST || self.live > self.room {
                    // Whoever asks is to look elsewhere.
                    numbers = Numbers::CLOSED;
                    break;
                }
                let bounds = sum.bounds(family.own, bounds);
                let child = family.child(sum.best);
                let (there, name) = (std::mem::take(&mut child.state), child.name);
                let (found, plies) = self.descend(&there, name, bounds, depth + 1, budget)?;
                let child = family.child(sum.best);
                child.state = there;
                if !self.stopped || found.is_known() {
                    (child.numbers, child.plies) = (found, plies);
                }
            }
            self.live -= family.capacity().min(self.live);
        }
        self.give_back(family);
        if numbers != Numbers::CLOSED || !self.stopped {
            self.table.put(name, numbers, plies, self.states - before);
        }
        Ok((numbers, plies))
    }

    /// Notes what was foreseen of children, so that they can be asked about. (Others are noted when they are looked at.)
    fn keep(&mut self, family: &Family) {
        let known = family.children().iter();
        let known = known.filter(|child| child.numbers.is_known() && child.plies > 0);
        for child in known {
            let name = self.table.name(&child.state, self.at_least);
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

/// Joint moves to the end of play on the ways that prove the answer.
fn longest(family: &Family, numbers: Numbers) -> u16 {
    let yes = numbers.yes == 0;
    let proved = family.children().iter().filter(|child| match yes {
        true => child.numbers.yes == 0,
        false => child.numbers.no == 0,
    });
    let plies = proved.map(|child| child.plies);
    // Whoever chooses needs one way only.
    let found = match family.own == yes {
        true => plies.min(),
        false => plies.max(),
    };
    found.unwrap_or(0).saturating_add(1)
}
