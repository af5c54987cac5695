//! Everything that is returned as proved holds in all states that random play reaches.

mod common;

use budget::Budget;
use common::{fixture, logic, unaided};
use invariants::{Exclusion, Group, Groups, Play, Prover, exclusion};
use netlist::GameLogic;
use proptest::prelude::*;
use std::time::Duration;

/// Checks groups, constants and choices in the states of 64 games in lockstep.
fn check(logic: &GameLogic, groups: &Groups, choices: &Exclusion, steps: usize, what: &str) {
    let mut play = Play::new(logic, 99);
    for step in 0..steps {
        for group in &groups.groups {
            let (any, two) = overlap(
                group
                    .facts
                    .iter()
                    .map(|&f| play.word(logic.facts[f as usize])),
            );
            assert_eq!(two, 0, "{what}, step {step}: {:?}", words(logic, group));
            assert!(
                !group.exactly || any == u64::MAX,
                "{what}, step {step}: {:?}",
                words(logic, group)
            );
        }
        for &(fact, value) in &groups.constants {
            let word = play.word(logic.facts[fact as usize]);
            assert_eq!(word, if value { u64::MAX } else { 0 }, "{what}: {fact}");
        }
        for equal in &groups.equal {
            let [fact, like] = [equal.fact, equal.like].map(|f| play.word(logic.facts[f as usize]));
            let like = like ^ u64::from(equal.opposite).wrapping_neg();
            assert_eq!(fact, like, "{what}, step {step}: {equal:?}");
        }
        check_choices(logic, &play, choices, what);
        play.step();
    }
}

/// The lanes in which any of the words is set, and those in which two are.
fn overlap(words: impl Iterator<Item = u64>) -> (u64, u64) {
    words.fold((0, 0), |(any, two), word| (any | word, two | any & word))
}

fn words(logic: &GameLogic, group: &Group) -> Vec<String> {
    let facts = group.facts.iter();
    facts
        .map(|&fact| logic.words.facts[fact as usize].to_string())
        .collect()
}

fn check_choices(logic: &GameLogic, play: &Play<'_>, choices: &Exclusion, what: &str) {
    let legal = |&(role, mv): &(u16, u32)| play.word(logic.legal[usize::from(role)][mv as usize]);
    let mut found: Vec<Vec<bool>> = logic
        .legal
        .iter()
        .map(|row| vec![false; row.len()])
        .collect();
    for choice in &choices.choices {
        let mut open = vec![0u64; logic.roles()];
        for leaf in &choice.leaves {
            let (_, two) = overlap(leaf.iter().map(legal));
            assert_eq!(two, 0, "{what}: two moves of one leaf are legal: {leaf:?}");
            for mv in leaf {
                assert!(choice.roles.contains(&mv.0));
                open[usize::from(mv.0)] |= legal(mv);
                assert!(!std::mem::replace(
                    &mut found[usize::from(mv.0)][mv.1 as usize],
                    true
                ));
            }
        }
        let (_, two) = overlap(open.into_iter());
        assert_eq!(two, 0, "{what}: two roles of a choice have one");
        for mv in &choice.forced {
            assert!(choice.roles.contains(&mv.0));
            assert!(!std::mem::replace(
                &mut found[usize::from(mv.0)][mv.1 as usize],
                true
            ));
            let others = logic.legal[usize::from(mv.0)].iter().enumerate();
            let others = others.filter(|(other, _)| *other != mv.1 as usize);
            let beside = others.fold(0, |any, (_, &lit)| any | play.word(lit));
            assert_eq!(
                legal(mv) & beside,
                0,
                "{what}: {mv:?} is not the only legal move"
            );
        }
    }
    assert!(
        found.iter().flatten().all(|&found| found),
        "{what}: a move is nowhere"
    );
}

/// Looks at the clock that each game has.
const STEPS: u64 = 4_000;

fn find_and_check(
    logic: &GameLogic,
    budget: &Budget,
    steps: usize,
    what: &str,
) -> (Groups, Exclusion) {
    let groups = Groups::find(logic, 1, budget);
    let choices = exclusion(logic, &groups, &Budget::system());
    check(logic, &groups, &choices, steps, what);
    (groups, choices)
}

