//! Solving by SAT: the best results first, on ever longer lines.

use crate::circuit::Answer;
use crate::found::Board;
use crate::method::{Method, State as Status, Work};
use crate::problem::Problem;
use crate::unroll::Unrolled;
use budget::Budget;
use std::sync::Arc;

/// Conflicts for a horizon before a longer one is tried.
const CONFLICTS: u64 = 4_000;

/// SAT on the unrolled network.
pub(crate) struct Sat {
    problem: Arc<Problem>,
    bytes: usize,
    play: Option<Unrolled>,
    horizons: Vec<Horizon>,
    /// The longest line, once that is known.
    longest: Option<usize>,
    /// Conflicts for each horizon in this round.
    conflicts: u64,
    /// The horizon that is asked next.
    next: usize,
    full: bool,
}

/// Lines of at most this many plies.
struct Horizon {
    plies: usize,
    /// The least result that no such line has.
    excluded: Option<u8>,
    /// Whether it was asked whether play must be over.
    closed: bool,
}

impl Sat {
    pub fn new(problem: Arc<Problem>, bytes: usize) -> Sat {
        Sat {
            longest: problem.horizon,
            problem,
            bytes,
            play: None,
            horizons: Vec::new(),
            conflicts: CONFLICTS,
            next: 0,
            full: false,
        }
    }

    /// Unrolls to the next horizon: twice the last one, or the longest line. Returns whether
    /// there is one.
    fn deepen(&mut self, budget: &Budget) -> bool {
        let Some(known) = self.problem.known.as_ref() else {
            return false;
        };
        let (Some(play), false) = (&mut self.play, self.full) else {
            return false;
        };
        let last = self.horizons.last().map_or(0, |horizon| horizon.plies);
        let most = self.longest.unwrap_or(usize::MAX);
        if last >= most {
            return false;
        }
        // Steps of half the length so far, from 4 on: no line is missed by much.
        let plies = (last + last / 2).max(4).min(most);
        while play.len() < plies || !play.has_begun() {
            match play.extend(known, budget) {
                Ok(()) => {}
                Err(budget::Exhausted::Memory) => {
                    self.full = true;
                    return false;
                }
                Err(_) => return false,
            }
            if play.circuit.value(play.over(play.len())) == Some(true) {
                self.longest = Some(play.len());
                break;
            }
        }
        self.horizons.push(Horizon {
            plies: play.len(),
            excluded: None,
            closed: false,
        });
        true
    }
}

impl Method for Sat {
    fn name(&self) -> &'static str {
        "SAT"
    }

    fn work(&mut self, board: &Board, budget: &Budget) -> Status {
        if self.play.is_none() {
            let known = self.problem.known.as_ref();
            self.play =
                known.and_then(|known| Unrolled::new(known, &self.problem.start, self.bytes));
            if self.play.is_none() {
                return Status::Over;
            }
        }
        while budget.check().is_ok() {
            let asked = board.bound();
            if board.wanted().is_none() {
                return Status::Over;
            }
            let open = |horizon: &Horizon| horizon.excluded.is_none_or(|least| least > asked);
            let rest = self.horizons.iter().skip(self.next);
            let Some(next) = rest.clone().position(open) else {
                // A longer horizon may do what these did not, else more conflicts.
                self.next = match self.deepen(budget) {
                    true => self.horizons.len() - 1,
                    false if budget.check().is_err() => return Status::Open,
                    false if !self.horizons.iter().any(open) => return Status::Over,
                    false => 0,
                };
                if self.next == 0 {
                    self.conflicts *= 2;
                }
                continue;
            };
            self.next += next;
            let (horizon, Some(play)) = (&mut self.horizons[self.next], &mut self.play) else {
                return Status::Over;
            };
            let plies = horizon.plies;
            let question = play.result(plies, asked);
            match play.circuit.ask(&[question], self.conflicts, budget) {
                Answer::Yes => {
                    let line = play.line();
                    if !board.offer(&line, "SAT") {
                        return Status::Over;
                    }
                }
                Answer::No => {
                    horizon.excluded = Some(asked);
                    if self.longest.is_none() && !horizon.closed {
                        horizon.closed = true;
                        let over = play.over(plies);
                        if play.circuit.ask(&[!over], CONFLICTS, budget) == Answer::No {
                            self.longest = Some(plies);
                        }
                    }
                    if self.longest.is_some_and(|longest| longest <= plies) {
                        let below = board.results.iter().copied().find(|&result| result < asked);
                        let Some(below) = below else {
                            return Status::Over;
                        };
                        board.limit(below, "SAT");
                        if board.bound() == asked {
                            return Status::Over;
                        }
                    }
                }
                Answer::Unknown if budget.check().is_err() => return Status::Open,
                Answer::Unknown => self.next += 1,
            }
        }
        Status::Open
    }

    fn done(&self) -> Work {
        Work {
            count: self
                .play
                .as_ref()
                .map_or(0, |play| play.circuit.conflicts()),
            unit: if self.full {
                "conflicts, all plies that memory holds"
            } else {
                "conflicts"
            },
        }
    }
}
