//! A scrambled rulesheet has the same structure, and terms map to it and back.

use gdl_parse::{GroundTerm, Keyword, ParseOptions, Rulesheet, Term, parse, parse_bytes};
use gdl_scramble::{ScrambleOptions, Style, scramble};
use proptest::prelude::*;
use std::collections::BTreeMap;
use testkit::rules;

const GAME: &str = "(role white) (role black) (init (cell 1 2 blank)) (base (cell ?x ?y ?p))
    (<= (legal ?r (mark ?x ?y)) (true (cell ?x ?y blank)) (role ?r) (distinct ?x ?y))
    (<= (next (cell ?x ?y ?r)) (does ?r (mark ?x ?y)) (or (succ ?x ?y) (not (succ ?y ?x))))
    (succ 1 2) (<= terminal (true (cell 1 2 white)))";

fn read(text: &str) -> Rulesheet {
    parse(text, &ParseOptions::default()).sheet
}

fn all(seed: u64) -> ScrambleOptions {
    ScrambleOptions {
        seed,
        rename: true,
        shuffle_rules: true,
        shuffle_arguments: true,
        style: Style::GgpBase,
    }
}

fn options() -> impl Strategy<Value = ScrambleOptions> {
    any::<(u64, bool, bool, bool, bool)>().prop_map(|(seed, rename, rules, arguments, dresden)| {
        ScrambleOptions {
            seed,
            rename,
            shuffle_rules: rules,
            shuffle_arguments: arguments,
            style: if dresden {
                Style::Dresden
            } else {
                Style::GgpBase
            },
        }
    })
}

fn is_integer(word: &str) -> bool {
    word.parse::<i64>().is_ok()
}

/// The text with every replaceable name replaced by the number of its first use.
fn canonical(sheet: &Rulesheet) -> String {
    let text = sheet.to_string().replace('(', "( ").replace(')', " )");
    let mut numbers = BTreeMap::new();
    text.lines()
        .map(|line| {
            let word = |word: &str| match word {
                "(" | ")" => word.to_owned(),
                _ if is_integer(word) || Keyword::from_name(word).is_some() => word.to_owned(),
                _ => {
                    let next = numbers.len();
                    let number = numbers.entry(word.to_owned()).or_insert(next);
                    format!("{}{number}", if word.starts_with('?') { "?" } else { "#" })
                }
            };
            line.split(' ').map(word).collect::<Vec<_>>().join(" ") + "\n"
        })
        .collect()
}

/// The sorted lines of a rulesheet, with the words of each line sorted: independent of any
/// order.
fn unordered(sheet: &Rulesheet) -> Vec<Vec<String>> {
    let mut lines: Vec<Vec<String>> = sheet
        .to_string()
        .lines()
        .map(|line| {
            let line = line.replace(['(', ')'], " ");
            let mut words: Vec<_> = line.split_whitespace().map(str::to_owned).collect();
            words.sort();
            words
        })
        .collect();
    lines.sort();
    lines
}

/// The arguments of the facts of `relation`, in order.
fn facts(sheet: &Rulesheet, relation: Keyword) -> Vec<GroundTerm> {
    let rules = sheet.rules.iter();
    rules
        .filter(|rule| rule.head.relation == relation.symbol() && rule.body.is_empty())
        .filter_map(|rule| {
            rule.head.args[0]
                .display(&sheet.symbols)
                .to_string()
                .parse()
                .ok()
        })
        .filter(|term: &GroundTerm| !term.to_string().contains('?'))
        .collect()
}

#[test]
fn renaming_keeps_structure_keywords_and_integers() {
    let sheet = read(GAME);
    for seed in 0..20 {
        let options = ScrambleOptions {
            seed,
            ..Default::default()
        };
        let scrambled = scramble(&sheet, &options).sheet;
        assert_eq!(canonical(&scrambled), canonical(&sheet));
        for word in ["white", "cell", "mark", "succ", "?x"] {
            assert!(
                !scrambled.to_string().contains(word),
                "{word} in {scrambled}"
            );
        }
    }
}

#[test]
fn equal_seeds_give_equal_sheets_and_others_differ() {
    let sheet = read(GAME);
    let text = |seed| scramble(&sheet, &all(seed)).sheet.to_string();
    assert_eq!(text(7), text(7));
    assert_ne!(text(7), text(8));
}

