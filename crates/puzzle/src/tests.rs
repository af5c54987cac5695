//! All methods on whole puzzles, and what they claim against exhaustion.

use crate::found::Board;
use crate::method::{Method, State as Status};
use crate::{Found, Portfolio};
use budget::{Budget, Stop};
use compile::{Playable, Proved};
use game::{Engine, RoleId, State};
use prepare::{EngineChoice, Options, prepare};
use std::collections::HashMap;
use std::time::Duration;

const BYTES: usize = 256 << 20;

fn fixture(name: &str) -> String {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    std::fs::read_to_string(path).expect("the fixture is there")
}

fn playable(rules: &str) -> Playable {
    let options = Options {
        engine: EngineChoice::Scalar,
        ..Options::default()
    };
    let prepared = prepare(rules, &options, &Budget::system());
    prepared.expect("it has a network").playable
}

fn portfolio(playable: &Playable, bytes: usize) -> Portfolio {
    let budget = Budget::system();
    let compiled = playable.compiled.clone().expect("it is compiled");
    let proved = Proved::find(compiled, 1, &budget);
    let made = Portfolio::new(&*playable.engine, Some(&proved), 1, bytes, &budget);
    made.expect("one role plays")
}

/// A generous bound for what takes milliseconds.
fn minute() -> Budget {
    Budget::system().with_timeout(Duration::from_secs(60))
}

fn solved(rules: &str) -> Found {
    let playable = playable(rules);
    let portfolio = portfolio(&playable, BYTES);
    portfolio.work(1, &minute());
    portfolio.found()
}

/// The greatest result of all lines, by trying all of them, each state once.
fn exhausted(rules: &str) -> u8 {
    fn best(engine: &mut dyn Engine, state: &State, seen: &mut HashMap<State, i32>) -> i32 {
        if let Some(&known) = seen.get(state) {
            return known;
        }
        if engine.terminal(state).expect("it plays") {
            let goal = engine.goal(state, RoleId(0)).expect("it plays");
            return goal.map_or(-1, i32::from);
        }
        // A state that repeats brings nothing new.
        seen.insert(state.clone(), -1);
        let mut moves = Vec::new();
        engine
            .legal(state, RoleId(0), &mut moves)
            .expect("it plays");
        let mut found = -1;
        for mv in moves {
            let mut next = State::default();
            engine.next(state, &[mv], &mut next).expect("it plays");
            found = found.max(best(engine, &next, seen));
        }
        seen.insert(state.clone(), found);
        found
    }
    let mut playable = playable(rules);
    let engine = &mut *playable.engine;
    let start = engine.initial();
    best(engine, &start, &mut HashMap::new()) as u8
}

#[test]
fn fixtures_of_one_role_are_solved() {
    for (name, result) in [
        ("buttons_and_lights", 100),
        ("joint_buttons_and_lights", 100),
        ("lights_on_parallel", 100),
        ("multiple_buttons_and_lights", 100),
        ("river_crossing", 100),
        ("sudoku_small", 100),
        ("corridor_hard", 100),
        ("untwisty_corridor", 100),
    ] {
        let found = solved(&fixture(name));
        assert_eq!(found.result(), Some(result), "{name}");
        assert!(found.is_best(), "{name}");
        assert_eq!(found.refused, 0, "{name}");
    }
}

/// A walk on a line with a purse: each step to the right brings what is written there, and there
/// are not enough steps for everything.
fn purse(seed: u64) -> String {
    let coins: Vec<u64> = (0..6).map(|place| (seed >> (2 * place)) % 4).collect();
    let mut rules = String::from(
        "(role r) (init (at 0)) (init (time 0)) (init (sum 0))
         (<= (legal r left) (true (at ?p)) (succ ?q ?p))
         (<= (legal r right) (true (at ?p)) (succ ?p ?q))
         (legal r take)
         (<= (next (at ?q)) (does r right) (true (at ?p)) (succ ?p ?q))
         (<= (next (at ?q)) (does r left) (true (at ?p)) (succ ?q ?p))
         (<= (next (at ?p)) (does r take) (true (at ?p)))
         (<= (next (time ?u)) (true (time ?t)) (succ ?t ?u))
         (<= (next (empty ?p)) (true (empty ?p)))
         (<= (next (empty ?p)) (does r take) (true (at ?p)))
         (<= gain (does r take) (true (at ?p)) (not (true (empty ?p))))
         (<= (next (sum ?s)) (true (sum ?s)) (not gain))
         (<= (next (sum ?s)) (true (sum ?o)) gain (true (at ?p)) (coins ?p ?c) (add ?o ?c ?s))
         (<= terminal (true (time 8)))
         (<= (goal r ?s) (true (sum ?s)))\n",
    );
    for number in 0..8 {
        rules += &format!("(succ {number} {})", number + 1);
    }
    for (place, coins) in coins.iter().enumerate() {
        rules += &format!("(coins {place} {coins})");
    }
    for sum in 0..20 {
        for more in 0..4 {
            rules += &format!("(add {sum} {more} {})", sum + more);
        }
    }
    rules
}

