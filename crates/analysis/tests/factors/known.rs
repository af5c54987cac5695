//! Known answers about factors.

use crate::common::{find, fixture, logic};
use game::GroundTerm;
use gdl_parse::Rulesheet;
use std::collections::BTreeSet;
use std::time::Duration;

/// The number of facts of each factor, those that matter first, and whether it matters.
fn sizes(sheet: &Rulesheet) -> Vec<(usize, bool)> {
    let logic = logic(sheet).unwrap();
    let factors = find(&logic, Duration::from_secs(20)).factors;
    let sizes = factors.iter().map(|f| (f.facts.len(), f.relevant));
    let mut sizes: Vec<(usize, bool)> = sizes.collect();
    sizes.sort_by_key(|&(size, relevant)| (!relevant, size));
    sizes
}

/// The fixtures that fall apart.
const APART: &[(&str, &[(usize, bool)])] = &[
    ("breakthrough_walls", &[(64, true); 2]),
    ("connect_four_simultaneous", &[(84, true); 2]),
    ("districts", &[(6, true); 5]),
    ("dual_connect_four", &[(84, true); 2]),
    ("joint_buttons_and_lights", &[(3, true); 3]),
    ("lights_on_parallel", &[(16, true); 4]),
    // Only one panel matters.
    ("multiple_buttons_and_lights", &[(3, true), (9, false)]),
    // Every heap is a game.
    ("nim", &[(2, true), (4, true), (6, true), (8, true)]),
];

#[test]
fn games_fall_apart_where_they_are_put_together_and_nowhere_else() {
    for path in testkit::fixtures() {
        let name = path.file_stem().unwrap().to_str().unwrap();
        // Digits that no legal move leads to a goal with do not matter.
        if name.starts_with("sudoku") {
            continue;
        }
        let known = APART.iter().find(|known| known.0 == name);
        let known = known.map_or(&[][..], |known| known.1);
        assert_eq!(sizes(&fixture(name)), known, "{name}");
    }
}

/// The names of the facts of each factor.
fn named(sheet: &Rulesheet, name: impl Fn(&GroundTerm) -> String) -> BTreeSet<BTreeSet<String>> {
    let logic = logic(sheet).unwrap();
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
