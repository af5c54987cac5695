//! What local search found, in words and as JSON.

use gdl_parse::diagnostic::count;
use localsearch::{Claim, FOREVER};
use serde::Serialize;
use std::fmt;

/// What was found.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The role.
    pub role: String,
    /// The least result that was asked for.
    pub at_least: u8,
    /// What was proved.
    #[serde(flatten)]
    pub result: Outcome,
    /// The line of play, if the result is forced.
    pub line: Vec<Move>,
    /// The facts that the answer depends on.
    pub facts: Vec<String>,
    /// The states made.
    pub states: u64,
}

/// A move of the line.
#[derive(Debug, Serialize)]
pub struct Move {
    /// The role.
    pub role: String,
    /// Its move.
    #[serde(rename = "move")]
    pub mv: String,
}

/// What was proved.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "result")]
pub enum Outcome {
    /// The role can force it within this number of joint moves.
    Forced { plies: u16 },
    /// It can never force it.
    Never,
    /// It cannot force it within this number of joint moves.
    NotWithin { plies: u16 },
    /// Nothing.
    Open,
}

impl From<Claim> for Outcome {
    fn from(claim: Claim) -> Self {
        match claim {
            Claim::Wins(plies) => Outcome::Forced { plies },
            Claim::Fails(FOREVER) => Outcome::Never,
            Claim::Fails(plies) => Outcome::NotWithin { plies },
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (role, result) = (&self.role, self.at_least);
        match self.result {
            Outcome::Forced { plies } => writeln!(
                f,
                "{role} forces at least {result} within {}.",
                count(plies.into(), "joint move")
            )?,
            Outcome::Never => writeln!(f, "{role} can never force at least {result}.")?,
            Outcome::NotWithin { plies } => writeln!(
                f,
                "{role} cannot force at least {result} within {}; beyond that nothing is known.",
                count(plies.into(), "joint move")
            )?,
            Outcome::Open => writeln!(f, "Nothing was proved for {role} within the limits.")?,
        }
        for (number, Move { role, mv }) in self.line.iter().enumerate() {
            writeln!(f, "{:4}. {role} {mv}", number + 1)?;
        }
        if !self.facts.is_empty() {
            let many = count(self.facts.len(), "fact");
            writeln!(f, "The same holds in every state that agrees in {many}:")?;
        }
        for fact in &self.facts {
            writeln!(f, "  {fact}")?;
        }
        writeln!(f, "{} made.", count(self.states as usize, "state"))
    }
}
