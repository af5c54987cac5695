//! Players that search a graph.

use crate::habits::Habits;
use crate::parts::ByParts;
use crate::preparation::{Prepared, prepare};
use crate::{BestMove, Player, PlayerError, Setup, Work};
use analysis::form::form;
use budget::Budget;
use game::{MoveId, State};
use mcts::{Config, Forecast, Limits, Search, SearchError};
use metagame::{Log, Plan, Plans, Settings, tune};
use prepare::logic_of;
use std::sync::Arc;

/// The part of the time for a move that may be spent on finding out what the other role did. That takes
/// a transition for each of its moves, and in a large game the reasoner may need milliseconds for one.
const FORESEE: u32 = 16;

/// The part of the start clock that may be spent on finding out which game it is.
const RECOGNISE: u32 = 8;

/// How a player searches.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Profile {
    /// The parameters of the search.
    pub config: Config,
    /// Whether it searches through the start clock.
    pub prepare: bool,
    /// Whether the graph is kept from move to move.
    pub reuse: bool,
    /// Whether it is proved, where that is possible, what the results of two roles add up to.
    pub sum: bool,
    /// Whether it is proved, where that is possible, which results are out of reach for good.
    pub ranges: bool,
    /// Whether the search goes on in the time of others, where it may.
    pub ponder: bool,
    /// Whether playouts are made side by side where that is possible.
    pub lanes: bool,
    /// Whether all moves of a state are looked at together where that is faster.
    pub fans: bool,
    /// Whether roles take a win in playouts when they have one, if these are made side by side.
    pub decisive: bool,
    /// Whether they get in the way of the wins of others, if they take their own.
    pub anti_decisive: bool,
    /// Whether they leave alone moves after which others could win at once, if they take their own wins.
    pub careful: bool,
    /// Whether games that fall apart are looked at part by part.
    pub factors: bool,
    /// Whether that goes for games, too, in which a role chooses the part in which it moves.
    pub passing: bool,
    /// Whether it is told what another role is going to do from what that did before.
    pub habits: bool,
    /// The percentage of the start clock in which settings race for what is played with, if they do.
    pub tune: Option<u32>,
    /// Playouts from each leaf, if they are made side by side.
    pub per_leaf: u32,
    /// Leaves that are collected before playouts are made from all of them, likewise.
    pub leaves: u32,
    /// Threads, if not as many as it is given.
    pub threads: Option<usize>,
}

impl Profile {
    /// What of it can be tuned.
    pub fn settings(&self) -> Settings {
        Settings {
            exploration: self.config.exploration,
            learning: self.config.learning,
            look_ahead: self.config.look_ahead,
            lanes: self.lanes,
            decisive: self.decisive,
            per_leaf: self.per_leaf,
            leaves: self.leaves,
        }
    }
}

/// Graph search by a profile.
pub(crate) struct Grapher {
    name: String,
    profile: Profile,
    /// For each choice and for the start clock, on top of the budget.
    limits: Limits,
    /// Where plans are kept.
    plans: Option<Arc<dyn Plans>>,
    of: Option<Prepared>,
    search: Option<Search>,
    /// What was decided before play.
    plan: Option<Plan>,
    /// What is known from the parts of the game.
    parts: ByParts,
    /// What the other role did, where two choose at once.
    habits: Habits,
    /// The state of the last choice and the move that was chosen.
    before: Option<(State, MoveId)>,
    /// What there is to say of the last choice, once there was one.
    last: Option<Option<String>>,
    work: Option<Work>,
}

impl Grapher {
    pub fn new(
        name: String,
        profile: Profile,
        limits: Limits,
        plans: Option<Arc<dyn Plans>>,
    ) -> Self {
        Grapher {
            name,
            profile,
            limits,
            plans,
            of: None,
            search: None,
            plan: None,
            parts: ByParts::Whole,
            habits: Habits::default(),
            before: None,
            last: None,
            work: None,
        }
    }
}

impl Grapher {
    /// What game it is, and the settings that a plan has for it, where plans are kept.
    fn recognise(
        &self,
        setup: &Setup,
        given: &Settings,
        log: &mut Log,
        budget: &Budget,
    ) -> (Option<u64>, Option<Settings>) {
        let Some(plans) = &self.plans else {
            return (None, None);
        };
        let logic = logic_of(&*setup.engine);
        let short = budget.share(RECOGNISE);
        let form = logic.and_then(|logic| form(&logic, &short).ok().flatten());
        let Some(form) = form else {
            log.stage(
                "recognise",
                "nothing",
                "it cannot be told in time which game it is",
            );
            return (None, None);
        };
        let plan = plans.find(form);
        let (decided, why) = match &plan {
            Some(plan) if plan.given == *given => (plan.settings.to_string(), "there is a plan"),
            Some(_) => ("nothing".to_owned(), "the plan is one for other players"),
            None => ("nothing".to_owned(), "there is no plan"),
        };
        log.stage(
            "recognise",
            decided,
            format!("{why} for the game {form:016x}"),
        );
        let plan = plan.filter(|plan| plan.given == *given);
        (Some(form), plan.map(|plan| plan.settings))
    }

    /// Notes what the others did since the last choice, if that is found out within the budget, and tells
    /// what another one is going to do.
    fn foresee(&mut self, state: &State, budget: &Budget) -> Option<Forecast> {
        let before = self.before.take();
        let of = self.of.as_mut().filter(|_| self.profile.habits)?;
        if let Some((before, own)) = before
            && let Some((stage, other)) = of.stage(&before)
            && let Some(joint) = of.joint(&before, own, state, budget)
        {
            self.habits.note(stage, [own, joint[other.0]]);
        }
        let (stage, role) = of.stage(state)?;
        self.habits.forecast(role, &stage)
    }
}

