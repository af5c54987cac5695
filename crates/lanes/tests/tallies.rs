//! Tallies of playouts in lanes: exact where the outcome is certain, and statistically equal to
//! playouts one by one where it is not.

mod common;

use bitcode::{Code, Evaluator, Interpreter};
use budget::{Budget, Clock, Exhausted};
use common::{Game, scanned};
use game::{Ends, Engine, EngineError, GroundTerm, Playouts, RoleId, Start, State, Tally, playout};
use lanes::{Choice, LanePlayouts, Policy};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const W: usize = 2;
const LANES: u64 = 64 * W as u64;

fn interpreted(code: &Code) -> Box<dyn Evaluator<W>> {
    Box::new(Interpreter::new(code))
}

fn lanes(game: &Game, seed: u64, max_steps: u64) -> LanePlayouts<W> {
    LanePlayouts::new(
        &netlist::Phased::new(&game.logic),
        &Choice::plain(&game.logic),
        interpreted,
        seed,
        max_steps,
    )
}

fn run(playouts: &mut dyn Playouts, starts: &[(&State, u64)]) -> Vec<Tally> {
    let starts = starts
        .iter()
        .map(|&(state, playouts)| Start { state, playouts });
    let starts: Vec<Start<'_>> = starts.collect();
    let mut tallies = Vec::new();
    playouts
        .run(&starts, &mut tallies, &Budget::system())
        .expect("no deadline");
    tallies
}

/// Mean and variance of a number of samples.
struct Sample {
    count: f64,
    mean: f64,
    variance: f64,
}

impl Sample {
    fn new(count: u64, sum: f64, squares: f64) -> Sample {
        let count = count as f64;
        let mean = sum / count;
        Sample {
            count,
            mean,
            variance: (squares / count - mean * mean).max(0.0),
        }
    }

    fn of(values: impl Iterator<Item = f64> + Clone) -> Sample {
        let squares = values.clone().map(|x| x * x).sum();
        Sample::new(values.clone().count() as u64, values.sum(), squares)
    }

    /// The distance of the means in standard errors.
    ///
    /// Values that vary in neither sample may still vary once in a while, hence the addition of
    /// `rare`.
    fn apart(&self, other: &Sample, rare: f64) -> f64 {
        let squared = self.variance / self.count + other.variance / other.count;
        (self.mean - other.mean).abs() / (squared.sqrt() + rare)
    }
}

/// Compares a tally with playouts of the engine from the same state, made one by one.
fn compare(game: &mut Game, state: &State, tally: &Tally, playouts: usize, name: &str) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(99);
    let ends: Vec<_> = (0..playouts)
        .map(|_| playout(&mut game.engine, state, &mut rng, 1000).expect("a sound game"))
        .collect();
    assert!(ends.iter().all(|end| end.terminal), "{name}");
    assert_eq!(tally.cut, 0, "{name}");
    let expected = Sample::of(ends.iter().map(|end| end.steps as f64));
    let length = Sample {
        count: tally.finished as f64,
        mean: tally.steps as f64 / tally.finished as f64,
        variance: expected.variance,
    };
    let far = length.apart(&expected, 0.01);
    let (a, b) = (length.mean, expected.mean);
    assert!(far < 5.0, "{name}: lengths {a} and {b}, {far}");
    for role in 0..game.roles() {
        let value = |end: &game::Playout| f64::from(end.goals[role].unwrap_or(0));
        let expected = Sample::of(ends.iter().map(value));
        let (sum, squares) = (tally.goals[role] as f64, tally.squares[role] as f64);
        let found = Sample::new(tally.finished, sum, squares);
        let far = found.apart(&expected, 0.05);
        let (a, b) = (found.mean, expected.mean);
        assert!(far < 5.0, "{name}: goals {a} and {b} of role {role}, {far}");
    }
}

