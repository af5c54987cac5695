//! What is done with a game before the first move.

use crate::Setup;
use crate::beside::beside;
use crate::explain::explain;
use crate::grapher::Profile;
use crate::habits::Stage;
use crate::proved::Proved;
use budget::Budget;
use game::{Engine, Fans, MoveId, Playouts, RoleId, ScalarPlayouts, State};
use mcts::{Config, Prospects, Report, Search};
use metagame::{Log, Searches, Settings as Tuned};
use prepare::fans_beside;
use std::sync::Arc;
use std::time::Duration;

/// Transitions in a playout after which it is cut.
///
/// A well-formed game ends by itself, so this only guards against those that do not.
pub(crate) const MAX_STEPS: usize = 5_000;

/// The part of the start clock, one of so many, in which it is found out how moves are to be looked at.
const FANS: u32 = 8;

/// A search in a race of settings has this part of the memory, one of so many.
const TRIALS: usize = 64;

/// Joint moves that are tried to find out what others made, at most.
const MOST_JOINTS: usize = 1000;

/// What it takes to begin a search.
pub(crate) struct Prepared {
    setup: Setup,
    /// One playout at a time.
    plain: Box<dyn Playouts>,
    /// Playouts side by side, if they are worth it: without wins that are taken when they are one move
    /// away, and with them. Only one of the two is needed for play.
    lanes: [Option<Box<dyn Playouts>>; 2],
    /// The most leaves whose playouts are made within the time that a batch may take.
    leaves: u32,
    config: Config,
    prospects: Option<Arc<dyn Prospects>>,
    /// What looks at all moves of a state together, if that is worth it.
    fans: Option<Box<dyn Fans>>,
    /// What the search is played with.
    settings: Tuned,
}

impl Prepared {
    /// The state in which play begins.
    pub fn initial(&self) -> State {
        self.setup.engine.initial()
    }

    /// The engine, for other questions.
    pub fn engine(&mut self) -> &mut dyn Engine {
        &mut *self.setup.engine
    }

    /// Why a search chose its move.
    pub fn explain(&mut self, report: &Report, took: Option<Duration>) -> Option<String> {
        explain(report, &mut *self.setup.engine, self.setup.role, took)
    }

    /// The moves of this role and of the other one, if there is one other, and both have a choice; and
    /// which role that is.
    pub fn stage(&mut self, state: &State) -> Option<(Stage, RoleId)> {
        let engine = &mut self.setup.engine;
        if engine.roles().len() != 2 {
            return None;
        }
        let other = RoleId(1 - self.setup.role.0);
        let mut moves = |role| {
            let mut moves = Vec::new();
            let legal = engine.legal(state, role, &mut moves);
            (legal.is_ok() && moves.len() > 1).then_some(moves)
        };
        let (own, theirs) = (moves(self.setup.role)?, moves(other)?);
        Some((Stage { own, other: theirs }, other))
    }

    /// The joint move that led from one state to another with a move of one's own, if there is only one
    /// that did. `None`, too, if there are too many to try, or they cannot be tried within the budget.
    pub fn joint(
        &mut self,
        before: &State,
        own: MoveId,
        after: &State,
        budget: &Budget,
    ) -> Option<Vec<MoveId>> {
        let engine = &mut self.setup.engine;
        let mut joints = vec![Vec::new()];
        for role in 0..engine.roles().len() {
            let mut moves = vec![own];
            if role != self.setup.role.0 {
                engine.legal(before, RoleId(role), &mut moves).ok()?;
            }
            let longer = |joint: &Vec<MoveId>| {
                let longer = |&mv| [&joint[..], &[mv]].concat();
                moves.iter().map(longer).collect::<Vec<_>>()
            };
            joints = joints.iter().flat_map(longer).collect();
            if joints.len() > MOST_JOINTS {
                return None;
            }
        }
        let mut next = State::default();
        let mut found = None;
        for joint in joints {
            budget.check().ok()?;
            engine.next(before, &joint, &mut next).ok()?;
            if next == *after && found.replace(joint).is_some() {
                return None;
            }
        }
        found
    }

    /// What searches are made with.
    pub fn settings(&self) -> &Tuned {
        &self.settings
    }

    /// Makes searches with these settings from now on, as far as there are such playouts.
    pub fn play_with(&mut self, settings: Tuned) {
        self.settings = settings;
        self.settings.leaves = self.settings.leaves.min(self.leaves);
        self.settings.lanes &= self.lanes(&self.settings).is_some();
        // What was planned before may be too dear now.
        self.settings.decisive &= !self.settings.lanes || self.lanes[1].is_some();
    }

    /// The playouts side by side that fit the settings best.
    fn lanes(&self, settings: &Tuned) -> Option<&dyn Playouts> {
        let [without, with] = &self.lanes;
        let best = match settings.decisive {
            true => with.as_ref().or(without.as_ref()),
            false => without.as_ref().or(with.as_ref()),
        };
        best.map(|lanes| &**lanes)
    }

    /// Makes what it takes to compare playouts in which wins are taken with others, if they are taken.
    pub fn compare_playouts(&mut self, profile: &Profile, log: &mut Log, budget: &Budget) {
        if self.settings.lanes && self.settings.decisive {
            let (engine, seed) = (&*self.setup.engine, self.setup.seed);
            let made = beside(engine, &mut *self.plain, seed, profile, false, log, budget);
            if let Some(made) = made {
                self.leaves = self.leaves.min(made.leaves);
                self.lanes[0] = Some(made.playouts);
            }
        }
    }

