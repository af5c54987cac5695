//! Parsing of messages, in every dialect.

use crate::game;
use crate::message::{Message, Moves, Sight, Turn};
use gdl_parse::{GroundTerm, Limits, Sexpr, read_all};
use std::time::Duration;

/// Why a text is not a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MessageError {
    /// It does not begin with a word that the protocol knows.
    #[error("{0:?} is not a message of the protocol")]
    Unknown(String),
    /// A required part of the message is missing.
    #[error("{message} without {missing}")]
    Missing {
        /// The kind of message.
        message: &'static str,
        /// The missing part.
        missing: &'static str,
    },
    /// A part of the message is invalid.
    #[error("{message} with {text:?} as {what}")]
    Bad {
        /// The kind of message.
        message: &'static str,
        /// What was expected there.
        what: &'static str,
        /// The invalid text, shortened.
        text: String,
    },
    /// A part is missing or invalid, perhaps because parentheses do not balance.
    #[error("{0}; its parentheses do not balance")]
    Unbalanced(Box<MessageError>),
    /// It is too long or too deeply nested.
    #[error("{0}")]
    TooLarge(String),
}

impl MessageError {
    /// The error for an invalid part, whose text is shortened.
    pub(crate) fn bad(message: &'static str, what: &'static str, text: &str) -> Self {
        MessageError::Bad {
            message,
            what,
            text: shorten(text),
        }
    }
}

/// The arguments of a message, with what is needed for error messages.
struct Arguments<'a> {
    message: &'static str,
    source: &'a str,
    items: &'a [Sexpr<'a>],
}

impl<'a> Arguments<'a> {
    fn get(&self, at: usize, what: &'static str) -> Result<&'a Sexpr<'a>, MessageError> {
        self.items.get(at).ok_or(MessageError::Missing {
            message: self.message,
            missing: what,
        })
    }

    fn term(&self, at: usize, what: &'static str) -> Result<GroundTerm, MessageError> {
        let expr = self.get(at, what)?;
        let bad = || MessageError::bad(self.message, what, expr.span().text(self.source));
        GroundTerm::from_sexpr(expr).map_err(|_| bad())
    }

