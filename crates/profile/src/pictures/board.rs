//! Pictures of boards: their initial contents, and distances of cells from a condition.

use super::layout::layout;
use super::svg::{COLOURS, Svg};
use analysis::boards::{Board, Order, Piece};
use analysis::distances::{Condition, Distances, FAR, NEVER, Origin};
use propnet::Vocabulary;
use std::collections::{BTreeMap, BTreeSet};

/// The side of a cell.
const CELL: f64 = 32.0;
/// The space around a board.
const MARGIN: f64 = 36.0;
/// The maximum width of boards drawn side by side.
const WIDE: f64 = 960.0;

/// The positions at which the cells of a board are drawn.
struct Plan {
    places: Vec<[f64; 2]>,
    /// The width and the height of one board.
    size: [f64; 2],
    /// For each board as drawn: its position and its name.
    boards: Vec<([f64; 2], String)>,
    /// Whether cells touch their neighbours, so that no lines are needed between them.
    grid: bool,
}

impl Plan {
    /// The last two axes are drawn to the right and upwards. The axes before them, and several
    /// boards of the same kind, give boards side by side. A board without order is drawn as a
    /// graph.
    fn new(board: &Board) -> Plan {
        let axes = board.axes.len();
        let (across, up) = match axes {
            0 | 1 => (0, None),
            _ => (axes - 2, Some(axes - 1)),
        };
        let unordered = board.axes.iter().all(|axis| axis.order == Order::None);
        if axes < 2 && unordered {
            return Plan::graph(board);
        }
        let length = |axis: usize| board.axes[axis].values.len() as f64;
        let size = [CELL * length(across), CELL * up.map_or(1.0, length)];
        let key = |cell: &analysis::boards::Cell| (cell.grid, cell.at[..across].to_vec());
        let keys: BTreeSet<_> = board.cells.iter().map(key).collect();
        // A square of boards if they make one, otherwise as many side by side as there is space
        // for.
        let room = ((WIDE / (size[0] + MARGIN)) as usize).max(1);
        let root = (1..=keys.len()).find(|n| n * n >= keys.len()).unwrap_or(1);
        let beside = if root * root == keys.len() {
            root.min(room)
        } else {
            room
        };
        let mut begins = BTreeMap::new();
        let mut boards = Vec::new();
        for (at, key) in keys.into_iter().enumerate() {
            let (column, row) = ((at % beside) as f64, (at / beside) as f64);
            let begin = [
                MARGIN + column * (size[0] + MARGIN),
                2.0 * MARGIN + row * (size[1] + MARGIN + 16.0),
            ];
            let grid = board.grids.get(key.0 as usize).into_iter().flatten();
            let values = key.1.iter().zip(&board.axes);
            let values = values.map(|(&at, axis)| &axis.values[at as usize]);
            let name: Vec<&str> = grid.chain(values).map(|word| &**word).collect();
            boards.push((begin, name.join(" ")));
            begins.insert(key, begin);
        }
        let place = |cell: &analysis::boards::Cell| {
            let begin = begins[&key(cell)];
            let row = up.map_or(0.5, |up| length(up) - f64::from(cell.at[up]) - 0.5);
            [
                begin[0] + CELL * (f64::from(cell.at[across]) + 0.5),
                begin[1] + CELL * row,
            ]
        };
        Plan {
            places: board.cells.iter().map(place).collect(),
            size,
            boards,
            grid: true,
        }
    }

    fn graph(board: &Board) -> Plan {
        let edges: Vec<[usize; 2]> = board
            .ways()
            .map(|link| link.cells.map(|cell| cell as usize))
            .collect();
        let side = 1.8 * CELL * (board.cells.len() as f64).sqrt().max(1.0);
        let begin = [MARGIN, 2.0 * MARGIN];
        let places = layout(board.cells.len(), &edges).into_iter();
        let places = places.map(|[x, y]| [begin[0] + side * x, begin[1] + side * y]);
        Plan {
            places: places.collect(),
            size: [side; 2],
            boards: vec![(begin, String::new())],
            grid: false,
        }
    }

