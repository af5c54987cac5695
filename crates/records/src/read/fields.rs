//! A record from the entries of a JSON object, whichever way its keys are spelled.

use super::json::{Entries, Json};
use super::terms;
use super::{Found, Wrong};
use crate::{Record, Thought};
use std::time::Duration;

/// The keys of a record, in lower case and without `_` and `-`, and other words for them.
mod keys {
    pub(super) const ID: &[&str] = &["matchid", "id"];
    pub(super) const TOKEN: &[&str] = &["randomtoken"];
    pub(super) const TOURNAMENT: &[&str] = &["tournamentnamefromhost", "tournament"];
    pub(super) const START: &[&str] = &["starttime"];
    pub(super) const GAME: &[&str] = &["gamemetaurl", "gameurl", "game", "gamename"];
    pub(super) const RULES: &[&str] = &["rulesheet", "rules", "gamerulesheet", "gdl"];
    pub(super) const COMPLETED: &[&str] = &["iscompleted", "completed"];
    pub(super) const ABORTED: &[&str] = &["isaborted", "aborted"];
    pub(super) const ROLES: &[&str] = &["gamerolenames", "rolenames", "roles"];
    pub(super) const STATES: &[&str] = &["states", "statehistory"];
    pub(super) const MOVES: &[&str] = &["moves", "jointmoves", "movehistory"];
    pub(super) const STATE_TIMES: &[&str] = &["statetimes", "statetimehistory"];
    pub(super) const ANSWER_TIMES: &[&str] = &["answertimes"];
    pub(super) const ERRORS: &[&str] = &["errors", "errorhistory"];
    pub(super) const GOALS: &[&str] = &["goalvalues", "goals", "rewards", "scores", "results"];
    pub(super) const PREVIEW_CLOCK: &[&str] = &["previewclock"];
    pub(super) const START_CLOCK: &[&str] = &["startclock"];
    pub(super) const PLAY_CLOCK: &[&str] = &["playclock"];
    pub(super) const NAMES: &[&str] = &["playernamesfromhost", "playernames", "players"];
    pub(super) const HUMAN: &[&str] = &["isplayerhuman"];
    pub(super) const SCRAMBLED: &[&str] = &["scrambled", "isscrambled"];
    pub(super) const THOUGHTS: &[&str] = &["thoughts"];
}

/// An object that may be a record.
pub(super) struct Fields<'a>(Entries<'a>);

