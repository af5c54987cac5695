//! How the boards of a game are drawn: what its analysis finds, and what its style file says.

use crate::style::{Layout, Piece, Shape, Style};
use profile::Profile;
use show::{Grid, Square, Viewer};
use std::collections::{BTreeMap, BTreeSet};

/// How the boards of a game are drawn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Look {
    /// The layout of each grid; later ones are squares.
    layouts: Vec<Layout>,
    /// The role that owns each thing, by its name.
    owners: BTreeMap<String, usize>,
    /// The name of each role in lower case.
    roles: Vec<String>,
    style: Style,
}

/// What is drawn for a thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Drawn {
    /// The shape.
    pub shape: Shape,
    /// The fill, and the colour of the text on it.
    pub colours: (String, &'static str),
    /// The text on it; may be empty.
    pub text: String,
}

/// The colours of roles, which are told apart by people who see few colours too.
const ROLES: [&str; 8] = [
    "#f4efe4", "#33373d", "#2f74c0", "#d1495b", "#3f9560", "#e0a030", "#8a5fb0", "#50b0b8",
];
/// Roles that are called after a colour have it.
const NAMED: [(&str, &str); 10] = [
    ("white", "#f4efe4"),
    ("black", "#33373d"),
    ("blue", "#2f74c0"),
    ("red", "#d1495b"),
    ("green", "#3f9560"),
    ("yellow", "#e9c33b"),
    ("orange", "#e08a2e"),
    ("purple", "#8a5fb0"),
    ("pink", "#e08bb0"),
    ("brown", "#8b5e3c"),
];
/// The colour of what belongs to nobody.
const NOBODY: &str = "#c9b38c";

impl Look {
    /// The look of a game of which nothing but its rules is known.
    pub fn new(roles: &[String], style: Style) -> Look {
        Look {
            roles: roles.iter().map(|role| role.to_lowercase()).collect(),
            style,
            ..Look::default()
        }
    }

    /// The same look with what the profile says of boards and pieces.
    pub fn with(mut self, profile: &Profile, viewer: &Viewer) -> Look {
        let facts = &profile.compiled.logic.words.facts;
        let mut owners: BTreeMap<String, BTreeSet<Option<usize>>> = BTreeMap::new();
        for board in &profile.boards.boards {
            let mut squares: BTreeMap<u32, Square> = BTreeMap::new();
            for piece in &board.pieces {
                for &(cell, fact) in &piece.facts {
                    let Some((square, thing)) = viewer.place(&facts[fact as usize]) else {
                        continue;
                    };
                    squares.insert(cell, square);
                    if let Some(thing) = thing {
                        let owner = piece.owner.map(|owner| owner.role.into());
                        owners.entry(thing).or_default().insert(owner);
                    }
                }
            }
            let Some(grid) = squares.values().next().map(|square| square.grid) else {
                continue;
            };
            // Rules that follow connections read distant cells together, too, but less often.
            let most = board
                .links
                .iter()
                .map(|link| link.reads)
                .fold(0.0, f64::max);
            let close = board
                .links
                .iter()
                .filter(|link| link.moves > 0 || 2.0 * link.reads >= most);
            let links = close.filter_map(|link| {
                let [from, to] = link.cells.map(|cell| squares.get(&cell).copied());
                Some((from?, to?))
            });
            self.layouts
                .resize(self.layouts.len().max(grid + 1), Layout::default());
            self.layouts[grid] = layout(links, squares.len());
        }
        // What several roles leave behind belongs to nobody.
        for (thing, owners) in owners {
            if let (1, Some(&Some(owner))) = (owners.len(), owners.first()) {
                self.owners.insert(thing, owner);
            }
        }
        self
    }

    /// How a grid is drawn.
    pub fn layout(&self, grid: usize) -> Layout {
        let found = self.layouts.get(grid).copied();
        self.style.layout.or(found).unwrap_or_default()
    }

    /// Whether the first row is on top.
    pub fn flipped(&self) -> bool {
        self.style.flip
    }

    /// A relation in words.
    pub fn word<'a>(&'a self, relation: &'a str) -> &'a str {
        self.style.words.get(relation).map_or(relation, |word| word)
    }

    /// What is drawn for a thing of a grid; `None` is an empty square, which is drawn only if the
    /// style file says so.
    pub fn thing(&self, grid: &Grid, thing: Option<&str>) -> Option<Drawn> {
        let wanted = self.style.pieces.get(thing.unwrap_or(""));
        let Some(name) = thing else {
            return wanted.map(|piece| drawn(piece, Shape::None, NOBODY.into(), String::new()));
        };
        let owner = self.owner(name);
        let short = grid.labels.get(name).cloned().unwrap_or(name.to_owned());
        let is_number = name.parse::<i64>().is_ok();
        let (alone, short) = match owner {
            Some(owner) => self.kind(grid, name, owner),
            None => (false, short),
        };
        let (shape, text) = match (owner, is_number) {
            (_, true) => (Shape::Tile, name.to_owned()),
            (Some(_), _) if alone => (Shape::Disc, String::new()),
            (Some(_), _) => (Shape::Disc, short),
            (None, _) if name == "#" => (Shape::Block, String::new()),
            (None, _) => (Shape::Tile, short),
        };
        let colour = owner.map_or(NOBODY, |role| colour(role, &self.roles[role]));
        let plain = Piece::default();
        Some(drawn(wanted.unwrap_or(&plain), shape, colour.into(), text))
    }