#[test]
fn playouts_of_fixtures_match_the_engine() {
    for mut game in Game::fixtures() {
        let initial = game.engine.initial();
        let tally = run(&mut lanes(&game, 1, 2000), &[(&initial, 700)]).remove(0);
        assert_eq!(tally.finished, 700, "{}", game.name);
        let length = 1 + tally.steps / tally.finished;
        let (most, name) = ((5000 / length).clamp(30, 700) as usize, game.name.clone());
        compare(&mut game, &initial, &tally, most, &name);
    }
}

/// Choices by scans, with and without policies, also where lanes end, wait and begin anew.
#[test]
fn playouts_with_scanned_choices_match_the_engine_and_repeat() {
    for name in [
        "tic_tac_toe",
        "breakthrough_small",
        "light_cycles",
        "three_player_free_for_all",
        "eight_puzzle",
    ] {
        let mut game = Game::fixture(name);
        let logic = netlist::Phased::new(&game.logic);
        let choices = scanned(&game.proved_choices());
        let initial = game.engine.initial();
        let mut playouts = LanePlayouts::new(&logic, &choices, interpreted, 1, 2000);
        let first = run(&mut playouts, &[(&initial, 700)]).remove(0);
        assert_eq!(first.finished, 700, "{name}");
        compare(&mut game, &initial, &first, 100, name);
        playouts.reseed(1);
        let again = run(&mut playouts, &[(&initial, 700)]).remove(0);
        assert_eq!(first, again, "{name}");

        let roles: Vec<usize> = (0..game.roles()).collect();
        let policy = Policy {
            decisive: roles.clone(),
            anti_decisive: roles,
            ..Policy::default()
        };
        let by_policy = |choices: &[Choice]| {
            let budget = Budget::system();
            let mut lanes =
                LanePlayouts::with(&logic, choices, &policy, interpreted, 3, 2000, &budget);
            let tally = run(&mut lanes, &[(&initial, 1400)]).remove(0);
            let (sum, squares) = (tally.goals[0] as f64, tally.squares[0] as f64);
            Sample::new(tally.finished, sum, squares)
        };
        let circuits = by_policy(&game.proved_choices());
        let far = by_policy(&choices).apart(&circuits, 0.05);
        assert!(far < 5.0, "{name}: {far}");
    }
}

#[test]
fn many_starts_match_the_engine() {
    for name in ["tic_tac_toe", "connect_four", "nim", "light_cycles"] {
        let mut game = Game::fixture(name);
        let states = game.states(3, 12);
        let mut playouts = lanes(&game, 2, 2000);
        let starts: Vec<(&State, u64)> = states.iter().zip((300..).step_by(37)).collect();
        let tallies = run(&mut playouts, &starts);
        for (i, (&(state, count), tally)) in starts.iter().zip(&tallies).enumerate() {
            assert_eq!(tally.finished, count);
            compare(&mut game, state, tally, 300, &format!("{name} start {i}"));
        }
    }
}

/// Moves do not matter: `left` counts down to the end, and `worth` sets the results. But with a
/// worth of 30 the game gets stuck at 5, and with 50 it never counts down from 9 to 8.
const CERTAIN: &str = "
    (role a) (role b) (init (left 14)) (init (worth 0)) (init (turn a))
    (value 0) (value 10) (value 30) (value 50) (value 70) (value 100)
    (gives 0 100) (gives 10 90) (gives 30 70) (gives 50 50) (gives 70 30) (gives 100 0)
    (before 1 0) (before 2 1) (before 3 2) (before 4 3) (before 5 4) (before 6 5) (before 7 6)
    (before 8 7) (before 9 8) (before 10 9) (before 11 10) (before 12 11) (before 13 12)
    (before 14 13) (noise 1) (noise 2) (noise 3)
    (<= (legal a (bid ?v)) (true (left 14)) (value ?v))
    (<= (legal ?r (hum ?n)) (true (turn ?r)) (noise ?n) (not (true (left 14))) (not stuck))
    (<= (legal a noop) (true (turn b)))
    (<= (legal b noop) (true (turn a)))
    (<= stuck (true (worth 30)) (true (left 5)))
    (<= still (true (worth 50)) (true (left 9)))
    (<= (next (turn a)) (true (turn b)))
    (<= (next (turn b)) (true (turn a)))
    (<= (next (left ?m)) (true (left ?n)) (before ?n ?m) (not still))
    (<= (next (left 9)) still)
    (<= (next (worth ?v)) (does a (bid ?v)))
    (<= (next (worth ?v)) (true (worth ?v)) (not (true (left 14))))
    (<= terminal (true (left 0)))
    (<= (goal a ?v) (true (worth ?v)))
    (<= (goal b ?w) (true (worth ?v)) (gives ?v ?w))";

