//! The engine.

use crate::bits::Counts;
use crate::layout::Layout;
use crate::names::Names;
use crate::phase::Phase;
use crate::runner::Runner;
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use netlist::{GameLogic, Phases};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};
use wordcode::Place;

/// The data that an engine and its forks share.
pub(crate) struct Shared {
    pub names: Names,
    pub layout: Layout,
    /// The bits of each state word that represent facts.
    pub masks: Vec<u64>,
    /// For each bit of a state's words, the fact that it represents, if any.
    pub facts: Vec<u32>,
    pub initial: State,
    pub phases: Vec<Phase>,
    /// The facts that identify a state's phase, and their values in each phase.
    pub marks: Vec<Mark>,
    /// The programs for unreachable states. Built when first needed, from `logic`.
    pub anywhere: OnceLock<Phase>,
    pub logic: Arc<GameLogic>,
    pub max_bytes: usize,
}

/// The bits of one state word that identify the phase.
#[derive(Debug)]
pub(crate) struct Mark {
    word: usize,
    mask: u64,
    values: Vec<u64>,
}

impl Mark {
    /// The marks of all phases, for facts at these places.
    pub fn all(phases: &Phases, places: &[Place]) -> Vec<Mark> {
        let mut marks: Vec<Mark> = Vec::new();
        for (at, &fact) in phases.facts.iter().enumerate() {
            let place = places[fact as usize];
            let known = marks.iter().position(|mark| mark.word == place.word());
            let i = known.unwrap_or_else(|| {
                marks.push(Mark {
                    word: place.word(),
                    mask: 0,
                    values: vec![0; phases.period()],
                });
                marks.len() - 1
            });
            let bit = 1 << place.bit();
            marks[i].mask |= bit;
            for (value, facts) in marks[i].values.iter_mut().zip(&phases.values) {
                *value |= if facts[at] { bit } else { 0 };
            }
        }
        marks
    }
}

impl Shared {
    fn phase_of(&self, words: &[u64]) -> usize {
        let is = |phase: &usize| {
            let mut marks = self.marks.iter();
            marks.all(|mark| words[mark.word] & mark.mask == mark.values[*phase])
        };
        (0..self.phases.len()).find(is).unwrap_or(self.phases.len())
    }

    fn phase(&self, number: usize) -> &Phase {
        self.phases.get(number).unwrap_or_else(|| {
            self.anywhere
                .get_or_init(|| Phase::new((*self.logic).clone(), &self.layout, self.max_bytes))
        })
    }
}

/// A joint move that an engine has played.
#[derive(Clone)]
enum Joint {
    /// It has no program of its own. The number is how often it was played since the last
    /// attempt.
    Counted(u32),
    /// The program that plays it.
    Program(Arc<Runner>),
}

/// The joint moves that an engine has played in one phase, by number.
#[derive(Clone)]
enum Met {
    Few(Vec<Joint>),
    /// Used if a list might be too long.
    Many(FxHashMap<u64, Joint>),
}

/// The maximum number of possible joint moves for which a list is used.
const FEW: u64 = 1 << 16;
/// The maximum number of joint moves that are counted if no list is used.
const MOST_COUNTED: usize = 1 << 18;

impl Met {
    fn new(phase: &Phase) -> Met {
        match phase.joints.count {
            Some(count) if count <= FEW => Met::Few(vec![Joint::Counted(0); count as usize]),
            _ => Met::Many(FxHashMap::default()),
        }
    }

    /// The entry of a joint move. `None` if there is no room for it.
    #[inline]
    fn joint(&mut self, number: u64) -> Option<&mut Joint> {
        match self {
            Met::Few(list) => list.get_mut(number as usize),
            Met::Many(map) => {
                if map.len() >= MOST_COUNTED {
                    return map.get_mut(&number);
                }
                Some(map.entry(number).or_insert(Joint::Counted(0)))
            }
        }
    }
}

/// An engine that evaluates one state at a time.
pub struct ScalarEngine {
    shared: Arc<Shared>,
    memory: Memory,
    /// The joint moves played so far, by phase.
    met: Vec<Met>,
}

