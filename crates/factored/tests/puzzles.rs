//! Solutions of puzzles, compared with exhaustive search of the whole.

use budget::Budget;
use compile::{Playable, Proved};
use factored::{Parts, Solution, solve};
use game::{Engine, MoveId, RoleId, State};
use prepare::{EngineChoice, Options, prepare};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;
use std::collections::HashMap;

fn playable(rules: &str) -> Playable {
    let options = Options {
        engine: EngineChoice::Scalar,
        ..Options::default()
    };
    let prepared = prepare(rules, &options, &Budget::system());
    prepared.expect("it is well formed").playable
}

fn fixture(name: &str) -> String {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    std::fs::read_to_string(path).expect("it is there")
}

fn parts(game: &Playable) -> Option<Parts> {
    let budget = Budget::system();
    let proved = Proved::find(game.compiled.clone().expect("it is compiled"), 1, &budget);
    Parts::find(&proved, 1, &budget)
}

fn planned(game: &mut Playable) -> Option<Solution> {
    let parts = parts(game)?;
    let engine = &mut *game.engine;
    let start = engine.initial();
    let plan = solve(&parts, engine, &start, &Budget::system());
    if let Some(plan) = &plan {
        goes(engine, plan);
    }
    plan
}

/// Checks that the solution is legal, ends where play does and not before, and has its result.
fn goes(engine: &mut dyn Engine, plan: &Solution) {
    let (mut state, mut moves) = (engine.initial(), Vec::new());
    for (number, (at, mv)) in plan.steps.iter().enumerate() {
        assert_eq!(*at, state);
        assert_eq!(engine.terminal(&state), Ok(false));
        engine
            .legal(&state, RoleId(0), &mut moves)
            .expect("it plays");
        assert!(moves.contains(mv));
        assert_eq!(plan.at(&state), Some((*mv, plan.steps.len() - number)));
        let mut next = State::default();
        engine.next(&state, &[*mv], &mut next).expect("it plays");
        state = next;
    }
    assert_eq!(engine.terminal(&state), Ok(true));
    assert_eq!(engine.goal(&state, RoleId(0)), Ok(Some(plan.result)));
    assert_eq!(plan.at(&state), None);
}

/// The greatest result of the whole, and the number of states examined.
fn exhausted(engine: &mut dyn Engine) -> (Option<u8>, usize) {
    let (start, mut known) = (engine.initial(), HashMap::new());
    known.insert(start.clone(), ());
    let (mut open, mut best) = (vec![start], None);
    while let Some(state) = open.pop() {
        if engine.terminal(&state).expect("it plays") {
            let goal = engine.goal(&state, RoleId(0)).expect("it plays");
            best = best.max(goal);
            continue;
        }
        let mut moves: Vec<MoveId> = Vec::new();
        engine
            .legal(&state, RoleId(0), &mut moves)
            .expect("it plays");
        for mv in moves {
            let mut next = State::default();
            engine.next(&state, &[mv], &mut next).expect("it plays");
            if known.insert(next.clone(), ()).is_none() {
                open.push(next);
            }
        }
    }
    (best, known.len())
}

#[test]
fn fixtures_are_solved_with_fewer_positions_than_the_whole() {
    for (name, times) in [
        ("joint_buttons_and_lights", 100),
        ("multiple_buttons_and_lights", 30),
        ("dual_hamilton", 5),
    ] {
        let mut game = playable(&fixture(name));
        let plan = planned(&mut game).expect(name);
        let (best, states) = exhausted(&mut *game.engine);
        assert_eq!((Some(plan.result), plan.best), (best, true), "{name}");
        println!("{name}: {states} states, {} positions", plan.positions);
        assert!(
            states > times * plan.positions,
            "{name}: {states}, {}",
            plan.positions
        );
    }
    // The whole has too many states to be searched.
    let mut game = playable(&fixture("lights_on_parallel"));
    let plan = planned(&mut game).expect("there is a way");
    assert_eq!((plan.result, plan.best, plan.steps.len()), (100, true, 4));
    assert!(plan.positions < 10_000, "{}", plan.positions);
}

/// Three dials of four places; each of ten moves turns one of them by one place.
///
/// Getting all dials into their last places takes nine moves, or thirteen.
#[test]
fn the_best_solution_is_proved() {
    let on = vec![1, 2, 3, 0];
    let mut dials = Dials {
        turns: vec![[on.clone(), on]; 3],
        together: false,
        wait: false,
        drift: false,
        steps: 10,
        ends: None,
    };
    let plan = planned(&mut playable(&dials.rules())).expect("there is a way");
    assert_eq!((plan.result, plan.best), (30, true));
    // With a move that does nothing, all goals can be reached.
    dials.wait = true;
    let plan = planned(&mut playable(&dials.rules())).expect("there is a way");
    assert_eq!((plan.result, plan.best), (100, true));
}

#[test]
fn positions_cut_by_memory_leave_the_best_unproved() {
    let mut game = playable(&fixture("dual_hamilton"));
    let (parts, start) = (parts(&game).expect("it falls apart"), game.engine.initial());
    let little = Budget::system().with_memory(1 << 10);
    let plan = solve(&parts, &mut *game.engine, &start, &little);
    assert!(plan.is_none_or(|plan| !plan.best && plan.positions < 134));
}