#[test]
fn invariants_hold_in_random_play_of_all_fixtures() {
    let (mut found, mut cut) = (0, 0);
    for path in testkit::fixtures() {
        let rules = std::fs::read_to_string(&path).unwrap();
        let Some(logic) = logic(&rules) else { continue };
        // With so few steps, some searches for proofs are cut short. The result must still be
        // sound.
        let budget = testkit::steps(STEPS);
        let name = path.display().to_string();
        find_and_check(&logic, &budget, 60, &name);
        let budget = testkit::steps(STEPS);
        let (groups, _) = find_and_check(&unaided(logic), &budget, 60, &name);
        found += groups.groups.len() + groups.constants.len() + groups.equal.len();
        cut += usize::from(groups.report.exhausted.is_some());
    }
    assert!(found > 1000 && cut > 3, "{found} proved, {cut} cut short");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..testkit::rules::config() })]

    #[test]
    fn invariants_hold_in_random_play_of_random_games(seed in any::<u64>()) {
        if let Some(logic) = logic(&testkit::games::random_game(seed)) {
            let budget = Budget::system().with_timeout(Duration::from_secs(5));
            find_and_check(&logic, &budget, 200, &format!("seed {seed}"));
        }
    }
}

/// Number of groups by size and `exactly`.
fn census(groups: &Groups) -> Vec<(usize, bool, usize)> {
    let mut kinds: Vec<(usize, bool)> = groups
        .groups
        .iter()
        .map(|g| (g.facts.len(), g.exactly))
        .collect();
    kinds.sort_unstable();
    kinds
        .chunk_by(|a, b| a == b)
        .map(|kind| (kind[0].0, kind[0].1, kind.len()))
        .collect()
}

#[test]
fn boards_turns_and_counters_are_found() {
    let budget = Budget::system();
    let (groups, choices) = find_and_check(&fixture("tic_tac_toe"), &budget, 50, "tic-tac-toe");
    // Nine cells of three marks, and whose turn it is.
    assert_eq!(census(&groups), [(2, true, 1), (3, true, 9)]);
    // One of nine cells for the player to move; a noop for the other.
    assert_eq!(choices.choices.len(), 1);
    assert_eq!(choices.choices[0].leaves.len(), 9);
    assert_eq!(choices.choices[0].forced.len(), 2);

    let (groups, choices) =
        find_and_check(&fixture("breakthrough_small"), &budget, 50, "breakthrough");
    assert!(groups.report.exhausted.is_none());
    assert!(
        groups.groups.len() >= 37,
        "36 cells and whose turn it is: {:?}",
        census(&groups)
    );
    assert_eq!(choices.choices.len(), 1);
}

/// Two lights, one of which switches by itself, and a counter that play stops at 3.
const LIGHTS: &str = "
    (role robot) (init (light a off)) (init (light b on)) (init (step 0))
    (opposite on off) (opposite off on) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (legal robot (switch ?which)) (true (light ?which ?now)))
    (<= (next (light ?which ?to)) (does robot (switch ?which)) (true (light ?which ?now)) (opposite ?now ?to))
    (<= (next (light ?which ?now)) (true (light ?which ?now)) (not (does robot (switch ?which))))
    (<= (next (step ?next)) (true (step ?now)) (succ ?now ?next))
    (<= terminal (true (step 3)))
    (<= (goal robot 100) (true (light a on)))";

#[test]
fn false_candidates_are_dropped_and_true_ones_kept() {
    let logic = unaided(logic(LIGHTS).unwrap());
    let fact = |text: &str| {
        let position = logic
            .words
            .facts
            .iter()
            .position(|fact| fact.to_string() == text);
        position.unwrap() as u32
    };
    let group = |facts: &[&str], exactly| Group {
        facts: facts.iter().map(|text| fact(text)).collect(),
        exactly,
    };
    let budget = Budget::system();
    let candidates = vec![
        // Holds in the initial state, but not after a has been switched.
        group(&["(light a on)", "(light b on)"], true),
        group(&["(light a on)", "(light a off)"], true),
    ];
    let proved = Groups::prove(&logic, candidates, 1, &budget);
    let mut expected = group(&["(light a on)", "(light a off)"], true);
    expected.facts.sort_unstable();
    assert_eq!(proved.groups, [expected]);
    assert_eq!(proved.report.failed, 1);

    // Does not hold in the initial state.
    let proved = Groups::prove(
        &logic,
        vec![group(&["(light a off)", "(light b on)"], false)],
        1,
        &budget,
    );
    assert!(proved.groups.is_empty());

    // A member that breaks the group is removed from it.
    let most = ["(light a on)", "(light a off)", "(light b off)"];
    let proved = Groups::prove(&logic, vec![group(&most, false)], 1, &budget);
    assert_eq!(proved.groups.len(), 1);
    assert_eq!(proved.groups[0].facts.len(), 2);
}

