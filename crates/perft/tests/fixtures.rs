//! Every fixture is a clean rulesheet of a well-formed game.

use budget::Budget;
use game::{Engine, MoveId, RoleId, State};
use prepare::{EngineChoice, Options, prepare};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;
use std::fs::read_to_string;

/// Number of random playouts of each game.
const PLAYOUTS: u64 = 3;

/// More steps than any fixture allows.
const MAX_STEPS: usize = 300;

fn reasoner(source: &str) -> Box<dyn Engine> {
    let options = Options {
        engine: EngineChoice::Reasoner,
        ..Options::default()
    };
    prepare(source, &options, &Budget::system())
        .unwrap()
        .playable
        .engine
}

#[test]
fn fixtures_have_no_findings() {
    for path in testkit::fixtures() {
        let source = read_to_string(&path).unwrap();
        let parsed = gdl_parse::parse(&source, &gdl_parse::ParseOptions::default());
        let findings = gdl_check::check(&parsed);
        assert!(findings.is_empty(), "{}: {findings:?}", path.display());
    }
}

/// The declarations with `base` and `input`, as texts `base F` and `input R M`. Empty if there
/// are none. They depend on no state, so rules that copy them to the next state show them after
/// any move.
fn declared(source: &str) -> BTreeSet<String> {
    if !source.contains("(base") {
        return BTreeSet::new();
    }
    let shown = format!(
        "{source}
        (<= (next (shown_base ?f)) (base ?f))
        (<= (next (shown_input ?r ?m)) (input ?r ?m))"
    );
    let mut engine = reasoner(&shown);
    let start = engine.initial();
    let joint: Vec<MoveId> = (0..engine.roles().len())
        .map(|role| legal(&mut *engine, &start, role)[0])
        .collect();
    let mut next = State::default();
    engine.next(&start, &joint, &mut next).unwrap();
    let shown = engine.facts(&next).into_iter().filter_map(|fact| {
        let text = fact.to_string();
        Some(text.strip_prefix("(shown_")?.strip_suffix(')')?.to_owned())
    });
    shown.collect()
}

fn legal(engine: &mut dyn Engine, state: &State, role: usize) -> Vec<MoveId> {
    let mut moves = Vec::new();
    engine.legal(state, RoleId(role), &mut moves).unwrap();
    moves
}

#[test]
fn random_play_is_well_formed() {
    for path in testkit::fixtures() {
        let source = read_to_string(&path).unwrap();
        let declared = declared(&source);
        let mut engine = reasoner(&source);
        for seed in 0..PLAYOUTS {
            if let Err(problem) = play(&mut *engine, &declared, seed) {
                panic!("{}, playout {seed}: {problem}", path.display());
            }
        }
    }
}

/// Plays one game at random. Returns the first problem.
fn play(engine: &mut dyn Engine, declared: &BTreeSet<String>, seed: u64) -> Result<(), String> {
    let is_declared = |text: String| declared.is_empty() || declared.contains(&text);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let roles = engine.roles().to_vec();
    let (mut here, mut there) = (engine.initial(), State::default());
    for step in 0..MAX_STEPS {
        for fact in engine.facts(&here) {
            if !is_declared(format!("base {fact}")) {
                return Err(format!("step {step}: {fact} is not a base proposition"));
            }
        }
        let terminal = engine.terminal(&here).unwrap();
        for (index, role) in roles.iter().enumerate() {
            // Fixtures define goals in every state, not only in terminal ones.
            if engine.goal(&here, RoleId(index)).unwrap().is_none() {
                return Err(format!("step {step}: {role} has no single result"));
            }
        }
        if terminal {
            return Ok(());
        }
        let mut joint = Vec::new();
        for (index, role) in roles.iter().enumerate() {
            let moves = legal(engine, &here, index);
            if moves.is_empty() {
                return Err(format!("step {step}: {role} has no legal move"));
            }
            for &mv in &moves {
                let term = engine.move_term(RoleId(index), mv);
                if !is_declared(format!("input {role} {term}")) {
                    return Err(format!("step {step}: {term} is not an input of {role}"));
                }
            }
            joint.push(moves[rng.random_range(0..moves.len())]);
        }
        engine.next(&here, &joint, &mut there).unwrap();
        std::mem::swap(&mut here, &mut there);
    }
    Err(format!("not over after {MAX_STEPS} steps"))
}

#[test]
fn the_readme_lists_every_fixture() {
    let readme = read_to_string(testkit::root().join("fixtures/README.md")).unwrap();
    let listed: Vec<&str> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    let fixtures = testkit::fixtures();
    let names: Vec<&str> = fixtures
        .iter()
        .filter_map(|path| path.file_stem()?.to_str())
        .collect();
    assert!(names.len() >= 30);
    assert_eq!(listed, names);
}
