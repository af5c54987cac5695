//! The reason for a search's move, in a line.

use game::{Engine, RoleId};
use mcts::{Candidate, Report};
use std::time::Duration;

/// The most other moves that are shown.
const OTHERS: usize = 2;
/// The most moves of the principal variation that are shown.
const LINE: usize = 4;

/// The decisive figures, the alternatives, and the principal variation.
///
/// `took` is the time of the search, if it is to be shown.
pub(crate) fn explain(
    report: &Report,
    engine: &mut dyn Engine,
    role: RoleId,
    took: Option<Duration>,
) -> Option<String> {
    let candidate = report.candidate?;
    let mut text = format!(
        "{} from {} visits; {} playouts, {} nodes",
        worth(&candidate),
        candidate.visits,
        report.playouts,
        report.nodes
    );
    if report.known > 0 {
        text += &format!(", {} visits known before", report.known);
    }
    if let Some(took) = took.filter(|took| !took.is_zero()) {
        let rate = report.playouts as f64 / took.as_secs_f64();
        text += &format!(", {:.0} thousand playouts/s", rate / 1000.0);
    }
    if let Some(foretold) = report.foretold {
        text += &format!(", {:.0} % foretold", 100.0 * foretold);
    }
    if let Some(by_ends) = report.by_ends.filter(|&by_ends| by_ends >= 0.01) {
        text += &format!(", {:.0} % of it by ends of playouts", 100.0 * by_ends);
    }
    if report.failures > 0 {
        text += &format!(", {} ways failed", report.failures);
    }
    let mut others: Vec<&Candidate> = report.candidates.iter().collect();
    others.retain(|other| other.mv != candidate.mv && other.visits > 0);
    others.sort_by_key(|other| std::cmp::Reverse(other.visits));
    for other in others.into_iter().take(OTHERS) {
        let mv = engine.move_term(role, other.mv);
        text += &format!("; {mv} {} from {}", worth(other), other.visits);
    }
    if report.expected.len() > 1 {
        let line = report.expected.iter().take(LINE);
        let moves = line.map(|&(role, mv)| engine.move_term(RoleId(role), mv).to_string());
        text += &format!("; expects {}", moves.collect::<Vec<_>>().join(" "));
    }
    Some(text)
}

/// The same for a best-first search.
pub(crate) fn explain_best_first(
    report: &bestfirst::Report,
    engine: &mut dyn Engine,
    took: Duration,
) -> String {
    let worth = match (report.proved, report.value) {
        (Some((result, plies)), _) => format!("{result} proved in {plies} plies"),
        (None, Some(value)) => format!("value {value:.1}"),
        (None, None) => "the only move".to_owned(),
    };
    let mut text = format!(
        "{worth} from {} of {} visits; best-first, {} nodes",
        report.visits[0], report.visits[1], report.nodes
    );
    if !took.is_zero() {
        let rate = report.successors as f64 / took.as_secs_f64();
        text += &format!(", {:.0} thousand successors/s", rate / 1000.0);
    }
    let [asked, answered] = report.proofs;
    if asked > 0 {
        text += &format!(", {answered} of {asked} questions proved");
    }
    if report.expected.len() > 1 {
        let line = report.expected.iter().take(LINE);
        let moves = line.map(|&(role, mv)| engine.move_term(RoleId(role), mv).to_string());
        text += &format!("; expects {}", moves.collect::<Vec<_>>().join(" "));
    }
    text
}

/// The value of a move, as far as it is known.
fn worth(candidate: &Candidate) -> String {
    let bounds = candidate.bounds;
    let proved = match (bounds.low, bounds.high) {
        (low, high) if low == high => return format!("{low} proved"),
        (0, 100) => String::new(),
        (low, high) => format!(" of {low} to {high}"),
    };
    match (candidate.value, candidate.chance > 0.0) {
        (Some(value), false) => format!("value {value:.1}{proved}"),
        (Some(value), true) => format!("value {value:.1}{proved}, chance {:.2}", candidate.chance),
        (None, _) => format!("chance {:.2}", candidate.chance),
    }
}