fn certain(game: &mut Game, left: u64, worth: u64) -> State {
    let turn = if left.is_multiple_of(2) { "a" } else { "b" };
    let facts = [
        format!("(left {left})"),
        format!("(turn {turn})"),
        format!("(worth {worth})"),
    ];
    let facts: Vec<GroundTerm> = facts.iter().map(|f| f.parse().expect("a term")).collect();
    game.engine.state_of(&facts).expect("a state of the game")
}

/// The expected ends of `count` playouts.
fn ends(game: &mut Game, worth: u64, count: u64) -> Ends {
    let mut ends = Ends::default();
    let last = certain(game, 0, worth);
    for _ in 0..count {
        let words = last.words();
        let goals = [worth as u8, 100 - worth as u8];
        ends.count(words.iter().copied(), words.len(), &goals);
    }
    ends
}

#[test]
fn every_start_has_its_own_tally() {
    tallies_of_starts(false);
}

#[test]
fn every_start_has_its_own_ends() {
    tallies_of_starts(true);
}

fn tallies_of_starts(watch: bool) {
    let mut game = Game::new("certain", CERTAIN);
    let mut playouts = lanes(&game, 3, 100);
    assert_eq!(playouts.phases(), 2);
    assert!(playouts.watch(watch));
    // Starts of both phases, terminal, getting stuck, without playouts, twice the same. First
    // more playouts than lanes and starts, then more starts than lanes.
    let cases: Vec<(u64, u64, u64)> = [0, 70, 30, 10, 30, 0, 100, 70]
        .into_iter()
        .zip([13, 12, 11, 6, 8, 0, 1, 12])
        .zip([1, 500, 300, 0, 129, 7, 1000, 2])
        .map(|((worth, left), count)| (worth, left, count))
        .collect();
    let many = (0..400).map(|i| ([0, 10, 30, 70, 100][i as usize % 5], i % 14, i % 3));
    let none: Vec<_> = cases
        .iter()
        .map(|&(worth, left, _)| (worth, left, 0))
        .collect();
    for cases in [cases.clone(), many.collect(), vec![cases[1]], none, vec![]] {
        let states: Vec<State> = cases
            .iter()
            .map(|&(worth, left, _)| certain(&mut game, left, worth))
            .collect();
        let starts: Vec<(&State, u64)> = states
            .iter()
            .zip(cases.iter().map(|&(_, _, count)| count))
            .collect();
        let tallies = run(&mut playouts, &starts);
        assert_eq!(tallies.len(), cases.len());
        for (&(worth, left, count), tally) in cases.iter().zip(&tallies) {
            let stuck = worth == 30 && left >= 5;
            let watched = if watch && !stuck { count } else { 0 };
            let expected = Tally {
                finished: if stuck { 0 } else { count },
                cut: if stuck { count } else { 0 },
                steps: count * if stuck { left - 5 } else { left },
                goals: [worth, 100 - worth]
                    .map(|goal| if stuck { 0 } else { count * goal })
                    .into(),
                squares: [worth, 100 - worth]
                    .map(|goal| if stuck { 0 } else { count * goal * goal })
                    .into(),
                ends: ends(&mut game, worth, watched),
            };
            assert_eq!(*tally, expected, "{worth} {left} {count}");
        }
    }
}

