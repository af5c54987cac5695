//! All moves of a role in one state, for engines with their own order of facts.

use super::{AHEAD, Expander, LEGAL, first_lanes, splat};
use crate::transpose::{load, unload_first};
use bitcode::Plane;
use game::{EngineError, Fan, Fans, MoveId, Outlook, Parent, RoleId, State};

/// Evaluates the moves of a role side by side, one lane each.
pub struct LaneFans<const W: usize> {
    expander: Expander<W>,
    least: usize,
    foresees: bool,
    /// The joint moves of a pass, one after the other.
    joints: Vec<MoveId>,
    /// For each successor its phase, the parent, the move and its place in the fan.
    tasks: Vec<Task>,
}

/// The phase, the parent, the number of the move, the place in the fan.
type Task = (usize, usize, usize, usize);

impl<const W: usize> LaneFans<W> {
    /// For an engine whose states have the order of the expander. `least` is the number of moves
    /// from which it is faster than the engine.
    pub fn new(expander: Expander<W>, least: usize) -> Self {
        LaneFans {
            expander,
            least,
            foresees: false,
            joints: Vec::new(),
            tasks: Vec::new(),
        }
    }

    /// Sets the number of moves from which it is faster than the engine.
    pub fn with_least(mut self, least: usize) -> Self {
        self.least = least;
        self
    }

    /// Writes the successors in the first `lanes` lanes into a fan; `place` has the position of
    /// each.
    fn write_successors(
        &mut self,
        phase: usize,
        lanes: usize,
        place: impl Fn(usize) -> usize,
        fan: &mut Fan,
    ) {
        let Expander {
            shared,
            memory,
            rows,
            ..
        } = &mut self.expander;
        let machine = &shared.machines[(phase + 1) % shared.machines.len()];
        let look = &machine.look;
        machine.looks.run(LEGAL, memory);
        let here = first_lanes::<W>(lanes);
        for lane in memory[look.terminal].zip(&here, |a, b| a & b).lanes() {
            fan.end(place(lane));
        }
        let next = shared.next();
        for w in 0..lanes.div_ceil(64) {
            let part = 64 * w..lanes.min(64 * w + 64);
            unload_first(&memory[next.clone()], w, part.len(), rows);
            for lane in part.clone() {
                let words = fan.state_mut(place(lane)).words_mut();
                words.clear();
                words.extend(rows.iter().map(|square| square[lane % 64]));
            }
            for (role, (moves, from)) in look.legal.iter().enumerate() {
                unload_first(&memory[*from..from + moves.len()], w, part.len(), rows);
                for lane in part.clone() {
                    let legal = rows.iter().map(|square| square[lane % 64].count_ones());
                    fan.choices_mut(place(lane))[role] = legal.sum();
                }
            }
        }
        if self.foresees {
            self.write_outlooks(phase, lanes, place, fan);
        }
    }

    /// Writes the outlooks of these successors.
    fn write_outlooks(
        &mut self,
        phase: usize,
        lanes: usize,
        place: impl Fn(usize) -> usize,
        fan: &mut Fan,
    ) {
        let Expander {
            shared,
            memory,
            rows,
            ..
        } = &mut self.expander;
        let machine = &shared.machines[(phase + 1) % shared.machines.len()];
        let Some(outlook) = &machine.look.outlook else {
            return;
        };
        machine.looks.run(AHEAD, memory);
        let role = RoleId(outlook.role);
        for w in 0..lanes.div_ceil(64) {
            let part = 64 * w..lanes.min(64 * w + 64);
            unload_first(&memory[outlook.planes.clone()], w, part.len(), rows);
            for lane in part {
                let told = rows[0][lane % 64];
                let count = (told >> 1) as u32;
                let outlook = Outlook {
                    role,
                    wins: told & 1 == 1,
                    careful: outlook.then.map(|then| (RoleId(then), count)),
                };
                fan.foresee(place(lane), outlook);
            }
        }
    }
}

impl<const W: usize> Fans for LaneFans<W> {
    fn least(&self) -> usize {
        self.least
    }

    fn fan(
        &mut self,
        state: &State,
        joint: &[MoveId],
        role: RoleId,
        moves: &[MoveId],
        fan: &mut Fan,
    ) -> Result<(), EngineError> {
        let shared = self.expander.shared.clone();
        let phase = shared.phase(state)?;
        if role.0 >= joint.len() {
            return Err(strange("there is no such role"));
        }
        fan.reset(shared.roles, moves.len());
        let mut joints = std::mem::take(&mut self.joints);
        for (number, moves) in moves.chunks(Plane::<W>::LANES).enumerate() {
            let facts = &mut self.expander.memory[..shared.order.bits()];
            splat(facts, state.words());
            joints.clear();
            for &mv in moves {
                let from = joints.len();
                joints.extend_from_slice(joint);
                joints[from + role.0] = mv;
            }
            let of = |lane: usize| &joints[lane * joint.len()..][..joint.len()];
            self.expander.make(phase, moves.len(), of)?;
            let first = number * Plane::<W>::LANES;
            self.write_successors(phase, moves.len(), |lane| first + lane, fan);
        }
        self.joints = joints;
        Ok(())
    }

    fn fan_all(&mut self, parents: &[Parent<'_>], fan: &mut Fan) -> Result<(), EngineError> {
        let shared = self.expander.shared.clone();
        let mut tasks = std::mem::take(&mut self.tasks);
        tasks.clear();
        for (number, parent) in parents.iter().enumerate() {
            let phase = shared.phase(parent.state)?;
            if parent.joint.len() != shared.roles || parent.role.0 >= shared.roles {
                return Err(strange("every role makes one move"));
            }
            let first = tasks.len();
            let moves = 0..parent.moves.len();
            tasks.extend(moves.map(|mv| (phase, number, mv, first + mv)));
        }
        fan.reset(shared.roles, tasks.len());
        // A pass is for one phase; successors of a parent stay together.
        tasks.sort_by_key(|&(phase, ..)| phase);
        let mut joints = std::mem::take(&mut self.joints);
        for group in tasks.chunk_by(|a, b| a.0 == b.0) {
            for pass in group.chunks(Plane::<W>::LANES) {
                let facts = &mut self.expander.memory[..shared.order.bits()];
                load(facts, |lane| {
                    let &(_, parent, ..) = pass.get(lane)?;
                    Some(parents[parent].state.words())
                });
                joints.clear();
                for &(_, parent, mv, _) in pass {
                    let Parent {
                        joint, role, moves, ..
                    } = parents[parent];
                    let from = joints.len();
                    joints.extend_from_slice(joint);
                    joints[from + role.0] = moves[mv];
                }
                let of = |lane: usize| &joints[lane * shared.roles..][..shared.roles];
                self.expander.make(group[0].0, pass.len(), of)?;
                self.write_successors(group[0].0, pass.len(), |lane| pass[lane].3, fan);
            }
        }
        (self.joints, self.tasks) = (joints, tasks);
        Ok(())
    }

    fn foresee(&mut self) -> bool {
        let mut machines = self.expander.shared.machines.iter();
        self.foresees = machines.any(|machine| machine.look.outlook.is_some());
        self.foresees
    }

    fn fork(&self) -> Box<dyn Fans> {
        let mut fork = Self::new(self.expander.fork(), self.least);
        fork.foresees = self.foresees;
        Box::new(fork)
    }
}

fn strange(what: &str) -> EngineError {
    EngineError::Rules(what.into())
}
