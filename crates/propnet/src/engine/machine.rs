//! Incremental propagation of changes through the flat arrays.

use super::flat::{Link, Lowered, phase};
use game::MoveId;
use std::sync::Arc;

/// The running network: the last state and moves it evaluated, and the values of all gates.
///
/// Only changes between one query and the next are evaluated. A changed fact or move increments
/// or decrements the counters of the gates that it leads to. If the value of a gate may have
/// changed, the gate is queued at its level. Levels are processed in order, so that a gate is
/// evaluated only once however many of its inputs changed. Each phase tracks the state
/// separately and catches up when it is queried.
///
/// Measured and rejected: keeping no counters for and-gates that read a move, and evaluating
/// their inputs when the move is played. Over 200 games of all kinds this was a sixth slower,
/// and many times slower in games with few moves that each condition much logic.
#[derive(Debug, Clone)]
pub(super) struct Machine {
    net: Arc<Lowered>,
    /// The last state that each phase evaluated.
    seen: [Vec<u64>; phase::COUNT],
    /// The last move of each role that was evaluated. It stays set until another move replaces
    /// it, because most roles repeat the same move (a noop) many times.
    joint: Vec<Option<MoveId>>,
    /// Whether a phase may have queued gates.
    stale: [bool; phase::COUNT],
    bits: Vec<u64>,
    gates: Gates,
    /// The gates of a cycle that are known to be true, during its evaluation.
    holding: Vec<u32>,
}

/// The state of the gates.
#[derive(Debug, Clone)]
struct Gates {
    /// The counters. A gate is true while its counter is not negative.
    counts: Vec<i32>,
    /// The value of each gate that its readers have counted.
    told: Vec<bool>,
    queued: Vec<bool>,
    /// For each level the gates to evaluate, stored at the indices of the level's gates.
    queue: Vec<u32>,
    /// The number of gates queued on each level.
    waiting: Vec<u32>,
}

impl Gates {
    /// Queues a gate, or the cycle that it is on.
    fn queue(&mut self, net: &Lowered, gate: usize) {
        let place = net.places[gate];
        if !std::mem::replace(&mut self.queued[place.first as usize], true) {
            let level = place.level as usize;
            self.queue[(net.levels[level] + self.waiting[level]) as usize] = place.first;
            self.waiting[level] += 1;
        }
    }

    /// Reports to a gate that one of its inputs has changed to `value`.
    fn tell(&mut self, net: &Lowered, link: Link, value: bool) {
        let up = value != link.inverted();
        let count = &mut self.counts[link.gate()];
        *count += if up { 1 } else { -1 };
        // A gate on a cycle may be true only because it supports itself. It must be evaluated
        // whenever any of its inputs from outside the cycle changes.
        if *count == i32::from(up) - 1 || link.cyclic() {
            self.queue(net, link.gate());
        }
    }
}

impl Machine {
    /// Creates a machine that has evaluated the state without facts.
    pub(super) fn new(net: Lowered) -> Self {
        let words = net.layout.state_words();
        let mut machine = Machine {
            seen: std::array::from_fn(|_| vec![0; words]),
            joint: vec![None; net.layout.roles()],
            stale: [false; phase::COUNT],
            bits: net.bits.clone(),
            gates: Gates {
                counts: net.counts.clone(),
                told: vec![false; net.gates()],
                queued: vec![false; net.gates()],
                queue: vec![0; net.gates()],
                waiting: vec![0; net.levels.len()],
            },
            holding: Vec::with_capacity(net.largest_cycle),
            net: Arc::new(net),
        };
        for gate in 0..machine.net.gates() {
            if machine.gates.counts[gate] >= 0 || machine.net.places[gate].cycle > 0 {
                machine.gates.queue(&machine.net, gate);
            }
        }
        for phase in 0..phase::COUNT {
            machine.run(phase);
        }
        machine
    }

    pub(super) fn net(&self) -> &Lowered {
        &self.net
    }

    /// The output bits. Each is valid as of the last update of its phase.
    pub(super) fn bits(&self) -> &[u64] {
        &self.bits
    }