    /// Whether a thing is the only kind of its owner, and otherwise what it is called among them:
    /// as many first letters of its kind as tell it apart.
    fn kind(&self, grid: &Grid, thing: &str, owner: usize) -> (bool, String) {
        /// The most letters.
        const MOST: usize = 3;
        let kind = |thing: &str| -> String {
            let words = thing
                .split(' ')
                .filter(|word| self.roles[owner] != word.to_lowercase());
            let kind = words.collect::<Vec<_>>().join(" ");
            if kind.is_empty() {
                thing.to_owned()
            } else {
                kind
            }
        };
        let own = kind(thing);
        let names = grid.labels.keys();
        let others = names.filter(|other| *other != thing && self.owner(other) == Some(owner));
        let others: Vec<String> = others.map(|other| kind(other)).collect();
        let start = |name: &str, letters: usize| name.chars().take(letters).collect::<String>();
        let clear = |&letters: &usize| {
            let own = start(&own, letters);
            others.iter().all(|other| start(other, letters) != own)
        };
        let letters = (1..MOST).find(clear).unwrap_or(MOST);
        let mut short = start(&own, letters);
        if letters == 1 {
            short = short.to_uppercase();
        }
        (others.is_empty(), short)
    }

    /// The role that a thing belongs to: by what analysis saw, else by a word of its name.
    pub fn owner(&self, thing: &str) -> Option<usize> {
        let named = || {
            let name = thing.to_lowercase();
            let mut words = name.split([' ', '_', '-']);
            words.find_map(|word| self.roles.iter().position(|role| role == word))
        };
        self.owners.get(thing).copied().or_else(named)
    }
}

fn drawn(wanted: &Piece, shape: Shape, colour: String, text: String) -> Drawn {
    let fill = wanted.colour.clone().unwrap_or(colour);
    Drawn {
        shape: wanted.shape.unwrap_or(shape),
        colours: (fill.clone(), ink(&fill)),
        text: wanted.glyph.clone().unwrap_or(text),
    }
}

/// The colour of a role.
pub(crate) fn colour(role: usize, name: &str) -> &'static str {
    let name = name.to_lowercase();
    let named = NAMED.iter().find(|(word, _)| *word == name);
    named.map_or(ROLES[role % ROLES.len()], |(_, colour)| colour)
}

/// Black or white, whichever is read better on a colour.
fn ink(fill: &str) -> &'static str {
    let digits: Vec<u32> = fill.chars().filter_map(|c| c.to_digit(16)).collect();
    let [r, g, b] = match digits[..] {
        [r, g, b] => [r * 17, g * 17, b * 17],
        [r, _, g, _, b, _] => [r * 16, g * 16, b * 16],
        _ => return "#000",
    };
    match 299 * r + 587 * g + 114 * b > 128_000 {
        true => "#1a1a1a",
        false => "#ffffff",
    }
}

/// Hexagons if squares touch along both sides and along one of the diagonals, and never along the
/// other.
fn layout(links: impl Iterator<Item = (Square, Square)>, squares: usize) -> Layout {
    let mut steps = [0_usize; 4];
    for (from, to) in links {
        let (dx, dy) = (to.x as i64 - from.x as i64, to.y as i64 - from.y as i64);
        let step = match (dx, dy) {
            (1 | -1, 0) => 0,
            (0, 1 | -1) => 1,
            (1, 1) | (-1, -1) => 2,
            (1, -1) | (-1, 1) => 3,
            _ => continue,
        };
        steps[step] += 1;
    }
    let many = |count: usize| 2 * count > squares;
    let few = |count: usize| 20 * count < squares;
    match steps {
        [a, b, c, d] if many(a) && many(b) && many(c) && few(d) => Layout::Hexes,
        [a, b, c, d] if many(a) && many(b) && few(c) && many(d) => Layout::HexesLeft,
        _ => Layout::Squares,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: usize, y: usize) -> Square {
        Square {
            grid: 0,
            board: 0,
            x,
            y,
        }
    }

    #[test]
    fn six_neighbours_are_hexagons() {
        let links = |diagonals: &[(usize, usize, usize, usize)]| {
            let mut links = Vec::new();
            for (x, y) in (0..4).flat_map(|x| (0..4).map(move |y| (x, y))) {
                links.push((square(x, y), square(x + 1, y)));
                links.push((square(x, y), square(x, y + 1)));
                for &(ax, ay, bx, by) in diagonals {
                    links.push((square(x + ax, y + ay), square(x + bx, y + by)));
                }
            }
            layout(links.into_iter(), 25)
        };
        assert_eq!(links(&[]), Layout::Squares);
        assert_eq!(links(&[(0, 0, 1, 1)]), Layout::Hexes);
        assert_eq!(links(&[(1, 0, 0, 1)]), Layout::HexesLeft);
        assert_eq!(links(&[(0, 0, 1, 1), (1, 0, 0, 1)]), Layout::Squares);
    }

    #[test]
    fn ink_is_read_on_every_role() {
        assert_eq!(ink(colour(0, "x")), "#1a1a1a");
        assert_eq!(ink(colour(0, "Black")), "#ffffff");
        assert_eq!(colour(9, "o"), ROLES[1]);
        assert_eq!(
            (ink("#fff"), ink("#000"), ink("odd")),
            ("#1a1a1a", "#ffffff", "#000")
        );
    }
}
