//! What all playouts together have shown.

use crate::walk::{End, Walk};
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use rustc_hash::FxHashMap;

/// A fault of one kind: how often it occurred, and the shortest playout that leads there.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub count: u64,
    /// The moves, in terms.
    pub witness: Vec<Vec<GroundTerm>>,
    /// The state after them.
    pub state: State,
}

/// What all playouts together have shown.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub playouts: u64,
    /// Joint moves played.
    pub moves: u64,
    pub finished: u64,
    /// For each role, the moves that were legal, and the playout in which each was first.
    pub legal: Vec<FxHashMap<MoveId, u64>>,
    /// The goals of all roles with which playouts ended, and the playout in which each was first.
    pub results: FxHashMap<Vec<Option<u8>>, u64>,
    /// For each role, terminal states in which it has no goal, or several.
    pub without_goal: Vec<Option<Fault>>,
    /// For each role, states in which it is stuck.
    pub stuck: Vec<Option<Fault>>,
    pub endless: Option<Fault>,
    pub broken: Option<(EngineError, Fault)>,
    /// The initial state is terminal.
    pub over: bool,
    /// The playout that the budget cut, if it was a first one: its length.
    pub cut: Option<usize>,
}

impl Tally {
    pub fn new(roles: usize) -> Tally {
        Tally {
            legal: vec![FxHashMap::default(); roles],
            without_goal: vec![None; roles],
            stuck: vec![None; roles],
            ..Tally::default()
        }
    }

    /// Notes the legal moves of a role in some state.
    pub fn legal(&mut self, role: RoleId, moves: &[MoveId]) {
        let playout = self.playouts;
        for &mv in moves {
            self.legal[role.0].entry(mv).or_insert(playout);
        }
    }

    /// Adds a playout.
    pub fn add(&mut self, engine: &mut dyn Engine, walk: Walk) {
        let number = self.playouts;
        self.playouts += 1;
        match &walk.end {
            End::Terminal(goals) => {
                self.finished += 1;
                self.over = walk.moves.is_empty();
                self.results.entry(goals.clone()).or_insert(number);
                let without = goals.iter().zip(&mut self.without_goal);
                for (_, fault) in without.filter(|(goal, _)| goal.is_none()) {
                    note(fault, engine, &walk);
                }
            }
            End::Stuck(role) => note(&mut self.stuck[role.0], engine, &walk),
            End::TooLong => note(&mut self.endless, engine, &walk),
            End::Cut => self.cut = (number == 0).then_some(walk.moves.len()),
            End::Broken(error) => {
                let mut fault = None;
                note(&mut fault, engine, &walk);
                self.broken = fault.map(|fault| (error.clone(), fault));
            }
        }
    }

    /// Whether the second half of the playouts has shown nothing that is `first` seen there.
    pub fn is_settled<'a>(&self, mut first: impl Iterator<Item = &'a u64>) -> bool {
        const FEW: u64 = 20;
        self.finished >= FEW && first.all(|&first| first < self.playouts / 2)
    }
}

/// Counts a fault, and keeps the playout if it is the shortest one.
fn note(fault: &mut Option<Fault>, engine: &mut dyn Engine, walk: &Walk) {
    let count = fault.as_ref().map_or(0, |fault| fault.count);
    let shorter = |fault: &Fault| walk.moves.len() < fault.witness.len();
    if fault.as_ref().is_none_or(shorter) {
        let witness = walk.moves.iter().map(|joint| terms(engine, joint));
        *fault = Some(Fault {
            count,
            witness: witness.collect(),
            state: walk.last.clone(),
        });
    }
    if let Some(fault) = fault {
        fault.count += 1;
    }
}

/// A joint move in terms.
fn terms(engine: &mut dyn Engine, joint: &[MoveId]) -> Vec<GroundTerm> {
    let moves = joint.iter().enumerate();
    moves
        .map(|(role, &mv)| engine.move_term(RoleId(role), mv))
        .collect()
}
