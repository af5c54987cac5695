//! Play of games of one role by the best line that is known.

use crate::thought::Teller;
use crate::{BestMove, Thought};
use budget::Budget;
use game::{MoveId, State};
use mcts::{Bounds, Report};
use puzzle::{Line, Portfolio};

/// The part of the time for a move, 1 / `MORE`, in which a better line is looked for.
const MORE: u32 = 2;

/// The best line of a puzzle, and the methods that may find a better one.
#[derive(Default)]
pub(crate) enum ByLines {
    /// Several roles play, or it is switched off.
    #[default]
    None,
    /// The best line, proved to be one.
    Solved(Line),
    /// A better line may be found.
    Open(Box<Portfolio>),
}

impl ByLines {
    /// What is known before play.
    pub fn new(puzzle: Option<Portfolio>) -> ByLines {
        puzzle.map_or(ByLines::None, |puzzle| {
            ByLines::Open(Box::new(puzzle)).settled()
        })
    }

    /// Forgets the methods once their best line is proved to be one.
    fn settled(self) -> ByLines {
        match self {
            ByLines::Open(puzzle) => {
                let found = puzzle.found();
                match (found.is_best(), found.line) {
                    (true, Some(line)) => ByLines::Solved(line),
                    _ => ByLines::Open(puzzle),
                }
            }
            other => other,
        }
    }

    /// Whether the whole need not be searched.
    pub fn is_enough(&self) -> bool {
        matches!(self, ByLines::Solved(_))
    }

    /// The move of a best line, looking for a better line first if none is proved to be the
    /// best. `None` if the whole has to be searched.
    pub fn choose(
        &mut self,
        state: &State,
        threads: usize,
        best: &BestMove,
        budget: &Budget,
        teller: &Teller<'_>,
    ) -> Option<(MoveId, Thought)> {
        if let ByLines::Open(puzzle) = self {
            puzzle.follow(state, budget);
            if let Some(line) = puzzle.found().line
                && let Some((mv, _)) = line.at(state)
            {
                best.publish(mv);
            }
            puzzle.work(threads, &budget.share(MORE));
            *self = std::mem::take(self).settled();
        }
        match self {
            ByLines::Solved(line) => {
                let chosen = next(line, true, state, teller)?;
                best.publish(chosen.0);
                Some(chosen)
            }
            _ => None,
        }
    }

    /// Looks for a better line while there is time.
    pub fn ponder(&mut self, threads: usize, budget: &Budget) {
        if let ByLines::Open(puzzle) = self {
            puzzle.work(threads, budget);
        }
    }

    /// The move of a line with a greater result than a search has proved.
    pub fn better(
        &self,
        state: &State,
        report: &Report,
        teller: &Teller<'_>,
    ) -> Option<(MoveId, Thought)> {
        let ByLines::Open(puzzle) = self else {
            return None;
        };
        let sure = report.candidate.map_or(0, |candidate| candidate.bounds.low);
        let line = puzzle.found().line.filter(|line| line.result > sure)?;
        next(&line, false, state, teller)
    }
}

/// The move of a line in one of its states, and what is known of it.
fn next(
    line: &Line,
    proved: bool,
    state: &State,
    teller: &Teller<'_>,
) -> Option<(MoveId, Thought)> {
    let (mv, left) = line.at(state)?;
    let moves = if left == 1 { "move" } else { "moves" };
    let thought = Thought {
        value: Some(line.result.into()),
        bounds: Bounds {
            low: line.result,
            high: if proved { line.result } else { 100 },
        },
        plies: u16::try_from(left).ok(),
        part: format!("a line found by {}, in {left} {moves}", line.method),
        ..Thought::of(teller.term(mv))
    };
    Some((mv, thought))
}
