//! The programs for the states of one phase of a game.

use crate::cycles::{Cycles, depend_on_moves, reach};
use crate::layout::Layout;
use crate::specialise::Specialiser;
use netlist::{GameLogic, Lit, Source};
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use wordcode::{Packer, Place, Program};

/// Where the inputs of programs are: first the state, then moves, then recursive signals.
#[derive(Debug, Clone)]
pub(crate) struct Inputs {
    /// How many words there are.
    pub words: usize,
    /// By node.
    pub places: Vec<Option<Place>>,
    /// By fact.
    pub facts: Vec<Place>,
    /// The words of the moves.
    pub moves: Range<usize>,
    /// By role and move.
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

/// The moves that a role may ever make.
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

/// What is legal, and whether play has ended.
#[derive(Debug)]
pub(crate) struct Look {
    pub program: Program,
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
            program,
            words: placed.into_iter().map(|group| group.words).collect(),
            moves,
            terminal,
            recursive: reach(logic, logic.legal_roots()).1,
        }
    }
}

/// The results of all roles.
#[derive(Debug)]
pub(crate) struct Goals {
    pub program: Program,
    /// For each role, its results and where it is said that they hold.
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
            program,
            values: logic.goals.iter().map(with_places).collect(),
            recursive: reach(logic, logic.goal_roots()).1,
        }
    }
}

/// How joint moves are told apart.
#[derive(Debug)]
pub(crate) struct Joints {
    /// The roles that have a choice.
    pub deciders: Vec<usize>,
    /// The move of each other role; `None` where it never has one.
    pub forced: Vec<Option<u32>>,
    /// For each move of each role with a choice, whether it is ever legal.
    pub possible: Vec<Vec<bool>>,
    /// By how much each choice counts in the number of a joint move.
    pub weights: Vec<u64>,
    /// How many joint moves there are; `None` if they cannot be numbered.
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

/// The programs for the states of one phase. Those for transitions are made when they are needed.
pub(crate) struct Phase {
    pub logic: GameLogic,
    pub inputs: Inputs,
    pub cycles: Cycles,
    pub look: Look,
    pub goals: Goals,
    pub joints: Joints,
    /// Whether the next state depends on recursive rules; `Some(true)` if these read the moves.
    pub next_recursion: Option<bool>,
    /// `None` where joint moves are not told apart.
    effects: Option<Mutex<Effects>>,
    whole: OnceLock<Program>,
}

/// The programs of joint moves made so far.
struct Effects {
    specialiser: Option<Specialiser>,
    made: rustc_hash::FxHashMap<u64, Option<Arc<Program>>>,
    bytes: usize,
    max_bytes: usize,
}

impl Phase {
    /// Writes the programs for the logic of a phase, whose effects may take that much memory.
    pub fn new(logic: GameLogic, layout: &Layout, max_bytes: usize) -> Phase {
        let mut inputs = Inputs::new(&logic, layout);
        let cycles = Cycles::new(&logic, &mut inputs);
        let joints = Joints::new(&logic);
        let recursive = reach(&logic, logic.next.iter().copied()).1;
        let next_recursion = recursive.then(|| {
            let values = logic.fixes.iter().map(|fix| fix.value);
            depend_on_moves(&logic, values)
        });
        let effects = (joints.count.is_some() && next_recursion != Some(true)).then(|| {
            Mutex::new(Effects {
                specialiser: None,
                made: Default::default(),
                bytes: 0,
                max_bytes,
            })
        });
        Phase {
            look: Look::new(&logic, &inputs),
            goals: Goals::new(&logic, &inputs),
            cycles,
            joints,
            next_recursion,
            effects,
            whole: OnceLock::new(),
            inputs,
            logic,
        }
    }

    /// The program of a joint move; `None` if there is none and there will be none.
    pub fn effect(&self, number: u64, does: impl Iterator<Item = usize>) -> Option<Arc<Program>> {
        let effects = self.effects.as_ref()?;
        let mut effects = effects.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = effects.made.get(&number) {
            return made.clone();
        }
        if effects.bytes >= effects.max_bytes {
            return None;
        }
        let specialiser = effects
            .specialiser
            .get_or_insert_with(|| Specialiser::new(&self.logic, &self.inputs));
        let does: Vec<usize> = does.collect();
        let made = specialiser.effect(&self.logic, &self.inputs, &does);
        let made = made.map(Arc::new);
        effects.bytes += 64 + made.as_ref().map_or(0, |program| program.bytes());
        effects.made.insert(number, made.clone());
        made
    }

    /// The program of all transitions.
    pub fn whole(&self) -> &Program {
        self.whole.get_or_init(|| {
            let places = &self.inputs.facts;
            let outputs: Vec<_> = (self.logic.next.iter().copied())
                .zip(places.iter().copied())
                .collect();
            let mut packer = Packer::new(self.inputs.places.clone(), self.inputs.words);
            packer.pack(&self.logic.net, &outputs)
        })
    }
}
