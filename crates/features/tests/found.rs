//! Features of real games, and of the same games in other words.

use analysis::boards::Boards;
use budget::Budget;
use compile::Proved;
use features::{Found, Kinds, Shared};
use gdl_scramble::{ScrambleOptions, scramble};
use profile::symmetries::Symmetries;
use std::time::Duration;

fn rules(name: &str) -> String {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    std::fs::read_to_string(path).expect("the fixture")
}

fn found(rules: &str, kinds: Kinds, seed: u64) -> Found {
    with_symmetries(rules, kinds, seed).0
}

/// The features, before what symmetries share, and the symmetries.
fn with_symmetries(rules: &str, kinds: Kinds, seed: u64) -> (Found, Symmetries) {
    let budget = Budget::system();
    let compiled = compile::compile(rules, &budget).expect("it has a network");
    // More time than it takes, so that it repeats.
    let within = budget.with_timeout(Duration::from_secs(600));
    let proved = Proved::find(compiled.into(), 1, &within);
    let logic = &proved.compiled.logic;
    let boards = Boards::find(logic, &proved.groups, 1, &within);
    let phases = &proved.compiled.phased.phases;
    let found = Found::find(logic, phases, &proved.groups, &boards, kinds, seed, &within);
    let network = proved.compiled.network.as_ref().expect("it has a network");
    let symmetries = Symmetries::find(network, logic, &boards, 1, &within);
    (found, symmetries)
}

/// What does not depend on the order of facts: sizes of variables, numbers of tuples and sets.
fn shape(found: &Found) -> (Vec<u32>, usize, usize) {
    let mut sizes = found.set.sizes.clone();
    sizes.sort_unstable();
    (sizes, found.set.tuples.len(), found.set.sets.len())
}

#[test]
fn squares_are_variables_and_turns_are_sets() {
    let found = found(&rules("breakthrough"), Kinds::default(), 1);
    assert_eq!(found.variables.len(), 64);
    assert!(
        found
            .variables
            .iter()
            .all(|variable| variable.place.is_some())
    );
    assert_eq!(found.set.sets.len(), 2);
    // Each tuple has as many variables as its table has dimensions, and fits it.
    for tuple in &found.set.tuples {
        let table = &found.set.tables[tuple.table as usize];
        assert_eq!(tuple.variables.len(), table.sizes.len());
        for (variable, &size) in tuple.variables.iter().zip(&table.sizes) {
            assert!(variable.is_none_or(|at| found.set.sizes[at as usize] <= size));
        }
    }
}

#[test]
fn facts_that_say_nothing_are_left_out() {
    // A step counter and a fact that never changes are no variables.
    let rules = "(role a) (role b) (init (step 0)) (init always) (init (control a))
        (init (cell 1 free)) (init (cell 2 free)) (init (cell 3 free))
        (<= (legal ?r (mark ?c)) (true (control ?r)) (true (cell ?c free)))
        (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
        (<= (next (cell ?c ?r)) (does ?r (mark ?c)))
        (<= (next (cell ?c ?v)) (true (cell ?c ?v)) (distinct ?v free))
        (<= (next (cell ?c free)) (true (cell ?c free)) (not (marked ?c)))
        (<= (marked ?c) (does ?r (mark ?c)))
        (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (succ 0 1) (succ 1 2) (succ 2 3)
        (next always)
        (<= terminal (true (step 3)))
        (<= (goal a 100) (true (cell 2 a))) (<= (goal a 0) (not (true (cell 2 a))))
        (<= (goal b 100) (true (cell 2 b))) (<= (goal b 0) (not (true (cell 2 b))))";
    let found = found(rules, Kinds::default(), 1);
    assert_eq!(found.variables.len(), 3, "{:?}", found.variables);
    assert!(found.set.sizes.iter().all(|&size| size == 3));
}

#[test]
fn kinds_are_switched_one_by_one() {
    let rules = rules("breakthrough_small");
    let with = |pairs, local, shapes| {
        let kinds = Kinds {
            pairs,
            local,
            shapes,
            ..Kinds::default()
        };
        found(&rules, kinds, 1).set.tuples.len()
    };
    let singles = with(false, false, false);
    let all = with(true, true, true);
    let parts = [
        with(true, false, false),
        with(false, true, false),
        with(false, false, true),
    ];
    assert!(
        parts.iter().all(|&part| part > singles),
        "{singles} {parts:?}"
    );
    let added: usize = parts.iter().map(|part| part - singles).sum();
    assert_eq!(all, singles + added);
}

#[test]
fn what_symmetries_map_to_each_other_shares_its_weights() {
    for (name, sets) in [("breakthrough", 1), ("hex", 1), ("connect_four", 1)] {
        let (mut found, symmetries) = with_symmetries(&rules(name), Kinds::default(), 1);
        let (before, tables) = (found.set.clone(), found.set.tables.len());
        let all = symmetries.elements(48).expect("there are few");
        let shared = found.share(&all);
        assert_eq!(shared.sets, sets, "{name}");
        assert!(found.set.is_sound(), "{name}");
        assert_eq!(found.set.tuples.len(), before.tuples.len(), "{name}");
        assert_eq!(found.set.tables.len(), tables - shared.tables, "{name}");
        // Left and right of the board: nearly half of the tables that were not shared before.
        let users = |table: usize| {
            let tuples = before.tuples.iter();
            tuples.filter(|one| one.table as usize == table).count()
        };
        let own = (0..tables).filter(|&table| users(table) == 1).count();
        assert!(3 * shared.tables > own, "{name}: {shared:?} of {own}");
        for (tuple, before) in found.set.tuples.iter().zip(&before.tuples) {
            let variables = |tuple: &heuristics::Tuple| {
                let mut variables = tuple.variables.clone();
                variables.sort_unstable();
                variables
            };
            assert_eq!(variables(tuple), variables(before), "{name}");
            let table = &found.set.tables[tuple.table as usize];
            for (variable, &size) in tuple.variables.iter().zip(&table.sizes) {
                assert!(variable.is_none_or(|at| found.set.sizes[at as usize] <= size));
            }
        }
    }
}

#[test]
fn without_symmetries_nothing_is_shared() {
    let (mut found, symmetries) = with_symmetries(&rules("sheep_and_wolf"), Kinds::default(), 1);
    let before = found.set.clone();
    let shared = found.share(&symmetries.elements(48).unwrap_or_default());
    assert_eq!(shared.sets, 0, "sheep are no wolves");
    assert_eq!(found.share(&[]), Shared::default());
    assert_eq!(found.set.tuples.len(), before.tuples.len());
}

#[test]
fn the_same_game_in_other_words_has_the_same_features() {
    for name in ["tic_tac_toe", "breakthrough_small", "reversi"] {
        let text = rules(name);
        let sheet = gdl_parse::parse(&text, &Default::default()).sheet;
        let options = ScrambleOptions {
            seed: 7,
            shuffle_rules: true,
            shuffle_arguments: true,
            ..Default::default()
        };
        let other = scramble(&sheet, &options).sheet.to_string();
        let [one, two] = [text, other].map(|text| found(&text, Kinds::default(), 1));
        assert_eq!(shape(&one).0, shape(&two).0, "{name}");
        assert_eq!(shape(&one).2, shape(&two).2, "{name}");
    }
}
