//! Replies of players to servers.

use gdl_parse::{GroundTerm, Limits, Sexpr, read_all};
use std::fmt;

/// A reply. It is displayed on one line, with names spelled exactly as in the rules, because
/// servers compare them so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// To INFO: our name, and whether a match is running.
    Info {
        /// Our name, one word.
        name: String,
        /// Whether a match is running.
        busy: bool,
    },
    /// To START, PREVIEW and pings.
    Ready,
    /// To messages that do not fit the running match, or that need one when none is running.
    Busy,
    /// To PLAY.
    Move(GroundTerm),
    /// To PLAY if there is no move at all, and to messages that cannot be parsed.
    Nil,
    /// To STOP.
    Done,
    /// To ABORT.
    Aborted,
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Info { name, busy } => write!(
                f,
                "( ( name {name} ) ( status {} ) ( species computer ) )",
                if *busy { "busy" } else { "available" }
            ),
            Reply::Ready => f.write_str("ready"),
            Reply::Busy => f.write_str("busy"),
            Reply::Move(term) => write!(f, "{term}"),
            Reply::Nil => f.write_str("nil"),
            Reply::Done => f.write_str("done"),
            Reply::Aborted => f.write_str("aborted"),
        }
    }
}

/// The contents of a player's reply to INFO.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Presence {
    /// Its name, if given.
    pub name: Option<String>,
    /// Its status in lower case: `available`, `busy`, or the words of older players.
    pub status: Option<String>,
    /// Its species, if given.
    pub species: Option<String>,
}

impl Presence {
    /// Parses a reply to INFO: a list of pairs, or the bare status of older players.
    ///
    /// Parts that cannot be parsed are skipped.
    pub fn parse(reply: &str) -> Presence {
        let (exprs, _) = read_all(reply, &Limits::default());
        let mut presence = Presence::default();
        let pairs = match exprs.as_slice() {
            [Sexpr::Word(status, _), ..] => {
                presence.status = Some(status.to_ascii_lowercase());
                return presence;
            }
            [Sexpr::List(items, _)] if matches!(items.first(), Some(Sexpr::List(..))) => items,
            other => other,
        };
        for pair in pairs {
            if let Sexpr::List(items, _) = pair
                && let [Sexpr::Word(key, _), value, ..] = items.as_slice()
            {
                let text = value.span().text(reply);
                match key.to_ascii_lowercase().as_str() {
                    "name" => presence.name = Some(text.to_string()),
                    "status" => presence.status = Some(text.to_ascii_lowercase()),
                    "species" => presence.species = Some(text.to_string()),
                    _ => {}
                }
            }
        }
        presence
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_info_reads_back() {
        let reply = Reply::Info {
            name: "Rocinante".into(),
            busy: true,
        };
        assert_eq!(
            reply.to_string(),
            "( ( name Rocinante ) ( status busy ) ( species computer ) )"
        );
        let presence = Presence::parse(&reply.to_string());
        assert_eq!(presence.name.as_deref(), Some("Rocinante"));
        assert_eq!(presence.status.as_deref(), Some("busy"));
    }

    #[test]
    fn older_players_say_only_their_status() {
        assert_eq!(
            Presence::parse("AVAILABLE").status.as_deref(),
            Some("available")
        );
        let pairs = Presence::parse("(name x) (status available)");
        assert_eq!(pairs.name.as_deref(), Some("x"));
        assert_eq!(Presence::parse(")("), Presence::default());
    }

    #[test]
    fn moves_keep_their_spelling() {
        let mv = "( Mark 1\t( B ) )\r\n".parse().unwrap();
        assert_eq!(Reply::Move(mv).to_string(), "(Mark 1 B)");
    }
}
