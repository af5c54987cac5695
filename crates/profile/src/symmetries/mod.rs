//! Symmetries: permutations of facts, moves and roles that leave a game unchanged.
//!
//! Examples are a rotated or mirrored board, exchanged sides, and exchanged machines of the same
//! kind. Every property of a state is also a property of its image, with the roles exchanged
//! accordingly.
//!
//! A symmetry is an automorphism of the network: a permutation under which the rules of
//! legality, of the next state, of terminality and of the results are the same circuit. It is
//! found by partition refinement and checked edge by edge. So it is proved for all states,
//! reachable or not.
//!
//! Rules may break a symmetry in form but not in meaning: they add up discs row by row, or
//! follow a chain of stones from one edge of the board to the other. Then the circuits of
//! terminality and results have fewer automorphisms than those of legality and of the next
//! state. So the search also looks for automorphisms of the dynamics without results, and of
//! single steps without terminality, using the [board](analysis::boards) that was found. They
//! are kept if terminality and results agree with them in all states of random play. Such a
//! symmetry is marked as [observed](Evidence::Observed).
//!
//! Equivalent logic with different gates is not recognised, so there may be more symmetries than
//! are found.

mod canonical;
mod graph;
mod group;
mod hashes;
mod partition;
mod results;
mod search;

pub use canonical::Canonical;
pub use group::Symmetry;

use analysis::Evidence;
use analysis::boards::{Board, Boards, Order};
use budget::{Budget, Exhausted};
use graph::{Gates, Part, Places};
use netlist::GameLogic;
use propnet::Network;
use results::Results;
use std::collections::BTreeMap;
use std::time::Duration;

/// Groups are enumerated to be counted if that takes at most this many numbers; small groups
/// always are.
const WRITTEN_OUT: usize = 2 << 20;
const FEW: usize = 48;
/// Of larger groups, this many elements per generator are examined.
const TRIED: usize = 8;
/// Groups of more elements are not searched for observed symmetries.
const MANY: u128 = 1 << 16;

/// The symmetries of a game.
#[derive(Debug, Clone, Default)]
pub struct Symmetries {
    /// Generators of all symmetries.
    pub generators: Vec<Symmetry>,
    /// The number of symmetries including the identity. This is exactly the order of the
    /// generated group, or a lower bound if it is too large to enumerate.
    pub order: u128,
    /// The number of symmetries that fix the initial state; `None` if there was no time to
    /// count.
    pub fixing_initial: Option<u128>,
    /// The number of symmetries that fix all roles; `None` if there are too many to enumerate
    /// and some exchange roles.
    pub fixing_roles: Option<u128>,
    /// Statistics of the search.
    pub report: Report,
    /// The facts of the initial state.
    initial: Vec<u32>,
}

/// Statistics of the search for symmetries.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// Vertices of the graph that was searched.
    pub vertices: usize,
    /// States in which results were compared, if that was necessary.
    pub samples: u64,
    /// Time of the search.
    pub time: Duration,
    /// The part of the budget that ran out, if any; then there may be more symmetries.
    pub exhausted: Option<Exhausted>,
}

impl Symmetries {
    /// Finds symmetries within the budget. `logic` and `boards` must be those of the network;
    /// there may be no boards. `seed` is the seed of random play.
    pub fn find(
        network: &Network,
        logic: &GameLogic,
        boards: &Boards,
        seed: u64,
        budget: &Budget,
    ) -> Symmetries {
        let begun = budget.clock().now();
        let mut found = Symmetries {
            order: 1,
            initial: logic.words.initial.clone(),
            ..Symmetries::default()
        };
        if let Err(why) = found.search(network, logic, boards, seed, budget) {
            found.report.exhausted = Some(why);
        }
        found.count(network, logic, budget);
        found.report.time = budget.clock().now().saturating_sub(begun);
        found
    }

    fn search(
        &mut self,
        network: &Network,
        logic: &GameLogic,
        boards: &Boards,
        seed: u64,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let places = Places::of(logic);
        // All symmetries are automorphisms of single steps, which may be few.
        let gates = Gates::new(network, &places, budget)?;
        let steps = gates.graph(Part::Steps(&[]), None, budget)?;
        self.report.vertices = steps.colours.len();
        let mut told = None;
        let most = search::bound(&steps, |cell| told = Some(gates.told(&steps, cell)), budget)?;
        drop(steps);
        if most == 1 {
            return Ok(());
        }
        // No automorphism maps vertices to each other that the graph of single steps
        // distinguishes.
        let whole = gates.graph(Part::All, told.as_ref(), budget)?;
        self.report.vertices = whole.colours.len();
        let proved = search::automorphisms(&whole, u128::MAX, budget);
        drop(whole);
        self.order = proved.order;
        let symmetry = |image: &Vec<u32>| Symmetry::of(image, &places, logic);
        self.generators
            .extend(proved.generators.iter().map(symmetry));
        if let Some(why) = proved.exhausted {
            return Err(why);
        }
        // In very large groups, most symmetries exchange irrelevant parts, and there is little
        // to gain.
        if self.order > FEW as u128 || self.order >= most {
            return Ok(());
        }
        let ties = ties(boards);
        let parts = [
            Some(Part::Dynamics),
            (!ties.is_empty()).then_some(Part::Steps(&ties)),
        ];
        let mut results = None;
        for part in parts.into_iter().flatten() {
            let graph = gates.graph(part, told.as_ref(), budget)?;
            let more = search::automorphisms(&graph, MANY, budget);
            if more.order > self.order {
                let candidates: Vec<Symmetry> = more.generators.iter().map(symmetry).collect();
                let results = results.get_or_insert_with(|| Results::new(logic, seed, budget));
                self.observe(logic, &candidates, results, budget);
            }
            if let Some(why) = more.exhausted {
                return Err(why);
            }
        }
        Ok(())
    }

