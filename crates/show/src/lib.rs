//! Draws the facts of a state as text: boards where there are any, lists otherwise.
//!
//! People who watch a match want to see the board. A rulesheet does not say what is a board, and
//! names mean nothing (servers scramble them), so boards are found by structure alone: a relation
//! is drawn if two of its arguments run over ordered values (numbers, or constants that the rules
//! string together) and never more than one thing lies in one place. Whatever is not drawn is
//! listed, so nothing is ever hidden.
//!
//! It stands apart because it needs nothing but facts; it knows neither engines nor terminals.
//!
//! ```
//! let state = |text: &str| -> Vec<gdl_parse::GroundTerm> {
//!     text.lines().map(|fact| fact.trim().parse().unwrap()).collect()
//! };
//! let facts = state("(at 1 1 rook)\n(at 2 3 king)\n(turn white)");
//! let viewer = show::Viewer::new(&[], std::slice::from_ref(&facts));
//! assert_eq!(viewer.draw(&facts), "\
//! 3  . k
//! 2  . .
//! 1  r .
//!    1 2
//! k king, r rook
//! turn white
//! ");
//! ```

mod draw;
mod layout;
mod order;

pub use order::chains;

use gdl_parse::GroundTerm;

/// Draws the states of one game, all in the same way.
#[derive(Debug, Clone)]
pub struct Viewer {
    layouts: Vec<layout::Layout>,
}

impl Viewer {
    /// A viewer for the game that `samples` are states of, the initial one first; more of them, as
    /// from a few random playouts, show how far its boards reach. `chains` are the sequences of
    /// constants that its rules lay down, see [`chains`].
    pub fn new(chains: &[Vec<String>], samples: &[Vec<GroundTerm>]) -> Self {
        Viewer {
            layouts: layout::find(chains, samples),
        }
    }

    /// The facts as text, ending with a line break unless there are none.
    pub fn draw(&self, facts: &[GroundTerm]) -> String {
        draw::draw(&self.layouts, facts)
    }
}

#[cfg(test)]
mod tests;
