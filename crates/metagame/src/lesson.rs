//! Learning what states of a game are worth, from nothing or from where it was left.

use crate::{Archive, Learnt, Searchable};
use analysis::form::Form;
use budget::Budget;
use game::EngineError;
use heuristics::{Features, Value};
use prepare::{MadeLearner, NoLearner};
use selfplay::Progress;

/// The first part of the time, 1 / `PART`, tells how many games the whole would bring.
const PART: u32 = 4;

/// What was learnt about a game earlier.
pub struct Earlier {
    /// The value of states with one bit for each fact of the game.
    value: Value,
    games: u64,
    positions: u64,
}

impl Earlier {
    /// What is kept about a game.
    pub fn find(archive: &dyn Archive, form: &Form) -> Option<Earlier> {
        Earlier::of(&archive.learnt(form.certificate)?, form)
    }

    /// What was learnt about a game, if it is of this game.
    pub fn of(learnt: &Learnt, form: &Form) -> Option<Earlier> {
        Some(Earlier {
            value: learnt.value_for(form)?,
            games: learnt.games,
            positions: learnt.positions,
        })
    }
}

/// A learner of a game, with what it began with.
pub struct Lesson {
    made: MadeLearner,
    /// Games and positions that were learnt earlier.
    before: (u64, u64),
}

impl Lesson {
    /// Begins with what was learnt earlier, or with nothing.
    ///
    /// # Errors
    /// If the game cannot be learnt within the budget.
    pub fn begin(
        searchable: &Searchable,
        earlier: Option<&Earlier>,
        budget: &Budget,
    ) -> Result<Lesson, NoLearner> {
        Ok(match earlier {
            Some(earlier) => Lesson {
                made: searchable.learner_of(&earlier.value, earlier.games, budget)?,
                before: (earlier.games, earlier.positions),
            },
            None => Lesson {
                made: searchable.learner(budget)?,
                before: (0, 0),
            },
        })
    }

    /// Plays until there are `games` more games, or the budget ends.
    ///
    /// # Errors
    /// If the rules could not be evaluated.
    pub fn learn(&mut self, games: u64, budget: &Budget) -> Result<Progress, EngineError> {
        self.made.learner.learn(games, budget)
    }

    /// The same, but ends early where more games were learnt earlier than this budget could add:
    /// they would change little, and others have a use for the time.
    ///
    /// # Errors
    /// As [`Lesson::learn`].
    pub fn refresh(&mut self, games: u64, budget: &Budget) -> Result<Progress, EngineError> {
        if self.before.0 > 0 && budget.remaining().is_some() {
            let progress = self.learn(games, &budget.share(PART))?;
            let whole = progress.games.saturating_mul(u64::from(PART));
            if self.before.0 >= whole || progress.games >= games {
                return Ok(progress);
            }
        }
        let made = self.made.learner.progress().games;
        self.learn(games.saturating_sub(made), budget)
    }

    /// What was done in this lesson alone.
    pub fn progress(&self) -> Progress {
        self.made.learner.progress()
    }

    /// The number of games that were learnt earlier.
    pub fn games_before(&self) -> u64 {
        self.before.0
    }

    /// The mean length of the games that were learnt from, in plies in which somebody chose.
    pub fn plies(&self) -> f64 {
        let progress = self.progress();
        let positions = self.before.1 + progress.examples;
        positions as f64 / (self.before.0 + progress.games).max(1) as f64
    }

    /// The features.
    pub fn features(&self) -> &Features {
        self.made.learner.features()
    }

    /// What was learnt so far, for states of the engine.
    pub fn value(&self) -> Value {
        self.made.learner.value().reordered(&self.made.order)
    }

    /// What was learnt so far, to be kept.
    pub fn learnt(&self, form: &Form) -> Learnt {
        let progress = self.progress();
        Learnt::of(
            &self.made.learner.value(),
            form,
            self.before.0 + progress.games,
            self.before.1 + progress.examples,
        )
    }
}
