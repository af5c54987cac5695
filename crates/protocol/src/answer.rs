//! What real players answer to PLAY.
//!
//! A reply should be one move as the rules spell it. Players also write it in upper case, in
//! quotation marks, with an explanation and a taunt behind it (the old protocol), as
//! `(does role move)`, or without its parentheses. Such a reply is read if it can mean one legal
//! move. If it can mean two of them, it is not read: a guess could be the wrong move.

use gdl_parse::{GroundTerm, Limits, Sexpr, read_all};
use std::fmt;

/// The most words of a reply without parentheses that are taken for one move.
const WORDS: usize = 16;
/// How deep a move may be wrapped in lists and words such as `move`.
const WRAPS: usize = 4;
/// Words before a move.
const LABELS: [&str; 5] = ["move", "action", "play", "answer", "does"];

/// The place of a term among legal moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The term is the legal move with this index.
    Exact(usize),
    /// Only the legal move with this index is equal to the term when case is ignored.
    OtherCase(usize),
    /// These two legal moves, and perhaps more, are equal to the term when case is ignored.
    Several(usize, usize),
    /// The term is no legal move in any case.
    Nowhere,
}

impl Place {
    /// Looks for `term` among the legal moves.
    pub fn of<'a>(term: &GroundTerm, legal: impl IntoIterator<Item = &'a GroundTerm>) -> Place {
        let mut place = Place::Nowhere;
        for (at, mv) in legal.into_iter().enumerate() {
            if mv == term {
                return Place::Exact(at);
            }
            if mv.eq_ignore_case(term) {
                place = match place {
                    Place::OtherCase(first) | Place::Several(first, _) => Place::Several(first, at),
                    _ => Place::OtherCase(at),
                };
            }
        }
        place
    }
}

/// A reply that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heard {
    /// The index of the legal move.
    pub index: usize,
    /// Whether the reply is that move as the rules spell it, and nothing else.
    pub plain: bool,
}

/// Why a reply was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unheard {
    /// It means no legal move.
    Illegal,
    /// It can mean the legal moves with these indices.
    Ambiguous(usize, usize),
}

/// Reads a player's reply to PLAY. `role` is its role, and `legal` are its legal moves, in the
/// names that the player knows.
///
/// # Errors
/// Fails if the reply means no legal move, or can mean several.
pub fn read_move(reply: &str, role: &GroundTerm, legal: &[GroundTerm]) -> Result<Heard, Unheard> {
    let whole = reply.parse::<GroundTerm>().ok();
    if let Some(Place::Exact(index)) = whole.as_ref().map(|term| Place::of(term, legal)) {
        return Ok(Heard { index, plain: true });
    }
    let mut meant = None;
    for term in readings(reply, role) {
        let index = match Place::of(&term, legal) {
            Place::Exact(index) | Place::OtherCase(index) => index,
            Place::Several(one, other) => return Err(Unheard::Ambiguous(one, other)),
            Place::Nowhere => continue,
        };
        match meant.replace(index) {
            Some(before) if before != index => return Err(Unheard::Ambiguous(before, index)),
            _ => {}
        }
    }
    let heard = |index| Heard {
        index,
        plain: false,
    };
    meant.map(heard).ok_or(Unheard::Illegal)
}

/// Whether a reply to START says that the player is ready.
pub fn is_ready(reply: &str) -> bool {
    let mut words = reply.split(|c: char| !c.is_alphanumeric());
    let first = words.find(|word| !word.is_empty());
    first.is_some_and(|word| word.eq_ignore_ascii_case("ready"))
}

/// All terms that a reply can mean, without repetition.
fn readings(reply: &str, role: &GroundTerm) -> Vec<GroundTerm> {
    // Names may contain quotation marks and commas, so the reply is also read as it is.
    let bare = reply.replace(['"', '\'', '`', '“', '”', '‘', '’', ','], " ");
    let mut terms = Vec::new();
    for text in [reply, &bare] {
        let (exprs, _) = read_all(text, &Limits::default());
        collect(&exprs, role, WRAPS, &mut terms);
    }
    terms
}

/// Adds the terms that a move at the beginning of `items` can be.
fn collect(items: &[Sexpr<'_>], role: &GroundTerm, wraps: usize, terms: &mut Vec<GroundTerm>) {
    let (Some((first, rest)), true) = (items.split_first(), wraps > 0) else {
        return;
    };
    let mut add = |term: Option<GroundTerm>| match term {
        Some(term) if !terms.contains(&term) => terms.push(term),
        _ => {}
    };
    add(GroundTerm::from_sexpr(first).ok());
    match first {
        // `((take 1) "explanation")`, `(move (take 1))`.
        Sexpr::List(inner, _) => match inner.first() {
            Some(Sexpr::List(..)) => collect(inner, role, wraps - 1, terms),
            Some(Sexpr::Word(word, _)) if introduces(word, role) => {
                collect(&inner[1..], role, wraps - 1, terms);
            }
            _ => {}
        },
        Sexpr::Word(name, _) => {
            // `take(1)`.
            if let Some(Sexpr::List(inner, _)) = rest.first() {
                add(compound(name, inner));
            }
            // `take 1`, of which it is not known where it ends.
            for end in 1..=rest.len().min(WORDS) {
                add(compound(name, &rest[..end]));
            }
            // `move: (take 1)`.
            if introduces(name, role) {
                collect(rest, role, wraps - 1, terms);
            }
        }
    }
}

/// Whether a move may follow this word: `move`, `does`, or the name of the role.
fn introduces(word: &str, role: &GroundTerm) -> bool {
    let word = word.trim_end_matches([':', '=']);
    let label = |label: &&str| label.eq_ignore_ascii_case(word);
    LABELS.iter().any(label) || GroundTerm::constant(word).eq_ignore_case(role)
}

fn compound(name: &str, items: &[Sexpr<'_>]) -> Option<GroundTerm> {
    let terms = items.iter().map(|item| GroundTerm::from_sexpr(item).ok());
    match terms.collect::<Option<Vec<_>>>()? {
        terms if terms.is_empty() => None,
        terms => Some(GroundTerm::Compound(name.into(), terms)),
    }
}

impl fmt::Display for Unheard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unheard::Illegal => "it is no legal move",
            Unheard::Ambiguous(..) => "it can mean several legal moves",
        })
    }
}

