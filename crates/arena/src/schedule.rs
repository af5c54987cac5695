//! The schedule: the ordered list of all matches.
//!
//! The schedule is a function of the configuration alone, and more rounds only append to it.
//! Its number therefore identifies a match, and an interrupted tournament can tell which
//! matches are missing.

use crate::{Config, Format, Seats};

/// One match of a tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixture {
    /// The position in the schedule.
    pub number: usize,
    /// The unit: matches of the same pair, game and round share it and differ only in seats.
    pub unit: usize,
    /// The index of the game.
    pub game: usize,
    /// The index of the round, from 0.
    pub round: usize,
    /// The indices of the two players. In games of one role, both are the player that plays
    /// alone.
    pub pair: (usize, usize),
    /// The index of the player of each role.
    pub seats: Vec<usize>,
}

/// All matches, for games with these numbers of roles.
pub fn schedule(config: &Config, roles: &[usize]) -> Vec<Fixture> {
    let pairs = pairs(config);
    let mut fixtures = Vec::new();
    let mut unit = 0;
    for round in 0..config.rounds {
        for (game, &roles) in roles.iter().enumerate() {
            // In games of one role, each player plays one match alone, independent of the
            // pairs.
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

/// The pairs of players that meet.
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

/// The distributions of the roles over two players, without repetition.
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
        // The limit only avoids an overflow of the mask; games have a handful of roles.
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
    fn pairs_swap_seats_and_single_roles_are_played_alone() {
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
    fn in_a_gauntlet_the_first_player_meets_all_others() {
        let mut config = config(&["a", "b", "c"], &["two"]);
        config.format = Format::Gauntlet;
        let fixtures = schedule(&config, &[2]);
        assert_eq!(
            seats(&fixtures),
            [vec![0, 1], vec![1, 0], vec![0, 2], vec![2, 0]]
        );
    }

    #[test]
    fn three_roles_have_six_distributions() {
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
    fn more_rounds_only_append_to_the_schedule() {
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
