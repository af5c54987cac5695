//! What the portfolio asks of a method.

use crate::found::Board;
use budget::Budget;

/// Whether there is anything left to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// It can go on.
    Open,
    /// It has done what it can.
    Over,
}

/// How much a method has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    /// How many.
    pub count: u64,
    /// Of what: states, conflicts, playouts.
    pub unit: &'static str,
}

/// A way to solve puzzles that works in slices and goes on where it was.
pub(crate) trait Method: Send {
    /// Its name, for people.
    fn name(&self) -> &'static str;

    /// Works until the budget ends, or there is nothing left to do.
    fn work(&mut self, board: &Board, budget: &Budget) -> State;

    /// How much longer its turns are than those of others, by how well the puzzle suits it.
    fn weight(&self) -> u32 {
        1
    }

    /// What it has done so far.
    fn done(&self) -> Work;
}
