//! Tests of records: writing, reading, and checking against the rules.

use budget::{Budget, ManualClock};
use game::Engine;
use matches::{Local, Participant, Resources, Settings};
use prepare::{EngineChoice, Options, prepare};
use proptest::prelude::*;
use records::{Record, Violation, validate};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The text of one of our own games.
fn fixture(name: &str) -> String {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    std::fs::read_to_string(path).expect("a fixture")
}

fn engine(rules: &str, engine: EngineChoice) -> Box<dyn Engine> {
    let options = Options {
        engine,
        ..Options::default()
    };
    let made = prepare(rules, &options, &Budget::system());
    made.expect("the rules are good").playable.engine
}

/// The record of a match between players of one profile, played on the propositional network.
fn record(game: &str, profile: &str, seed: u64, budget: &Budget) -> Record {
    let rules = fixture(game);
    let mut engine = engine(&rules, EngineChoice::Propnet);
    let resources = Resources {
        threads: 1,
        memory: 16 << 20,
    };
    let mut participants: Vec<Box<dyn Participant>> = Vec::new();
    for _ in engine.roles() {
        let player = players::by_name(profile).expect("a profile");
        let local = Local::new(player, engine.fork().into(), resources, budget);
        participants.push(Box::new(local));
    }
    let settings = Settings {
        id: format!("{game}.{seed}"),
        rulesheet: rules,
        tournament: Some("test".into()),
        seed,
        ..Settings::default()
    };
    matches::play(&mut *engine, &mut participants, &settings, &mut (), budget)
        .expect("one player for each role")
        .record
}

#[test]
fn records_are_valid_by_their_own_rules() {
    // Alternating, simultaneous, single-player, three simultaneous, and ended by exhaustion.
    for game in [
        "tic_tac_toe",
        "breakthrough_small",
        "bidding_tic_tac_toe",
        "rock_paper_scissors_repeated",
        "buttons_and_lights",
        "three_player_free_for_all",
        "light_cycles",
        "max_knights",
    ] {
        let record = record(game, "random", 3, &Budget::system());
        let read = Record::parse(&record.to_json()).expect("what was written");
        assert_eq!(read, record, "{game}");
        assert_eq!(read.is_completed, Some(true), "{game}");
        let mut oracle = engine(&read.rulesheet, EngineChoice::Reasoner);
        assert_eq!(validate(&read, &mut *oracle), Ok(()), "{game}");
    }
}

#[test]
fn records_repeat_to_the_byte_with_a_stopped_clock() {
    let play = |seed| {
        let budget = Budget::unlimited(Arc::new(ManualClock::default()));
        record("three_player_free_for_all", "random", seed, &budget).to_json()
    };
    let once = play(1);
    assert_eq!(once, play(1));
    assert_ne!(once, play(2));
    let times = Record::parse(&once).expect("a record").answer_times;
    assert!(times.iter().flatten().all(|&time| time == 0));
}

/// A valid record, of a match of tic-tac-toe.
fn good() -> Record {
    static RECORD: OnceLock<Record> = OnceLock::new();
    let play = || record("tic_tac_toe", "legal", 1, &Budget::system());
    RECORD.get_or_init(play).clone()
}

fn check(record: &Record) -> Result<(), Violation> {
    static ENGINE: OnceLock<std::sync::Mutex<Box<dyn Engine>>> = OnceLock::new();
    let make = || engine(&fixture("tic_tac_toe"), EngineChoice::Reasoner).into();
    let mut engine = ENGINE.get_or_init(make).lock().expect("no panic").fork();
    validate(record, &mut *engine)
}

/// Makes a record invalid.
type Spoil = fn(&mut Record);