impl std::error::Error for Unheard {}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(texts: &[&str]) -> Vec<GroundTerm> {
        let terms = texts.iter().map(|text| text.parse().expect("a term"));
        terms.collect()
    }

    /// What the reply of the role `white` means.
    fn read(reply: &str, legal: &[&str]) -> String {
        let role = GroundTerm::constant("white");
        match read_move(reply, &role, &terms(legal)) {
            Ok(Heard { index, plain: true }) => legal[index].to_string(),
            Ok(Heard { index, .. }) => format!("about {}", legal[index]),
            Err(Unheard::Illegal) => "illegal".into(),
            Err(Unheard::Ambiguous(one, other)) => format!("{} or {}", legal[one], legal[other]),
        }
    }

    #[test]
    fn real_replies_are_read() {
        let legal = ["(take 1)", "(take 2)", "(mark 1 (b 2))", "noop", "7"];
        for (reply, meant) in [
            ("(take 1)", "(take 1)"),
            ("  ( take\t1 )\r\n", "(take 1)"),
            ("(noop)", "noop"),
            ("7", "7"),
            ("(TAKE 1)", "about (take 1)"),
            ("NOOP", "about noop"),
            (
                "(take 1) (explanation \"one is enough\") (taunt \"ha\")",
                "about (take 1)",
            ),
            (
                "(take 1) (explanation (better than (take 2)))",
                "about (take 1)",
            ),
            ("(take 1) (explanation \"is :-( bad\")", "about (take 1)"),
            (
                "((take 1) (explanation none) (taunt none))",
                "about (take 1)",
            ),
            ("((take 1))", "about (take 1)"),
            ("(take 1)\n; I thought about (take 2)\n", "(take 1)"),
            ("(take 1)\nI thought about (take 2)", "about (take 1)"),
            ("noop, because I must", "about noop"),
            ("\"(take 1)\"", "about (take 1)"),
            ("'noop'", "about noop"),
            ("“(take 1)”", "about (take 1)"),
            ("(take \"1\")", "about (take 1)"),
            ("take 1", "about (take 1)"),
            ("take 1 and not more", "about (take 1)"),
            ("take(1)", "about (take 1)"),
            ("mark(1, (b 2))", "about (mark 1 (b 2))"),
            ("MARK 1 (B 2)", "about (mark 1 (b 2))"),
            ("(does white (take 1))", "about (take 1)"),
            ("(DOES WHITE (TAKE 1))", "about (take 1)"),
            ("(white (take 1))", "about (take 1)"),
            ("(does black (take 1))", "illegal"),
            ("move: (take 1)", "about (take 1)"),
            ("(move (take 1))", "about (take 1)"),
            ("(MOVE (TAKE 1)) (EXPLANATION none)", "about (take 1)"),
            ("\u{feff}(take 1)", "(take 1)"),
            ("(take 1", "about (take 1)"),
            ("(take 1))", "about (take 1)"),
            ("", "illegal"),
            (")(", "illegal"),
            ("nil", "illegal"),
            ("(take 3)", "illegal"),
            ("(take 1 2)", "illegal"),
            ("I would not play (take 1)", "illegal"),
            ("1", "illegal"),
        ] {
            assert_eq!(read(reply, &legal), meant, "{reply:?}");
        }
    }

    #[test]
    fn nobody_guesses_between_two_legal_moves() {
        let two = ["(take 1)", "(Take 1)"];
        assert_eq!(read("(take 1)", &two), "(take 1)");
        assert_eq!(read("(Take 1)", &two), "(Take 1)");
        assert_eq!(read("(TAKE 1)", &two), "(take 1) or (Take 1)");
        let short = ["take", "(take 1)"];
        assert_eq!(read("take", &short), "take");
        assert_eq!(read("take 1", &short), "take or (take 1)");
        // A move may look like a wrapped one, and is then what it looks like.
        let wrapped = ["noop", "(does white noop)", "(move noop)"];
        assert_eq!(read("(does white noop)", &wrapped), "(does white noop)");
        assert_eq!(
            read("(DOES white noop)", &wrapped),
            "(does white noop) or noop"
        );
        // Names may contain what is dropped elsewhere.
        let quoted = ["o'neil", "(a,b)"];
        assert_eq!(read("o'neil", &quoted), "o'neil");
        assert_eq!(read("A,B", &quoted), "about (a,b)");
    }

    #[test]
    fn hostile_replies_take_little_time() {
        let legal = ["noop"];
        let deep = "(".repeat(500_000);
        let wide = "move ".repeat(100_000);
        for reply in [&*deep, &wide] {
            let began = std::time::Instant::now();
            assert_eq!(read(reply, &legal), "illegal");
            assert!(began.elapsed() < std::time::Duration::from_secs(10));
        }
    }

    #[test]
    fn players_say_in_their_ways_that_they_are_ready() {
        for reply in ["ready", "READY", " (ready)\r\n", "\"Ready.\"", "ready!"] {
            assert!(is_ready(reply), "{reply}");
        }
        for reply in ["", "busy", "not ready", "already", "()"] {
            assert!(!is_ready(reply), "{reply}");
        }
    }
}
