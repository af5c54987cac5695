//! The record that a player keeps of a match.

mod common;

use common::{Build, Habit, Rig, SOON, START, Toys, take_away};
use records::{Record, validate};
use serve::RecordFolder;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// When the match began, in the tests.
const NOON: u64 = 1_800_000_000_000;

fn rig(folder: &Path, habit: Habit) -> Rig {
    let records = RecordFolder {
        folder: folder.to_path_buf(),
        origin: Duration::from_millis(NOON),
    };
    let toys = Toys {
        quick: Build::engine(take_away()),
        better: Build::engine(take_away()),
    };
    let clock = Arc::new(budget::ManualClock::default());
    Rig::recording(toys, habit, clock, Some(records))
}

/// The only record of a folder; `None` if there is none.
fn only(folder: &Path) -> Option<Record> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        // While it is written, it has a hidden name.
        .filter(|path| !path.file_name().unwrap().to_string_lossy().starts_with('.'))
        .collect();
    assert!(files.len() < 2, "{files:?}");
    let text = std::fs::read_to_string(files.pop()?).unwrap();
    Some(Record::parse(&text).unwrap())
}

/// The record once it is as wanted.
fn wait(folder: &Path, wanted: impl Fn(&Record) -> bool) -> Record {
    let began = Instant::now();
    loop {
        if let Some(record) = only(folder).filter(&wanted) {
            return record;
        }
        assert!(began.elapsed() < SOON, "{:#?}", only(folder));
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn check(record: &Record) -> Result<(), String> {
    validate(record, &mut take_away()).map_err(|violation| violation.to_string())
}

#[test]
fn a_whole_match_is_recorded_turn_by_turn() {
    let folder = tempfile::tempdir().unwrap();
    let rig = rig(folder.path(), Habit::Last);
    rig.talk(&[(START, "ready"), ("(play m nil)", "(take 3)")]);
    let record = wait(folder.path(), |record| !record.states.is_empty());
    assert_eq!(check(&record), Ok(()));
    assert_eq!(record.states, ["( (control player0) (tokens 20) )"]);
    // The server played something else than we answered.
    rig.talk(&[("(play m ((take 2) noop))", "noop")]);
    let record = wait(folder.path(), |record| record.moves.len() == 1);
    assert_eq!(
        check(&record),
        Ok(()),
        "whenever it is killed, a valid record is there"
    );
    let notes = &record.thoughts[0];
    assert!(
        notes
            .iter()
            .any(|note| note.line.contains("instead of our (take 3)")),
        "{notes:?}"
    );
    for (message, reply) in [
        ("(play m (noop (take 3)))", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
        ("(play m (noop (take 3)))", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
        ("(play m (noop (take 3)))", "(take 3)"),
    ] {
        assert_eq!(rig.say(message), reply);
    }
    assert_eq!(rig.say("(stop m ((take 3) noop))"), "done");
    let record = wait(folder.path(), |record| record.is_completed == Some(true));
    assert_eq!(check(&record), Ok(()));
    assert_eq!(record.goal_values, [100, 0]);
    assert_eq!((record.match_id.as_str(), record.start_time), ("m", NOON));
    assert_eq!(record.player_names_from_host, ["Tester", "player1"]);
    assert_eq!(record.moves.len(), 7);
    assert_eq!(record.moves[1], ["noop", "(take 3)"]);
    assert_eq!(record.start_clock, Duration::from_secs(1000));
    assert!(
        record.rulesheet.contains("(role player0)"),
        "{}",
        record.rulesheet
    );
}

#[test]
fn an_aborted_match_is_recorded_up_to_then() {
    let folder = tempfile::tempdir().unwrap();
    let rig = rig(folder.path(), Habit::Last);
    rig.talk(&[
        (START, "ready"),
        ("(play m nil)", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
    ]);
    wait(folder.path(), |record| record.moves.len() == 1);
    assert_eq!(rig.say("(abort m)"), "aborted");
    let record = wait(folder.path(), |record| record.is_aborted);
    assert_eq!(check(&record), Ok(()));
    assert_eq!(record.moves, [["(take 3)", "noop"]]);
}

#[test]
fn a_step_taken_back_is_taken_out_of_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let rig = rig(folder.path(), Habit::Last);
    rig.talk(&[
        (START, "ready"),
        ("(play m nil)", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
        ("(play m ((take 2) noop))", "noop"),
    ]);
    let record = wait(folder.path(), |record| {
        record
            .moves
            .first()
            .is_some_and(|joint| joint[0] == "(take 2)")
    });
    assert_eq!(check(&record), Ok(()));
    assert_eq!(record.moves, [["(take 2)", "noop"]]);
}

#[test]
fn a_match_that_never_began_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let rig = rig(folder.path(), Habit::Last);
    for _ in 0..10 {
        rig.talk(&[(START, "ready"), ("(stop m nil)", "done")]);
        rig.talk(&[(START, "ready"), ("(abort m)", "aborted")]);
    }
    rig.talk(&[(START, "ready")]);
    rig.service.shut_down();
    assert_eq!(only(folder.path()), None);
}

#[test]
fn shutting_down_waits_for_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let rig = rig(folder.path(), Habit::Last);
    rig.talk(&[(START, "ready"), ("(play m nil)", "(take 3)")]);
    rig.service.shut_down();
    let record = only(folder.path()).expect("it is written");
    assert!(record.is_aborted);
}

#[test]
fn a_folder_that_vanishes_costs_the_record_and_not_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let rig = rig(&folder.path().join("nowhere"), Habit::Last);
    rig.talk(&[
        (START, "ready"),
        ("(play m nil)", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
        ("(stop m (noop (take 1)))", "done"),
    ]);
    rig.service.shut_down();
}
