//! The programs for the states of one phase of a game.

use crate::cycles::Cycles;
use crate::layout::Layout;
use crate::runner::{Batch, Runner};
use crate::specialise::{MOST_GATES, Specialiser};
use netlist::{GameLogic, Lit, Source};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use wordcode::{Packer, Place};

/// The positions of the programs' inputs: first the state, then moves, then recursive signals.
#[derive(Debug, Clone)]
pub(crate) struct Inputs {
    /// The number of input words.
    pub words: usize,
    /// The position of each node that is an input, by node.
    pub places: Vec<Option<Place>>,
    /// The position of each fact.
    pub facts: Vec<Place>,
    /// The words of the moves.
    pub moves: Range<usize>,
    /// The position of each move, by role and move.
    pub does: Vec<Vec<Place>>,
}

impl Inputs {
    fn new(logic: &GameLogic, layout: &Layout) -> Inputs {
        let mut inputs = Inputs {
            words: 0,
            places: vec![None; logic.net.len()],
            facts: layout.places().to_vec(),
            moves: 0..0,
            does: Vec::new(),
        };
        let mut free = layout.words() * 64;
        for row in &logic.does {
            let places = (free..free + row.len()).map(Place::new);
            inputs.does.push(places.collect());
            free += row.len();
        }
        inputs.moves = layout.words()..free.div_ceil(64);
        inputs.words = inputs.moves.end;
        for (node, gate) in logic.net.gates().iter().enumerate() {
            let netlist::Gate::Input(number) = *gate else {
                continue;
            };
            inputs.places[node] = match logic.sources[number as usize] {
                Source::Fact(fact) => Some(inputs.facts[fact as usize]),
                Source::Does { role, mv } => Some(inputs.does[usize::from(role)][mv as usize]),
                Source::Fix(_) => None,
            };
        }
        inputs
    }
}

/// The moves that can ever be legal for a role.
pub(crate) fn possible(logic: &GameLogic, role: usize) -> Vec<u32> {
    let row = (0u32..).zip(&logic.legal[role]);
    row.filter(|(_, lit)| **lit != Lit::FALSE)
        .map(|(mv, _)| mv)
        .collect()
}

/// The roles that may ever have a choice.
pub(crate) fn deciders(logic: &GameLogic) -> Vec<usize> {
    let roles = 0..logic.roles();
    roles
        .filter(|&role| possible(logic, role).len() > 1)
        .collect()
}

/// Legality and terminality.
#[derive(Debug)]
pub(crate) struct Look {
    pub program: Runner,
    /// For each role, the output words with its legal moves.
    pub words: Vec<Range<usize>>,
    /// The move of each bit of the output.
    pub moves: Vec<u32>,
    pub terminal: Place,
    pub recursive: bool,
}

impl Look {
    fn new(logic: &GameLogic, inputs: &Inputs) -> Look {
        let possible: Vec<Vec<u32>> = (0..logic.roles()).map(|r| possible(logic, r)).collect();
        let legal: Vec<Vec<Lit>> = possible
            .iter()
            .zip(&logic.legal)
            .map(|(moves, row)| moves.iter().map(|&mv| row[mv as usize]).collect())
            .collect();
        let end = [logic.terminal];
        let mut groups: Vec<&[Lit]> = legal.iter().map(Vec::as_slice).collect();
        groups.push(&end);
        let mut packer = Packer::new(inputs.places.clone(), inputs.words);
        let (program, mut placed) = packer.pack_groups(&logic.net, &groups);
        let terminal = placed.pop().map_or(Place::new(0), |group| group.places[0]);
        let mut moves = vec![u32::MAX; program.written().len() * 64];
        for (group, possible) in placed.iter().zip(&possible) {
            for (place, &mv) in group.places.iter().zip(possible) {
                moves[place.index()] = mv;
            }
        }
        Look {
            program: Runner::new(program),
            words: placed.into_iter().map(|group| group.words).collect(),
            moves,
            terminal,
            recursive: logic.reach(logic.legal_roots()).1,
        }
    }
}

