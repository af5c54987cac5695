//! What is known of a game, as a page.

use crate::game::{Game, Learnt, Profiled};
use crate::lobby::encoded;
use crate::picture;
use maud::{Markup, html};
use profile::Profile;

/// What each section of the report is about, for people who do not know the words.
const SECTIONS: [(&str, &str); 12] = [
    (
        "structure",
        "who moves when, how long a game lasts, what the results add up to",
    ),
    ("play", "what happens in random play"),
    (
        "groups",
        "facts that exclude each other: each is one variable with several values",
    ),
    ("numbers", "quantities that the rules count with"),
    (
        "latches",
        "what can never change again once it holds, and what it decides",
    ),
    ("goals", "what the results depend on"),
    ("factors", "parts that can be played as games of their own"),
    ("boards", "places, the things on them and whose they are"),
    ("symmetries", "changes after which the game is the same"),
    ("distances", "how many moves things are away from winning"),
    ("moves", "how moves depend on each other"),
    ("stages", "how long each analysis took"),
];

/// The page about a game.
pub(crate) fn page(game: &Game) -> Markup {
    html! {
        section class="card" {
            h1 { (game.title) }
            p { "Roles: " (game.roles.join(", ")) ". " (game.made) "." }
            @if !game.key.is_empty() { p { a href=(format!("/new?game={}", encoded(&game.key))) { "Play it" } } }
        }
        @match game.profile() {
            Profiled::Pending => section class="card" data-again="1000" { p role="status" { "The game is being analysed; this takes a few seconds." } },
            Profiled::Impossible => section class="card" { p { "The rules were too large for a network in the time there was, and without one nothing more is known." } },
            Profiled::Found(profile) => { (learnt(game)) (found(&profile)) }
        }
        section class="card" { details { summary { "The rules" } pre class="rules" { (game.rules) } } }
    }
}

/// What self-play tells of it, with a table of squares for each piece.
fn learnt(game: &Game) -> Markup {
    html! {
        @match game.learnt() {
            Learnt::Unasked => section class="card" id="learnt" {
                h2 { "what matters" }
                p { small { "what pieces are worth on each square, and what goes with winning, learnt from play against itself" } }
                form method="post" action="/game/learn" {
                    input type="hidden" name="game" value=(game.key);
                    button { "Learn it (10 s)" }
                }
            },
            Learnt::Pending => section class="card" id="learnt" data-again="1000" {
                h2 { "what matters" }
                p role="status" { "The game is being learnt; this takes ten seconds." }
            },
            Learnt::Found(told) => section class="card" id="learnt" {
                h2 { "what matters" }
                pre { (told.0) }
                div class="squares" {
                    @for drawn in &told.1 { figure class="drawn" { (picture::made(&drawn.svg)) } }
                }
            },
        }
    }
}

fn found(profile: &Profile) -> Markup {
    let text = profile_report::text(profile);
    let pictures = profile_report::pictures(profile);
    html! {
        @for (heading, lines) in sections(&text) {
            section class="card" id=(heading) {
                h2 { (heading) }
                @if let Some((_, about)) = SECTIONS.iter().find(|(name, _)| *name == heading) { p { small { (about) } } }
                pre { (lines) }
                @for drawn in pictures.iter().filter(|drawn| section_of(&drawn.file) == heading) {
                    figure class="drawn" { (picture::made(&drawn.svg)) }
                }
            }
        }
    }
}

/// The section that a picture belongs to, by its file.
fn section_of(file: &str) -> &'static str {
    match file.split(['-', '.']).next() {
        Some("board") => "boards",
        Some("distance") => "distances",
        _ => "factors",
    }
}

/// The sections of a report: the heading stands in the margin of its first line.
fn sections(text: &str) -> Vec<(String, String)> {
    let mut sections: Vec<(String, String)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let margin = line.char_indices().nth(12).map_or(line.len(), |(at, _)| at);
        let (heading, rest) = line.split_at(margin);
        match (heading.trim(), sections.last_mut()) {
            ("", Some((_, lines))) => *lines += &format!("{rest}\n"),
            (heading, _) => sections.push((heading.to_owned(), format!("{rest}\n"))),
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_falls_into_its_sections() {
        let text = "game        1 role\n\nboards      none found\n            at all\n";
        let told = sections(text);
        assert_eq!(told[0], ("game".into(), "1 role\n".into()));
        assert_eq!(told[1], ("boards".into(), "none found\nat all\n".into()));
    }
}
