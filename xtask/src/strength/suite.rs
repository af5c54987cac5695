//! The games of the standing suite, and their categories.
//!
//! The suite covers every kind of game that servers play: one, two and more roles, alternating
//! and simultaneous moves, lengths from ten to a hundred moves, and goals that are all or
//! nothing or shared. A game may belong to several categories. Builds are quick, so that most
//! of the time is play.

use anyhow::ensure;
use std::path::PathBuf;

/// A game of the suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// The file name without the extension.
    pub name: &'static str,
    /// Where the rulesheet is.
    pub place: Place,
    /// The number of roles.
    pub roles: usize,
    /// Whether several roles have a choice in the same state, in any state.
    pub simultaneous: bool,
    /// Whether random playouts take forty joint moves or more, on average.
    pub long: bool,
}

/// Where a rulesheet is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Among our fixtures.
    Fixture,
    /// In the corpus, which may be missing.
    Corpus,
}

const fn listed(
    place: Place,
    name: &'static str,
    roles: usize,
    simultaneous: bool,
    long: bool,
) -> Listed {
    Listed {
        name,
        place,
        roles,
        simultaneous,
        long,
    }
}

const fn fixture(name: &'static str, roles: usize, simultaneous: bool, long: bool) -> Listed {
    listed(Place::Fixture, name, roles, simultaneous, long)
}

const fn corpus(name: &'static str, roles: usize, simultaneous: bool, long: bool) -> Listed {
    listed(Place::Corpus, name, roles, simultaneous, long)
}

const TURNS: bool = false;
const AT_ONCE: bool = true;
const SHORT: bool = false;
const LONG_PLAY: bool = true;

/// The games of the suite.
pub const SUITE: &[Listed] = &[
    fixture("corridor_hard", 1, TURNS, SHORT),
    fixture("eight_puzzle", 1, TURNS, LONG_PLAY),
    fixture("gold_digger", 1, TURNS, SHORT),
    fixture("max_knights", 1, TURNS, SHORT),
    corpus("asteroids", 1, TURNS, LONG_PLAY),
    corpus("knightsTour", 1, TURNS, SHORT),
    corpus("pegEuro", 1, TURNS, SHORT),
    fixture("breakthrough_small", 2, TURNS, SHORT),
    fixture("connect_four", 2, TURNS, SHORT),
    fixture("dots_and_boxes", 2, TURNS, LONG_PLAY),
    fixture("escort_latch_breakthrough", 2, TURNS, LONG_PLAY),
    fixture("hex", 2, TURNS, LONG_PLAY),
    fixture("kalaha", 2, TURNS, SHORT),
    fixture("nine_board_tic_tac_toe", 2, TURNS, SHORT),
    fixture("pentago", 2, TURNS, LONG_PLAY),
    fixture("reversi", 2, TURNS, LONG_PLAY),
    fixture("sheep_and_wolf", 2, TURNS, LONG_PLAY),
    fixture("skirmish", 2, TURNS, LONG_PLAY),
    fixture("speed_chess", 2, TURNS, LONG_PLAY),
    corpus("connect5", 2, TURNS, LONG_PLAY),
    corpus("englishDraughts", 2, TURNS, LONG_PLAY),
    corpus("knightThrough", 2, TURNS, SHORT),
    corpus("quarto", 2, TURNS, SHORT),
    fixture("bidding_tic_tac_toe", 2, AT_ONCE, SHORT),
    fixture("blocker", 2, AT_ONCE, SHORT),
    fixture("connect_four_simultaneous", 2, AT_ONCE, SHORT),
    fixture("rock_paper_scissors_repeated", 2, AT_ONCE, SHORT),
    corpus("beatMania", 2, AT_ONCE, LONG_PLAY),
    corpus("chinook", 2, AT_ONCE, SHORT),
    fixture("three_player_free_for_all", 3, TURNS, SHORT),
    corpus("chineseCheckers4", 4, TURNS, LONG_PLAY),
    corpus("tictactoe_3player", 3, TURNS, SHORT),
    corpus("ttcc4", 3, TURNS, SHORT),
    fixture("light_cycles", 4, AT_ONCE, SHORT),
    corpus("battlebrushes", 4, AT_ONCE, SHORT),
    corpus("pacman3p", 3, AT_ONCE, LONG_PLAY),
    corpus("smallest_4player", 4, AT_ONCE, SHORT),
];

/// A category of games.
pub struct Category {
    /// Its name.
    pub name: &'static str,
    /// Whether a game belongs to it.
    pub holds: fn(&Listed) -> bool,
}

/// The categories for which results are reported.
pub const CATEGORIES: &[Category] = &[
    Category {
        name: "one role",
        holds: |game| game.roles == 1,
    },
    Category {
        name: "two roles",
        holds: |game| game.roles == 2,
    },
    Category {
        name: "more roles",
        holds: |game| game.roles > 2,
    },
    Category {
        name: "taking turns",
        holds: |game| game.roles > 1 && !game.simultaneous,
    },
    Category {
        name: "simultaneous",
        holds: |game| game.simultaneous,
    },
    Category {
        name: "short",
        holds: |game| !game.long,
    },
    Category {
        name: "long",
        holds: |game| game.long,
    },
];

