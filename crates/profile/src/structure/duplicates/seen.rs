//! Observed effects of moves: in states of random play in which several moves of a role were
//! legal, each is tried while the other roles play the same moves.

use super::effects::{Effects, cone};
use super::wave::Wave;
use analysis::reads::Readers;
use analysis::sampling::each;
use budget::Budget;
use fixedbitset::FixedBitSet;
use invariants::Play;
use netlist::{GameLogic, Gate, Lit, Source, word};
use rustc_hash::FxHashSet;

/// Maximum number of samples of random play, 64 states each.
const LOOKS: usize = 24;
/// Maximum number of gates evaluated in all lanes, by play and for single moves.
const WORK: u64 = 4_000_000;
/// Maximum number of observed effects that are kept, for all moves of a role together.
const KEPT: usize = 1 << 18;
/// If more moves have the same effect in a state, only some pairs of them are recorded.
const CROWD: usize = 4;
/// Maximum number of pairs of moves recorded.
const PAIRS: usize = 1 << 14;

/// Observations of the moves of one role. Moves are named by their position in
/// [`Effects::twins`].
#[derive(Default)]
pub(super) struct Seen {
    /// For each move and each sample, the lanes in which it was legal and play continued.
    pub legal: Vec<Vec<u64>>,
    /// For each move, a hash of its effect, by state.
    did: Vec<Vec<(u32, u64)>>,
    kept: usize,
    /// Pairs that had the same effect in some state, the smaller first.
    pairs: FxHashSet<(u32, u32)>,
}

impl Seen {
    /// The number of states in which both were legal.
    pub fn together(&self, one: usize, other: usize) -> u64 {
        let words = self.legal[one].iter().zip(&self.legal[other]);
        words.map(|(a, b)| u64::from((a & b).count_ones())).sum()
    }

    /// The number of states in which `one` was legal; `None` if `other` was not legal in one of
    /// them.
    pub fn only_with(&self, one: usize, other: usize) -> Option<u64> {
        let words = self.legal[one].iter().zip(&self.legal[other]);
        let mut samples = 0;
        for (a, b) in words {
            if a & !b != 0 {
                return None;
            }
            samples += u64::from(a.count_ones());
        }
        Some(samples)
    }

    /// Pairs with different signals that had the same effect whenever both were legal, with the
    /// number of such states, which is at least `least`.
    pub fn alike(&self, least: u64) -> Vec<(u64, usize, usize)> {
        let pairs = self.pairs.iter();
        let alike = pairs.filter_map(|&(one, other)| {
            let (one, other) = (one as usize, other as usize);
            let samples = self.same(one, other)?;
            (samples >= least).then_some((samples, one, other))
        });
        let mut alike: Vec<(u64, usize, usize)> = alike.collect();
        alike.sort_unstable_by_key(|&(samples, a, b)| (std::cmp::Reverse(samples), a, b));
        alike
    }

    /// The number of states in which both were legal; `None` if their effects differed in one.
    pub fn same(&self, one: usize, other: usize) -> Option<u64> {
        let (mut a, mut b) = (
            self.did[one].iter().peekable(),
            self.did[other].iter().peekable(),
        );
        let mut samples = 0;
        while let (Some(&&(one, first)), Some(&&(other, second))) = (a.peek(), b.peek()) {
            if one <= other {
                a.next();
            }
            if other <= one {
                b.next();
            }
            if one == other {
                if first != second {
                    return None;
                }
                samples += 1;
            }
        }
        Some(samples)
    }

