//! Lanes that can be had at once, and the better ones made while they play.

use budget::Budget;
use game::{Start, Tally};
use prepare::{Settings, Simulator, lanes_at_once};

/// What playouts from a state come to.
fn tally(simulator: &mut Simulator, state: &game::State, playouts: u64) -> Tally {
    let mut tallies = Vec::new();
    let start = Start { state, playouts };
    (simulator.playouts)
        .run(&[start], &mut tallies, &Budget::system())
        .expect("no deadline");
    tallies.remove(0)
}

/// The mean result of the first role, and its standard error.
fn mean(tally: &Tally) -> (f64, f64) {
    let (count, mean) = (tally.finished as f64, tally.mean(0).expect("playouts"));
    let variance = tally.squares[0] as f64 / count - mean * mean;
    (mean, (variance.max(0.0) / count).sqrt())
}

#[test]
fn better_lanes_go_on_where_the_first_ones_were() {
    for name in ["breakthrough", "connect_four", "bidding_tic_tac_toe"] {
        let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
        let rules = std::fs::read_to_string(&path).expect("a readable fixture");
        let budget = Budget::system();
        let made = lanes_at_once(&rules, &Settings::default(), &budget);
        let (mut first, upgrade) = made.expect("a network");
        // Another thread makes them.
        let better = std::thread::spawn(move || upgrade.make(&Budget::system()));
        let state = first.initial.clone();
        let before = tally(&mut first, &state, 20_000);
        let mut better = better.join().expect("no panic");
        assert_eq!(state, better.initial, "{name}");
        let after = tally(&mut better, &state, 20_000);
        let ((a, deviation_a), (b, deviation_b)) = (mean(&before), mean(&after));
        let deviation = deviation_a.hypot(deviation_b);
        assert!((a - b).abs() <= 5.0 * deviation, "{name}: {a} and {b}");
        let length = |tally: &Tally| tally.steps as f64 / tally.finished as f64;
        let (a, b) = (length(&before), length(&after));
        assert!((a - b).abs() < 0.05 * a, "{name}: {a} and {b} steps");
    }
}
