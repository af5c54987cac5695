//! The number of transitions between conditions and the facts and moves that they depend on.
//!
//! The distance from A to B is the least number of transitions that are crossed when the logic
//! is traversed backwards from A until it reaches B:
//!
//! - A can be a fact, a goal, terminality, a disjunct of those, or a move. B can be a fact or a
//!   move.
//! - What A reads in the same state is at distance 0. So is A itself.
//! - At a fact, the traversal can cross the transition: what the transition to the fact reads is
//!   one further.
//! - A move reads its legality, in the same state: no transition is crossed.
//!
//! For example, if a goal requires pawns on the last rank, a pawn on the last rank is at
//! distance 0. The moves to it are at 1, and so are the squares that they come from. The moves
//! to those squares are at 2. The distance from a fact to itself is 0 even if the fact keeps
//! itself from state to state.
//!
//! Anything further than n transitions away cannot matter within n transitions. The reverse does
//! not hold: the logic may read something that it does not need. The distance ignores whether
//! something is read positively or negated, and which states are reachable.

mod closure;
mod columns;
mod disjuncts;
mod steps;

pub use columns::Columns;
pub use disjuncts::Disjunct;

use budget::{Budget, Exhausted};
use closure::Condensed;
use game::{MoveId, RoleId};
use petgraph::graph::NodeIndex;
use propnet::{BuildError, Network, Node, Schedule};
use steps::{Rows, Table, ones};

/// The cell for distances of this many transitions or more.
pub const FAR: u8 = 254;
/// The cell for facts and moves that are never reached. In distances that are not
/// [complete](Distances::cut), they are not reached within the known distance.
pub const NEVER: u8 = 255;

/// A goal, or terminality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Condition {
    /// The role's result is the value.
    Goal {
        /// The role.
        role: RoleId,
        /// The value, 0 to 100.
        value: u8,
    },
    /// Play has ended.
    Terminal,
}

/// The origin of a distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A fact, by its position in the network's vocabulary.
    Fact(u32),
    /// A move of a role.
    Move(RoleId, MoveId),
    /// A goal or terminality.
    Condition(Condition),
    /// One of [`Distances::disjuncts`], by its position.
    Disjunct(usize),
}

/// The target of a distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Met {
    /// A fact, by its position in the network's vocabulary.
    Fact(u32),
    /// A move of a role.
    Move(RoleId, MoveId),
}

/// A distance in transitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Distance {
    /// Exactly this many transitions.
    Exactly(u8),
    /// This many transitions or more, perhaps never.
    AtLeast(u8),
    /// The target is never reached.
    Never,
}

/// All distances of a game.
///
/// Only those from facts are stored, one byte each. From any other origin, the distance is the
/// minimum over the facts that it reads.
pub struct Distances {
    columns: Columns,
    table: Table,
    /// The columns that each move reads, by its column minus the number of facts.
    moves: Vec<Vec<u32>>,
    conditions: Vec<(Condition, Vec<u32>)>,
    disjuncts: Vec<(Disjunct, Vec<u32>)>,
}