    /// Records the effects of the moves in one sample.
    fn note(&mut self, effects: &Effects, mut did: Vec<(usize, u64, u32)>, look: usize) {
        for &(lane, hash, at) in &did {
            self.did[at as usize].push(((look * 64 + lane) as u32, hash));
        }
        self.kept += did.len();
        did.sort_unstable();
        for same in did.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            for (place, a) in same.iter().enumerate() {
                let few = if same.len() > CROWD { 1 } else { CROWD };
                for b in same[place + 1..].iter().take(few) {
                    let [one, other] = [a, b].map(|did| effects.twins[did.2 as usize].effect);
                    if one != other && self.pairs.len() < PAIRS {
                        self.pairs.insert((a.2.min(b.2), a.2.max(b.2)));
                    }
                }
            }
        }
    }
}

/// Plays at random and tries the moves. Effects are omitted if recursive signals read moves.
pub(super) fn look(
    logic: &GameLogic,
    readers: &Readers,
    effects: &[Effects],
    roots: &FixedBitSet,
    recursive: bool,
    seed: u64,
    budget: &Budget,
) -> Vec<Seen> {
    let fresh = |effects: &Effects| Seen {
        legal: vec![Vec::new(); effects.twins.len()],
        did: vec![Vec::new(); effects.twins.len()],
        ..Seen::default()
    };
    let mut seen: Vec<Seen> = effects.iter().map(fresh).collect();
    let mut trials = Trials::new(logic, readers, roots, seed);
    for look in 0..LOOKS {
        // Samples get farther apart, to cover more of long games.
        trials.pass(look / 6);
        if trials.are_enough() || budget.check().is_err() {
            break;
        }
        trials.read_state();
        trials.note_legal(&mut seen, effects);
        trials.play.step();
        if recursive {
            continue;
        }
        trials.read_moves();
        let mut values = trials.evaluate();
        for (role, (seen, effects)) in seen.iter_mut().zip(effects).enumerate() {
            if seen.kept > KEPT || effects.twins.len() < 2 {
                continue;
            }
            let did = trials.try_moves(role, effects, seen, &mut values);
            seen.note(effects, did, look);
        }
    }
    seen
}

/// Random play, and trials of moves in its states.
struct Trials<'l> {
    logic: &'l GameLogic,
    readers: &'l Readers,
    /// The nodes whose changes are effects.
    roots: &'l FixedBitSet,
    /// For each role, the nodes that depend on its moves.
    cones: Vec<Vec<usize>>,
    play: Play<'l>,
    inputs: Vec<u64>,
    wave: Wave<u64>,
    /// Gates evaluated so far, besides those that the wave visited.
    work: u64,
}

