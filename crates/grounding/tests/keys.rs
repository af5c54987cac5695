//! Small rulesheets in which facts seem to exclude each other, or do.

mod support;

use budget::Budget;
use grounding::{GroundGame, Grounding};
use std::fmt::Write;
use std::time::Duration;
use support::{Ground, compare};

/// A walker on a chain. It is at one place, so that its role is a key of `at`.
const WALK: &str = "(role a) (role b) (init (at 0)) (legal b wait) (legal a stay)
    (<= (legal a up) (true (at ?x)) (succ ?x ?y))
    (<= (next (at ?y)) (does a up) (true (at ?x)) (succ ?x ?y))
    (<= (next (at ?x)) (does a stay) (true (at ?x)))
    (<= terminal (true (at 30)))\n";

/// The walk with more rules, on a chain that is long enough for rules to be bounded.
fn walk(more: &str) -> String {
    let mut text = format!("{WALK}{more}\n");
    for number in 0..30 {
        write!(text, "(succ {number} {})", number + 1).expect("strings can be written to");
    }
    text
}

fn grounding(text: &str, ground: Ground) -> Grounding {
    let parsed = gdl_parse::parse(text, &Default::default());
    let program = datalog::Program::from_sheet(&parsed.sheet);
    let budget = Budget::system()
        .with_memory(64 << 20)
        .with_timeout(Duration::from_secs(20));
    ground(&program, &budget).expect("the rules can be grounded")
}

/// Both ways to ground the rules agree with the reasoner.
fn agrees(text: &str) {
    let choices: Vec<u32> = (0..12).map(|step| step % 3 + 1).collect();
    for ground in [grounding::ground, grounding::ground_closely] {
        if let Err(problem) = compare(text, &choices, ground) {
            panic!("{problem}");
        }
    }
}

fn facts(game: &GroundGame, name: &str) -> usize {
    let facts = game.facts.iter().map(ToString::to_string);
    facts.filter(|fact| fact.starts_with(name)).count()
}

/// Whether two facts with this name exclude each other.
fn exclude(game: &GroundGame, name: &str) -> bool {
    let is_named = |fact: &u32| {
        let fact = game.facts[*fact as usize].to_string();
        fact.starts_with(name)
    };
    let mut sets = game.exclusive.iter();
    sets.any(|set| set.iter().filter(|fact| is_named(fact)).count() > 1)
}

#[test]
fn places_of_a_walker_exclude_each_other() {
    let text = walk("");
    agrees(&text);
    assert!(exclude(&grounding(&text, grounding::ground).game, "(at"));
}

/// A rule that reaches three steps beyond the walker, if it is at another place than `?y`.
fn far(where_else: &str) -> String {
    format!(
        "(<= (next (far ?z)) (does a up) (true (at ?x)) {where_else} (distinct ?x ?y)
             (succ ?x ?v) (succ ?v ?w) (succ ?w ?z))"
    )
}

#[test]
fn a_condition_on_the_initial_state_says_nothing_of_the_present_one() {
    let text = walk(&far("(init (at ?y))"));
    agrees(&text);
    assert!(facts(&grounding(&text, grounding::ground).game, "(far") > 20);
}

#[test]
fn neither_does_one_inside_of_a_helper() {
    let helper = "(<= (home ?y) (init (at ?y)))";
    let text = walk(&format!("{} {helper}", far("(home ?y)")));
    agrees(&text);
    assert!(facts(&grounding(&text, grounding::ground).game, "(far") > 20);
}

#[test]
fn a_condition_on_the_next_state_says_nothing_of_the_present_one() {
    let text = walk(&far("(next (at ?y))"));
    agrees(&text);
    assert!(facts(&grounding(&text, grounding::ground).game, "(far") > 20);
}

#[test]
fn facts_of_two_states_do_not_exclude_each_other() {
    let seen = "(init (seen 0))
        (<= (next (seen ?x)) (true (at ?x)))
        (<= (next (seen ?x)) (next (at ?x)))";
    let text = walk(seen);
    agrees(&text);
    let game = grounding(&text, grounding::ground).game;
    assert!(exclude(&game, "(at"));
    assert!(!exclude(&game, "(seen"));
}

#[test]
fn rules_that_read_the_initial_state_do_not_exclude_each_other() {
    let seen = "(init (seen 0))
        (<= (next (seen ?x)) (true (at ?x)))
        (<= (next (seen ?x)) (init (at ?x)))";
    let text = walk(seen);
    agrees(&text);
    assert!(!exclude(&grounding(&text, grounding::ground).game, "(seen"));
}

/// Each condition `big` makes a term eight times as large. No two of them fit each other, which
/// is seen if none is written out.
#[test]
fn terms_that_grow_with_each_condition_are_left_alone() {
    let chain: String = (0..12)
        .map(|n| format!("(big ?v{n} ?v{})", n + 1))
        .collect();
    let grown = "(f ?x ?x ?x ?x ?x ?x ?x ?x)";
    let rules = format!(
        "(init (b 0)) (init (b 1)) (init (pair 0 0))
         (<= (next (b ?x)) (true (b ?x)))
         (<= (big ?x {grown}) (true (b ?x)))
         (<= (next (pair ?z ?w)) (true (pair ?z ?v0)) (true (b ?w)) {chain})"
    );
    let text = walk(&rules);
    agrees(&text);
    let game = grounding(&text, grounding::ground).game;
    assert_eq!(facts(&game, "(pair"), 1);
    assert!(exclude(&game, "(at"));
}

/// The same growth inside of one pair of atoms: a single head that fits a single condition.
#[test]
fn terms_that_grow_within_one_condition_are_left_alone() {
    let links = || (0..12).map(|n| (n, n + 1));
    let head: String = links()
        .map(|(n, _)| format!("?v{n} (f ?v{n} ?v{n} ?v{n} ?v{n} ?v{n} ?v{n} ?v{n} ?v{n})"))
        .collect::<Vec<_>>()
        .join(" ");
    let call: String = links()
        .map(|(n, m)| format!("?w{n} ?w{m}"))
        .collect::<Vec<_>>()
        .join(" ");
    let bound: String = (0..12).map(|n| format!("(true (b ?v{n}))")).collect();
    let rules = format!(
        "(init (b 0)) (init (pair 0 0)) (<= (next (b ?x)) (true (b ?x)))
         (<= (big {head}) {bound})
         (<= (next (pair ?z ?w0)) (true (pair ?z ?w)) (big {call}))"
    );
    let text = walk(&rules);
    agrees(&text);
    assert_eq!(facts(&grounding(&text, grounding::ground).game, "(pair"), 1);
}