#[test]
fn the_best_result_is_that_of_exhaustion() {
    for seed in [0, 1, 27, 1234, 4095, 2748] {
        let rules = purse(seed);
        let found = solved(&rules);
        assert!(found.is_best(), "{seed}");
        assert_eq!(found.result(), Some(exhausted(&rules)), "{seed}");
        assert_eq!(found.refused, 0, "{seed}");
    }
}

/// Works on a puzzle by a single method, given by its name.
fn by(method: &str, rules: &str) -> (Found, bool) {
    let playable = playable(rules);
    let portfolio = portfolio(&playable, BYTES);
    let over = portfolio.only(method, &minute());
    (portfolio.found(), over)
}

#[test]
fn each_method_finds_lines_of_its_own() {
    let (lights, sudoku) = (fixture("buttons_and_lights"), fixture("sudoku_small"));
    for (method, rules) in [
        ("parts", &fixture("joint_buttons_and_lights")),
        ("width 2", &lights),
        ("breadth-first", &lights),
        ("greedy best-first", &lights),
        ("SAT", &lights),
        ("SAT", &sudoku),
        ("SAT without order", &sudoku),
        ("SAT without order", &fixture("sudoku")),
        ("best-first width", &lights),
        ("weighted A*", &lights),
        ("A*", &lights),
        ("IDA*", &lights),
        ("beam", &lights),
        ("nested playouts", &sudoku),
    ] {
        let (found, _) = by(method, rules);
        let line = found.line.unwrap_or_else(|| panic!("{method} finds none"));
        assert_eq!((line.result, line.method), (100, method));
    }
}

/// Rooks on a board that is filled square by square, none of which may be attacked in the end.
const ROOKS: &str = "(role r) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (init (turn 1))
    (index 1) (index 2) (index 3) (index 4) (index 5)
    (<= (init (cell ?x ?y free)) (index ?x) (index ?y))
    (<= (legal r (put ?x ?y)) (true (cell ?x ?y free)))
    (<= (next (cell ?x ?y rook)) (does r (put ?x ?y)))
    (<= (next (cell ?x ?y ?s)) (true (cell ?x ?y ?s)) (not (does r (put ?x ?y))))
    (<= (next (turn ?n)) (true (turn ?m)) (succ ?m ?n))
    (<= terminal (true (turn 5)))
    (<= attacked (true (cell ?x ?y1 rook)) (true (cell ?x ?y2 rook)) (distinct ?y1 ?y2))
    (<= attacked (true (cell ?x1 ?y rook)) (true (cell ?x2 ?y rook)) (distinct ?x1 ?x2))
    (<= (goal r 100) (not attacked)) (<= (goal r 0) attacked)";

#[test]
fn moves_without_order_are_as_many_as_time_allows() {
    let (found, _) = by("SAT without order", ROOKS);
    let line = found.line.expect("there is a line");
    assert_eq!((line.result, line.steps.len()), (100, 4));
}

