//! One step of play as a program: the legal moves, the choice, the next state.

mod builder;

use crate::policy::{Applied, GuidedPlaces, Policy};
use crate::scan::{SCAN_FROM, Scan};
use bitcode::Code;
use budget::{Budget, ManualClock};
use builder::Builder;
use netlist::{GameLogic, Lit, Netlist};
use std::ops::Range;
use std::sync::Arc;

/// The segment that computes whether states are terminal, counts the legal moves and draws
/// ranks.
pub const LOOK: usize = 0;
/// The segment that computes the results.
pub const RESULTS: usize = 1;
/// The segment that applies the chosen moves.
pub const MOVE: usize = 2;

/// The places of values in the memory of a [`Step`].
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The number of facts of a state. Two banks of so many planes hold the state and the next
    /// one; the state in which new playouts begin follows.
    pub facts: usize,
    /// Which of the banks.
    pub banks: Banks,
    /// The plane of whether the state is terminal.
    pub terminal: usize,
    /// The plane of whether a role has no move though the state is not terminal.
    pub stuck: usize,
    /// Each role's results: the value, and the plane that is true where it is the role's only
    /// result.
    pub goals: Vec<Vec<(u8, usize)>>,
    /// The planes of all results, in the order of [`Places::goals`].
    pub results: Range<usize>,
    /// The choices.
    pub choices: Vec<ChoicePlaces>,
    /// The choices among very many moves.
    pub scans: Vec<Scan>,
    /// The choices of guided roles.
    pub guided: Vec<GuidedPlaces>,
}

/// The banks of planes that hold the state of a step, and that of the step after it.
///
/// The next state is made in the bank that the state is not in. Where the steps of a game
/// alternate between the banks, no state has to be moved from one to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Banks {
    /// The bank of the state, 0 or 1.
    pub here: usize,
    /// The bank in which the step after this one expects its state.
    pub then: usize,
}

impl Banks {
    /// Those of a phase of a game, which has so many.
    pub fn of(phase: usize, phases: usize) -> Banks {
        match phases.is_multiple_of(2) {
            true => Banks {
                here: phase % 2,
                then: 1 - phase % 2,
            },
            false => Banks::default(),
        }
    }
}

/// The places of a choice in memory.
#[derive(Debug, Clone)]
pub struct ChoicePlaces {
    /// Random bits, to be filled before [`LOOK`].
    pub random: Range<usize>,
    /// The number of legal moves.
    pub total: Range<usize>,
    /// The rank of the chosen move, which may be changed between [`LOOK`] and [`MOVE`].
    pub rank: Range<usize>,
    /// The plane that is true where the rank may have to be drawn again.
    pub doubtful: usize,
}

impl Places {
    /// The planes of the state.
    pub fn here(&self) -> Range<usize> {
        self.bank(self.banks.here)
    }

    /// The planes of the next state.
    pub fn next(&self) -> Range<usize> {
        self.bank(1 - self.banks.here)
    }

    /// The planes in which the step after this one expects its state.
    pub fn then(&self) -> Range<usize> {
        self.bank(self.banks.then)
    }

    fn bank(&self, bank: usize) -> Range<usize> {
        bank * self.facts..(bank + 1) * self.facts
    }

    /// The planes of the states in which new playouts begin. They are the same in the programs
    /// of all phases of a game, and only the caller sets them.
    pub fn begin(&self) -> Range<usize> {
        2 * self.facts..3 * self.facts
    }
}

/// Moves among which one random number chooses.
///
/// In every state that play reaches, at most one role of a choice has more than one legal move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The alternatives: sets of moves, as (role, move). No two moves of a set are ever legal
    /// in the same state.
    pub leaves: Vec<Vec<(u16, u32)>>,
    /// Moves that are their role's only one wherever they are legal. They are played there and
    /// are not alternatives of the choice.
    pub forced: Vec<(u16, u32)>,
    /// With so many alternatives that can be legal, or more, the choice is made by
    /// [`Scan::choose`] instead of a circuit; [`SCAN_FROM`] is right, except for tests. Where roles
    /// are guided it is made by a circuit. A scan looks at the moves of the sets one by one.
    pub scan_from: usize,
}

impl Default for Choice {
    fn default() -> Self {
        Choice {
            leaves: Vec::new(),
            forced: Vec::new(),
            scan_from: SCAN_FROM,
        }
    }
}

impl Choice {
    /// A choice for every role, in which every move is an alternative by itself. Correct for
    /// every game.
    pub fn plain(logic: &GameLogic) -> Vec<Choice> {
        let choice = |(role, moves): (usize, &Vec<Lit>)| Choice {
            leaves: (0..moves.len())
                .map(|mv| vec![(role as u16, mv as u32)])
                .collect(),
            forced: Vec::new(),
            scan_from: SCAN_FROM,
        };
        logic.does.iter().enumerate().map(choice).collect()
    }
}

/// A program that makes one random step from a state in every lane.
#[derive(Debug, Clone)]
pub struct Step {
    /// The program.
    pub code: Code,
    /// The layout of its memory.
    pub places: Places,
    /// The number of alternatives, in all choices.
    pub leaves: usize,
    /// The outcome of each part of the policy.
    pub applied: Vec<Applied>,
}

impl Step {
    /// Builds a step from logic that is specialised for the states in which it will be used.
    ///
    /// `choices` say how moves are chosen; every move is in exactly one of them.
    pub fn new(logic: &GameLogic, choices: &[Choice]) -> Step {
        let unlimited = Budget::unlimited(Arc::new(ManualClock::default()));
        let (policy, banks) = (Policy::default(), Banks::default());
        Step::with([logic; 3], choices, &policy, banks, &unlimited)
    }

    /// Like [`Step::new`], but with a policy, and with its state in a bank of its own.
    ///
    /// The logics are those of this step and of the next two. `budget` bounds the time for
    /// building the policy's signals, which are left out if it runs out.
    pub fn with(
        logics: [&GameLogic; 3],
        choices: &[Choice],
        policy: &Policy,
        banks: Banks,
        budget: &Budget,
    ) -> Step {
        let mut builder = Builder::new(logics[0], banks);
        builder.results();
        let rows = builder.legal_moves();
        let (rows, applied) = builder.restrict(rows, logics, choices, policy, budget);
        builder.guided(policy, &rows);
        for choice in choices {
            builder.choose(choice, &rows);
        }
        builder.follow_lists();
        builder.next_state();
        builder.finish(applied)
    }
}

/// Whether two or more of the signals are true.
pub(crate) fn at_least_two(net: &mut Netlist, lits: &[Lit]) -> Lit {
    let (mut once, mut twice) = (Lit::FALSE, Lit::FALSE);
    for &lit in lits {
        let again = net.and(once, lit);
        twice = net.or(twice, again);
        once = net.or(once, lit);
    }
    twice
}
