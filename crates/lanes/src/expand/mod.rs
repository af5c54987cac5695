//! Expansion in bulk: the children of many moves in one pass.

mod children;
mod fans;
mod order;
mod program;

pub use children::Children;
pub use fans::LaneFans;
pub use order::Order;

use crate::transpose::{load, unload_all};
use bitcode::{Code, Evaluator, Plane};
use budget::Budget;
use game::{EngineError, MoveId, State};
use netlist::{Phased, Phases};
use program::{AHEAD, Does, GOALS, LEGAL, Look, Transition};
use std::ops::Range;
use std::sync::Arc;

/// What is to be computed for the children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ask {
    /// Their legal moves.
    pub legal: bool,
    /// Their results, and for which children.
    pub goals: AskGoals,
}

/// The children whose results are to be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskGoals {
    /// None.
    Never,
    /// Terminal ones.
    Terminal,
    /// All.
    All,
}

impl Default for Ask {
    /// What a search needs.
    fn default() -> Self {
        Ask {
            legal: true,
            goals: AskGoals::Terminal,
        }
    }
}

/// A state and a joint move.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    /// The state, not terminal.
    pub state: &'a State,
    /// One legal move for each role.
    pub joint: &'a [MoveId],
}

/// The programs of one phase.
struct Machine<const W: usize> {
    makes: Box<dyn Evaluator<W>>,
    transition: Transition,
    looks: Box<dyn Evaluator<W>>,
    look: Look,
}

struct Shared<const W: usize> {
    phases: Phases,
    machines: Vec<Machine<W>>,
    roles: usize,
    order: Order,
}

/// Applies moves and evaluates the children, `64 * W` at a time.
///
/// A state has a bit for each fact, in the order of [`netlist::GameLogic::facts`] unless another
/// [`Order`] is given. A move is a position in [`netlist::GameLogic::does`]. The network's engine
/// uses the same states and moves.
pub struct Expander<const W: usize> {
    shared: Arc<Shared<W>>,
    memory: Vec<Plane<W>>,
    rows: Vec<[u64; 64]>,
    order: Vec<(usize, usize)>,
}

impl<const W: usize> Expander<W> {
    /// Prepares expansion for a game.
    ///
    /// `compile` makes programs runnable: natively, or by [`bitcode::Interpreter`].
    pub fn new(logic: &Phased, compile: impl Fn(&Code) -> Box<dyn Evaluator<W>>) -> Self {
        let order = Order::plain(logic.logics[0].next.len());
        Self::in_order(logic, order, compile, None)
    }

    /// Like [`Expander::new`], for states with this order of facts.
    ///
    /// With a budget it also prepares the outlooks of [`LaneFans`]; those whose circuits cannot be
    /// built within the budget are left out.
    pub fn in_order(
        logic: &Phased,
        order: Order,
        compile: impl Fn(&Code) -> Box<dyn Evaluator<W>>,
        foresee: Option<&Budget>,
    ) -> Self {
        let period = logic.logics.len();
        let machines = logic.logics.iter().enumerate().map(|(phase, of_phase)| {
            let next = |count: usize| &logic.logics[(phase + count) % period];
            let foresee = foresee.map(|budget| ([next(1), next(2)], budget));
            let look = Look::new(of_phase, &order, foresee);
            let transition = Transition::new(of_phase, &order);
            Machine {
                makes: compile(&transition.code),
                transition,
                looks: compile(&look.code),
                look,
            }
        });
        Self::on(Arc::new(Shared {
            machines: machines.collect(),
            phases: logic.phases.clone(),
            roles: logic.logics[0].roles(),
            order,
        }))
    }

    /// A second expander for another thread.
    pub fn fork(&self) -> Self {
        Self::on(self.shared.clone())
    }

    fn on(shared: Arc<Shared<W>>) -> Self {
        let machines = shared.machines.iter();
        let planes = machines.map(|m| m.makes.planes().max(m.looks.planes()));
        Expander {
            memory: vec![Plane::FALSE; planes.max().unwrap_or(0)],
            shared,
            rows: Vec::new(),
            order: Vec::new(),
        }
    }

    /// The number of pairs expanded in one pass. Fewer at a time take as long.
    pub fn width(&self) -> usize {
        Plane::<W>::LANES
    }