impl Distances {
    /// Computes the distances in `network`.
    ///
    /// If the budget runs out on the way, only small distances are known, and [`Distances::cut`]
    /// reports it.
    ///
    /// # Errors
    /// If the budget runs out before anything is known.
    pub fn of(network: &Network, budget: &Budget) -> Result<Distances, Exhausted> {
        let columns = Columns::of(network);
        let graph = network.graph();
        let condensed = Condensed::new(network, &columns, budget)?;
        let mut transitions: Vec<(usize, NodeIndex)> = Vec::new();
        let mut roots: Vec<NodeIndex> = Vec::new();
        // A move that no rule reads has no node. It still reads its legality.
        let mut at = vec![None; columns.moves()];
        let mut conditions = Vec::new();
        for node in graph.node_indices() {
            match graph[node] {
                Node::Transition { fact } => transitions.push((fact as usize, node)),
                Node::Legal { role, mv } => {
                    if let Some(column) = columns.of_move(role.into(), mv) {
                        at[column - columns.facts()] = Some(roots.len());
                        roots.push(node);
                    }
                }
                Node::Goal { role, value } => {
                    let role = RoleId(role.into());
                    conditions.push((Condition::Goal { role, value }, node));
                }
                Node::Terminal => conditions.push((Condition::Terminal, node)),
                _ => {}
            }
        }
        conditions.sort_unstable();
        let disjuncts = split_all(network, &conditions, budget)?;
        let first = roots.len();
        roots.extend(conditions.iter().map(|&(_, node)| node));
        roots.extend(disjuncts.iter().map(|disjunct| disjunct.node));

        let bits = Rows::bytes(columns.facts(), columns.len());
        budget.check_memory(bits)?;
        let mut reads = Rows::new(columns.facts(), columns.len());
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); roots.len()];
        let mut listed = 0usize;
        let components = transitions.iter().map(|&(_, node)| node);
        let components: Vec<usize> = components
            .chain(roots)
            .map(|node| condensed.component(node))
            .collect();
        condensed.read_by(&components, &columns, budget, |position, word, found| {
            match transitions.get(position) {
                Some(&(fact, _)) => *reads.word_mut(fact, word) |= found,
                None => {
                    let list = &mut lists[position - transitions.len()];
                    list.extend(ones(found, word * 64).map(|column| column as u32));
                    listed += found.count_ones() as usize;
                    // Growing vectors take up to twice the size of their content.
                    budget.check_memory(bits.saturating_add(listed * 8))?;
                }
            }
            Ok(())
        })?;
        let mut rest = lists.split_off(first).into_iter();
        let conditions = conditions.iter().map(|&(condition, _)| condition);
        let conditions = conditions.zip(rest.by_ref()).collect();
        let take =
            |at: Option<usize>| at.map_or_else(Vec::new, |at| std::mem::take(&mut lists[at]));
        Ok(Distances {
            moves: at.into_iter().map(take).collect(),
            conditions,
            disjuncts: disjuncts.into_iter().zip(rest).collect(),
            table: steps::table(&reads, columns.facts(), columns.len(), budget),
            columns,
        })
    }

    /// The meaning of the columns.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The distance up to which everything is known, and why no more is; `None` if everything
    /// is.
    pub fn cut(&self) -> Option<(u8, Exhausted)> {
        self.table.cut
    }

    /// The goals that some role can have, and terminality, as far as the network has them.
    pub fn conditions(&self) -> impl ExactSizeIterator<Item = Condition> + '_ {
        self.conditions.iter().map(|&(condition, _)| condition)
    }

    /// The disjuncts of all conditions.
    pub fn disjuncts(&self) -> impl ExactSizeIterator<Item = Disjunct> + '_ {
        self.disjuncts.iter().map(|&(disjunct, _)| disjunct)
    }

    /// The columns that `origin` reads in the same state, ascending: those at distance 0, except
    /// itself. `None` if there is no such origin. A fact reads nothing.
    pub fn reads(&self, origin: Origin) -> Option<&[u32]> {
        match origin {
            Origin::Fact(fact) => ((fact as usize) < self.columns.facts()).then_some(&[]),
            Origin::Move(role, mv) => {
                let column = self.columns.of_move(role.0, mv.0)?;
                Some(&self.moves[column - self.columns.facts()])
            }
            Origin::Condition(wanted) => {
                let mut all = self.conditions.iter();
                let found = all.find(|&&(condition, _)| condition == wanted)?;
                Some(&found.1)
            }
            Origin::Disjunct(position) => Some(&self.disjuncts.get(position)?.1),
        }
    }

    /// The distance from `origin` to `met`; `None` if the game does not have them.
    pub fn distance(&self, origin: Origin, met: Met) -> Option<Distance> {
        let column = self.columns.column(met)?;
        let mut least = NEVER;
        self.near(origin, |near| least = least.min(self.cell(near, column)))?;
        Some(match (least, self.table.cut) {
            (NEVER, None) => Distance::Never,
            (NEVER, Some((known, _))) => Distance::AtLeast(known.saturating_add(1).min(FAR)),
            (FAR, _) => Distance::AtLeast(FAR),
            (least, _) => Distance::Exactly(least),
        })
    }

    /// Writes the distances from `origin` to all [columns](Distances::columns) to `row`: a
    /// number of transitions, [`FAR`] or [`NEVER`]. `None` if there is no such origin.
    pub fn row(&self, origin: Origin, row: &mut Vec<u8>) -> Option<()> {
        row.clear();
        row.resize(self.columns.len(), NEVER);
        self.near(origin, |near| {
            if near < self.columns.facts()
                && let Some(cells) = self.fact_row(near)
            {
                row.iter_mut()
                    .zip(cells)
                    .for_each(|(a, b)| *a = (*a).min(*b));
            }
            row[near] = 0;
        })
    }

    /// The row of a fact, if there is a table.
    pub(crate) fn fact_row(&self, fact: usize) -> Option<&[u8]> {
        let width = self.columns.len();
        self.table.cells.get(fact * width..(fact + 1) * width)
    }

    /// Calls `found` with all columns at distance 0.
    fn near(&self, origin: Origin, mut found: impl FnMut(usize)) -> Option<()> {
        let own = match origin {
            Origin::Fact(fact) => self.columns.column(Met::Fact(fact)),
            Origin::Move(role, mv) => self.columns.column(Met::Move(role, mv)),
            _ => None,
        };
        let reads = self.reads(origin)?;
        own.into_iter().for_each(&mut found);
        reads.iter().for_each(|&column| found(column as usize));
        Some(())
    }

    fn cell(&self, near: usize, column: usize) -> u8 {
        match self.fact_row(near) {
            _ if near == column => 0,
            Some(cells) if near < self.columns.facts() => cells[column],
            _ => NEVER,
        }
    }
}

fn split_all(
    network: &Network,
    conditions: &[(Condition, NodeIndex)],
    budget: &Budget,
) -> Result<Vec<Disjunct>, Exhausted> {
    let schedule = match Schedule::new(network, budget) {
        Ok(schedule) => schedule,
        Err(BuildError::Exhausted { why, .. }) => return Err(why),
        // Ordering fails for no other reason; without an order, nothing is known.
        Err(_) => return Err(Exhausted::Stopped),
    };
    let cyclic = disjuncts::recursive(&schedule, network.graph().node_count());
    let mut all = Vec::new();
    for &(condition, node) in conditions {
        budget.check()?;
        disjuncts::split(network, &cyclic, condition, node, &mut all);
    }
    Ok(all)
}
