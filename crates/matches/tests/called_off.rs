//! A match that is called off while the referee evaluates hard rules.

use budget::{Budget, Stop};
use matches::{End, Local, Participant, Resources, Settings};
use prepare::{EngineChoice, Options, prepare};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// A game whose legality asks for twelve different numbers of eleven, in all ways.
fn hard() -> String {
    let mut rules = String::from(
        "(role a) (init p) (<= (next p) (true p)) (<= terminal (true q)) (goal a 0)\n\
         (<= (legal a go) (not idle)) (<= idle",
    );
    for one in 1..=12 {
        write!(rules, " (n ?x{one})").expect("memory");
        for other in 1..one {
            write!(rules, " (distinct ?x{other} ?x{one})").expect("memory");
        }
    }
    rules += ")";
    for number in 1..=11 {
        write!(rules, " (n {number})").expect("memory");
    }
    rules
}

#[test]
fn a_match_that_is_called_off_is_not_called_broken() {
    let options = Options {
        engine: EngineChoice::Reasoner,
        ..Options::default()
    };
    let stop = Stop::default();
    let budget = Budget::system().with_stop(stop.clone());
    let made = prepare(&hard(), &options, &budget).expect("the reasoner plays anything");
    let mut game = made.playable;
    let resources = Resources {
        threads: 1,
        memory: 1 << 20,
    };
    let player = players::by_name("legal").expect("a profile");
    let local = Local::new(player, game.fork(), resources, &budget);
    let mut participants: Vec<Box<dyn Participant>> = vec![Box::new(local)];
    let stops = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        stop.stop();
    });
    let began = Instant::now();
    let settings = Settings::default();
    let outcome = matches::play(
        &mut *game.engine,
        &mut participants,
        &settings,
        &mut (),
        &budget,
    )
    .expect("one player for each role");
    // Some seconds more than the limit of 100 ms, for a machine with other work.
    assert!(began.elapsed() < Duration::from_secs(5));
    assert_eq!((outcome.end, outcome.steps), (End::CalledOff, 0));
    assert_eq!(outcome.record.is_completed, Some(false));
    assert!(outcome.record.is_aborted);
    stops.join().expect("no panic");
}
