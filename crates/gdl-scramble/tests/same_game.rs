//! A scrambled rulesheet is the same game.
//!
//! Engines for both forms, one on the rules and one on a network, agree in random play on every
//! fact, every legal move, terminality and goals.

mod common;

use common::{engine, follow};
use gdl_parse::{ParseOptions, parse_bytes};
use gdl_scramble::{ScrambleOptions, Style, scramble};
use prepare::EngineChoice;

#[test]
fn scrambled_games_play_the_same() {
    let paths = testkit::fixtures();
    assert!(!paths.is_empty());
    for (seed, path) in (1..).zip(paths) {
        let text = std::fs::read_to_string(&path).unwrap();
        let sheet = parse_bytes(text.as_bytes(), &ParseOptions::default()).sheet;
        let style = if seed % 3 == 0 {
            Style::Dresden
        } else {
            Style::GgpBase
        };
        let options = ScrambleOptions {
            seed,
            rename: true,
            shuffle_rules: true,
            shuffle_arguments: seed % 2 == 0,
            style,
        };
        let scrambled = scramble(&sheet, &options);
        let mut plain = engine(&text, EngineChoice::Reasoner);
        let mut other = engine(&scrambled.to_wire(), EngineChoice::Auto);
        follow(&mut *plain, &mut *other, &scrambled.mapping, seed);
    }
}

#[test]
fn random_scrambled_games_play_the_same() {
    let mut checked = 0;
    for seed in 0..300 {
        let text = testkit::games::random_game(seed);
        let parsed = parse_bytes(text.as_bytes(), &ParseOptions::default());
        assert!(!parsed.has_errors(), "{:?}", parsed.diagnostics);
        let options = ScrambleOptions {
            seed,
            rename: false,
            shuffle_rules: true,
            shuffle_arguments: true,
            style: Style::GgpBase,
        };
        let scrambled = scramble(&parsed.sheet, &options);
        let mut plain = engine(&text, EngineChoice::Reasoner);
        let mut other = engine(&scrambled.to_wire(), EngineChoice::Propnet);
        eprintln!("random game {seed}:\n{text}");
        checked += follow(&mut *plain, &mut *other, &scrambled.mapping, seed);
    }
    assert!(checked > 1000, "only {checked} states were compared");
}
