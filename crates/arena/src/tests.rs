//! Tests of whole tournaments.

use crate::store::Store;
use crate::testing::config;
use crate::{Arena, ArenaError, Bounds, Config, Format, Played, Progress, Results, Row};
use budget::Stop;
use rating::Decision;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

const GAMES: &[&str] = &[
    "tic_tac_toe",
    "nim",
    "three_player_free_for_all",
    "bidding_tic_tac_toe",
    "buttons_and_lights",
];

fn play(config: &Config, folder: &Path) -> Results {
    let arena = Arena::open(config.clone(), folder).expect("a tournament");
    arena.run(&Stop::default(), &()).expect("it is played")
}

/// The text of every record, by file name.
fn records(folder: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder.join("matches")).expect("there");
    entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .expect("named")
                .to_string_lossy()
                .into_owned();
            (name, std::fs::read_to_string(path).expect("readable"))
        })
        .collect()
}

/// Calls a tournament off after some matches.
struct After<'a>(AtomicUsize, &'a Stop);

impl Progress for After<'_> {
    fn played(&self, _: &Played, _: &Results) {
        if self.0.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.1.stop();
        }
    }
}

#[test]
fn an_interrupted_tournament_ends_like_an_uninterrupted_one() {
    let mut config = config(&["random", "legal", "baseline:playouts=5"], GAMES);
    config.rounds = 2;
    let (whole, parts) = (
        tempfile::tempdir().expect("a"),
        tempfile::tempdir().expect("b"),
    );
    let wanted = play(&config, whole.path());
    assert_eq!(wanted.played.len(), wanted.scheduled);
    for matches in [1, 7, 20] {
        let stop = Stop::default();
        let arena = Arena::open(config.clone(), parts.path()).expect("a tournament");
        let before = arena.results().expect("readable").played.len();
        let progress = After(AtomicUsize::new(matches), &stop);
        let now = arena
            .run(&stop, &progress)
            .expect("it is played")
            .played
            .len();
        assert!(
            (before + matches..wanted.scheduled).contains(&now),
            "{before} {now}"
        );
        assert_eq!(records(parts.path()).len(), now);
    }
    let got = play(&config, parts.path());
    assert_eq!(got.table(), wanted.table());
    // Equal to the byte, since the moves of all players repeat.
    assert_eq!(records(parts.path()), records(whole.path()));
    // Nothing is played twice.
    assert_eq!(play(&config, parts.path()).table(), wanted.table());
}

/// Wins, draws, losses and the sums of goal values of two players at a game, from the records
/// alone.
fn recount(folder: &Path, game: &str, a: &str, b: &str) -> (usize, usize, usize, f64, f64) {
    let mut counts = (0, 0, 0, 0.0, 0.0);
    let mut alone: [Vec<f64>; 2] = Default::default();
    for (name, text) in records(folder) {
        if name.split('.').nth(1) != Some(game) {
            continue;
        }
        let record: Value = serde_json::from_str(&text).expect("JSON");
        let names = record["playerNamesFromHost"].as_array().expect("names");
        let goals = record["goalValues"].as_array().expect("goals");
        let mean = |who: &str| {
            let own: Vec<f64> = names
                .iter()
                .zip(goals)
                .filter(|(name, _)| *name == who)
                .map(|(_, goal)| goal.as_f64().expect("a number"))
                .collect();
            (!own.is_empty()).then(|| own.iter().sum::<f64>() / own.len() as f64)
        };
        match (mean(a), mean(b)) {
            (Some(x), Some(y)) => add(&mut counts, x, y),
            (Some(x), None) if names.len() == 1 => alone[0].push(x),
            (None, Some(y)) if names.len() == 1 => alone[1].push(y),
            _ => {}
        }
    }
    for (x, y) in alone[0].iter().zip(&alone[1]) {
        add(&mut counts, *x, *y);
    }
    counts
}