/// The goals of all roles.
#[derive(Debug)]
pub(crate) struct Goals {
    pub program: Runner,
    /// For each role, its goal values and the bits that are set when they are reached.
    pub values: Vec<Vec<(u8, Place)>>,
    pub recursive: bool,
}

impl Goals {
    fn new(logic: &GameLogic, inputs: &Inputs) -> Goals {
        let lits: Vec<Lit> = logic.goal_roots().collect();
        let mut packer = Packer::new(inputs.places.clone(), inputs.words);
        let (program, placed) = packer.pack_groups(&logic.net, &[&lits]);
        let mut places = placed.into_iter().flat_map(|group| group.places);
        let with_places = |goals: &Vec<(u8, Lit)>| {
            let values = goals.iter().map(|&(value, _)| value);
            values.zip(places.by_ref()).collect()
        };
        Goals {
            program: Runner::new(program),
            values: logic.goals.iter().map(with_places).collect(),
            recursive: logic.reach(logic.goal_roots()).1,
        }
    }
}

/// The numbering of joint moves.
#[derive(Debug)]
pub(crate) struct Joints {
    /// The roles that have a choice.
    pub deciders: Vec<usize>,
    /// The move of each other role. `None` if it never has one.
    pub forced: Vec<Option<u32>>,
    /// For each move of each role with a choice, whether it is ever legal.
    pub possible: Vec<Vec<bool>>,
    /// The factor of each choice in the number of a joint move.
    pub weights: Vec<u64>,
    /// The number of joint moves. `None` if they cannot be numbered.
    pub count: Option<u64>,
}

impl Joints {
    fn new(logic: &GameLogic) -> Joints {
        let deciders = deciders(logic);
        let mut weights = Vec::new();
        let mut count = Some(1u64);
        for &role in &deciders {
            weights.push(count.unwrap_or(0));
            count = count.and_then(|count| count.checked_mul(logic.does[role].len() as u64));
        }
        let single = |role| match possible(logic, role)[..] {
            [only] => Some(only),
            _ => None,
        };
        let marked = |role: &usize| {
            let legal = logic.legal[*role].iter();
            legal.map(|&lit| lit != Lit::FALSE).collect()
        };
        Joints {
            forced: (0..logic.roles()).map(single).collect(),
            possible: deciders.iter().map(marked).collect(),
            deciders,
            weights,
            count,
        }
    }
}

/// The programs for the states of one phase. Those for transitions are written when needed.
pub(crate) struct Phase {
    pub logic: GameLogic,
    pub inputs: Inputs,
    pub cycles: Cycles,
    pub look: Look,
    pub goals: Goals,
    pub joints: Joints,
    /// Whether the next state depends on recursive rules. `Some(true)` if these depend on the
    /// moves.
    pub next_recursion: Option<bool>,
    /// `None` if joint moves have no programs of their own.
    effects: Option<Mutex<Effects>>,
    /// How often a joint move is played by the program of all transitions before it gets its
    /// own.
    patience: AtomicU32,
    whole: OnceLock<Runner>,
}

/// The programs of joint moves written so far.
struct Effects {
    specialiser: Option<Specialiser>,
    made: rustc_hash::FxHashMap<u64, Option<Arc<Runner>>>,
    batch: Batch,
    bytes: usize,
    max_bytes: usize,
    /// The number of programs written, their total work and their total number of operations.
    written: usize,
    work: usize,
    ops: usize,
}

/// Approximate number of bytes in tables for a joint move, besides its program.
const ENTRY_BYTES: usize = 64;
/// The cost of processing a gate while a program is written, in operations of a running
/// program.
const WRITING: usize = 150;
/// If the programs have more operations than this in total, they are rarely in the cache.
const CACHED: usize = 1 << 13;
/// The factor by which an operation is slower if programs are not in the cache.
const COLD: usize = 3;
/// Programs with less work than this are written at once, if there are few joint moves.
const CHEAP: usize = 400;
/// The maximum number of joint moves for that.
const FEW: u64 = 4096;

