//! The printer of sheets.

use crate::position::{Moves, Place, Position, Sheet};
use game::GroundTerm;
use std::fmt;

/// The maximum length of lines, unless a single term is longer.
const WIDTH: usize = 100;

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "(game {})", self.game)?;
        for position in &self.positions {
            write!(f, "\n{position}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "(position {}", self.name)?;
        if !self.about.is_empty() {
            fill(f, "about", self.about.split_whitespace())?;
        }
        writeln!(f, "  (class {})", self.class)?;
        writeln!(f, "  (role {})", self.role)?;
        match &self.place {
            Place::Play(moves) => fill(f, "play", moves)?,
            Place::State(facts) => fill(f, "state", facts)?,
        }
        match &self.moves {
            Moves::Best(moves) => fill(f, "best", moves)?,
            Moves::Avoid(moves) => fill(f, "avoid", moves)?,
        }
        write!(f, "  (forces {})", self.forces)?;
        if let Some(within) = self.within {
            write!(f, " (within {within})")?;
        }
        write!(f, " (states {})", self.states)?;
        if let Some(playouts) = self.playouts {
            write!(f, " (playouts {playouts})")?;
        }
        if let Some(seconds) = self.seconds {
            write!(f, " (seconds {seconds})")?;
        }
        writeln!(f, ")")
    }
}

/// Prints a list over as many lines as it needs.
fn fill<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    head: &str,
    items: impl IntoIterator<Item = T>,
) -> fmt::Result {
    let mut line = format!("  ({head}");
    for item in items {
        let item = item.to_string();
        // Includes the closing parenthesis that may follow.
        if line.chars().count() + 1 + item.chars().count() + 1 > WIDTH {
            writeln!(f, "{line}")?;
            line = format!("    {item}");
        } else {
            line.push(' ');
            line.push_str(&item);
        }
    }
    writeln!(f, "{line})")
}

/// Terms in one line.
pub(crate) fn list(terms: &[GroundTerm]) -> String {
    let terms: Vec<String> = terms.iter().map(GroundTerm::to_string).collect();
    terms.join(" ")
}