#[test]
fn spoiled_records_are_refused_and_the_message_says_why() {
    let spoils: [(&str, Spoil); 21] = [
        ("a role renamed", |r| r.game_role_names[0] = "circle".into()),
        ("roles swapped", |r| r.game_role_names.swap(0, 1)),
        ("a state left out", |r| drop(r.states.remove(2))),
        ("a state without its last fact", |r| {
            let (begin, _) = r.states[3].rsplit_once(" (").expect("facts");
            r.states[3] = format!("{begin} )");
        }),
        ("another fact", |r| {
            r.states[0] = r.states[0].replacen("control cross", "control nought", 1);
        }),
        ("a fact more", |r| {
            r.states[1] = r.states[1].replacen('(', "( (king gone)", 1);
        }),
        ("states of another game", |r| {
            r.states[0] = "( (a 1) (a 2) (a 3) (a 4) (a 5) (a 6) )".into();
        }),
        ("half a state", |r| r.states[1].truncate(20)),
        ("a word for a state", |r| r.states[1] = "start".into()),
        ("a move of the other role", |r| r.moves[0].swap(0, 1)),
        ("a move to a taken square", |r| {
            let taken = r.moves[1][1].clone();
            r.moves[2][0] = taken;
        }),
        ("no term for a move", |r| r.moves[1][1] = "(mark 1".into()),
        ("a legal move, but another one", |r| {
            r.moves[0][0] = "(mark 3 3)".into();
        }),
        ("a joint move of three", |r| r.moves[1].push("noop".into())),
        ("another result", |r| r.goal_values[0] = 1),
        ("results left out", |r| r.goal_values.clear()),
        ("said to be unfinished", |r| {
            r.is_completed = Some(false);
            r.goal_values.clear();
        }),
        ("cut off, said to be completed", |r| {
            r.states.truncate(3);
            r.moves.truncate(2);
            r.state_times.truncate(3);
            r.answer_times.truncate(2);
            r.errors.truncate(3);
        }),
        ("completed and aborted", |r| r.is_aborted = true),
        ("goes on after the end", |r| {
            let last = r.states.len() - 1;
            r.states.push(r.states[last].clone());
            r.moves.push(r.moves[0].clone());
            r.state_times.push(0);
            r.answer_times.push(vec![0, 0]);
            r.errors.push(vec![String::new(), String::new()]);
        }),
        ("a line of errors too short", |r| drop(r.errors[1].pop())),
    ];
    assert_eq!(check(&good()), Ok(()));
    let mut report = String::new();
    for (name, spoil) in spoils {
        let mut record = good();
        spoil(&mut record);
        let violation = check(&record).expect_err(name);
        report += &format!("{name}: {violation}\n");
    }
    insta::assert_snapshot!(report);
}

/// A match file in the format of another server: no rules, no role names, no entry for the
/// start clock, and facts in another order.
const FOREIGN: &str = r#"{
    "matchId": "base.tictactoe.1412", "randomToken": "abc", "startTime": 1412345678901,
    "gameMetaURL": "http://games.example/tictactoe/v0/", "isCompleted": false, "isAborted": true,
    "states": [
        "( ( control cross ) ( cell 1 1 empty ) ( cell 1 2 empty ) ( cell 1 3 empty ) ( cell 2 1 empty )
           ( cell 2 2 empty ) ( cell 2 3 empty ) ( cell 3 1 empty ) ( cell 3 2 empty ) ( cell 3 3 empty ) )",
        "( ( cell 3 2 empty ) ( cell 3 3 empty ) ( cell 1 1 empty ) ( cell 1 2 empty ) ( cell 1 3 empty )
           ( cell 2 1 empty ) ( cell 2 2 cross ) ( cell 2 3 empty ) ( cell 3 1 empty ) ( control nought ) )"],
    "moves": [["( mark 2 2 )", "noop"]], "stateTimes": [1412345678901, 1412345688901],
    "errors": [["", "TO"]], "previewClock": -1, "startClock": 30, "playClock": 15.5,
    "playerNamesFromHost": ["A", ""], "isPlayerHuman": [false, true], "scrambled": true,
    "matchHostPK": "0"}"#;

#[test]
fn match_files_of_other_servers_are_read() {
    let record = Record::parse(&FOREIGN.replace('\n', " ")).expect("it lacks nothing that matters");
    assert_eq!(record.preview_clock, Duration::ZERO);
    assert_eq!(record.play_clock, Duration::from_millis(15_500));
    assert_eq!((&*record.rulesheet, record.answer_times.len()), ("", 0));
    assert_eq!(check(&record), Ok(()));
}

proptest! {
    #[test]
    fn every_change_of_a_state_a_move_or_a_goal_value_is_detected(
        kind in 0..4,
        step in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        word in "[a-z0-9]{1,4}",
    ) {
        let mut record = good();
        match kind {
            // Changes a word of a state, or one of its parentheses.
            0 => {
                let state = &mut record.states[step.index(good().states.len())];
                let places: Vec<usize> = state.match_indices(' ').map(|(at, _)| at).collect();
                state.insert_str(places[at.index(places.len())], &format!(" {word}"));
            }
            1 => {
                let state = &mut record.states[step.index(good().states.len())];
                let places: Vec<usize> = state.match_indices(['(', ')']).map(|(at, _)| at).collect();
                state.remove(places[at.index(places.len())]);
            }
            2 => {
                let step = step.index(record.moves.len());
                let before = record.moves[step][at.index(2)].clone();
                prop_assume!(word != before);
                record.moves[step][at.index(2)] = word;
            }
            _ => {
                let role = at.index(2);
                record.goal_values[role] = record.goal_values[role].wrapping_add(1 + step.index(255) as u8);
            }
        }
        prop_assert!(check(&record).is_err(), "{record:?}");
    }

    #[test]
    fn clocks_survive_writing_and_reading(nanos in 0..1_000_000_000_000_000_u64) {
        let record = Record {
            match_id: "m".into(),
            play_clock: Duration::from_nanos(nanos),
            ..Record::default()
        };
        prop_assert_eq!(Record::parse(&record.to_json()).ok(), Some(record));
    }
}
