//! Forms identify games under other names, distinguish different games, and say which fact is
//! which.

mod play;

#[path = "../shared/mod.rs"]
mod shared;

use analysis::form::{Form, form};
use budget::Budget;
use gdl_parse::{ParseOptions, Rulesheet, parse};
use gdl_scramble::{ScrambleOptions, scramble};
use netlist::GameLogic;
use shared::{build, scrambled, sheet};
use std::collections::BTreeMap;

/// Games whose network depends on the order of the rules or, in skirmish, of arguments: wide rules
/// are split before grounding, and not always in the same way.
const ORDERED: [&str; 7] = [
    "blocker",
    "dots_and_boxes",
    "english_draughts",
    "parity_paths",
    "reversi",
    "rock_paper_scissors_repeated",
    "skirmish",
];

fn logic(sheet: &Rulesheet) -> Option<GameLogic> {
    build(sheet).map(|(_, logic)| logic)
}

fn form_of(logic: &GameLogic) -> Form {
    let form = form(logic, &Budget::system()).expect("there is time");
    form.expect("it is not too much")
}

fn number(logic: &GameLogic) -> u64 {
    form_of(logic).certificate
}

#[test]
fn forms_identify_and_distinguish_games() {
    let forms = testkit::on_all_cores(testkit::fixtures(), |path| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let sheet = parse(&text, &ParseOptions::default()).sheet;
        let own = logic(&sheet)?;
        let form = form_of(&own);
        let numbers = |ranks: &[u32]| {
            let mut ranks = ranks.to_vec();
            ranks.sort_unstable();
            ranks.iter().copied().eq(0..ranks.len() as u32)
        };
        assert!(numbers(&form.facts), "{name}");
        assert!(form.moves.iter().all(|moves| numbers(moves)), "{name}");
        let renamed = ScrambleOptions {
            seed: 9,
            ..ScrambleOptions::default()
        };
        let renamed = logic(&scramble(&sheet, &renamed).sheet).unwrap();
        assert_eq!(number(&renamed), form.certificate, "{name}");
        let mut same = true;
        for seed in 1..=3 {
            let arguments = ScrambleOptions {
                seed,
                shuffle_rules: true,
                shuffle_arguments: true,
                ..ScrambleOptions::default()
            };
            let changed = match seed {
                1 => scrambled(&sheet, seed),
                _ => scramble(&sheet, &arguments),
            };
            let other = logic(&changed.sheet).unwrap();
            let there = form_of(&other);
            match there.certificate == form.certificate {
                // Whatever the certificates say is checked by playing.
                true => play::check(&name, [&own, &other], [&form, &there], seed),
                false => same = false,
            }
        }
        Some((name, form.certificate, same))
    });
    let mut seen: BTreeMap<u64, String> = BTreeMap::new();
    let mut ordered = Vec::new();
    for (name, certificate, same) in forms.into_iter().flatten() {
        if !same {
            ordered.push(name.clone());
        }
        if let Some(other) = seen.insert(certificate, name.clone()) {
            panic!("{name} and {other} are one game");
        }
    }
    assert!(seen.len() > 40, "{}", seen.len());
    ordered.retain(|name| !ORDERED.contains(&&**name));
    assert!(ordered.is_empty(), "{ordered:?}");
}

/// Numbers of facts from another game would be told by play.
#[test]
fn play_tells_wrong_numbers() {
    let own = logic(&sheet("tic_tac_toe")).unwrap();
    let form = form_of(&own);
    let mut wrong = form.clone();
    let count = wrong.facts.len();
    wrong.facts.swap(0, count / 2);
    let told = std::panic::catch_unwind(|| play::check("", [&own, &own], [&form, &wrong], 1));
    assert!(told.is_err());
}

/// Any change of a game gives another certificate.
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
fn forms_respect_the_budget() {
    let logic = logic(&sheet("connect_four")).unwrap();
    let budget = Budget::system().with_timeout(std::time::Duration::ZERO);
    assert!(form(&logic, &budget).is_err());
    let budget = Budget::system().with_memory(1000);
    assert!(form(&logic, &budget).is_err());
}
