//! The data of a match that tables need.

use crate::Fixture;
use records::Record;

/// A match that has been played.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// Its entry in the schedule.
    pub fixture: Fixture,
    /// The goal value of every role, 0 to 100; `None` if the match did not reach a terminal
    /// state.
    pub goals: Option<Vec<u8>>,
    /// The number of joint moves.
    pub steps: usize,
    /// The faults of every role, as codes: `TO`, `CE`, `IL move`.
    pub faults: Vec<Vec<String>>,
    /// The answer times of each role in milliseconds. Times of 0 are left out: they stand for
    /// turns in which the role was not asked, and for all turns with a stopped clock.
    pub times: Vec<Vec<u64>>,
}

impl Played {
    /// Extracts the data from a record.
    pub fn new(fixture: Fixture, record: &Record) -> Self {
        let roles = fixture.seats.len();
        let column = |role: usize| {
            let codes = record.errors.iter().filter_map(move |line| line.get(role));
            codes.filter(|code| !code.is_empty()).cloned().collect()
        };
        let times = |role: usize| {
            let times = record.answer_times.iter().filter_map(|line| line.get(role));
            times.copied().filter(|&time| time > 0).collect()
        };
        Played {
            goals: (record.is_completed == Some(true)).then(|| record.goal_values.clone()),
            steps: record.moves.len(),
            faults: (0..roles).map(column).collect(),
            times: (0..roles).map(times).collect(),
            fixture,
        }
    }

    /// The mean goal value of a player's roles.
    pub fn goal(&self, player: usize) -> Option<f64> {
        let goals = self.goals.as_ref()?;
        let own = self.fixture.seats.iter().zip(goals);
        let own = own.filter(|(seat, _)| **seat == player);
        let (count, sum) = own.fold((0, 0.0), |(count, sum), (_, &goal)| {
            (count + 1, sum + f64::from(goal))
        });
        (count > 0).then(|| sum / f64::from(count))
    }

    /// The score of the first role against the second, in games of two roles.
    pub(crate) fn first(&self) -> Option<f64> {
        match self.goals.as_deref()? {
            &[first, second] => Some(score(first.into(), second.into())),
            _ => None,
        }
    }
}

/// The score of a comparison: 1 for the greater goal value, 0 for the lesser, a half if equal.
pub(crate) fn score(own: f64, other: f64) -> f64 {
    match own.total_cmp(&other) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    }
}