#[test]
fn aborted_playouts_do_not_count_later() {
    let mut game = Game::new("certain", CERTAIN);
    let (soon, late) = (certain(&mut game, 1, 70), certain(&mut game, 13, 10));
    let mut playouts = lanes(&game, 6, u64::MAX);
    playouts.watch(true);
    let starts = [(&soon, 60), (&late, 60)].map(|(state, playouts)| Start { state, playouts });
    let ever = certain(&mut game, 13, 50);
    let starts = [
        starts[0],
        starts[1],
        Start {
            state: &ever,
            playouts: 1,
        },
    ];
    let budget = Budget::unlimited(Arc::new(Hasty::default())).with_timeout(Duration::from_secs(3));
    let mut tallies = Vec::new();
    assert!(playouts.run(&starts, &mut tallies, &budget).is_err());
    let tallies = run(&mut playouts, &[(&soon, 40), (&late, 50)]);
    assert_eq!(tallies[0].ends, ends(&mut game, 70, 40));
    assert_eq!(tallies[1].ends, ends(&mut game, 10, 50));
}

#[test]
fn ends_match_those_of_playouts_one_by_one() {
    for name in ["tic_tac_toe", "connect_four", "reversi"] {
        let mut game = Game::fixture(name);
        let state = game.states(3, 12).pop().expect("some states");
        let mut playouts = lanes(&game, 2, 2000);
        assert!(playouts.watch(true));
        let ends = run(&mut playouts, &[(&state, 2000)]).remove(0).ends;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut expected = Ends::default();
        let count = 2000;
        for _ in 0..count {
            let (last, goals) = last_of(&mut game, &state, &mut rng);
            let words = last.words();
            expected.count(words.iter().copied(), words.len(), &goals);
        }
        let means = |sums: &[u32], most: f64| -> Vec<f64> {
            let means = sums.iter().map(|&sum| f64::from(sum) / most);
            means.collect()
        };
        let all = f64::from(count);
        for (one, other, most) in [
            (&ends.counts, &expected.counts, all),
            (&ends.goals, &expected.goals, 100.0 * all),
        ] {
            assert_eq!(one.len(), other.len());
            for (a, b) in means(one, most).into_iter().zip(means(other, most)) {
                // Six standard errors of a difference.
                assert!(
                    (a - b).abs() < 6.0 * (0.5 / all).sqrt(),
                    "{name}: {a} and {b}"
                );
            }
        }
    }
}

/// The last state of a playout, and the results of the roles.
fn last_of(game: &mut Game, state: &State, rng: &mut impl Rng) -> (State, Vec<u8>) {
    let (engine, mut here, mut next) = (&mut game.engine, state.clone(), State::default());
    let roles = engine.roles().len();
    let mut moves = Vec::new();
    while !engine.terminal(&here).expect("a sound game") {
        let mut joint = Vec::new();
        for role in (0..roles).map(RoleId) {
            let picked = engine.pick(&here, role, rng.next_u64(), &mut moves);
            joint.push(picked.expect("a sound game").expect("a move"));
        }
        engine.next(&here, &joint, &mut next).expect("a sound game");
        std::mem::swap(&mut here, &mut next);
    }
    let goal = |role| engine.goal(&here, RoleId(role)).expect("a sound game");
    let goals = (0..roles).map(goal).map(|goal| goal.unwrap_or(0));
    let goals = goals.collect();
    (here, goals)
}

