//! Fingerprints identify games under other names, and distinguish different games.

#[path = "../shared/mod.rs"]
mod shared;

use analysis::form::form;
use budget::Budget;
use gdl_parse::{ParseOptions, Rulesheet, parse};
use gdl_scramble::{ScrambleOptions, scramble};
use netlist::GameLogic;
use shared::{build, scrambled, sheet};
use std::collections::BTreeMap;

/// Games whose network depends on the order of the rules: wide rules are split before grounding,
/// and not always in the same way.
const ORDERED: [&str; 5] = [
    "blocker",
    "dots_and_boxes",
    "parity_paths",
    "reversi",
    "rock_paper_scissors_repeated",
];

fn logic(sheet: &Rulesheet) -> Option<GameLogic> {
    build(sheet).map(|(_, logic)| logic)
}

fn number(logic: &GameLogic) -> u64 {
    let number = form(logic, &Budget::system()).expect("there is time");
    number.expect("it is not too much")
}

#[test]
fn fingerprints_identify_and_distinguish_games() {
    let mut seen: BTreeMap<u64, String> = BTreeMap::new();
    let mut ordered = Vec::new();
    for path in testkit::fixtures() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let sheet = parse(&text, &ParseOptions::default()).sheet;
        let Some(own) = logic(&sheet).map(|logic| number(&logic)) else {
            continue;
        };
        let again = |other: &Rulesheet| number(&logic(other).unwrap()) == own;
        let renamed = ScrambleOptions {
            seed: 9,
            ..ScrambleOptions::default()
        };
        assert!(again(&scramble(&sheet, &renamed).sheet), "{name}");
        if !(1..=3).all(|seed| again(&scrambled(&sheet, seed).sheet)) {
            ordered.push(name.clone());
        }
        if let Some(other) = seen.insert(own, name.clone()) {
            panic!("{name} and {other} are one game");
        }
    }
    assert!(seen.len() > 40, "{}", seen.len());
    ordered.retain(|name| !ORDERED.contains(&&**name));
    assert!(ordered.is_empty(), "{ordered:?}");
}

/// Any change of a game gives another fingerprint.
#[test]
fn small_differences_matter() {
    let original = logic(&sheet("tic_tac_toe")).unwrap();
    let own = number(&original);
    let changed = |change: &dyn Fn(&mut GameLogic)| {
        let mut logic = original.clone();
        change(&mut logic);
        assert_ne!(number(&logic), own);
        number(&logic)
    };
    let all = [
        changed(&|logic| logic.terminal = !logic.terminal),
        changed(&|logic| logic.goals.swap(0, 1)),
        changed(&|logic| logic.goals[0][0].0 = 7),
        changed(&|logic| logic.next[3] = !logic.next[3]),
        changed(&|logic| logic.legal[1][2] = !logic.legal[1][2]),
        changed(&|logic| {
            let words = std::sync::Arc::make_mut(&mut logic.words);
            words.initial.pop();
        }),
    ];
    let mut different = all.to_vec();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), all.len());
}

#[test]
fn fingerprints_respect_the_budget() {
    let logic = logic(&sheet("connect_four")).unwrap();
    let budget = Budget::system().with_timeout(std::time::Duration::ZERO);
    assert!(form(&logic, &budget).is_err());
    let budget = Budget::system().with_memory(1000);
    assert!(form(&logic, &budget).is_err());
}
