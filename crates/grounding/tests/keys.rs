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

/// Pieces on a line that move to empty cells. What stands where one arrives is not removed.
fn pieces(path: &str) -> String {
    let mut text = format!(
        "(role a) (role b) (legal b wait) (legal a stay)
         (init (cell 1 king)) (init (cell 2 pawn)) (init (cell 5 pawn)) (init (control a))
         (<= (occupied ?x) (true (cell ?x ?any)))
         (<= (path ?x ?y) (succ ?x ?y) (not (occupied ?y)))
         (<= (path ?x ?y) (succ ?x ?z) (not (occupied ?z)) (path ?z ?y)) {path}
         (<= (turn ?r) (true (control ?r))) (<= (next (control a)) (true (control a)))
         (<= (reaches king ?x ?y) (true (cell ?x king)) (succ ?x ?y) (not (occupied ?y)))
         (<= (reaches pawn ?x ?y) (true (cell ?x pawn)) (path ?x ?y))
         (<= (legal a (move ?p ?x ?y)) (turn a) (reaches ?p ?x ?y))
         (<= (legal a (move king ?x ?y)) (true (control a)) (true (cell ?x king)) (succ ?y ?x)
             (not (occupied ?y)))
         (<= (next (cell ?y ?p)) (does a (move ?p ?x ?y)))
         (<= (next (cell ?x ?p)) (true (cell ?x ?p)) (does a stay))
         (<= (next (cell ?z ?p)) (true (cell ?z ?p)) (does a (move ?q ?x ?y)) (distinct ?z ?x))
         (<= terminal (true (cell 9 king)))\n"
    );
    for number in 1..9 {
        write!(text, "(succ {number} {})", number + 1).expect("strings can be written to");
    }
    text
}

/// Whether facts exclude each other in a set that contains these two.
fn are_exclusive(game: &GroundGame, two: [&str; 2]) -> bool {
    let has = |set: &[u32], fact: &str| {
        set.iter()
            .any(|&other| game.facts[other as usize].to_string() == fact)
    };
    game.exclusive
        .iter()
        .any(|set| two.iter().all(|fact| has(set, fact)))
}

#[test]
fn the_only_piece_of_its_kind_is_in_one_place() {
    let text = pieces("");
    agrees(&text);
    let game = grounding(&text, grounding::ground).game;
    assert!(are_exclusive(&game, ["(cell 1 king)", "(cell 4 king)"]));
    assert!(!are_exclusive(&game, ["(cell 2 pawn)", "(cell 5 pawn)"]));
    // A pawn that gets to the end becomes another king.
    let text = pieces("(<= (next (cell 9 king)) (does a (move pawn ?x 9)))");
    agrees(&text);
    let game = grounding(&text, grounding::ground).game;
    assert!(!are_exclusive(&game, ["(cell 1 king)", "(cell 4 king)"]));
}

#[test]
fn a_path_over_empty_cells_ends_on_one() {
    let text = pieces("");
    let game = grounding(&text, grounding::ground).game;
    assert!(are_exclusive(&game, ["(cell 4 pawn)", "(cell 4 king)"]));
    // Another path may end anywhere.
    let text = pieces("(<= (path ?x ?y) (succ ?x ?z) (succ ?z ?y) (true (cell ?y king)))");
    agrees(&text);
    let game = grounding(&text, grounding::ground).game;
    assert!(!are_exclusive(&game, ["(cell 4 pawn)", "(cell 4 king)"]));
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
