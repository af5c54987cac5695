//! What is lost is played so that most can go wrong for the other side.

use budget::Budget;
use game::{RoleId, ScalarPlayouts};
use mcts::{Config, Limits, Report, Search};
use prepare::{EngineChoice, Options, prepare};

/// White chooses a side, then black a number, and so on. On the left black wins whatever is chosen, in
/// five steps; on the right it wins at once with one number of six, and loses with the others.
const RULES: &str = "
    (role white) (role black)
    (side left) (side right)
    (number 1) (number 2) (number 3) (number 4) (number 5) (number 6)
    (next_step 1 2) (next_step 2 3) (next_step 3 4) (next_step 4 5) (next_step 5 6)
    (turn 1 white) (turn 2 black) (turn 3 white) (turn 4 black) (turn 5 white)
    (init (step 1))
    (<= (chooses ?role) (true (step ?n)) (turn ?n ?role))
    (<= (legal white (go ?side)) (true (step 1)) (side ?side))
    (<= (legal ?role (say ?n)) (chooses ?role) (number ?n) (not (true (step 1))))
    (<= (legal ?role noop) (role ?role) (not (chooses ?role)))
    (<= (next (step ?n)) (true (step ?m)) (next_step ?m ?n))
    (<= (next (at ?side)) (does white (go ?side)))
    (<= (next (at ?side)) (true (at ?side)))
    (<= (next found) (true (at right)) (does black (say 4)) (true (step 2)))
    (<= (next found) (true found))
    (<= terminal (true (at right)) (true (step 3)))
    (<= terminal (true (step 6)))
    (<= lost (true (at left)))
    (<= lost (true found))
    (<= (goal white 0) lost) (<= (goal black 100) lost)
    (<= (goal white 100) (not lost)) (<= (goal black 0) (not lost))";

fn choose(rules: &str, resist: bool, seed: u64) -> (Report, String) {
    let options = Options {
        engine: EngineChoice::Scalar,
        ..Options::default()
    };
    let prepared = prepare(rules, &options, &Budget::system());
    let mut engine = prepared.expect("it plays").engine;
    let playouts = Box::new(ScalarPlayouts::new(engine.fork(), seed, 100));
    let mut config = Config::default();
    (config.sum, config.resist) = (Some(100), if resist { 1 << 16 } else { 0 });
    let (role, memory) = (RoleId(0), 8 << 20);
    let mut search = Search::new(engine.fork(), playouts, role, seed, 1, memory, config);
    let limits = Limits {
        playouts: 2000,
        ..Limits::default()
    };
    let initial = engine.initial();
    let mut found = || {
        let report = search.choose(&initial, limits, &Budget::system(), &|_| ());
        report.expect("there are moves")
    };
    let (first, second) = (found(), found());
    // What was proved is still there.
    assert!(first.solved && second.solved);
    assert_eq!(first.candidates.len(), 2);
    assert!(second.nodes >= first.nodes && first.playouts <= 2000);
    let name = engine.move_term(role, first.best).to_string();
    (first, name)
}

#[test]
fn of_lost_moves_the_one_is_made_that_is_hard_to_answer() {
    for seed in 0..4 {
        // It takes longer to lose on the left, but nothing can go wrong for black there.
        assert_eq!(choose(RULES, false, seed).1, "(go left)");
        let (report, name) = choose(RULES, true, seed);
        assert_eq!(name, "(go right)");
        assert_eq!(report.candidate.map(|own| own.bounds.high), Some(0));
    }
}