#[test]
fn unfactored_and_multiplayer_games_have_no_solution() {
    assert_eq!(planned(&mut playable(&fixture("eight_puzzle"))), None);
    assert_eq!(planned(&mut playable(&fixture("nim"))), None);
}

/// A puzzle of some dials, each with some number of places. A move takes one dial, or all of
/// them, to other places.
#[derive(Debug, Clone)]
struct Dials {
    /// For each dial and each of its two moves, the new place of each place.
    turns: Vec<[Vec<usize>; 2]>,
    /// Whether all dials are turned at once.
    together: bool,
    /// Whether there is a move that does nothing.
    wait: bool,
    /// Whether every dial moves on by itself where it is not turned.
    drift: bool,
    /// The number of moves until play ends.
    steps: usize,
    /// Whether play ends as soon as any dial, or all dials, are in their last place.
    ends: Option<bool>,
}

fn dials() -> impl Strategy<Value = Dials> {
    let dial = (3usize..6).prop_flat_map(|places| {
        let turn = proptest::collection::vec(0..places, places);
        [turn.clone(), turn]
    });
    let turns = proptest::collection::vec(dial, 2..4);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (turns, flags, 3usize..8, any::<Option<bool>>()).prop_map(
        |(turns, (together, wait, drift), steps, ends)| Dials {
            turns,
            together,
            wait,
            drift,
            steps,
            ends,
        },
    )
}

impl Dials {
    fn rules(&self) -> String {
        let count = self.turns.len();
        let mut text = "(role robot) (init (step 0)) (move 0) (move 1)\n".to_string();
        for step in 0..self.steps {
            text += &format!("(succ {step} {})", step + 1);
        }
        text += "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))\n";
        for (dial, turns) in self.turns.iter().enumerate() {
            text += &format!("(init (at {dial} 0)) (dial {dial}) ");
            for (mv, places) in turns.iter().enumerate() {
                for (from, to) in places.iter().enumerate() {
                    text += &format!("(turns {dial} {mv} {from} {to}) ");
                }
            }
            let places = turns[0].len();
            for place in 0..places {
                text += &format!("(next_to {dial} {place} {}) ", (place + 1) % places);
            }
            text += &format!("(last {dial} {})\n", places - 1);
        }
        let all = |name: &str| {
            let each = (0..count).map(|dial| format!("?{name}{dial}"));
            each.collect::<Vec<_>>().join(" ")
        };
        if self.together {
            let moves: String = (0..count).map(|dial| format!("(move ?m{dial})")).collect();
            text += &format!("(<= (legal robot (all {})) {moves})\n", all("m"));
            for dial in 0..count {
                text += &format!(
                    "(<= (turned {dial} ?m{dial}) (does robot (all {})))\n",
                    all("m")
                );
            }
        } else {
            text += "(<= (legal robot (turn ?d ?m)) (dial ?d) (move ?m))
                (<= (turned ?d ?m) (does robot (turn ?d ?m)))\n";
        }
        if self.wait {
            text += "(legal robot wait)\n";
        }
        text += "(<= (next (at ?d ?q)) (turned ?d ?m) (true (at ?d ?p)) (turns ?d ?m ?p ?q))
            (<= (moved ?d) (turned ?d ?m))\n";
        text += match self.drift {
            true => {
                "(<= (next (at ?d ?q)) (dial ?d) (not (moved ?d)) (true (at ?d ?p))
                    (next_to ?d ?p ?q))\n"
            }
            false => "(<= (next (at ?d ?p)) (dial ?d) (not (moved ?d)) (true (at ?d ?p)))\n",
        };
        text += "(<= (done ?d) (true (at ?d ?p)) (last ?d ?p)) (<= some (done ?d))\n";
        let done: String = (0..count).map(|dial| format!("(done {dial})")).collect();
        text += &format!(
            "(<= all {done}) (<= terminal (true (step {})))\n",
            self.steps
        );
        text += match self.ends {
            Some(true) => "(<= terminal all)\n",
            Some(false) => "(<= terminal some)\n",
            None => "",
        };
        text += "(<= (goal robot 100) all) (<= (goal robot 30) some (not all))
            (<= (goal robot 0) (not some))\n";
        text
    }
}

/// Every plan can be played, and a plan said to be the best is.
#[test]
fn plans_of_dials_match_exhaustive_search() {
    let (plans, best_plans) = (Cell::new(0), Cell::new(0));
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(96)
    };
    let check = |dials: Dials| {
        let mut game = playable(&dials.rules());
        let (best, _) = exhausted(&mut *game.engine);
        let Some(plan) = planned(&mut game) else {
            return Ok(());
        };
        prop_assert!(Some(plan.result) <= best);
        if plan.best {
            prop_assert_eq!(Some(plan.result), best);
        }
        plans.set(plans.get() + 1);
        best_plans.set(best_plans.get() + usize::from(plan.best));
        Ok(())
    };
    let run = TestRunner::new(config).run(&dials(), check);
    run.expect("plans are right");
    let counts = (plans.get(), best_plans.get());
    println!("plans, of which proved to be the best: {counts:?}");
    assert!(counts.0 > 30 && 3 * counts.1 > 2 * counts.0, "{counts:?}");
}
