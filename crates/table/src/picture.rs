//! Boards as SVG.

use crate::clicks::{changed, moved};
use crate::look::{Drawn, Look};
use crate::style::{Layout, Shape};
use maud::{Markup, PreEscaped, html};
use show::{Grid, Scene, Square};

/// The side of a square, in units of the picture.
const CELL: f64 = 40.0;
/// The room for names along the sides of a board.
const MARGIN: f64 = 24.0;
/// The room above a board that has a name.
const TITLE: f64 = 22.0;
/// The longest name that is written along a side.
const LONGEST: usize = 4;

/// All boards of a scene, one picture for each kind. What differs from the scene `before` is set
/// off, and an arrow shows what moved.
pub(crate) fn boards(scene: &Scene, before: Option<&Scene>, look: &Look) -> Markup {
    let new = before.map_or_else(Vec::new, |before| changed(before, scene));
    let arrow = before.and_then(|before| moved(before, scene));
    html! {
        @for (number, grid) in scene.grids.iter().enumerate() {
            (board(&Plan::new(number, grid, look), &new, arrow))
        }
    }
}

/// Where the squares of a grid are in its picture.
struct Plan<'a> {
    number: usize,
    grid: &'a Grid,
    look: &'a Look,
    layout: Layout,
    /// The boards in a row.
    across: usize,
}

impl<'a> Plan<'a> {
    fn new(number: usize, grid: &'a Grid, look: &'a Look) -> Plan<'a> {
        let boards = grid.names.len();
        let root = (1..=boards).find(|n| n * n >= boards).unwrap_or(1);
        Plan {
            number,
            grid,
            look,
            layout: look.layout(number),
            across: root,
        }
    }

    fn columns(&self) -> f64 {
        self.grid.sides[0].len() as f64
    }

    fn rows(&self) -> f64 {
        self.grid.sides[1].len() as f64
    }

    fn hexes(&self) -> bool {
        matches!(self.layout, Layout::Hexes | Layout::HexesLeft)
    }

    /// The distance between rows.
    fn step(&self) -> f64 {
        match self.hexes() {
            true => CELL * 0.866,
            false => CELL,
        }
    }

    /// The size of one board with its names.
    fn size(&self) -> (f64, f64) {
        let slant = if self.hexes() { self.rows() / 2.0 } else { 0.0 };
        let title = if self.grid.names.len() > 1 {
            TITLE
        } else {
            0.0
        };
        (
            (self.columns() + slant) * CELL + MARGIN + 6.0,
            self.rows() * self.step() + MARGIN + title + 10.0,
        )
    }

    /// The upper left corner of a board.
    fn corner(&self, board: usize) -> (f64, f64) {
        let (width, height) = self.size();
        let (column, row) = (board % self.across, board / self.across);
        (column as f64 * width, row as f64 * height)
    }

    /// The row from above in which squares of this height are drawn.
    fn row(&self, y: usize) -> f64 {
        match self.look.flipped() {
            true => y as f64,
            false => self.rows() - 1.0 - y as f64,
        }
    }

    /// The centre of a square.
    fn centre(&self, square: &Square) -> (f64, f64) {
        let (left, top) = self.corner(square.board);
        let title = if self.grid.names.len() > 1 {
            TITLE
        } else {
            0.0
        };
        let rows = self.rows() - 1.0;
        let slant = match self.layout {
            Layout::Hexes => (rows - square.y as f64) / 2.0,
            Layout::HexesLeft => square.y as f64 / 2.0,
            _ => 0.0,
        };
        (
            left + MARGIN + (square.x as f64 + 0.5 + slant) * CELL,
            top + title
                + 4.0
                + (self.row(square.y) + 0.5) * self.step()
                + if self.hexes() { 3.0 } else { 0.0 },
        )
    }

    /// All places of a board that are squares.
    fn squares(&self) -> impl Iterator<Item = Square> + '_ {
        let boards = 0..self.grid.names.len();
        let all = boards.flat_map(move |board| {
            (0..self.grid.sides[1].len()).flat_map(move |y| {
                (0..self.grid.sides[0].len()).map(move |x| Square {
                    grid: self.number,
                    board,
                    x,
                    y,
                })
            })
        });
        all.filter(|square| !self.grid.marked || self.grid.things.contains_key(square))
    }

    /// A square in words: `b 3: white king`.
    fn words(&self, square: &Square) -> String {
        let [across, up] = &self.grid.sides;
        let mut name = self.grid.names[square.board].join(" ");
        if !name.is_empty() {
            name.push(' ');
        }
        let thing = self.grid.things.get(square).and_then(Option::as_deref);
        let thing = thing.unwrap_or("empty");
        format!("{name}{} {}: {thing}", across[square.x], up[square.y])
    }
}

