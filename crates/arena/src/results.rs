//! The results of a tournament.

use crate::played::score;
use crate::schedule::pairs;
use crate::{Bounds, Config, Fixture, Played, game_name};
use rating::{Decision, Elo, Interval, Rated, Sprt, Tally, Verdict};
use std::collections::BTreeMap;

/// The results of a tournament: a function of its configuration and of the matches played.
#[derive(Debug, Clone)]
pub struct Results {
    /// The names of the games.
    pub games: Vec<String>,
    /// The names of the players.
    pub players: Vec<String>,
    /// The matches played, in the order of the schedule.
    pub played: Vec<Played>,
    /// The number of scheduled matches.
    pub scheduled: usize,
    pairs: Vec<(usize, usize)>,
    bounds: Option<Bounds>,
    units: Vec<Unit>,
}

/// The state of a unit.
#[derive(Debug, Clone, Default)]
struct Unit {
    round: usize,
    /// The number of its matches that have not been played.
    missing: usize,
    /// Whether a match of the unit did not reach a terminal state. The advantages of seats then
    /// do not cancel.
    void: bool,
}

/// The score of one player against another at one game, or over all games.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The index of the game; `None` for all games.
    pub game: Option<usize>,
    /// The indices of the two players.
    pub pair: (usize, usize),
    /// The number of comparisons: matches, or rounds in games of one role.
    pub matches: usize,
    /// Comparisons in which the first player has the greater goal value.
    pub won: usize,
    /// Comparisons with equal goal values.
    pub drawn: usize,
    /// Comparisons in which the second player has the greater goal value.
    pub lost: usize,
    /// The mean goal values of both players.
    pub goals: (f64, f64),
    /// The first player's mean score, over units.
    pub score: Interval,
    /// The mean number of joint moves.
    pub steps: f64,
    /// The mean score of the game's first role, whichever player has it. Near 0 or 1, the role
    /// decides the game and the players hardly matter. `None` over all games, and for games
    /// without exactly two roles.
    pub first_role: Option<f64>,
}

/// The reliability of a player: its answer times and faults.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conduct {
    /// The number of roles played.
    pub seats: usize,
    /// The number of answers; 0 with a stopped clock.
    pub answers: usize,
    /// The mean answer time, in milliseconds.
    pub mean_millis: f64,
    /// The longest answer time, in milliseconds.
    pub longest_millis: u64,
    /// The number of late answers.
    pub late: usize,
    /// The number of failures of the connection or of the player.
    pub failed: usize,
    /// The number of illegal moves.
    pub illegal: usize,
}

/// One comparison of two players.
struct Meeting {
    game: usize,
    unit: usize,
    goals: (f64, f64),
    steps: f64,
    /// The score of the first role, in games of two roles.
    first: Option<f64>,
}

impl Results {
    /// The results of these matches.
    pub(crate) fn new(config: &Config, schedule: &[Fixture], played: Vec<Played>) -> Self {
        let count = schedule.last().map_or(0, |last| last.unit + 1);
        let mut units = vec![Unit::default(); count];
        for fixture in schedule {
            let unit = &mut units[fixture.unit];
            unit.round = fixture.round;
            unit.missing += 1;
        }
        let mut results = Results {
            games: config.games.iter().map(|path| game_name(path)).collect(),
            players: config.players.iter().map(|p| p.name.clone()).collect(),
            played: Vec::new(),
            scheduled: schedule.len(),
            pairs: pairs(config),
            bounds: config.sprt,
            units,
        };
        for played in played {
            results.add(played);
        }
        results
    }

    /// Adds one match.
    pub(crate) fn add(&mut self, played: Played) {
        let number = played.fixture.number;
        let at = self.played.partition_point(|p| p.fixture.number < number);
        let unit = &mut self.units[played.fixture.unit];
        unit.missing -= 1;
        unit.void |= played.goals.is_none();
        self.played.insert(at, played);
    }

    /// Whether nothing is left to play: no match is missing, or the sequential test has
    /// decided.
    pub fn is_over(&self) -> bool {
        self.played.len() == self.scheduled || self.is_decided()
    }

    /// Whether there is a sequential test and it has decided.
    pub(crate) fn is_decided(&self) -> bool {
        let verdict = self.verdict();
        verdict.is_some_and(|verdict| verdict.decision != Decision::GoOn)
    }