/// A value and the path to it, for messages.
#[derive(Clone)]
struct Field<'a> {
    path: String,
    value: Json<'a>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(entries: Entries<'a>) -> Self {
        Fields(entries)
    }

    fn get(&self, names: &[&str]) -> Option<Field<'a>> {
        let plain = |key: &str| key.replace(['_', '-', ' '], "").to_lowercase();
        names.iter().find_map(|name| {
            let mut entries = self.0.iter().filter(|(_, value)| !value.is_null());
            let (key, value) = entries.find(|(key, _)| plain(key) == *name)?;
            Some(Field {
                path: key.clone(),
                value: *value,
            })
        })
    }

    /// Whether the object holds what was played.
    pub(super) fn is_record(&self) -> bool {
        let list = |names| {
            let field: Option<Field<'_>> = self.get(names);
            field.is_some_and(|field| field.value.written().starts_with('['))
        };
        list(keys::MOVES) || list(keys::STATES)
    }

    /// Whether the object is named as a match, though nothing was played.
    pub(super) fn is_match(&self) -> bool {
        self.get(&keys::ID[..1]).is_some()
    }

    /// The record.
    pub(super) fn record(&self) -> Found<Record> {
        let mut record = Record {
            match_id: self.text(keys::ID)?,
            random_token: self.text(keys::TOKEN)?,
            start_time: self.one(keys::START, Field::whole)?.unwrap_or(0),
            game_meta_url: self.text(keys::GAME)?,
            rulesheet: self.text(keys::RULES)?,
            is_completed: self.one(keys::COMPLETED, Field::flag)?,
            is_aborted: self.one(keys::ABORTED, Field::flag)?.unwrap_or(false),
            game_role_names: self.list(keys::ROLES, Field::string)?,
            states: self.list(keys::STATES, Field::state)?,
            state_times: self.list(keys::STATE_TIMES, Field::whole)?,
            preview_clock: self
                .one(keys::PREVIEW_CLOCK, Field::preview)?
                .unwrap_or_default(),
            start_clock: self
                .one(keys::START_CLOCK, Field::clock)?
                .unwrap_or_default(),
            play_clock: self
                .one(keys::PLAY_CLOCK, Field::clock)?
                .unwrap_or_default(),
            scrambled: self.one(keys::SCRAMBLED, Field::flag)?.unwrap_or(false),
            ..Record::default()
        };
        let tournament = self.text(keys::TOURNAMENT)?;
        record.tournament_name_from_host = (!tournament.is_empty()).then_some(tournament);
        let roles = &mut record.game_role_names;
        record.goal_values = self.by_role(keys::GOALS, roles, Field::goal)?;
        record.player_names_from_host = self.by_role(keys::NAMES, roles, Field::name)?;
        record.is_player_human = self.by_role(keys::HUMAN, roles, Field::flag)?;
        let lists = [
            record.game_role_names.len(),
            record.goal_values.len(),
            record.player_names_from_host.len(),
        ];
        let count = lists.into_iter().find(|&count| count > 0);
        for step in self.list(keys::MOVES, Ok)? {
            let joint = step.joint(&mut record.game_role_names, count)?;
            record.moves.push(joint);
        }
        let roles = &mut record.game_role_names;
        for step in self.list(keys::ERRORS, Ok)? {
            record.errors.push(step.row(roles, Field::name)?);
        }
        for step in self.list(keys::ANSWER_TIMES, Ok)? {
            record.answer_times.push(step.row(roles, Field::time)?);
        }
        record.thoughts = self.list(keys::THOUGHTS, Field::thoughts)?;
        Ok(record)
    }

    fn one<T>(&self, names: &[&str], read: impl Fn(Field<'a>) -> Found<T>) -> Found<Option<T>> {
        self.get(names).map(read).transpose()
    }

    fn text(&self, names: &[&str]) -> Found<String> {
        Ok(self.one(names, Field::string)?.unwrap_or_default())
    }

    fn list<T>(&self, names: &[&str], read: impl Fn(Field<'a>) -> Found<T>) -> Found<Vec<T>> {
        match self.get(names) {
            Some(field) => field.items()?.into_iter().map(read).collect(),
            None => Ok(Vec::new()),
        }
    }

    fn by_role<T>(
        &self,
        names: &[&str],
        roles: &mut Vec<String>,
        read: impl Fn(Field<'a>) -> Found<T>,
    ) -> Found<Vec<T>> {
        match self.get(names) {
            Some(field) => field.row(roles, read),
            None => Ok(Vec::new()),
        }
    }
}

impl<'a> Field<'a> {
    fn wrong<T>(&self, expected: &str) -> Found<T> {
        let (path, value) = (&self.path, &self.value);
        Err(Wrong {
            line: self.value.line(),
            why: format!("{path} is {value} and not {expected}"),
        })
    }

    fn or_wrong<T>(&self, value: Option<T>, expected: &str) -> Found<T> {
        value.map_or_else(|| self.wrong(expected), Ok)
    }

    fn items(&self) -> Found<Vec<Field<'a>>> {
        let items = self.or_wrong(self.value.items(), "a list")?;
        let field = |(at, value)| Field {
            path: format!("{}[{at}]", self.path),
            value,
        };
        Ok(items.into_iter().enumerate().map(field).collect())
    }

    /// One value for each role: a list in the order of the roles, or an object by their names.
    /// The object names the roles if nothing did before.
    fn row<T>(
        &self,
        roles: &mut Vec<String>,
        read: impl Fn(Field<'a>) -> Found<T>,
    ) -> Found<Vec<T>> {
        let Some(entries) = self.value.entries() else {
            return match self.value.items() {
                Some(_) => self.items()?.into_iter().map(read).collect(),
                // Where one role plays alone, the list may have been left out.
                None if !self.value.is_null() => Ok(vec![read(self.clone())?]),
                None => self.wrong("a list"),
            };
        };
        if roles.is_empty() {
            *roles = entries.iter().map(|(role, _)| role.clone()).collect();
        }
        let of_role = |role: &String| {
            let mut entries = entries.iter();
            let entry = entries.find(|(name, _)| name.eq_ignore_ascii_case(role));
            let Some((name, value)) = entry else {
                return self.wrong(&format!("an object with a value for {role}"));
            };
            read(Field {
                path: format!("{}.{name}", self.path),
                value: *value,
            })
        };
        roles.iter().map(of_role).collect()
    }

    fn string(self) -> Found<String> {
        self.or_wrong(self.value.string(), "a text")
    }

    /// A text, or `null` for none.
    fn name(self) -> Found<String> {
        match self.value.is_null() {
            true => Ok(String::new()),
            false => self.string(),
        }
    }

    fn flag(self) -> Found<bool> {
        self.or_wrong(self.value.flag(), "true or false")
    }

    fn whole(self) -> Found<u64> {
        self.or_wrong(self.value.whole(), "a whole number from 0 on")
    }

    /// An answer time; 0 for a role that was not asked.
    fn time(self) -> Found<u64> {
        match self.value.is_null() {
            true => Ok(0),
            false => self.whole(),
        }
    }

    fn goal(self) -> Found<u8> {
        let goal = self.value.whole().filter(|goal| *goal <= 100);
        self.or_wrong(goal.map(|goal| goal as u8), "a result from 0 to 100")
    }

    fn clock(self) -> Found<Duration> {
        let seconds = self.value.number().filter(|seconds| *seconds >= 0.0);
        let seconds = self.or_wrong(seconds, "a time in seconds from 0 on")?;
        // A time that is out of range means no clock.
        Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }

    /// A preview clock. Servers write -1 where there is no preview.
    fn preview(self) -> Found<Duration> {
        match self.value.number() {
            Some(-1.0) => Ok(Duration::ZERO),
            _ => self.clock(),
        }
    }

    /// A term: a text, a number, or a list of terms.
    fn term(&self) -> Found<String> {
        if let Some(text) = self.value.string() {
            return Ok(text.trim().to_string());
        }
        if self.value.items().is_some() {
            let terms: Vec<String> = self
                .items()?
                .iter()
                .map(Field::term)
                .collect::<Found<_>>()?;
            return Ok(format!("({})", terms.join(" ")));
        }
        match self.value.number() {
            Some(_) => Ok(self.value.written().to_string()),
            None => self.wrong("a term"),
        }
    }

    /// A state: a list of facts in one text or in several, or `null` for a state that was left
    /// out.
    fn state(self) -> Found<String> {
        if self.value.is_null() {
            return Ok(String::new());
        }
        if let Some(text) = self.value.string() {
            return Ok(terms::state(&text));
        }
        let facts = self
            .items()?
            .iter()
            .map(Field::term)
            .collect::<Found<_>>()?;
        Ok(terms::list_of(facts))
    }

    /// The joint move of a step, of `count` roles if that is known.
    fn joint(self, roles: &mut Vec<String>, count: Option<usize>) -> Found<Vec<String>> {
        if let Some(text) = self.value.string() {
            return Ok(terms::joint(&text, count));
        }
        let joint = self.row(roles, |field| field.term())?;
        // Where one role is named, `["go", "2"]` is its move.
        Ok(match roles.len() {
            1 if joint.len() > 1 => vec![format!("({})", joint.join(" "))],
            _ => joint,
        })
    }

    fn thoughts(self) -> Found<Vec<Thought>> {
        let thoughts = serde_json::from_str(self.value.written()).ok();
        self.or_wrong(thoughts, "a list of thoughts, each with a role")
    }
}
