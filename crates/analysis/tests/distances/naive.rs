//! Distances equal those of a naive walk over the network, and do not change when rules are
//! renamed and reordered.

use crate::common::{name, node_of, origins, plain_network, walk};
use analysis::distances::{Condition, Distance, Distances, Origin};
use budget::Budget;
use game::GroundTerm;
use gdl_scramble::{ScrambleOptions, scramble};
use propnet::Network;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn agrees(network: &Network) {
    let distances = Distances::of(network, &Budget::system()).unwrap();
    let columns = distances.columns();
    let mut row = Vec::new();
    for origin in origins(columns, distances.conditions()) {
        let Some(node) = node_of(network, origin) else {
            continue;
        };
        let mut expected = walk(network, columns, node);
        // A move may have no node of its own.
        if let Origin::Move(role, mv) = origin {
            let own = columns.column(analysis::distances::Met::Move(role, mv));
            expected[own.unwrap()] = Some(0);
        }
        distances.row(origin, &mut row).unwrap();
        for (column, expected) in expected.into_iter().enumerate() {
            let found = distances.distance(origin, columns.met(column).unwrap());
            let expected = match expected {
                None => Distance::Never,
                Some(n) if n >= 254 => Distance::AtLeast(254),
                Some(n) => Distance::Exactly(n as u8),
            };
            assert_eq!(found, Some(expected), "{origin:?} to column {column}");
            let cell = match expected {
                Distance::Never => 255,
                Distance::Exactly(n) | Distance::AtLeast(n) => n,
            };
            assert_eq!(row[column], cell);
        }
    }
}

#[test]
fn distances_equal_a_naive_walk_in_small_fixtures() {
    let mut checked = 0;
    for path in testkit::fixtures() {
        let rules = std::fs::read_to_string(path).unwrap();
        // A naive walk of larger sheets would take too long.
        if rules.len() > 6000 {
            continue;
        }
        let network = crate::common::network(&rules);
        if network.graph().node_count() < 600 {
            agrees(&network);
            checked += 1;
        }
    }
    assert!(checked >= 5, "only {checked} games were compared");
}

type Named = BTreeMap<(String, Option<GroundTerm>, GroundTerm), Distance>;

/// All distances, by names.
fn named(network: &Network, rename: impl Fn(GroundTerm) -> GroundTerm) -> Named {
    let distances = Distances::of(network, &Budget::system()).unwrap();
    let columns = distances.columns();
    let mut named = BTreeMap::new();
    for origin in origins(columns, distances.conditions()) {
        let from = match origin {
            Origin::Fact(fact) => name(network, analysis::distances::Met::Fact(fact)),
            Origin::Move(role, mv) => name(network, analysis::distances::Met::Move(role, mv)),
            Origin::Condition(Condition::Goal { role, value }) => {
                let role = network.vocabulary().roles[role.0].clone();
                (Some(role), format!("{value}").parse().unwrap())
            }
            _ => (None, GroundTerm::constant("terminal")),
        };
        let from = format!("{origin:?}")
            .split('(')
            .next()
            .map(|kind| format!("{kind} {:?} {}", from.0.map(&rename), rename(from.1)));
        for column in 0..columns.len() {
            let met = columns.met(column).unwrap();
            let (role, term) = name(network, met);
            let key = (from.clone().unwrap(), role.map(&rename), rename(term));
            named.insert(key, distances.distance(origin, met).unwrap());
        }
    }
    named
}

fn same_scrambled(rules: &str, seed: u64) {
    let sheet = gdl_parse::parse(rules, &Default::default()).sheet;
    let options = ScrambleOptions {
        seed,
        shuffle_rules: true,
        shuffle_arguments: seed.is_multiple_of(2),
        ..ScrambleOptions::default()
    };
    let scrambled = scramble(&sheet, &options);
    let plain = named(&plain_network(rules), |term| term);
    let other = plain_network(&scrambled.to_wire());
    // Numbers and `terminal` are not scrambled.
    assert_eq!(
        plain,
        named(&other, |term| scrambled.mapping.unscramble(&term))
    );
}

#[test]
fn scrambled_fixtures_have_the_same_distances() {
    for (seed, game) in ["tic_tac_toe", "nim", "breakthrough_small"]
        .iter()
        .enumerate()
    {
        same_scrambled(&crate::common::fixture(game), seed as u64);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..testkit::rules::config() })]

    #[test]
    fn distances_equal_a_naive_walk_in_random_games(seed in any::<u64>()) {
        let rules = testkit::games::random_game(seed);
        agrees(&plain_network(&rules));
        agrees(&crate::common::network(&rules));
        same_scrambled(&rules, seed);
    }
}
