//! Irrelevant parts, and the game without them.

use crate::common::{find, fixture};
use crate::shared::{build, scrambled, sheet};
use gdl_parse::{ParseOptions, parse};
use invariants::Play;
use netlist::{GameLogic, Lit};
use profile::structure::Relevance;
use std::time::Duration;

/// Plays the whole game at random, 64 games in lockstep, beside the smaller one with the same
/// moves. Checks that in every state, terminality, goals and legality of relevant moves are the
/// same, and so are the relevant facts of the next state.
pub fn play_is_the_same(logic: &GameLogic, relevance: &Relevance, seed: u64, what: &str) {
    let smaller = relevance.drop(logic);
    let (mut whole, mut part) = (Play::new(logic, seed), Play::new(&smaller, seed));
    let idle = |fact: u32| relevance.idle.binary_search(&fact).is_ok();
    let facts = |play: &Play<'_>, of: &GameLogic| -> Vec<u64> {
        let all = of.facts.iter().enumerate();
        all.map(|(fact, &lit)| if idle(fact as u32) { 0 } else { play.word(lit) })
            .collect()
    };
    for _ in 0..100 {
        let state = facts(&whole, logic);
        assert_eq!(facts(&part, &smaller), state, "{what}: the next state");
        whole.results();
        part.results();
        let over = whole.word(logic.terminal);
        assert_eq!(part.word(smaller.terminal), over, "{what}: terminal");
        let both = logic
            .goals
            .iter()
            .flatten()
            .zip(smaller.goals.iter().flatten());
        for (goal, other) in both {
            assert_eq!(whole.word(goal.1), part.word(other.1), "{what}: goals");
        }
        let mut going = !over;
        for role in 0..logic.roles() {
            let legal: Vec<u64> = logic.legal[role].iter().map(|&l| whole.word(l)).collect();
            let mut merged = vec![0u64; legal.len()];
            for (mv, &word) in legal.iter().enumerate() {
                merged[relevance.stands_for(role, mv as u32) as usize] |= word;
            }
            for (mv, &word) in merged.iter().enumerate() {
                let other = part.word(smaller.legal[role][mv]);
                assert_eq!(word & !over, other & !over, "{what}: legality of {mv}");
            }
            going &= legal.iter().fold(0, |any, word| any | word);
        }
        whole.step();
        let made: Vec<Vec<u64>> = logic
            .does
            .iter()
            .enumerate()
            .map(|(role, row)| {
                let mut made = vec![0u64; row.len()];
                for (mv, &lit) in row.iter().enumerate() {
                    made[relevance.stands_for(role, mv as u32) as usize] |= whole.word(lit);
                }
                made
            })
            .collect();
        part.make(|role, mv| made[role][mv]);
        // Where a game was over, the whole game has restarted.
        let (then, next) = (facts(&part, &smaller), facts(&whole, logic));
        let initial = |fact: u32| {
            let holds = logic.words.initial.contains(&fact) && !idle(fact);
            0u64.wrapping_sub(holds.into())
        };
        for (fact, (&made, &next)) in then.iter().zip(&next).enumerate() {
            assert_eq!(made & going, next & going, "{what}: fact {fact}");
            assert_eq!(
                initial(fact as u32) & !going,
                next & !going,
                "{what}: fact {fact}"
            );
        }
        part.enter(|fact| next[fact as usize]);
    }
}

#[test]
fn idle_copies_are_dropped() {
    let (logic, found) = fixture("multiple_buttons_and_lights");
    // Three of four panels, with three lights and three buttons each.
    assert_eq!(found.relevance.idle.len(), 9);
    let [fillers] = &found.relevance.fillers[..] else {
        panic!("{:?}", found.relevance);
    };
    assert_eq!((fillers.moves.len(), fillers.always), (9, true));
    let saved = found.relevance.saved(&logic);
    assert_eq!(saved.facts, (20, 11));
    assert_eq!(saved.moves, (12, 4));
    assert!(saved.gates.1 * 2 < saved.gates.0, "{saved:?}");
}

#[test]
fn panels_that_matter_are_kept() {
    let (_, found) = fixture("joint_buttons_and_lights");
    assert!(found.relevance.is_whole());
    assert!(found.relevance.fillers[0].moves.is_empty());
}

#[test]
fn the_possibility_to_pass_is_relevant() {
    // A role that cannot pass must step. Tokens bound the number of passes, and nothing else
    // reads them.
    let rules = "(role robot) (init (tokens 2)) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal robot step) (true (at ?n)))
        (<= (legal robot (pass ?n)) (true (tokens ?n)) (succ ?m ?n))
        (<= (legal robot (skip ?n)) (true (tokens ?n)) (succ ?m ?n))
        (<= (next (tokens ?m)) (does robot (pass ?n)) (succ ?m ?n))
        (<= (next (tokens ?m)) (does robot (skip ?n)) (succ ?m ?n))
        (<= (next (tokens ?n)) (does robot step) (true (tokens ?n)))
        (<= (next (at ?n)) (does robot step) (true (at ?m)) (succ ?m ?n))
        (<= (next (at ?n)) (does robot (pass ?k)) (true (at ?n)))
        (<= (next (at ?n)) (does robot (skip ?k)) (true (at ?n)))
        (<= terminal (true (at 3))) (<= (goal robot 100) (true (at 3)))
        (<= (goal robot 0) (not (true (at 3))))";
    let sheet = parse(rules, &ParseOptions::default()).sheet;
    let (_, logic) = build(&sheet).unwrap();
    let relevance = find(&logic, Duration::from_secs(5)).relevance;
    // The last token is irrelevant: there is nothing to pass with any more.
    let idle = relevance
        .idle
        .iter()
        .map(|&fact| logic.words.facts[fact as usize].to_string());
    assert_eq!(idle.collect::<Vec<_>>(), ["(tokens 0)"]);
    assert_eq!(
        (
            relevance.fillers[0].moves.len(),
            relevance.fillers[0].always
        ),
        (2, false)
    );
    play_is_the_same(&logic, &relevance, 3, "tokens");
}

#[test]
fn scrambled_rules_have_the_same_irrelevant_parts() {
    let sheet = sheet("multiple_buttons_and_lights");
    let scrambled = scrambled(&sheet, 4);
    let (_, logic) = build(&sheet).unwrap();
    let (_, other) = build(&scrambled.sheet).unwrap();
    let one = find(&logic, Duration::from_secs(5)).relevance;
    let two = find(&other, Duration::from_secs(5)).relevance;
    let name = |fact: &u32| logic.words.facts[*fact as usize].to_string();
    let back = |fact: &u32| {
        scrambled
            .mapping
            .unscramble(&other.words.facts[*fact as usize])
            .to_string()
    };
    let mut expected: Vec<String> = one.idle.iter().map(name).collect();
    let mut found: Vec<String> = two.idle.iter().map(back).collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
    assert_eq!(one.fillers[0].moves.len(), two.fillers[0].moves.len());
}

/// The legality of exactly the dropped moves is constantly false.
#[test]
fn dropped_moves_are_never_legal() {
    let (logic, found) = fixture("multiple_buttons_and_lights");
    let smaller = found.relevance.drop(&logic);
    let never = smaller.legal[0]
        .iter()
        .filter(|&&lit| lit == Lit::FALSE)
        .count();
    assert_eq!(never, 8);
}