#[test]
fn no_options_no_changes() {
    let sheet = read(GAME);
    let options = ScrambleOptions {
        rename: false,
        ..Default::default()
    };
    assert_eq!(scramble(&sheet, &options).sheet, sheet);
}

#[test]
fn rules_are_shuffled_but_roles_keep_their_order() {
    let sheet = read(&format!("{GAME} (role green) (role red)"));
    let mut moved = 0;
    for seed in 0..20 {
        let options = ScrambleOptions {
            seed,
            rename: false,
            shuffle_rules: true,
            ..Default::default()
        };
        let shuffled = scramble(&sheet, &options).sheet;
        assert_eq!(
            facts(&shuffled, Keyword::Role),
            facts(&sheet, Keyword::Role)
        );
        assert_eq!(unordered(&shuffled), unordered(&sheet));
        moved += usize::from(shuffled != sheet);
    }
    assert!(moved > 15);
}

#[test]
fn arguments_move_consistently() {
    let sheet = read("(p a b c) (p d e f) (q (g a b)) (r (g c d)) (goal a b)");
    let options = ScrambleOptions {
        seed: 3,
        rename: false,
        shuffle_arguments: true,
        ..Default::default()
    };
    let scrambled = scramble(&sheet, &options);
    let columns = |row: usize| -> Vec<usize> {
        let name = |term: &Term| term.display(&scrambled.sheet.symbols).to_string();
        let was = &sheet.rules[row].head.args;
        let now = &scrambled.sheet.rules[row].head.args;
        let find = |new| {
            was.iter()
                .position(|old| old.display(&sheet.symbols).to_string() == name(new))
        };
        now.iter().map(|new| find(new).unwrap()).collect()
    };
    assert_eq!(columns(0), columns(1));
    assert_eq!(columns(4), [0, 1], "arguments of keywords have a meaning");
    let there = scrambled.mapping.scramble(&"(g a b)".parse().unwrap());
    assert_eq!(
        there.to_string(),
        scrambled.sheet.rules[2].head.args[0]
            .display(&scrambled.sheet.symbols)
            .to_string()
    );
}

#[test]
fn dresden_renames_base_and_input_and_uses_upper_case() {
    let options = ScrambleOptions {
        style: Style::Dresden,
        ..Default::default()
    };
    let scrambled = scramble(&read(GAME), &options);
    let wire = scrambled.to_wire();
    assert_eq!(wire, wire.to_ascii_uppercase());
    assert!(!wire.contains("(BASE "));
    let received = read(&wire);
    assert_eq!(received, scrambled.sheet);
    assert_eq!(facts(&received, Keyword::Base), []);
}

#[test]
fn real_games_keep_their_roles_and_initial_facts() {
    let mut paths = testkit::fixtures();
    if let Some(corpus) = testkit::corpus() {
        paths.extend(testkit::files(&corpus.join("games"), "kif"));
    }
    for (seed, path) in (0..).zip(paths) {
        let sheet = parse_bytes(&std::fs::read(&path).unwrap(), &ParseOptions::default()).sheet;
        let scrambled = scramble(&sheet, &all(seed));
        assert_eq!(
            read(&scrambled.to_wire()),
            scrambled.sheet,
            "{}",
            path.display()
        );
        for keyword in [Keyword::Role, Keyword::Init] {
            let there = |term| scrambled.mapping.scramble(term);
            let mut expected: Vec<_> = facts(&sheet, keyword).iter().map(there).collect();
            let mut found = facts(&scrambled.sheet, keyword);
            if keyword == Keyword::Init {
                expected.sort();
                found.sort();
            }
            assert_eq!(found, expected, "{}", path.display());
        }
    }
}

proptest! {
    #![proptest_config(rules::config())]

    #[test]
    fn terms_map_there_and_back(sheet in rules::rulesheet(), term in rules::ground_term(), options in options()) {
        let mapping = scramble(&sheet, &options).mapping;
        let term: GroundTerm = term.parse().unwrap();
        prop_assert_eq!(mapping.unscramble(&mapping.scramble(&term)), term);
    }

    #[test]
    fn scrambled_sheets_read_back_with_as_many_rules(sheet in rules::rulesheet(), options in options()) {
        let scrambled = scramble(&sheet, &options);
        prop_assert_eq!(scrambled.sheet.rules.len(), sheet.rules.len());
        let printed = parse(&scrambled.sheet.to_string(), &ParseOptions::default());
        prop_assert!(!printed.has_errors());
        prop_assert_eq!(printed.sheet, scrambled.sheet);
    }
}
