//! Recorded traces of correct play.
//!
//! A trace is a gzipped file of JSON lines: `{"roles": [...]}`, then one line for each state of a
//! few random playouts, and perhaps `{"truncated": true}` where recording ran into a limit.

use flate2::read::GzDecoder;
use gdl_parse::GroundTerm;
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// A recorded game.
#[derive(Debug, Clone)]
pub struct Trace {
    /// The roles, in order.
    pub roles: Vec<GroundTerm>,
    /// The states, in order of recording.
    pub steps: Vec<Step>,
}

/// One state and the answers for it.
#[derive(Debug, Clone)]
pub struct Step {
    /// The number of the playout.
    pub playout: usize,
    /// The ply within the playout, from 0.
    pub ply: usize,
    /// The facts that hold, sorted by their text.
    pub state: Vec<GroundTerm>,
    /// Whether the state is terminal.
    pub terminal: bool,
    /// For a non-terminal state: the legal moves of each role, sorted by their text.
    pub legals: Option<Vec<Vec<GroundTerm>>>,
    /// The joint move that leads to the next step, if the playout continues.
    pub moves: Option<Vec<GroundTerm>>,
    /// For a terminal state: each role's goal value, if it is defined.
    pub goals: Option<Vec<Option<i64>>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Header {
        roles: Vec<String>,
    },
    Truncated {
        #[serde(rename = "truncated")]
        _truncated: bool,
    },
    Step(RawStep),
}

#[derive(Deserialize)]
struct RawStep {
    playout: usize,
    ply: usize,
    state: Vec<String>,
    terminal: bool,
    legals: Option<Vec<Vec<String>>>,
    moves: Option<Vec<String>>,
    goals: Option<Vec<Option<i64>>>,
}

fn terms(texts: &[String]) -> Result<Vec<GroundTerm>, String> {
    texts
        .iter()
        .map(|text| text.parse().map_err(|e| format!("{text}: {e}")))
        .collect()
}

/// Reads a trace.
///
/// # Errors
/// A message with the line number if the file is not a trace.
pub fn read(path: &Path) -> Result<Trace, String> {
    let file = File::open(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut trace = Trace {
        roles: Vec::new(),
        steps: Vec::new(),
    };
    for (number, line) in BufReader::new(GzDecoder::new(file)).lines().enumerate() {
        let at = |e: &dyn std::fmt::Display| format!("{}:{}: {e}", path.display(), number + 1);
        let line = line.map_err(|e| at(&e))?;
        match serde_json::from_str(&line).map_err(|e| at(&e))? {
            Line::Header { roles } => trace.roles = terms(&roles).map_err(|e| at(&e))?,
            Line::Truncated { .. } => {}
            Line::Step(raw) => {
                let legals = raw.legals.map(|all| all.iter().map(|l| terms(l)).collect());
                trace.steps.push(Step {
                    playout: raw.playout,
                    ply: raw.ply,
                    state: terms(&raw.state).map_err(|e| at(&e))?,
                    terminal: raw.terminal,
                    legals: legals.transpose().map_err(|e| at(&e))?,
                    moves: raw
                        .moves
                        .map(|m| terms(&m))
                        .transpose()
                        .map_err(|e| at(&e))?,
                    goals: raw.goals,
                });
            }
        }
    }
    Ok(trace)
}
