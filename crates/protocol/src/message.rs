//! Messages from servers to players.

use gdl_parse::GroundTerm;
use std::fmt;
use std::time::Duration;

/// A message from a server. Its display form is that of servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// INFO asks for the player's name and whether it is free. An empty message means the same.
    Info,
    /// Asks whether the player is there. Newer managers use this form.
    Ping,
    /// A game that may be played later.
    Preview {
        /// The rules as text, with or without parentheses around all of them.
        rules: String,
        /// Time to examine them.
        clock: Duration,
    },
    /// A match begins.
    Start {
        /// The id of the match.
        id: String,
        /// The role to play.
        role: GroundTerm,
        /// The rules as text, with or without parentheses around all of them.
        rules: String,
        /// Time until the first turn.
        start_clock: Duration,
        /// Time for each move.
        play_clock: Duration,
    },
    /// The last joint move; the player is to choose a move.
    Play(Turn),
    /// The last joint move; the match is over.
    Stop(Turn),
    /// The match is aborted.
    Abort {
        /// The id of the match.
        id: String,
    },
}

/// The contents of PLAY and STOP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The id of the match.
    pub id: String,
    /// The last joint move.
    pub moves: Moves,
    /// The additions of a server of games with incomplete information.
    pub sight: Option<Sight>,
}

/// The part of a message that holds the last joint move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moves {
    /// `NIL`, `()` or nothing: no move was played yet.
    None,
    /// A single name where a list belongs.
    ///
    /// For games of one role some servers mean a move. For all others it means that there was
    /// none.
    Bare(GroundTerm),
    /// One move for each role, in order; `None` where the entry is not a term.
    Joint(Vec<Option<GroundTerm>>),
    /// Several terms without a list around them. The number of roles tells whether the first is
    /// the list of moves, or each is a move.
    Loose(Vec<Option<GroundTerm>>),
}

/// The additions of GDL-II to PLAY and STOP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight {
    /// The number of turns played so far, counted from 0.
    pub turn: Option<u64>,
    /// The move that the server played for us.
    pub last: Option<GroundTerm>,
    /// Our percepts of the others' moves.
    pub percepts: Vec<GroundTerm>,
}

impl Turn {
    /// A turn of the usual form.
    pub fn new(id: impl Into<String>, moves: Option<&[GroundTerm]>) -> Turn {
        Turn {
            id: id.into(),
            moves: match moves {
                None | Some([]) => Moves::None,
                Some(moves) => Moves::Joint(moves.iter().cloned().map(Some).collect()),
            },
            sight: None,
        }
    }

    /// Whether the message says that no move was played yet.
    pub fn is_first(&self) -> bool {
        match &self.sight {
            Some(sight) => sight.is_first(),
            None => self.moves == Moves::None,
        }
    }

    /// The last joint move of a game with these roles, of which `me` is ours.
    ///
    /// `None` if the message says that there was none. An entry is `None` if the message does
    /// not contain it.
    pub fn joint(&self, roles: &[GroundTerm], me: usize) -> Option<Vec<Option<GroundTerm>>> {
        if let Some(sight) = &self.sight {
            return sight.joint(roles, me);
        }
        let mut joint = match &self.moves {
            Moves::None => return None,
            Moves::Bare(term) => match roles {
                [_] => vec![Some(term.clone())],
                _ => return None,
            },
            Moves::Joint(moves) => match (roles, moves.as_slice()) {
                // One role and `(move 1 2)`: the enclosing list was left out.
                ([_], [_, _, ..]) => vec![compound(moves)],
                _ => moves.clone(),
            },
            Moves::Loose(terms) => loose(terms, roles.len()),
        };
        joint.resize(roles.len(), None);
        Some(joint)
    }
}

/// The term that a list of names and terms is, if its enclosing list was left out.
fn compound(items: &[Option<GroundTerm>]) -> Option<GroundTerm> {
    let mut terms = items
        .iter()
        .cloned()
        .collect::<Option<Vec<_>>>()?
        .into_iter();
    match terms.next()? {
        GroundTerm::Constant(name) => Some(GroundTerm::Compound(name, terms.collect())),
        GroundTerm::Compound(..) => None,
    }
}

