//! What was learnt about a game before the first move, and which method makes the best of it.

use crate::duel::{Score, duel};
use crate::searcher::{Method, Searcher};
use crate::timetable::{Stage, StartClock};
use crate::{Archive, Earlier, Lesson, Searchable, Switches};
use analysis::form::Form;
use budget::Budget;
use game::RoleId;
use heuristics::Value;
use std::time::Duration;

/// Time that learning needs at least; with less, nothing is learnt from the beginning.
const LEAST: Duration = Duration::from_millis(500);
/// Matches of a duel that must be played before a small lead decides.
const FEW: u32 = 6;
/// The part of the points that a method must make against playouts alone. More than half:
/// playouts gain most from the longer time of real moves, because proofs do. In connect four a
/// method that was even in the duel made 1 of 6 points in matches.
const CLEARLY: f64 = 0.65;
/// Games to learn from, after which values are of use in most games of two roles.
const MANY: u64 = 1000;
/// What a search in a duel may take of the memory: 1 / `SHARE`.
pub(crate) const SHARE: usize = 16;

/// What was learnt, for the states of the engine.
pub struct Knowledge {
    /// The learner, which can go on.
    pub lesson: Lesson,
    /// What it has learnt so far.
    pub value: Value,
    /// How to use it.
    pub method: Method,
}

impl Knowledge {
    /// Learns for a part of the start clock. Goes on from what is kept about the game in `past`,
    /// and keeps there what it has learnt.
    pub(crate) fn find(
        searchable: &Searchable,
        profile: &Switches,
        past: Option<(&dyn Archive, &Form)>,
        clock: &mut StartClock,
    ) -> Option<Knowledge> {
        let budget = clock.begin(Stage::Learn);
        if profile.learn_games.is_none() && budget.remaining().is_none() {
            clock.decide(
                Stage::Learn,
                "nothing",
                "neither time nor games have a limit",
            );
            return None;
        }
        let earlier = past.and_then(|(archive, form)| Earlier::find(archive, form));
        let short = budget.remaining().is_some_and(|left| left < LEAST);
        if short && earlier.is_none() {
            clock.decide(Stage::Learn, "nothing", "there is no time for it");
            return None;
        }
        let mut lesson = match Lesson::begin(searchable, earlier.as_ref(), &budget) {
            Ok(lesson) => lesson,
            Err(why) => {
                clock.decide(Stage::Learn, "nothing", why.to_string());
                return None;
            }
        };
        let games = profile.learn_games.unwrap_or(u64::MAX);
        let progress = lesson.refresh(games, &budget);
        let progress = match progress {
            Ok(progress) => progress,
            Err(error) => {
                clock.decide(Stage::Learn, "nothing", error.to_string());
                return None;
            }
        };
        let data = lesson.features().data();
        let [variables, tuples, tables] = [data.sizes.len(), data.tuples.len(), data.tables.len()];
        let decided = format!(
            "{} games, {} thousand positions{}",
            progress.games,
            progress.examples / 1000,
            match lesson.games_before() {
                0 => String::new(),
                before => format!(", after {before} games that were kept"),
            }
        );
        let why = format!(
            "{variables} variables in {tuples} tuples, which share {tables} tables; the first role got {:.0} % of late games{}",
            100.0 * progress.result,
            match progress.alarms {
                0 => String::new(),
                times => format!("; weights diverged {times} times"),
            }
        );
        clock.decide(Stage::Learn, decided, why);
        if progress.games + lesson.games_before() == 0 {
            return None;
        }
        if let Some((archive, form)) = past.filter(|_| progress.games > 0) {
            archive.keep_learnt(form.certificate, lesson.learnt(form));
        }
        let value = lesson.value();
        Some(Knowledge {
            lesson,
            value,
            method: Method::Mixed,
        })
    }

    /// Goes on learning until the budget ends. `false` if nothing more was learnt.
    pub fn go_on(&mut self, budget: &Budget) -> bool {
        let before = self.lesson.progress().games;
        let learnt = self.lesson.learn(u64::MAX, budget);
        if learnt.is_err() || self.lesson.progress().games == before {
            return false;
        }
        self.value = self.lesson.value();
        true
    }

    /// Lets the methods play each other.
    /// Finds out by short matches how to use what was learnt.
    pub(crate) fn race(
        &mut self,
        searchable: &mut Searchable,
        profile: &Switches,
        clock: &mut StartClock,
    ) {
        let budget = clock.begin(Stage::Race);
        if let Some(method) = profile.method {
            self.method = method;
            clock.decide(Stage::Race, method.name(), "it is given");
            return;
        }
        if searchable.engine().roles().len() < 2 {
            let decided = self.method.name();
            clock.decide(Stage::Race, decided, "nobody is there to play against");
            return;
        }
        let plies = self.lesson.plies();
        // Best-first against mixed first, then the better one against playouts alone.
        let first = budget.share(2);
        let rivals = [Method::BestFirst, Method::Mixed];
        let score = self.duel(searchable, rivals, plies, &first);
        let (decided, why) = judge(rivals, score);
        self.method = decided;
        clock.decide(Stage::Race, decided.name(), why);
        let rivals = [self.method, Method::Playouts];
        let score = self.duel(searchable, rivals, plies, &budget);
        let doubtful = self.is_doubtful(searchable.engine().roles().len());
        if !is_trusted(score.as_ref(), doubtful) {
            self.method = Method::Playouts;
        }
        let mut why = words(rivals, score);
        if score.is_some_and(|score| score.matches >= FEW) {
            why += &format!(", of which {:.0} % are wanted", 100.0 * CLEARLY);
        }
        clock.decide(Stage::Race, self.method.name(), why);
    }

