//! What a player found out about its move, as data.

use budget::Clock;
use game::{Engine, GroundTerm, MoveId, RoleId};
use mcts::{Bounds, Candidate, Report};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The most other moves that are kept, as many as fit beside a board.
const OTHERS: usize = 9;

/// What a player found out about the move that it plays, or thinks of playing.
///
/// [`std::fmt::Display`] writes all figures in one line, for logs. [`Thought::sentence`] is for
/// people who watch, [`Thought::so_far`] for those who wait.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Thought {
    /// The move.
    pub mv: GroundTerm,
    /// The expected goal value, 0 to 100; `None` if there are no samples.
    pub value: Option<f64>,
    /// Proved bounds of the goal value.
    pub bounds: Bounds,
    /// Plies to the end if the value is proved, those without a choice left out.
    pub plies: Option<u16>,
    /// The chance with which the move is played, where several roles choose; otherwise 0.
    pub chance: f64,
    /// The principal variation as far as it is known, which need not begin with the move: the
    /// role and the move of each decision.
    pub expected: Vec<(RoleId, GroundTerm)>,
    /// The other moves, those with the most visits first.
    pub others: Vec<Other>,
    /// The figures of the search; `None` if the move was known without one.
    pub search: Option<Figures>,
    /// Where the move comes from in a game of several parts, in words; otherwise empty.
    pub part: String,
    /// What the search asked outright about the state, in the order of the first time.
    pub asked: Vec<Asked>,
}

/// A question about the state, or about one of its moves.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Asked {
    /// The move after which the result is asked for; `None` for the state itself.
    pub mv: Option<GroundTerm>,
    /// Whether the role can force at least this result.
    pub at_least: u8,
    /// States that it has taken.
    pub states: u64,
    /// The answer, once it is proved.
    pub answer: Option<bool>,
}

/// A move that a player did not choose.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Other {
    /// The move.
    pub mv: GroundTerm,
    /// The expected goal value, 0 to 100; `None` if there are no samples.
    pub value: Option<f64>,
    /// Proved bounds of the goal value.
    pub bounds: Bounds,
    /// The chance with which the move is played, as for the chosen one.
    pub chance: f64,
    /// Visits of the move.
    pub visits: u32,
}

/// The figures of a search.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Figures {
    /// Visits of the chosen move.
    pub visits: u32,
    /// Playouts of this search; a visit of a solved node counts as one.
    pub playouts: u64,
    /// Nodes that the search holds.
    pub nodes: usize,
    /// Visits of the state by earlier searches.
    pub known: u32,
    /// Descents and playouts in which the engine failed.
    pub failures: u64,
    /// How long it searched; `None` if it was not measured, so that the output repeats.
    pub time: Option<Duration>,
    /// R² of the priors by learnt values; `None` if nothing was learnt.
    pub foretold: Option<f64>,
    /// The gain in R² by final states of playouts.
    pub by_ends: Option<f64>,
}

impl Figures {
    /// Playouts in a second; `None` if the time was not measured.
    pub fn rate(&self) -> Option<f64> {
        let time = self.time.filter(|time| !time.is_zero())?;
        Some(self.playouts as f64 / time.as_secs_f64())
    }
}

impl Thought {
    /// What is known of a move without any search.
    pub(crate) fn of(mv: GroundTerm) -> Thought {
        Thought {
            mv,
            value: None,
            bounds: Bounds::OPEN,
            plies: None,
            chance: 0.0,
            expected: Vec::new(),
            others: Vec::new(),
            search: None,
            part: String::new(),
            asked: Vec::new(),
        }
    }

