//! Every step of every lane follows the rules, as the reasoner knows them.

mod common;

use bitcode::{Evaluator, Interpreter, Plane};
use common::Game;
use game::{Engine, RoleId, State};
use lanes::{Choice, LOOK, MOVE, RESULTS, RandomPlanes, Step, load, unload};
use netlist::Phases;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const W: usize = 2;

/// Makes steps in all lanes, and asks the oracle about one lane after the other, `asked` in each
/// step. Returns how many transitions were compared.
fn check(game: &mut Game, choices: &[Choice], steps: usize, asked: usize) -> usize {
    let phases = Phases::find(&game.logic);
    let machines: Vec<(Step, Interpreter)> = (0..phases.period())
        .map(|phase| {
            let step = Step::new(&phases.specialise(&game.logic, phase), choices);
            let interpreter = Interpreter::new(&step.code);
            (step, interpreter)
        })
        .collect();
    let planes = machines.iter().map(|(_, m)| Evaluator::<W>::planes(m));
    let mut memory = vec![Plane::<W>::FALSE; planes.max().unwrap_or(0)];
    let facts = game.logic.facts.len();
    let mut random = RandomPlanes::<W>::new(5);
    let mut more = SplitMix64::seed_from_u64(6);
    let initial = game.engine.initial();
    load(&mut memory[..facts], |_| Some(initial.words()));
    let mut alive = Plane::<W>::TRUE;
    let (mut next_asked, mut compared) = (0, 0);
    let mut words = Vec::new();
    for step in 0..steps {
        let (Step { places, .. }, machine) = &machines[step % machines.len()];
        for choice in &places.choices {
            random.fill(&mut memory[choice.random.clone()]);
        }
        machine.run(LOOK, &mut memory);
        for choice in &places.choices {
            choice.mend(&mut memory, &alive, || more.next_u64());
        }
        machine.run(RESULTS, &mut memory);
        let (terminal, stuck) = (memory[places.terminal], memory[places.stuck]);
        // Every lane has its turn, as long as it plays.
        let mut lanes = Vec::new();
        for _ in 0..Plane::<W>::LANES {
            if lanes.len() < asked && alive.get(next_asked) {
                lanes.push(next_asked);
            }
            next_asked = (next_asked + 1) % Plane::<W>::LANES;
            if lanes.len() == asked {
                break;
            }
        }
        let mut before = Vec::new();
        for &lane in &lanes {
            unload(&memory[..facts], lane, &mut words);
            let state = State::from_words(words.clone());
            let there = game.there(&state);
            let name = format!("{} step {step} lane {lane}", game.name);
            let over = game.oracle.terminal(&there).unwrap();
            assert_eq!(terminal.get(lane), over, "{name}");
            for (role, goals) in places.goals.iter().enumerate() {
                let expected = game.oracle.goal(&there, RoleId(role)).unwrap();
                let found: Vec<u8> = goals
                    .iter()
                    .filter(|&&(_, plane)| memory[plane].get(lane))
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
        machine.run(MOVE, &mut memory);
        let (here, next) = memory.split_at_mut(facts);
        here.copy_from_slice(&next[..facts]);
        for (&lane, possible) in lanes.iter().zip(&before) {
            if terminal.get(lane) || stuck.get(lane) {
                continue;
            }
            unload(&memory[..facts], lane, &mut words);
            let now = game.engine.facts(&State::from_words(words.clone()));
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
        // Enough for every game to end in some lanes, but for those that are slow to ask about.
        let slow = game.logic.net.len() > 20_000;
        let (steps, asked) = if slow { (6, 1) } else { (40, 2) };
        let (plain, proved) = (Choice::plain(&game.logic), game.proved_choices());
        let here = check(&mut game, &plain, steps, asked) + check(&mut game, &proved, steps, 1);
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
            check(&mut game, &plain, 12, 4) + check(&mut game, &proved, 12, 4)
        })
        .sum();
    assert!(compared > 500, "{compared}");
}

/// Takes one thing after the other, then waits: waiting is forced where it is legal.
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
    };
    assert!(check(&mut game, &[choice], 5, 4) > 10);
}
