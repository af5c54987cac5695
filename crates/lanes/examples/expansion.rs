//! How many children per second expansion in bulk generates, compared with an engine that
//! generates them one by one: `expansion [WORD ...]`, for the fixtures whose names contain one
//! of the words.
//!
//! For every child all compute the next state, whether it is terminal, the legal moves of all
//! roles, and the results if it is terminal. All get the same states of random play, and run
//! through the whole list in turns; the medians are shown, in thousands of children a second. "By
//! state" expands the children of one state at a time, the columns after it those of 64 states
//! together: interpreted, and as machine code for each kind of registers that the machine has.

use bitcode::{Code, Evaluator, Interpreter};
use bitcode_native::{Level, Native};
use budget::Budget;
use game::{Engine, MoveId, RoleId, State};
use lanes::{Ask, Children, Expander, Pair};
use propnet::PropnetEngine;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Instant;

const ROUNDS: usize = 15;

/// The most bytes of machine code for one program.
const CODE_BYTES: usize = 64 << 20;

/// Expands all pairs. Returns a number made of the answers.
type Run<'a> = Box<dyn FnMut(&[Pair<'_>]) -> usize + 'a>;

/// One way to expand.
struct Way<'a> {
    name: &'static str,
    run: Run<'a>,
}

impl<'a> Way<'a> {
    /// Expansion of all pairs in one call. `None` if the machine cannot run it.
    fn in_bulk<const W: usize>(
        name: &'static str,
        level: Option<Level>,
        logic: &netlist::GameLogic,
    ) -> Option<Way<'a>> {
        if level.is_some_and(|level| !level.supports(W)) {
            return None;
        }
        let mut expander = expander::<W>(level, logic);
        let (mut children, roles) = (Children::default(), logic.roles());
        let run = move |pairs: &[Pair<'_>]| {
            expander
                .expand(pairs, Ask::default(), &mut children, &Budget::system())
                .expect("no deadline");
            sum(&children, roles)
        };
        Some(Way {
            name,
            run: Box::new(run),
        })
    }
}

/// An expander of machine code, or an interpreted one without a level.
fn expander<const W: usize>(level: Option<Level>, logic: &netlist::GameLogic) -> Expander<W> {
    let compile = |code: &Code| -> Box<dyn Evaluator<W>> {
        let native = level
            .and_then(|level| Native::compile_for(level, code, CODE_BYTES, &Budget::system()).ok());
        match native {
            Some(native) => Box::new(native),
            None => Box::new(Interpreter::new(code)),
        }
    };
    Expander::new(&netlist::Phased::new(logic), compile)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut begun = false;
    for path in testkit::fixtures() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if !words.is_empty() && !words.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        measure(
            &name,
            &std::fs::read_to_string(&path).unwrap_or_default(),
            &mut begun,
        );
    }
}

fn measure(name: &str, source: &str, begun: &mut bool) {
    let sheet = gdl_parse::parse(source, &Default::default()).sheet;
    let program = datalog::Program::from_sheet(&sheet);
    let budget = Budget::system();
    let Ok(built) = compile::build_network(&program, &budget) else {
        println!("{name:28} has no network");
        return;
    };
    let logic = netlist::lower(&built.network, &budget).expect("no deadline");
    let mut engine = PropnetEngine::new(&built.network, &budget).expect("a network");
    let states = states(&mut engine, 64);
    let mut by_state = expander::<4>(Level::best(4), &logic);
    let (mut children, mut joints) = (Children::default(), Vec::new());
    let mut all: Vec<Vec<Vec<MoveId>>> = Vec::new();
    for state in &states {
        by_state
            .children(state, Ask::default(), &mut joints, &mut children, &budget)
            .expect("no deadline");
        all.push(joints.chunks(logic.roles()).map(Vec::from).collect());
    }
    let pairs: Vec<Pair<'_>> = states
        .iter()
        .zip(&all)
        .flat_map(|(state, joints)| joints.iter().map(move |joint| Pair { state, joint }))
        .collect();
    let one_by_one = Way {
        name: "one by one",
        run: Box::new(move |pairs| pairs.iter().map(|pair| look(&mut engine, pair)).sum()),
    };
    let (parents, roles) = (&states, logic.roles());
    let by_state = Way {
        name: "by state",
        run: Box::new(move |_| {
            let of_state = |state: &State| {
                let budget = Budget::system();
                by_state
                    .children(state, Ask::default(), &mut joints, &mut children, &budget)
                    .expect("no deadline");
                sum(&children, roles)
            };
            parents.iter().map(of_state).sum()
        }),
    };
    let in_bulk = [
        Way::in_bulk::<8>("interpreted", None, &logic),
        Way::in_bulk::<4>("AVX2 256", Some(Level::Avx2), &logic),
        Way::in_bulk::<4>("AVX-512 256", Some(Level::Avx512), &logic),
        Way::in_bulk::<8>("AVX-512 512", Some(Level::Avx512), &logic),
    ];
    let mut ways = vec![one_by_one, by_state];
    ways.extend(in_bulk.into_iter().flatten());
    if !std::mem::replace(begun, true) {
        let names: String = ways
            .iter()
            .map(|way| format!(" {:>12}", way.name))
            .collect();
        println!("{:28} {:>9}{names}", "game", "children");
    }
    let mut times = vec![Vec::new(); ways.len()];
    for _ in 0..ROUNDS {
        let mut sums = Vec::new();
        for (way, times) in ways.iter_mut().zip(&mut times) {
            let begin = Instant::now();
            sums.push((way.run)(&pairs));
            times.push(begin.elapsed().as_secs_f64());
        }
        assert!(sums.iter().all(|&sum| sum == sums[0]), "all find the same");
    }
    let rates: String = times
        .iter_mut()
        .map(|times| {
            times.sort_by(f64::total_cmp);
            let rate = pairs.len() as f64 / times[ROUNDS / 2] / 1e3;
            format!(" {rate:12.0}")
        })
        .collect();
    println!("{name:28} {:9}{rates}", pairs.len());
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
