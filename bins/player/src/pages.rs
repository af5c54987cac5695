//! A match record as text: a title, and a page for each state.

use crate::replay::Game;
use crate::terminal::samples;
use budget::Budget;
use game::{Engine, GroundTerm, RoleId};
use records::{Record, parse_facts, validate};
use show::Viewer;
use std::fmt::Write as _;

/// The message for records that cannot be checked.
pub const NO_RULES: &str = "holds no rules; give them with --rules";

/// A record as text pages, one for each state.
pub struct Pages<'a> {
    record: &'a Record,
    engine: Option<&'a mut dyn Engine>,
    viewer: Viewer,
    roles: Vec<String>,
    /// The result of validation; `Ok` if the rules are unknown.
    pub verdict: Result<(), String>,
}

impl<'a> Pages<'a> {
    /// The pages of a record. `game` is its game, if the rules are known.
    pub fn new(record: &'a Record, game: Option<&'a mut Game>) -> Self {
        let recorded: Vec<Vec<GroundTerm>> = record
            .states
            .iter()
            .filter_map(|state| parse_facts(state).ok())
            .collect();
        let Some(game) = game else {
            return Pages {
                record,
                engine: None,
                viewer: Viewer::new(&[], &recorded),
                roles: roles(record),
                verdict: Ok(()),
            };
        };
        // The same samples as those of the match display, so that the boards are the same.
        let samples = samples(&mut *game.engine, &Budget::system());
        Pages {
            record,
            verdict: validate(record, &mut *game.engine).map_err(|violation| violation.to_string()),
            viewer: Viewer::new(&game.chains, &samples),
            roles: game
                .engine
                .roles()
                .iter()
                .map(ToString::to_string)
                .collect(),
            engine: Some(&mut *game.engine),
        }
    }

    /// The match, its players, and whether the record is valid.
    pub fn title(&self) -> String {
        let record = self.record;
        let mut text = format!("{}: {}\n", record.match_id, record.game_meta_url);
        if let Some(tournament) = &record.tournament_name_from_host {
            let _ = writeln!(text, "tournament {tournament}");
        }
        let (start, play) = (record.start_clock, record.play_clock);
        let _ = writeln!(text, "start clock {start:?}, play clock {play:?}");
        for (at, role) in self.roles.iter().enumerate() {
            let _ = writeln!(text, "  {role}: {}", self.player(at));
        }
        text += &match (&self.verdict, &self.engine) {
            (Err(violation), _) => format!("does not hold against the rules: {violation}\n"),
            (Ok(()), Some(_)) => "holds against the rules\n".into(),
            (Ok(()), None) => format!("not checked: it {NO_RULES}\n"),
        };
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
        text += &match parse_facts(&self.record.states[step]) {
            Ok(facts) => self.viewer.draw(&facts),
            Err(why) => format!("{}\n({why})\n", self.record.states[step]),
        };
        text.push('\n');
        if step + 1 == self.record.states.len() {
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
        let skipped = record.states.len() - record.errors.len().clamp(1, record.states.len());
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
        let _ = writeln!(text, "{end} after {} moves", record.moves.len());
        for (at, role) in self.roles.iter().enumerate() {
            let goal = record.goal_values.get(at);
            let goal = goal.map_or("-".into(), ToString::to_string);
            let errors = record.errors.iter().filter_map(|line| line.get(at));
            let faults = match errors.filter(|code| !code.is_empty()).count() {
                0 => String::new(),
                1 => ", 1 fault".into(),
                many => format!(", {many} faults"),
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
    let lists = [
        record.player_names_from_host.len(),
        record.goal_values.len(),
    ];
    let joint = record.moves.first().map_or(0, Vec::len);
    let count = lists.into_iter().fold(joint, usize::max);
    (1..=count).map(|number| format!("role {number}")).collect()
}