/// A square of digits, no two alike in a line. A square stays as it is if the move names another
/// one, so that only what is legal tells that digits are not written over.
const DIGITS: &str = "(role r) (digit 1) (digit 2) (digit 3) (digit 4)
    (<= (init (cell ?x ?y free)) (digit ?x) (digit ?y) (distinct ?x ?y)) (init (cell 1 1 3))
    (init (cell 2 2 4)) (init (cell 3 3 free)) (init (cell 4 4 free))
    (<= (across ?y ?d) (true (cell ?x ?y ?d)) (digit ?d))
    (<= (up ?x ?d) (true (cell ?x ?y ?d)) (digit ?d))
    (<= (legal r (put ?x ?y ?d)) (true (cell ?x ?y free)) (digit ?d)
        (not (across ?y ?d)) (not (up ?x ?d)))
    (<= (next (cell ?x ?y ?d)) (does r (put ?x ?y ?d)))
    (<= (next (cell ?x ?y ?d)) (true (cell ?x ?y ?d)) (does r (put ?u ?v ?e)) (distinct ?x ?u))
    (<= (next (cell ?x ?y ?d)) (true (cell ?x ?y ?d)) (does r (put ?u ?v ?e)) (distinct ?y ?v))
    (<= open (true (cell ?x ?y free))) (<= playable (legal r ?m))
    (<= terminal (not playable))
    (<= (goal r 100) (not open)) (<= (goal r 0) open)";

#[test]
fn what_no_legal_move_changes_back_needs_no_order() {
    let (found, _) = by("SAT without order", DIGITS);
    let line = found.line.expect("there is a line");
    assert_eq!((line.result, line.steps.len()), (100, 14));
}

/// A trail of numbers through all squares, each beside the one before. Whoever stops gives up.
const TRAIL: &str = "(role r) (beside a b) (beside b c) (beside a d) (beside b e) (beside c f)
    (beside d e) (beside e f) (then 1 2) (then 2 3) (then 3 4) (then 4 5) (then 5 6)
    (init (at a 1)) (init (at d 6)) (init (at b free)) (init (at c free)) (init (at e free))
    (init (at f free))
    (<= (near ?x ?y) (beside ?x ?y)) (<= (near ?x ?y) (beside ?y ?x))
    (<= (number ?n) (then ?n ?m)) (<= (number ?n) (then ?m ?n))
    (<= (square ?x) (near ?x ?y)) (<= (used ?n) (true (at ?x ?n)) (number ?n))
    (<= (fits ?n ?x) (number ?n) (square ?x) (not (used ?n)))
    (<= (fits ?n ?x) (near ?x ?y) (true (at ?y ?n)))
    (<= (legal r (write ?x ?n)) (true (at ?x free)) (then ?m ?n) (then ?n ?o) (not (used ?n))
        (fits ?m ?x) (fits ?o ?x))
    (legal r stop)
    (<= (next (at ?x ?n)) (true (at ?x ?n)) (number ?n))
    (<= (next (at ?x ?n)) (does r (write ?x ?n)))
    (<= (next (at ?x free)) (true (at ?x free)) (does r (write ?y ?n)) (distinct ?x ?y))
    (<= (next (at ?x free)) (true (at ?x free)) (does r stop))
    (<= (next stopped) (does r stop))
    (<= open (true (at ?x free))) (<= terminal (true stopped)) (<= terminal (not open))
    (<= (goal r 0) open) (<= (goal r 100) (not open))";

#[test]
fn a_move_that_ends_play_needs_no_order() {
    let (found, _) = by("SAT without order", TRAIL);
    let line = found.line.expect("there is a line");
    assert_eq!(line.result, 100);
}

#[test]
fn proofs_agree_with_exhaustion() {
    for seed in [27, 1234, 2748] {
        let rules = purse(seed);
        let best = exhausted(&rules);
        for method in ["breadth-first", "SAT"] {
            let (found, _) = by(method, &rules);
            assert_eq!(found.result(), Some(best), "{method} {seed}");
            assert_eq!(found.bound, best, "{method} {seed}");
        }
    }
}

#[test]
fn the_rest_of_a_line_is_kept_on_the_way() {
    let playable = playable(&fixture("river_crossing"));
    let mut portfolio = portfolio(&playable, BYTES);
    portfolio.work(1, &minute());
    let line = portfolio.found().line.expect("it is solved");
    let third = &line.steps[2].0;
    portfolio.follow(third, &minute());
    let rest = portfolio.found();
    assert!(rest.is_best());
    assert_eq!(rest.line.expect("it is kept").steps, line.steps[2..]);
}

