//! States of play, each with what came of its game.

use analysis::sampling::{self, Extent, LANES, each};
use budget::Budget;
use heuristics::Outputs;
use invariants::Play;
use netlist::GameLogic;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use selfplay::Ended;

/// States of each game, at most: more say little that is new.
const EACH: usize = 4;
/// Plies after which a random game is cut. Nothing is learnt from it.
const LENGTH: u32 = 1000;

/// A state of play in which the game went on.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// A bit for each fact.
    pub state: Vec<u64>,
    /// The number of plies before it.
    pub ply: u32,
    /// The game that it is from. Moments of one game are adjacent.
    pub game: u32,
    /// For each output of the value the result of the game, 0 to 100.
    pub results: Vec<f32>,
}

/// A sample of a stream, in which each item is as likely as any other.
#[derive(Debug, Clone)]
struct Reservoir {
    seen: u64,
    kept: Vec<(u32, Vec<u64>)>,
}

impl Reservoir {
    const EMPTY: Reservoir = Reservoir {
        seen: 0,
        kept: Vec::new(),
    };

    /// Offers an item, which is only made if it is kept.
    fn offer(&mut self, rng: &mut impl RngExt, item: impl FnOnce() -> (u32, Vec<u64>)) {
        self.seen += 1;
        if self.kept.len() < EACH {
            self.kept.push(item());
            return;
        }
        let place = rng.random_range(0..self.seen) as usize;
        if place < EACH {
            self.kept[place] = item();
        }
    }
}

/// Moments of games, one game after the other.
#[derive(Debug, Clone, Default)]
pub struct Moments {
    /// The moments.
    pub moments: Vec<Moment>,
    /// The number of games.
    pub games: u32,
}

impl Moments {
    /// Moments of random play, of `games` games at most.
    pub fn of_random_play(
        logic: &GameLogic,
        outputs: Outputs,
        games: u32,
        seed: u64,
        budget: &Budget,
    ) -> Moments {
        let mut all = Moments::default();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut lanes = [Reservoir::EMPTY; LANES];
        let mut play = Play::new(logic, seed);
        let extent = Extent {
            playouts: games.div_ceil(LANES as u32),
            length: LENGTH,
            steps: u64::MAX,
        };
        // What was seen until the budget ended is a sample, too.
        let _ = sampling::play(logic, &mut play, extent, budget, |play, look| {
            for lane in each(look.going) {
                let age = look.age[lane];
                // All games begin alike.
                if age > 0 {
                    lanes[lane].offer(&mut rng, || (age, state(logic, play, lane)));
                }
            }
            if look.over != 0 {
                play.results();
            }
            for lane in each(look.over) {
                let goals = logic.goals.iter().map(|row| goal(play, row, lane));
                let goals: Vec<Option<u8>> = goals.collect();
                let kept = std::mem::take(&mut lanes[lane].kept);
                all.add(kept, &goals, outputs);
            }
            each(look.ended()).for_each(|lane| lanes[lane] = Reservoir::EMPTY);
        });
        all
    }

    /// Adds moments of a game of the learner.
    pub fn add_learnt(&mut self, ended: Ended, outputs: Outputs, rng: &mut impl RngExt) {
        let mut kept = Reservoir::EMPTY;
        for (ply, state) in (0..).zip(ended.states) {
            kept.offer(rng, || (ply, state.words().to_vec()));
        }
        self.add(kept.kept, &ended.goals, outputs);
    }

    /// Adds the states of a game, unless it has no result.
    fn add(&mut self, mut kept: Vec<(u32, Vec<u64>)>, goals: &[Option<u8>], outputs: Outputs) {
        if goals.contains(&None) || kept.is_empty() {
            return;
        }
        kept.sort_unstable_by_key(|&(ply, _)| ply);
        let mut results = Vec::new();
        outputs.targets(goals, &mut results);
        results.iter_mut().for_each(|result| *result *= 100.0);
        self.moments
            .extend(kept.into_iter().map(|(ply, state)| Moment {
                state,
                ply,
                game: self.games,
                results: results.clone(),
            }));
        self.games += 1;
    }
}

/// The state of a lane.
fn state(logic: &GameLogic, play: &Play<'_>, lane: usize) -> Vec<u64> {
    let mut words = vec![0; logic.facts.len().div_ceil(64)];
    for (fact, &lit) in logic.facts.iter().enumerate() {
        words[fact / 64] |= (play.word(lit) >> lane & 1) << (fact % 64);
    }
    words
}

/// The result that a row of goals gives in a lane, if exactly one holds.
pub fn goal(play: &Play<'_>, row: &[(u8, netlist::Lit)], lane: usize) -> Option<u8> {
    let mut holds = row.iter().filter(|goal| play.word(goal.1) >> lane & 1 == 1);
    let one = holds.next().map(|goal| goal.0);
    one.filter(|_| holds.next().is_none())
}

/// The positions of the bits that are set.
pub fn facts(state: &[u64]) -> impl Iterator<Item = u32> + '_ {
    let words = (0..).zip(state);
    words.flat_map(|(at, &word)| each(word).map(move |bit| 64 * at + bit as u32))
}