/// The joint move of terms without a list around them.
fn loose(terms: &[Option<GroundTerm>], roles: usize) -> Vec<Option<GroundTerm>> {
    let Some(Some(first)) = terms.first() else {
        return terms.to_vec();
    };
    let listed = match first {
        GroundTerm::Constant(_) => vec![Some(first.clone())],
        GroundTerm::Compound(name, args) => {
            let name = Some(GroundTerm::Constant(name.clone()));
            let args = args.iter().cloned().map(Some);
            std::iter::once(name).chain(args).collect()
        }
    };
    match roles {
        1 => vec![Some(first.clone())],
        // What follows the usual list of moves is ignored.
        _ if listed.len() != roles && terms.len() == roles => terms.to_vec(),
        _ => listed,
    }
}

impl Sight {
    fn is_first(&self) -> bool {
        self.turn == Some(0) || (self.last.is_none() && self.percepts.is_empty())
    }

    fn joint(&self, roles: &[GroundTerm], me: usize) -> Option<Vec<Option<GroundTerm>>> {
        if self.is_first() {
            return None;
        }
        let mut joint = vec![None; roles.len()];
        for percept in &self.percepts {
            // For games of GDL-I, servers give GDL-II players the percept `(did role move)` for
            // every role, under any name.
            if let GroundTerm::Compound(_, args) = percept
                && let [role, mv] = args.as_slice()
                && let Some(at) = roles.iter().position(|r| r.eq_ignore_case(role))
            {
                joint[at] = Some(mv.clone());
            }
        }
        if let (Some(entry), Some(last)) = (joint.get_mut(me), &self.last) {
            *entry = Some(last.clone());
        }
        Some(joint)
    }
}

/// Whole seconds without a fraction, as servers write clocks.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.subsec_nanos() {
            0 => write!(f, "{}", self.0.as_secs()),
            _ => write!(f, "{}", self.0.as_secs_f64()),
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Info => f.write_str("( INFO )"),
            Message::Ping => f.write_str("( PING )"),
            Message::Preview { rules, clock } => {
                write!(f, "( PREVIEW {} {} )", Wrapped(rules), Seconds(*clock))
            }
            Message::Start {
                id,
                role,
                rules,
                start_clock,
                play_clock,
            } => write!(
                f,
                "( START {id} {role} {} {} {} )",
                Wrapped(rules),
                Seconds(*start_clock),
                Seconds(*play_clock)
            ),
            Message::Play(turn) => write!(f, "( PLAY {turn} )"),
            Message::Stop(turn) => write!(f, "( STOP {turn} )"),
            Message::Abort { id } => write!(f, "( ABORT {id} )"),
        }
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.id)?;
        if let Some(sight) = &self.sight {
            match sight.turn {
                Some(turn) => write!(f, " {turn}")?,
                None => f.write_str(" NIL")?,
            }
            match &sight.last {
                Some(last) => write!(f, " {last}")?,
                None => f.write_str(" NIL")?,
            }
            return write_list(f, sight.percepts.iter().map(Some));
        }
        match &self.moves {
            Moves::None => f.write_str(" NIL"),
            Moves::Bare(term) => write!(f, " {term}"),
            Moves::Joint(moves) => write_list(f, moves.iter().map(Option::as_ref)),
            Moves::Loose(terms) => terms.iter().try_for_each(|term| match term {
                Some(term) => write!(f, " {term}"),
                None => f.write_str(" ()"),
            }),
        }
    }
}

/// ` ( a b c )`, or ` NIL` if there are no items.
fn write_list<'a>(
    f: &mut fmt::Formatter<'_>,
    items: impl ExactSizeIterator<Item = Option<&'a GroundTerm>>,
) -> fmt::Result {
    if items.len() == 0 {
        return f.write_str(" NIL");
    }
    f.write_str(" (")?;
    for item in items {
        match item {
            Some(term) => write!(f, " {term}")?,
            None => f.write_str(" ()")?,
        }
    }
    f.write_str(" )")
}

/// Rules as one list.
///
/// Parentheses are added where the text is not a list of lists already. Comments are removed
/// because line ends may be lost in transport.
struct Wrapped<'a>(&'a str);

impl fmt::Display for Wrapped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(self.0.len() + 4);
        // Comments end at either; old files have only carriage returns.
        for line in self.0.split(['\n', '\r']) {
            let line = line.split(';').next().unwrap_or("").trim();
            if !line.is_empty() {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(line);
            }
        }
        if is_wrapped(&text) {
            f.write_str(&text)
        } else {
            write!(f, "( {text} )")
        }
    }
}

/// Whether `text` is a single list whose first element is a list.
fn is_wrapped(text: &str) -> bool {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 && at + 1 < text.len() {
                    return false;
                }
            }
            _ => {}
        }
    }
    text.strip_prefix('(')
        .is_some_and(|rest| rest.trim_start().starts_with('('))
}