impl Phase {
    /// Writes the programs for the logic of a phase. The programs of joint moves may take
    /// `max_bytes`.
    pub fn new(logic: GameLogic, layout: &Layout, max_bytes: usize) -> Phase {
        let mut inputs = Inputs::new(&logic, layout);
        let cycles = Cycles::new(&logic, &mut inputs);
        let joints = Joints::new(&logic);
        let recursive = logic.reach(logic.next.iter().copied()).1;
        let next_recursion = recursive.then(|| {
            let values = logic.fixes.iter().map(|fix| fix.value);
            logic.depend_on_moves(values)
        });
        let effects = (joints.count.is_some() && next_recursion != Some(true)).then(|| {
            Mutex::new(Effects {
                specialiser: None,
                made: Default::default(),
                batch: Batch::default(),
                bytes: 0,
                max_bytes,
                written: 0,
                work: 0,
                ops: 0,
            })
        });
        Phase {
            look: Look::new(&logic, &inputs),
            goals: Goals::new(&logic, &inputs),
            cycles,
            joints,
            next_recursion,
            effects,
            patience: AtomicU32::new(0),
            whole: OnceLock::new(),
            inputs,
            logic,
        }
    }

    /// How often a joint move is played by the program of all transitions before it gets a
    /// program of its own. (This is the ski rental rule: without knowledge of the future, buy
    /// once the total rent equals the price.)
    #[inline]
    pub fn patience(&self) -> u32 {
        self.patience.load(Ordering::Relaxed)
    }

    /// The program of a joint move. `None` if it has none and will never have one.
    pub fn effect(&self, number: u64, does: impl Iterator<Item = usize>) -> Option<Arc<Runner>> {
        let effects = self.effects.as_ref()?;
        let mut effects = effects.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = effects.made.get(&number) {
            return made.clone();
        }
        if effects.bytes >= effects.max_bytes {
            self.patience.store(u32::MAX, Ordering::Relaxed);
            return None;
        }
        let specialiser = effects
            .specialiser
            .get_or_insert_with(|| Specialiser::new(&self.logic, &self.inputs));
        let does: Vec<usize> = does.collect();
        let made = specialiser.effect(&self.logic, &self.inputs, &does);
        effects.written += 1;
        effects.work += made.as_ref().map_or(MOST_GATES, |effect| effect.work);
        effects.ops += made.as_ref().map_or(MOST_GATES, |effect| {
            effect.program.len() + effect.program.pieces()
        });
        effects.bytes += ENTRY_BYTES;
        let made = made.map(|effect| {
            let (program, bytes) = effects.batch.add(effect.program);
            effects.bytes += bytes;
            program
        });
        effects.made.insert(number, made.clone());
        self.patience.store(self.judge(&effects), Ordering::Relaxed);
        made
    }

    /// Computes the patience from the programs written so far.
    fn judge(&self, effects: &Effects) -> u32 {
        let (work, ops) = (
            effects.work / effects.written,
            effects.ops / effects.written,
        );
        if work < CHEAP && self.joints.count.is_some_and(|count| count <= FEW) {
            return 0;
        }
        let whole = self.whole().program();
        let whole = whole.len() + whole.pieces();
        let cold = if effects.ops > CACHED { COLD } else { 1 };
        let gain = whole.saturating_sub(ops * cold);
        if gain <= whole / 8 {
            return u32::MAX;
        }
        u32::try_from(WRITING * work / gain).unwrap_or(u32::MAX)
    }

    /// The program of all transitions.
    pub fn whole(&self) -> &Runner {
        self.whole.get_or_init(|| {
            let places = &self.inputs.facts;
            let outputs: Vec<_> = (self.logic.next.iter().copied())
                .zip(places.iter().copied())
                .collect();
            let mut packer = Packer::new(self.inputs.places.clone(), self.inputs.words);
            Runner::new(packer.pack(&self.logic.net, &outputs))
        })
    }
}