    /// Adds observed symmetries from a larger group, if terminality and results agree with them.
    /// Examines all that `given` generate if these are few, otherwise products of few
    /// generators.
    fn observe(
        &mut self,
        logic: &GameLogic,
        given: &[Symmetry],
        results: &Results,
        budget: &Budget,
    ) {
        // Generators are chosen arbitrarily, so each may disagree although some product agrees.
        let most = FEW + TRIED * given.len();
        let most = (WRITTEN_OUT / logic.facts.len().max(1)).clamp(FEW, most);
        let (candidates, _) = group::made(given, most, &self.initial);
        let mut known = self.elements(FEW);
        for mut candidate in candidates {
            // Products of known generators are not new generators.
            let group = known.as_ref().unwrap_or(&self.generators);
            if candidate.is_identity() || group.contains(&candidate) {
                continue;
            }
            if budget.check().is_err() {
                break;
            }
            let samples = results.agreeing(logic, &candidate);
            if samples > 0 {
                self.report.samples = samples;
                candidate.agrees = Evidence::Observed { samples };
                self.generators.push(candidate);
                known = self.elements(FEW);
                let order = known.as_ref().map_or(FEW + 1, Vec::len);
                self.order = self.order.max(order as u128);
            }
        }
    }

    /// Counts symmetries.
    fn count(&mut self, network: &Network, logic: &GameLogic, budget: &Budget) {
        let Some(first) = self.generators.first() else {
            (self.fixing_initial, self.fixing_roles) = (Some(1), Some(1));
            return;
        };
        let size = first.facts.len() + first.moves.iter().map(Vec::len).sum::<usize>();
        let most = (WRITTEN_OUT / size.max(1)).clamp(FEW, 20 * FEW);
        if let Some(all) = self.elements(most) {
            let count = |keep: &dyn Fn(&Symmetry) -> bool| {
                Some(all.iter().filter(|symmetry| keep(symmetry)).count() as u128)
            };
            self.order = all.len() as u128;
            self.fixing_initial = count(&|symmetry| symmetry.fixes_initial);
            self.fixing_roles = count(&Symmetry::fixes_roles);
            return;
        }
        if self.generators.iter().all(Symmetry::fixes_roles) {
            self.fixing_roles = Some(self.order);
        }
        if self
            .generators
            .iter()
            .all(|symmetry| symmetry.fixes_initial)
        {
            self.fixing_initial = Some(self.order);
            return;
        }
        let places = Places::of(logic);
        let gates = Gates::new(network, &places, budget);
        if let Ok(graph) = gates.and_then(|gates| gates.graph(Part::Initial, None, budget)) {
            let found = search::automorphisms(&graph, u128::MAX, budget);
            self.fixing_initial = found.exhausted.is_none().then_some(found.order);
        }
    }

    /// All symmetries, the identity first; `None` if there are more than `most`. Empty if there
    /// is no generator.
    pub fn elements(&self, most: usize) -> Option<Vec<Symmetry>> {
        if self.order > most as u128 {
            return None;
        }
        group::closure(&self.generators, most, &self.initial)
    }
}

/// Minimum share of the pairs at some offset that must be linked, for the offset to count.
const REGULAR: f64 = 0.6;

/// Pairs of facts that state the same about two linked places.
fn ties(boards: &Boards) -> Vec<(u32, u32)> {
    let mut ties = Vec::new();
    for board in &boards.boards {
        let pairs = pairs(board);
        for piece in &board.pieces {
            let fact = |cell: u32| {
                let at = piece.facts.binary_search_by_key(&cell, |&(cell, _)| cell);
                at.ok().map(|at| piece.facts[at].1)
            };
            let ends = pairs.iter().map(|pair| pair.map(fact));
            ties.extend(ends.filter_map(|[a, b]| Some((a?, b?))));
        }
    }
    ties
}

/// Linked cells. If there are axes, all pairs of cells at offsets at which most pairs are
/// linked; other links depend on the form of the rules.
fn pairs(board: &Board) -> Vec<[u32; 2]> {
    let linked = board.links.iter().map(|link| link.cells);
    if board.axes.iter().any(|axis| axis.order == Order::None) {
        return linked.collect();
    }
    let offset = |[a, b]: [u32; 2]| -> Option<Vec<i64>> {
        let (a, b) = (&board.cells[a as usize], &board.cells[b as usize]);
        let steps =
            a.at.iter()
                .zip(&b.at)
                .map(|(&a, &b)| i64::from(b) - i64::from(a));
        let steps: Vec<i64> = steps.collect();
        (a.grid == b.grid).then_some(steps)
    };
    let mut counts: BTreeMap<Vec<i64>, (u32, Vec<[u32; 2]>)> = BTreeMap::new();
    for offset in linked.filter_map(offset) {
        counts.entry(offset).or_default().0 += 1;
    }
    let cells = board.cells.len() as u32;
    for a in 0..cells {
        // Cells are ordered by board and coordinates, so every pair has one offset.
        for b in a + 1..cells {
            if board.cells[a as usize].grid != board.cells[b as usize].grid {
                break;
            }
            if let Some(all) = offset([a, b]).and_then(|offset| counts.get_mut(&offset)) {
                all.1.push([a, b]);
            }
        }
    }
    let regular = counts
        .into_values()
        .filter(|(linked, all)| f64::from(*linked) >= REGULAR * all.len() as f64);
    regular.flat_map(|(_, all)| all).collect()
}