    pub(super) fn bit(&self, bit: usize) -> bool {
        self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Updates legality and terminality.
    pub(super) fn show(&mut self, state: &[u64]) {
        self.follow(phase::LEGAL, state);
    }

    /// Updates the goals.
    pub(super) fn show_goals(&mut self, state: &[u64]) {
        for phase in [phase::LEGAL, phase::SHARED, phase::GOAL] {
            self.follow(phase, state);
        }
    }

    /// Updates the transitions. The moves, one for each role, must be moves of the network.
    pub(super) fn show_moves(&mut self, state: &[u64], joint: &[MoveId]) {
        for phase in [phase::LEGAL, phase::SHARED, phase::NEXT] {
            self.follow(phase, state);
        }
        for (role, mv) in joint.iter().enumerate() {
            if self.joint[role] != Some(*mv) {
                if let Some(old) = self.joint[role].replace(*mv) {
                    self.tell_all(self.net.move_source(role, old.0), false);
                }
                self.tell_all(self.net.move_source(role, mv.0), true);
                self.stale[phase::MOVES] = true;
            }
        }
        self.follow(phase::MOVES, state);
    }

    /// Updates one phase to a state.
    fn follow(&mut self, phase: usize, state: &[u64]) {
        for (word, &now) in state.iter().enumerate() {
            let mut changes = self.seen[phase][word] ^ now;
            if changes == 0 {
                continue;
            }
            self.seen[phase][word] = now;
            // Changes in this phase may propagate to the other phases.
            self.stale = [true; phase::COUNT];
            while changes != 0 {
                let bit = changes.trailing_zeros() as usize;
                changes &= changes - 1;
                let source = self.net.fact_source(phase, word * 64 + bit);
                self.tell_all(source, now >> bit & 1 == 1);
            }
        }
        if std::mem::take(&mut self.stale[phase]) {
            self.run(phase);
        }
    }

    /// Reports the new value of a source to all gates that read it.
    fn tell_all(&mut self, source: usize, value: bool) {
        for &link in self.net.links.of(source) {
            self.gates.tell(&self.net, Link::from_item(link), value);
        }
    }

    /// Processes the queue of a phase.
    fn run(&mut self, phase: usize) {
        for level in self.net.phases[phase].clone() {
            let waiting = std::mem::take(&mut self.gates.waiting[level]);
            let start = self.net.levels[level] as usize;
            for i in start..start + waiting as usize {
                let gate = self.gates.queue[i] as usize;
                self.gates.queued[gate] = false;
                match self.net.places[gate].cycle {
                    0 => self.settle(gate),
                    gates => self.settle_cycle(gate..gate + gates as usize),
                }
            }
        }
    }

    /// Reports a changed value of a gate to its readers.
    fn settle(&mut self, gate: usize) {
        let value = self.gates.counts[gate] >= 0;
        if self.gates.told[gate] != value {
            self.gates.told[gate] = value;
            self.tell_all(gate, value);
            self.write(gate);
        }
    }

    /// Flips the output bits of a gate that has changed.
    fn write(&mut self, gate: usize) {
        for &bit in self.net.outputs.of(gate) {
            self.bits[bit as usize / 64] ^= 1 << (bit % 64);
        }
    }

    /// Computes the least fixpoint of a cycle again and reports changed gates to their readers.
    /// Takes time linear in the links of the cycle.
    fn settle_cycle(&mut self, cycle: std::ops::Range<usize>) {
        let (net, gates) = (&*self.net, &mut self.gates);
        let inner = |gate: usize| {
            let links = net
                .links
                .of(gate)
                .iter()
                .map(|&link| Link::from_item(link).gate());
            links.filter(|reader| cycle.contains(reader))
        };
        // Undo what the gates of the cycle have counted of each other.
        for gate in cycle.clone() {
            if gates.told[gate] {
                for reader in inner(gate) {
                    gates.counts[reader] -= 1;
                }
            }
        }
        // Start with the gates that hold without support from the others.
        self.holding.clear();
        let supported = cycle.clone().filter(|&gate| gates.counts[gate] >= 0);
        self.holding.extend(supported.map(|gate| gate as u32));
        // Count again from these.
        let mut done = 0;
        while let Some(&gate) = self.holding.get(done) {
            done += 1;
            for reader in inner(gate as usize) {
                gates.counts[reader] += 1;
                if gates.counts[reader] == 0 {
                    self.holding.push(reader as u32);
                }
            }
        }
        for gate in cycle.clone() {
            let value = gates.counts[gate] >= 0;
            if gates.told[gate] != value {
                gates.told[gate] = value;
                for &link in net.links.of(gate) {
                    let link = Link::from_item(link);
                    if !cycle.contains(&link.gate()) {
                        gates.tell(net, link, value);
                    }
                }
                for &bit in net.outputs.of(gate) {
                    self.bits[bit as usize / 64] ^= 1 << (bit % 64);
                }
            }
        }
    }
}
