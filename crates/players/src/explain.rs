//! Thoughts in words.

use crate::thought::{Figures, Thought};
use game::{GroundTerm, RoleId};
use mcts::Bounds;
use std::fmt;

/// The most moves of the principal variation that are shown.
const LINE: usize = 4;
/// The most other moves that are shown in a line.
const OTHERS: usize = 2;

impl fmt::Display for Thought {
    /// The decisive figures, the alternatives and the principal variation, in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = worth(self.value, self.bounds, self.chance);
        let Some(search) = &self.search else {
            return write!(f, "{own}; {}", self.part);
        };
        if !self.part.is_empty() {
            write!(f, "{}: ", self.part)?;
        }
        write!(f, "{own} from {} visits; {search}", search.visits)?;
        for other in self.others.iter().take(OTHERS) {
            let worth = worth(other.value, other.bounds, other.chance);
            write!(f, "; {} {worth} from {}", other.mv, other.visits)?;
        }
        if self.expected.len() > 1 {
            write!(f, "; expects {}", line(&self.expected))?;
        }
        Ok(())
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} playouts, {} nodes", self.playouts, self.nodes)?;
        if self.known > 0 {
            write!(f, ", {} visits known before", self.known)?;
        }
        if let Some(rate) = self.rate() {
            write!(f, ", {:.0} thousand playouts/s", rate / 1000.0)?;
        }
        if let Some(foretold) = self.foretold {
            write!(f, ", {:.0} % foretold", 100.0 * foretold)?;
        }
        if let Some(by_ends) = self.by_ends.filter(|&by_ends| by_ends >= 0.01) {
            write!(f, ", {:.0} % of it by ends of playouts", 100.0 * by_ends)?;
        }
        if self.failures > 0 {
            write!(f, ", {} playouts failed", self.failures)?;
        }
        Ok(())
    }
}

impl Thought {
    /// The move and why it is played, for people: `plays (drop 4): 61 % in 1.2 M playouts,
    /// expects (drop 3) (drop 5)`.
    ///
    /// Goal values are per cent of the most that a game can give. A proved result says how many
    /// plies it takes, those without a choice left out.
    pub fn sentence(&self) -> String {
        let mut text = format!("plays {}: {}", self.mv, self.verdict());
        if !self.part.is_empty() {
            text += &format!(" ({})", self.part);
        }
        let after = match self.expected.split_first() {
            Some(((_, first), after)) if *first == self.mv => after,
            _ => &[],
        };
        if !after.is_empty() {
            text += &format!(", expects {}", line(after));
        }
        text
    }

    /// What a search has found so far, for people who wait: `(drop 4) 61 %, 1.2 M playouts,
    /// 400 k/s, depth 9: (drop 4) (drop 3)`. The depth is the length of the principal variation.
    pub fn so_far(&self) -> String {
        let mut text = format!("{} {}", self.mv, self.estimate());
        if let Some(search) = &self.search {
            text += &format!(", {} playouts", short(search.playouts as f64));
            if let Some(rate) = search.rate() {
                text += &format!(", {}/s", short(rate));
            }
        }
        if self.expected.len() > 1 {
            let depth = self.expected.len();
            text += &format!(", depth {depth}: {}", line(&self.expected));
        }
        text
    }

    /// What the move leads to, in words.
    fn verdict(&self) -> String {
        let plies = match self.plies {
            None => String::new(),
            Some(1) => " in 1 ply".to_owned(),
            Some(plies) => format!(" in {plies} plies"),
        };
        match (self.bounds.low, self.bounds.high) {
            (100, 100) => return format!("wins by force{plies}"),
            (0, 0) => return format!("loses by force{plies}"),
            (low, high) if low == high => return format!("{low} % by force{plies}"),
            _ => {}
        }
        let mut text = self.estimate();
        if let Some(search) = &self.search {
            text += &format!(" in {} playouts", short(search.playouts as f64));
        }
        if self.chance > 0.0 {
            let chance = 100.0 * self.chance;
            text += &format!(", drawn with a chance of {chance:.0} %");
        }
        text
    }

    /// The value in per cent, and what is proved of it.
    fn estimate(&self) -> String {
        let value = self.value.map(|value| format!("{value:.0} %"));
        let proved = match (self.bounds.low, self.bounds.high) {
            (low, high) if low == high => return format!("{low} % proved"),
            (0, 100) => None,
            (low, 100) => Some(format!("at least {low} % proved")),
            (0, high) => Some(format!("at most {high} % proved")),
            (low, high) => Some(format!("{low} to {high} % proved")),
        };
        match (value, proved) {
            (Some(value), Some(proved)) => format!("{value} ({proved})"),
            (Some(text), None) | (None, Some(text)) => text,
            (None, None) => "not judged yet".to_owned(),
        }
    }
}