    /// Applies the moves of all pairs, and replaces `children` by the child states.
    ///
    /// # Errors
    /// If a state or a move does not belong to this game, or the budget runs out. An illegal
    /// move, or a terminal state, gives an unspecified child.
    pub fn expand(
        &mut self,
        pairs: &[Pair<'_>],
        ask: Ask,
        children: &mut Children,
        budget: &Budget,
    ) -> Result<(), EngineError> {
        let shared = self.shared.clone();
        children.reset(shared.roles, shared.order.words(), pairs.len());
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        for (i, pair) in pairs.iter().enumerate() {
            order.push((shared.phase(pair.state)?, i));
        }
        order.sort_unstable();
        let mut result = Ok(());
        for group in order.chunk_by(|a, b| a.0 == b.0) {
            for batch in group.chunks(Plane::<W>::LANES) {
                result = budget.check().map_err(EngineError::from).and_then(|()| {
                    load(&mut self.memory[..shared.order.bits()], |lane| {
                        let &(_, pair) = batch.get(lane)?;
                        Some(pairs[pair].state.words())
                    });
                    let joint = |lane: usize| pairs[batch[lane].1].joint;
                    self.make(batch[0].0, batch.len(), joint)?;
                    let child = |lane: usize| batch[lane].1;
                    self.look(batch[0].0, batch.len(), child, ask, children);
                    Ok(())
                });
                if result.is_err() {
                    break;
                }
            }
        }
        self.order = order;
        result
    }

    /// Evaluates states themselves, as if they were children.
    ///
    /// # Errors
    /// If a state does not belong to this game, or the budget runs out.
    pub fn examine(
        &mut self,
        states: &[&State],
        ask: Ask,
        children: &mut Children,
        budget: &Budget,
    ) -> Result<(), EngineError> {
        let shared = self.shared.clone();
        let period = shared.machines.len();
        children.reset(shared.roles, shared.order.words(), states.len());
        let mut order: Vec<(usize, usize)> = Vec::with_capacity(states.len());
        for (at, state) in states.iter().enumerate() {
            order.push((shared.phase(state)?, at));
        }
        order.sort_unstable();
        for group in order.chunk_by(|a, b| a.0 == b.0) {
            // `look` evaluates states of the phase after the one it is given.
            let before = (group[0].0 + period - 1) % period;
            for batch in group.chunks(Plane::<W>::LANES) {
                budget.check()?;
                load(&mut self.memory[shared.next()], |lane| {
                    let &(_, at) = batch.get(lane)?;
                    Some(states[at].words())
                });
                self.look(before, batch.len(), |lane| batch[lane].1, ask, children);
            }
        }
        Ok(())
    }

    /// Generates all children of a state.
    ///
    /// `joints` becomes all legal joint moves, one after the other: each holds a move of every
    /// role, and the last role's changes fastest. There are none if the state is terminal or a
    /// role has no move.
    ///
    /// # Errors
    /// If the state does not belong to this game, or the budget does not suffice for its
    /// children.
    pub fn children(
        &mut self,
        state: &State,
        ask: Ask,
        joints: &mut Vec<MoveId>,
        children: &mut Children,
        budget: &Budget,
    ) -> Result<(), EngineError> {
        let shared = self.shared.clone();
        let (roles, words) = (shared.roles, shared.order.words());
        let phase = shared.phase(state)?;
        joints.clear();
        splat(&mut self.memory[shared.next()], state.words());
        children.reset(roles, words, 1);
        let legal = Ask {
            legal: true,
            goals: AskGoals::Never,
        };
        // `look` evaluates states of the phase after the one it is given.
        let before = (phase + shared.machines.len() - 1) % shared.machines.len();
        self.look(before, 1, |_| 0, legal, children);
        let moves = (0..roles).map(|role| children.legal(0, role).len());
        let count = moves.fold(1usize, usize::saturating_mul);
        let bytes = size_of::<MoveId>() * roles + 8 * words + roles * 16;
        budget.check_memory(count.saturating_mul(bytes))?;
        for child in 0..count {
            let mut rest = child;
            let from = joints.len();
            joints.resize(from + roles, MoveId(0));
            for role in (0..roles).rev() {
                let moves = children.legal(0, role);
                joints[from + role] = moves[rest % moves.len()];
                rest /= moves.len();
            }
        }
        children.reset(roles, words, count);
        for first in (0..count).step_by(Plane::<W>::LANES) {
            budget.check()?;
            splat(&mut self.memory[..shared.order.bits()], state.words());
            let lanes = (count - first).min(Plane::<W>::LANES);
            let joint = |lane: usize| &joints[(first + lane) * roles..][..roles];
            self.make(phase, lanes, joint)?;
            self.look(phase, lanes, |lane| first + lane, ask, children);
        }
        Ok(())
    }

    /// Applies joint moves to the states in memory.
    fn make<'j>(
        &mut self,
        phase: usize,
        lanes: usize,
        joint: impl Fn(usize) -> &'j [MoveId],
    ) -> Result<(), EngineError> {
        let Machine {
            transition, makes, ..
        } = &self.shared.machines[phase];
        self.memory[transition.planes.clone()].fill(Plane::FALSE);
        for lane in 0..lanes {
            let joint = joint(lane);
            if joint.len() != transition.does.len() {
                return Err(EngineError::Rules("every role makes one move".into()));
            }
            for (row, mv) in transition.does.iter().zip(joint) {
                match row.get(mv.0 as usize) {
                    Some(Does::Plane(plane)) => self.memory[*plane as usize].set(lane, true),
                    Some(Does::Always) => {}
                    Some(Does::Never) | None => {
                        return Err(EngineError::Rules("the move is never legal here".into()));
                    }
                }
            }
        }
        makes.run(0, &mut self.memory);
        Ok(())
    }