    /// A new search.
    pub fn search(&self) -> Search {
        let setup = &self.setup;
        self.with(
            &self.settings,
            setup.role,
            setup.seed,
            setup.threads,
            setup.memory,
        )
    }

    fn with(
        &self,
        settings: &Tuned,
        role: RoleId,
        seed: u64,
        threads: usize,
        memory: usize,
    ) -> Search {
        let engine = self.setup.engine.fork();
        let lanes = self.lanes(settings).filter(|_| settings.lanes);
        let playouts = lanes.unwrap_or(&*self.plain).fork(seed);
        let playouts = playouts.unwrap_or_else(|| plain(&*engine, seed));
        let mut config = self.config.clone();
        settings.apply(&mut config);
        let search = Search::new(engine, playouts, role, seed, threads, memory, config);
        let search = match &self.fans {
            Some(fans) => search.with_fans(&**fans),
            None => search,
        };
        match &self.prospects {
            Some(prospects) => search.with_prospects(prospects),
            None => search,
        }
    }
}

impl Searches for Prepared {
    fn engine(&mut self) -> &mut dyn Engine {
        &mut *self.setup.engine
    }

    fn search(&mut self, settings: &Tuned, role: RoleId, seed: u64) -> Search {
        self.with(settings, role, seed, 1, self.setup.memory / TRIALS)
    }
}

/// Finds the best way to make playouts.
pub(crate) fn prepare(setup: Setup, profile: &Profile, log: &mut Log, budget: &Budget) -> Prepared {
    let mut config = profile.config.clone();
    let proved = Proved::find(&setup, profile, budget);
    config.sum = proved.sum;
    if profile.sum {
        match config.sum {
            Some(sum) => log.stage("sum", format!("results add up to {sum}"), "it is proved"),
            None => log.stage("sum", "nothing is known of it", "no proof was found"),
        }
    }
    if proved.prospects.is_some() {
        log.stage(
            "ranges",
            "results that are out of reach bound what is searched",
            "latches, or counts that cannot go back, are proved",
        );
    }
    let mut plain = plain(&*setup.engine, setup.seed);
    let mut settings = profile.settings();
    settings.lanes = false;
    let mut lanes = [None, None];
    if profile.lanes {
        let (engine, seed) = (&*setup.engine, setup.seed);
        let decisive = profile.decisive;
        if let Some(made) = beside(engine, &mut *plain, seed, profile, decisive, log, budget) {
            (settings.lanes, settings.decisive) = (true, made.decisive);
            settings.leaves = made.leaves;
            lanes[usize::from(made.decisive)] = Some(made.playouts);
        }
    }
    let fans = match profile.fans {
        true => {
            let foresee = config.foresight && config.solve;
            fans(&*setup.engine, setup.seed, foresee, log, budget)
        }
        false => None,
    };
    Prepared {
        setup,
        plain,
        fans,
        leaves: settings.leaves,
        lanes,
        config,
        prospects: proved.prospects,
        settings,
    }
}

/// What looks at all moves of a state together, if that is worth it.
fn fans(
    engine: &dyn Engine,
    seed: u64,
    foresee: bool,
    log: &mut Log,
    budget: &Budget,
) -> Option<Box<dyn Fans>> {
    let Some(made) = fans_beside(engine, seed, foresee, &budget.share(FANS)) else {
        log.stage("moves", "looked at one by one", "it is faster");
        return None;
    };
    let [together, one] = [made.together, made.one].map(|seconds| seconds * 1e6);
    let mut decided = format!("looked at together, from {} on", made.fans.least());
    let mut why = format!("all of a state take {together:.1} µs, one by itself {one:.2} µs");
    let mut numbers = vec![("together-us", together), ("one-us", one)];
    if let Some(ahead) = made.ahead.map(|seconds| seconds * 1e6) {
        decided = "looked at together, and wins are foreseen".into();
        why += &format!(", all with what is foreseen {ahead:.1} µs");
        numbers.push(("ahead-us", ahead));
    }
    log.numbers("moves", decided, why, numbers);
    Some(made.fans)
}

fn plain(engine: &dyn Engine, seed: u64) -> Box<dyn Playouts> {
    Box::new(ScalarPlayouts::new(engine.fork(), seed, MAX_STEPS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use budget::ManualClock;
    use testkit::toys::Matrix;

    #[test]
    fn what_the_others_made_is_told_from_what_follows_if_there_is_time() {
        let game = Matrix::new(2, 3, 2, |_, _| Some(50));
        let setup = crate::tests::setup(&game, 0, 1);
        let profile = crate::default::default();
        let budget = Budget::unlimited(Arc::new(ManualClock::default()));
        let mut of = prepare(setup, &profile, &mut Log::new(&budget), &budget);
        let (before, mut after) = (of.initial(), State::default());
        let joint = [MoveId(1), MoveId(2)];
        let made = of.engine().next(&before, &joint, &mut after);
        made.expect("it plays");
        let mut found = |budget: &Budget| of.joint(&before, joint[0], &after, budget);
        assert_eq!(found(&budget), Some(joint.to_vec()));
        assert_eq!(found(&budget.with_timeout(Duration::ZERO)), None);
    }
}