impl Player for Grapher {
    fn name(&self) -> &str {
        &self.name
    }

    fn start(&mut self, setup: Setup, budget: &Budget) -> Result<(), PlayerError> {
        let setup = Setup {
            threads: self.profile.threads.unwrap_or(setup.threads),
            ..setup
        };
        let mut log = Log::new(budget);
        let seed = setup.seed;
        self.parts = match self.profile.factors {
            true => ByParts::find(&setup, &self.profile, self.limits, budget),
            false => ByParts::Whole,
        };
        let enough = self.parts.are_enough();
        if self.profile.factors {
            let (decided, why) = match enough {
                true => ("the game is played by its parts", "it falls apart"),
                false => (
                    "the game is searched as a whole",
                    "its parts do not tell how to play it",
                ),
            };
            log.stage("parts", decided, why);
        }
        let mut profile = self.profile.clone();
        let given = profile.settings();
        let (form, known) = match enough {
            true => (None, None),
            false => self.recognise(&setup, &given, &mut log, budget),
        };
        // It is searched only where the parts say nothing.
        profile.lanes &= !enough;
        if let Some(known) = &known {
            profile.lanes &= known.lanes;
            profile.decisive &= known.decisive;
            (profile.per_leaf, profile.leaves) = (known.per_leaf, known.leaves);
        }
        let memory = setup.memory / if enough { 4 } else { 1 };
        let setup = Setup { memory, ..setup };
        let mut of = prepare(setup, &profile, &mut log, budget);
        let mut tuned = false;
        if let Some(known) = known {
            of.play_with(known);
        } else if let Some(percent) = profile.tune.filter(|_| !enough) {
            of.compare_playouts(&profile, &mut log, budget);
            let settings = of.settings().clone();
            let (settings, raced) = tune(&settings, &mut of, percent, seed, budget, &mut log);
            of.play_with(settings);
            tuned = raced;
        }
        let mut search = of.search();
        if self.profile.prepare {
            let initial = of.initial();
            if !self.parts.ponder(&initial, None, budget) {
                // A failure here says nothing about the states to come.
                let made = search.ponder(&initial, self.limits, budget).unwrap_or(0);
                let decided = format!("{made} playouts from the first position");
                log.stage(
                    "search",
                    decided,
                    "the rest of the clock is of use to the first moves",
                );
            }
        }
        let plan = Plan {
            version: metagame::VERSION,
            given,
            settings: of.settings().clone(),
            tuned,
            stages: log.into_stages(),
        };
        if let (Some(plans), Some(form), true) = (&self.plans, form, tuned) {
            plans.keep(form, &plan);
        }
        self.plan = Some(plan);
        self.search = Some(search);
        self.of = Some(of);
        self.habits = Habits::default();
        self.before = None;
        self.last = None;
        Ok(())
    }

    fn choose(
        &mut self,
        state: &State,
        best: &BestMove,
        budget: &Budget,
    ) -> Result<MoveId, PlayerError> {
        self.work = None;
        let again = self.last.is_some() && !self.profile.reuse;
        self.last = None;
        if let Some(of) = self.of.as_ref().filter(|_| again) {
            self.search = Some(of.search());
            self.parts.forget();
        }
        if let Some((mv, why)) = self.parts.choose(state, best, budget) {
            self.last = Some(why);
            return Ok(mv);
        }
        let forecast = self.foresee(state, &budget.share(FORESEE));
        let search = self.search.as_mut().ok_or(PlayerError::NotStarted)?;
        search.foresee(forecast);
        let clock = budget.clock().clone();
        let since = clock.now();
        let publish = |mv| best.publish(mv);
        let report = search
            .choose(state, self.limits, budget, &publish)
            .map_err(|error| match error {
                SearchError::Engine(error) => PlayerError::Engine(error),
                _ => PlayerError::NoLegalMove,
            })?;
        let took = clock.now().saturating_sub(since);
        self.work = Some(Work {
            playouts: report.playouts,
            passed: report.passed,
            nodes: report.nodes,
            time: took,
        });
        if let Some((mv, why)) = self.parts.better(state, &report) {
            best.publish(mv);
            self.last = Some(Some(why));
            return Ok(mv);
        }
        self.before = Some((state.clone(), report.best));
        // What must repeat does not tell of time.
        let took = (self.limits == Limits::default()).then_some(took);
        self.last = self.of.as_mut().map(|of| of.explain(&report, took));
        Ok(report.best)
    }

    fn ponder(&mut self, state: &State, own: Option<MoveId>, budget: &Budget) {
        // Searches that are to repeat do not depend on how long others think.
        let repeats = self.limits != Limits::default();
        let kept = self.profile.ponder && self.profile.reuse && !repeats;
        let Some(search) = self.search.as_mut().filter(|_| kept) else {
            return;
        };
        if self.parts.ponder(state, own, budget) {
            return;
        }
        // A failure here says nothing about the states to come.
        let _ = match own {
            Some(own) => search.ponder_after(state, own, self.limits, budget),
            None => search.ponder(state, self.limits, budget),
        };
    }

    fn work(&self) -> Option<Work> {
        self.work
    }

    fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref()
    }

    fn explain(&self) -> Option<String> {
        self.last.clone().flatten()
    }
}
