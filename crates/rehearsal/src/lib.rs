//! Plays a rulesheet at random and reports what is wrong with the play, each with the moves that
//! lead there.
//!
//! A rulesheet can be well formed and still be no game: a role may get stuck, a match may end
//! without a result or not at all. The static check (`gdl-check`) cannot tell, since it does not
//! play. Here thousands of random playouts look for such positions.
//!
//! # Scope
//! What is found did happen, and its witness can be replayed. What is not found may still be
//! there: random play reaches only a part of most games.
//!
//! # Key decisions
//! - Play is on the fastest engine. Only where it knows no goal, the reasoner is asked what the
//!   rules say, since engines do not tell several goals from none.
//! - That a move is never legal, or that results are always the same, is reported once the second
//!   half of the playouts has shown nothing new.
//!
//! # Example
//! ```
//! use budget::Budget;
//! use prepare::{Options, prepare};
//!
//! // There is no move at the second step.
//! let rules = "(role robot) (init (at 1)) (<= (legal robot walk) (true (at 1)))
//!     (<= (next (at 2)) (does robot walk)) (<= terminal (true (at 3))) (goal robot 100)";
//! let budget = Budget::system();
//! let mut game = prepare(rules, &Options::default(), &budget)?;
//! let played = rehearsal::rehearse(&mut game, &rehearsal::Options::default(), &budget);
//! assert_eq!(played.findings[0].diagnostic.code, "no-legal-move");
//! assert_eq!(played.findings[0].witness.len(), 1);
//! # Ok::<(), prepare::PrepareError>(())
//! ```

mod findings;
mod growth;
mod tally;
mod walk;

pub use findings::Finding;

use budget::Budget;
use prepare::Prepared;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tally::Tally;
use walk::{End, walk};

/// How much to play.
#[derive(Debug, Clone)]
pub struct Options {
    /// Seed of the moves.
    pub seed: u64,
    /// Playouts at most, besides the budget.
    pub playouts: u64,
    /// Joint moves after which a playout counts as one without an end.
    pub max_steps: usize,
}

impl Default for Options {
    /// Ten thousand playouts of at most two thousand moves.
    fn default() -> Self {
        Options {
            seed: 1,
            playouts: 10_000,
            max_steps: 2_000,
        }
    }
}

/// What came of the playouts.
#[derive(Debug, Clone, PartialEq)]
pub struct Rehearsal {
    /// Playouts that were begun.
    pub playouts: u64,
    /// Joint moves played.
    pub moves: u64,
    /// What is wrong, the worst first.
    pub findings: Vec<Finding>,
}

/// Plays a game at random until the budget ends or enough has been played.
///
/// Of each kind of fault the shortest witness is reported.
pub fn rehearse(game: &mut Prepared, options: &Options, budget: &Budget) -> Rehearsal {
    budget.begins("playing at random");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let engine = &mut *game.playable.engine;
    engine.set_budget(budget);
    let mut tally = Tally::new(engine.roles().len());
    while tally.playouts < options.playouts && budget.check().is_ok() {
        let walked = walk(engine, &mut rng, options.max_steps, &mut tally, budget);
        let over = walked.moves.is_empty();
        let broken = matches!(walked.end, End::Broken(_));
        tally.add(engine, walked);
        // Without a move, or with an error, all other playouts would be the same.
        if over || broken {
            break;
        }
    }
    Rehearsal {
        playouts: tally.playouts,
        moves: tally.moves,
        findings: findings::findings(game, &tally, options, budget),
    }
}

#[cfg(test)]
mod tests;
