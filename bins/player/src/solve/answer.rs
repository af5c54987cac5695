//! What was found out about a puzzle, in words, as JSON, and as a line of a table.

use game::{Engine, RoleId};
use gdl_parse::diagnostic::count;
use puzzle::{Portfolio, Report};
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// The head of the table.
pub const HEAD: &str = "game,result,bound,proved,plies,seconds,method,proof,work\n";

/// What was found out about a puzzle.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The result of the line; `None` if none was found.
    result: Option<u8>,
    /// No line has a greater result.
    bound: u8,
    /// Whether the line is proved to be the best.
    proved: bool,
    /// The method that found the line.
    method: Option<&'static str>,
    /// The method that proved the bound; `None` if it is the greatest result of the rules.
    proof: Option<&'static str>,
    /// The time in seconds, that for the network included.
    seconds: f64,
    /// The moves.
    line: Vec<String>,
    /// What each method did.
    methods: Vec<Effort>,
}

/// What a method did.
#[derive(Debug, Serialize)]
struct Effort {
    method: &'static str,
    seconds: f64,
    done: u64,
    unit: &'static str,
    better: u32,
    over: bool,
}

impl Answer {
    /// Reads a portfolio after its work. `engine` knows the moves.
    pub fn new(portfolio: &Portfolio, engine: &mut dyn Engine, time: Duration) -> Answer {
        let found = portfolio.found();
        let line = found.line.as_ref();
        let steps = line.map(|line| &line.steps[..]).unwrap_or_default();
        let moves = steps.iter();
        let effort = |report: Report| Effort {
            method: report.method,
            seconds: round(report.time),
            done: report.work.count,
            unit: report.work.unit,
            better: report.better,
            over: report.over,
        };
        Answer {
            result: found.result(),
            bound: found.bound,
            proved: found.is_best(),
            method: line.map(|line| line.method),
            proof: found.proof,
            seconds: round(time),
            line: moves
                .map(|(_, mv)| engine.move_term(RoleId(0), *mv).to_string())
                .collect(),
            methods: portfolio.reports().into_iter().map(effort).collect(),
        }
    }

    /// Whether the line is proved to be the best.
    pub fn is_proved(&self) -> bool {
        self.proved
    }

    /// Its line of the table.
    pub fn row(&self, game: &str) -> String {
        let work = |effort: &&Effort| Some(effort.method) == self.method;
        let work = self.methods.iter().find(work);
        format!(
            "{game},{},{},{},{},{:.2},{},{},{}\n",
            self.result
                .map_or_else(String::new, |result| result.to_string()),
            self.bound,
            if self.proved { "yes" } else { "no" },
            self.line.len(),
            self.seconds,
            self.method.unwrap_or_default(),
            self.proof.unwrap_or_default(),
            work.map_or_else(String::new, |effort| {
                format!(
                    "{} {}",
                    effort.done,
                    effort.unit.split(',').next().unwrap_or_default()
                )
            })
        )
    }
}

fn round(time: Duration) -> f64 {
    (time.as_secs_f64() * 100.0).round() / 100.0
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match (self.result, self.proved) {
            (None, _) => "no line was found".to_owned(),
            (Some(100), _) => "result 100, the best there is".to_owned(),
            (Some(result), true) => format!("result {result}, proved to be the best"),
            (Some(result), false) => {
                format!("result {result}; up to {} is not excluded", self.bound)
            }
        };
        writeln!(f, "{status}, after {:.2} s", self.seconds)?;
        if let Some(method) = self.method {
            writeln!(f, "found by {method}, {}", count(self.line.len(), "move"))?;
        }
        if let Some(proof) = self.proof {
            writeln!(f, "no line exceeds {}, by {proof}", self.bound)?;
        }
        writeln!(f)?;
        for (at, mv) in (1..).zip(&self.line) {
            writeln!(f, "{at:4} {mv}")?;
        }
        writeln!(
            f,
            "{}what each method did:",
            if self.line.is_empty() { "" } else { "\n" }
        )?;
        for effort in &self.methods {
            let more = match (effort.better, effort.over) {
                (0, true) => "; over".to_owned(),
                (0, false) => String::new(),
                (times, _) => format!("; better {}", count(times as usize, "time")),
            };
            writeln!(
                f,
                "  {:18} {:6.2} s {:10} {}{more}",
                effort.method, effort.seconds, effort.done, effort.unit
            )?;
        }
        Ok(())
    }
}
