//! Style files: how a game is drawn where somebody cares.
//!
//! A style file lies beside its rulesheet, as `NAME.style.toml`. Everything in it is optional:
//!
//! ```toml
//! layout = "hexes"            # or "squares", "chequered", "points"
//! flip = true                 # the first row is on top
//!
//! [pieces."white king"]       # a thing, as the legend calls it; `""` is an empty square
//! glyph = "♔"                 # up to three characters, drawn instead of the name
//! shape = "none"              # or "disc", "tile", "block"
//! colour = "#fff8e7"
//!
//! [words]                     # relations in words, for the facts beside the board
//! control = "to move"
//! ```

use serde::Deserialize;
use std::collections::BTreeMap;

/// The most characters of a glyph.
const GLYPH: usize = 3;

/// How a game is to be drawn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Style {
    /// How squares are drawn; `None` leaves it to what is known of the game.
    pub layout: Option<Layout>,
    /// Whether the first row is on top.
    pub flip: bool,
    /// How things are drawn, by their names.
    pub pieces: BTreeMap<String, Piece>,
    /// Relations in words. An empty text hides nothing, but leaves the word out.
    pub words: BTreeMap<String, String>,
}

/// How the squares of a board are drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Layout {
    /// Squares of one colour.
    #[default]
    Squares,
    /// Squares of two colours in turns.
    Chequered,
    /// Crossing lines, with the things on the crossings.
    Points,
    /// Hexagons, each row half a hexagon to the right of the one above; squares touch those
    /// up right and down left.
    Hexes,
    /// Hexagons that touch those up left and down right.
    HexesLeft,
}

/// How a thing is drawn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Piece {
    /// What is written on it instead of its short name.
    pub glyph: Option<String>,
    /// Its shape.
    pub shape: Option<Shape>,
    /// Its colour, `#rgb` or `#rrggbb`.
    pub colour: Option<String>,
}

/// The shape of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Shape {
    /// A round piece.
    Disc,
    /// A small square plate, as for numbers.
    Tile,
    /// A square that is filled, such as a wall.
    Block,
    /// Only the glyph.
    None,
}

impl Style {
    /// Reads a style file.
    ///
    /// # Errors
    /// A message with line and column.
    pub fn parse(text: &str) -> Result<Style, String> {
        let style: Style = toml::from_str(text).map_err(|error| error.to_string())?;
        for (name, piece) in &style.pieces {
            if let Some(colour) = piece.colour.as_ref().filter(|colour| !is_colour(colour)) {
                return Err(format!(
                    "pieces.{name:?}: `{colour}` is no colour; write `#rgb` or `#rrggbb`"
                ));
            }
            let long = |glyph: &String| glyph.chars().count() > GLYPH;
            if piece.glyph.as_ref().is_some_and(long) {
                return Err(format!(
                    "pieces.{name:?}: a glyph has at most {GLYPH} characters"
                ));
            }
        }
        Ok(style)
    }
}

fn is_colour(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or("");
    matches!(digits.len(), 3 | 6) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_told() {
        let told = |text: &str| Style::parse(text).expect_err("a mistake");
        assert!(told("layout = \"round\"").contains("line 1, column 10"));
        assert!(told("[pieces.x]\ncolour = \"red\"").contains("`#rgb`"));
        assert!(told("[pieces.x]\nglyph = \"king\"").contains("3 characters"));
        assert!(told("colour = 1").contains("unknown field"));
        assert_eq!(Style::parse(""), Ok(Style::default()));
    }
}