fn add(counts: &mut (usize, usize, usize, f64, f64), x: f64, y: f64) {
    counts.0 += usize::from(x > y);
    counts.1 += usize::from(x == y);
    counts.2 += usize::from(x < y);
    counts.3 += x;
    counts.4 += y;
}

#[test]
fn tables_agree_with_the_records() {
    let mut config = config(&["random", "legal", "baseline:playouts=5"], GAMES);
    config.rounds = 3;
    config.format = Format::Gauntlet;
    let folder = tempfile::tempdir().expect("a folder");
    let results = play(&config, folder.path());
    let rows = results.rows();
    assert_eq!(rows.len(), 2 * (GAMES.len() + 1));
    for row in &rows {
        let (a, b) = (&results.players[row.pair.0], &results.players[row.pair.1]);
        let games = match row.game {
            Some(game) => &results.games[game..=game],
            None => &results.games[..],
        };
        let mut wanted = (0, 0, 0, 0.0, 0.0);
        for game in games {
            let counts = recount(folder.path(), game, a, b);
            wanted.0 += counts.0;
            wanted.1 += counts.1;
            wanted.2 += counts.2;
            wanted.3 += counts.3;
            wanted.4 += counts.4;
        }
        let matches = wanted.0 + wanted.1 + wanted.2;
        assert!(matches > 0);
        assert_eq!(
            (row.won, row.drawn, row.lost, row.matches),
            (wanted.0, wanted.1, wanted.2, matches)
        );
        assert!((row.goals.0 - wanted.3 / matches as f64).abs() < 1e-9);
        assert!((row.goals.1 - wanted.4 / matches as f64).abs() < 1e-9);
        // Units of one game have equal size, so its score is the mean over matches too.
        if row.game.is_some() {
            let score = (wanted.0 as f64 + wanted.1 as f64 / 2.0) / matches as f64;
            assert!((row.score.mean - score).abs() < 1e-9, "{row:?}");
        }
        let of_two = ["tic_tac_toe", "nim", "bidding_tic_tac_toe"];
        let game = row
            .game
            .filter(|&game| of_two.contains(&&*results.games[game]));
        assert_eq!(row.first_role.is_some(), game.is_some());
        if let (Some(game), Some(first)) = (game, row.first_role) {
            let played = results.played.iter();
            let played = played.filter(|p| (p.fixture.pair, p.fixture.game) == (row.pair, game));
            let goals = played.filter_map(|played| played.goals.as_deref());
            let points = goals.map(|goals| 1.0 + f64::from(goals[0].cmp(&goals[1]) as i8));
            assert!((first - points.sum::<f64>() / 2.0 / matches as f64).abs() < 1e-9);
        }
        let games: Vec<usize> = match row.game {
            Some(game) => vec![game],
            None => (0..results.games.len()).collect(),
        };
        let over = results.over(row.pair, &games);
        assert_eq!(
            over,
            Row {
                game: None,
                first_role: None,
                ..row.clone()
            }
        );
    }
    for record in records(folder.path()).values() {
        let record = records::Record::parse(record).expect("a record");
        let rules = prepare::Options {
            engine: prepare::EngineChoice::Reasoner,
            ..Default::default()
        };
        let mut game =
            prepare::prepare(&record.rulesheet, &rules, &budget::Budget::system()).expect("a game");
        records::validate(&record, &mut *game.playable.engine).expect("it is right");
    }
}

#[test]
fn the_sequential_test_ends_the_tournament() {
    let mut config = config(&["baseline:playouts=60", "random"], &["tic_tac_toe"]);
    config.rounds = 500;
    config.sprt = Some(Bounds {
        elo0: 0.0,
        elo1: 50.0,
        alpha: 0.05,
        beta: 0.05,
    });
    let folder = tempfile::tempdir().expect("a folder");
    let results = play(&config, folder.path());
    let verdict = results.verdict().expect("there is a test");
    assert_eq!(verdict.decision, Decision::AcceptH1, "{verdict:?}");
    assert!(results.played.len() < 200, "{}", results.played.len());
    // The test has decided: nothing is left to play.
    assert_eq!(
        play(&config, folder.path()).played.len(),
        results.played.len()
    );
}

