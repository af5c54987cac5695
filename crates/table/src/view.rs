//! The page of a table, and what changes on it.

use crate::clicks::{Click, clicks};
use crate::game::Game;
use crate::line::End;
use crate::lobby::{encoded, seat_choice};
use crate::picture::{self, address};
use crate::seat::Seat;
use crate::story;
use crate::table::{Inner, Table};
use crate::thoughts::thoughts;
use maud::{Markup, html};
use serde::Serialize;
use std::time::Duration;

/// The most moves that are sent to a page. More cannot be read; they can be typed.
const MOVES: usize = 5000;
/// The form with which play begins again, by its name on the page.
const AGAIN: &str = "again";

/// What a page shows of a table, ready to be put into it.
#[derive(Debug, Serialize)]
pub(crate) struct View {
    /// The number of joint moves at the table.
    plies: usize,
    /// The number of joint moves before the position that is shown.
    ply: usize,
    board: String,
    facts: String,
    status: String,
    seats: String,
    history: String,
    thoughts: String,
    /// The roles for which somebody at the page has to move.
    roles: Vec<Choice>,
    over: bool,
    paused: bool,
}

/// What a role can play.
#[derive(Debug, Serialize)]
struct Choice {
    role: usize,
    name: String,
    /// Whether the choice is made already, and only others are waited for.
    chosen: bool,
    moves: Vec<Playable>,
    /// The number of moves, of which not all may be listed.
    count: usize,
}

/// A move, and the squares with which it is played.
#[derive(Debug, Serialize)]
struct Playable {
    text: String,
    squares: Vec<String>,
    column: bool,
}

/// The page of a table, which asks for its contents.
pub(crate) fn page(table: &Table) -> Markup {
    let id = &table.id;
    html! {
        div id="table" class="table" data-table=(id) {
            div class="middle" {
                p id="status" class="status" role="status" aria-live="polite" {}
                div id="board" class="boards" {}
                div id="facts" {}
                nav class="steps" aria-label="positions" {
                    button type="button" data-go="first" aria-label="first position" { "«" }
                    button type="button" data-go="back" aria-label="position before" { "◀" }
                    output id="where" {}
                    button type="button" data-go="on" aria-label="next position" { "▶" }
                    button type="button" data-go="last" aria-label="last position" { "»" }
                    button type="button" data-post="undo" title="Take back your last move (u)" { "Take back" }
                    button type="button" id="here" data-post="back" hidden { "Play on from here" }
                    button type="button" data-post="branch" title="Try moves on a copy of this table" { "What if?" }
                    button type="button" id="pause" data-post="pause" { "Pause" }
                }
            }
            div class="side" {
                section class="card" id="moves" aria-label="moves" {
                    div id="roles" class="roles" role="tablist" aria-label="roles" {}
                    input type="search" id="find" placeholder="Find a move (/)" aria-label="Find a move";
                    ul id="list" class="list" {}
                }
                section class="card" id="seats" aria-label="seats" {}
                div id="thoughts" {}
                section class="card" { div id="history" {} }
                section class="card links" {
                    a href=(format!("/game?game={}", encoded(&table.game.key))) { "The game" }
                    a href=(format!("/table/{id}/record.json")) download="" { "Record" }
                    a href=(format!("/table/{id}/match.html")) download="" { "Match as a page" }
                    a href=(format!("/table/{id}/match.gif")) download="" { "Match as GIF" }
                    a href=(format!("/table/{id}/position.svg")) data-position="svg" download="" { "Position as SVG" }
                    a href=(format!("/table/{id}/position.gif")) data-position="gif" download="" { "as GIF" }
                    small { (table.game.made) }
                }
            }
        }
    }
}

/// What a page shows of the position after so many joint moves; of the last one if `ply` is
/// `None`.
pub(crate) fn view(table: &Table, ply: Option<usize>) -> View {
    let mut inner = table.look();
    let inner = &mut *inner;
    let (game, look) = (&table.game, table.game.look());
    let plies = inner.line.plies();
    let ply = ply.unwrap_or(plies).min(plies);
    let scene = inner.line.scene(game, ply);
    let before = ply
        .checked_sub(1)
        .map(|before| inner.line.scene(game, before));
    let mut roles = Vec::new();
    for (role, name) in game.roles.iter().enumerate() {
        let count = inner.line.legal(role).len();
        if ply != plies || !inner.seats[role].is_human() || count < 2 {
            continue;
        }
        let terms = inner.line.legal(role).iter().take(MOVES);
        let terms: Vec<_> = terms.map(|(_, term)| term.clone()).collect();
        let chosen = inner.chosen[role].is_some();
        let clicks = clicks(&terms, &scene, &mut |at| inner.line.try_out(game, role, at));
        let playable = |(term, click): (_, Click)| Playable {
            text: game::GroundTerm::to_string(term),
            squares: click.squares.iter().map(address).collect(),
            column: click.column,
        };
        roles.push(Choice {
            role,
            name: name.clone(),
            chosen,
            moves: terms.iter().zip(clicks).map(playable).collect(),
            count,
        });
    }
    View {
        plies,
        ply,
        board: picture::boards(&scene, before.as_ref(), &look).into_string(),
        facts: picture::facts(&scene, before.as_ref(), &look).into_string(),
        status: status(inner, game).into_string(),
        seats: seats(inner, game).into_string(),
        history: history(inner, ply).into_string(),
        thoughts: thoughts(inner, &game.roles).into_string(),
        roles,
        over: inner.line.end().is_some(),
        paused: inner.paused,
    }
}