/// The address of a square in the page.
pub(crate) fn address(square: &Square) -> String {
    format!("{}.{}.{}.{}", square.grid, square.board, square.x, square.y)
}

fn board(plan: &Plan<'_>, new: &[Square], arrow: Option<(Square, Square)>) -> Markup {
    let (width, height) = plan.size();
    let boards = plan.grid.names.len();
    let (width, height) = (
        width * plan.across.min(boards) as f64,
        height * boards.div_ceil(plan.across) as f64,
    );
    let mine = |square: &Square| square.grid == plan.number;
    html! {
        svg class="board" xmlns="http://www.w3.org/2000/svg" role="group"
            aria-label=(format!("board {}", plan.number + 1))
            viewBox=(format!("0 0 {width:.0} {height:.0}"))
            data-width=(format!("{width:.0}")) font-family="system-ui, sans-serif" {
            @for (number, name) in plan.grid.names.iter().enumerate() {
                (names(plan, number, &name.join(" ")))
            }
            @for square in plan.squares() {
                (field(plan, &square, new.contains(&square)))
            }
            @if let Some((from, to)) = arrow.filter(|(from, to)| mine(from) && mine(to)) {
                (line(plan.centre(&from), plan.centre(&to)))
            }
        }
    }
}

/// The name of a board, and those along its sides.
fn names(plan: &Plan<'_>, board: usize, name: &str) -> Markup {
    let (left, top) = plan.corner(board);
    let (_, height) = plan.size();
    let [across, up] = &plan.grid.sides;
    let shown = |name: &String| name.chars().count() <= LONGEST;
    let square = |x: usize, y: usize| Square {
        grid: plan.number,
        board,
        x,
        y,
    };
    // The names below stand under the lowest row.
    let lowest = if plan.look.flipped() { up.len() - 1 } else { 0 };
    html! {
        @if !name.is_empty() {
            text x=(left + MARGIN) y=(top + 15.0) font-size="13" font-weight="600" fill="#8a7a5c" { (name) }
        }
        @for (x, name) in across.iter().enumerate().filter(|(_, name)| shown(name)) {
            text x=(plan.centre(&square(x, lowest)).0) y=(top + height - 10.0) font-size="12"
                text-anchor="middle" fill="#8a7a5c" { (name) }
        }
        @for (y, name) in up.iter().enumerate().filter(|(_, name)| shown(name)) {
            text x=(plan.centre(&square(0, y)).0 - CELL / 2.0 - 6.0)
                y=(plan.centre(&square(0, y)).1 + 4.0) font-size="12"
                text-anchor="end" fill="#8a7a5c" { (name) }
        }
    }
}

