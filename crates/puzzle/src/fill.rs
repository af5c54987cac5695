//! Puzzles whose facts change once, if at all: which moves are made matters, not when.
//!
//! Such a puzzle (sudoku, queens) is one circuit: the last state is the first one with what the
//! chosen moves change. A move is possible if it is legal in the last state without what it
//! changed itself. The moves are then put into an order by playing them.

mod changes;

use crate::circuit::{Answer, Circuit};
use crate::found::Board;
use crate::method::{Method, State as Status, Work};
use crate::pigeonhole::used_up;
use crate::problem::{Known, Problem};
use crate::space::{Brood, Space};
use crate::unroll::signal;
use batsat::Lit;
use budget::{Budget, Exhausted};
use changes::Changes;
use game::{MoveId, State};
use invariants::{Group, Groups};
use netlist::{GameLogic, Gate, Source};
use std::sync::Arc;

/// Conflicts between two looks at the clock.
const CONFLICTS: u64 = 20_000;
/// Models whose moves could not be played, after which it is given up.
const FAILED: u32 = 30;

/// Chooses moves without an order.
pub(crate) struct Fill {
    problem: Arc<Problem>,
    space: Box<dyn Space>,
    bytes: usize,
    choice: Option<Choice>,
    failed: u32,
}

/// The circuit of a choice of moves.
struct Choice {
    circuit: Circuit,
    moves: Vec<Lit>,
    result: u8,
}

impl Fill {
    pub fn new(problem: Arc<Problem>, space: Box<dyn Space>, bytes: usize) -> Fill {
        Fill {
            problem,
            space,
            bytes,
            choice: None,
            failed: 0,
        }
    }

    /// Puts moves into an order in which each is legal. `None` if play ends before.
    fn order(&mut self, mut left: Vec<MoveId>, budget: &Budget) -> Option<Vec<MoveId>> {
        let mut state = self.problem.start.clone();
        let (mut line, mut brood) = (Vec::new(), Brood::default());
        loop {
            let states = std::slice::from_ref(&state);
            self.space.expand(states, &mut brood, budget).ok()?;
            let chosen = |&child: &usize| left.contains(&brood.moves[child]);
            // What ends play comes last.
            let mut children: Vec<usize> = (0..brood.len()).filter(chosen).collect();
            children.sort_by_key(|&child| brood.over[child]);
            let &child = children.first()?;
            line.push(brood.moves[child]);
            left.retain(|mv| *mv != brood.moves[child]);
            if brood.over[child] {
                return Some(line);
            }
            state = State::from_words(brood.state(child).to_vec());
        }
    }
}

impl Method for Fill {
    fn name(&self) -> &'static str {
        "SAT without order"
    }

    fn work(&mut self, board: &Board, budget: &Budget) -> Status {
        let problem = self.problem.clone();
        let Some(known) = problem.known.as_ref() else {
            return Status::Over;
        };
        while budget.check().is_ok() {
            let asked = board.bound();
            if board.wanted().is_none() || self.failed > FAILED {
                return Status::Over;
            }
            if self
                .choice
                .as_ref()
                .is_none_or(|choice| choice.result != asked)
            {
                match Choice::new(
                    known,
                    &problem.start,
                    problem.horizon,
                    asked,
                    self.bytes,
                    budget,
                ) {
                    Ok(Some(choice)) => self.choice = Some(choice),
                    Ok(None) | Err(Exhausted::Memory) => return Status::Over,
                    Err(_) => return Status::Open,
                }
            }
            let Some(choice) = &mut self.choice else {
                return Status::Over;
            };
            match choice.circuit.ask(&[], CONFLICTS, budget) {
                Answer::Yes => {
                    let chosen = choice.moves.iter().enumerate();
                    let chosen = chosen.filter(|(_, lit)| choice.circuit.is_true(**lit));
                    let (moves, lits): (Vec<MoveId>, Vec<Lit>) =
                        chosen.map(|(mv, &lit)| (MoveId(mv as u32), !lit)).unzip();
                    // Not these again, if they fail.
                    choice.circuit.demand(&lits);
                    let line = self.order(moves, budget);
                    if budget.check().is_err() {
                        return Status::Open;
                    }
                    if !line.is_some_and(|line| board.offer(&line, "SAT without order")) {
                        self.failed += 1;
                    }
                }
                // Other lines than these might do, so nothing is proved.
                Answer::No => return Status::Over,
                Answer::Unknown => {}
            }
        }
        Status::Open
    }

    /// Puzzles that are one circuit are seldom solved by anything else.
    fn weight(&self) -> u32 {
        /// Against a dozen others.
        const SUITED: u32 = 4;
        if self.choice.is_some() { SUITED } else { 1 }
    }

    fn done(&self) -> Work {
        Work {
            count: self
                .choice
                .as_ref()
                .map_or(0, |choice| choice.circuit.conflicts()),
            unit: "conflicts",
        }
    }
}

impl Choice {
    /// `None` if the puzzle is not of this kind.
    fn new(
        known: &Known,
        start: &State,
        horizon: Option<usize>,
        result: u8,
        bytes: usize,
        budget: &Budget,
    ) -> Result<Option<Choice>, Exhausted> {
        let Some(changes) = Changes::find(known, start, budget)? else {
            return Ok(None);
        };
        let mut circuit = Circuit::new(bytes);
        let moves: Vec<Lit> = changes.effects.iter().map(|_| circuit.fresh()).collect();
        let last = last_state(&mut circuit, &changes, &moves);
        let end = end(&mut circuit, known, result, &last, budget)?;
        demand_legality(&mut circuit, &changes, &moves, &last, budget)?;
        circuit.demand(&[end]);
        circuit.settle();
        use_up(&mut circuit, &known.proved.groups, &last);
        // Where time alone ends play, the number of moves is known.
        if let Some(plies) = horizon.filter(|_| !changes.may_end_early()) {
            count(&mut circuit, &moves, plies, budget)?;
        }
        Ok(Some(Choice {
            circuit,
            moves,
            result,
        }))
    }
}

