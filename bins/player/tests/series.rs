//! Tests of matches with players as they really are: interrupted, and answering in other words.

mod rig;

use protocol::http::{Progress, RequestReader, write_response};
use std::io::{BufRead, BufReader, Read};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Command, Stdio};

/// A series that gets this signal in its second match, and what it printed.
#[cfg(unix)]
fn interrupted(name: &str) -> (Option<i32>, String, Vec<serde_json::Value>) {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("series.json");
    let mut child = Command::new(env!("CARGO_BIN_EXE_rocinante"))
        .args(["match", "tic_tac_toe.gdl", "--rounds", "50", "--seed", "1"])
        .args(["-p", "baseline", "-p", "baseline"])
        .args(["--start-clock", "0.1", "--play-clock", "0.1", "--json"])
        .arg(&json)
        .current_dir(testkit::root().join("fixtures/games"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    while !text.ends_with("match 2 of 50\n") {
        assert!(lines.read_line(&mut text).unwrap() > 0, "{text}");
    }
    let id = child.id().to_string();
    let sent = Command::new("kill").args([name, &id]).status().unwrap();
    assert!(sent.success());
    lines.read_to_string(&mut text).unwrap();
    let code = child.wait().unwrap().code();
    let record = |number: usize| {
        let file = folder.path().join(format!("series.{number}.json"));
        let text = std::fs::read_to_string(file).ok()?;
        serde_json::from_str(&text).ok()
    };
    (code, text, (1..=50).map_while(record).collect())
}

#[cfg(unix)]
#[test]
fn a_match_that_was_called_off_does_not_count() {
    for name in ["-INT", "-TERM"] {
        let (code, text, records) = interrupted(name);
        assert_eq!(code, Some(1), "{text}");
        let whole = text.matches("over after ").count();
        assert_eq!(text.matches("called off after ").count(), 1, "{text}");
        let matches = match whole {
            1 => "\n1 match\n".to_string(),
            _ => format!("\n{whole} matches\n"),
        };
        assert!(text.contains(&matches), "{name}: {text}");
        // The mean of both players is that of whole matches, in which they share 100 points.
        let means = text
            .lines()
            .rev()
            .take(2)
            .map(|line| line[..5].trim().parse::<f64>());
        let sum: f64 = means.map(Result::unwrap).sum();
        assert!((sum - 100.0).abs() < 0.11, "{name}: {text}");
        assert_eq!(records.len(), whole + 1);
        for (at, record) in records.iter().enumerate() {
            assert_eq!(record["isCompleted"], at < whole, "{name}, match {at}");
            assert_eq!(record["isAborted"], at == whole, "{name}, match {at}");
        }
    }
}

/// A player that gives these answers, one after the other.
fn scripted(answers: &'static [&'static str]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for answer in answers {
            reply(&mut listener.accept().unwrap().0, answer);
        }
    });
    address
}

fn reply(stream: &mut TcpStream, answer: &str) {
    let mut reader = RequestReader::default();
    let mut buffer = [0; 4096];
    loop {
        let count = stream.read(&mut buffer).unwrap();
        if let Ok(Progress::Done(_)) = reader.feed(&buffer[..count]) {
            break;
        }
    }
    std::io::Write::write_all(stream, &write_response(answer)).unwrap();
}

/// A game for two, who take one or two in turn, three times.
const TAKE: &str = "(role x) (role o) (init (n 0)) (init (ctl x)) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal ?p (take 1)) (true (ctl ?p)))
    (<= (legal ?p (take 2)) (true (ctl ?p)))
    (<= (legal ?p noop) (role ?p) (not (true (ctl ?p))))
    (<= (next (n ?j)) (true (n ?i)) (succ ?i ?j))
    (<= (next (ctl x)) (true (ctl o))) (<= (next (ctl o)) (true (ctl x)))
    (<= terminal (true (n 3)))
    (<= (goal ?p 100) (role ?p) (true (ctl o))) (<= (goal ?p 0) (role ?p) (true (ctl x)))";

#[test]
fn answers_of_real_players_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("take.gdl");
    std::fs::write(&rules, TAKE).unwrap();
    let rules = rules.to_str().unwrap();
    let play = |answers: &'static [&'static str]| {
        let address = format!("http://{}", scripted(answers));
        let clocks = ["--start-clock", "20", "--play-clock", "20", "--json", "-"];
        let players = ["-p", &address, "-p", "legal"];
        let output = rig::run(&[&["match", rules], &clocks[..], &players[..]].concat(), "");
        let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), record)
    };
    let (code, record) = play(&[
        "READY",
        "(TAKE 1)",
        "noop",
        "(take 2) (explanation \"two are (more)\") (taunt \"ha\")",
        "DONE",
    ]);
    assert_eq!(code, Some(0), "{record}");
    assert_eq!(record["moves"][0][0], "(take 1)");
    assert_eq!(record["moves"][2][0], "(take 2)");
    let (code, record) = play(&[
        "(ready)",
        "'(take 2)'",
        "(DOES X NOOP)",
        "take 1\nI think",
        "ok",
    ]);
    assert_eq!(code, Some(0), "{record}");
    assert_eq!(record["moves"][0][0], "(take 2)");
    assert_eq!(record["moves"][2][0], "(take 1)");
    // What has no meaning is still illegal, and says so.
    let (code, record) = play(&["ready", "(take 3)", "noop", "nil", "done"]);
    assert_eq!(code, Some(1), "{record}");
    assert_eq!(record["errors"][1][0], "IL (take 3)");
    assert_eq!(record["errors"][3][0], "IL nil");
}
