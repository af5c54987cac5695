//! A match record as text: a title, and a page for each state.

use crate::replay::{Game, Verdict, no_rules};
use budget::Budget;
use game::{Engine, GroundTerm, RoleId};
use gdl_parse::diagnostic::count;
use matches::samples;
use records::{Record, count_roles, parse_facts};
use show::Viewer;
use std::fmt::Write as _;

/// A record as text pages, one for each state.
pub struct Pages<'a> {
    record: &'a Record,
    engine: Option<&'a mut dyn Engine>,
    viewer: Viewer,
    roles: Vec<String>,
    verdict: Verdict,
    explain: bool,
}

impl<'a> Pages<'a> {
    /// The pages of a record, of which `verdict` was found. `game` is its game, if the rules are
    /// known. With `explain`, they show what the players thought.
    pub fn new(
        record: &'a Record,
        game: Option<&'a mut Game>,
        verdict: Verdict,
        explain: bool,
    ) -> Self {
        let (viewer, engine) = match game {
            // The same samples as those of the match display, so that the boards are the same.
            Some(game) => {
                let samples = samples(&mut *game.engine, &Budget::system());
                let engine: &mut dyn Engine = &mut *game.engine;
                (Viewer::new(&game.chains, &samples), Some(engine))
            }
            None => {
                let states = record.states.iter();
                let recorded: Vec<Vec<GroundTerm>> =
                    states.filter_map(|state| parse_facts(state).ok()).collect();
                (Viewer::new(&[], &recorded), None)
            }
        };
        let roles = match &engine {
            Some(engine) => engine.roles().iter().map(ToString::to_string).collect(),
            None => roles(record),
        };
        Pages {
            record,
            roles,
            engine,
            viewer,
            verdict,
            explain,
        }
    }

    /// The number of pages.
    pub fn count(&self) -> usize {
        self.record.states.len().max(1)
    }

    /// The match, its players, and whether the record is valid.
    pub fn title(&self) -> String {
        let record = self.record;
        let mut text = match (&*record.match_id, &*record.game_meta_url) {
            (id, "") => format!("{id}\n"),
            (id, game) => format!("{id}: {game}\n"),
        };
        if let Some(tournament) = &record.tournament_name_from_host {
            let _ = writeln!(text, "tournament {tournament}");
        }
        let (start, play) = (record.start_clock, record.play_clock);
        if !(start.is_zero() && play.is_zero()) {
            let _ = writeln!(text, "start clock {start:?}, play clock {play:?}");
        }
        for (at, role) in self.roles.iter().enumerate() {
            let _ = writeln!(text, "  {role}: {}", self.player(at));
        }
        text += &match (&self.verdict, &self.engine) {
            (Verdict::Fails(violation), Some(_)) => {
                format!("does not hold against the rules: {violation}\n")
            }
            (Verdict::Fails(violation), None) => format!("does not hold: {violation}\n"),
            (Verdict::Holds, _) => "holds against the rules\n".into(),
            (Verdict::Unknown, _) => format!("not checked: it {}\n", no_rules(record)),
        };
        if self.explain && record.thoughts.iter().all(Vec::is_empty) {
            text += "nothing is recorded of what the players thought\n";
        }
        text + "\n"
    }

    fn player(&self, role: usize) -> &str {
        let names = &self.record.player_names_from_host;
        names.get(role).map_or("unknown", String::as_str)
    }

    /// The page of a state: the moves before it, their faults, the state, and at the end the
    /// result.
    pub fn page(&mut self, step: usize) -> String {
        let mut text = String::new();
        if step > 0 {
            self.moves(step - 1, &mut text);
        }
        self.errors(step, &mut text);
        text.push('\n');
        text += &match self.record.states.get(step).map_or("", String::as_str) {
            "" => "(this state is not recorded)\n".into(),
            state => match parse_facts(state) {
                Ok(facts) => self.viewer.draw(&facts),
                Err(why) => format!("{state}\n({why})\n"),
            },
        };
        text.push('\n');
        if step + 1 == self.count() {
            self.result(&mut text);
        }
        text
    }

