//! Converts numbers to names, for all reports.

use analysis::Evidence;
use analysis::distances::{Condition, Met};
use analysis::latches::Literal;
use propnet::Vocabulary;
use serde_json::{Value, json};

/// The text of a fact; its number if there is no such fact.
pub fn fact(words: &Vocabulary, fact: u32) -> String {
    let term = words.facts.get(fact as usize);
    term.map_or_else(|| format!("fact {fact}"), ToString::to_string)
}

/// The name of a role; its number if there is no such role.
pub fn role(words: &Vocabulary, role: usize) -> String {
    let term = words.roles.get(role);
    term.map_or_else(|| format!("role {role}"), ToString::to_string)
}

/// The text of a move of a role; its number if there is no such move.
pub fn mv(words: &Vocabulary, role: usize, mv: u32) -> String {
    let moves = words.moves.get(role);
    let term = moves.and_then(|moves| moves.get(mv as usize));
    term.map_or_else(|| format!("move {mv}"), ToString::to_string)
}

/// The text of a fact or of its absence.
pub fn literal(words: &Vocabulary, literal: Literal) -> String {
    let fact = fact(words, literal.fact);
    match literal.holds {
        true => fact,
        false => format!("(not {fact})"),
    }
}

/// The text of a fact or of a move.
pub fn met(words: &Vocabulary, met: Met) -> String {
    match met {
        Met::Fact(number) => fact(words, number),
        Met::Move(of, number) => mv(words, of.0, number.0),
    }
}

/// The text of a goal or of terminality.
pub fn condition(words: &Vocabulary, condition: Condition) -> String {
    match condition {
        Condition::Goal { role: of, value } => format!("(goal {} {value})", role(words, of.0)),
        Condition::Terminal => "terminal".to_string(),
    }
}

/// The evidence in a few words.
pub fn evidence(evidence: Evidence) -> String {
    match evidence {
        Evidence::Proved => "proved".to_string(),
        Evidence::Observed { samples } => format!("seen in {samples} samples"),
        Evidence::Unknown => "unknown".to_string(),
    }
}

/// The evidence as JSON.
pub fn evidence_json(evidence: Evidence) -> Value {
    match evidence {
        Evidence::Proved => json!("proved"),
        Evidence::Observed { samples } => json!({ "observed": samples }),
        Evidence::Unknown => json!("unknown"),
    }
}
