//! The parser of sheets.

use crate::position::{Moves, Place, Position, Sheet};
use game::GroundTerm;
use gdl_parse::{LineColumn, Sexpr, Span, read_all};
use std::fmt;
use std::str::FromStr;

/// A syntax error of a sheet, with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The position of the error.
    pub at: LineColumn,
    /// What was expected there.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LineColumn { line, column } = self.at;
        write!(f, "line {line} column {column}: {}", self.message)
    }
}

impl std::error::Error for ParseError {}

type Problem = (Span, String);

impl Sheet {
    /// Parses a sheet. The crate documentation describes the format.
    ///
    /// # Errors
    /// The first syntax error.
    pub fn parse(text: &str) -> Result<Sheet, ParseError> {
        sheet(text).map_err(|(span, message)| ParseError {
            at: LineColumn::of(text, span.start),
            message,
        })
    }
}

fn sheet(text: &str) -> Result<Sheet, Problem> {
    let (exprs, diagnostics) = read_all(text, &gdl_parse::Limits::default());
    if let Some(diagnostic) = diagnostics.first() {
        return Err((diagnostic.span, diagnostic.message.clone()));
    }
    let mut exprs = exprs.iter();
    let game = match exprs.next() {
        Some(expr) => match section(expr) {
            Some(("game", [Sexpr::Word(name, _)])) => (*name).to_owned(),
            _ => return Err((expr.span(), "expected (game NAME)".into())),
        },
        None => return Err((Span::new(0, 0), "expected (game NAME)".into())),
    };
    let mut sheet = Sheet {
        game,
        positions: Vec::new(),
    };
    for expr in exprs {
        let read = position(expr)?;
        if sheet.positions.iter().any(|other| other.name == read.name) {
            let message = format!("a second position is called {}", read.name);
            return Err((expr.span(), message));
        }
        sheet.positions.push(read);
    }
    Ok(sheet)
}

/// The first word of a list, and the items after it.
fn section<'a>(expr: &'a Sexpr<'a>) -> Option<(&'a str, &'a [Sexpr<'a>])> {
    match expr {
        Sexpr::List(items, _) => match items.split_first() {
            Some((Sexpr::Word(name, _), rest)) => Some((name, rest)),
            _ => None,
        },
        Sexpr::Word(..) => None,
    }
}

/// The fields of a position that have been parsed.
#[derive(Default)]
struct Parts {
    about: Option<String>,
    class: Option<String>,
    role: Option<GroundTerm>,
    place: Option<Place>,
    moves: Option<Moves>,
    forces: Option<u8>,
    within: Option<u32>,
    states: Option<u64>,
    playouts: Option<u64>,
    seconds: Option<u32>,
}

fn position(expr: &Sexpr<'_>) -> Result<Position, Problem> {
    let expected = || (expr.span(), "expected (position NAME ...)".to_owned());
    let Some(("position", items)) = section(expr) else {
        return Err(expected());
    };
    let Some((Sexpr::Word(name, _), items)) = items.split_first() else {
        return Err(expected());
    };
    let mut parts = Parts::default();
    for item in items {
        parts.read(item)?;
    }
    let missing = |what: &str| (expr.span(), format!("{name} has no ({what} ...)"));
    Ok(Position {
        name: (*name).to_owned(),
        about: parts.about.unwrap_or_default(),
        class: parts.class.ok_or_else(|| missing("class"))?,
        role: parts.role.ok_or_else(|| missing("role"))?,
        place: parts.place.ok_or_else(|| missing("play"))?,
        moves: parts.moves.ok_or_else(|| missing("best"))?,
        forces: parts.forces.ok_or_else(|| missing("forces"))?,
        within: parts.within,
        states: parts.states.ok_or_else(|| missing("states"))?,
        playouts: parts.playouts,
        seconds: parts.seconds,
    })
}

impl Parts {
    fn read(&mut self, item: &Sexpr<'_>) -> Result<(), Problem> {
        let Some((name, rest)) = section(item) else {
            return Err((
                item.span(),
                "expected a list that begins with a word".into(),
            ));
        };
        match name {
            "about" => set(&mut self.about, words(rest)?, item),
            "class" => set(
                &mut self.class,
                word(rest, item, "class X")?.to_owned(),
                item,
            ),
            "role" => {
                let role = GroundTerm::constant(word(rest, item, "role X")?);
                set(&mut self.role, role, item)
            }
            "play" => set(&mut self.place, Place::Play(terms(rest)?), item),
            "state" => set(&mut self.place, Place::State(terms(rest)?), item),
            "best" => set(&mut self.moves, Moves::Best(terms(rest)?), item),
            "avoid" => set(&mut self.moves, Moves::Avoid(terms(rest)?), item),
            "forces" => {
                let value = number(rest, item, "forces N")?;
                if !(1..=100).contains(&value) {
                    return Err((item.span(), "a goal value is from 1 to 100".into()));
                }
                set(&mut self.forces, value, item)
            }
            "within" => set(&mut self.within, number(rest, item, "within N")?, item),
            "states" => set(&mut self.states, number(rest, item, "states N")?, item),
            "playouts" => set(&mut self.playouts, number(rest, item, "playouts N")?, item),
            "seconds" => set(&mut self.seconds, number(rest, item, "seconds N")?, item),
            _ => Err((item.span(), format!("a position has no ({name} ...)"))),
        }
    }
}

/// Sets a field, which must not be set already.
fn set<T>(place: &mut Option<T>, value: T, item: &Sexpr<'_>) -> Result<(), Problem> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err((item.span(), "the position already says that".into())),
    }
}

fn word<'a>(rest: &'a [Sexpr<'_>], item: &Sexpr<'_>, form: &str) -> Result<&'a str, Problem> {
    match rest {
        [Sexpr::Word(word, _)] => Ok(word),
        _ => Err((item.span(), format!("expected ({form})"))),
    }
}

fn number<T: FromStr>(rest: &[Sexpr<'_>], item: &Sexpr<'_>, form: &str) -> Result<T, Problem> {
    let number = word(rest, item, form)?.parse().ok();
    number.ok_or_else(|| (item.span(), format!("expected ({form}), N a number")))
}

fn words(rest: &[Sexpr<'_>]) -> Result<String, Problem> {
    let word = |expr: &Sexpr<'_>| match expr {
        Sexpr::Word(word, _) => Ok((*word).to_owned()),
        Sexpr::List(_, span) => Err((*span, "expected words, without parentheses".to_owned())),
    };
    let words: Vec<String> = rest.iter().map(word).collect::<Result<_, _>>()?;
    Ok(words.join(" "))
}

fn terms(rest: &[Sexpr<'_>]) -> Result<Vec<GroundTerm>, Problem> {
    let term = |expr: &Sexpr<'_>| {
        GroundTerm::from_sexpr(expr).map_err(|error| (expr.span(), error.to_string()))
    };
    rest.iter().map(term).collect()
}
