//! Players that search a graph.

use crate::by_lines::ByLines;
use crate::by_parts::ByParts;
use crate::by_values::{ByValues, Choice};
use crate::habits::Habits;
use crate::opponent::{joint, stage};
use crate::thought::Teller;
use crate::{BestMove, Player, PlayerError, Setup, Thought, Work};
use budget::Budget;
use game::{MoveId, State};
use mcts::{Forecast, Limits, Report, Search, SearchError, SoFar};
use metagame::{
    Advice, Archive, Knowledge, Local, Method, Plan, Preparation, Searchable, Stage, StartClock,
    Switches, prepare,
};
use std::sync::Arc;

/// The part of the time for a move, 1 / `FORESEE`, that may be spent on finding the other
/// role's last move.
///
/// That takes a transition for each of its moves. In a large game the reasoner may need
/// milliseconds for one.
const FORESEE: u32 = 16;

/// Graph search by a profile.
pub(crate) struct GraphPlayer {
    name: String,
    profile: Switches,
    /// Limits for each choice and for the start clock, besides the budget.
    limits: Limits,
    /// What is kept of earlier matches.
    archive: Option<Arc<dyn Archive>>,
    searchable: Option<Searchable>,
    search: Option<Search>,
    /// What was learnt, if it is a part of what leaves are worth.
    mixed: Option<Knowledge>,
    /// Local search, if it is used.
    local: Option<Local>,
    /// The best-first search with a learnt value, if that is the method.
    values: Option<ByValues>,
    /// The plan made before play.
    plan: Option<Plan>,
    /// What is known of a game of one role.
    lines: ByLines,
    /// What the parts of the game provide.
    parts: ByParts,
    /// The earlier moves of the other role, where two roles choose at once.
    habits: Habits,
    /// The state of the last choice and the move that was chosen.
    before: Option<(State, MoveId)>,
    /// What was found out about the last choice, once there was one.
    last: Option<Option<Thought>>,
    work: Option<Work>,
    threads: usize,
}

impl GraphPlayer {
    pub fn new(
        name: String,
        profile: Switches,
        limits: Limits,
        archive: Option<Arc<dyn Archive>>,
    ) -> Self {
        GraphPlayer {
            name,
            profile,
            limits,
            archive,
            searchable: None,
            search: None,
            mixed: None,
            local: None,
            values: None,
            plan: None,
            lines: ByLines::None,
            parts: ByParts::Whole,
            habits: Habits::default(),
            before: None,
            last: None,
            work: None,
            threads: 1,
        }
    }
}

impl GraphPlayer {
    /// Records the others' moves since the last choice, if they can be found within the budget.
    /// Returns a forecast of another role's next move.
    fn foresee(&mut self, state: &State, budget: &Budget) -> Option<Forecast> {
        let before = self.before.take();
        let of = self.searchable.as_mut().filter(|_| self.profile.habits)?;
        let role = of.role();
        if let Some((before, own)) = before
            && let Some((stage, other)) = stage(of.engine(), role, &before)
            && let Some(joint) = joint(of.engine(), role, &before, own, state, budget)
        {
            self.habits.note(stage, [own, joint[other.0]]);
        }
        let (stage, role) = stage(of.engine(), role, state)?;
        self.habits.forecast(role, &stage)
    }
}

impl GraphPlayer {
    /// The choice by learnt values, if that is the method and it knows such states.
    fn by_values(
        &mut self,
        state: &State,
        advice: &Advice,
        best: &BestMove,
        budget: &Budget,
    ) -> Option<Choice> {
        let values = self.values.as_mut()?;
        let of = self.searchable.as_mut()?;
        let role = of.role();
        let teller = Teller::new(of.engine(), role, budget.clock());
        let local = self.local.as_mut();
        values.choose(state, advice, local, best, budget, &teller)
    }