/// The available games of the suite with their files, or those of them that have one of these
/// names. Missing games are reported on the standard error.
///
/// # Errors
/// Fails if a name is not in the suite, or if no game is available.
pub fn games(only: &[String]) -> anyhow::Result<Vec<(Listed, PathBuf)>> {
    for name in only {
        let known = SUITE.iter().any(|game| game.name == name);
        ensure!(known, "{name} is not in the suite: {}", names().join(", "));
    }
    let wanted = SUITE
        .iter()
        .filter(|game| only.is_empty() || only.iter().any(|name| name == game.name));
    let mut corpus = None;
    let mut games = Vec::new();
    for game in wanted {
        let path = match game.place {
            Place::Fixture => {
                Some(testkit::root().join(format!("fixtures/games/{}.gdl", game.name)))
            }
            // Looked up only once, because a missing corpus is reported each time.
            Place::Corpus => corpus
                .get_or_insert_with(testkit::corpus)
                .as_ref()
                .map(|corpus| corpus.join(format!("games/{}.kif", game.name))),
        };
        match path {
            Some(path) if path.is_file() => games.push((*game, path)),
            _ => eprintln!("skipped: {} is not there", game.name),
        }
    }
    ensure!(!games.is_empty(), "no game of the suite is there");
    Ok(games)
}

fn names() -> Vec<&'static str> {
    SUITE.iter().map(|game| game.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use budget::Budget;
    use game::{Engine, RoleId, State};
    use prepare::{EngineChoice, Options, prepare};
    use rand::RngExt;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;
    use std::collections::BTreeSet;

    #[test]
    fn the_fixtures_alone_cover_every_category() {
        let fixtures: Vec<&Listed> = SUITE
            .iter()
            .filter(|game| game.place == Place::Fixture)
            .collect();
        assert!(fixtures.len() >= 20);
        for category in CATEGORIES {
            let count = fixtures
                .iter()
                .filter(|game| (category.holds)(game))
                .count();
            assert!(count >= 2, "{}", category.name);
        }
        let names: BTreeSet<&str> = names().into_iter().collect();
        assert_eq!(names.len(), SUITE.len(), "a name is there twice");
    }

    #[test]
    fn games_are_selected_by_name() {
        let chosen = games(&["hex".into(), "blocker".into()]).unwrap();
        let names: Vec<&str> = chosen.iter().map(|(game, _)| game.name).collect();
        assert_eq!(names, ["hex", "blocker"]);
        let error = games(&["chess".into()]).unwrap_err().to_string();
        assert!(
            error.contains("chess is not in the suite: corridor_hard, "),
            "{error}"
        );
    }

    /// The mean length of some random matches, and whether several roles had a choice at the
    /// same time.
    fn random_play(engine: &mut dyn Engine) -> (f64, bool) {
        const MATCHES: usize = 6;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let roles = engine.roles().len();
        let (mut steps, mut at_once) = (0, false);
        for _ in 0..MATCHES {
            let mut state = engine.initial();
            while !engine.terminal(&state).unwrap() {
                let (mut joint, mut choosing) = (Vec::new(), 0);
                for role in 0..roles {
                    let mut moves = Vec::new();
                    engine.legal(&state, RoleId(role), &mut moves).unwrap();
                    choosing += usize::from(moves.len() > 1);
                    joint.push(moves[rng.random_range(0..moves.len())]);
                }
                let mut next = State::default();
                engine.next(&state, &joint, &mut next).unwrap();
                (state, steps, at_once) = (next, steps + 1, at_once || choosing > 1);
            }
        }
        (steps as f64 / MATCHES as f64, at_once)
    }

    /// The mean number of joint moves of random play from which on a game is long.
    const LONG: f64 = 40.0;

    #[test]
    fn the_properties_in_the_suite_are_right() {
        for (game, path) in games(&[]).unwrap() {
            let rules = std::fs::read_to_string(path).unwrap();
            let options = Options {
                engine: EngineChoice::Reasoner,
                ..Options::default()
            };
            let mut engine = prepare(&rules, &options, &Budget::system())
                .unwrap()
                .playable
                .engine;
            assert_eq!(engine.roles().len(), game.roles, "{}", game.name);
            let (length, at_once) = random_play(&mut *engine);
            assert_eq!(at_once, game.simultaneous, "{}", game.name);
            // The mean of a few matches is inexact. Only games of fixed length are close to the
            // bound.
            let limit = if game.long { 0.85 * LONG } else { 1.1 * LONG };
            assert_eq!(length >= limit, game.long, "{}: {length}", game.name);
        }
    }
}
