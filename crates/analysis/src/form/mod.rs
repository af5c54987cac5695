//! The form of a game: what it is, whatever its names and the order of its rules.
//!
//! The logic is written again with gates of any width, as a graph. Its vertices are put into
//! cells, and a cell is split where its vertices have different edges to another one (Weisfeiler
//! and Leman, "The reduction of a graph to canonical form", 1968). Vertices that are still
//! together, such as the squares of a board that mirrors exchange, are told apart by picking one
//! of them, and splitting goes on (McKay and Piperno, "Practical graph isomorphism, II", 2014).
//! In the end every vertex has a number of its own, and a hash of the graph with these numbers is
//! its certificate.
//!
//! Games with equal certificates are equal, and the numbers say which fact is which. The other
//! direction is not certain: of a cell, only the choices that look best one step ahead are told
//! from the others. Where that fails, a game is taken for a new one, and nothing worse.

mod graph;
mod partition;
mod wide;

use budget::{Budget, Exhausted};
use graph::Graph;
use netlist::GameLogic;
use partition::{Partition, Scratch};
use wide::Wide;

/// Vertices of partitions that are compared in all when vertices of a cell are told apart. Beyond
/// that, the first one is picked.
const LOOKS: usize = 1 << 25;

/// The form of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// A number that identifies the game.
    pub certificate: u64,
    /// For each fact its number in the canonical order of facts.
    pub facts: Vec<u32>,
    /// For each role and each of its moves the number of the move in the canonical order of that
    /// role's moves.
    pub moves: Vec<Vec<u32>>,
}

/// The form of a game; `None` if its gates become too wide.
///
/// Roles are distinguished by their order, moves and facts only by their use in the rules.
///
/// # Errors
/// If the budget runs out.
pub fn form(logic: &GameLogic, budget: &Budget) -> Result<Option<Form>, Exhausted> {
    let mut wide = Wide::default();
    if !wide.read(logic, budget)? {
        return Ok(None);
    }
    wide.finish(logic);
    let graph = wide.graph(logic);
    drop(wide);
    let partition = numbered(&graph, budget)?;
    let places = partition.places();
    Ok(Some(Form {
        certificate: graph.hash(partition.order(), places),
        facts: ranks(&graph.facts, places),
        moves: graph
            .moves
            .iter()
            .map(|moves| ranks(moves, places))
            .collect(),
    }))
}

/// A partition in which every vertex is alone.
fn numbered(graph: &Graph, budget: &Budget) -> Result<Partition, Exhausted> {
    // Two partitions, and the scratch space of one.
    budget.check_memory(graph.bytes() + 64 * graph.len())?;
    let mut scratch = Scratch::new(graph);
    let mut partition = Partition::new(graph, &mut scratch);
    let (mut from, mut looks) = (0, 0);
    while let Some(tie) = partition.tie(from) {
        from = tie;
        looks += partition.members(tie).len() * graph.len();
        partition = match looks <= LOOKS {
            true => best(&partition, tie, graph, &mut scratch, budget)?,
            false => {
                budget.check()?;
                let first = partition.members(tie)[0];
                partition.individualise(first, graph, &mut scratch);
                partition
            }
        };
    }
    Ok(partition)
}

/// The partition after picking a vertex of a cell: one of those that look least.
fn best(
    partition: &Partition,
    cell: usize,
    graph: &Graph,
    scratch: &mut Scratch,
    budget: &Budget,
) -> Result<Partition, Exhausted> {
    let mut best: Option<Partition> = None;
    for &vertex in partition.members(cell) {
        budget.check()?;
        let mut next = partition.clone();
        next.individualise(vertex, graph, scratch);
        if best.as_ref().is_none_or(|best| next.trace() < best.trace()) {
            best = Some(next);
        }
    }
    Ok(best.unwrap_or_else(|| partition.clone()))
}

/// For each vertex its position among these, by their numbers.
fn ranks(vertices: &[u32], places: &[u32]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..vertices.len()).collect();
    order.sort_by_key(|&at| places[vertices[at] as usize]);
    let mut ranks = vec![0; vertices.len()];
    for (rank, at) in (0..).zip(order) {
        ranks[at] = rank;
    }
    ranks
}