#[test]
fn unknown_fact_numbers_are_left_out() {
    let logic = unaided(logic(LIGHTS).unwrap());
    let facts = logic.facts.len() as u32;
    let lights = |text: &str| {
        let mut all = logic.words.facts.iter();
        all.position(|fact| fact.to_string() == text).unwrap() as u32
    };
    let mut pair = vec![lights("(light a on)"), lights("(light a off)")];
    pair.sort_unstable();
    let group = |facts: &[u32], exactly| Group {
        facts: facts.to_vec(),
        exactly,
    };
    let candidates = vec![
        group(&[pair[0], facts, pair[1], u32::MAX], true),
        group(&[facts, facts + 1], true),
        group(&[facts], false),
        group(&[], false),
        group(&[], true),
    ];
    let proved = Groups::prove(&logic, candidates, 1, &Budget::system());
    assert_eq!(proved.groups, [group(&pair, true)]);
}

#[test]
fn the_counter_is_exclusive_because_play_stops_in_time() {
    let logic = logic(LIGHTS).unwrap();
    let groups = Groups::find(&logic, 1, &Budget::system());
    // Step 4 is never reached; if play went on, nothing would follow step 4.
    let steps = groups
        .groups
        .iter()
        .find(|group| words(&logic, group)[0].contains("step"));
    assert_eq!(
        steps.map(|group| (group.facts.len(), group.exactly)),
        Some((4, true))
    );
}

#[test]
fn an_exhausted_budget_proves_nothing_and_shares_no_leaves() {
    let logic = unaided(fixture("tic_tac_toe"));
    let budget = Budget::system().with_timeout(Duration::ZERO);
    let groups = Groups::find(&logic, 1, &budget);
    assert!(groups.groups.is_empty() && groups.constants.is_empty());
    assert!(groups.report.exhausted.is_some());
    let choices = exclusion(&logic, &groups, &budget);
    assert_eq!(choices.leaves(), 20);
    assert!(choices.exhausted.is_some());
}

#[test]
fn results_are_deterministic_without_a_deadline() {
    let logic = fixture("breakthrough_small");
    let [one, two] = [0, 1].map(|_| Groups::find(&logic, 1, &Budget::system()));
    assert_eq!(one.groups, two.groups);
    assert_eq!(one.constants, two.constants);
    assert_eq!(one.equal, two.equal);
    assert_eq!(one.report.steps, two.report.steps);
    assert_eq!(one.report.exhausted, None);
}

#[test]
fn equal_and_opposite_facts_are_found() {
    let logic = logic(
        "(role robot) (thing a) (thing b) (init (at a)) (init (again a)) (init (free b))
         (init (late a))
         (<= (legal robot (go ?x)) (thing ?x))
         (<= (next (at ?x)) (does robot (go ?x)))
         (<= (next (again ?x)) (does robot (go ?x)))
         (<= (next (free ?x)) (thing ?x) (not (does robot (go ?x))))
         (<= (next (late ?x)) (true (again ?x)))
         (<= terminal (true (at a)) (true (free a)))
         (<= (goal robot 100) (true (late a)))",
    )
    .unwrap();
    let groups = Groups::find(&logic, 1, &Budget::system());
    let name = |fact: u32| logic.words.facts[fact as usize].to_string();
    let mut found: Vec<(String, String)> = Vec::new();
    for equal in &groups.equal {
        let sign = if equal.opposite { "not " } else { "" };
        found.push((name(equal.fact), format!("{sign}{}", name(equal.like))));
    }
    // The value of one step ago differs from the present value and equals no other fact.
    assert_eq!(found.len(), 4, "{found:?}");
    let late = |word: &str| word.contains("late");
    assert!(!found.iter().any(|(a, b)| late(a) || late(b)), "{found:?}");
    let opposite = found.iter().filter(|(_, b)| b.starts_with("not"));
    assert_eq!(opposite.count(), 2, "{found:?}");
}