/// A square with what is on it.
fn field(plan: &Plan<'_>, square: &Square, is_new: bool) -> Markup {
    let (x, y) = plan.centre(square);
    let half = CELL / 2.0;
    let thing = plan.grid.things.get(square).and_then(Option::as_deref);
    let drawn = plan.look.thing(plan.grid, thing);
    let fill = match plan.layout {
        Layout::Chequered if (square.x + square.y).is_multiple_of(2) => "#b58f63",
        Layout::Chequered => "#eddcbb",
        Layout::Points => "#dcb877",
        _ => "#ecdfc3",
    };
    let class = if is_new { "square new" } else { "square" };
    html! {
        g class=(class) data-square=(address(square)) aria-label=(plan.words(square)) {
            @if plan.hexes() {
                polygon points=(hexagon(x, y)) fill=(fill) stroke="#a98c5e" {}
            } @else if plan.layout == Layout::Points {
                rect x=(x - half) y=(y - half) width=(CELL) height=(CELL) fill=(fill) {}
                (crossing(plan, square, x, y))
            } @else {
                rect x=(x - half) y=(y - half) width=(CELL) height=(CELL) fill=(fill) stroke="#a98c5e" stroke-width="0.8" {}
            }
            @if is_new {
                @if plan.hexes() {
                    polygon points=(hexagon(x, y)) fill="#f6c445" fill-opacity="0.55" {}
                } @else {
                    rect x=(x - half) y=(y - half) width=(CELL) height=(CELL) fill="#f6c445" fill-opacity="0.55" {}
                }
            }
            @if let Some(drawn) = &drawn { (piece(drawn, x, y)) }
        }
    }
}

/// The lines of a point, which end at the edge of the board.
fn crossing(plan: &Plan<'_>, square: &Square, x: f64, y: f64) -> Markup {
    let half = CELL / 2.0;
    let row = plan.row(square.y);
    let reach = |at_edge: bool| if at_edge { 0.0 } else { half };
    let (left, right) = (
        x - reach(square.x == 0),
        x + reach(square.x + 1 == plan.grid.sides[0].len()),
    );
    let (above, below) = (y - reach(row == 0.0), y + reach(row == plan.rows() - 1.0));
    html! {
        path d=(format!("M{left:.0} {y:.0}H{right:.0}M{x:.0} {above:.0}V{below:.0}")) stroke="#7a5c2e" fill="none" {}
    }
}

fn piece(drawn: &Drawn, x: f64, y: f64) -> Markup {
    let (fill, ink) = &drawn.colours;
    let half = CELL / 2.0;
    let length = drawn.text.chars().count();
    let bare = drawn.shape == Shape::None;
    let size = match (length, bare) {
        (0 | 1, true) => 30.0,
        (2, true) => 22.0,
        (0 | 1, false) => 19.0,
        (2, false) => 15.0,
        (3, _) => 12.0,
        _ => 9.0,
    };
    let text: String = drawn.text.chars().take(7).collect();
    let ink = if bare { fill.as_str() } else { ink };
    html! {
        @match drawn.shape {
            Shape::Disc => circle cx=(x) cy=(y) r=(half * 0.76) fill=(fill) stroke="#00000088" stroke-width="1.2" {}
            Shape::Tile => rect x=(x - half * 0.78) y=(y - half * 0.78) width=(CELL * 0.78) height=(CELL * 0.78) rx="5" fill=(fill) stroke="#00000055" {}
            Shape::Block => rect x=(x - half) y=(y - half) width=(CELL) height=(CELL) fill="#5b5348" {}
            Shape::None => {}
        }
        @if !text.is_empty() {
            text x=(x) y=(format!("{:.1}", y + size * 0.36)) font-size=(size) text-anchor="middle"
                font-weight="600" fill=(ink) stroke=[bare.then_some("#00000066")]
                stroke-width=[bare.then_some("0.6")] { (text) }
        }
    }
}

fn hexagon(x: f64, y: f64) -> String {
    let (wide, high) = (CELL / 2.0, CELL * 0.5774);
    let corners = [
        (0.0, -1.0),
        (1.0, -0.5),
        (1.0, 0.5),
        (0.0, 1.0),
        (-1.0, 0.5),
        (-1.0, -0.5),
    ];
    let corner = |(dx, dy): (f64, f64)| format!("{:.1},{:.1}", x + dx * wide, y + dy * high);
    corners.map(corner).join(" ")
}