    /// What local search finds in its share of the time. A forced win is published.
    fn advice(&mut self, state: &State, best: &BestMove, budget: &Budget) -> Advice {
        // Beside a search of one thread it has a thread of its own.
        if self.values.as_ref().is_some_and(|values| values.beside) {
            return Advice::default();
        }
        let (Some(local), Some(of)) = (&mut self.local, &mut self.searchable) else {
            return Advice::default();
        };
        let role = of.role();
        let teller = Teller::new(of.engine(), role, budget.clock());
        let repeats = self.limits != Limits::default();
        let advice = local.advise(state, repeats, &local.share(budget));
        if let Some((mv, plies)) = advice.wins {
            best.publish(mv);
            self.last = Some(Some(teller.tell_forced(mv, plies)));
        }
        advice
    }
}

/// Replaces a move that loses to a forced win by the most visited one that does not, if there is
/// one. Returns whether it did.
fn avoid(report: &mut Report, advice: &Advice) -> bool {
    let loses = |mv: MoveId| advice.loses.iter().any(|&(losing, _)| losing == mv);
    if !loses(report.best) {
        return false;
    }
    let others = report.candidates.iter().filter(|own| !loses(own.mv));
    let others = others.filter(|own| own.bounds.high > 0);
    let Some(&other) = others.max_by_key(|own| own.visits) else {
        return false;
    };
    report.best = other.mv;
    report.candidate = Some(other);
    report.expected.clear();
    true
}