/// The last state asked about, and the values computed for it.
#[derive(Debug, Clone, Default)]
struct Memory {
    /// The phase of the state, once there is a state.
    phase: Option<usize>,
    /// Whether `look` is valid for this state.
    looked: bool,
    /// Whether `goals` is valid for this state.
    judged: bool,
    /// Whether the recursive signals in the slots are valid for this state.
    solved: bool,
    /// The state, followed by the other inputs and scratch space.
    slots: Vec<u64>,
    look: Vec<u64>,
    goals: Vec<u64>,
    buffer: Vec<u64>,
}

/// Ensures that there are at least `count` words.
#[inline]
fn grow(words: &mut Vec<u64>, count: usize) {
    if words.len() < count {
        words.resize(count, 0);
    }
}

/// Whether words begin with others, usually few. (Comparing them all is cheaper than a call.)
#[inline]
fn starts_with(words: &[u64], others: &[u64]) -> bool {
    let both = words.iter().zip(others);
    words.len() >= others.len() && both.fold(0, |differ, (a, b)| differ | a ^ b) == 0
}

impl Memory {
    /// Loads a state into the slots, unless it is already there, and returns its phase.
    #[inline]
    fn show<'s>(&mut self, shared: &'s Shared, state: &State) -> Result<&'s Phase, EngineError> {
        let words = state.words();
        match self.phase {
            Some(phase) if words.len() == shared.masks.len() && starts_with(&self.slots, words) => {
                Ok(shared.phase(phase))
            }
            _ => self.bring(shared, words),
        }
    }

    fn bring<'s>(&mut self, shared: &'s Shared, words: &[u64]) -> Result<&'s Phase, EngineError> {
        let masks = &shared.masks;
        let mut both = words.iter().zip(masks);
        if words.len() != masks.len() || both.any(|(word, mask)| word & !mask != 0) {
            return Err(EngineError::Rules("a state of another engine".into()));
        }
        let number = shared.phase_of(words);
        let phase = shared.phase(number);
        grow(&mut self.slots, phase.inputs.words);
        self.slots[..words.len()].copy_from_slice(words);
        self.phase = Some(number);
        (self.looked, self.judged, self.solved) = (false, false, false);
        Ok(phase)
    }

    /// Computes legality and terminality.
    #[inline]
    fn look(&mut self, phase: &Phase) {
        if self.looked {
            return;
        }
        if phase.look.recursive {
            self.solve(phase);
        }
        grow(&mut self.look, phase.look.program.program().written().end);
        self.run(&phase.look.program, |memory| &mut memory.look);
        self.looked = true;
    }

    fn judge(&mut self, phase: &Phase) {
        if self.judged {
            return;
        }
        if phase.goals.recursive {
            self.solve(phase);
        }
        grow(&mut self.goals, phase.goals.program.program().written().end);
        self.run(&phase.goals.program, |memory| &mut memory.goals);
        self.judged = true;
    }

    fn run(&mut self, program: &Runner, into: impl Fn(&mut Memory) -> &mut Vec<u64>) {
        grow(&mut self.slots, program.program().slots());
        let mut into_words = std::mem::take(into(self));
        program.run(&mut self.slots, &mut into_words);
        *into(self) = into_words;
    }

    /// Computes the recursive signals. Those that depend on moves are meaningless before moves
    /// are set.
    fn solve(&mut self, phase: &Phase) {
        if !self.solved {
            grow(&mut self.slots, phase.cycles.slots());
            grow(&mut self.buffer, phase.inputs.words);
            phase.cycles.solve(&mut self.slots, &mut self.buffer);
            self.solved = true;
        }
    }

    /// Plays any joint move with the program of all transitions.
    fn make_any(&mut self, phase: &Phase, joint: &[MoveId], next: &mut [u64]) {
        let inputs = &phase.inputs;
        self.slots[inputs.moves.clone()].fill(0);
        for (role, mv) in joint.iter().enumerate() {
            inputs.does[role][mv.0 as usize].set(&mut self.slots);
        }
        match phase.next_recursion {
            Some(true) => {
                self.solved = false;
                self.solve(phase);
                self.solved = false;
            }
            Some(false) => self.solve(phase),
            None => {}
        }
        let program = phase.whole();
        grow(&mut self.slots, program.program().slots());
        program.run(&mut self.slots, next);
    }
}

