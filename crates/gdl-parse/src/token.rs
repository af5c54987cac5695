//! Splits text into tokens.

use crate::span::Span;
use nom::branch::alt;
use nom::bytes::complete::{take_till, take_while1};
use nom::character::complete::char;
use nom::combinator::{map, recognize, value};
use nom::multi::many0_count;
use nom::sequence::preceded;
use nom::{IResult, Parser};

/// A lexical element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    Open,
    Close,
    Word(&'a str),
}

/// The tokens of a text with their spans. They are read one at a time, so memory does not grow
/// with the text.
pub(crate) struct Tokens<'a> {
    source: &'a str,
    rest: &'a str,
}

/// NUL and other control characters separate words, as white space does.
fn is_space(c: char) -> bool {
    c.is_whitespace() || c.is_control() || c == '\u{feff}'
}

fn is_word(c: char) -> bool {
    !is_space(c) && !matches!(c, '(' | ')' | ';')
}

fn comment(input: &str) -> IResult<&str, &str> {
    recognize(preceded(char(';'), take_till(|c| c == '\n' || c == '\r'))).parse(input)
}

fn trivia(input: &str) -> IResult<&str, ()> {
    value((), many0_count(alt((take_while1(is_space), comment)))).parse(input)
}

fn token(input: &str) -> IResult<&str, Token<'_>> {
    alt((
        value(Token::Open, char('(')),
        value(Token::Close, char(')')),
        map(take_while1(is_word), Token::Word),
    ))
    .parse(input)
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(source: &'a str) -> Self {
        Tokens {
            source,
            rest: source,
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (Token<'a>, Span);

    fn next(&mut self) -> Option<Self::Item> {
        let (rest, ()) = trivia(self.rest).unwrap_or((self.rest, ()));
        let start = self.source.len() - rest.len();
        let (rest, token) = token(rest).ok()?;
        self.rest = rest;
        Some((token, Span::new(start, self.source.len() - rest.len())))
    }
}