/// What is waited for, or how it ended.
fn status(inner: &Inner, game: &Game) -> Markup {
    let roles = &game.roles;
    let waiting = |human: bool| {
        let all = roles.iter().enumerate();
        let all = all.filter(move |(role, _)| {
            inner.line.legal(*role).len() > 1
                && inner.chosen[*role].is_none()
                && inner.seats[*role].is_human() == human
        });
        all.map(|(_, name)| name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    html! {
        @if let Some(unsaved) = &inner.unsaved { span class="alert" { (unsaved) } " " }
        @match inner.line.end() {
            Some(End::Results(goals)) => {
                strong { "It is over. " }
                @for (name, goal) in roles.iter().zip(goals) {
                    span class="result" { (name) " " b { @if let Some(goal) = goal { (goal) } @else { "no result" } } } " "
                }
                @if !game.key.is_empty() { button form=(AGAIN) { "Play again" } }
            }
            Some(End::Broken(why)) => { strong { "Play cannot go on: " } (why) }
            None => {
                @let (people, players) = (waiting(true), waiting(false));
                @if !people.is_empty() { strong { (people) } " to move" }
                @for (role, left) in (0..roles.len()).filter_map(|role| Some((role, inner.left(role)?))) {
                    " " span class="clock" data-left=(left.as_millis()) title=(format!("time that {} has left", roles[role])) {
                        (format!("{:.0} s", left.as_secs_f64().ceil()))
                    }
                }
                @if !people.is_empty() && !players.is_empty() { "; " }
                @if !players.is_empty() {
                    (players) @if inner.paused { " waits; press Go on" } @else { " thinks…" }
                }
            }
        }
    }
}

fn seats(inner: &Inner, game: &Game) -> Markup {
    let roles = &game.roles;
    let used = |role: usize| {
        let times = inner.record.answer_times.iter();
        let all: u64 = times.filter_map(|times| times.get(role)).sum();
        format!("{:.0} s", all as f64 / 1000.0)
    };
    html! {
        h2 { "Seats" }
        table class="seats" {
            @for (role, (name, seat)) in roles.iter().zip(&inner.seats).enumerate() {
                tr {
                    th scope="row" { (name) }
                    td data-role=(role) { (chooser(role, seat)) }
                    td title="time used" { small { (used(role)) } }
                    td { small { @if inner.chosen[role].is_some() && inner.line.legal(role).len() > 1 { "has chosen" } } }
                }
            }
        }
        p { small { "The play clock is " (inner.record.play_clock.as_secs_f64()) " s." } }
        (again(inner, game))
    }
}

/// The form that opens a table of the same game, with the same players and clocks.
fn again(inner: &Inner, game: &Game) -> Markup {
    let hidden = |name: &str, value: &str| html! { input type="hidden" name=(name) value=(value); };
    let seconds = |clock: Duration| clock.as_secs_f64().to_string();
    html! {
        form id=(AGAIN) method="post" action="/tables" hidden {
            (hidden("game", &game.key))
            @for (role, seat) in inner.seats.iter().enumerate() {
                (hidden(&format!("seat{role}"), &seat.who.to_string()))
            }
            (hidden("start", &seconds(inner.record.start_clock)))
            (hidden("play", &seconds(inner.record.play_clock)))
        }
    }
}

fn chooser(role: usize, seat: &Seat) -> Markup {
    let text = seat.who.to_string();
    html! {
        (seat_choice(role, &text, &format!("sit{role}")))
        @if seat.who.title() == text { small { " " (text) } }
        @if seat.is_human() && let Some(complaint) = &seat.complaint { " " small class="alert" { (complaint) } }
    }
}

/// The moves so far, with the evaluation curve.
fn history(inner: &Inner, ply: usize) -> Markup {
    let record = &inner.record;
    let curves = story::curves(record);
    let mistakes = story::mistakes(record, &curves);
    let mistake = |at: usize| {
        mistakes
            .iter()
            .find(|(ply, _)| *ply == at)
            .map(|(_, fall)| *fall)
    };
    // Passes of roles without a choice are left out.
    let shown = |at: usize| {
        let asked = record.answer_times.get(at);
        let joint = record.moves[at].iter();
        let chose =
            |role: usize| asked.is_some_and(|times| times.get(role).is_some_and(|&time| time > 0));
        let own: Vec<&str> = joint
            .clone()
            .enumerate()
            .filter(|(role, _)| chose(*role))
            .map(|(_, mv)| mv.as_str())
            .collect();
        match own.is_empty() {
            true => joint.map(String::as_str).collect::<Vec<_>>().join("  "),
            false => own.join("  "),
        }
    };
    html! {
        h2 { "Moves" }
        (story::picture(record, &curves))
        ol class="history" {
            @for at in 0..record.moves.len() {
                li {
                    button type="button" data-ply=(at + 1) class=[(at + 1 == ply).then_some("current")] {
                        (shown(at))
                        @if let Some(fall) = mistake(at) {
                            b class="mistake" title=(format!("the value fell by {fall:.0}")) { (story::mark(fall)) }
                        }
                    }
                }
            }
        }
    }
}
