//! Symmetries with known answers.

use crate::common::{Found, read};
use analysis::Evidence;
use std::collections::BTreeMap;
use std::time::Duration;

/// Whether all symmetries are proved.
fn proved(found: &Found) -> bool {
    let mut all = found.symmetries.generators.iter();
    all.all(|symmetry| symmetry.agrees == Evidence::Proved)
}

#[test]
fn boards_rotate_and_sides_are_exchanged() {
    // The number of symmetries, of those that fix roles, and of those that fix the initial
    // state.
    let known = [
        ("tic_tac_toe", (16, 8, 8)),
        ("connect_four", (4, 2, 2)),
        ("breakthrough", (4, 2, 2)),
        ("breakthrough_small", (4, 2, 2)),
        // Both halves mirrored separately, and exchanged.
        ("breakthrough_walls", (16, 8, 8)),
        ("escort_latch_breakthrough", (2, 1, 1)),
        ("nine_board_tic_tac_toe", (16, 8, 8)),
        ("pentago", (16, 8, 8)),
        ("dots_and_boxes", (256, 128, 128)),
        // The squares of the kings are not symmetric.
        ("speed_chess", (4, 2, 1)),
        // The wolf starts off the middle, and the board has no symmetry that fits.
        ("sheep_and_wolf", (1, 1, 1)),
        // Digits renamed, rows and columns within bands, bands, and both exchanged: 9! times 2 *
        // 6^8, as in the literature.
        ("sudoku", (362_880 * 3_359_232, 362_880 * 3_359_232, 1)),
    ];
    for (name, (all, roles, initial)) in known {
        let found = Found::fixture(name);
        assert_eq!(found.counts(), (all, Some(roles), Some(initial)), "{name}");
        assert!(proved(&found), "{name}");
    }
}

#[test]
fn machines_of_a_kind_are_exchanged() {
    for (name, all) in [
        ("joint_buttons_and_lights", 6),
        ("multiple_buttons_and_lights", 6),
        // Four panels of four lamps.
        ("lights_on_parallel", 24 * 24_u128.pow(4)),
    ] {
        let found = Found::fixture(name);
        assert_eq!(found.counts(), (all, Some(all), Some(all)), "{name}");
        assert!(proved(&found), "{name}");
    }
}

#[test]
fn the_eight_puzzle_is_mirrored_with_renamed_tiles() {
    // The gap stays in its corner, or in its final place.
    let found = Found::fixture("eight_puzzle");
    assert_eq!(found.counts(), (2, Some(2), Some(1)));
    assert!(proved(&found));
}

#[test]
fn random_play_shows_symmetries_hidden_by_sums_and_paths() {
    // Eight of the board, and both sides exchanged. Half a turn and the reflections in both
    // diagonals keep the initial discs.
    let reversi = Found::fixture("reversi");
    assert_eq!(reversi.counts(), (16, Some(8), Some(4)));
    assert!(!proved(&reversi));
    // Half a turn, and the reflection that exchanges both sides.
    let hex = Found::fixture("hex");
    assert_eq!(hex.counts(), (4, Some(2), Some(2)));
    assert!(!proved(&hex));
}

#[test]
fn all_images_have_the_same_least_image() {
    let found = Found::fixture("tic_tac_toe");
    let all = found.symmetries.elements(16).unwrap();
    let table = found
        .symmetries
        .canonical(16, |symmetry| symmetry.fixes_roles());
    assert_eq!(table.symmetries().len(), 7);
    let mut facts = found.logic.words.facts.iter();
    let corner = facts
        .position(|fact| fact.to_string() == "(cell 1 1 cross)")
        .unwrap();
    let state = vec![1u64 << corner];
    let images = all
        .iter()
        .filter(|one| one.fixes_roles())
        .map(|one| one.state(&state));
    let mut least: BTreeMap<Vec<u64>, u32> = BTreeMap::new();
    for image in images {
        let (canonical, by) = table.of(&image);
        // The returned symmetry gives the least image.
        let again = by.map_or(image.clone(), |by| table.symmetries()[by].state(&image));
        assert_eq!(again, canonical);
        *least.entry(canonical).or_default() += 1;
    }
    assert_eq!(least.into_values().collect::<Vec<_>>(), [8]);
    // The group is too large to enumerate: a subgroup of a few generators is used.
    let sudoku = Found::fixture("sudoku");
    let table = sudoku.symmetries.canonical(16, |_| true);
    assert!((1..16).contains(&table.symmetries().len()));
}

#[test]
fn scrambled_rules_have_as_many_symmetries() {
    for name in [
        "tic_tac_toe",
        "breakthrough_small",
        "reversi",
        "lights_on_parallel",
    ] {
        let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
        let sheet = read(&path);
        let plain = Found::of(&sheet, Duration::from_secs(20)).unwrap();
        let options = gdl_scramble::ScrambleOptions {
            seed: 3,
            shuffle_rules: true,
            shuffle_arguments: true,
            ..Default::default()
        };
        let scrambled = gdl_scramble::scramble(&sheet, &options);
        let other = Found::of(&scrambled.sheet, Duration::from_secs(20)).unwrap();
        assert_eq!(plain.counts(), other.counts(), "{name}");
    }
}
