//! The lobby, the page on which a table is opened, and what is wrong with a pasted rulesheet.

use crate::game::Game;
use crate::library::Shelf;
use crate::line::Line;
use crate::picture;
use crate::seat::{PEOPLE, STRENGTHS};
use crate::site::{Kept, Site};
use gdl_parse::{Diagnostic, Level, LineColumn};
use maud::{Markup, html};
use std::path::PathBuf;

/// The first page.
pub(crate) fn lobby(site: &Site) -> Markup {
    let (shelves, recent) = (site.shelves(), site.recent());
    let tournaments = site.tournaments.list();
    html! {
        h1 class="hidden" { "Lobby" }
        div class="columns" {
            section class="card" {
                h2 { "Choose a game" }
                input type="search" class="filter" data-filter="games" placeholder="Search" aria-label="Search games";
                div id="games" { @for shelf in &shelves { (shelf_of(shelf)) } }
            }
            div {
                @if !recent.is_empty() { (recent_tables(&recent)) }
                @if !tournaments.is_empty() { (tournament_list(&tournaments)) }
                (paste_form("", ""))
                section class="card" {
                    h2 { "Open a match record" }
                    form method="post" action="/load" {
                        textarea name="record" rows="3" data-drop="" aria-label="Match record" placeholder="Paste a record here, or drop its file" required {}
                        button { "Replay" }
                    }
                }
            }
        }
    }
}

fn shelf_of(shelf: &Shelf) -> Markup {
    html! {
        details open[shelf.entries.len() <= 80] {
            summary { (shelf.title) " (" (shelf.entries.len()) ")" }
            ul class="games" {
                @for entry in &shelf.entries {
                    li data-name=(entry.title.to_lowercase()) {
                        a href=(format!("/new?game={}", encoded(&entry.key))) title=(entry.about) { (entry.title) }
                    }
                }
            }
        }
    }
}

fn recent_tables(recent: &[Kept]) -> Markup {
    html! {
        section class="card" {
            h2 { "Tables" }
            ul class="plain" {
                @for table in recent {
                    li {
                        a href=(format!("/table/{}", table.id)) { (table.game) }
                        " " small {
                            (table.players.join(" – ")) ", " (gdl_parse::diagnostic::count(table.plies, "move"))
                            @if !table.goals.is_empty() {
                                ", " (table.goals.iter().map(u8::to_string).collect::<Vec<_>>().join(" : "))
                            }
                        }
                    }
                }
            }
        }
    }
}

fn tournament_list(tournaments: &[PathBuf]) -> Markup {
    html! {
        section class="card" {
            h2 { "Tournaments" }
            ul class="plain" {
                @for (number, folder) in tournaments.iter().enumerate() {
                    li { a href=(format!("/tournament/{number}")) { (folder.display()) } }
                }
            }
        }
    }
}

fn paste_form(name: &str, text: &str) -> Markup {
    html! {
        section class="card" {
            h2 { "Bring a rulesheet" }
            form method="post" action="/paste" {
                input name="name" value=(name) placeholder="Name" aria-label="Name" maxlength="40";
                textarea name="rules" rows=(if text.is_empty() { 4 } else { 24 }) data-drop="" spellcheck="false"
                    aria-label="Rules" placeholder="Paste rules in GDL here, or drop a file" required { (text) }
                button { "Check and play" }
            }
        }
    }
}

/// What is wrong with a pasted rulesheet, at its places in the text.
pub(crate) fn faults(
    name: &str,
    text: &str,
    findings: &[Diagnostic],
    other: Option<&str>,
) -> Markup {
    /// The most findings that are shown.
    const SHOWN: usize = 30;
    html! {
        section class="card" {
            h1 { "These rules cannot be played yet" }
            @if let Some(other) = other { p role="alert" { (other) } }
            ol class="faults" {
                @for finding in findings.iter().take(SHOWN) {
                    @let place = LineColumn::of(text, finding.span.start);
                    li class=(if finding.level == Level::Error { "error" } else { "warning" }) {
                        strong { "line " (place.line) ", column " (place.column) ": " (finding.message) }
                        (excerpt(text, finding))
                        @if !finding.help.is_empty() { p { (finding.help) } }
                    }
                }
            }
            @if findings.len() > SHOWN { p { "and " (findings.len() - SHOWN) " more" } }
        }
        (paste_form(name, text))
    }
}

/// The line of a finding, with the place marked.
fn excerpt(text: &str, finding: &Diagnostic) -> Markup {
    /// The most characters on each side of the place.
    const WIDE: usize = 60;
    let start = (finding.span.start as usize).min(text.len());
    let end = (finding.span.end as usize).clamp(start, text.len());
    let (Some(before), Some(inside), Some(after)) =
        (text.get(..start), text.get(start..end), text.get(end..))
    else {
        return html! {};
    };
    let before = before.rsplit('\n').next().unwrap_or("");
    let before: Vec<char> = before.chars().collect();
    let before: String = before[before.len().saturating_sub(WIDE)..].iter().collect();
    let first =
        |text: &str| -> String { text.chars().take_while(|&c| c != '\n').take(WIDE).collect() };
    html! {
        pre { code { (before) mark { (first(inside)) } @if !inside.contains('\n') { (first(after)) } } }
        @if !finding.label.is_empty() { small { (finding.label) } }
    }
}

/// The page on which a table is opened.
pub(crate) fn open_table(game: &Game) -> Markup {
    let mut line = Line::new(game);
    let scene = line.scene(game, 0);
    let look = game.look();
    html! {
        div class="columns" {
            section class="card" {
                h1 { (game.title) }
                form method="post" action="/tables" {
                    input type="hidden" name="game" value=(game.key);
                    table class="seats" {
                        @for (role, name) in game.roles.iter().enumerate() {
                            tr {
                                th scope="row" { label for=(format!("seat{role}")) { (name) } }
                                td { (seat_choice(role, if role == 0 { "human" } else { "default" }, &format!("seat{role}"))) }
                            }
                        }
                    }
                    p {
                        label class="clock" { "Start clock " input name="start" type="number" min="0.1" max="3600" step="any" value="5"; " s" }
                        label class="clock" { "Play clock " input name="play" type="number" min="0.05" max="3600" step="any" value="3"; " s" }
                    }
                    p { small { "Clocks are for players of this program, and for people who choose to have the play clock." } }
                    button class="primary" { "Play" }
                    " " a href=(format!("/game?game={}", encoded(&game.key))) { "What is known of it" }
                }
                p { small { (game.made) } }
                @if let Some(complaint) = &game.complaint { p role="alert" { "The style file was not used: " (complaint) } }
            }
            section class="card" aria-label="first position" {
                div class="boards" { (picture::boards(&scene, None, &look)) }
                (picture::facts(&scene, None, &look))
            }
        }
    }
}

/// A choice of who plays a role: people, or a player of some strength.
pub(crate) fn seat_choice(role: usize, who: &str, id: &str) -> Markup {
    html! {
        select name=(format!("seat{role}")) id=(id) {
            @for (name, text) in PEOPLE { option value=(text) selected[text == who] { (name) } }
            @for (name, spec) in STRENGTHS {
                option value=(spec) selected[spec == who] { "player: " (name) }
            }
        }
    }
}

/// A text as it may stand in an address.
pub(crate) fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}
