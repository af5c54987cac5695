//! Symmetries: permutations of facts, moves and roles that leave a game as it is.
//!
//! The board turned or mirrored, both sides exchanged, one of several like machines in the place of
//! another: whatever can be said of a state can be said of its image, with the roles exchanged as
//! the symmetry says.
//!
//! A symmetry is an automorphism of the network: a permutation under which the rules of legality,
//! of the next state, of the end of play and of the results are the same circuit. It is found by
//! refinement of partitions and checked edge by edge, so that it is proved, in all states whatever,
//! reachable or not.
//!
//! Rules may break the symmetry of what they mean: they add up discs row by row, or follow a chain
//! of stones from one edge of the board to the other. Then the circuits of the end and of results
//! have fewer automorphisms than those of legality and of the next state. So those of the dynamics
//! are looked for without results, and those of single steps without the end either, on the
//! [board](analysis::boards) as it was found. They are kept if the end and results agree with them in
//! all states that random play shows: that is [observed](Evidence::Observed), and a symmetry says
//! so.
//!
//! What is equal but written with other gates is not seen, so there may be more symmetries than are
//! found.

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

/// Groups are written out to be counted if that takes up to so many numbers, and a few anyway.
const WRITTEN_OUT: usize = 2 << 20;
const FEW: usize = 48;
/// Of larger groups so many are looked at for each generator.
const TRIED: usize = 8;
/// Groups of more than this are not looked at for symmetries that are observed.
const MANY: u128 = 1 << 16;

/// The symmetries of a game.
#[derive(Debug, Clone, Default)]
pub struct Symmetries {
    /// Symmetries of which all others are made.
    pub generators: Vec<Symmetry>,
    /// How many there are, the identity included: exactly those that the generators make, or at
    /// least so many where they are too many to be written out.
    pub order: u128,
    /// How many of them leave the initial state as it is; `None` if there was no time to count.
    pub fixing_initial: Option<u128>,
    /// How many of them leave all roles as they are; `None` where they are too many to be written
    /// out and some exchange roles.
    pub fixing_roles: Option<u128>,
    /// How the search went.
    pub report: Report,
    /// The facts of the initial state.
    initial: Vec<u32>,
}

/// How the search for symmetries went.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// Vertices of the graph that was searched.
    pub vertices: usize,
    /// States in which results were compared, where that was needed.
    pub samples: u64,
    /// Time it took.
    pub time: Duration,
    /// What ran out, if something did; then there may be more symmetries.
    pub exhausted: Option<Exhausted>,
}

impl Symmetries {
    /// Finds what it can within the budget. `logic` is the network's, and so are the boards, of
    /// which there may be none; the seed is that of random play.
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
        // All that is looked for are automorphisms of single steps, of which there may be few.
        let gates = Gates::new(network, &places, budget)?;
        let steps = gates.graph(Part::Steps(&[]), None, budget)?;
        self.report.vertices = steps.colours.len();
        let mut told = None;
        let most = search::bound(&steps, |cell| told = Some(gates.told(&steps, cell)), budget)?;
        drop(steps);
        if most == 1 {
            return Ok(());
        }
        // Whatever else is asked, no automorphism maps vertices to each other that single steps tell
        // apart.
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
        // Of very many, most exchange what hardly matters, and there is little to be gained.
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

    /// Adds those that a group may have more, as far as the end of play and results agree with them:
    /// of all that those given make, if these are few; of many, of those that take the fewest.
    fn observe(
        &mut self,
        logic: &GameLogic,
        given: &[Symmetry],
        results: &Results,
        budget: &Budget,
    ) {
        // Which of many are given is chance, and each may be wrong where a product of some is not.
        let most = FEW + TRIED * given.len();
        let most = (WRITTEN_OUT / logic.facts.len().max(1)).clamp(FEW, most);
        let (candidates, _) = group::made(given, most, &self.initial);
        let mut known = self.elements(FEW);
        for mut candidate in candidates {
            // Products of those that are taken already are no generators.
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

    /// All symmetries, the identity first; `None` if there are more than `most`. None at all where
    /// there is no generator.
    pub fn elements(&self, most: usize) -> Option<Vec<Symmetry>> {
        if self.order > most as u128 {
            return None;
        }
        group::closure(&self.generators, most, &self.initial)
    }
}

/// The part of all pairs at some distance that must be linked, to count as a way to go.
const REGULAR: f64 = 0.6;

/// Pairs of facts that say the same of two places that have to do with each other.
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

/// Linked cells; where there are axes, all pairs of cells as far apart as most such pairs that are
/// linked: what is linked besides tells of the way in which rules are written.
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
        // Cells are in order of board and place, so that every pair has one offset.
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