    /// Draws cells in their colours, lines between cells that do not touch, and the names of
    /// axes.
    fn draw(&self, svg: &mut Svg, board: &Board, fill: impl Fn(usize) -> String) {
        if !self.grid {
            for link in board.ways() {
                svg.line(
                    link.cells.map(|cell| self.places[cell as usize]),
                    "#bbb",
                    1.0,
                );
            }
        }
        for (cell, &place) in self.places.iter().enumerate() {
            svg.square(
                place,
                if self.grid { CELL } else { 0.8 * CELL },
                &fill(cell),
            );
        }
        for (begin, name) in &self.boards {
            let base = begin[1] + self.size[1] + 12.0;
            if !name.is_empty() {
                svg.text([begin[0], begin[1] - 6.0], "start", 10, "#000", name);
            }
            if !self.grid {
                continue;
            }
            let axes = board.axes.len();
            for (at, value) in board.axes[axes.saturating_sub(2)].values.iter().enumerate() {
                let x = begin[0] + CELL * (at as f64 + 0.5);
                svg.text([x, base], "middle", 9, "#555", &short(value, 5));
            }
            if axes > 1 {
                let values = &board.axes[axes - 1].values;
                for (at, value) in values.iter().rev().enumerate() {
                    let y = begin[1] + CELL * (at as f64 + 0.5) + 3.0;
                    svg.text([begin[0] - 4.0, y], "end", 9, "#555", &short(value, 5));
                }
            }
        }
    }

    /// The vertical position below all boards.
    fn below(&self) -> f64 {
        let boards = self.boards.iter().map(|(begin, _)| begin[1]);
        boards.fold(0.0, f64::max) + self.size[1] + MARGIN
    }
}

fn short(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// Draws a board with its initial contents: pieces in the colours of their owners with their
/// first letters, and a legend.
pub fn board(title: &str, board: &Board, words: &Vocabulary) -> String {
    let mut svg = Svg::new(title);
    let plan = Plan::new(board);
    plan.draw(&mut svg, board, |_| "#f4efe6".to_string());
    let labels = labels(board);
    let mut lying = BTreeMap::new();
    for (number, piece) in board
        .pieces
        .iter()
        .enumerate()
        .filter(|(_, piece)| !piece.blank)
    {
        for &(cell, fact) in &piece.facts {
            if words.initial.binary_search(&fact).is_ok() {
                let here = lying.entry(cell).or_insert_with(Vec::new);
                here.push(number);
            }
        }
    }
    for (cell, pieces) in lying {
        let [x, y] = plan.places[cell as usize];
        for (at, number) in pieces.into_iter().enumerate() {
            // Several layers of a board may have a piece in the same cell; draw smaller ones on
            // top.
            let radius = CELL * 0.4 / (at + 1) as f64;
            svg.circle([x, y], radius, colour(&board.pieces[number]));
            svg.text([x, y + 4.0], "middle", 11, "#fff", &labels[number]);
        }
    }
    legend(&mut svg, &plan, board, &labels, words);
    svg.finish()
}

fn colour(piece: &Piece) -> &'static str {
    match piece.owner {
        Some(owner) => COLOURS[usize::from(owner.role) % (COLOURS.len() - 1)],
        None => "#777",
    }
}

/// The name of a piece without its owner, or the whole name if there is nothing else.
fn name(board: &Board, piece: &Piece) -> String {
    let layer = &board.layers[piece.layer];
    let words = piece.content.iter().zip(&layer.content);
    let kind: Vec<&str> = words
        .filter(|(_, position)| Some(**position) != layer.owner)
        .map(|(word, _)| &**word)
        .collect();
    match kind.is_empty() {
        true => piece
            .content
            .iter()
            .map(|word| &**word)
            .collect::<Vec<_>>()
            .join(" "),
        false => kind.join(" "),
    }
}

/// A label for each name: its first letter, or more letters if several names begin alike.
fn labels(board: &Board) -> Vec<String> {
    let names: Vec<String> = board
        .pieces
        .iter()
        .map(|piece| name(board, piece))
        .collect();
    let all: BTreeSet<&String> = names.iter().collect();
    let label = |name: &String| {
        let alone = |&count: &usize| {
            all.iter()
                .filter(|other| short(other, count) == short(name, count))
                .count()
                == 1
        };
        short(name, (1..3).find(alone).unwrap_or(3))
    };
    names.iter().map(label).collect()
}

/// Draws the meaning of letters and colours.
fn legend(svg: &mut Svg, plan: &Plan, board: &Board, labels: &[String], words: &Vocabulary) {
    const MOST: usize = 40;
    let shown = board
        .pieces
        .iter()
        .zip(labels)
        .filter(|(piece, _)| !piece.blank);
    for (at, (piece, label)) in shown.take(MOST).enumerate() {
        let y = plan.below() + 20.0 * at as f64;
        svg.circle([MARGIN, y], 8.0, colour(piece));
        svg.text([MARGIN, y + 4.0], "middle", 9, "#fff", label);
        let owner = piece
            .owner
            .and_then(|owner| words.roles.get(usize::from(owner.role)));
        let owner = owner.map_or_else(String::new, |role| format!(", of {role}"));
        let name: Vec<&str> = piece.content.iter().map(|word| &**word).collect();
        let name = match name.is_empty() {
            true => board.layers[piece.layer].shape.clone(),
            false => name.join(" "),
        };
        svg.text(
            [MARGIN + 14.0, y + 4.0],
            "start",
            11,
            "#000",
            &format!("{name}{owner}"),
        );
    }
}