impl<'l> Trials<'l> {
    fn new(
        logic: &'l GameLogic,
        readers: &'l Readers,
        roots: &'l FixedBitSet,
        seed: u64,
    ) -> Trials<'l> {
        let roles = 0..logic.roles();
        Trials {
            logic,
            readers,
            roots,
            cones: roles.map(|role| cone(logic, readers, role)).collect(),
            play: Play::new(logic, seed),
            inputs: vec![0u64; logic.net.inputs()],
            wave: Wave::new(logic.net.len()),
            work: 0,
        }
    }

    fn are_enough(&self) -> bool {
        self.work + self.wave.visits > WORK
    }

    /// Plays some steps without trials.
    fn pass(&mut self, steps: usize) {
        for _ in 0..steps {
            self.play.step();
            self.work += self.logic.net.len() as u64;
        }
    }

    /// Takes over the inputs that are part of the state.
    fn read_state(&mut self) {
        let (logic, play) = (self.logic, &self.play);
        for (input, source) in self.inputs.iter_mut().zip(&logic.sources) {
            match *source {
                Source::Fact(fact) => *input = play.word(logic.facts[fact as usize]),
                Source::Fix(fix) => *input = play.word(logic.fixes[fix as usize].input),
                Source::Does { .. } => {}
            }
        }
    }

    /// Notes for each move the lanes in which it is legal and play continues.
    fn note_legal(&self, seen: &mut [Seen], effects: &[Effects]) {
        let rows = self.logic.legal.iter();
        let able = rows.fold(u64::MAX, |able, row| {
            able & row.iter().fold(0, |any, &lit| any | self.play.word(lit))
        });
        let going = able & !self.play.word(self.logic.terminal);
        for (seen, effects) in seen.iter_mut().zip(effects) {
            for (legal, twins) in seen.legal.iter_mut().zip(&effects.twins) {
                legal.push(going & self.play.word(twins.legal));
            }
        }
    }

    /// Takes over the moves that were played.
    fn read_moves(&mut self) {
        let (logic, play) = (self.logic, &self.play);
        for (input, source) in self.inputs.iter_mut().zip(&logic.sources) {
            if let Source::Does { role, mv } = *source {
                *input = play.word(logic.does[usize::from(role)][mv as usize]);
            }
        }
    }

    /// The values of all nodes, for the state and the moves taken over.
    fn evaluate(&mut self) -> Vec<u64> {
        self.work += 3 * self.logic.net.len() as u64;
        self.logic.net.evaluate(&self.inputs)
    }

    /// Tries the moves of a role while the others play the same. Returns lanes, a hash of the
    /// effect there, and the position of the move.
    fn try_moves(
        &mut self,
        role: usize,
        effects: &Effects,
        seen: &Seen,
        values: &mut [u64],
    ) -> Vec<(usize, u64, u32)> {
        let logic = self.logic;
        let does: Vec<u64> = logic.does[role]
            .iter()
            .map(|lit| values[lit.node()])
            .collect();
        set(logic, &self.cones[role], values, role, |_| 0);
        let mut did = Vec::new();
        for (at, twins) in effects.twins.iter().enumerate() {
            let lanes = seen.legal[at].last().copied().unwrap_or(0);
            if lanes == 0 || self.are_enough() {
                continue;
            }
            let hash = self.effect(logic.does[role][twins.moves[0] as usize], lanes, values);
            did.extend(each(lanes).map(|lane| (lane, hash[lane], at as u32)));
        }
        set(logic, &self.cones[role], values, role, |mv| does[mv]);
        did
    }

    /// For each of some lanes, a hash of what changes if a move is played there.
    fn effect(&mut self, does: Lit, lanes: u64, values: &mut [u64]) -> [u64; 64] {
        let mut hash = [0u64; 64];
        if does.as_constant().is_some() {
            return hash;
        }
        let logic = self.logic;
        let make = |node: usize, values: &[u64]| gate(logic, node, values);
        self.wave
            .run(self.readers, values, does.node(), lanes, make);
        for &(node, before) in &self.wave.changed {
            if self.roots.contains(node as usize) {
                let mixed = mix(node);
                for lane in each((values[node as usize] ^ before) & lanes) {
                    hash[lane] = hash[lane].wrapping_add(mixed);
                }
            }
        }
        self.wave.undo(values);
        hash
    }
}

/// Replaces the moves of a role and updates all nodes that depend on them.
fn set(
    logic: &GameLogic,
    cone: &[usize],
    values: &mut [u64],
    role: usize,
    does: impl Fn(usize) -> u64,
) {
    for (mv, lit) in logic.does[role].iter().enumerate() {
        if *lit != Lit::FALSE {
            values[lit.node()] = does(mv);
        }
    }
    for &node in cone {
        if let Some(value) = gate(logic, node, values) {
            values[node] = value;
        }
    }
}

/// The value of a gate; `None` for inputs.
fn gate(logic: &GameLogic, node: usize, values: &[u64]) -> Option<u64> {
    match logic.net.gate(node) {
        Gate::And(a, b) => Some(word(values, a) & word(values, b)),
        Gate::Xor(a, b) => Some(word(values, a) ^ word(values, b)),
        Gate::False | Gate::Input(_) => None,
    }
}

/// A hash of a node. Sums of hashes distinguish sets of nodes (the finaliser of SplitMix64,
/// Steele, Lea and Flood 2014).
fn mix(node: u32) -> u64 {
    let mut x = (u64::from(node) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