    /// The hypotheses of the sequential test, if there is one.
    pub fn bounds(&self) -> Option<Bounds> {
        self.bounds
    }

    /// The standings in one line: the Elo difference of a single pair, otherwise the leader.
    pub fn line(&self) -> String {
        if let &[(a, b)] = &self.pairs[..] {
            let mut line = format!(
                "{} {} over {}",
                self.players[a],
                self.elo((a, b)),
                self.players[b]
            );
            if let Some(verdict) = self.verdict() {
                line += &format!(
                    ", llr {:.2} of {:.2} to {:.2}",
                    verdict.llr, verdict.lower, verdict.upper
                );
            }
            return line;
        }
        let ladder = self.ladder();
        let best = (0..ladder.len()).max_by(|&a, &b| ladder[a].elo.total_cmp(&ladder[b].elo));
        best.map_or_else(String::new, |best| {
            let Rated { elo, error } = ladder[best];
            format!("{} leads with {elo:+.0} ± {error:.0}", self.players[best])
        })
    }

    /// The number of matches that did not reach a terminal state.
    pub fn unfinished(&self) -> usize {
        self.played.iter().filter(|p| p.goals.is_none()).count()
    }

    /// All comparisons of two players.
    fn meetings(&self, pair: (usize, usize)) -> Vec<Meeting> {
        let mut meetings = Vec::new();
        // In games of one role each player plays alone, in matches of the same unit.
        let mut alone: BTreeMap<usize, [Option<(f64, usize)>; 2]> = BTreeMap::new();
        for played in &self.played {
            let Fixture { unit, game, .. } = played.fixture;
            let steps = played.steps;
            let goals = [pair.0, pair.1].map(|player| played.goal(player));
            if played.fixture.pair == pair {
                if let [Some(a), Some(b)] = goals {
                    meetings.push(Meeting {
                        game,
                        unit,
                        goals: (a, b),
                        steps: steps as f64,
                        first: played.first(),
                    });
                }
            } else if played.fixture.seats.len() == 1 {
                let both = alone.entry(unit).or_default();
                for (of, goal) in both.iter_mut().zip(goals) {
                    *of = of.or(goal.map(|goal| (goal, steps)));
                }
                if let [Some((a, first)), Some((b, second))] = *both {
                    alone.remove(&unit);
                    meetings.push(Meeting {
                        game,
                        unit,
                        goals: (a, b),
                        steps: (first + second) as f64 / 2.0,
                        first: None,
                    });
                }
            }
        }
        meetings
    }

    /// The first player's mean score in each unit, at one game or all games.
    fn units(meetings: &[Meeting], game: Option<usize>) -> BTreeMap<usize, f64> {
        let mut units: BTreeMap<usize, (f64, usize)> = BTreeMap::new();
        for meeting in of(meetings, game) {
            let (sum, count) = units.entry(meeting.unit).or_default();
            *sum += score(meeting.goals.0, meeting.goals.1);
            *count += 1;
        }
        let mean = |(unit, (sum, count)): (usize, (f64, usize))| (unit, sum / count as f64);
        units.into_iter().map(mean).collect()
    }

    fn row(meetings: &[Meeting], pair: (usize, usize), game: Option<usize>) -> Row {
        let scores: Vec<f64> = Self::units(meetings, game).into_values().collect();
        let mut row = Row {
            game,
            pair,
            matches: 0,
            won: 0,
            drawn: 0,
            lost: 0,
            goals: (0.0, 0.0),
            score: rating::mean(&scores),
            steps: 0.0,
            first_role: None,
        };
        let mut first = 0.0;
        for meeting in of(meetings, game) {
            let (a, b) = meeting.goals;
            row.matches += 1;
            row.won += usize::from(a > b);
            row.drawn += usize::from(a == b);
            row.lost += usize::from(a < b);
            row.goals.0 += a;
            row.goals.1 += b;
            row.steps += meeting.steps;
            first += meeting.first.unwrap_or(0.0);
        }
        let count = row.matches.max(1) as f64;
        let for_two = |meeting: &Meeting| meeting.first.is_some();
        if game.is_some() && row.matches > 0 && of(meetings, game).all(for_two) {
            row.first_role = Some(first / count);
        }
        row.goals = (row.goals.0 / count, row.goals.1 / count);
        row.steps /= count;
        row
    }

