//! The features of a game: which facts of a state matter together for its value.
//!
//! [`Found::find`] turns the facts of a game into *variables*, groups of facts of which at most
//! one holds, such as the contents of a square. Variables that change together, or that rules
//! read together, are near each other. *Tuples* of near variables are the features of an n-tuple
//! network ([`heuristics::Features`]): each variable, pairs, neighbourhoods, lines. On a board,
//! tuples of the same shape share a table, so that what is learnt at one place counts at all;
//! and tuples that a symmetry of the game maps to each other do.
//! Theory: docs/theory/knowledge.md.
//!
//! # Scope
//! Names of facts carry no information, because servers scramble them. Boards, exclusion groups
//! and phases come from analyses of the rules. The crate learns nothing: it says where to look.
//!
//! # Key decisions
//! - Facts that no move affects, that never change, or that equal others are left out.
//! - States are divided by the phase of the game, or by who chooses, with weights for each part:
//!   one set for both sides to move scored 12 of 40 against two sets. Only where a symmetry
//!   exchanges the roles do both share one, each in the mirror of the other.
//! - Features are found in a second or so of random play; nothing depends on results.

mod images;
mod mirrors;
mod nearness;
mod observed;
mod sets;
mod shapes;
mod symmetric;
mod tuples;
mod variables;

pub use shapes::name;
pub use variables::{Place, Variable};

use analysis::boards::Boards;
use budget::Budget;
use heuristics::FeatureSet;
use invariants::Groups;
use nearness::Nearness;
use netlist::{GameLogic, Phases};
use observed::Observed;
use profile::symmetries::Symmetry;

/// Which tuples to take, besides each variable by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds {
    /// Pairs of near variables.
    pub pairs: bool,
    /// Near variables together, and conjunctions, with a table for each place.
    pub local: bool,
    /// Shapes with one table for all places of a board.
    pub shapes: bool,
    /// One table for tuples that a symmetry of the game maps to each other, and one set of
    /// weights for both sides to move if it exchanges them.
    pub symmetric: bool,
}

impl Default for Kinds {
    fn default() -> Self {
        Kinds {
            pairs: true,
            local: true,
            shapes: true,
            symmetric: true,
        }
    }
}

/// What is shared because of symmetries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shared {
    /// Tuples that gave up a table of their own.
    pub tables: usize,
    /// Sets of states that gave up weights of their own.
    pub sets: usize,
}

/// The features of a game.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The variables.
    pub variables: Vec<Variable>,
    /// The features, for states with one bit for each fact in the order of the vocabulary.
    pub set: FeatureSet,
    /// The number of states of random play that were seen.
    pub states: u64,
}

impl Found {
    /// Finds the features of a game. `seed` is the seed of random play. Where the budget ends
    /// early, fewer states were seen.
    pub fn find(
        logic: &GameLogic,
        phases: &Phases,
        groups: &Groups,
        boards: &Boards,
        kinds: Kinds,
        seed: u64,
        budget: &Budget,
    ) -> Found {
        let observed = Observed::new(logic, seed, &budget.share(2));
        let variables = variables::variables(logic, groups, boards, &observed);
        let mut set = FeatureSet {
            bits: vec![None; logic.facts.len()],
            sizes: variables.iter().map(Variable::size).collect(),
            sets: sets::sets(phases, logic.roles(), &observed),
            ..FeatureSet::default()
        };
        for (number, variable) in (0..).zip(&variables) {
            for (at, fact) in variable.facts.iter().enumerate() {
                if let Some(fact) = fact {
                    set.bits[*fact as usize] = Some((number, variable.value(at)));
                }
            }
        }
        tuples::add_singles(&variables, &mut set);
        if budget.check().is_ok() && (kinds.pairs || kinds.local || kinds.shapes) {
            let nearness = Nearness::new(logic, &variables, &observed);
            if kinds.pairs {
                tuples::add_pairs(&variables, &nearness, &mut set);
            }
            if kinds.local {
                tuples::add_local(&variables, &nearness, &mut set);
            }
            if kinds.shapes {
                shapes::add(&variables, &nearness, boards, &mut set);
            }
        }
        Found {
            states: observed.states(),
            variables,
            set,
        }
    }

    /// Lets what symmetries of the game map to each other share its weights: tuples share a
    /// table, and sets of states all weights where roles are exchanged.
    pub fn share(&mut self, symmetries: &[Symmetry]) -> Shared {
        let (set, variables) = (&mut self.set, &self.variables);
        Shared {
            tables: symmetric::share(variables, symmetries, set),
            sets: mirrors::share(variables, symmetries, set),
        }
    }
}