/// An arrow from one point to another, which leaves the pieces visible.
fn line(from: (f64, f64), to: (f64, f64)) -> Markup {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let tip = (to.0 - ux * 12.0, to.1 - uy * 12.0);
    let base = (tip.0 - ux * 9.0, tip.1 - uy * 9.0);
    let head = format!(
        "{:.1},{:.1} {:.1},{:.1} {:.1},{:.1}",
        tip.0,
        tip.1,
        base.0 - uy * 5.0,
        base.1 + ux * 5.0,
        base.0 + uy * 5.0,
        base.1 - ux * 5.0
    );
    html! {
        g class="arrow" opacity="0.75" pointer-events="none" {
            line x1=(format!("{:.1}", from.0)) y1=(format!("{:.1}", from.1))
                x2=(format!("{:.1}", base.0)) y2=(format!("{:.1}", base.1))
                stroke="#c2571a" stroke-width="4" stroke-linecap="round" {}
            polygon points=(head) fill="#c2571a" {}
        }
    }
}

/// The facts that are on no board. Those that did not hold before are set off.
pub(crate) fn facts(scene: &Scene, before: Option<&Scene>, look: &Look) -> Markup {
    /// The most facts of a relation that are shown at once; the others open on demand.
    const SHOWN: usize = 40;
    let is_new = |relation: &str, fact: &str| {
        before.is_some_and(|before| {
            let list = before.lists.iter().find(|list| list.relation == relation);
            list.is_none_or(|list| !list.facts.iter().any(|other| other == fact))
        })
    };
    let item = |relation: &str, fact: &String| -> Markup {
        let text = if fact.is_empty() { "✓" } else { fact };
        html! {
            @if is_new(relation, fact) { mark { (text) } } @else { span { (text) } }
            " "
        }
    };
    html! {
        @if !scene.lists.is_empty() {
            dl class="facts" {
                @for list in &scene.lists {
                    dt { (look.word(&list.relation)) }
                    dd {
                        @for fact in list.facts.iter().take(SHOWN) { (item(&list.relation, fact)) }
                        @if list.facts.len() > SHOWN {
                            details {
                                summary { "and " (list.facts.len() - SHOWN) " more" }
                                @for fact in list.facts.iter().skip(SHOWN) { (item(&list.relation, fact)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A scene as a picture of its own, with the facts that are on no board below.
pub(crate) fn alone(scene: &Scene, before: Option<&Scene>, look: &Look) -> String {
    let new = before.map_or_else(Vec::new, |before| changed(before, scene));
    let arrow = before.and_then(|before| moved(before, scene));
    let (mut body, mut top, mut wide) = (String::new(), 0.0, 320.0_f64);
    for (number, grid) in scene.grids.iter().enumerate() {
        let plan = Plan::new(number, grid, look);
        let (width, height) = plan.size();
        let boards = grid.names.len();
        let width = width * plan.across.min(boards) as f64;
        let height = height * boards.div_ceil(plan.across) as f64;
        let picture = board(&plan, &new, arrow).into_string();
        let sized = format!("<svg y=\"{top:.0}\" width=\"{width:.0}\" height=\"{height:.0}\"");
        body += &picture.replacen("<svg", &sized, 1);
        top += height;
        wide = wide.max(width);
    }
    for list in &scene.lists {
        top += 18.0;
        let facts: String = list.facts.join(", ").chars().take(90).collect();
        let text = html! {
            text x="8" y=(top) font-size="12" font-family="system-ui, sans-serif" fill="#333" {
                (look.word(&list.relation)) " " (facts)
            }
        };
        body += &text.into_string();
    }
    let (wide, top) = (wide.max(1.0), top + 12.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide:.0} {top:.0}\" \
         width=\"{wide:.0}\" height=\"{top:.0}\">{}{body}</svg>\n",
        "<rect width=\"100%\" height=\"100%\" fill=\"#fffdf8\"/>"
    )
}

/// A picture that was made elsewhere in this program, as part of a page.
pub(crate) fn made(svg: &str) -> Markup {
    PreEscaped(svg.to_owned())
}