#[test]
fn endless_playouts_are_cut() {
    let mut game = Game::new("certain", CERTAIN);
    let ever = certain(&mut game, 11, 50);
    let ends = certain(&mut game, 11, 10);
    for most in [0, 1, 2, 7, 8, 10, 11, 12, 15, 60, 501] {
        let mut playouts = lanes(&game, 4, most);
        // Alone, and beside others that end before they are cut, if the limit allows.
        let alone = run(&mut playouts, &[(&ever, 300)]).remove(0);
        let both = run(&mut playouts, &[(&ends, 500), (&ever, 300), (&ends, 200)]);
        for tally in [&alone, &both[1]] {
            assert_eq!((tally.finished, tally.cut), (0, 300), "{most}");
            assert_eq!(tally.goals, [0, 0]);
            assert_eq!(tally.steps, most * 300, "{most}");
        }
        for (tally, count) in [(&both[0], 500), (&both[2], 200)] {
            assert_eq!(tally.finished + tally.cut, count, "{most}");
            let finished = if most < 11 { 0 } else { count };
            assert_eq!(tally.finished, finished, "{most}");
            assert_eq!(tally.steps, most.min(11) * count, "{most}");
        }
    }
}

/// A clock that advances by a second whenever it is read.
#[derive(Default)]
struct Hasty(AtomicU64);

impl Clock for Hasty {
    fn now(&self) -> Duration {
        Duration::from_secs(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn a_budget_is_kept_and_finished_playouts_are_counted() {
    let mut game = Game::new("certain", CERTAIN);
    let (ever, ends) = (certain(&mut game, 13, 50), certain(&mut game, 13, 70));
    let mut playouts = lanes(&game, 5, u64::MAX);
    let starts = [(&ever, 1), (&ends, 500)].map(|(state, playouts)| Start { state, playouts });
    let mut tallies = vec![Tally::new(7)];
    for seconds in [0, 1, 1000] {
        let budget = Budget::unlimited(Arc::new(Hasty::default()))
            .with_timeout(Duration::from_secs(seconds));
        let result = playouts.run(&starts, &mut tallies, &budget);
        assert_eq!(result, Err(EngineError::Exhausted(Exhausted::Deadline)));
        assert_eq!(tallies.len(), 2);
        assert_eq!((tallies[0].finished, tallies[0].cut), (0, 0));
        let finished = tallies[1].finished;
        assert_eq!(tallies[1].goals, [finished * 70, finished * 30]);
        assert_eq!(tallies[1].steps, finished * 13);
        assert_eq!(finished == 500, seconds == 1000, "{seconds}: {finished}");
    }
    let calls: Vec<u64> = (0..2)
        .map(|_| run(&mut lanes(&game, 5, 100), &[(&ends, LANES)])[0].finished)
        .collect();
    assert_eq!(calls, [LANES; 2], "it can be used again");
}

#[test]
fn states_of_other_games_are_refused() {
    let game = Game::fixture("tic_tac_toe");
    let mut playouts = lanes(&game, 6, 100);
    let mut nobody = game.engine.initial();
    nobody.words_mut().fill(0);
    for state in [State::default(), State::from_words(vec![1; 9]), nobody] {
        let start = Start {
            state: &state,
            playouts: 1,
        };
        let result = playouts.run(&[start], &mut Vec::new(), &Budget::system());
        assert!(matches!(result, Err(EngineError::Rules(_))), "{result:?}");
    }
}

#[test]
fn seeds_make_playouts_repeatable() {
    let mut game = Game::fixture("connect_four");
    let states = game.states(8, 5);
    let starts: Vec<(&State, u64)> = states.iter().zip([300, 1, 0, 77, 500]).collect();
    let mut first = lanes(&game, 7, 100);
    let expected = [run(&mut first, &starts), run(&mut first, &starts)];
    assert_ne!(expected[0], expected[1]);
    let mut second = lanes(&game, 8, 100);
    assert_ne!(run(&mut second, &starts), expected[0]);
    second.reseed(7);
    assert_eq!(run(&mut second, &starts), expected[0]);
    let mut fork = Playouts::fork(&second, 7).expect("lanes can be forked");
    assert_eq!(run(&mut second, &starts), expected[1]);
    let theirs = std::thread::scope(|scope| {
        let thread = scope.spawn(|| [run(&mut *fork, &starts), run(&mut *fork, &starts)]);
        thread.join().expect("it does not panic")
    });
    assert_eq!(theirs, expected);
}
