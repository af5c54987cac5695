//! Every step of every lane follows the rules, as checked by the reasoner.

mod common;

use bitcode::Plane;
use common::walker::{LANES, W, Walker};
use common::{Game, scanned};
use game::{Engine, RoleId, State};
use lanes::{Choice, Policy};
use netlist::Phased;

/// Makes steps in all lanes, and checks one lane after the other with the oracle, `asked` in
/// each step. Returns the number of transitions compared.
fn check(game: &mut Game, choices: &[Choice], steps: usize, asked: usize) -> usize {
    let mut walker = Walker::new(
        game,
        &Phased::new(&game.logic),
        choices,
        &Policy::default(),
        5,
    );
    let mut alive = Plane::<W>::TRUE;
    let (mut next_asked, mut compared) = (0, 0);
    for step in 0..steps {
        walker.look();
        let places = walker.places().clone();
        let (terminal, stuck) = (walker.memory[places.terminal], walker.memory[places.stuck]);
        // Takes the lanes in turn, as long as they play.
        let mut lanes = Vec::new();
        for _ in 0..LANES {
            if lanes.len() < asked && alive.get(next_asked) {
                lanes.push(next_asked);
            }
            next_asked = (next_asked + 1) % LANES;
            if lanes.len() == asked {
                break;
            }
        }
        let mut before = Vec::new();
        for &lane in &lanes {
            let state: State = walker.state(lane);
            let there = game.there(&state);
            let name = format!("{} step {step} lane {lane}", game.name);
            let over = game.oracle.terminal(&there).unwrap();
            assert_eq!(terminal.get(lane), over, "{name}");
            for (role, goals) in places.goals.iter().enumerate() {
                let expected = game.oracle.goal(&there, RoleId(role)).unwrap();
                let found: Vec<u8> = goals
                    .iter()
                    .filter(|&&(_, plane)| walker.memory[plane].get(lane))
                    .map(|&(value, _)| value)
                    .collect();
                assert_eq!(found, Vec::from_iter(expected), "{name} role {role}");
            }
            let after = if over {
                Vec::new()
            } else {
                game.successors(&state)
            };
            assert_eq!(stuck.get(lane), !over && after.is_empty(), "{name}");
            before.push(after);
        }
        walker.make();
        walker.go_on();
        for (&lane, possible) in lanes.iter().zip(&before) {
            if terminal.get(lane) || stuck.get(lane) {
                continue;
            }
            let now = game.engine.facts(&walker.state(lane));
            let name = &game.name;
            assert!(possible.contains(&now), "{name} step {step} lane {lane}");
            compared += 1;
        }
        for plane in [terminal, stuck] {
            alive = alive.zip(&plane, |a, b| a & !b);
        }
        if alive.is_false() {
            break;
        }
    }
    compared
}

#[test]
fn steps_of_fixtures_are_legal() {
    let mut compared = 0;
    for mut game in Game::fixtures() {
        // Enough for every game to end in some lanes, but fewer for games that are slow to
        // check.
        let slow = game.logic.net.len() > 20_000;
        let (steps, asked) = if slow { (6, 1) } else { (40, 2) };
        let (plain, proved) = (Choice::plain(&game.logic), game.proved_choices());
        let mut here = check(&mut game, &plain, steps, asked);
        here += check(&mut game, &proved, steps, 1);
        here += check(&mut game, &scanned(&proved), steps, 1);
        assert!(here > 0, "{}", game.name);
        compared += here;
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn steps_of_random_games_are_legal() {
    let compared: usize = (0..60)
        .map(|seed| {
            let source = testkit::games::random_game(seed);
            let mut game = Game::new(&format!("random game {seed}"), &source);
            let (plain, proved) = (Choice::plain(&game.logic), game.proved_choices());
            let circuits = check(&mut game, &plain, 12, 4) + check(&mut game, &proved, 12, 4);
            let scans = [scanned(&plain), scanned(&proved)];
            let scans = scans.map(|choices| check(&mut game, &choices, 12, 4));
            circuits + scans.iter().sum::<usize>()
        })
        .sum();
    assert!(compared > 500, "{compared}");
}

/// The robot takes one thing after the other, then waits: waiting is forced where it is legal.
const THINGS: &str = "
    (role robot)
    (init (there ball)) (init (there cup)) (init (step 0))
    (next-step 0 1) (next-step 1 2) (next-step 2 3) (next-step 3 4)
    (<= (legal robot (take ?x)) (true (there ?x)))
    (<= (legal robot wait) (not something))
    (<= something (true (there ?x)))
    (<= (next (there ?x)) (true (there ?x)) (not (does robot (take ?x))))
    (<= (next (held ?x)) (does robot (take ?x)))
    (<= (next (waited)) (does robot wait))
    (<= (next (step ?b)) (true (step ?a)) (next-step ?a ?b))
    (<= terminal (true (step 4)))
    (goal robot 100)";

#[test]
fn nothing_is_chosen_where_a_move_is_forced() {
    let mut game = Game::new("things", THINGS);
    let number = |text: &str| {
        let moves = game.logic.words.moves[0].iter();
        let found = moves.map(ToString::to_string).position(|term| term == text);
        (0, found.expect("a move of the game") as u32)
    };
    let choice = Choice {
        leaves: vec![vec![number("(take ball)")], vec![number("(take cup)")]],
        forced: vec![number("wait")],
        scan_from: lanes::SCAN_FROM,
    };
    assert!(check(&mut game, &[choice], 5, 4) > 10);
}