/// For each cell, the number of transitions between `wanted` and the piece being there, as
/// [`Distances`] gives it for the fact. `None` if the fact never matters or does not exist.
///
/// If some disjuncts of `wanted` read the piece itself, only those count. That the opponent has
/// nothing left is also a win, but does not depend on where one's own pieces are.
pub fn near(
    board: &Board,
    piece: &Piece,
    distances: &Distances,
    wanted: Condition,
) -> Vec<Option<u8>> {
    let ways = distances.disjuncts().enumerate();
    let ways = ways.filter(|(_, disjunct)| disjunct.of == wanted);
    let ways = ways.map(|(way, _)| Origin::Disjunct(way));
    let asks = |way: &Origin| {
        let reads = distances.reads(*way).unwrap_or_default();
        piece
            .facts
            .iter()
            .any(|(_, fact)| reads.binary_search(fact).is_ok())
    };
    let mut from: Vec<Origin> = ways.filter(asks).collect();
    if from.is_empty() {
        from.push(Origin::Condition(wanted));
    }
    let mut near = vec![NEVER; board.cells.len()];
    let mut row = Vec::new();
    for from in from {
        if distances.row(from, &mut row).is_some() {
            for &(cell, fact) in &piece.facts {
                let distance = row.get(fact as usize).copied().unwrap_or(NEVER);
                let least = &mut near[cell as usize];
                *least = distance.min(*least);
            }
        }
    }
    let known = |distance: u8| (distance != NEVER).then_some(distance);
    near.into_iter().map(known).collect()
}

/// Draws a board with a number in each cell, in colours from dark for the least to light.
pub fn heat(title: &str, board: &Board, values: &[Option<u8>]) -> String {
    let mut svg = Svg::new(title);
    let plan = Plan::new(board);
    let value = |cell: usize| values.get(cell).copied().flatten();
    let known = || {
        values
            .iter()
            .flatten()
            .copied()
            .filter(|&value| value < FAR)
    };
    let (low, high) = (known().min().unwrap_or(0), known().max().unwrap_or(0));
    let part = |value: u8| match high > low {
        true => f64::from(value.min(high) - low) / f64::from(high - low),
        false => 0.0,
    };
    plan.draw(&mut svg, board, |cell| match value(cell) {
        None => "#eee".to_string(),
        Some(value) => {
            // From dark red to pale yellow.
            let mix = |from: f64, to: f64| (from + (to - from) * part(value)).round() as u8;
            let [r, g, b] = [mix(177.0, 255.0), mix(0.0, 250.0), mix(38.0, 205.0)];
            format!("#{r:02x}{g:02x}{b:02x}")
        }
    });
    for (cell, &[x, y]) in plan.places.iter().enumerate() {
        if let Some(value) = value(cell) {
            let colour = if part(value) < 0.5 { "#fff" } else { "#000" };
            let text = match value {
                FAR => "far".to_string(),
                value => value.to_string(),
            };
            svg.text([x, y + 4.0], "middle", 11, colour, &text);
        }
    }
    svg.finish()
}

/// Draws a board with a value in each cell: blue where it is good, orange where it is bad, the
/// paler the nearer to 0.
pub fn values(title: &str, board: &Board, values: &[Option<f64>]) -> String {
    let mut svg = Svg::new(title);
    let plan = Plan::new(board);
    let known = values.iter().flatten();
    let most = known.fold(0.0, |most: f64, value| most.max(value.abs()));
    let value = |cell: usize| values.get(cell).copied().flatten();
    // The part of the strongest colour, with its sign.
    let part = |value: f64| if most > 0.0 { value / most } else { 0.0 };
    plan.draw(&mut svg, board, |cell| match value(cell) {
        None => "#eee".to_string(),
        Some(value) => {
            let strong = match value >= 0.0 {
                true => [0.0, 114.0, 178.0],
                false => [213.0, 94.0, 0.0],
            };
            let share = part(value).abs();
            let [r, g, b] = strong.map(|to: f64| (255.0 + (to - 255.0) * share).round() as u8);
            format!("#{r:02x}{g:02x}{b:02x}")
        }
    });
    for (cell, &[x, y]) in plan.places.iter().enumerate() {
        if let Some(value) = value(cell) {
            let colour = if part(value).abs() > 0.6 {
                "#fff"
            } else {
                "#000"
            };
            svg.text([x, y + 4.0], "middle", 10, colour, &figure(value));
        }
    }
    svg.finish()
}

/// A value in at most four characters where it is small.
fn figure(value: f64) -> String {
    match value.abs() {
        size if size < 9.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}
