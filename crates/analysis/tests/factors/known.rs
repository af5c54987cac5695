//! Factors with known answers.

use crate::common::{find, fixture, logic};
use analysis::Evidence;
use analysis::factors::{Operator, Sharing};
use game::GroundTerm;
use gdl_parse::Rulesheet;
use std::collections::BTreeSet;
use std::time::Duration;

use Sharing::{Each, One, Several};

/// The known factors of a game: the number of facts of each and whether it is relevant, relevant
/// ones first; the distribution of the roles' choices; and the form of terminality.
type Known<'a> = (&'a [(usize, bool)], &'a [Sharing], Operator);

fn check(sheet: &Rulesheet, known: Option<Known<'_>>, what: &str) {
    let (_, logic) = logic(sheet).unwrap();
    let factors = find(&logic, Duration::from_secs(20));
    let Some((sizes, choices, end)) = known else {
        assert!(factors.factors.is_empty(), "{what}");
        assert_eq!(factors.count(), 1);
        return;
    };
    let found = factors.factors.iter().map(|f| (f.facts.len(), f.relevant));
    let mut found: Vec<(usize, bool)> = found.collect();
    found.sort_by_key(|&(size, relevant)| (!relevant, size));
    assert_eq!(found, sizes, "{what}");
    assert_eq!(factors.choices, choices, "{what}");
    let combination = &factors.combination;
    assert_eq!(combination.operator(combination.terminal), end, "{what}");
    assert_eq!(factors.evidence, Evidence::Proved, "{what}");
}

/// The fixtures that decompose.
const APART: &[(&str, Known<'static>)] = &[
    // The loss of all pawns depends on both halves.
    (
        "breakthrough_walls",
        (&[(64, true); 2], &[Several; 2], Operator::Other),
    ),
    (
        "connect_four_simultaneous",
        (&[(84, true); 2], &[One; 2], Operator::Any),
    ),
    ("districts", (&[(6, true); 5], &[Several; 2], Operator::All)),
    (
        "dual_connect_four",
        (&[(84, true); 2], &[One; 2], Operator::Any),
    ),
    // Play ends when neither knight can move. The starting squares are visited from the first
    // state on, and no knight is ever on a square that it cannot reach.
    (
        "dual_hamilton",
        (&[(23, true); 2], &[Several], Operator::All),
    ),
    // All panels, or too many moves.
    (
        "joint_buttons_and_lights",
        (&[(3, true); 3], &[Several], Operator::Other),
    ),
    (
        "lights_on_parallel",
        (&[(16, true); 4], &[Each], Operator::Any),
    ),
    // Only one panel matters.
    (
        "multiple_buttons_and_lights",
        (&[(3, true), (9, false)], &[Several], Operator::Of(0)),
    ),
    // Pawns never leave the squares of their colour.
    ("two_colours", (&[(36, true); 2], &[One; 2], Operator::Any)),
    // Every heap is a factor.
    (
        "nim",
        (
            &[(2, true), (4, true), (6, true), (8, true)],
            &[Several; 2],
            Operator::All,
        ),
    ),
];

#[test]
fn fixtures_decompose_exactly_as_composed() {
    for path in testkit::fixtures() {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let known = APART.iter().find(|known| known.0 == name);
        check(&fixture(name), known.map(|known| known.1), name);
    }
}

#[test]
fn factors_have_few_outputs() {
    let (_, logic) = logic(&fixture("joint_buttons_and_lights")).unwrap();
    let factors = find(&logic, Duration::from_secs(20));
    for factor in &factors.factors {
        assert_eq!(factor.outputs.len(), 1);
        // Three buttons, and one action for all buttons elsewhere.
        let idle: Vec<bool> = factor.actions[0].iter().map(|action| action.idle).collect();
        assert_eq!(
            (idle.len(), idle.iter().filter(|&&idle| idle).count()),
            (4, 1)
        );
        // By itself, the factor is won when its own lights are on.
        assert_eq!(factor.logic.goals[0].len(), 2);
        assert!(
            factor.logic.goals[0]
                .iter()
                .all(|goal| goal.1.as_constant().is_none())
        );
    }
    let combination = &factors.combination;
    let won = combination.goals[0]
        .iter()
        .find(|goal| goal.0 == 100)
        .unwrap();
    assert_eq!(combination.operator(won.1), Operator::All);
    // The actions of a move identify it.
    for (mv, actions) in factors.actions[0].iter().enumerate() {
        assert_eq!(factors.joined(0, actions), Some(mv as u32));
    }
}

/// The names of the facts of each factor.
fn named(sheet: &Rulesheet, name: impl Fn(&GroundTerm) -> String) -> BTreeSet<BTreeSet<String>> {
    let (_, logic) = logic(sheet).unwrap();
    let factors = find(&logic, Duration::from_secs(20)).factors;
    let names = factors.iter().map(|factor| {
        let facts = factor.facts.iter();
        facts
            .map(|&fact| name(&logic.words.facts[fact as usize]))
            .collect()
    });
    names.collect()
}

#[test]
fn scrambled_rules_have_the_same_factors() {
    for (name, _) in APART {
        let sheet = fixture(name);
        let plain = named(&sheet, GroundTerm::to_string);
        for seed in 1..3 {
            let options = gdl_scramble::ScrambleOptions {
                seed,
                shuffle_rules: true,
                ..Default::default()
            };
            let scrambled = gdl_scramble::scramble(&sheet, &options);
            let back = |term: &GroundTerm| scrambled.mapping.unscramble(term).to_string();
            assert_eq!(named(&scrambled.sheet, back), plain, "{name}, {seed}");
        }
    }
}