    /// The joint move that was played in a state.
    fn moves(&mut self, step: usize, text: &mut String) {
        let Some(joint) = self.record.moves.get(step) else {
            return;
        };
        let choices = self.choices(step);
        let free = |role: usize| choices.get(role).is_none_or(|&choices| choices > 1);
        // As in the match display: moves without a choice are left out, unless no role had a
        // choice.
        let forced = (0..joint.len()).all(|role| !free(role));
        let mut number = format!("{:>3}.", step + 1);
        for role in (0..joint.len()).filter(|&role| forced || free(role)) {
            let name = self.roles.get(role).map_or("?", String::as_str);
            let times = self.record.answer_times.get(step);
            let time = match times.and_then(|times| times.get(role)) {
                Some(&millis) => format!("   [{:.2} s]", millis as f64 / 1000.0),
                None => String::new(),
            };
            let _ = writeln!(text, "{number} {name} {}{time}", joint[role]);
            number = " ".repeat(number.len());
        }
        if self.explain {
            for thought in self.record.thoughts.get(step).into_iter().flatten() {
                let both = [thought.line.clone(), thought.figures()];
                for said in both.iter().filter(|said| !said.is_empty()) {
                    let _ = writeln!(text, "{number} {}: {said}", thought.role);
                }
            }
        }
    }

    /// The number of legal moves of each role in a state; empty if it is unknown.
    fn choices(&mut self, step: usize) -> Vec<usize> {
        let Some(engine) = &mut self.engine else {
            return Vec::new();
        };
        let facts = parse_facts(&self.record.states[step]).unwrap_or_default();
        let Ok(state) = engine.state_of(&facts) else {
            return Vec::new();
        };
        let mut moves = Vec::new();
        let mut count = |role| match engine.legal(&state, RoleId(role), &mut moves) {
            Ok(()) => moves.len(),
            Err(_) => usize::MAX,
        };
        (0..self.roles.len()).map(&mut count).collect()
    }

    /// The faults between the previous state and this one.
    fn errors(&self, step: usize, text: &mut String) {
        let record = self.record;
        // Some servers write no entry for the start clock.
        let skipped =
            record.states.len() - record.errors.len().clamp(1, record.states.len().max(1));
        let line = step
            .checked_sub(skipped)
            .and_then(|at| record.errors.get(at));
        for (role, code) in self.roles.iter().zip(line.into_iter().flatten()) {
            let what = match code.as_str() {
                "" => continue,
                "TO" => "no answer in time",
                "CE" => "no connection, or the player failed",
                other => match other.strip_prefix("IL") {
                    Some(answer) => &format!("illegal answer: {}", answer.trim()),
                    None => other,
                },
            };
            let _ = writeln!(text, "     {role}: {what}");
        }
    }

    fn result(&self, text: &mut String) {
        let record = self.record;
        let end = match (record.is_completed, record.is_aborted) {
            (Some(true), _) => "over",
            (_, true) => "called off",
            (_, false) => "no more is recorded",
        };
        let _ = writeln!(text, "{end} after {}", count(record.moves.len(), "move"));
        for (at, role) in self.roles.iter().enumerate() {
            let goal = record.goal_values.get(at);
            let goal = goal.map_or("-".into(), ToString::to_string);
            let errors = record.errors.iter().filter_map(|line| line.get(at));
            let faults = match errors.filter(|code| !code.is_empty()).count() {
                0 => String::new(),
                faults => format!(", {}", count(faults, "fault")),
            };
            let _ = writeln!(text, "{goal:>5}  {role} ({}{faults})", self.player(at));
        }
    }
}

/// The role names of a record without rules, or numbers if it has no names.
fn roles(record: &Record) -> Vec<String> {
    if !record.game_role_names.is_empty() {
        return record.game_role_names.clone();
    }
    let count = count_roles(record).unwrap_or(0);
    (1..=count).map(|number| format!("role {number}")).collect()
}
