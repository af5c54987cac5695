//! Parsing of messages, in every dialect.

use crate::message::{Message, Moves, Sight, Turn};
use gdl_parse::{GroundTerm, Limits, Sexpr, read_all};
use std::time::Duration;

/// The longest clock that is accepted, ten days. A longer one only means that there is plenty
/// of time.
const LONGEST_CLOCK: Duration = Duration::from_secs(10 * 24 * 60 * 60);

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
    /// It is too long or too deeply nested.
    #[error("{0}")]
    TooLarge(String),
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

    fn text(&self, at: usize, what: &'static str) -> Result<&'a str, MessageError> {
        Ok(self.get(at, what)?.span().text(self.source))
    }

    fn bad(&self, what: &'static str, text: &str) -> MessageError {
        MessageError::Bad {
            message: self.message,
            what,
            text: shorten(text),
        }
    }

    fn term(&self, at: usize, what: &'static str) -> Result<GroundTerm, MessageError> {
        let expr = self.get(at, what)?;
        GroundTerm::from_sexpr(expr).map_err(|_| self.bad(what, expr.span().text(self.source)))
    }

    /// The name of a match: one word, or any other term that a server uses.
    fn id(&self) -> Result<String, MessageError> {
        Ok(self.term(0, "a match")?.to_string())
    }

    fn rules(&self, at: usize) -> Result<String, MessageError> {
        match self.get(at, "rules")? {
            Sexpr::List(_, span) => match span.text(self.source) {
                text if text.ends_with(')') => Ok(text.to_string()),
                text => Err(self.bad("rules", text)),
            },
            Sexpr::Word(word, _) => Err(self.bad("rules", word)),
        }
    }

    fn clock(&self, at: usize, what: &'static str) -> Result<Duration, MessageError> {
        let text = self.text(at, what)?;
        let seconds: f64 = text.parse().map_err(|_| self.bad(what, text))?;
        if seconds.is_nan() {
            return Err(self.bad(what, text));
        }
        let seconds = seconds.clamp(0.0, LONGEST_CLOCK.as_secs_f64());
        Ok(Duration::from_secs_f64(seconds))
    }

    fn turn(&self) -> Result<Turn, MessageError> {
        let id = self.id()?;
        if let [_, turn, last, percepts, ..] = self.items {
            return Ok(Turn {
                id,
                moves: Moves::None,
                sight: Some(Sight {
                    turn: match turn {
                        Sexpr::Word(word, _) => word.parse().ok(),
                        Sexpr::List(..) => None,
                    },
                    last: if is_nil(last) {
                        None
                    } else {
                        GroundTerm::from_sexpr(last).ok()
                    },
                    percepts: match percepts {
                        Sexpr::List(items, _) => items
                            .iter()
                            .filter_map(|item| GroundTerm::from_sexpr(item).ok())
                            .collect(),
                        Sexpr::Word(..) => Vec::new(),
                    },
                }),
            });
        }
        let moves = match self.items.get(1) {
            None => Moves::None,
            Some(slot) if is_nil(slot) => Moves::None,
            Some(slot @ Sexpr::Word(..)) => {
                GroundTerm::from_sexpr(slot).map_or(Moves::None, Moves::Bare)
            }
            Some(Sexpr::List(items, _)) => Moves::Joint(
                items
                    .iter()
                    .map(|item| GroundTerm::from_sexpr(item).ok())
                    .collect(),
            ),
        };
        Ok(Turn {
            id,
            moves,
            sight: None,
        })
    }
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
        // Usually one list; a bare `INFO` and missing outer parentheses are accepted too.
        let mut items = exprs.as_slice();
        while let [Sexpr::List(inner, _), ..] = items {
            items = inner;
        }
        let Some((Sexpr::Word(head, _), items)) = items.split_first() else {
            return Ok(Message::Info);
        };
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
                Ok(Message::Preview {
                    rules: arguments.rules(0)?,
                    clock: arguments.clock(1, "a clock").unwrap_or_default(),
                })
            }
            "START" => {
                let arguments = arguments("START");
                Ok(Message::Start {
                    id: arguments.id()?,
                    role: arguments.term(1, "a role")?,
                    rules: arguments.rules(2)?,
                    start_clock: arguments.clock(3, "a start clock")?,
                    play_clock: arguments.clock(4, "a play clock")?,
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
mod tests {
    use super::*;

    fn parse(text: &str) -> String {
        match Message::parse(text) {
            Ok(message) => message.to_string(),
            Err(error) => format!("error: {error}"),
        }
    }

    #[test]
    fn every_dialect_is_understood() {
        for (text, understood) in [
            ("", "( INFO )"),
            (" \r\n\t", "( INFO )"),
            ("( INFO )", "( INFO )"),
            ("info", "( INFO )"),
            ("info()", "( INFO )"),
            ("((info))", "( INFO )"),
            ("()", "( INFO )"),
            ("(ping)", "( PING )"),
            ("(ping manager player)", "( PING )"),
            ("(preview ((role a)) 10)", "( PREVIEW ((role a)) 10 )"),
            ("(PREVIEW ((role a)))", "( PREVIEW ((role a)) 0 )"),
            (
                "(Start m1 a ((role a)) 30 15)",
                "( START m1 a ((role a)) 30 15 )",
            ),
            (
                "( START m.1\ra\n( (role a)\t(role b) )\r\n30 15 extra (more) )",
                "( START m.1 a ( (role a)\t(role b) ) 30 15 )",
            ),
            (
                "(START m (a b) ((role (a b))) 0 0)",
                "( START m (a b) ((role (a b))) 0 0 )",
            ),
            ("(start m a () 1.5 -3)", "( START m a ( () ) 1.5 0 )"),
            (
                "(start m a () 1e99 inf)",
                "( START m a ( () ) 864000 864000 )",
            ),
            (
                "(start m a () 99999999999999999999 1)",
                "( START m a ( () ) 864000 1 )",
            ),
            ("(PLAY m NIL)", "( PLAY m NIL )"),
            ("(play m nil)", "( PLAY m NIL )"),
            ("(play m ())", "( PLAY m NIL )"),
            ("(play m)", "( PLAY m NIL )"),
            ("play m ((mark 1 1) noop)", "( PLAY m ( (mark 1 1) noop ) )"),
            ("(PLAY m (MARK 1))", "( PLAY m ( MARK 1 ) )"),
            ("(PLAY m (a () (b)", "( PLAY m ( a () b ) )"),
            ("(PLAY m left)", "( PLAY m left )"),
            ("(PLAY m 0 NIL NIL)", "( PLAY m 0 NIL NIL )"),
            (
                "(play m 3 (mark 1 1) ((did x noop)))",
                "( PLAY m 3 (mark 1 1) ( (did x noop) ) )",
            ),
            ("(STOP m (a b))", "( STOP m ( a b ) )"),
            ("(stop m nil)", "( STOP m NIL )"),
            ("(abort m)", "( ABORT m )"),
            ("(abort m) trailing (garbage", "( ABORT m )"),
            ("(abort)", "error: ABORT without a match"),
            (
                "(start m a ((role a)) 30)",
                "error: START without a play clock",
            ),
            (
                "(start m a rules 30 15)",
                "error: START with \"rules\" as rules",
            ),
            (
                "(start m a () soon 15)",
                "error: START with \"soon\" as a start clock",
            ),
            (
                "(start m a () NaN 15)",
                "error: START with \"NaN\" as a start clock",
            ),
            ("(start m () () 1 1)", "error: START with \"()\" as a role"),
            (
                "favicon.ico",
                "error: \"favicon.ico\" is not a message of the protocol",
            ),
            ("\0\0", "( INFO )"),
        ] {
            assert_eq!(parse(text), understood, "{text:?}");
        }
    }

    #[test]
    fn nests_deeper_than_any_stack_are_refused() {
        let deep = format!("(PLAY m ({}", "(f ".repeat(1_000_000));
        assert!(matches!(
            Message::parse(&deep),
            Err(MessageError::TooLarge(_))
        ));
    }

    #[test]
    fn printing_wraps_rules_and_drops_comments() {
        let start = Message::Start {
            id: "m".into(),
            role: GroundTerm::constant("a"),
            rules: "; a game\n(role a) ; me\n(role b)\n".into(),
            start_clock: Duration::from_millis(500),
            play_clock: Duration::from_secs(1),
        };
        assert_eq!(
            start.to_string(),
            "( START m a ( (role a) (role b) ) 0.5 1 )"
        );
        // A list whose first element is a list stays as it is, even beside another list.
        assert_eq!(
            parse("(preview ((f a) (g)) 1)"),
            "( PREVIEW ((f a) (g)) 1 )"
        );
    }

    fn joint(text: &str, roles: &[&str], me: usize) -> Option<String> {
        let roles: Vec<_> = roles.iter().map(|r| GroundTerm::constant(r)).collect();
        let Ok(Message::Play(turn)) = Message::parse(text) else {
            panic!("{text} is a PLAY");
        };
        let joint = turn.joint(&roles, me)?;
        let words: Vec<_> = joint
            .iter()
            .map(|mv| mv.as_ref().map_or("?".into(), ToString::to_string))
            .collect();
        Some(words.join(" "))
    }

    #[test]
    fn joint_moves_of_every_dialect() {
        let two = ["x", "o"];
        assert_eq!(joint("(play m nil)", &two, 0), None);
        assert_eq!(joint("(play m whatever)", &two, 0), None);
        assert_eq!(joint("(play m (a (b c)))", &two, 0).unwrap(), "a (b c)");
        assert_eq!(joint("(play m (a))", &two, 0).unwrap(), "a ?");
        assert_eq!(joint("(play m (a b c))", &two, 0).unwrap(), "a b");
        assert_eq!(joint("(play m left)", &["r"], 0).unwrap(), "left");
        assert_eq!(joint("(play m (go 1 2))", &["r"], 0).unwrap(), "(go 1 2)");
        assert_eq!(joint("(play m ((go 1) 2))", &["r"], 0).unwrap(), "?");
        assert_eq!(joint("(play m 0 nil nil)", &two, 0), None);
        assert_eq!(joint("(play m 1 (b) nil)", &two, 1).unwrap(), "? b");
        assert_eq!(
            joint("(play m 1 a ((did o noop) (seen)))", &two, 0).unwrap(),
            "a noop"
        );
    }
}
