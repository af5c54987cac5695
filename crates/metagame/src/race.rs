//! Settings race: which finds the better moves in the same time?
//!
//! A match with a few milliseconds per move gives one bit, and takes hundreds of searches for
//! it. Here every search gives information: a game is played, and in each position all settings
//! search for the same short time, each keeping its graph and what it has learnt from move to
//! move as in a match. Where they agree nothing is learnt, and no more time is spent. Where
//! they disagree, judges search for longer from each of the chosen moves. The judges are the
//! first settings, and the same without learning, so that the judge is not one of the
//! contestants alone. The gain of settings is the value of their move minus the value of the
//! first settings' move: compared in the same position, common errors cancel. Settings that are
//! behind drop out ("racing": Maron and Moore, "Hoeffding races", 1994).

use crate::Settings;
use budget::Budget;
use game::{Engine, MoveId, RoleId, State};
use mcts::{Limits, Search};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::time::Duration;

/// Makes searches of a game.
pub trait Searches {
    /// The engine of the game.
    fn engine(&mut self) -> &mut dyn Engine;

    /// A new single-threaded search with these settings, for a role.
    fn search(&mut self, settings: &Settings, role: RoleId, seed: u64) -> Search;
}

/// All judges together search each disputed move for this many times as long as the settings
/// did.
const JUDGE: u32 = 4;
/// The shortest and the longest time in which settings choose a move.
const TRIAL: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(20)];
/// The trial time is chosen so that about this many positions are raced over.
const POSITIONS: u32 = 100;
/// Judging the moves of a position takes about this many times as long as a trial.
const JUDGED: u32 = 2 * JUDGE;
/// One of this many moves is random, so that there are positions of all kinds.
const RANDOM: u32 = 5;
/// Settings drop out once they are behind by this many standard errors, after at least `LEAST`
/// positions.
const BEHIND: f64 = 1.0;
const LEAST: usize = 10;
/// Settings win, and the race is over, once they are ahead by this many standard errors.
///
/// The threshold is high because several settings are compared, again and again, so that one of
/// them may be ahead by chance.
const AHEAD: f64 = 3.0;

/// The performance of settings in a race.
#[derive(Debug, Clone, PartialEq)]
pub struct Contestant {
    /// The settings.
    pub settings: Settings,
    /// The value of their moves minus that of the first settings' moves, in each position.
    pub gains: Vec<f64>,
    /// Whether they were in the race to the end.
    pub running: bool,
}

impl Contestant {
    /// The mean gain, and its standard error.
    pub fn gain(&self) -> (f64, f64) {
        let count = self.gains.len().max(1) as f64;
        let mean = self.gains.iter().sum::<f64>() / count;
        let squares = self.gains.iter().map(|gain| (gain - mean).powi(2));
        // One more gain of a typical size, so that a few positions never suffice.
        let variance = (squares.sum::<f64>() + 25.0) / count;
        (mean, (variance / count).sqrt())
    }
}

/// The course of a race.
#[derive(Debug, Clone, PartialEq)]
pub struct Race {
    /// The other settings, in their order.
    pub contestants: Vec<Contestant>,
    /// Positions in which all settings chose a move.
    pub positions: usize,
    /// Positions in which they disagreed.
    pub disputed: usize,
    /// The time of each for a move.
    pub trial: Duration,
}

impl Race {
    /// The settings that are significantly better than the first, if there are some.
    pub fn winner(&self) -> Option<&Contestant> {
        let ahead = |contestant: &&Contestant| {
            let (mean, error) = contestant.gain();
            contestant.gains.len() >= LEAST && mean > AHEAD * error
        };
        let sure = self.contestants.iter().filter(ahead);
        sure.max_by(|a, b| a.gain().0.total_cmp(&b.gain().0))
    }
}

/// Why there was no race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoRace {
    /// Several roles choose at the same time, so that no move is best by itself.
    AtOnce,
    /// The game could not be played.
    Failed,
}

/// The bounds of a race.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// How long settings search for a move.
    pub trial: Duration,
    /// Limits that end the search for a move earlier. With such limits, a race that no clock
    /// ends repeats.
    pub limits: Limits,
    /// The most positions.
    pub positions: usize,
}

impl Effort {
    /// The effort that makes good use of the time left for a race of `others` settings besides
    /// the first.
    pub fn within(budget: &Budget, others: usize) -> Effort {
        let efforts = POSITIONS * (others as u32 + 1 + JUDGED);
        let trial = budget.remaining().map_or(TRIAL[1], |left| left / efforts);
        Effort {
            trial: trial.clamp(TRIAL[0], TRIAL[1]),
            limits: Limits::default(),
            positions: usize::MAX,
        }
    }
}

/// Races settings against the first until some have won, or the budget or the effort ends.
///
/// # Errors
/// If the game is not suitable for a race.
pub fn race(
    first: &Settings,
    others: &[Settings],
    searches: &mut dyn Searches,
    effort: Effort,
    seed: u64,
    budget: &Budget,
) -> Result<Race, NoRace> {
    let running = |settings: &Settings| Contestant {
        settings: settings.clone(),
        gains: Vec::new(),
        running: true,
    };
    let mut course = Course {
        race: Race {
            contestants: others.iter().map(running).collect(),
            positions: 0,
            disputed: 0,
            trial: effort.trial,
        },
        effort,
        first,
        searches,
        rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        budget,
    };
    while course.continues() {
        let before = course.race.positions;
        course.game()?;
        if course.race.positions == before {
            // No position had a choice.
            break;
        }
    }
    Ok(course.race)
}

struct Course<'a> {
    race: Race,
    effort: Effort,
    first: &'a Settings,
    searches: &'a mut dyn Searches,
    rng: Xoshiro256PlusPlus,
    budget: &'a Budget,
}