/// Each digit is in five lines, which are larger groups than the digits of its square.
#[test]
fn what_is_in_a_square_is_found_however_many_lines_it_is_in() {
    let lines = ["?a ?b", "?a ?c", "?a ?d", "?b ?c", "?b ?d"];
    let cell = "(true (at ?a ?b ?c ?d ?n)) (digit ?n)";
    let taken = lines
        .iter()
        .enumerate()
        .map(|(line, places)| format!("(<= (taken line{line} {places} ?n) {cell})"));
    let free = lines
        .iter()
        .enumerate()
        .map(|(line, places)| format!("(not (taken line{line} {places} ?n))"));
    let (taken, free) = (taken.collect::<String>(), free.collect::<String>());
    let logic = logic(&format!(
        "(role robot) (half 1) (half 2) (digit 1) (digit 2) (digit 3) (digit 4)
         (<= (init (at ?a ?b ?c ?d free)) (half ?a) (half ?b) (half ?c) (half ?d))
         {taken}
         (<= (legal robot (put ?a ?b ?c ?d ?n)) (true (at ?a ?b ?c ?d free)) (digit ?n) {free})
         (legal robot rest)
         (<= (next (at ?a ?b ?c ?d ?n)) (does robot (put ?a ?b ?c ?d ?n)))
         (<= (next (at ?a ?b ?c ?d ?n)) (true (at ?a ?b ?c ?d ?n)) (digit ?n))
         (<= (next (at ?a ?b ?c ?d free)) (true (at ?a ?b ?c ?d free))
             (not (filled ?a ?b ?c ?d)))
         (<= (filled ?a ?b ?c ?d) (does robot (put ?a ?b ?c ?d ?n)))
         (<= terminal (not open)) (<= open (true (at ?a ?b ?c ?d free))) (goal robot 100)"
    ))
    .unwrap();
    let groups = Groups::find(&logic, 1, &Budget::system());
    let square = |group: &invariants::Group| {
        let names = group.facts.iter();
        let mut names = names.map(|&fact| logic.words.facts[fact as usize].to_string());
        group.facts.len() == 5
            && group.exactly
            && names.all(|name| name.starts_with("(at 1 2 1 2 "))
    };
    assert!(groups.groups.iter().any(square), "{:?}", groups.groups);
}

/// Less work never gives more answers.
#[test]
fn bounded_queries_are_left_unanswered() {
    let logic = fixture("tic_tac_toe");
    let budget = Budget::system().with_timeout(Duration::from_secs(20));
    let groups = Groups::find(&logic, 1, &budget);
    let mut prover = Prover::new(&logic, &groups);
    // The facts that are proved to stay true with this much work.
    let mut stay = |steps: u64| -> Vec<usize> {
        let facts = 0..logic.facts.len();
        let stays = |&fact: &usize| {
            let given = [logic.facts[fact]];
            let stays = prover.under(&given, true, |prover| {
                prover.bound(steps);
                prover.never(!logic.next[fact])
            });
            prover.bound(u64::MAX);
            stays == Some(true)
        };
        facts.filter(stays).collect()
    };
    let [none, some, all] = [0, 12, u64::MAX].map(&mut stay);
    assert!(none.is_empty(), "{none:?}");
    assert!(some.iter().all(|fact| all.contains(fact)));
    assert!(all.len() >= 18, "every stone stays: {all:?}");
    assert_eq!(stay(u64::MAX), all, "a bound is forgotten");
}

#[test]
fn what_the_rules_show_is_known_without_proof() {
    let logic = logic(LIGHTS).unwrap();
    let budget = Budget::system().with_timeout(Duration::ZERO);
    let groups = Groups::find(&logic, 1, &budget);
    // Each light is on or off, and there is one step.
    assert_eq!(groups.groups.len(), 3);
    assert!(groups.groups.iter().all(|group| !group.exactly));
    // That one of them always holds is proved.
    let proved = Groups::find(&logic, 1, &Budget::system());
    assert_eq!(proved.groups.len(), 3);
    assert!(proved.groups.iter().all(|group| group.exactly));
}
