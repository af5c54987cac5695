//! Random play of 64 games in lockstep, to sample facts and moves.

use netlist::{GameLogic, Gate, Lit};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Number of games in lockstep: one per bit of a word.
const LANES: usize = 64;

/// Random play from the initial state, game after game in every lane.
///
/// Each role plays one of its legal moves, chosen uniformly. A lane whose game has ended, or in
/// which a role has no legal move, restarts from the initial state. The code is simple rather
/// than fast; it is meant for some thousand states.
pub struct Play<'l> {
    logic: &'l GameLogic,
    rng: Xoshiro256PlusPlus,
    /// The words of all nodes.
    values: Vec<u64>,
    /// The facts of the initial state, and of the next one.
    initial: Vec<u64>,
    next: Vec<u64>,
    /// The recursive signals, cycle by cycle.
    cycles: Vec<Cycle>,
    /// Whether recursive signals depend on moves.
    moved: bool,
    /// Other gates in order: those that legality and terminality need, and those that only the
    /// next state needs.
    now: Vec<u32>,
    then: Vec<u32>,
    /// Gates that the goals need, beyond legality and terminality.
    ends: Vec<u32>,
    /// Lanes that restart with the next step, whether their game has ended or not.
    fresh: u64,
    /// Gates evaluated and moves examined.
    work: u64,
}

/// The recursive signals of a cycle.
struct Cycle {
    /// Their positions in [`GameLogic::fixes`].
    fixes: std::ops::Range<usize>,
    /// Gates outside the cycle that the signals need, unless an earlier cycle needs them too.
    outside: Vec<u32>,
    /// Gates from the signals to their new values.
    round: Vec<u32>,
}

impl Cycle {
    /// All cycles. On return `done` marks the gates that are in one of them.
    ///
    /// A cycle depends on itself and on earlier ones alone, so that each gate is visited once, for
    /// the first cycle that needs it.
    fn all(logic: &GameLogic, done: &mut [bool]) -> Vec<Cycle> {
        let net = &logic.net;
        let (mut cycles, mut start, mut stack) = (Vec::new(), 0, Vec::new());
        // The cycle on whose signals a node depends, through gates that no earlier one needs.
        let mut inside = vec![usize::MAX; net.len()];
        for (number, fixes) in logic.fixes.chunk_by(|a, b| a.cycle == b.cycle).enumerate() {
            for fix in fixes {
                inside[fix.input.node()] = number;
            }
            let mut gates = Vec::new();
            stack.extend(fixes.iter().map(|fix| fix.value.node()));
            while let Some(node) = stack.pop() {
                if net.gate(node).is_logic() && !std::mem::replace(&mut done[node], true) {
                    gates.push(node as u32);
                    stack.extend(net.gate(node).reads().map(Lit::node));
                }
            }
            gates.sort_unstable();
            let (round, outside) = gates.into_iter().partition(|&node| {
                let mut reads = net.gate(node as usize).reads();
                let depends = reads.any(|read| inside[read.node()] == number);
                if depends {
                    inside[node as usize] = number;
                }
                depends
            });
            cycles.push(Cycle {
                fixes: start..start + fixes.len(),
                outside,
                round,
            });
            start += fixes.len();
        }
        cycles
    }
}

/// The nodes that depend on these signals, directly or through gates.
fn after(logic: &GameLogic, signals: impl Iterator<Item = Lit>) -> Vec<bool> {
    let mut after = vec![false; logic.net.len()];
    for signal in signals {
        after[signal.node()] = true;
    }
    for node in 0..after.len() {
        if let Gate::And(a, b) | Gate::Xor(a, b) = logic.net.gate(node) {
            after[node] = after[a.node()] || after[b.node()];
        }
    }
    after
}