/// The value of a move, as far as it is known.
fn worth(value: Option<f64>, bounds: Bounds, chance: f64) -> String {
    let proved = match (bounds.low, bounds.high) {
        (low, high) if low == high => return format!("{low} proved"),
        (0, 100) => String::new(),
        (low, high) => format!(" of {low} to {high}"),
    };
    match (value, chance > 0.0) {
        (Some(value), false) => format!("value {value:.1}{proved}"),
        (Some(value), true) => format!("value {value:.1}{proved}, chance {chance:.2}"),
        (None, _) => format!("chance {chance:.2}"),
    }
}

/// The first moves of a line of play.
fn line(moves: &[(RoleId, GroundTerm)]) -> String {
    let moves = moves.iter().take(LINE).map(|(_, mv)| mv.to_string());
    moves.collect::<Vec<_>>().join(" ")
}

/// A number with two or three digits that count: `7`, `840`, `1.2 k`, `35 M`.
fn short(number: f64) -> String {
    let scaled = [(1e9, "G"), (1e6, "M"), (1e3, "k")]
        .into_iter()
        // What would be rounded up to the next unit is written in it.
        .find(|(unit, _)| number >= 0.9995 * unit);
    match scaled.map(|(unit, name)| (number / unit, name)) {
        Some((number, name)) if number < 9.95 => format!("{number:.1} {name}"),
        Some((number, name)) => format!("{number:.0} {name}"),
        None => format!("{number:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn term(text: &str) -> GroundTerm {
        text.parse().expect("a term")
    }

    fn searched(low: u8, high: u8, plies: Option<u16>) -> Thought {
        let line = ["(drop 4)", "(drop 3)", "(drop 5)"].into_iter().enumerate();
        Thought {
            value: Some(61.2),
            bounds: Bounds { low, high },
            plies,
            expected: line.map(|(at, mv)| (RoleId(at % 2), term(mv))).collect(),
            search: Some(Figures {
                visits: 700_000,
                playouts: 1_234_567,
                nodes: 9,
                time: Some(Duration::from_secs(3)),
                ..Figures::default()
            }),
            ..Thought::of(term("(drop 4)"))
        }
    }

    #[test]
    fn a_move_is_named_with_its_reason() {
        for (low, high, plies, wanted) in [
            (0, 100, None, "61 % in 1.2 M playouts"),
            (
                50,
                100,
                None,
                "61 % (at least 50 % proved) in 1.2 M playouts",
            ),
            (100, 100, Some(5), "wins by force in 5 plies"),
            (0, 0, Some(1), "loses by force in 1 ply"),
            (50, 50, None, "50 % by force"),
        ] {
            assert_eq!(
                searched(low, high, plies).sentence(),
                format!("plays (drop 4): {wanted}, expects (drop 3) (drop 5)")
            );
        }
        let mixed = Thought {
            chance: 0.333,
            expected: Vec::new(),
            ..searched(0, 100, None)
        };
        let drawn = "plays (drop 4): 61 % in 1.2 M playouts, drawn with a chance of 33 %";
        assert_eq!(mixed.sentence(), drawn);
    }

    #[test]
    fn a_line_of_another_move_is_not_expected_after_this_one() {
        let other = Thought {
            mv: term("(drop 7)"),
            ..searched(0, 100, None)
        };
        assert_eq!(other.sentence(), "plays (drop 7): 61 % in 1.2 M playouts");
    }

    #[test]
    fn what_is_known_so_far_has_speed_and_depth() {
        assert_eq!(
            searched(0, 100, None).so_far(),
            "(drop 4) 61 %, 1.2 M playouts, 412 k/s, depth 3: (drop 4) (drop 3) (drop 5)"
        );
        let nothing = Thought::of(term("pass"));
        assert_eq!(nothing.so_far(), "pass not judged yet");
    }

    #[test]
    fn numbers_are_short() {
        for (number, wanted) in [
            (0.0, "0"),
            (999.4, "999"),
            (999.9, "1.0 k"),
            (1_234.0, "1.2 k"),
            (9_960.0, "10 k"),
            (999_600.0, "1.0 M"),
            (35_400_000.0, "35 M"),
            (2.5e9, "2.5 G"),
        ] {
            assert_eq!(short(number), wanted, "{number}");
        }
    }
}