    /// For each pair, a row for each game that it has played, then a row for all games.
    pub fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for &pair in &self.pairs {
            let meetings = self.meetings(pair);
            for game in 0..self.games.len() {
                if of(&meetings, Some(game)).next().is_some() {
                    rows.push(Self::row(&meetings, pair, Some(game)));
                }
            }
            rows.push(Self::row(&meetings, pair, None));
        }
        rows
    }

    /// The first player's results against the second at some games, given by index.
    pub fn over(&self, pair: (usize, usize), games: &[usize]) -> Row {
        let mut meetings = self.meetings(pair);
        meetings.retain(|meeting| games.contains(&meeting.game));
        Self::row(&meetings, pair, None)
    }

    /// The first player's mean score in each complete unit, by unit. In other units the
    /// advantages of seats do not cancel.
    fn whole_units(&self, pair: (usize, usize)) -> BTreeMap<usize, f64> {
        let mut meetings = self.meetings(pair);
        meetings.retain(|meeting| {
            let unit = &self.units[meeting.unit];
            unit.missing == 0 && !unit.void
        });
        Self::units(&meetings, None)
    }

    /// The Elo difference between the first and the second player of a pair.
    pub fn elo(&self, pair: (usize, usize)) -> Elo {
        let scores: Vec<f64> = self.whole_units(pair).into_values().collect();
        rating::elo(&scores)
    }

    /// The ratings of all players, relative to their mean.
    pub fn ladder(&self) -> Vec<Rated> {
        let mut results = Vec::new();
        for &(a, b) in &self.pairs {
            for score in self.whole_units((a, b)).into_values() {
                results.push(rating::Result { a, b, score });
            }
        }
        rating::ladder(self.players.len(), &results)
    }

    /// The state of the sequential test, if there is one.
    ///
    /// The test is evaluated at the end of each round, in order, so that no game gets more
    /// weight because its matches are short. A decision stays, whatever is played afterwards.
    pub fn verdict(&self) -> Option<Verdict> {
        let bounds = self.bounds?;
        let sprt = Sprt::new(bounds.elo0, bounds.elo1, bounds.alpha, bounds.beta).ok()?;
        let scores = self.whole_units((0, 1));
        let mut tally = Tally::default();
        let mut verdict = sprt.judge(&tally);
        let mut units = self.units.iter().enumerate().peekable();
        while let Some(&(_, &Unit { round, .. })) = units.peek() {
            let mut whole = true;
            while let Some((at, unit)) = units.next_if(|(_, unit)| unit.round == round) {
                whole &= unit.missing == 0;
                if let Some(&score) = scores.get(&at) {
                    tally.add(score);
                }
            }
            if !whole {
                break;
            }
            verdict = sprt.judge(&tally);
            if verdict.decision != Decision::GoOn {
                break;
            }
        }
        Some(verdict)
    }

    /// The reliability of each player.
    pub fn conduct(&self) -> Vec<Conduct> {
        let mut all = vec![Conduct::default(); self.players.len()];
        let mut sums = vec![0; self.players.len()];
        for played in &self.played {
            for (role, &player) in played.fixture.seats.iter().enumerate() {
                let conduct = &mut all[player];
                conduct.seats += 1;
                for &time in &played.times[role] {
                    conduct.answers += 1;
                    sums[player] += time;
                    conduct.longest_millis = conduct.longest_millis.max(time);
                }
                for code in &played.faults[role] {
                    match code.as_str() {
                        "TO" => conduct.late += 1,
                        "CE" => conduct.failed += 1,
                        _ => conduct.illegal += 1,
                    }
                }
            }
        }
        for (conduct, sum) in all.iter_mut().zip(sums) {
            conduct.mean_millis = sum as f64 / conduct.answers.max(1) as f64;
        }
        all
    }
}

/// The comparisons at one game, or at all games.
fn of(meetings: &[Meeting], game: Option<usize>) -> impl Iterator<Item = &Meeting> {
    meetings
        .iter()
        .filter(move |meeting| game.is_none_or(|game| meeting.game == game))
}