/// The number of a joint move. `None` for one that is never legal.
#[inline]
fn number(phase: &Phase, joint: &[MoveId]) -> Option<u64> {
    let joints = &phase.joints;
    let mut number = 0;
    let choices = joints.deciders.iter().zip(&joints.possible);
    for ((&role, possible), weight) in choices.zip(&joints.weights) {
        let mv = joint[role].0;
        if !possible[mv as usize] {
            return None;
        }
        number += u64::from(mv) * weight;
    }
    let forced = joints.forced.iter().zip(joint);
    forced
        .into_iter()
        .all(|(forced, mv)| forced.is_none_or(|forced| forced == mv.0))
        .then_some(number)
}

impl ScalarEngine {
    pub(crate) fn on(shared: Arc<Shared>) -> Self {
        ScalarEngine {
            memory: Memory::default(),
            met: shared.phases.iter().map(Met::new).collect(),
            shared,
        }
    }

    /// The positions of facts in the words of states.
    pub fn layout(&self) -> &Layout {
        &self.shared.layout
    }

    /// Inverts the facts in which two states differ. An empty `known` is a state without facts.
    fn turn(&self, known: &[u64], state: &[u64], facts: &mut [u64]) {
        for (word, &held) in state.iter().enumerate() {
            let before = known.get(word).copied().unwrap_or(0);
            let mut left = (held ^ before) & self.shared.masks[word];
            while left != 0 {
                let place = 64 * word + left.trailing_zeros() as usize;
                let fact = self.shared.facts[place] as usize;
                facts[fact / 64] ^= 1 << (fact % 64);
                left &= left - 1;
            }
        }
    }

    fn check_role(&self, role: RoleId) -> Result<usize, EngineError> {
        if role.0 < self.shared.logic.roles() {
            Ok(role.0)
        } else {
            let number = role.0;
            let text = format!("there is no role number {number}");
            Err(EngineError::Rules(text))
        }
    }

    fn check_moves(&self, joint: &[MoveId]) -> Result<(), EngineError> {
        let does = &self.shared.logic.does;
        if joint.len() != does.len() {
            let (given, roles) = (joint.len(), does.len());
            let text = format!("{given} moves for {roles} roles");
            return Err(EngineError::Rules(text));
        }
        let mut both = joint.iter().zip(does);
        match both.all(|(mv, row)| (mv.0 as usize) < row.len()) {
            true => Ok(()),
            false => Err(EngineError::Rules("a move of another engine".into())),
        }
    }
}

/// Counts a joint move without a program, and writes its program once that is worth the cost.
fn meet(phase: &Phase, met: &mut Joint, number: u64, joint: &[MoveId]) {
    let Joint::Counted(times) = met else { return };
    if *times < phase.patience() {
        *times = times.saturating_add(1);
        return;
    }
    let deciders = phase.joints.deciders.iter();
    let does = deciders.map(|&role| phase.logic.does[role][joint[role].0 as usize].node());
    match phase.effect(number, does) {
        Some(program) => *met = Joint::Program(program),
        // Prevents another attempt soon.
        None => *times = 0,
    }
}