    /// What a search found, in the terms of the engine that it searched; `None` if there was
    /// nothing to search.
    fn of_report(
        report: &Report,
        engine: &mut dyn Engine,
        role: RoleId,
        time: Option<Duration>,
    ) -> Option<Thought> {
        let candidate = report.candidate?;
        let mut others: Vec<&Candidate> = report.candidates.iter().collect();
        others.retain(|other| other.mv != candidate.mv && other.visits > 0);
        others.sort_by_key(|other| std::cmp::Reverse(other.visits));
        let others = others.into_iter().take(OTHERS).map(|other| Other {
            mv: engine.move_term(role, other.mv),
            value: other.value,
            bounds: other.bounds,
            chance: other.chance,
            visits: other.visits,
        });
        let others = others.collect();
        let expected = report.expected.iter();
        let expected = expected.map(|&(role, mv)| {
            let role = RoleId(role);
            (role, engine.move_term(role, mv))
        });
        let expected = expected.collect();
        let asked = report.questions.iter().map(|question| Asked {
            mv: question.mv.map(|mv| engine.move_term(role, mv)),
            at_least: question.at_least,
            states: question.states,
            answer: question.answer,
        });
        Some(Thought {
            asked: asked.collect(),
            expected,
            others,
            value: candidate.value,
            bounds: candidate.bounds,
            // The depth is that of the child.
            plies: candidate
                .depth
                .filter(|_| candidate.bounds.is_exact())
                .map(|plies| plies.saturating_add(1)),
            chance: candidate.chance,
            search: Some(Figures {
                visits: candidate.visits,
                playouts: report.playouts,
                nodes: report.nodes,
                known: report.known,
                failures: report.failures,
                time,
                foretold: report.foretold,
                by_ends: report.by_ends,
            }),
            ..Thought::of(engine.move_term(role, candidate.mv))
        })
    }

    /// What best-first search found. Its playouts are descents.
    fn of_best_first(
        report: &bestfirst::Report,
        engine: &mut dyn Engine,
        role: RoleId,
        time: Option<Duration>,
    ) -> Thought {
        let expected = report.expected.iter();
        let expected = expected.map(|&(role, mv)| {
            let role = RoleId(role);
            (role, engine.move_term(role, mv))
        });
        let proved = report.proved;
        Thought {
            expected: expected.collect(),
            value: report.value,
            bounds: proved.map_or(Bounds::OPEN, |(result, _)| Bounds {
                low: result,
                high: result,
            }),
            plies: proved.map(|(_, plies)| plies.try_into().unwrap_or(u16::MAX)),
            search: (report.descents > 0).then(|| Figures {
                visits: report.visits[0],
                playouts: report.descents,
                nodes: report.nodes,
                time,
                ..Figures::default()
            }),
            ..Thought::of(engine.move_term(role, report.best))
        }
    }

    /// What plain tree search found; `None` if there were no playouts.
    pub(crate) fn of_tree(report: &yardstick::Report, mv: GroundTerm) -> Option<Thought> {
        Some(Thought {
            value: Some(report.value?),
            search: Some(Figures {
                visits: report.visits,
                playouts: report.playouts,
                nodes: report.nodes,
                failures: report.failures,
                ..Figures::default()
            }),
            ..Thought::of(mv)
        })
    }

    /// Whether the goal value is proved.
    pub fn is_proved(&self) -> bool {
        self.bounds.is_exact()
    }
}

/// Puts what a search reports into terms, on whichever thread.
pub(crate) struct Teller<'a> {
    engine: Mutex<&'a mut dyn Engine>,
    role: RoleId,
    clock: Arc<dyn Clock>,
    since: Duration,
}

impl<'a> Teller<'a> {
    /// A teller for a search of `engine` by `role` that begins now.
    pub fn new(engine: &'a mut dyn Engine, role: RoleId, clock: &Arc<dyn Clock>) -> Self {
        Teller {
            engine: Mutex::new(engine),
            role,
            clock: clock.clone(),
            since: clock.now(),
        }
    }

    /// The time since the search began.
    pub fn time(&self) -> Duration {
        self.clock.now().saturating_sub(self.since)
    }

    /// A move as a term.
    pub fn term(&self, mv: MoveId) -> GroundTerm {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        engine.move_term(self.role, mv)
    }

    /// What the search has found, with its time unless the output must repeat; `None` if there
    /// was nothing to search.
    pub fn tell(&self, report: &Report, repeats: bool) -> Option<Thought> {
        let time = (!repeats).then(|| self.time());
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        Thought::of_report(report, &mut **engine, self.role, time)
    }

    /// A move that forces the best result within this number of plies.
    pub fn tell_forced(&self, mv: MoveId, plies: u16) -> Thought {
        Thought {
            value: Some(100.0),
            bounds: Bounds {
                low: 100,
                high: 100,
            },
            plies: Some(plies),
            ..Thought::of(self.term(mv))
        }
    }

    /// What a best-first search has found, with its time unless the output must repeat.
    pub fn tell_best_first(&self, report: &bestfirst::Report, repeats: bool) -> Thought {
        let time = (!repeats).then(|| self.time());
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        Thought::of_best_first(report, &mut **engine, self.role, time)
    }
}
