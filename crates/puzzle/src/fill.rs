//! Puzzles whose facts, once they hold, hold for ever: which moves are made matters, not when.
//!
//! Such a puzzle (sudoku, queens) is one circuit: the last state is the first one with the facts
//! that the chosen moves bring. A move is possible if it is legal in the last state without what
//! it brought itself. The moves are then put into an order by playing them.

use crate::circuit::{Answer, Circuit};
use crate::found::Board;
use crate::imagine::{OPEN, exactly, imagine, known, must};
use crate::method::{Method, State as Status, Work};
use crate::problem::{Known, Problem};
use crate::space::{Brood, Space};
use crate::unroll::signal;
use batsat::Lit;
use budget::{Budget, Exhausted};
use game::{MoveId, State};
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
    end: Lit,
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
                match Choice::new(known, &problem.start, asked, self.bytes, budget) {
                    Ok(Some(choice)) => self.choice = Some(choice),
                    Ok(None) | Err(Exhausted::Memory) => return Status::Over,
                    Err(_) => return Status::Open,
                }
            }
            let Some(choice) = &mut self.choice else {
                return Status::Over;
            };
            match choice.circuit.ask(&[choice.end], CONFLICTS, budget) {
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

/// The facts that no move takes away.
fn lasting(logic: &GameLogic) -> Vec<bool> {
    let facts = logic.facts.len();
    let mut lasts = vec![false; facts];
    for first in (0..facts).step_by(64) {
        let holds = |fact: u32| match (fact as usize).checked_sub(first) {
            Some(at) if at < 64 => {
                let case = 1u64 << at;
                // Of the others nothing is known.
                [!case, u64::MAX]
            }
            _ => OPEN,
        };
        let all = imagine(logic, holds, |_| OPEN);
        for at in first..facts.min(first + 64) {
            lasts[at] = must(&all, logic.next[at]) >> (at - first) & 1 == 1;
        }
    }
    lasts
}

/// For each move, the facts that hold after it whatever held before.
fn brought(logic: &GameLogic) -> Vec<Vec<u32>> {
    let moves = logic.does[0].len();
    let mut brought = vec![Vec::new(); moves];
    for first in (0..moves).step_by(64) {
        let does = |mv: u32| match (mv as usize).checked_sub(first) {
            Some(at) if at < 64 => exactly(1 << at),
            _ => known(false),
        };
        let all = imagine(logic, |_| OPEN, does);
        for (fact, &next) in (0..).zip(&logic.next) {
            let mut left = must(&all, next);
            while left != 0 {
                let at = first + left.trailing_zeros() as usize;
                left &= left - 1;
                if at < moves {
                    brought[at].push(fact);
                }
            }
        }
    }
    brought
}

impl Choice {
    /// `None` if the puzzle is not of this kind.
    fn new(
        known: &Known,
        start: &State,
        result: u8,
        bytes: usize,
        budget: &Budget,
    ) -> Result<Option<Choice>, Exhausted> {
        let logic = &*known.logic;
        let (used, recursive) = logic.reach(logic.roots());
        let (lasts, brought) = (lasting(logic), brought(logic));
        let groups = &known.proved.groups;
        let stays = |fact: usize| {
            lasts[fact] || known.time.facts[fact] || groups.constant(fact as u32).is_some()
        };
        let matters = (0..logic.facts.len()).filter(|&fact| used[logic.facts[fact].node()]);
        if recursive || !matters.clone().all(stays) {
            return Ok(None);
        }
        let mut circuit = Circuit::new(bytes);
        let moves: Vec<Lit> = brought.iter().map(|_| circuit.fresh()).collect();
        let mut by: Vec<Vec<Lit>> = vec![Vec::new(); logic.facts.len()];
        for (mv, facts) in brought.iter().enumerate() {
            facts
                .iter()
                .for_each(|&fact| by[fact as usize].push(moves[mv]));
        }
        let mut last = Vec::with_capacity(by.len());
        for (fact, by) in by.iter().enumerate() {
            let held = start.words()[fact / 64] >> (fact % 64) & 1 == 1;
            let value = match (groups.constant(fact as u32), known.time.facts[fact]) {
                (Some(value), _) => circuit.constant(value),
                // How much time passes is left open.
                (None, true) if !lasts[fact] => circuit.fresh(),
                _ if held => circuit.constant(true),
                _ => {
                    let mut any = circuit.constant(false);
                    for &lit in by {
                        any = circuit.or(any, lit);
                    }
                    any
                }
            };
            last.push(value);
        }
        for group in &groups.groups {
            let facts = group.facts.iter().map(|&fact| last[fact as usize]);
            circuit.at_most_one(&facts.collect::<Vec<_>>());
        }
        let end = {
            let values = write(&mut circuit, logic, known.end(result), &last, budget)?;
            let ends = known
                .end(result)
                .into_iter()
                .map(|lit| signal(&values, lit));
            let ends: Vec<Lit> = ends.collect();
            let all = circuit.constant(true);
            ends.into_iter().fold(all, |all, lit| circuit.and(all, lit))
        };
        for (mv, facts) in brought.iter().enumerate() {
            let mut without = last.clone();
            for &fact in facts {
                let held = start.words()[fact as usize / 64] >> (fact % 64) & 1 == 1;
                without[fact as usize] = circuit.constant(held);
            }
            let legal = logic.legal[0][mv];
            let values = write(&mut circuit, logic, vec![legal], &without, budget)?;
            let legal = signal(&values, legal);
            circuit.demand(&[!moves[mv], legal]);
        }
        Ok(Some(Choice {
            circuit,
            moves,
            result,
            end,
        }))
    }
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
