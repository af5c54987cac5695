//! The reports on a game whose truth is known.

use budget::Budget;
use insight::{Insight, Settings};
use std::sync::OnceLock;
use std::time::Duration;

/// Gold counts three, tin one, lead nothing, and tints mean nothing.
const METALS: &str = include_str!("../../insight/tests/metals.gdl");

fn insight(rules: &str, games: u64) -> Insight {
    let budget = Budget::system();
    let compiled = compile::compile(rules, &budget).expect("it has a network");
    let settings = Settings {
        games,
        ..Settings::default()
    };
    // More time than it takes, so that it repeats.
    Insight::find(
        compiled,
        &settings,
        &budget.with_timeout(Duration::from_secs(600)),
    )
}

fn metals() -> &'static Insight {
    static METALS_LEARNT: OnceLock<Insight> = OnceLock::new();
    METALS_LEARNT.get_or_init(|| insight(METALS, 1500))
}

#[test]
fn a_learnt_game_in_words() {
    insta::assert_snapshot!(insight_report::text(metals()));
}

#[test]
fn a_game_that_was_not_learnt_in_words() {
    insta::assert_snapshot!(insight_report::text(&insight(METALS, 0)));
}

#[test]
fn where_nothing_matters_the_report_says_so() {
    let rules = "(role odd) (role even) (init (turn 1)) (side heads) (side tails)
        (succ 1 2) (succ 2 3) (succ 3 4)
        (<= (legal ?r (show ?s)) (role ?r) (side ?s))
        (<= (next (shown ?t ?r ?s)) (does ?r (show ?s)) (true (turn ?t)))
        (<= (next (shown ?t ?r ?s)) (true (shown ?t ?r ?s)))
        (<= (next (turn ?n)) (true (turn ?m)) (succ ?m ?n))
        (<= terminal (true (turn 4)))
        (<= same (true (shown 3 odd ?s)) (true (shown 3 even ?s)))
        (<= (goal even 100) same) (<= (goal even 0) (not same))
        (<= (goal odd 0) same) (<= (goal odd 100) (not same))";
    insta::assert_snapshot!(insight_report::text(&insight(rules, 0)));
}

#[test]
fn json_has_every_square_and_every_judgement() {
    let insight = metals();
    let all = insight_report::json(insight);
    let pieces = all["worth"]["pieces"].as_array().unwrap();
    assert_eq!(pieces.len(), insight.worth.len());
    let gold = pieces
        .iter()
        .find(|one| one["piece"] == "white gold")
        .unwrap();
    assert_eq!(gold["role"], "white");
    assert_eq!(gold["significant"], true);
    assert_eq!(gold["squares"].as_array().unwrap().len(), 9);
    assert!(gold["squares"][0]["worth"].is_number(), "{gold}");
    let findings = all["findings"].as_array().unwrap();
    assert_eq!(findings.len(), insight.findings.len());
    for finding in findings {
        let significant = |play: &str| finding[play]["significant"] == true;
        assert!(significant("random") || significant("learnt"), "{finding}");
    }
    assert_eq!(all["judged"]["correction"], "Bonferroni");
}

#[test]
fn pictures_show_each_square_with_its_figure() {
    let insight = metals();
    let pictures = insight_report::pictures(insight);
    let known = insight.worth.iter().filter(|worth| insight.is_known(worth));
    assert_eq!(pictures.len(), known.count());
    assert!(pictures.len() >= 4, "{}", pictures.len());
    for picture in &pictures {
        assert!(picture.file.starts_with("worth-"), "{}", picture.file);
        // The ground and nine squares.
        assert_eq!(picture.svg.matches("<rect").count(), 10, "{}", picture.svg);
        assert!(picture.svg.contains(" is worth "), "{}", picture.svg);
    }
}
