//! Tests of humans at the terminal and at the end of a pipe.

mod rig;

use nix::sys::signal::Signal;
use nix::sys::wait::WaitStatus;
use rexpect::session::{PtySession, spawn_command};
use rig::{LONG, run};
use std::process::{Command, Output};

/// The output of a match that is typed into a pipe.
fn typed(args: &[&str], lines: &str) -> (Output, String) {
    let clocks = ["--start-clock", "0.2", "--play-clock", "0.2", "--seed", "1"];
    let output = run(&[&["match"], args, &clocks].concat(), lines);
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    (output, text)
}

/// A match on a terminal.
fn on_a_terminal(args: &[&str]) -> PtySession {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rocinante"));
    command
        .arg("match")
        .args(args)
        .args(["--start-clock", "0.2", "--seed", "1"])
        .env("TERM", "xterm")
        .env("NO_COLOR", "1")
        .current_dir(testkit::root().join("fixtures/games"));
    spawn_command(command, Some(LONG.as_millis() as u64)).expect("it starts")
}

fn exit_code(mut session: PtySession) -> i32 {
    session.exp_eof().expect("it ends");
    match session.process().wait() {
        Ok(WaitStatus::Exited(_, code)) => code,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_wrong_line_is_answered_and_asked_again() {
    let (output, text) = typed(
        &["tic_tac_toe.gdl", "-p", "human", "-p", "legal"],
        "99\nmark 2\nmark 9 9\n\nMARK 2  2\nquit\n",
    );
    assert_eq!(output.status.code(), Some(1));
    for part in [
        "9 (mark 3 3)\n",
        ": there are moves 1 to 9\n",
        ": which one? 2 (mark 2 1), 5 (mark 2 2), 8 (mark 2 3)\n",
        "\"mark 9 9\" is none of the moves; near it: ",
        "  1. cross plays (mark 2 2)\n",
        "called off after 2 moves\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn commands_show_more_than_moves() {
    let (_, text) = typed(
        &[
            "tic_tac_toe.gdl",
            "-p",
            "human",
            "-p",
            "default:playouts=50",
            "--threads",
            "1",
        ],
        "help\nundo\nwhy\nmoves mark 3\nmore\nmark 1 1\nwhy\nboard\nundo\n:hint\nquit\n",
    );
    for part in [
        "moves [BEGINNING]",
        "there is no move of yours to take back\n",
        "nobody has told what it thought\n",
        "3 (mark 3 1)   6 (mark 3 2)   9 (mark 3 3)\n",
        "there are no more moves\n",
        "nought plays (mark ",
        " playouts, ",
        "back to move 1\n",
        "our player plays (mark ",
        "called off after 0 moves\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // The board is drawn after the move, by `board`, and again after it was taken back.
    assert_eq!(text.matches("control cross\n").count(), 4, "{text}");
}

#[test]
fn what_is_elsewhere_cannot_be_taken_back() {
    // A port that was free a moment ago.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let (_, text) = typed(
        &["tic_tac_toe.gdl", "-p", "human", "-p", &address],
        "1\nundo\nquit\n",
    );
    assert!(text.contains("moves cannot be taken back: "), "{text}");
    assert!(text.contains(&format!("({address})")), "{text}");
}

#[test]
fn humans_share_a_keyboard_and_choose_at_the_same_time() {
    let (output, text) = typed(
        &[
            "rock_paper_scissors_repeated.gdl",
            "-p",
            "human",
            "-p",
            "human",
        ],
        "1\n2\n1\nundo\n3\n2\nquit\n",
    );
    assert_eq!(output.status.code(), Some(1));
    // After the second one took back, both choose the second move again, and then the third.
    assert_eq!(text.matches(", your move").count(), 7, "{text}");
    assert!(text.contains("back to move 1\n"), "{text}");
    assert!(text.contains("called off after 1 move\n"), "{text}");
}

#[test]
fn a_game_with_very_many_moves_is_shown_page_by_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.gdl");
    let digits = (0..10).map(|digit| format!("(digit {digit}) "));
    let rules = format!(
        "(role robot) {}
         (<= (legal robot (put ?a ?b ?c ?d)) (digit ?a) (digit ?b) (digit ?c) (digit ?d))
         (<= (next done) (does robot (put 4 3 2 1))) (<= terminal (true done))
         (goal robot 100)",
        digits.collect::<String>()
    );
    std::fs::write(&path, rules).unwrap();
    let path = path.to_str().unwrap();
    let args = [path, "-p", "human", "--engine", "reasoner"];
    let (output, text) = typed(&args, "more\nmoves put 4 3 2\nput 4 3 2 1\n");
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("more: `more` shows them"), "{text}");
    assert!(
        text.lines().count() < 80 && text.len() < 8_000,
        "{}",
        text.len()
    );
    assert!(text.contains("(put 4 3 2 9)\n"), "{text}");
    assert!(text.contains("robot plays (put 4 3 2 1)\n"), "{text}");
}

#[test]
fn the_terminal_has_an_editor_with_completion() {
    let mut session = on_a_terminal(&["tic_tac_toe.gdl", "-p", "human", "-p", "legal"]);
    session.exp_string("cross, your move").unwrap();
    // What all moves have in common is completed, and the rest is listed.
    session.send("ma\t\t").unwrap();
    session.flush().unwrap();
    session.exp_string("mark 3 3").unwrap();
    session.send_line("2 2").unwrap();
    session.exp_string("1. cross plays (mark 2 2)").unwrap();
    session.exp_string("cross, your move").unwrap();
    // The last line comes back with the arrow.
    session.send_line("\x1b[A").unwrap();
    session.exp_string("is none of the moves").unwrap();
    session.send_control('c').unwrap();
    session.exp_string("leaves the match").unwrap();
    session.send_line("mark 3 3").unwrap();
    session.exp_string("3. cross plays (mark 3 3)").unwrap();
    session.exp_string("cross, your move").unwrap();
    session.send_control('d').unwrap();
    session.exp_string("called off after 4 moves").unwrap();
    assert_eq!(exit_code(session), 1);
}

#[test]
fn two_interrupts_leave_the_match_cleanly() {
    let mut session = on_a_terminal(&["tic_tac_toe.gdl", "-p", "human", "-p", "legal"]);
    session.exp_string("cross, your move").unwrap();
    session.send_control('c').unwrap();
    session.exp_string("leaves the match").unwrap();
    session.exp_string("cross, your move").unwrap();
    session.send_control('c').unwrap();
    session.exp_string("called off after 0 moves").unwrap();
    assert_eq!(exit_code(session), 1);
}

#[test]
fn a_signal_ends_the_wait_for_a_human() {
    let mut session = on_a_terminal(&["tic_tac_toe.gdl", "-p", "human", "-p", "legal"]);
    session.exp_string("cross, your move").unwrap();
    session.process_mut().signal(Signal::SIGTERM).unwrap();
    session.exp_string("called off after 0 moves").unwrap();
    assert_eq!(exit_code(session), 1);
}

#[test]
fn a_player_tells_what_it_thinks_while_it_thinks() {
    // Not solved within the clock.
    let mut session = on_a_terminal(&["breakthrough.gdl", "--play-clock", "2"]);
    session.exp_string("start clock").unwrap();
    session
        .exp_regex(r"white: \(move [^\n]* playouts, [^\n]*/s, depth")
        .unwrap();
    session
        .exp_regex(r"1\. white plays \(move [^\n]* playouts")
        .unwrap();
    session.send_control('c').unwrap();
    session.exp_string("called off after").unwrap();
    assert_eq!(exit_code(session), 1);
}
