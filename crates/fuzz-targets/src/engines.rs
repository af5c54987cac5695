//! Text → ground rules → network → every engine and evaluator, which must agree.

use crate::limits;
use budget::Budget;
use compile::{Report, Rules};
use game::{Start, Tally};
use gdl_parse::Level;
use prepare::{EVALUATORS, EngineChoice, Options, Settings, prepare};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use reasoner::Reasoner;
use testkit::agreement::{Parting, same_playout};

/// The random playouts that are compared, and the most joint moves of each.
const PLAYOUTS: usize = 3;
const STEPS: usize = 12;

/// Playouts of each evaluator, and the most joint moves of each.
const SIDE_BY_SIDE: u64 = 70;
const CUT: usize = 40;

/// The rules are played by every engine that can be made within the budget, or refused with an
/// error. What `gdl_check` has no error against is played the same by all of them.
pub(crate) fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let budget = limits::budget();
    let Ok(rules) = Rules::read(&text, false, &mut Report::new(&budget)) else {
        return;
    };
    let found = gdl_check::check_sheet(&rules.sheet);
    let sound = found.iter().chain(&rules.diagnostics);
    let sound = !sound.clone().any(|finding| finding.level == Level::Error);
    let Ok(mut oracle) = Reasoner::from_program(&rules.program, &budget) else {
        return;
    };
    // Once time is up, each engine would only read the text again, which heeds no budget: the
    // normal form of one rule may be ten thousand rules.
    let in_time = || budget.check().is_ok();
    for engine in [EngineChoice::Propnet, EngineChoice::Scalar] {
        if !in_time() {
            return;
        }
        let options = Options {
            engine,
            ..Options::default()
        };
        let Ok(made) = prepare(&text, &options, &budget) else {
            continue;
        };
        let mut engine = made.playable.engine;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..PLAYOUTS {
            match same_playout(&mut oracle, &mut *engine, &mut rng, STEPS) {
                Err(Parting::Differ(how)) if sound => panic!("{}: {how}", engine.name()),
                Err(_) => break,
                Ok(()) => {}
            }
        }
    }
    let beside = EVALUATORS.iter().filter(|evaluator| !evaluator.chooses());
    for evaluator in beside.take_while(|_| in_time()) {
        playouts(evaluator, &text, &budget);
    }
}

/// The playouts of an evaluator add up.
fn playouts(evaluator: &prepare::Evaluator, text: &str, budget: &Budget) {
    let settings = Settings {
        max_steps: CUT,
        ..Settings::default()
    };
    let Ok(mut made) = evaluator.make(text, &settings, budget) else {
        return;
    };
    let start = Start {
        state: &made.initial,
        playouts: SIDE_BY_SIDE,
    };
    let mut tallies: Vec<Tally> = Vec::new();
    if made.playouts.run(&[start], &mut tallies, budget).is_err() {
        return;
    }
    let name = evaluator.name();
    let [tally] = tallies.as_slice() else {
        panic!("{name}: {} tallies of one start", tallies.len());
    };
    assert_eq!(tally.finished + tally.cut, SIDE_BY_SIDE, "{name}");
    assert!(
        tally.steps <= SIDE_BY_SIDE * CUT as u64,
        "{name}: {tally:?}"
    );
    assert_eq!(tally.goals.len(), made.roles.len(), "{name}");
    for &goals in &tally.goals {
        assert!(goals <= 100 * tally.finished, "{name}: {tally:?}");
    }
}
