//! How many children per second expansion in bulk generates, compared with an engine that
//! generates them one by one: `expansion [WORD ...]`, for the fixtures whose names contain one
//! of the words.
//!
//! For every child both compute the next state, whether it is terminal, the legal moves of all
//! roles, and the results if it is terminal. Both get the same states of random play, and run
//! through the whole list in turns; the medians are shown. "Wide" expands the children of 64
//! states together.

use bitcode::{Code, Evaluator, Interpreter};
use budget::Budget;
use game::{Engine, MoveId, RoleId, State};
use lanes::{Ask, Children, Expander, Pair};
use propnet::PropnetEngine;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Instant;

const W: usize = 8;
const ROUNDS: usize = 7;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "{:28} {:>9} {:>12} {:>12} {:>12} {:>7} {:>7}",
        "game", "children", "one by one", "by state", "wide", "ratio", "wide"
    );
    for path in testkit::fixtures() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if !words.is_empty() && !words.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        measure(&name, &std::fs::read_to_string(&path).unwrap_or_default());
    }
}

fn measure(name: &str, source: &str) {
    let sheet = gdl_parse::parse(source, &Default::default()).sheet;
    let program = datalog::Program::from_sheet(&sheet);
    let budget = Budget::system();
    let Ok(built) = compile::build_network(&program, &budget) else {
        println!("{name:28} has no network");
        return;
    };
    let logic = netlist::lower(&built.network, &budget).expect("no deadline");
    let mut engine = PropnetEngine::new(&built.network, &budget).expect("a network");
    let compile = |code: &Code| Box::new(Interpreter::new(code)) as Box<dyn Evaluator<W>>;
    let mut expander = Expander::<W>::new(&netlist::Phased::new(&logic), compile);
    let states = states(&mut engine, 64);
    let mut children = Children::default();
    let mut joints = Vec::new();
    let mut all: Vec<Vec<Vec<MoveId>>> = Vec::new();
    for state in &states {
        expander
            .children(state, Ask::default(), &mut joints, &mut children, &budget)
            .expect("no deadline");
        all.push(joints.chunks(logic.roles()).map(Vec::from).collect());
    }
    let pairs: Vec<Pair<'_>> = states
        .iter()
        .zip(&all)
        .flat_map(|(state, joints)| joints.iter().map(move |joint| Pair { state, joint }))
        .collect();
    let mut times = [(); 3].map(|()| Vec::new());
    let mut sums = [0; 3];
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        sums[0] = pairs
            .iter()
            .map(|pair| look(&mut engine, pair))
            .sum::<usize>();
        times[0].push(begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        sums[1] = 0;
        for state in &states {
            expander
                .children(state, Ask::default(), &mut joints, &mut children, &budget)
                .expect("no deadline");
            sums[1] += sum(&children, logic.roles());
        }
        times[1].push(begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        expander
            .expand(&pairs, Ask::default(), &mut children, &budget)
            .expect("no deadline");
        sums[2] = sum(&children, logic.roles());
        times[2].push(begin.elapsed().as_secs_f64());
    }
    assert_eq!(sums, [sums[0]; 3], "all find the same");
    let rates = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        pairs.len() as f64 / times[ROUNDS / 2]
    });
    let [one, state, wide] = rates;
    println!(
        "{name:28} {:9} {one:12.0} {state:12.0} {wide:12.0} {:7.1} {:7.1}",
        pairs.len(),
        state / one,
        wide / one
    );
}

/// Non-terminal states of random play.
fn states(engine: &mut PropnetEngine, most: usize) -> Vec<State> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut states, mut moves) = (Vec::new(), Vec::new());
    let mut state = engine.initial();
    while states.len() < most {
        let mut joint = Vec::new();
        for role in 0..engine.roles().len() {
            engine
                .legal(&state, RoleId(role), &mut moves)
                .expect("sound");
            if !moves.is_empty() {
                joint.push(moves[rng.random_range(0..moves.len())]);
            }
        }
        if engine.terminal(&state).expect("sound") || joint.len() < engine.roles().len() {
            state = engine.initial();
            continue;
        }
        let mut next = State::default();
        engine.next(&state, &joint, &mut next).expect("sound");
        states.push(std::mem::replace(&mut state, next));
    }
    states
}

/// Applies a joint move and evaluates the child completely. Returns a number made of the
/// answers.
fn look(engine: &mut PropnetEngine, pair: &Pair<'_>) -> usize {
    let mut next = State::default();
    engine
        .next(pair.state, pair.joint, &mut next)
        .expect("sound");
    if engine.terminal(&next).expect("sound") {
        let roles = 0..engine.roles().len();
        return roles
            .map(|role| engine.goal(&next, RoleId(role)).expect("sound"))
            .map(|goal| 1000 + usize::from(goal.unwrap_or(0)))
            .sum();
    }
    let mut moves = Vec::new();
    let mut count = 0;
    for role in 0..engine.roles().len() {
        engine
            .legal(&next, RoleId(role), &mut moves)
            .expect("sound");
        count += moves.len();
    }
    count
}

fn sum(children: &Children, roles: usize) -> usize {
    let each = (0..children.len()).map(|child| -> usize {
        if children.terminal(child) {
            let goals = children.goals(child).iter();
            return goals
                .map(|goal| 1000 + usize::from(goal.unwrap_or(0)))
                .sum();
        }
        (0..roles)
            .map(|role| children.legal(child, role).len())
            .sum()
    });
    each.sum()
}