impl<'l> Play<'l> {
    /// Starts 64 games in the initial state.
    pub fn new(logic: &'l GameLogic, seed: u64) -> Self {
        let mut initial = vec![0u64; logic.facts.len()];
        for &fact in &logic.words.initial {
            initial[fact as usize] = u64::MAX;
        }
        let mut done = vec![false; logic.net.len()];
        let cycles = Cycle::all(logic, &mut done);
        let made = after(logic, logic.does.iter().flatten().copied());
        let moved = logic.fix_roots().any(|value| made[value.node()]);
        let (mut now, mut then, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        let first = logic.net.cone(logic.legal_roots().chain(logic.fix_roots()));
        let next = logic.next.iter().copied();
        let all = logic
            .net
            .cone(logic.legal_roots().chain(logic.fix_roots()).chain(next));
        let goals = logic.net.cone(logic.goal_roots());
        for (node, gate) in logic.net.gates().iter().enumerate() {
            if !gate.is_logic() || done[node] {
                continue;
            }
            if first[node] {
                now.push(node as u32);
                continue;
            }
            if all[node] {
                then.push(node as u32);
            }
            if goals[node] {
                ends.push(node as u32);
            }
        }
        let mut play = Play {
            logic,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            values: vec![0; logic.net.len()],
            next: initial.clone(),
            initial,
            cycles,
            moved,
            now,
            then,
            ends,
            fresh: 0,
            work: 0,
        };
        play.look();
        play
    }

    /// The lanes in which the signal is true. Signals that depend on moves are those of the last
    /// moves; goals are valid after [`Play::results`].
    pub fn word(&self, lit: Lit) -> u64 {
        netlist::word(&self.values, lit)
    }

    /// The work so far, in gates evaluated and moves examined. A measure of time that does not
    /// read a clock.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// Plays one move of every role in every lane, or restarts the lane. Legality is valid
    /// afterwards.
    pub fn step(&mut self) {
        self.go_on();
    }

    /// Does the same and returns the lanes in which play continued.
    fn go_on(&mut self) -> u64 {
        self.go_on_with(&[])
    }

    /// Plays the given moves, and random ones for other roles, in every lane. Returns the lanes
    /// in which the given moves were legal and play continued.
    pub(crate) fn go_on_with(&mut self, made: &[(u16, u32)]) -> u64 {
        let logic = self.logic;
        let mut begin = self.word(logic.terminal) | std::mem::take(&mut self.fresh);
        for role in 0..logic.roles() {
            begin |= match made.iter().find(|(of, _)| usize::from(*of) == role) {
                Some(&(_, mv)) => !self.force(role, mv as usize),
                None => !self.choose(role),
            };
        }
        self.follow(begin);
        !begin
    }

    /// Makes these lanes restart with the next step, whether their game has ended or not.
    pub fn restart(&mut self, lanes: u64) {
        self.fresh |= lanes;
    }

    /// Evaluates the goals in the present states.
    pub fn results(&mut self) {
        run(&self.logic.net, &self.ends, &mut self.values);
    }

    /// Continues from other states: `holds` returns the lanes in which a fact holds.
    pub fn enter(&mut self, holds: impl Fn(u32) -> u64) {
        for (fact, next) in self.next.iter_mut().enumerate() {
            *next = holds(fact as u32);
        }
        self.fresh = 0;
        self.look();
    }

    /// Plays the given moves: `made` returns for a role and one of its moves the lanes in which
    /// it is played. Where a role plays none, or an illegal one, the next state is meaningless.
    pub fn make(&mut self, made: impl Fn(usize, usize) -> u64) {
        for (role, does) in self.logic.does.iter().enumerate() {
            for (mv, &done) in does.iter().enumerate() {
                self.values[done.node()] = made(role, mv);
            }
        }
        self.follow(0);
    }

    /// Computes the states after the moves, or the initial state in the lanes `begin`.
    fn follow(&mut self, begin: u64) {
        let logic = self.logic;
        if self.moved {
            self.settle();
        }
        run(&logic.net, &self.then, &mut self.values);
        self.work += self.then.len() as u64;
        for (fact, &lit) in logic.next.iter().enumerate() {
            let next = netlist::word(&self.values, lit);
            self.next[fact] = next & !begin | self.initial[fact] & begin;
        }
        self.look();
    }

    /// Moves to the next state and evaluates legality and terminality there.
    fn look(&mut self) {
        for (&lit, &word) in self.logic.facts.iter().zip(&self.next) {
            self.values[lit.node()] = word;
        }
        self.settle();
    }

    /// Evaluates everything that does not depend on moves, and the recursive signals, including
    /// those that do. Each cycle starts from false and is repeated until nothing changes.
    fn settle(&mut self) {
        let (net, values) = (&self.logic.net, &mut self.values);
        for cycle in &self.cycles {
            let fixes = &self.logic.fixes[cycle.fixes.clone()];
            for fix in fixes {
                values[fix.input.node()] = 0;
            }
            run(net, &cycle.outside, values);
            self.work += cycle.outside.len() as u64;
            loop {
                run(net, &cycle.round, values);
                self.work += cycle.round.len() as u64;
                let mut changed = false;
                for fix in fixes {
                    let value = netlist::word(values, fix.value);
                    changed |= values[fix.input.node()] != value;
                    values[fix.input.node()] = value;
                }
                if !changed {
                    break;
                }
            }
        }
        run(net, &self.now, values);
        self.work += self.now.len() as u64;
    }

    /// Plays a move of the role in every lane. Returns the lanes in which it is legal.
    fn force(&mut self, role: usize, mv: usize) -> u64 {
        for &done in &self.logic.does[role] {
            self.values[done.node()] = 0;
        }
        self.values[self.logic.does[role][mv].node()] = u64::MAX;
        self.word(self.logic.legal[role][mv])
    }

    /// Plays a random legal move of the role in every lane that has one. Returns those lanes.
    fn choose(&mut self, role: usize) -> u64 {
        let (legal, does) = (&self.logic.legal[role], &self.logic.does[role]);
        self.work += 2 * legal.len() as u64;
        let mut left = [0u32; LANES];
        for &lit in legal {
            each_bit(netlist::word(&self.values, lit), |lane| left[lane] += 1);
        }
        let mut able = 0u64;
        for (lane, left) in left.iter_mut().enumerate() {
            if *left > 0 {
                able |= 1 << lane;
                *left = self.rng.random_range(0..*left) + 1;
            }
        }
        for (&lit, &done) in legal.iter().zip(does) {
            let mut made = 0u64;
            each_bit(netlist::word(&self.values, lit), |lane| {
                left[lane] = left[lane].wrapping_sub(1);
                made |= u64::from(left[lane] == 0) << lane;
            });
            self.values[done.node()] = made;
        }
        able
    }
}

fn each_bit(mut word: u64, mut visit: impl FnMut(usize)) {
    while word != 0 {
        visit(word.trailing_zeros() as usize);
        word &= word - 1;
    }
}

/// Evaluates the gates in order.
fn run(net: &netlist::Netlist, order: &[u32], values: &mut [u64]) {
    for &node in order {
        values[node as usize] = match net.gate(node as usize) {
            Gate::And(a, b) => netlist::word(values, a) & netlist::word(values, b),
            Gate::Xor(a, b) => netlist::word(values, a) ^ netlist::word(values, b),
            Gate::False | Gate::Input(_) => continue,
        };
    }
}