#[test]
fn it_stops_when_it_is_told_and_goes_on_where_it_was() {
    let playable = playable(&fixture("max_knights"));
    let portfolio = portfolio(&playable, BYTES);
    let stop = Stop::default();
    stop.stop();
    assert!(portfolio.work(2, &Budget::system().with_stop(stop)));
    assert_eq!(portfolio.found().line, None);
    let begun = minute();
    while portfolio.found().line.is_none() && begun.check().is_ok() {
        portfolio.work(
            2,
            &Budget::system().with_timeout(Duration::from_millis(300)),
        );
    }
    assert!(portfolio.found().line.is_some());
    assert_eq!(portfolio.found().refused, 0);
}

#[test]
fn a_table_that_is_full_ends_a_search_without_a_proof() {
    let playable = playable(&fixture("max_knights"));
    let portfolio = portfolio(&playable, 8 << 20);
    assert!(portfolio.only("breadth-first", &minute()));
    let found = portfolio.found();
    assert_eq!((found.result(), found.bound), (None, 100));
}

#[test]
fn a_game_without_network_is_searched_by_its_engine() {
    let options = Options {
        engine: EngineChoice::Reasoner,
        ..Options::default()
    };
    let rules = fixture("river_crossing");
    let budget = Budget::system();
    let playable = prepare(&rules, &options, &budget)
        .expect("it plays")
        .playable;
    let portfolio = Portfolio::new(&*playable.engine, None, 1, BYTES, &budget);
    let portfolio = portfolio.expect("one role plays");
    portfolio.work(1, &minute());
    assert_eq!(portfolio.found().result(), Some(100));
}

#[test]
fn a_line_that_the_engine_does_not_confirm_is_refused() {
    struct Liar;
    impl Method for Liar {
        fn name(&self) -> &'static str {
            "liar"
        }
        fn work(&mut self, board: &Board, _: &Budget) -> Status {
            assert!(!board.offer(&[], "liar"));
            Status::Over
        }
        fn done(&self) -> crate::Work {
            crate::Work {
                count: 0,
                unit: "lies",
            }
        }
    }
    let playable = playable(&fixture("sudoku_small"));
    let portfolio = portfolio(&playable, BYTES);
    Liar.work(portfolio.board(), &Budget::system());
    let found = portfolio.found();
    assert_eq!((found.line, found.refused), (None, 1));
}

/// So many squares to be filled with so many numbers, each of them once; or play is given up.
fn squares_and_numbers(squares: usize, numbers: usize) -> String {
    let list = |name: &str, count: usize| -> String {
        (1..=count).map(|n| format!("({name} {name}{n})")).collect()
    };
    format!(
        "(role r) {} {} (<= (init (cell ?c blank)) (square ?c))
        (<= (legal r (place ?c ?n)) (true (cell ?c blank)) (number ?n) (not (used ?n)))
        (legal r quit) (<= (used ?n) (true (cell ?c ?n)) (number ?n))
        (<= (next (cell ?c ?n)) (true (cell ?c ?n)) (number ?n))
        (<= (next (cell ?c ?n)) (does r (place ?c ?n)))
        (<= (next (cell ?c blank)) (true (cell ?c blank)) (not (filled ?c)))
        (<= (filled ?c) (does r (place ?c ?n)))
        (<= (next finished) (does r quit)) (<= open (true (cell ?c blank)))
        (<= terminal (not open)) (<= terminal (true finished))
        (<= (goal r 100) (not open)) (<= (goal r 0) open)",
        list("square", squares),
        list("number", numbers)
    )
}

#[test]
fn too_few_numbers_for_all_squares_are_counted_not_tried() {
    for (squares, numbers, result) in [(12, 12, Some(100)), (12, 11, None)] {
        let playable = playable(&squares_and_numbers(squares, numbers));
        let portfolio = portfolio(&playable, BYTES);
        assert!(portfolio.only("SAT without order", &minute()), "it ends");
        assert_eq!(portfolio.found().result(), result);
        let mut reports = portfolio.reports().into_iter();
        let fill = reports
            .find(|report| report.method == "SAT without order")
            .unwrap();
        assert!(fill.work.count < 200, "{} conflicts", fill.work.count);
    }
}