impl Player for GraphPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn start(&mut self, setup: Setup, budget: &Budget) -> Result<(), PlayerError> {
        let setup = Setup {
            threads: self.profile.threads.unwrap_or(setup.threads),
            ..setup
        };
        let mut clock = StartClock::new(budget);
        self.threads = setup.threads;
        let Preparation {
            puzzle,
            division,
            searchable,
            local,
            knowledge,
            given,
            tuned,
            form,
        } = prepare(setup, &self.profile, self.archive.as_deref(), &mut clock);
        self.lines = ByLines::new(puzzle);
        self.parts = ByParts::new(division, self.limits);
        (self.mixed, self.values) = (None, None);
        match knowledge {
            Some(known) if known.method == Method::Mixed => self.mixed = Some(known),
            Some(known) if known.method == Method::BestFirst => {
                let search = searchable.best_first(&known.value, searchable.role(), 1);
                let beside = self.profile.beside && self.threads > 1;
                self.values = Some(ByValues::new(search, known, self.limits, beside));
            }
            _ => {}
        }
        let mut search = searchable.search(self.mixed.as_ref().map(|known| &known.value));
        self.local = local;
        if let Some(values) = &mut self.values {
            let left = clock.begin(Stage::Search);
            let made = values.prepare(&searchable.initial(), &left);
            let decided = format!("{made} descents from the first position");
            let why = "the rest of the clock is of use to the first moves";
            clock.decide(Stage::Search, decided, why);
        } else if self.profile.prepare {
            let left = clock.begin(Stage::Search);
            let initial = searchable.initial();
            if !self.lines.is_enough() && !self.parts.ponder(&initial, None, &left) {
                // A failure here says nothing about later states.
                let made = search.ponder(&initial, self.limits, &left).unwrap_or(0);
                let decided = format!("{made} playouts from the first position");
                let why = "the rest of the clock is of use to the first moves";
                clock.decide(Stage::Search, decided, why);
            }
        }
        let plan = Plan {
            version: metagame::VERSION,
            given,
            settings: searchable.settings().clone(),
            tuned,
            decisions: clock.into_decisions(),
        };
        if let (Some(archive), Some(form), true) = (&self.archive, form, tuned) {
            archive.keep_plan(form.certificate, &plan);
        }
        self.plan = Some(plan);
        self.search = Some(search);
        self.searchable = Some(searchable);
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
        if let Some(of) = self.searchable.as_ref().filter(|_| again) {
            self.search = Some(of.search(self.mixed.as_ref().map(|known| &known.value)));
            self.parts.forget();
        }
        let of = self.searchable.as_mut().ok_or(PlayerError::NotStarted)?;
        let role = of.role();
        let whole = Teller::new(of.engine(), role, budget.clock());
        let line = self.lines.choose(state, self.threads, best, budget, &whole);
        if let Some((mv, thought)) = line {
            self.last = Some(Some(thought));
            return Ok(mv);
        }
        if let Some((mv, thought)) = self.parts.choose(state, best, budget, &whole) {
            self.last = Some(thought);
            return Ok(mv);
        }
        let advice = self.advice(state, best, budget);
        if let Some((mv, _)) = advice.wins {
            return Ok(mv);
        }
        if let Some(choice) = self.by_values(state, &advice, best, budget) {
            self.last = Some(Some(choice.thought));
            self.work = choice.work;
            return Ok(choice.mv);
        }
        let short = budget.share(FORESEE);
        if let Some(of) = &mut self.searchable {
            of.engine().set_budget(&short);
        }
        let forecast = self.foresee(state, &short);
        let search = self.search.as_mut().ok_or(PlayerError::NotStarted)?;
        let of = self.searchable.as_mut().ok_or(PlayerError::NotStarted)?;
        search.foresee(forecast);
        let teller = Teller::new(of.engine(), role, budget.clock());
        // Output that must repeat cannot show times.
        let repeats = self.limits != Limits::default();
        let publish = |so_far: &SoFar<'_>| {
            best.publish(so_far.best);
            best.answer(|| teller.tell(&so_far.report(), repeats));
        };
        let mut report = search
            .choose(state, self.limits, budget, &publish)
            .map_err(|error| match error {
                SearchError::Engine(error) => PlayerError::Engine(error),
                _ => PlayerError::NoLegalMove,
            })?;
        self.work = Some(Work {
            playouts: report.playouts,
            passed: report.passed,
            nodes: report.nodes,
            time: teller.time(),
        });
        if avoid(&mut report, &advice) {
            best.publish(report.best);
        }
        let better = self.lines.better(state, &report, &teller);
        let better = better.or_else(|| self.parts.better(state, &report, &teller));
        if let Some((mv, thought)) = better {
            best.publish(mv);
            self.last = Some(Some(thought));
            return Ok(mv);
        }
        self.before = Some((state.clone(), report.best));
        self.last = Some(teller.tell(&report, repeats));
        Ok(report.best)
    }

    fn ponder(&mut self, state: &State, own: Option<MoveId>, budget: &Budget) {
        // A search that must repeat cannot depend on how long others think.
        let repeats = self.limits != Limits::default();
        let kept = self.profile.ponder && self.profile.reuse && !repeats;
        let Some(search) = self.search.as_mut().filter(|_| kept) else {
            return;
        };
        if self.lines.is_enough() || self.parts.ponder(state, own, budget) {
            return;
        }
        self.lines.ponder(self.threads, &budget.share(2));
        if let Some(values) = &mut self.values {
            values.ponder(state, budget);
            return;
        }
        // A failure here says nothing about later states.
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

    fn thought(&self) -> Option<&Thought> {
        self.last.as_ref()?.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::default::default;
    use crate::tests::{scalar, setup};
    use std::time::{Duration, Instant};

    #[test]
    fn a_second_thread_goes_on_learning_while_best_first_search_thinks() {
        let game = scalar("breakthrough_small");
        let state = game.engine.initial();
        for (threads, beside, learns) in [(2, true, true), (2, false, false), (1, true, false)] {
            let profile = Switches {
                method: Some(Method::BestFirst),
                beside,
                ..default()
            };
            let limits = Limits::default();
            let mut player = GraphPlayer::new("by values".into(), profile, limits, None);
            let setup = Setup {
                threads,
                ..setup(&game, 0, 1)
            };
            let budget = Budget::system().with_timeout(Duration::from_millis(1500));
            player.start(setup, &budget).expect("it starts");
            let games = |player: &GraphPlayer| player.values.as_ref().map(ByValues::games);
            let before = games(&player).expect("best-first search is the method");
            let since = Instant::now();
            let budget = Budget::system().with_timeout(Duration::from_millis(600));
            let mv = player.choose(&state, &BestMove::default(), &budget);
            mv.expect("it has moves");
            assert!(
                since.elapsed() < Duration::from_secs(2),
                "{:?}",
                since.elapsed()
            );
            let after = games(&player).expect("the method stays");
            assert_eq!(after > before, learns, "{threads} threads, {before} games");
        }
    }
}