/// The facts of the last state: the first state with what the chosen moves change. Of facts that
/// exclude each other at most one holds.
fn last_state(circuit: &mut Circuit, changes: &Changes<'_>, moves: &[Lit]) -> Vec<Lit> {
    let known = changes.known;
    let mut by: Vec<Vec<Lit>> = vec![Vec::new(); known.logic.facts.len()];
    for (effects, &mv) in changes.effects.iter().zip(moves) {
        for &(fact, _) in effects {
            by[fact as usize].push(mv);
        }
    }
    let mut last = Vec::with_capacity(by.len());
    for (fact, by) in by.iter().enumerate() {
        let value = if let Some(value) = changes.fixed(fact) {
            circuit.constant(value)
        } else if known.time.facts[fact] {
            // How much time passes is left open.
            circuit.fresh()
        } else {
            let mut changed = circuit.constant(false);
            for &lit in by {
                changed = circuit.or(changed, lit);
            }
            if changes.holds(fact) {
                !changed
            } else {
                changed
            }
        };
        last.push(value);
    }
    for group in &known.proved.groups.groups {
        let facts = group.facts.iter().map(|&fact| last[fact as usize]);
        circuit.at_most_one(&facts.collect::<Vec<_>>());
    }
    last
}

/// Whether play ends in the last state, with this result.
fn end(
    circuit: &mut Circuit,
    known: &Known,
    result: u8,
    last: &[Lit],
    budget: &Budget,
) -> Result<Lit, Exhausted> {
    let wanted = known.end(result);
    let values = write(circuit, &known.logic, wanted.clone(), last, budget)?;
    let all = circuit.constant(true);
    let ends = wanted.into_iter().map(|lit| signal(&values, lit));
    Ok(ends.fold(all, |all, lit| circuit.and(all, lit)))
}

/// Demands that each chosen move is legal in the last state without what it changed itself.
fn demand_legality(
    circuit: &mut Circuit,
    changes: &Changes<'_>,
    moves: &[Lit],
    last: &[Lit],
    budget: &Budget,
) -> Result<(), Exhausted> {
    let logic = &*changes.known.logic;
    for (mv, effects) in changes.effects.iter().enumerate() {
        let mut without = last.to_vec();
        for &(fact, value) in effects {
            without[fact as usize] = circuit.constant(!value);
        }
        let legal = logic.legal[0][mv];
        let values = write(circuit, logic, vec![legal], &without, budget)?;
        let legal = signal(&values, legal);
        circuit.demand(&[!moves[mv], legal]);
    }
    Ok(())
}

/// Demands what follows from the number of places and of values that are left for them.
fn use_up(circuit: &mut Circuit, groups: &Groups, last: &[Lit]) {
    let lit = |&fact: &u32| last[fact as usize];
    let open = |group: &Group| -> Vec<u32> {
        let facts = group.facts.iter().copied();
        facts
            .filter(|fact| circuit.fixed(lit(fact)) != Some(false))
            .collect()
    };
    let (places, values): (Vec<&Group>, Vec<&Group>) =
        groups.groups.iter().partition(|group| group.exactly);
    let places: Vec<Vec<u32>> = places.into_iter().map(open).collect();
    let values: Vec<Vec<u32>> = values.into_iter().map(open).collect();
    let known = used_up(&places, &values);
    for facts in places.iter().chain(&known) {
        circuit.demand(&facts.iter().map(lit).collect::<Vec<_>>());
    }
}

/// Demands that exactly so many of the signals are true, by a unary counter along them.
fn count(
    circuit: &mut Circuit,
    lits: &[Lit],
    exactly: usize,
    budget: &Budget,
) -> Result<(), Exhausted> {
    // For each number, whether at least as many are true so far.
    let mut least = vec![circuit.constant(false); exactly + 2];
    least[0] = circuit.constant(true);
    for &lit in lits {
        budget.check()?;
        if circuit.is_full() {
            return Err(Exhausted::Memory);
        }
        for number in (1..least.len()).rev() {
            let more = circuit.and(lit, least[number - 1]);
            least[number] = circuit.or(least[number], more);
        }
    }
    circuit.demand(&[least[exactly]]);
    circuit.demand(&[!least[exactly + 1]]);
    Ok(())
}

/// Writes what some signals depend on, in a state of these facts.
fn write(
    circuit: &mut Circuit,
    logic: &GameLogic,
    roots: Vec<netlist::Lit>,
    facts: &[Lit],
    budget: &Budget,
) -> Result<Vec<Lit>, Exhausted> {
    budget.check()?;
    if circuit.is_full() {
        return Err(Exhausted::Memory);
    }
    let cone = logic.net.cone(roots);
    let no = circuit.constant(false);
    let mut values = vec![no; logic.net.len()];
    for (node, &gate) in logic
        .net
        .gates()
        .iter()
        .enumerate()
        .filter(|(node, _)| cone[*node])
    {
        values[node] = match gate {
            Gate::False => no,
            Gate::Input(number) => match logic.sources[number as usize] {
                Source::Fact(fact) => facts[fact as usize],
                Source::Does { .. } | Source::Fix(_) => no,
            },
            Gate::And(a, b) => circuit.and(signal(&values, a), signal(&values, b)),
            Gate::Xor(a, b) => circuit.xor(signal(&values, a), signal(&values, b)),
        };
    }
    Ok(values)
}
