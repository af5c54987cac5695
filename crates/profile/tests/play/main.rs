//! Statistics of random play: comparison with an engine, and known answers.

use budget::Budget;
use game::{Engine, RoleId};
use gdl_parse::{ParseOptions, parse};
use netlist::{GameLogic, lower};
use profile::play::Statistics;
use propnet::{Network, PropnetEngine};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

fn build(rules: &str) -> Option<(Network, GameLogic)> {
    let sheet = parse(rules, &ParseOptions::default()).sheet;
    let program = datalog::Program::from_sheet(&sheet);
    let budget = Budget::system().with_timeout(Duration::from_secs(20));
    let network = compile::build_network(&program, &budget).ok()?.network;
    let logic = lower(&network, &budget).ok()?;
    Some((network, logic))
}

fn fixture(name: &str) -> (Network, GameLogic) {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    build(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Mean length, mean branching factor of each role, and mean results of the playouts of another
/// engine.
fn by_engine(network: &Network, roles: usize, games: u32) -> (f64, Vec<f64>, Vec<f64>) {
    let mut engine = PropnetEngine::new(network, &Budget::system()).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let (mut steps, mut legal, mut results) = (0u64, vec![0u64; roles], vec![0u64; roles]);
    let mut moves = Vec::new();
    for _ in 0..games {
        let (mut here, mut there) = (engine.initial(), engine.initial());
        while !engine.terminal(&here).unwrap() {
            let joint: Vec<_> = (0..roles)
                .map(|role| {
                    engine.legal(&here, RoleId(role), &mut moves).unwrap();
                    legal[role] += moves.len() as u64;
                    moves[rng.random_range(0..moves.len())]
                })
                .collect();
            engine.next(&here, &joint, &mut there).unwrap();
            std::mem::swap(&mut here, &mut there);
            steps += 1;
        }
        for (role, sum) in results.iter_mut().enumerate() {
            *sum += u64::from(engine.goal(&here, RoleId(role)).unwrap().unwrap());
        }
    }
    let part = |of: u64, all: f64| of as f64 / all;
    (
        part(steps, games.into()),
        legal.iter().map(|&sum| part(sum, steps as f64)).collect(),
        results.iter().map(|&sum| part(sum, games.into())).collect(),
    )
}

#[test]
fn figures_agree_with_an_engine() {
    for name in [
        "tic_tac_toe",
        "connect_four",
        "bidding_tic_tac_toe",
        "breakthrough_small",
    ] {
        let (network, logic) = fixture(name);
        let found = Statistics::find(&logic, 3, &Budget::system());
        assert_eq!(
            (found.cut, found.stuck, found.playouts),
            (0, 0, 1024),
            "{name}"
        );
        let (length, branching, results) = by_engine(&network, logic.roles(), 1000);
        let near = |a: f64, b: f64, by: f64| assert!((a - b).abs() < by, "{name}: {a}, {b}");
        near(found.lengths.mean, length, length / 20.0);
        for (role, figures) in found.roles.iter().enumerate() {
            near(
                figures.branching.mean,
                branching[role],
                branching[role] / 20.0,
            );
            // About four standard errors of the difference.
            near(figures.results.mean, results[role], 9.0);
        }
    }
}

#[test]
fn the_first_player_has_an_advantage_in_tic_tac_toe() {
    let (_, logic) = fixture("tic_tac_toe");
    let found = Statistics::find(&logic, 1, &Budget::system());
    assert_eq!((found.lengths.min, found.lengths.max), (5, 9));
    assert_eq!(found.roles[0].branching.max, 9);
    assert_eq!(found.depths[0].reached, found.playouts);
    assert_eq!(
        found.depths.iter().map(|depth| depth.ended).sum::<u64>(),
        found.playouts
    );
    // The first player wins 58.5 % of random games and loses 28.8 %.
    let first = found.first.unwrap();
    assert_eq!(first.role, 0);
    assert!(
        (first.advantage - 29.7).abs() < 4.0 * first.error,
        "{first:?}"
    );
    assert!(found.correlation[0][1].unwrap() < -0.999);
    assert!(found.decisive.share(0).unwrap() > 0.1);
}

#[test]
fn only_winning_moves_count_as_decisive() {
    // Three moves, one of which wins immediately, then three that do not.
    let rules = "(role robot) (init (at 0)) (succ 0 1) (succ 1 2) (move a) (move b) (move c)
        (<= (legal robot ?m) (move ?m))
        (<= (next (at ?n)) (true (at ?m)) (succ ?m ?n))
        (<= (next won) (does robot a) (true (at 0)))
        (<= terminal (true won)) (<= terminal (true (at 2)))
        (<= (goal robot 100) (true won)) (<= (goal robot 0) (not (true won)))";
    let (_, logic) = build(rules).unwrap();
    let found = Statistics::find(&logic, 1, &Budget::system());
    let decisive = found.decisive;
    let depths = &found.depths;
    // The sample contains states after no step and after one.
    let share =
        depths[0].reached as f64 / (depths[0].reached + depths[1].reached - depths[1].ended) as f64;
    assert!(
        (decisive.share(0).unwrap() - share).abs() < 0.15,
        "{decisive:?}, {share}"
    );
    assert!((found.roles[0].results.mean - 33.3).abs() < 6.0);
}

#[test]
fn the_same_seed_gives_the_same_figures() {
    let (_, logic) = fixture("blocker");
    let one = Statistics::find(&logic, 9, &Budget::system());
    let other = Statistics::find(&logic, 9, &Budget::system());
    let different = Statistics::find(&logic, 10, &Budget::system());
    assert_eq!(
        (&one.lengths, &one.roles, &one.decisive),
        (&other.lengths, &other.roles, &other.decisive)
    );
    assert_ne!(one.roles, different.roles);
}

#[test]
fn endless_games_are_cut_and_stuck_ones_counted() {
    let endless = "(role robot) (init here) (legal robot wait) (<= (next here) (true here))
        (<= terminal (not (true here))) (<= (goal robot 0) (true here))";
    let stuck = "(role robot) (init here) (<= (legal robot wait) (true here))
        (<= (next there) (does robot wait)) (<= terminal (true here) (true there))
        (<= (goal robot 0) (true here))";
    let (_, logic) = build(endless).unwrap();
    let found = Statistics::find(&logic, 1, &Budget::system());
    assert_eq!((found.playouts, found.stuck), (0, 0));
    assert!(found.cut > 0);
    if let Some((_, logic)) = build(stuck) {
        let found = Statistics::find(&logic, 1, &Budget::system());
        assert_eq!((found.playouts, found.cut), (0, 0));
        assert!(found.stuck > 0);
    }
}

#[test]
fn a_deadline_returns_partial_results() {
    let (_, logic) = fixture("tic_tac_toe");
    let clock = std::sync::Arc::new(budget::ManualClock::default());
    let over = Budget::unlimited(clock).with_timeout(Duration::ZERO);
    let found = Statistics::find(&logic, 1, &over);
    assert!(found.report.exhausted.is_some());
    assert_eq!(found.playouts, 0);
}

#[test]
fn statistics_of_the_corpus_take_little_time() {
    let long = std::env::var_os("ROCINANTE_LONG_TESTS").is_some_and(|value| value == "1");
    let Some(corpus) = long.then(testkit::corpus).flatten() else {
        return;
    };
    let mut times = Vec::new();
    for path in testkit::files(&corpus.join("games"), "kif") {
        let Some((_, logic)) = build(&std::fs::read_to_string(&path).unwrap()) else {
            continue;
        };
        let found = Statistics::find(
            &logic,
            1,
            &Budget::system().with_timeout(Duration::from_secs(3)),
        );
        let name = path.file_stem().unwrap().to_string_lossy().to_string();
        println!(
            "{name}: {} playouts, {} cut, {} stuck, length {:.1}, decisive {:?}, {:.0?}",
            found.playouts,
            found.cut,
            found.stuck,
            found.lengths.mean,
            found.decisive.share(0),
            found.report.time
        );
        assert_eq!(
            found.playouts + found.cut + found.stuck,
            found.depths.first().map_or(0, |d| d.reached)
        );
        times.push((found.report.time, name));
    }
    times.sort();
    println!(
        "median {:.0?}, most {:?}",
        times[times.len() / 2],
        &times[times.len() - 3..]
    );
}