    /// The rules and the clocks of these names, from `at` on.
    fn game<const N: usize>(
        &self,
        at: usize,
        clocks: [&'static str; N],
    ) -> Result<(String, [Duration; N]), MessageError> {
        let items = self.items.get(at..).unwrap_or_default();
        game::split(self.message, self.source, items, clocks)
    }

    /// The name of a match: one word, or any other term that a server uses.
    fn id(&self) -> Result<String, MessageError> {
        Ok(self.term(0, "a match")?.to_string())
    }

    fn turn(&self) -> Result<Turn, MessageError> {
        let id = self.id()?;
        let slots = &self.items[1..];
        if let [turn, last, percepts, ..] = slots
            && let Some(sight) = sight(turn, last, percepts)
        {
            return Ok(Turn {
                id,
                moves: Moves::None,
                sight: Some(sight),
            });
        }
        let moves = match slots {
            slots if slots.iter().all(is_nil) => Moves::None,
            [slot @ Sexpr::Word(..)] => {
                GroundTerm::from_sexpr(slot).map_or(Moves::None, Moves::Bare)
            }
            [Sexpr::List(items, _)] => Moves::Joint(terms(items)),
            [slot, ..] if is_nil(slot) => Moves::None,
            // What is no move is the usual list of moves, whatever follows it.
            [slot @ Sexpr::List(items, _), ..] if GroundTerm::from_sexpr(slot).is_err() => {
                Moves::Joint(terms(items))
            }
            several => Moves::Loose(terms(several)),
        };
        Ok(Turn {
            id,
            moves,
            sight: None,
        })
    }
}

/// The terms among expressions.
fn terms(items: &[Sexpr<'_>]) -> Vec<Option<GroundTerm>> {
    let term = |item| GroundTerm::from_sexpr(item).ok();
    items.iter().map(term).collect()
}

/// The additions of GDL-II: the number of the turn, our last move, and percepts in a list.
fn sight(turn: &Sexpr<'_>, last: &Sexpr<'_>, percepts: &Sexpr<'_>) -> Option<Sight> {
    let number = match GroundTerm::from_sexpr(turn) {
        Ok(GroundTerm::Constant(word)) => word.parse().ok(),
        _ => None,
    };
    let percepts = match percepts {
        Sexpr::List(items, _) => terms(items).into_iter().flatten().collect(),
        percepts if is_nil(percepts) => Vec::new(),
        Sexpr::Word(..) => return None,
    };
    (number.is_some() || is_nil(turn)).then(|| Sight {
        turn: number,
        last: match is_nil(last) {
            true => None,
            false => GroundTerm::from_sexpr(last).ok(),
        },
        percepts,
    })
}

impl Message {
    /// Parses a message, with keywords in any case. Only white space is [`Message::Info`].
    ///
    /// # Errors
    /// If the text is not a message. Merely sloppy text is accepted.
    pub fn parse(source: &str) -> Result<Message, MessageError> {
        // START nests its rules two levels deeper than a rulesheet.
        let limits = Limits {
            depth: Limits::default().depth + 2,
            ..Limits::default()
        };
        let (exprs, diagnostics) = read_all(source, &limits);
        if let Some(problem) = diagnostics.iter().find(|d| d.code.starts_with("too-")) {
            return Err(MessageError::TooLarge(problem.message.clone()));
        }
        let Some((head, items)) = find(&exprs) else {
            return Ok(Message::Info);
        };
        understand(source, head, items).map_err(|error| match diagnostics.is_empty() {
            true => error,
            false => MessageError::Unbalanced(Box::new(error)),
        })
    }
}

/// The message with this head and these arguments.
fn understand(source: &str, head: &str, items: &[Sexpr<'_>]) -> Result<Message, MessageError> {
    let arguments = |message| Arguments {
        message,
        source,
        items,
    };
    match head.to_ascii_uppercase().as_str() {
        "INFO" => Ok(Message::Info),
        "PING" => Ok(Message::Ping),
        "PREVIEW" => {
            let arguments = arguments("PREVIEW");
            // Its clock has no effect.
            let (rules, clock) = match arguments.game(0, ["a clock"]) {
                Ok((rules, [clock])) => (rules, clock),
                Err(MessageError::Missing { missing, .. }) if missing != "rules" => {
                    let (rules, []) = arguments.game(0, [])?;
                    (rules, Duration::ZERO)
                }
                Err(error) => return Err(error),
            };
            Ok(Message::Preview { rules, clock })
        }
        "START" => {
            let arguments = arguments("START");
            let id = arguments.id()?;
            let role = arguments.term(1, "a role")?;
            let (rules, [start_clock, play_clock]) =
                arguments.game(2, ["a start clock", "a play clock"])?;
            Ok(Message::Start {
                id,
                role,
                rules,
                start_clock,
                play_clock,
            })
        }
        "PLAY" => Ok(Message::Play(arguments("PLAY").turn()?)),
        "STOP" => Ok(Message::Stop(arguments("STOP").turn()?)),
        "ABORT" => Ok(Message::Abort {
            id: arguments("ABORT").id()?,
        }),
        _ => Err(MessageError::Unknown(shorten(head))),
    }
}

/// The heads of messages.
const HEADS: [&str; 7] = ["INFO", "PING", "PREVIEW", "START", "PLAY", "STOP", "ABORT"];

/// The head of a message and what follows it. `None` if there is no word.
///
/// Usually the message is one list. A bare `INFO`, further lists around it, and other words
/// around it, as of a form or a string, are accepted too.
fn find<'a, 'b>(exprs: &'b [Sexpr<'a>]) -> Option<(&'a str, &'b [Sexpr<'a>])> {
    let head = |mut items: &'b [Sexpr<'a>]| {
        while let [Sexpr::List(inner, _), ..] = items {
            items = inner;
        }
        match items.split_first() {
            Some((Sexpr::Word(head, _), items)) => Some((*head, items)),
            _ => None,
        }
    };
    let known = |word: &str| HEADS.iter().any(|head| word.eq_ignore_ascii_case(head));
    let whole = head(exprs);
    if whole.is_some_and(|(word, _)| known(word)) {
        return whole;
    }
    let mut lists = exprs.iter().filter(|expr| matches!(expr, Sexpr::List(..)));
    let within = lists.find_map(|list| head(std::slice::from_ref(list)).filter(|it| known(it.0)));
    within.or(whole)
}

/// `NIL` in any case, or an empty list.
fn is_nil(expr: &Sexpr<'_>) -> bool {
    match expr {
        Sexpr::Word(word, _) => word.eq_ignore_ascii_case("nil"),
        Sexpr::List(items, _) => items.is_empty(),
    }
}

/// At most 40 characters of a text, for error messages.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests;