/// A position in which one role has a choice.
struct Place<'a> {
    state: &'a State,
    /// The moves of all others.
    joint: &'a [MoveId],
    role: usize,
}

/// One search for each role.
struct Team(Vec<Search>);

impl Course<'_> {
    fn continues(&self) -> bool {
        self.budget.check().is_ok()
            && self.race.positions < self.effort.positions
            && self.race.contestants.iter().any(|one| one.running)
            && self.race.winner().is_none()
    }

    fn team(&mut self, settings: &Settings) -> Team {
        let roles = self.searches.engine().roles().len();
        let seed = self.rng.random();
        let search = |role| self.searches.search(settings, RoleId(role), seed);
        Team((0..roles).map(search).collect())
    }

    /// Races over the positions of one game.
    fn game(&mut self) -> Result<(), NoRace> {
        let first = self.first.clone();
        let mut judges = vec![self.team(&first)];
        if first.learning > 0.0 {
            // A judge that does not share errors of the learnt values.
            judges.push(self.team(&Settings {
                learning: 0.0,
                ..first.clone()
            }));
        }
        let mut teams = vec![(None, self.team(&first))];
        for at in 0..self.race.contestants.len() {
            // In large games it takes long to create searches.
            if self.budget.check().is_err() {
                return Ok(());
            }
            let settings = self.race.contestants[at].settings.clone();
            if self.race.contestants[at].running {
                teams.push((Some(at), self.team(&settings)));
            }
        }
        let mut state = self.searches.engine().initial();
        let failed = |_| NoRace::Failed;
        while self.continues() {
            let engine = self.searches.engine();
            if engine.terminal(&state).map_err(failed)? {
                break;
            }
            let (mut joint, mut chooser) = (Vec::new(), None);
            for role in 0..engine.roles().len() {
                let mut moves = Vec::new();
                engine
                    .legal(&state, RoleId(role), &mut moves)
                    .map_err(failed)?;
                joint.push(*moves.first().ok_or(NoRace::Failed)?);
                if moves.len() > 1 && chooser.replace((role, moves)).is_some() {
                    return Err(NoRace::AtOnce);
                }
            }
            if let Some((role, moves)) = chooser {
                let place = Place {
                    state: &state,
                    joint: &joint,
                    role,
                };
                let best = self.position(&place, &mut judges, &mut teams);
                joint[role] = match best.filter(|_| !self.rng.random_ratio(1, RANDOM)) {
                    Some(best) => best,
                    None => moves[self.rng.random_range(0..moves.len())],
                };
            }
            let mut next = State::default();
            let engine = self.searches.engine();
            engine.next(&state, &joint, &mut next).map_err(failed)?;
            state = next;
            let contestants = &self.race.contestants;
            teams.retain(|(at, _)| at.is_none_or(|at| contestants[at].running));
        }
        Ok(())
    }

    /// Lets all settings choose in a position, and judges the moves. Returns the best move, if
    /// it is known.
    fn position(
        &mut self,
        place: &Place<'_>,
        judges: &mut [Team],
        teams: &mut [(Option<usize>, Team)],
    ) -> Option<MoveId> {
        let mut chosen = vec![MoveId(0); teams.len()];
        // The order rotates, since the first search finds other things in the caches than the
        // last.
        let turn = self.race.positions;
        for number in 0..teams.len() {
            let at = (number + turn) % teams.len();
            let trial = self.budget.clone().with_timeout(self.effort.trial);
            let search = &mut teams[at].1.0[place.role];
            let report = search.choose(place.state, self.effort.limits, &trial, &|_| ());
            chosen[at] = report.ok()?.best;
        }
        self.budget.check().ok()?;
        self.race.positions += 1;
        let mut moves = chosen.clone();
        moves.sort_unstable_by_key(|mv| mv.0);
        moves.dedup();
        if let [agreed] = moves[..] {
            return Some(agreed);
        }
        let mut worths = Vec::new();
        for mv in moves {
            worths.push((mv, self.judge(place, mv, judges)?));
        }
        self.race.disputed += 1;
        let worth = |mv| {
            let known = worths.iter().find(|(known, _)| *known == mv);
            known.map_or(0.0, |(_, worth)| *worth)
        };
        for ((at, _), &mv) in teams.iter().zip(&chosen) {
            if let Some(at) = *at {
                let contestant = &mut self.race.contestants[at];
                contestant.gains.push(worth(mv) - worth(chosen[0]));
                let (mean, error) = contestant.gain();
                contestant.running = contestant.gains.len() < LEAST || mean > -BEHIND * error;
            }
        }
        let best = worths.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        best.map(|best| best.0)
    }

    /// The value of a move, after a longer search. `None` if there is no time for it.
    fn judge(&mut self, place: &Place<'_>, mv: MoveId, judges: &mut [Team]) -> Option<f64> {
        let mut joint = place.joint.to_vec();
        joint[place.role] = mv;
        let mut next = State::default();
        let engine = self.searches.engine();
        engine.next(place.state, &joint, &mut next).ok()?;
        let Effort { trial, limits, .. } = self.effort;
        let count = judges.len() as u32;
        let limits = Limits {
            playouts: limits.playouts.saturating_mul(JUDGE.into()) / u64::from(count),
            nodes: limits.nodes.saturating_mul(JUDGE.into()) / u64::from(count),
        };
        let mut sum = 0.0;
        for judge in judges {
            let long = self.budget.clone().with_timeout(trial * JUDGE / count);
            let search = &mut judge.0[place.role];
            sum += search.worth(&next, limits, &long).ok()?;
        }
        self.budget.check().ok()?;
        Some(sum / f64::from(count))
    }
}