    /// Whether what was learnt has to show that it is of use: weights diverged, games were few,
    /// or several others play.
    ///
    /// In skirmish, where 256 games are learnt in a start clock of twenty seconds and no match of
    /// a race ends, it made 16 of 36 points; in a game of four roles 41 % of 40.
    fn is_doubtful(&self, roles: usize) -> bool {
        let progress = self.lesson.progress();
        let games = self.lesson.games_before() + progress.games;
        progress.alarms > 0 || games < MANY || roles > 2
    }

    fn duel(
        &self,
        searchable: &mut Searchable,
        rivals: [Method; 2],
        plies: f64,
        budget: &Budget,
    ) -> Option<Score> {
        let mut engine = searchable.engine().fork();
        let seed = searchable.seed();
        let searchable = &*searchable;
        let make = |method: Method| {
            move |role: RoleId, seed: u64| self.searcher(searchable, method, role, seed)
        };
        let (mut one, mut other) = (make(rivals[0]), make(rivals[1]));
        duel(&mut *engine, [&mut one, &mut other], plies, seed, budget).ok()
    }

    fn searcher(
        &self,
        searchable: &Searchable,
        method: Method,
        role: RoleId,
        seed: u64,
    ) -> Box<dyn Searcher> {
        match method {
            Method::BestFirst => Box::new(searchable.best_first(&self.value, role, SHARE)),
            Method::Mixed => Box::new(searchable.trial(Some(&self.value), role, seed)),
            Method::Playouts => Box::new(searchable.trial(None, role, seed)),
        }
    }
}

/// Whether what was learnt is to be used, by its score against playouts alone. If it is doubtful
/// it has to lead.
fn is_trusted(score: Option<&Score>, doubtful: bool) -> bool {
    let leads = score.is_some_and(|score| score.points > f64::from(score.matches) / 2.0);
    !score.is_some_and(playouts_are_better) && (leads || !doubtful)
}

/// Whether playouts are to be used, by the score against them.
///
/// What was learnt is of use in most games, so that few matches decide against it only if they are
/// lost by more than a point.
fn playouts_are_better(score: &Score) -> bool {
    let matches = f64::from(score.matches);
    match score.matches {
        FEW.. => score.points < CLEARLY * matches,
        _ => score.points < (matches - 1.0) / 2.0,
    }
}

/// The better of two methods.
fn judge(rivals: [Method; 2], score: Option<Score>) -> (Method, String) {
    let better = score.is_some_and(|score| first_is_better(&score));
    (rivals[usize::from(!better)], words(rivals, score))
}

/// Whether the first of two methods is to be used. With few matches only if it leads by three
/// points: the second one is never much worse.
fn first_is_better(score: &Score) -> bool {
    let matches = f64::from(score.matches);
    let wanted = match score.matches {
        FEW.. => matches / 2.0,
        _ => (matches + 3.0) / 2.0,
    };
    !score.unsuitable[0] && score.points >= wanted
}

fn words([one, other]: [Method; 2], score: Option<Score>) -> String {
    let Some(score) = score else {
        return "a match could not be played".to_owned();
    };
    if score.unsuitable[0] {
        return format!("{} does not know such states", one.name());
    }
    if score.matches == 0 {
        return format!("no match against {} ended in time", other.name());
    }
    format!(
        "{} made {} of {} points against {} at {} ms a move",
        one.name(),
        // Shares of a point in games of several roles are no round numbers.
        (100.0 * score.points).round() / 100.0,
        score.matches,
        other.name(),
        score.time.as_millis()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(points: f64, matches: u32) -> Score {
        Score {
            points,
            matches,
            ..Score::default()
        }
    }

    #[test]
    fn few_matches_decide_only_if_they_are_won_clearly() {
        let better = |points: f64, matches: u32| first_is_better(&score(points, matches));
        let decided = [(3.0, 3), (3.5, 4), (4.0, 4), (4.0, 5), (3.0, 6), (6.0, 10)];
        let mut decided = decided.iter();
        assert!(decided.all(|&(points, matches)| better(points, matches)));
        let open = [(0.0, 0), (1.0, 1), (2.0, 2), (3.0, 4), (3.5, 5), (2.5, 6)];
        let mut open = open.iter();
        assert!(!open.any(|&(points, matches)| better(points, matches)));
        assert!(!first_is_better(&Score {
            unsuitable: [true, false],
            ..score(6.0, 6)
        }));
    }

    #[test]
    fn doubtful_values_are_used_only_if_they_lead() {
        for (of, settled) in [
            (None, true),
            (Some((0.0, 1)), true),
            (Some((0.0, 2)), false),
        ] {
            let of = of.map(|(points, matches)| score(points, matches));
            assert_eq!(is_trusted(of.as_ref(), false), settled);
            assert!(!is_trusted(of.as_ref(), true));
        }
        assert!(is_trusted(Some(&score(1.0, 1)), true));
        assert!(!is_trusted(Some(&score(1.5, 3)), true));
    }

    #[test]
    fn few_matches_decide_only_if_they_are_lost_clearly() {
        let better = |points: f64, matches: u32| playouts_are_better(&score(points, matches));
        let decided = [(0.0, 2), (1.0, 4), (1.5, 5), (3.0, 6), (6.0, 10)];
        assert!(
            decided
                .iter()
                .all(|&(points, matches)| better(points, matches))
        );
        let open = [(0.0, 0), (0.0, 1), (1.0, 3), (2.0, 4), (2.0, 5), (7.0, 10)];
        assert!(
            !open
                .iter()
                .any(|&(points, matches)| better(points, matches))
        );
    }
}
