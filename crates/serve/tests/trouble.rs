//! Engines and players that fail in every way: the answer is still legal and in time.

mod common;

use budget::SystemClock;
use common::{Build, Habit, Rig, SOON, START, Toys, Twisted, take_away};
use std::sync::Arc;
use testkit::toys::TakeAway;

const SHORT: &str = "(start m player0 ((role player0)) 1 1)";

fn rig(quick: Build, better: Build, habit: Habit) -> Rig {
    Rig::with(
        Toys { quick, better },
        habit,
        Arc::new(SystemClock::default()),
    )
}

#[test]
fn without_a_better_engine_the_quick_one_plays() {
    for better in [Build::Fails, Build::Panics] {
        let rig = rig(Build::engine(take_away()), better, Habit::Last);
        rig.talk(&[(START, "ready"), ("(play m nil)", "(take 3)")]);
    }
    // Here only the end of the start clock shows that it will not come.
    let rig = rig(Build::engine(take_away()), Build::Stuck, Habit::Last);
    rig.talk(&[(SHORT, "ready"), ("(play m nil)", "(take 3)")]);
}

#[test]
fn without_a_quick_engine_the_better_one_plays() {
    for quick in [Build::Fails, Build::Panics] {
        let rig = rig(quick, Build::engine(take_away()), Habit::Last);
        rig.talk(&[(START, "ready"), ("(play m nil)", "(take 3)")]);
    }
    let rig = rig(Build::Stuck, Build::engine(take_away()), Habit::Last);
    rig.talk(&[
        (SHORT, "ready"),
        ("(play m nil)", "(take 3)"),
        ("(abort m)", "aborted"),
    ]);
}

#[test]
fn without_any_engine_the_match_is_refused() {
    for (quick, better) in [
        (Build::Fails, Build::Fails),
        (Build::Panics, Build::Panics),
        (Build::Fails, Build::Panics),
    ] {
        let rig = rig(quick, better, Habit::Last);
        rig.talk(&[(START, "busy"), ("(play m nil)", "busy")]);
    }
}

#[test]
fn without_any_engine_in_time_the_answer_is_empty_but_in_time() {
    let rig = rig(Build::Stuck, Build::Stuck, Habit::Last);
    rig.talk(&[
        (SHORT, "ready"),
        ("(play m nil)", "nil"),
        ("(abort m)", "aborted"),
    ]);
}

#[test]
fn a_late_engine_takes_over() {
    struct Late(TakeAway);
    impl serve::Preparer for Late {
        fn quick(&self, _: &str, _: &budget::Budget) -> Result<compile::Playable, String> {
            let engine: Box<dyn game::Engine> = Box::new(Twisted {
                inner: Box::new(self.0.clone()),
                twist: |_, moves| moves.reverse(),
            });
            Ok(engine.into())
        }
        fn better(
            &self,
            _: &str,
            _: &budget::Budget,
            put: &mut dyn FnMut(compile::Playable),
        ) -> Result<(), String> {
            std::thread::sleep(std::time::Duration::from_millis(1500));
            put(game::Engine::fork(&self.0).into());
            Ok(())
        }
    }
    let options = serve::Options {
        name: "Tester".into(),
        player: Arc::new(|| Box::new(players::Legal::default())),
        threads: 1,
        memory: 1 << 20,
        margin: serve::Margin::default(),
        ponder: false,
        seed: 1,
        records: None,
    };
    let clock: Arc<dyn budget::Clock> = Arc::new(SystemClock::default());
    let service = serve::Service::new(options, Arc::new(Late(take_away())), clock.clone());
    let say = |text: &str| {
        let context = serve::Context {
            arrived: clock.now(),
            number: None,
        };
        service.handle(text, context).reply.to_string()
    };
    assert_eq!(say(SHORT), "ready");
    assert_eq!(
        say("(play m nil)"),
        "(take 3)",
        "the quick engine lists its moves backwards"
    );
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert_eq!(say("(play m ((take 3) noop))"), "noop");
    assert_eq!(
        say("(play m (noop (take 3)))"),
        "(take 1)",
        "the other engine forwards"
    );
}

#[test]
fn thinking_ends_with_the_clock() {
    let rig = Rig::new(take_away(), Habit::Thinks);
    rig.talk(&[
        (SHORT, "ready"),
        ("(play m nil)", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
        ("(play m (noop (take 1)))", "(take 3)"),
    ]);
}

#[test]
fn a_player_that_never_returns_is_answered_for() {
    let rig = Rig::new(take_away(), Habit::Sleeps);
    rig.talk(&[
        (SHORT, "ready"),
        ("(play m nil)", "(take 1)"),
        // From here on only the referee follows.
        ("(play m ((take 1) noop))", "noop"),
        ("(play m (noop (take 1)))", "(take 1)"),
        ("(abort m)", "aborted"),
        (SHORT, "ready"),
    ]);
}

#[test]
fn a_panic_costs_one_choice_and_not_the_match() {
    let rig = Rig::new(take_away(), Habit::Panics);
    rig.talk(&[
        (START, "ready"),
        ("(play m nil)", "(take 1)"),
        ("(play m ((take 1) noop))", "noop"),
        ("(play m (noop (take 1)))", "(take 3)"),
        ("(play m ((take 3) noop))", "noop"),
        ("(play m (noop (take 1)))", "(take 1)"),
    ]);
}

#[test]
fn illegal_choices_are_never_sent() {
    let rig = Rig::new(take_away(), Habit::Cheats);
    rig.talk(&[(START, "ready"), ("(play m nil)", "(take 1)")]);
    // An engine that is wrong about legal moves is overruled as well.
    let rig = self::rig(
        Build::engine(TakeAway::new(2, 20, 3)),
        Build::engine(TakeAway::new(2, 20, 9)),
        Habit::Last,
    );
    let reply = {
        rig.say(START);
        rig.say("(play m nil)")
    };
    assert_eq!(reply, "(take 1)");
}

#[test]
fn shutting_down_ends_the_match() {
    let rig = Rig::new(take_away(), Habit::Thinks);
    assert_eq!(rig.say(START), "ready");
    let play = rig.say_later("(play m nil)");
    rig.wait_for_calls(1);
    rig.service.shut_down();
    assert_eq!(play.recv_timeout(SOON).unwrap(), "(take 3)");
}
