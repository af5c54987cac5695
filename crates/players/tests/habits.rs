//! Opponents with habits in a game that repeats a stage are beaten, and faked habits win
//! little.

use budget::Budget;
use game::{Engine, MoveId, RoleId, State};
use players::{BestMove, Player, Setup, by_name};
use prepare::{EngineChoice, Options};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// The signs shown in the rounds before: by the player, and by the opponent.
type Shown = [(usize, usize)];

/// The signs in the order of rock, paper, scissors: each is beaten by the next.
const SIGNS: [&str; 3] = ["rock", "paper", "scissors"];

/// The mean result of a player against an opponent, 0 to 1, in this many matches.
fn mean(spec: &str, matches: u64, opponent: fn(&Shown, usize) -> usize) -> f64 {
    let path = testkit::root().join("fixtures/games/rock_paper_scissors_repeated.gdl");
    let rules = std::fs::read_to_string(path).expect("it is there");
    let options = Options {
        engine: EngineChoice::Scalar,
        ..Options::default()
    };
    let game = prepare::prepare(&rules, &options, &Budget::system());
    let game = game.expect("it plays").playable;
    let mut engine = game.engine.fork();
    let mut sum = 0.0;
    for seed in 0..matches {
        let mut player = by_name(spec).expect(spec);
        let setup = Setup {
            playable: game.fork(),
            role: RoleId(0),
            seed,
            threads: 1,
            memory: 64 << 20,
        };
        player.start(setup, &Budget::system()).expect("it starts");
        sum += play(&mut *engine, &mut *player, seed, opponent);
    }
    sum / matches as f64
}

fn play(
    engine: &mut dyn Engine,
    player: &mut dyn Player,
    seed: u64,
    opponent: fn(&Shown, usize) -> usize,
) -> f64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut state = engine.initial();
    let mut shown = Vec::new();
    while !engine.terminal(&state).expect("it plays") {
        let mut signs = |role: usize| -> Vec<(MoveId, usize)> {
            let (role, mut moves) = (RoleId(role), Vec::new());
            engine.legal(&state, role, &mut moves).expect("it plays");
            let mut sign = |mv| {
                let term = engine.move_term(role, mv).to_string();
                SIGNS.iter().position(|sign| term.contains(sign))
            };
            let all = moves.into_iter();
            all.map(|mv| (mv, sign(mv).expect("a sign"))).collect()
        };
        let [ours, theirs] = [0, 1].map(&mut signs);
        let own = player.choose(&state, &BestMove::default(), &Budget::system());
        let own = own.expect("a move");
        let theirs_shown = opponent(&shown, rng.random_range(0..3));
        let find = |all: &[(MoveId, usize)], is: &dyn Fn(&(MoveId, usize)) -> bool| {
            *all.iter().find(|one| is(one)).expect("it is legal")
        };
        let other = find(&theirs, &|one| one.1 == theirs_shown);
        shown.push((find(&ours, &|one| one.0 == own).1, theirs_shown));
        let mut next = State::default();
        engine
            .next(&state, &[own, other.0], &mut next)
            .expect("it plays");
        state = next;
    }
    let goal = engine.goal(&state, RoleId(0)).expect("it plays");
    f64::from(goal.expect("it has a goal")) / 100.0
}

const PLAYER: &str = "default:no-prepare,playouts=400";

#[test]
fn a_constant_opponent_is_beaten() {
    let with = mean(PLAYER, 8, |_, _| 0);
    let without = mean("default:no-habits,no-prepare,playouts=400", 8, |_, _| 0);
    assert!(with > 0.85 && with > without + 0.2, "{with}, {without}");
}

#[test]
fn faked_habits_win_little() {
    // After a few rounds it shows what beats the answer to the sign that it has shown most.
    let with = mean(PLAYER, 30, |shown, first| {
        let count = |sign| shown.iter().filter(|round| round.1 == sign).count();
        let most = (0..3).max_by_key(|&sign| count(sign)).unwrap_or(0);
        let habit = shown.len() < 4 || first == 0;
        if habit { 0 } else { (most + 2) % 3 }
    });
    assert!(with > 0.3, "{with}");
}
