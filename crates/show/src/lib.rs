//! Draws the facts of a state, as text or as data: boards where there are any, lists otherwise.
//!
//! People who watch a match want to see the board. A rulesheet does not declare its board, and
//! names mean nothing (servers scramble them), so boards are found by structure alone. A
//! relation is drawn if two of its arguments range over ordered values (numbers, or constants
//! that the rules chain together) and no place ever has more than one thing. Relations on the same
//! squares that never meet are drawn on one board, such as those of two colours. A relation that
//! only marks a few squares of another one's board is listed like all other facts, so nothing is
//! hidden.
//!
//! The crate is separate because it needs only facts. It knows neither engines nor terminals.
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

mod board;
mod draw;
mod labels;
mod layout;
mod names;
mod order;
mod scene;

pub use names::Names;
pub use order::chains;
pub use scene::{Grid, List, Scene, Square};

use gdl_parse::GroundTerm;

/// Draws the states of one game in a uniform way.
#[derive(Debug, Clone)]
pub struct Viewer {
    boards: Vec<board::Board>,
    names: Names,
}

impl Viewer {
    /// Creates a viewer for the game with the states `samples`.
    ///
    /// The initial state comes first. Further states, as from a few random playouts, show the
    /// extent of the boards. `chains` are the sequences of constants that the rules define, see
    /// [`chains`].
    pub fn new(chains: &[Vec<String>], samples: &[Vec<GroundTerm>]) -> Self {
        let names = Names::find(samples);
        let layouts = layout::find(chains, samples, &names);
        Viewer {
            boards: board::boards(layouts, chains, samples, &names),
            names,
        }
    }

    /// Draws the facts as text. It ends with a line break unless there are none.
    pub fn draw(&self, facts: &[GroundTerm]) -> String {
        draw::draw(&self.scene(facts))
    }

    /// The facts as data, for drawing them in another way.
    pub fn scene(&self, facts: &[GroundTerm]) -> Scene {
        scene::scene(&self.boards, &self.names, facts)
    }

    /// The square of a fact, and the name of the thing there, which is `None` for what marks an
    /// empty square. `None` if the fact is on no board.
    pub fn place(&self, fact: &GroundTerm) -> Option<(Square, Option<String>)> {
        scene::placed(&self.boards, &layout::Fact::of(fact, &self.names))
    }
}

#[cfg(test)]
mod tests;
