//! A game as local search sees it: a circuit for each phase, and what facts imply.

use crate::circuit::Circuit;
use crate::closure::Closure;
use budget::Budget;
use compile::Proved;
use invariants::Prover;
use netlist::{GameLogic, Lit, Phases};
use std::time::Duration;

/// The most time for passes over the circuit, in which it shrinks.
const PASSES: Duration = Duration::from_millis(700);
/// The most nodes of a circuit. An evaluation of more would take milliseconds.
const NODES: usize = 1 << 18;
/// The most work of a proof that two goals exclude each other, in node visits.
const GOALS: u64 = 200_000;

/// Why a game does not suit local search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsuitable {
    /// There is no such role.
    #[error("there is no such role")]
    NoRole,
    /// Rules that depend on themselves have no circuit without a cycle.
    #[error("its rules are recursive")]
    Recursive,
    /// The circuit is too large.
    #[error("its circuit has more than {NODES} nodes")]
    Large,
    /// More than one role chooses at the same time, always.
    #[error("several roles choose at the same time")]
    Simultaneous,
}

/// What a search for one role and one result needs of a game.
#[derive(Debug, Clone)]
pub(crate) struct Game {
    pub phases: Phases,
    pub circuits: Vec<Circuit>,
    pub closure: Closure,
    /// The role that succeeds or fails; all others are against it.
    pub role: usize,
    /// For each phase, the roles that may have a choice.
    pub choosers: Vec<Vec<usize>>,
    /// Whether the role and others choose in turns, strictly.
    pub alternates: bool,
}

impl Game {
    /// The game for a role that wants at least this result.
    pub fn new(
        proved: &Proved,
        role: usize,
        at_least: u8,
        budget: &Budget,
    ) -> Result<Game, Unsuitable> {
        let compiled = &proved.compiled;
        if role >= compiled.logic.roles() {
            return Err(Unsuitable::NoRole);
        }
        let mut phased = compiled.phased.clone();
        phased.optimise(
            &proved.groups.known(),
            &budget.share(4).with_timeout(PASSES),
        );
        let strict = !goals_exclude(proved, role, at_least);
        let mut circuits = Vec::new();
        let mut choosers = Vec::new();
        for logic in phased.logics {
            if logic.net.len() > NODES {
                return Err(Unsuitable::Large);
            }
            choosers.push(may_choose(&logic));
            let won = |logic: &mut GameLogic| won(logic, role, at_least, strict);
            circuits.push(Circuit::new(logic, won).ok_or(Unsuitable::Recursive)?);
        }
        if choosers.iter().all(|roles| roles.len() > 1) && circuits.len() > 1 {
            return Err(Unsuitable::Simultaneous);
        }
        let own = |at: usize| choosers[at % choosers.len()] == [role];
        let one = choosers.iter().all(|roles| roles.len() == 1);
        let alternates = one && (0..choosers.len()).all(|at| own(at) != own(at + 1));
        Ok(Game {
            alternates,
            choosers,
            closure: Closure::new(&proved.groups, compiled.logic.facts.len()),
            phases: phased.phases,
            circuits,
            role,
        })
    }

    /// The circuit of a phase; phases go round.
    pub fn circuit(&self, phase: usize) -> &Circuit {
        &self.circuits[phase % self.circuits.len()]
    }
}

/// The roles that may have a choice.
fn may_choose(logic: &GameLogic) -> Vec<usize> {
    let choice = |moves: &Vec<Lit>| moves.iter().filter(|&&lit| lit != Lit::FALSE).count() > 1;
    (0..logic.roles())
        .filter(|&role| choice(&logic.legal[role]))
        .collect()
}

/// The goals of a role that are at least a result, and those below it.
fn goals(logic: &GameLogic, role: usize, at_least: u8) -> (Vec<Lit>, Vec<Lit>) {
    let signals = |enough: bool| {
        let goals = logic.goals[role].iter();
        let these = goals.filter(move |goal| (goal.0 >= at_least) == enough);
        these.map(|goal| goal.1).collect()
    };
    (signals(true), signals(false))
}

/// Whether no final state has both a goal that is enough and one that is not.
fn goals_exclude(proved: &Proved, role: usize, at_least: u8) -> bool {
    let logic = &proved.compiled.logic;
    let (enough, less) = goals(logic, role, at_least);
    let mut prover = Prover::new(logic, &proved.groups);
    prover.bound(GOALS);
    enough.iter().all(|&goal| {
        let never = prover.under(&[logic.terminal, goal], false, |prover| {
            less.iter().all(|&other| prover.never(other))
        });
        never.unwrap_or(true)
    })
}

/// The signal of a result of at least `at_least`. If `strict`, a state with several results has
/// none.
fn won(logic: &mut GameLogic, role: usize, at_least: u8, strict: bool) -> Lit {
    let (enough, less) = goals(logic, role, at_least);
    let enough = logic.net.or_all(enough);
    match strict {
        true => {
            let less = logic.net.or_all(less);
            logic.net.and(enough, !less)
        }
        false => enough,
    }
}