    /// Evaluates the states that follow a phase. `child` maps a lane to its child.
    fn look(
        &mut self,
        phase: usize,
        lanes: usize,
        child: impl Fn(usize) -> usize,
        ask: Ask,
        children: &mut Children,
    ) {
        let shared = self.shared.clone();
        let machine = &shared.machines[(phase + 1) % shared.machines.len()];
        let look = &machine.look;
        machine.looks.run(LEGAL, &mut self.memory);
        let here = first_lanes::<W>(lanes);
        let terminal = self.memory[look.terminal].zip(&here, |a, b| a & b);
        for lane in terminal.lanes() {
            children.terminal[child(lane)] = true;
        }
        let words = children.words;
        for w in 0..lanes.div_ceil(64) {
            unload_all(&self.memory[shared.next()], w, &mut self.rows);
            for lane in 64 * w..lanes.min(64 * w + 64) {
                let state = &mut children.states[child(lane) * words..][..words];
                for (word, square) in state.iter_mut().zip(&self.rows) {
                    *word = square[lane % 64];
                }
            }
        }
        let asked = match ask.goals {
            AskGoals::Never => Plane::FALSE,
            AskGoals::Terminal => terminal,
            AskGoals::All => here,
        };
        if !asked.is_false() {
            machine.looks.run(GOALS, &mut self.memory);
            for (role, goals) in look.goals.iter().enumerate() {
                for &(value, plane) in goals {
                    let reached = self.memory[plane].zip(&asked, |a, b| a & b);
                    for lane in reached.lanes() {
                        children.goals[child(lane) * shared.roles + role] = Some(value);
                    }
                }
            }
        }
        let running = here.zip(&terminal, |a, b| a & !b);
        if ask.legal && !running.is_false() {
            self.legal(look, &running, child, children);
        }
    }

    fn legal(
        &mut self,
        look: &Look,
        running: &Plane<W>,
        child: impl Fn(usize) -> usize,
        children: &mut Children,
    ) {
        for (role, (moves, first)) in look.legal.iter().enumerate() {
            for w in 0..W {
                if running.0[w] == 0 {
                    continue;
                }
                let planes = &self.memory[*first..first + moves.len()];
                unload_all(planes, w, &mut self.rows);
                let mut lanes = running.0[w];
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    let start = children.legal.len() as u32;
                    for (square, moves) in self.rows.iter().zip(moves.chunks(64)) {
                        let mut legal = square[lane];
                        while legal != 0 {
                            let mv = moves[legal.trailing_zeros() as usize];
                            children.legal.push(MoveId(mv));
                            legal &= legal - 1;
                        }
                    }
                    let range = start..children.legal.len() as u32;
                    children.legal_of[child(64 * w + lane) * children.roles + role] = range;
                }
            }
        }
    }
}

impl<const W: usize> Shared<W> {
    /// The planes of the states after a move.
    fn next(&self) -> Range<usize> {
        self.order.bits()..2 * self.order.bits()
    }

    /// The phase of a state.
    fn phase(&self, state: &State) -> Result<usize, EngineError> {
        let words = state.words();
        let holds = |fact: u32| self.order.holds(words, fact as usize);
        let right_size = words.len() == self.order.words();
        let phase = right_size.then(|| self.phases.of(holds)).flatten();
        phase.ok_or_else(|| EngineError::Rules("the state is one that play does not reach".into()))
    }
}

/// True in the first `lanes` lanes.
fn first_lanes<const W: usize>(lanes: usize) -> Plane<W> {
    Plane(std::array::from_fn(|w| {
        let left = lanes.saturating_sub(64 * w);
        if left < 64 { (1 << left) - 1 } else { !0 }
    }))
}

/// The same state in every lane.
fn splat<const W: usize>(planes: &mut [Plane<W>], words: &[u64]) {
    planes.fill(Plane::FALSE);
    for (&word, planes) in words.iter().zip(planes.chunks_mut(64)) {
        let mut left = word;
        while left != 0 {
            planes[left.trailing_zeros() as usize] = Plane::TRUE;
            left &= left - 1;
        }
    }
}
