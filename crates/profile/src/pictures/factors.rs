//! Pictures of the factors of a game.

use super::layout::layout;
use super::svg::{COLOURS, Svg};

/// A factor of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactorNode {
    /// Its name.
    pub name: String,
    /// The number of its facts.
    pub facts: usize,
    /// The number of its moves.
    pub moves: usize,
}

/// A connection between two factors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactorLink {
    /// The factors, by their position.
    pub between: [usize; 2],
    /// The facts that they share, as a label.
    pub label: String,
}

/// The radius of the largest circle.
const RADIUS: f64 = 44.0;

/// Draws factors as circles, with areas by their numbers of facts and moves, and links as lines.
/// Omits links to factors that do not exist.
pub fn factors(title: &str, nodes: &[FactorNode], links: &[FactorLink]) -> String {
    let mut svg = Svg::new(title);
    let inside = |link: &&FactorLink| link.between.iter().all(|&end| end < nodes.len());
    let links: Vec<&FactorLink> = links.iter().filter(inside).collect();
    let edges: Vec<[usize; 2]> = links.iter().map(|link| link.between).collect();
    let side = 150.0 * (nodes.len() as f64).sqrt().max(1.0);
    let (left, top) = (2.0 * RADIUS, 50.0 + 1.5 * RADIUS);
    let places = layout(nodes.len(), &edges).into_iter();
    let mut places: Vec<[f64; 2]> = places
        .map(|[x, y]| [left + side * x, top + side * y])
        .collect();
    if let [only] = &mut places[..] {
        *only = [left, top];
    }
    let size = |node: &FactorNode| (node.facts + node.moves) as f64;
    let largest = nodes.iter().map(size).fold(1.0, f64::max);
    for link in links {
        let ends = link.between.map(|end| places[end]);
        svg.line(ends, "#999", 1.5);
        let middle = [
            (ends[0][0] + ends[1][0]) / 2.0,
            (ends[0][1] + ends[1][1]) / 2.0 - 4.0,
        ];
        svg.text(middle, "middle", 10, "#555", &link.label);
    }
    for (at, (node, &[x, y])) in nodes.iter().zip(&places).enumerate() {
        let radius = (RADIUS * (size(node) / largest).sqrt()).max(8.0);
        svg.circle([x, y], radius, COLOURS[at % (COLOURS.len() - 1)]);
        svg.text([x, y - radius - 6.0], "middle", 12, "#000", &node.name);
        let counts = format!("{} facts, {} moves", node.facts, node.moves);
        svg.text([x, y + radius + 14.0], "middle", 10, "#000", &counts);
    }
    svg.finish()
}
