//! Which matches there are, in order.
//!
//! The schedule is a function of the configuration alone, and more rounds only add to its end. So a
//! match is known by its number, and a tournament that was interrupted knows what is missing.

use crate::{Config, Format, Seats};

/// One match of a tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixture {
    /// Its position in the schedule.
    pub number: usize,
    /// Matches of the same pair, game and round, which differ in seats only, have the same unit.
    pub unit: usize,
    /// Index of the game.
    pub game: usize,
    /// Which round it belongs to, from 0.
    pub round: usize,
    /// The two players, by index; in games of one role they play it each for themselves.
    pub pair: (usize, usize),
    /// The player of each role, by index.
    pub seats: Vec<usize>,
}

/// All matches, for games with this many roles.
pub fn schedule(config: &Config, roles: &[usize]) -> Vec<Fixture> {
    let pairs = pairs(config);
    let mut fixtures = Vec::new();
    let mut unit = 0;
    for round in 0..config.rounds {
        for (game, &roles) in roles.iter().enumerate() {
            // Those who play alone need no opponent: one match each, whatever the pairs.
            if roles == 1 {
                for player in 0..config.players.len() {
                    fixtures.push(Fixture {
                        number: fixtures.len(),
                        unit,
                        game,
                        round,
                        pair: (player, player),
                        seats: vec![player],
                    });
                }
                unit += 1;
                continue;
            }
            for &pair in &pairs {
                for seats in seatings(config.seats, roles, pair) {
                    fixtures.push(Fixture {
                        number: fixtures.len(),
                        unit,
                        game,
                        round,
                        pair,
                        seats,
                    });
                }
                unit += 1;
            }
        }
    }
    fixtures
}

/// Who meets whom.
pub(crate) fn pairs(config: &Config) -> Vec<(usize, usize)> {
    let count = config.players.len();
    let firsts = match config.format {
        Format::RoundRobin => count,
        Format::Gauntlet => 1.min(count),
    };
    (0..firsts)
        .flat_map(|a| (a + 1..count).map(move |b| (a, b)))
        .collect()
}

/// The ways for two players to share these roles, each once.
fn seatings(seats: Seats, roles: usize, (a, b): (usize, usize)) -> Vec<Vec<usize>> {
    match seats {
        Seats::Each => {
            let mut all = Vec::new();
            for seat in 0..roles {
                for (one, others) in [(a, b), (b, a)] {
                    let seating: Vec<usize> = (0..roles)
                        .map(|role| if role == seat { one } else { others })
                        .collect();
                    if !all.contains(&seating) {
                        all.push(seating);
                    }
                }
            }
            all
        }
        // More roles than bits cannot be played anyway; a game has a handful.
        Seats::All => (1..(1_u64 << roles.min(16)) - 1)
            .map(|mask| {
                (0..roles as u32)
                    .map(|role| {
                        let bit = mask.checked_shr(role).unwrap_or(0) & 1;
                        if bit == 1 { a } else { b }
                    })
                    .collect()
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::config;

    fn seats(fixtures: &[Fixture]) -> Vec<Vec<usize>> {
        fixtures.iter().map(|f| f.seats.clone()).collect()
    }

    #[test]
    fn pairs_take_all_seats_and_single_roles_are_played_alone() {
        let config = config(&["a", "b", "c"], &["two", "one"]);
        let fixtures = schedule(&config, &[2, 1]);
        assert_eq!(
            seats(&fixtures),
            [
                vec![0, 1],
                vec![1, 0],
                vec![0, 2],
                vec![2, 0],
                vec![1, 2],
                vec![2, 1],
                vec![0],
                vec![1],
                vec![2],
            ]
        );
        let units: Vec<usize> = fixtures.iter().map(|f| f.unit).collect();
        assert_eq!(units, [0, 0, 1, 1, 2, 2, 3, 3, 3]);
    }

    #[test]
    fn a_gauntlet_is_run_by_the_first() {
        let mut config = config(&["a", "b", "c"], &["two"]);
        config.format = Format::Gauntlet;
        let fixtures = schedule(&config, &[2]);
        assert_eq!(
            seats(&fixtures),
            [vec![0, 1], vec![1, 0], vec![0, 2], vec![2, 0]]
        );
    }

    #[test]
    fn of_three_roles_each_is_had_alone_and_in_company() {
        let mut config = config(&["a", "b"], &["three"]);
        let each = seats(&schedule(&config, &[3]));
        config.seats = Seats::All;
        let mut all = seats(&schedule(&config, &[3]));
        assert_eq!(each.len(), 6);
        assert_eq!(all.len(), 6);
        all.sort();
        let mut sorted = each;
        sorted.sort();
        assert_eq!(all, sorted);
        assert_eq!(schedule(&config, &[4]).len(), 14);
    }

    #[test]
    fn more_rounds_only_add_to_the_end() {
        let mut config = config(&["a", "b", "c"], &["two", "one", "three"]);
        let short = schedule(&config, &[2, 1, 3]);
        config.rounds = 3;
        let long = schedule(&config, &[2, 1, 3]);
        assert_eq!(long[..short.len()], short);
        assert_eq!(long.len(), 3 * short.len());
        for (at, fixture) in long.iter().enumerate() {
            assert_eq!(fixture.number, at);
        }
    }
}