#[test]
fn a_folder_is_bound_to_its_tournament() {
    let one = config(&["random", "legal"], &["nim"]);
    let folder = tempfile::tempdir().expect("a folder");
    let results = play(&one, folder.path());
    let open = |config: &Config| Arena::open(config.clone(), folder.path());

    let mut longer = one.clone();
    longer.rounds = 2;
    assert_eq!(
        play(&longer, folder.path()).played.len(),
        2 * results.played.len()
    );

    let mut other = one.clone();
    other.seed = 2;
    assert!(matches!(open(&other), Err(ArenaError::Other { .. })));

    let first = open(&one).expect("it is free");
    let lock = Store::new(folder.path(), &one)
        .expect("ours")
        .lock(&one, None)
        .expect("free");
    let run = || first.run(&Stop::default(), &());
    assert!(matches!(run(), Err(ArenaError::InUse { .. })));
    assert!(first.results().is_ok(), "but looking is allowed");
    drop(lock);
    let path = folder.path().join("program");
    let program = std::fs::read_to_string(&path).expect("it says who played");
    std::fs::write(&path, "another").expect("written");
    assert!(matches!(run(), Err(ArenaError::OtherProgram { .. })));
    std::fs::write(&path, program).expect("written");
    assert_eq!(
        first.validate().expect("records are right"),
        results.played.len()
    );

    let path = folder.path().join("matches/000000.nim.json");
    let text = std::fs::read_to_string(&path).expect("there");
    for wrong in [
        text[..text.len() / 2].to_string(),
        text.replace("\"random\"", "\"somebody\""),
        text.replace("(role", "( role"),
        text.replace("  100", "  101"),
    ] {
        std::fs::write(&path, wrong).expect("written");
        assert!(matches!(first.results(), Err(ArenaError::Record { .. })));
    }
    std::fs::remove_file(&path).expect("removed");
    assert_eq!(
        first.results().expect("readable").played.len() + 1,
        results.played.len()
    );
}

#[test]
fn what_makes_no_sense_is_refused() {
    let good = config(&["random", "legal"], &["nim"]);
    let folder = tempfile::tempdir().expect("a folder");
    let mut refused = String::new();
    let changes: &[fn(&mut Config)] = &[
        |c| c.games.clear(),
        |c| c.players.clear(),
        |c| c.players[1].name = c.players[0].name.clone(),
        |c| c.players[0].threads = 0,
        |c| c.players[0].is = "nobody".into(),
        |c| c.players[0].is = "http://:x".into(),
        |c| c.players.truncate(1),
        |c| c.play_clock = f64::NAN,
        |c| c.engine = "steam".into(),
        |c| {
            c.players[0].is = "http://127.0.0.1:1".into();
            c.games[0].set_file_name("light_cycles.gdl");
        },
        |c| c.games.push("no/such/game.gdl".into()),
        |c| c.games.push("elsewhere/nim.gdl".into()),
        |c| {
            c.sprt = Some(Bounds {
                elo0: 5.0,
                elo1: 0.0,
                alpha: 0.05,
                beta: 0.05,
            });
        },
    ];
    for change in changes {
        let mut config = good.clone();
        change(&mut config);
        let error = match Arena::open(config, folder.path()) {
            Ok(_) => panic!("it makes no sense"),
            Err(error) => error.to_string(),
        };
        refused += &format!("{error}\n");
    }
    insta::assert_snapshot!(refused);
}

#[test]
fn a_table_for_people() {
    let mut config = config(&["baseline:playouts=20", "random", "legal"], &GAMES[..3]);
    config.rounds = 4;
    config.format = Format::Gauntlet;
    let folder = tempfile::tempdir().expect("a folder");
    insta::assert_snapshot!(play(&config, folder.path()).table());
}
