//! Findings in games whose truth is known.

use budget::Budget;
use gdl_scramble::{Mapping, ScrambleOptions, scramble};
use insight::{Insight, Settings, Source, Subject, Told};
use std::collections::BTreeMap;
use std::time::Duration;

/// Gold counts three, tin one, lead nothing, and tints mean nothing.
const METALS: &str = include_str!("metals.gdl");

fn insight(rules: &str, games: u64, playouts: u32) -> Insight {
    let budget = Budget::system();
    let compiled = compile::compile(rules, &budget).expect("it has a network");
    let settings = Settings {
        games,
        playouts,
        ..Settings::default()
    };
    // More time than it takes, so that it repeats.
    Insight::find(
        compiled,
        &settings,
        &budget.with_timeout(Duration::from_secs(600)),
    )
}

/// What pieces are worth to their owners, by their names.
fn worth(insight: &Insight) -> BTreeMap<String, f64> {
    let worth = insight.worth.iter().map(|worth| {
        let piece = &insight.boards.boards[worth.board].pieces[worth.piece];
        (piece.content.join(" "), worth.mean)
    });
    worth.collect()
}

/// The names of the facts that a finding is about.
fn facts(insight: &Insight, subject: &Subject) -> Vec<String> {
    let words = &insight.compiled.logic.words;
    let facts: Vec<u32> = match subject {
        Subject::Fact(fact) => vec![*fact],
        Subject::Quantity(number) => insight.numbers.quantities[*number].facts.clone(),
        other => {
            let piece = other.piece().map(|(board, piece)| {
                let piece = &insight.boards.boards[board].pieces[piece];
                piece.facts.iter().map(|&(_, fact)| fact).collect()
            });
            piece.unwrap_or_default()
        }
    };
    let facts = facts.into_iter();
    facts
        .map(|fact| words.facts[fact as usize].to_string())
        .collect()
}

#[test]
fn what_counts_more_is_worth_more() {
    for (games, by) in [(0, Source::Random), (1500, Source::Value)] {
        let insight = insight(METALS, games, 4096);
        assert_eq!(insight.by, by, "{:?}", insight.learnt);
        let worth = worth(&insight);
        for role in ["white", "black"] {
            let [gold, tin, lead] =
                ["gold", "tin", "lead"].map(|metal| worth[&format!("{role} {metal}")]);
            assert!(gold > tin + 3.0 && tin > lead + 1.0, "{games} {worth:?}");
        }
        let gold = insight.findings.iter().any(|finding| {
            matches!(finding.subject, Subject::Piece { .. })
                && facts(&insight, &finding.subject)[0].contains("white gold")
                && finding.random.is_some_and(|effect| effect.slope > 0.0)
        });
        assert!(gold, "{:?}", insight.findings);
    }
}

#[test]
fn what_means_nothing_is_not_reported() {
    let insight = insight(METALS, 0, 4096);
    assert!(insight.findings.len() > 5, "{:?}", insight.findings);
    assert!(insight.tests > 100);
    for finding in &insight.findings {
        let about = facts(&insight, &finding.subject);
        assert!(
            !about.iter().any(|fact| fact.contains("stain")),
            "{finding:?}: {about:?}"
        );
    }
}

#[test]
fn where_nothing_matters_nothing_is_found() {
    // Four moves that nothing depends on, then matching coins: no state before the end tells
    // who wins.
    let rules = "(role odd) (role even) (init (turn 1)) (side heads) (side tails)
        (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
        (<= (legal ?r (show ?s)) (role ?r) (side ?s))
        (<= (next (shown ?t ?r ?s)) (does ?r (show ?s)) (true (turn ?t)))
        (<= (next (shown ?t ?r ?s)) (true (shown ?t ?r ?s)))
        (<= (next (turn ?n)) (true (turn ?m)) (succ ?m ?n))
        (<= terminal (true (turn 6)))
        (<= same (true (shown 5 odd ?s)) (true (shown 5 even ?s)))
        (<= (goal even 100) same) (<= (goal even 0) (not same))
        (<= (goal odd 0) same) (<= (goal odd 100) (not same))";
    let insight = insight(rules, 600, 4096);
    assert!(insight.subjects > 10 && insight.tests > 10);
    assert!(insight.findings.is_empty(), "{:?}", insight.findings);
}

#[test]
fn a_quantity_that_wins_is_found() {
    let insight = insight(METALS, 0, 4096);
    let totals = insight.findings.iter().filter(|finding| {
        matches!(finding.subject, Subject::Quantity(_))
            && facts(&insight, &finding.subject)[0].contains("total")
    });
    assert_eq!(totals.count(), 2, "{:?}", insight.findings);
}

/// The surest findings: what they are about in the words of the original, and their sign.
fn surest(insight: &Insight, mapping: Option<&Mapping>) -> BTreeMap<String, (bool, f64)> {
    let words = &insight.compiled.logic.words;
    let known = |text: &str| -> String {
        let term: gdl_parse::GroundTerm = text.parse().expect("a term");
        match mapping {
            Some(mapping) => mapping.unscramble(&term).to_string(),
            None => term.to_string(),
        }
    };
    let findings = insight.findings.iter().filter_map(|finding| {
        let kind = match finding.subject {
            Subject::Piece { .. } => "piece",
            Subject::Kept { .. } => "kept",
            Subject::Choices { .. } => "choices",
            Subject::Now { .. } => "now",
            // Their order is up to names.
            _ => return None,
        };
        let mut facts = facts(insight, &finding.subject);
        facts.iter_mut().for_each(|fact| *fact = known(fact));
        facts.sort();
        let role = known(&words.roles[finding.role].to_string());
        let effect = finding.random?;
        let key = format!("{kind} {role} {facts:?}");
        Some((key, (effect.slope > 0.0, finding.surety())))
    });
    findings.collect()
}

#[test]
fn scrambled_rules_give_the_same_findings() {
    let sheet = gdl_parse::parse(METALS, &Default::default()).sheet;
    let options = ScrambleOptions {
        seed: 7,
        shuffle_rules: true,
        shuffle_arguments: true,
        ..Default::default()
    };
    let other = scramble(&sheet, &options);
    let one = surest(&insight(METALS, 0, 4096), None);
    let two = insight(&other.sheet.to_string(), 0, 4096);
    let two = surest(&two, Some(&other.mapping));
    // What is near the bound may be on either side of it.
    let sure = |surety: f64| surety > 8.0;
    let mut compared = 0;
    for (these, those) in [(&one, &two), (&two, &one)] {
        for (key, (sign, _)) in these.iter().filter(|(_, (_, surety))| sure(*surety)) {
            assert_eq!(those.get(key).map(|other| other.0), Some(*sign), "{key}");
            compared += 1;
        }
    }
    assert!(compared >= 8, "{one:?}");
}

#[test]
fn findings_repeat_for_a_seed() {
    let [one, other] = [0, 1].map(|_| insight(METALS, 500, 1024));
    assert!(matches!(one.learnt, Told::Value { judged, .. } if judged > 100));
    assert_eq!(one.findings, other.findings);
    assert_eq!(one.worth, other.worth);
}

#[test]
fn a_short_clock_gives_what_there_is() {
    let budget = Budget::system();
    let compiled = compile::compile(METALS, &budget).expect("it has a network");
    let settings = Settings::default();
    let insight = Insight::find(compiled, &settings, &testkit::steps(30));
    assert!(insight.exhausted.is_some());
    assert!(!matches!(insight.learnt, Told::Value { .. }));
}
