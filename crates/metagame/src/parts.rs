//! Playing a game by its independent parts.

use crate::timetable::{Stage, StartClock};
use crate::{Searchable, Setup, Switches};
use analysis::factors::Sharing;
use budget::Budget;
use compile::{Compiled, Playable, Proved};
use factored::{Parts, Solution};
use game::{Engine, MoveId, RoleId};
use prepare::engine_of;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::sync::Arc;

/// All parts are made searchable in 1 / `PREPARE` of what is left of the start clock.
const PREPARE: u32 = 2;

/// The stage whose share of a part's time is used to prove facts of the part.
const FACTS: Stage = Stage::Facts;

/// The steps of random play that are checked for roles that choose at the same time.
const SEEN: usize = 500;

/// What the parts of a game provide for play; nothing for most games.
#[derive(Default)]
pub enum Division {
    /// Nothing: the game is searched as a whole.
    #[default]
    Whole,
    /// A solution of a puzzle.
    Solution(Solution),
    /// Parts to be searched one by one.
    Parts(Box<Divided>),
}

/// A part of the game that can be searched.
pub struct Part {
    /// The number of the factor.
    pub factor: usize,
    /// The part, ready for searches.
    pub searchable: Searchable,
    /// For each action of the role, the move of the part's engine.
    pub moves: Vec<Option<MoveId>>,
}

/// A game that consists of several games.
///
/// In each turn the role has a choice in only one of them, or chooses one of them to move in.
pub struct Divided {
    /// The parts, with how the whole follows from them.
    pub parts: Parts,
    /// The role that is played.
    pub role: RoleId,
    /// The engine of the whole.
    pub engine: Box<dyn Engine>,
    /// For each move of the whole, its position in the vocabulary.
    pub numbers: HashMap<MoveId, usize>,
    /// The relevant parts, ready for searches.
    pub searched: Vec<Part>,
    /// Whether a role chooses the part in which it moves.
    pub chooses: bool,
}

impl Division {
    /// Looks for parts: if a single role plays, solves the puzzle by them, else prepares to
    /// search them.
    pub(crate) fn find(
        setup: &Setup,
        proved: &Proved,
        profile: &Switches,
        clock: &mut StartClock,
    ) -> Division {
        let budget = clock.begin(Stage::Parts);
        let division = Division::within(setup, proved, profile, &budget, clock.budget());
        let (decided, why) = match division.is_enough() {
            true => ("the game is played by its parts", "it falls apart"),
            false => (
                "the game is searched as a whole",
                "its parts do not tell how to play it",
            ),
        };
        clock.decide(Stage::Parts, decided, why);
        division
    }

    fn within(
        setup: &Setup,
        proved: &Proved,
        profile: &Switches,
        short: &Budget,
        whole: &Budget,
    ) -> Division {
        let Some(parts) = Parts::find(proved, setup.seed, short) else {
            return Division::Whole;
        };
        let searched = parts.searched();
        if searched == Some(Sharing::One) || searched.is_some() && profile.passing {
            let rest = whole.share(PREPARE);
            let divided = Divided::find(parts, setup, profile, &rest);
            return divided.map_or(Division::Whole, |divided| Division::Parts(divided.into()));
        }
        let mut engine = setup.playable.engine.fork();
        let start = engine.initial();
        let short = short.clone().with_memory(setup.memory);
        let solution = factored::solve(&parts, &mut *engine, &start, &short);
        solution.map_or(Division::Whole, Division::Solution)
    }

    /// Whether the whole need not be searched.
    pub fn is_enough(&self) -> bool {
        match self {
            Division::Whole => false,
            Division::Solution(solution) => solution.best,
            Division::Parts(_) => true,
        }
    }
}

impl Divided {
    /// Prepares to search each part, within the budget. `None` if that cannot be done.
    ///
    /// A quarter of the memory of `setup` is left for the whole.
    pub fn find(
        parts: Parts,
        setup: &Setup,
        profile: &Switches,
        budget: &Budget,
    ) -> Option<Divided> {
        let role = setup.role;
        let mut engine = setup.playable.engine.fork();
        let words = &parts.compiled.logic.words;
        let words = words.moves[role.0].iter().enumerate();
        let numbers = words.filter_map(|(at, term)| Some((engine.find_move(role, term)?, at)));
        let numbers = numbers.collect();
        let chooses = parts.searched()? == Sharing::Several;
        if chooses && !takes_turns(&mut *engine, setup.seed) {
            return None;
        }
        let mut searched = Vec::new();
        let count = parts.relevant().count();
        for (left, (factor, part)) in (1..=count as u32).rev().zip(parts.relevant()) {
            let share = budget.share(left);
            let compiled = Arc::new(Compiled::of_logic(parts.game(factor)));
            let mut engine = engine_of(&compiled, &share).ok()?;
            let words = part.logic.words.moves[role.0].iter();
            let moves = words.map(|term| engine.find_move(role, term)).collect();
            let proved = Proved::find(compiled.clone(), setup.seed, &FACTS.share(&share));
            let setup = Setup {
                playable: Playable {
                    engine,
                    compiled: Some(compiled),
                },
                memory: setup.memory / 4 * 3 / count,
                ..*setup
            };
            let mut clock = StartClock::new(&share);
            searched.push(Part {
                factor,
                searchable: Searchable::prepare(setup, Some(proved), profile, &mut clock),
                moves,
            });
        }
        Some(Divided {
            parts,
            role,
            engine,
            numbers,
            searched,
            chooses,
        })
    }
}

/// Whether no two roles had a choice at the same time in some random play.
fn takes_turns(engine: &mut dyn Engine, seed: u64) -> bool {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut state = engine.initial();
    for _ in 0..SEEN {
        if !matches!(engine.terminal(&state), Ok(false)) {
            state = engine.initial();
        }
        let (mut joint, mut choose) = (Vec::new(), 0);
        for role in (0..engine.roles().len()).map(RoleId) {
            let mut legal = Vec::new();
            if engine.legal(&state, role, &mut legal).is_err() || legal.is_empty() {
                return false;
            }
            choose += usize::from(legal.len() > 1);
            joint.push(legal[rng.random_range(0..legal.len())]);
        }
        let mut next = game::State::default();
        if choose > 1 || engine.next(&state, &joint, &mut next).is_err() {
            return false;
        }
        state = next;
    }
    true
}
