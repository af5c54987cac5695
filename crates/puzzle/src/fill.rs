//! Puzzles whose facts change once, if at all: which moves are made matters, not when.
//!
//! Such a puzzle (sudoku, queens) is one circuit: the last state is the first one with what the
//! chosen moves change. A move is possible if it is legal in the last state without what it
//! changed itself. The moves are then put into an order by playing them.

use crate::circuit::{Answer, Circuit};
use crate::found::Board;
use crate::imagine::{self, May, OPEN, exactly, imagine, may, must};
use crate::method::{Method, State as Status, Work};
use crate::pigeonhole::used_up;
use crate::problem::{Known, Problem};
use crate::space::{Brood, Space};
use crate::unroll::signal;
use batsat::Lit;
use budget::{Budget, Exhausted};
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

/// For each fact, whether it stays absent once it is, and whether it stays once it holds.
fn settled(logic: &GameLogic) -> Vec<[bool; 2]> {
    let facts = logic.facts.len();
    let mut settled = vec![[false; 2]; facts];
    for first in (0..facts).step_by(64) {
        for value in [false, true] {
            // In each case one fact has the value, and of the others nothing is known.
            let holds = |fact: u32| match (fact as usize).checked_sub(first) {
                Some(at) if at < 64 && value => [!(1u64 << at), u64::MAX],
                Some(at) if at < 64 => [u64::MAX, !(1u64 << at)],
                _ => OPEN,
            };
            let all = imagine(logic, holds, |_| OPEN);
            let these = settled.iter_mut().zip(&logic.next).skip(first).take(64);
            for (at, (settled, &next)) in these.enumerate() {
                let may = may(&all, next)[usize::from(!value)];
                settled[usize::from(value)] = may >> at & 1 == 0;
            }
        }
    }
    settled
}

/// Whether a fact keeps a value once it has it, whatever legal move is made. What excludes the fact
/// is false then, so that a digit in a square forbids others there. A value that ends play is kept.
fn stays(
    logic: &GameLogic,
    groups: &Groups,
    fact: u32,
    value: bool,
    budget: &Budget,
) -> Result<bool, Exhausted> {
    let mut excluded = vec![false; logic.facts.len()];
    let with = groups
        .groups
        .iter()
        .filter(|group| value && group.facts.contains(&fact));
    for &other in with.flat_map(|group| &group.facts) {
        excluded[other as usize] = true;
    }
    let holds = |other: u32| match excluded[other as usize] {
        _ if other == fact => imagine::known(value),
        true => imagine::known(false),
        false => OPEN,
    };
    if must(&imagine(logic, holds, |_| OPEN), logic.terminal) == u64::MAX {
        return Ok(true);
    }
    for (first, moves) in (0..).step_by(64).zip(logic.legal[0].chunks(64)) {
        budget.check()?;
        let all = imagine(logic, holds, |mv| moves_of(mv, first));
        let changes = may(&all, logic.next[fact as usize])[usize::from(!value)];
        let changing =
            |(at, &legal): (usize, &netlist::Lit)| (changes & may(&all, legal)[1]) >> at & 1 == 1;
        if moves.iter().enumerate().any(changing) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// In case `at`, move `first + at` is made.
fn moves_of(mv: u32, first: usize) -> May {
    match (mv as usize).checked_sub(first) {
        Some(at) if at < 64 => exactly(1 << at),
        _ => imagine::known(false),
    }
}

/// For each move, the facts that hold after it, and those that do not, whatever held before.
fn effects(logic: &GameLogic) -> Vec<Vec<(u32, bool)>> {
    let moves = logic.does[0].len();
    let mut effects = vec![Vec::new(); moves];
    for first in (0..moves).step_by(64) {
        let all = imagine(logic, |_| OPEN, |mv| moves_of(mv, first));
        for (fact, &next) in (0..).zip(&logic.next) {
            for value in [false, true] {
                let mut left = !may(&all, next)[usize::from(!value)];
                while left != 0 {
                    let at = first + left.trailing_zeros() as usize;
                    left &= left - 1;
                    if at < moves {
                        effects[at].push((fact, value));
                    }
                }
            }
        }
    }
    effects
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
        let logic = &*known.logic;
        let (used, recursive) = logic.reach(logic.roots());
        let mut settled = settled(logic);
        let groups = &known.proved.groups;
        let holds = |fact: usize| start.words()[fact / 64] >> (fact % 64) & 1 == 1;
        for (fact, settled) in settled.iter_mut().enumerate() {
            let known = known.time.facts[fact] || groups.constant(fact as u32).is_some();
            if !used[logic.facts[fact].node()] || known || settled.contains(&true) {
                continue;
            }
            // It stays once it has changed, or from the beginning.
            for value in [!holds(fact), holds(fact)] {
                settled[usize::from(value)] = stays(logic, groups, fact as u32, value, budget)?;
                if settled[usize::from(value)] {
                    break;
                }
            }
            if !settled.contains(&true) {
                return Ok(None);
            }
        }
        // A fact that changes once, from what it is now, is decided by the moves.
        let once = |fact: usize| settled[fact][usize::from(!holds(fact))];
        let mut effects = effects(logic);
        for effects in &mut effects {
            effects.retain(|&(fact, value)| holds(fact as usize) != value && once(fact as usize));
        }
        let fixed = |fact: usize| {
            let constant = groups.constant(fact as u32);
            let stays = settled[fact][usize::from(holds(fact))].then_some(holds(fact));
            constant.or(stays)
        };
        let decided = |fact: usize| once(fact) || known.time.facts[fact] || fixed(fact).is_some();
        let mut matters = (0..logic.facts.len()).filter(|&fact| used[logic.facts[fact].node()]);
        if recursive || !matters.all(decided) {
            return Ok(None);
        }
        let mut circuit = Circuit::new(bytes);
        let moves: Vec<Lit> = effects.iter().map(|_| circuit.fresh()).collect();
        let mut by: Vec<Vec<Lit>> = vec![Vec::new(); logic.facts.len()];
        for (mv, effects) in effects.iter().enumerate() {
            for &(fact, _) in effects {
                by[fact as usize].push(moves[mv]);
            }
        }
        let mut last = Vec::with_capacity(by.len());
        for (fact, by) in by.iter().enumerate() {
            let value = if let Some(value) = fixed(fact) {
                circuit.constant(value)
            } else if known.time.facts[fact] {
                // How much time passes is left open.
                circuit.fresh()
            } else {
                let mut changed = circuit.constant(false);
                for &lit in by {
                    changed = circuit.or(changed, lit);
                }
                if holds(fact) { !changed } else { changed }
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
        for (mv, effects) in effects.iter().enumerate() {
            let mut without = last.clone();
            for &(fact, value) in effects {
                without[fact as usize] = circuit.constant(!value);
            }
            let legal = logic.legal[0][mv];
            let values = write(&mut circuit, logic, vec![legal], &without, budget)?;
            let legal = signal(&values, legal);
            circuit.demand(&[!moves[mv], legal]);
        }
        circuit.demand(&[end]);
        circuit.settle();
        use_up(&mut circuit, groups, &last);
        // Where time alone ends play, the number of moves is known.
        let now = |fact: u32| match known.time.facts[fact as usize] {
            true => imagine::known(holds(fact as usize)),
            false => OPEN,
        };
        let all = imagine(logic, now, |_| OPEN);
        let early = may(&all, logic.terminal)[1] & 1 == 1;
        if let Some(plies) = horizon.filter(|_| !early) {
            count(&mut circuit, &moves, plies, budget)?;
        }
        Ok(Some(Choice {
            circuit,
            moves,
            result,
        }))
    }
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