impl Engine for ScalarEngine {
    fn name(&self) -> &'static str {
        "scalar"
    }

    fn roles(&self) -> &[GroundTerm] {
        &self.shared.names.vocabulary.roles
    }

    fn initial(&self) -> State {
        self.shared.initial.clone()
    }

    fn terminal(&mut self, state: &State) -> Result<bool, EngineError> {
        let phase = self.memory.show(&self.shared, state)?;
        self.memory.look(phase);
        Ok(phase.look.terminal.get(&self.memory.look))
    }

    fn legal(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), EngineError> {
        let role = self.check_role(role)?;
        let phase = self.memory.show(&self.shared, state)?;
        self.memory.look(phase);
        moves.clear();
        let words = phase.look.words[role].clone();
        let table = phase.look.moves[words.start * 64..].chunks_exact(64);
        for (&word, table) in self.memory.look[words].iter().zip(table) {
            let mut left = word;
            while left != 0 {
                moves.push(MoveId(table[left.trailing_zeros() as usize]));
                left &= left - 1;
            }
        }
        Ok(())
    }

    fn pick(
        &mut self,
        state: &State,
        role: RoleId,
        random: u64,
        _: &mut Vec<MoveId>,
    ) -> Result<Option<MoveId>, EngineError> {
        let role = self.check_role(role)?;
        let phase = self.memory.show(&self.shared, state)?;
        self.memory.look(phase);
        let words = phase.look.words[role].clone();
        let table = &phase.look.moves[words.start * 64..];
        let legal = &self.memory.look[words];
        let count: u32 = legal.iter().map(|&word| Counts::new(word).all()).sum();
        let mut left = game::share(random, count as usize) as u32;
        for (&word, table) in legal.iter().zip(table.chunks_exact(64)) {
            let counts = Counts::new(word);
            if left < counts.all() {
                return Ok(Some(MoveId(table[counts.position(left) as usize])));
            }
            left -= counts.all();
        }
        Ok(None)
    }

    fn next(
        &mut self,
        state: &State,
        joint: &[MoveId],
        next: &mut State,
    ) -> Result<(), EngineError> {
        self.check_moves(joint)?;
        let phase = self.memory.show(&self.shared, state)?;
        next.clone_from(state);
        let number = number(phase, joint);
        let at = self.memory.phase.unwrap_or(usize::MAX);
        if let (Some(number), Some(met)) = (number, self.met.get_mut(at))
            && let Some(met) = met.joint(number)
        {
            meet(phase, met, number, joint);
            if let Joint::Program(program) = met {
                if phase.next_recursion.is_some() {
                    self.memory.solve(phase);
                }
                grow(&mut self.memory.slots, program.program().slots());
                program.run(&mut self.memory.slots, next.words_mut());
                return Ok(());
            }
        }
        self.memory.make_any(phase, joint, next.words_mut());
        Ok(())
    }

    fn goal(&mut self, state: &State, role: RoleId) -> Result<Option<u8>, EngineError> {
        let role = self.check_role(role)?;
        let phase = self.memory.show(&self.shared, state)?;
        self.memory.judge(phase);
        let values = phase.goals.values[role].iter();
        let mut reached = values.filter(|(_, place)| place.get(&self.memory.goals));
        Ok(match (reached.next(), reached.next()) {
            (Some(&(value, _)), None) => Some(value),
            _ => None,
        })
    }

    fn facts(&mut self, state: &State) -> Vec<GroundTerm> {
        let places = self.shared.layout.places();
        let holds = |fact: u32| {
            let place = places[fact as usize];
            place.word() < state.words().len() && place.get(state.words())
        };
        let held = self
            .shared
            .names
            .by_text
            .iter()
            .filter(|&&fact| holds(fact));
        held.map(|&fact| self.shared.names.vocabulary.facts[fact as usize].clone())
            .collect()
    }

    fn state_of(&mut self, facts: &[GroundTerm]) -> Result<State, EngineError> {
        let mut words = vec![0u64; self.shared.layout.words()];
        for fact in facts {
            match self.shared.names.fact(fact) {
                Some(fact) => self.shared.layout.places()[fact as usize].set(&mut words),
                None => return Err(EngineError::UnknownFact(fact.clone())),
            }
        }
        Ok(State::from_words(words))
    }

    fn move_term(&mut self, role: RoleId, mv: MoveId) -> GroundTerm {
        self.shared.names.move_term(role, mv)
    }

    fn find_move(&mut self, role: RoleId, term: &GroundTerm) -> Option<MoveId> {
        self.shared.names.find_move(role, term)
    }

    fn fork(&self) -> Box<dyn Engine> {
        let mut fork = ScalarEngine::on(self.shared.clone());
        fork.met.clone_from(&self.met);
        Box::new(fork)
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn bits(&self, state: &State, bits: &mut State) -> bool {
        let places = self.shared.layout.places();
        let words = bits.words_mut();
        words.clear();
        words.resize(places.len().div_ceil(64), 0);
        if state.words().len() != self.shared.layout.words() {
            return false;
        }
        self.turn(&[], state.words(), words);
        true
    }

    fn bits_since(&self, known: &State, state: &State, bits: &mut State) -> bool {
        let layout = &self.shared.layout;
        let (size, facts) = (layout.words(), layout.places().len());
        let fits = |state: &State| state.words().len() == size;
        if !fits(known) || !fits(state) || bits.words().len() != facts.div_ceil(64) {
            return self.bits(state, bits);
        }
        self.turn(known.words(), state.words(), bits.words_mut());
        true
    }
}
