//! Conversations with servers, good and bad, and the required answers.

mod common;

use budget::SystemClock;
use common::{Build, Habit, Rig, SOON, START, Toys, rounds, take_away};
use game::Engine;
use std::sync::Arc;
use std::time::Duration;

const FREE: &str = "( ( name Tester ) ( status available ) ( species computer ) )";
const BUSY: &str = "( ( name Tester ) ( status busy ) ( species computer ) )";

#[test]
fn a_whole_match() {
    let rig = Rig::new(take_away(), Habit::Last);
    rig.talk(&[
        ("( INFO )", FREE),
        ("", FREE),
        ("(ping)", "ready"),
        ("( PREVIEW ((role player0)) 10 )", "ready"),
        (START, "ready"),
        ("( INFO )", BUSY),
        ("( PREVIEW ((role player0)) 10 )", "busy"),
        ("( PLAY m NIL )", "(take 3)"),
        ("( PLAY m ( (take 3) noop ) )", "noop"),
        ("( PLAY m ( noop (take 2) ) )", "(take 3)"),
        ("( STOP m ( (take 3) noop ) )", "done"),
        ("( INFO )", FREE),
        ("( STOP m ( (take 3) noop ) )", "busy"),
    ]);
}

#[test]
fn first_messages_may_have_any_form_and_case() {
    for first in ["NIL", "nil", "( )", "()", "nothing", ""] {
        let rig = Rig::new(take_away(), Habit::Last);
        rig.talk(&[
            (
                "(Start M PLAYER0 ((ROLE PLAYER0)(role player1)) 1000 1000 more (and more))",
                "ready",
            ),
            (&format!("(pLaY m {first})"), "(take 3)"),
            ("(PLAY M ((TAKE 3) NOOP))", "noop"),
            ("(PLAY M (NOOP (TAKE 1)))", "(take 3)"),
        ]);
    }
}

#[test]
fn a_match_of_one_role_with_bare_moves() {
    let rig = Rig::new(testkit::toys::TakeAway::new(1, 9, 3), Habit::Last);
    rig.talk(&[
        ("(start m player0 ((role player0)) 1000 1000)", "ready"),
        ("(play m nil)", "(take 3)"),
        ("(play m (take 3))", "(take 3)"),
        ("(play m ((take 3)))", "(take 3)"),
        ("(stop m (take 3))", "done"),
    ]);
}

#[test]
fn servers_of_incomplete_information() {
    let rig = Rig::new(take_away(), Habit::Last);
    rig.talk(&[
        (START, "ready"),
        ("(PLAY m 0 NIL NIL)", "(take 3)"),
        ("(PLAY m 0 NIL NIL)", "(take 3)"),
        (
            "(PLAY m 1 (take 3) ((did player0 (take 3)) (did player1 noop)))",
            "noop",
        ),
        ("(PLAY m 2 noop ((did player1 (take 3))))", "(take 3)"),
        ("(STOP m 3 (take 3) ((did player1 noop)))", "done"),
    ]);
}

