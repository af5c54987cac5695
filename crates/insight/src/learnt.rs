//! Learning the value of a game, and the games that were played in its second half.

use crate::Settings;
use crate::moments::Moments;
use analysis::boards::Boards;
use budget::Budget;
use compile::Proved;
use features::Found;
use heuristics::{Evaluator, Reference, Value, logistic};
use prepare::learner_on;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use selfplay::{Learner, Progress};

/// The part of the time that features may take: 1 / `FEATURES`.
const FEATURES: u32 = 3;
/// Games between two looks at the games that have ended.
const GAMES: u64 = 64;
/// Games of learnt play that are looked at, at most: the last ones.
const MOST: u32 = 4096;
/// Games from which on what was learnt is a value.
const ENOUGH: u64 = 400;

/// What was learnt.
pub struct Learnt {
    /// The features.
    pub found: Found,
    /// What was done.
    pub progress: Progress,
    /// The value, and moments of games of its second half; `None` if there were too few games.
    pub value: Option<(Value, Moments)>,
}

/// Learns until there are `settings.games` games, or the budget ends.
///
/// # Errors
/// Why nothing was learnt, for people.
pub fn learn(
    proved: &Proved,
    boards: &Boards,
    opposed: bool,
    settings: &Settings,
    budget: &Budget,
) -> Result<Learnt, String> {
    let Settings { kinds, config, .. } = *settings;
    let seed = settings.seed;
    // Of features alone, nothing can be learnt.
    let within = budget.share(FEATURES);
    let made = learner_on(proved, boards, opposed, kinds, config, seed, &within);
    let (mut learner, found) = made.map_err(|why| why.to_string())?;
    let half = settings.games / 2;
    let failed = |error: game::EngineError| error.to_string();
    learner.learn(half, &budget.share(2)).map_err(failed)?;
    learner.keep_games();
    let outputs = learner.value().outputs;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut chunks: Vec<Moments> = Vec::new();
    while learner.progress().games < settings.games && budget.check().is_ok() {
        let left = settings.games - learner.progress().games;
        learner.learn(left.min(GAMES), budget).map_err(failed)?;
        let mut chunk = Moments::default();
        for ended in learner.ended() {
            chunk.add_learnt(ended, outputs, &mut rng);
        }
        chunks.push(chunk);
        // The oldest are of a weaker player.
        let games = |chunks: &[Moments]| chunks.iter().map(|one| one.games).sum::<u32>();
        while games(&chunks[1..]) >= MOST {
            chunks.remove(0);
        }
    }
    Ok(Learnt {
        found,
        progress: learner.progress(),
        value: value(&learner, chunks),
    })
}

fn value(learner: &Learner, chunks: Vec<Moments>) -> Option<(Value, Moments)> {
    let mut all = Moments::default();
    for chunk in chunks {
        let first = all.games;
        all.games += chunk.games;
        all.moments
            .extend(chunk.moments.into_iter().map(|mut moment| {
                moment.game += first;
                moment
            }));
    }
    let enough = learner.progress().games >= ENOUGH && !all.moments.is_empty();
    enough.then(|| (learner.value(), all))
}

/// What a value says of moments: for each output the result that it expects, 0 to 100.
pub fn expected(value: &Value, moments: &Moments) -> Vec<Vec<f64>> {
    let mut evaluator = Evaluator::new(value.features.clone());
    let mut reference = Reference::new(&value.features);
    let mut all = vec![Vec::with_capacity(moments.moments.len()); value.outputs.count()];
    let mut values = Vec::new();
    for moment in &moments.moments {
        values.clear();
        evaluator.set(&mut reference, &moment.state);
        evaluator.values(&mut reference, &value.weights, &moment.state, &mut values);
        for (all, &one) in all.iter_mut().zip(&values) {
            all.push(100.0 * f64::from(logistic(one)));
        }
    }
    all
}