#[test]
fn a_repeated_start_begins_no_second_match() {
    let rig = Rig::new(take_away(), Habit::Last);
    rig.talk(&[
        (START, "ready"),
        (START, "ready"),
        ("(play m nil)", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
        // Sent late: the match continues.
        (START, "ready"),
        ("(play m (noop (take 1)))", "(take 3)"),
        // Sent by a server that starts again.
        (START, "ready"),
        ("(play m nil)", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
    ]);
}

#[test]
fn a_second_server_gets_busy() {
    let rig = Rig::new(take_away(), Habit::Last);
    rig.talk(&[
        (START, "ready"),
        ("(start other player0 ((role player0)) 1000 1000)", "busy"),
        // The same name with other rules is another match.
        ("(start m player0 ((role a)) 1000 1000)", "busy"),
        ("(play other nil)", "busy"),
        ("(stop other nil)", "busy"),
        ("(abort other)", "busy"),
        ("(play m nil)", "(take 3)"),
        ("(abort m)", "aborted"),
        ("(start other player0 ((role player0)) 1000 1000)", "ready"),
    ]);
}

#[test]
fn matches_of_vanished_servers_make_room() {
    let (rig, clock) = Rig::manual(take_away(), Habit::Last);
    let other = "(start other player0 ((role player0)) 30 10)";
    rig.talk(&[
        ("(start m player0 ((role player0)) 30 10)", "ready"),
        ("(play m nil)", "(take 3)"),
    ]);
    clock.advance(Duration::from_secs(129));
    rig.talk(&[(other, "busy"), ("(play m ((take 3) noop))", "noop")]);
    clock.advance(Duration::from_secs(131));
    rig.talk(&[(other, "ready"), ("(play m nil)", "busy")]);
    // While no server wants to play, a match is kept for longer.
    clock.advance(Duration::from_secs(500));
    rig.service.tick();
    assert_eq!(rig.say("(info)"), BUSY);
    clock.advance(Duration::from_secs(200));
    rig.service.tick();
    assert_eq!(rig.say("(info)"), FREE);
}

#[test]
fn matches_that_nobody_begins_make_room_soon() {
    let (rig, clock) = Rig::manual(take_away(), Habit::Last);
    rig.talk(&[("(start late player0 ((role player0)) 30 10)", "ready")]);
    let other = "(start other player0 ((role player0)) 30 10)";
    clock.advance(Duration::from_secs(34));
    rig.talk(&[(other, "busy")]);
    clock.advance(Duration::from_secs(2));
    rig.talk(&[(other, "ready"), ("(play other nil)", "(take 3)")]);
}

#[test]
fn a_start_that_comes_behind_its_stop_makes_room_at_once() {
    let (rig, clock) = Rig::manual(take_away(), Habit::Last);
    let late = "(start late player0 ((role player0)) 30 10)";
    let other = "(start other player0 ((role player0)) 30 10)";
    rig.talk(&[
        ("(stop late ((take 3) noop))", "busy"),
        (late, "ready"),
        (other, "ready"),
        ("(stop other nil)", "done"),
        // Once it is played it is a match like any other.
        (other, "ready"),
        ("(play other nil)", "(take 3)"),
        (late, "busy"),
        ("(stop other nil)", "done"),
    ]);
    // Nothing is on its way for so long.
    clock.advance(Duration::from_secs(6));
    rig.talk(&[(other, "ready"), (late, "busy")]);
}

#[test]
fn a_repeated_play_gets_the_same_answer() {
    let rig = Rig::new(take_away(), Habit::Last);
    rig.talk(&[
        (START, "ready"),
        ("(play m nil)", "(take 3)"),
        ("(play m nil)", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
        ("(play m ((take 3) noop))", "noop"),
        ("(play m (noop (take 1)))", "(take 3)"),
        ("(play m (noop (take 1)))", "(take 3)"),
    ]);
    // 20 - 3 - 1: if a retry had counted as a move, the state would differ.
    assert_eq!(rig.say("(play m ((take 3) noop))"), "noop");
    assert_eq!(rig.calls.load(std::sync::atomic::Ordering::SeqCst), 2);
}

#[test]
fn a_play_of_an_earlier_turn_is_answered_as_it_was() {
    let rig = Rig::new(take_away(), Habit::Last);
    rig.talk(&[
        (START, "ready"),
        ("(play m nil)", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
        ("(play m (noop (take 1)))", "(take 3)"),
        // These were on their way for long: they cannot follow what was answered.
        ("(play m nil)", "(take 3)"),
        ("(play m nil)", "(take 3)"),
        // 20 - 3 - 1 - 3 - 2 leaves 11.
        ("(play m ((take 3) noop))", "noop"),
        ("(play m nil)", "(take 3)"),
        ("(play m (noop (take 2)))", "(take 3)"),
    ]);
    assert_eq!(rig.calls.load(std::sync::atomic::Ordering::SeqCst), 3);
}

#[test]
fn a_repeated_play_while_thinking_waits_for_the_same_answer() {
    let rig = Rig::new(take_away(), Habit::Thinks);
    assert_eq!(rig.say("(start m player0 ((role player0)) 1 2)"), "ready");
    let first = rig.say_later("(play m nil)");
    rig.wait_for_calls(1);
    let second = rig.say_later("(play m nil)");
    assert_eq!(first.recv_timeout(SOON).unwrap(), "(take 3)");
    assert_eq!(second.recv_timeout(SOON).unwrap(), "(take 3)");
    assert_eq!(rig.calls.load(std::sync::atomic::Ordering::SeqCst), 1);
}

#[test]
fn the_same_moves_twice_are_a_retry_only_with_evidence() {
    // In a game of rounds the same moves may be played again; the answer is 7 in the fourth
    // round.
    let play = "(play m (2 2))";
    let plain = Rig::new(rounds(), Habit::Last);
    plain.talk(&[(START, "ready"), ("(play m nil)", "2")]);
    plain.talk(&[(play, "2"), (play, "2"), (play, "7")]);
    // Our own move differs from our last answer: this is the round before.
    plain.talk(&[(play, "7"), ("(play m (7 2))", "6")]);
    // An answer was lost, once.
    let lost = Rig::new(rounds(), Habit::Last);
    lost.talk(&[(START, "ready"), ("(play m nil)", "2")]);
    assert_eq!(lost.say_and_lose(play), "2");
    lost.talk(&[(play, "2"), (play, "2"), (play, "7")]);
    // The server numbers its turns.
    let numbered = Rig::new(rounds(), Habit::Last);
    numbered.talk(&[(START, "ready"), ("(play m nil)", "2")]);
    for (number, answer) in [(1, "2"), (1, "2"), (1, "2"), (2, "2"), (2, "2"), (3, "7")] {
        assert_eq!(numbered.say_numbered(play, number), answer);
    }
}

#[test]
fn the_server_decides_our_own_move() {
    let rig = Rig::new(take_away(), Habit::Last);
    rig.talk(&[
        (START, "ready"),
        ("(play m nil)", "(take 3)"),
        // 20 - 1 - 3 - 3 - 3 - 3 - 3 leaves 4, of which 3 can be taken; with 3 instead of 1
        // only 2.
        ("(play m ((take 1) noop))", "noop"),
        ("(play m (noop (take 3)))", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
        ("(play m (noop (take 3)))", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
        ("(play m (noop (take 3)))", "(take 3)"),
    ]);
}

#[test]
fn after_wrong_or_missing_moves_answers_are_legal() {
    for odd in [
        "(play m ((take 3) (fly away)))",
        "(play m ((take 3)))",
        "(play m ((take 3) noop extra))",
        "(play m ((take 3) ()))",
        "(play m (() noop))",
        "(play m ((take 99) noop))",
        "(play m nil)",
    ] {
        let rig = Rig::new(take_away(), Habit::Last);
        rig.talk(&[(START, "ready"), ("(play m nil)", "(take 3)")]);
        let reply = rig.say(odd);
        // NIL again repeats the first PLAY; everything else has passed the turn on.
        let expected = if odd.contains("nil") {
            "(take 3)"
        } else {
            "noop"
        };
        assert_eq!(reply, expected, "{odd}");
        let reply = rig.say("(play m (noop (take 1)))");
        assert!(
            reply.starts_with("(take ") || reply == "noop",
            "{odd}: {reply}"
        );
    }
}

#[test]
fn a_step_too_many_is_taken_back() {
    let rig = Rig::new(take_away(), Habit::Last);
    rig.talk(&[
        (START, "ready"),
        ("(play m nil)", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
        // The server corrects the moves: not legal now, but legal a step before.
        ("(play m ((take 2) noop))", "noop"),
        ("(play m (noop (take 1)))", "(take 3)"),
    ]);
}

#[test]
fn an_old_message_that_fits_is_no_turn_once_the_next_one_tells() {
    let opening = [
        (START, "ready"),
        ("(play m nil)", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
        ("(play m (noop (take 1)))", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
        ("(play m (noop (take 2)))", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
    ];
    let rig = Rig::new(take_away(), Habit::Last);
    rig.talk(&opening);
    rig.talk(&[
        // The message before the last comes again. It may be the next turn.
        ("(play m (noop (take 2)))", "(take 3)"),
        // It was not: this is the turn, though it was seen before, too.
        ("(play m (noop (take 1)))", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
        // 20 - 3 * 4 - 1 - 2 - 1 - 1 leaves 3.
        ("(play m (noop (take 1)))", "(take 3)"),
    ]);
    // An older one comes when the next turn is there already, which was seen before, too.
    let rig = Rig::new(take_away(), Habit::Last);
    rig.talk(&opening);
    rig.talk(&[
        ("(play m (noop (take 1)))", "(take 3)"),
        ("(play m (noop (take 2)))", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
        // As above; one less with the copy.
        ("(play m (noop (take 1)))", "(take 3)"),
    ]);
    // Copies of the first two messages do not begin the match again.
    let rig = Rig::new(take_away(), Habit::Last);
    rig.talk(&[
        (START, "ready"),
        ("(play m nil)", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
        (START, "ready"),
        ("(play m nil)", "(take 3)"),
        ("(play m (noop (take 1)))", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
    ]);
    // Where all move at once, our own move tells.
    let odd_and_even = || common::Twisted {
        inner: Box::new(testkit::toys::Matrix::new(2, 8, 9, |_, _| Some(50))),
        twist: |state, moves| moves.truncate(5 + state.words().len() / 2 % 2),
    };
    let rig = Rig::new(odd_and_even(), Habit::Last);
    rig.talk(&[
        (START, "ready"),
        ("(play m nil)", "4"),
        ("(play m (4 1))", "5"),
        ("(play m (5 1))", "4"),
        ("(play m (4 1))", "5"),
        ("(play m (4 2))", "5"),
        ("(play m (5 2))", "4"),
    ]);
}

#[test]
fn abort_and_info_are_answered_while_thinking() {
    let rig = Rig::new(take_away(), Habit::Thinks);
    assert_eq!(rig.say(START), "ready");
    // The clock is 1000 s: only ABORT can end this in time.
    let play = rig.say_later("(play m nil)");
    rig.wait_for_calls(1);
    assert_eq!(rig.say("(info)"), BUSY);
    assert_eq!(rig.say("(abort m)"), "aborted");
    assert_eq!(play.recv_timeout(SOON).unwrap(), "(take 3)");
    assert_eq!(rig.say("(info)"), FREE);
    assert_eq!(rig.say(START), "ready");
}

#[test]
fn abort_is_answered_while_preparing() {
    let toys = Toys {
        quick: Build::Stuck,
        better: Build::Stuck,
    };
    let rig = Rig::with(toys, Habit::Last, Arc::new(SystemClock::default()));
    let start = rig.say_later(START);
    while rig.say("(info)") == FREE {
        std::thread::yield_now();
    }
    assert_eq!(rig.say("(abort m)"), "aborted");
    assert_eq!(start.recv_timeout(SOON).unwrap(), "busy");
}

#[test]
fn a_server_that_continues_without_us_is_followed() {
    let rig = Rig::new(take_away(), Habit::Thinks);
    assert_eq!(
        rig.say("(start m player0 ((role player0)) 10 1000)"),
        "ready"
    );
    let first = rig.say_later("(play m nil)");
    rig.wait_for_calls(1);
    let second = rig.say("(play m ((take 1) noop))");
    assert_eq!(second, "noop");
    assert_eq!(first.recv_timeout(SOON).unwrap(), "(take 3)");
}

#[test]
fn very_short_and_very_long_clocks_work() {
    for clocks in ["0 0", "0 1", "0.1 0.1"] {
        let rig = Rig::new(take_away(), Habit::Thinks);
        rig.talk(&[
            (
                &format!("(start m player0 ((role player0)) {clocks})"),
                "ready",
            ),
            ("(play m nil)", "(take 3)"),
            ("(play m ((take 3) noop))", "noop"),
        ]);
    }
    let rig = Rig::new(take_away(), Habit::Last);
    rig.talk(&[
        (
            "(start m player0 ((role player0)) 99999999999999999999999 1e300)",
            "ready",
        ),
        ("(play m nil)", "(take 3)"),
        ("(stop m nil)", "done"),
    ]);
}

#[test]
fn unplayable_rules_are_refused() {
    let rig = Rig::new(take_away(), Habit::Last);
    let deep = format!("(start m player0 ((role {})) 1 1)", "(f ".repeat(100_000));
    rig.talk(&[
        ("(start m nobody ((role player0)) 1000 1000)", "busy"),
        ("(start m player0 (these are no rules) 1000 1000)", "busy"),
        ("(start m player0 () 1000 1000)", "busy"),
        ("(start m player0 ((role player0)) 1000)", "nil"),
        (&deep, "nil"),
        ("(dance)", "nil"),
        ("favicon.ico", "nil"),
        ("\u{0}\u{1}(((", FREE),
        ("(info)", FREE),
        (START, "ready"),
        ("(dance)", "busy"),
        ("(stop m nil)", "done"),
    ]);
}

#[test]
fn stop_is_answered_in_every_state() {
    let rig = Rig::new(take_away(), Habit::Last);
    rig.talk(&[
        (START, "ready"),
        ("(stop m nil)", "done"),
        (START, "ready"),
        ("(play m nil)", "(take 3)"),
        ("(stop m ((take 3) (fly away)))", "done"),
        (START, "ready"),
        ("(stop m)", "done"),
        ("(abort m)", "busy"),
    ]);
}

#[test]
fn players_ponder_until_the_next_request() {
    let rig = Rig::new(take_away(), Habit::Last);
    let initial = take_away().initial().words().first().copied();
    assert_eq!(rig.say(START), "ready");
    let first = rig.wait_for_thoughts(1, true)[0];
    assert_eq!((first.state, first.own), (initial, None));
    assert_eq!(rig.say("(play m nil)"), "(take 3)");
    let after = rig.wait_for_thoughts(2, true)[1];
    // The last state of the player, and its answer there.
    assert_eq!(after.state, initial);
    assert!(after.own.is_some());
    // Asked again, it repeats its answer, and pondering continues.
    assert_eq!(rig.say("(play m nil)"), "(take 3)");
    assert_eq!(rig.wait_for_thoughts(2, true).len(), 2);
    assert_eq!(rig.say("(play m ((take 3) noop))"), "noop");
    // It also ponders while another role is to move.
    let waiting = rig.wait_for_thoughts(3, true);
    assert_ne!(waiting[2].state, initial);
    assert!(!waiting[0].goes_on && !waiting[1].goes_on);
    assert_eq!(rig.say("(stop m (noop (take 3)))"), "done");
    assert_eq!(rig.wait_for_thoughts(3, false).len(), 3);
}

#[test]
fn pondering_ends_with_the_match_or_when_the_server_vanishes() {
    let rig = Rig::new(take_away(), Habit::Last);
    rig.talk(&[(START, "ready"), ("(play m nil)", "(take 3)")]);
    rig.wait_for_thoughts(2, true);
    assert_eq!(rig.say("(abort m)"), "aborted");
    rig.wait_for_thoughts(2, false);

    let (rig, clock) = Rig::manual(take_away(), Habit::Last);
    rig.talk(&[
        ("(start m player0 ((role player0)) 30 10)", "ready"),
        ("(play m nil)", "(take 3)"),
    ]);
    rig.wait_for_thoughts(2, true);
    clock.advance(Duration::from_secs(16));
    rig.wait_for_thoughts(2, false);
    assert_eq!(rig.say("(play m ((take 3) noop))"), "noop");
}
