//! What players think, as they think.

use crate::seat::Seat;
use crate::table::Inner;
use maud::{Markup, html};
use metagame::Plan;
use players::{Bounds, Thought};

/// The most moves of a principal variation that are shown.
const LINE: usize = 10;

/// What the players at a table think. While people still have to choose at the same time, it is
/// kept from them.
pub(crate) fn thoughts(inner: &Inner, roles: &[String]) -> Markup {
    let people_choose = inner.seats.iter().enumerate().any(|(role, seat)| {
        seat.is_human() && inner.line.legal(role).len() > 1 && inner.chosen[role].is_none()
    });
    html! {
        @for (role, seat) in inner.seats.iter().enumerate().filter(|(_, seat)| !seat.is_human()) {
            @let chooses = inner.line.legal(role).len() > 1;
            section class="card thought" aria-label=(format!("what {} thinks", roles[role])) {
                h2 { (roles[role]) " " small { (seat.who.title()) " " (state(seat)) } }
                @if let Some(complaint) = &seat.complaint { p role="alert" { (complaint) } }
                @if people_choose && chooses {
                    p { "Both choose at the same time, so what it thinks is shown after the moves." }
                } @else if let Some(thought) = &seat.thought {
                    (figures(thought))
                    (curve(&seat.values))
                    (moves(thought))
                    (variation(role, thought, roles))
                } @else {
                    p { small { "Nothing yet." } }
                }
                @if let Some(plan) = &seat.plan { (timetable(plan)) }
            }
        }
    }
}

fn state(seat: &Seat) -> String {
    match &seat.thinker {
        Some(thinker) if thinker.is_starting() => "prepares".into(),
        Some(thinker) if thinker.question().is_some() => "thinks".into(),
        _ => String::new(),
    }
}

/// An expected or proved result.
fn worth(value: Option<f64>, bounds: Bounds) -> Markup {
    html! {
        @if bounds.is_exact() {
            strong { (bounds.low) } " proved"
        } @else {
            @if let Some(value) = value { (format!("{value:.1}")) } @else { "–" }
            @if bounds != Bounds::OPEN { " " small { "(" (bounds.low) "–" (bounds.high) ")" } }
        }
    }
}

fn figures(thought: &Thought) -> Markup {
    html! {
        p class="figures" {
            span { b { (worth(thought.value, thought.bounds)) } @if !thought.bounds.is_exact() { " expected" } }
            @if let Some(plies) = thought.plies { span { "decided in " (plies) @if plies == 1 { " ply" } @else { " plies" } } }
            @if let Some(search) = &thought.search {
                span { b { (short(search.playouts as f64)) } @if search.playouts == 1 { " playout" } @else { " playouts" } }
                @if let Some(rate) = search.rate() { span { b { (short(rate)) } "/s" } }
                span { b { (short(search.nodes as f64)) } @if search.nodes == 1 { " node" } @else { " nodes" } }
            }
            @if !thought.part.is_empty() { span { (thought.part) } }
        }
    }
}

/// A number as people say it: `1.2 M`.
fn short(number: f64) -> String {
    match number {
        n if n >= 1e6 => format!("{:.1} M", n / 1e6),
        n if n >= 1e4 => format!("{:.0} k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

/// The expected value over the time of thinking.
fn curve(values: &[(f64, f64)]) -> Markup {
    let last = values.last().map_or(1.0, |&(time, _)| time.max(0.1));
    let point = |&(time, value): &(f64, f64)| {
        format!(
            "{:.1},{:.1}",
            200.0 * time / last,
            42.0 - 0.4 * value.clamp(0.0, 100.0)
        )
    };
    html! {
        @if values.len() > 1 {
            svg class="spark" viewBox="0 0 200 44" preserveAspectRatio="none" role="img" aria-label=(format!("value over {last:.1} seconds")) {
                line x1="0" x2="200" y1="22" y2="22" class="half" {}
                polyline points=(values.iter().map(point).collect::<Vec<_>>().join(" ")) class="value" {}
            }
        }
    }
}

/// The move and the alternatives, with their shares of the visits.
fn moves(thought: &Thought) -> Markup {
    let own = thought.search.as_ref().map_or(0, |search| search.visits);
    let all: u64 = thought
        .others
        .iter()
        .map(|other| u64::from(other.visits))
        .sum::<u64>()
        + u64::from(own);
    let row = |mv: String, visits: u32, worth: Markup, chance: f64| -> Markup {
        let share = 100.0 * f64::from(visits) / all.max(1) as f64;
        html! {
            tr {
                td { code { (mv) } }
                td { progress max="100" value=(format!("{share:.0}")) aria-label=(format!("{share:.0} % of visits")) {} }
                td { (format!("{share:.0} %")) }
                td { (worth) }
                @if chance > 0.0 { td { "played " (format!("{:.0} %", 100.0 * chance)) } }
            }
        }
    };
    html! {
        table class="moves" {
            (row(thought.mv.to_string(), own, worth(thought.value, thought.bounds), thought.chance))
            @for other in &thought.others {
                (row(other.mv.to_string(), other.visits, worth(other.value, other.bounds), other.chance))
            }
        }
    }
}

/// The line of play that is expected. The position after each move is shown on the board.
fn variation(role: usize, thought: &Thought, roles: &[String]) -> Markup {
    html! {
        @if !thought.expected.is_empty() {
            p class="variation" {
                "expects "
                @for (step, (whose, mv)) in thought.expected.iter().take(LINE).enumerate() {
                    button type="button" class="step" data-line=(format!("{role}.{}", step + 1)) title=(format!("{}, shown on the board", roles[whose.0])) { (mv) }
                    " "
                }
                @if thought.expected.len() > LINE { "…" }
            }
        }
    }
}

/// What the start clock decided.
pub(crate) fn timetable(plan: &Plan) -> Markup {
    html! {
        details class="plan" {
            summary { "What the start clock decided" }
            table {
                @for decision in &plan.decisions {
                    tr {
                        th scope="row" { (decision.stage) }
                        td { (decision.ms) " ms" }
                        td { (decision.decided) @if !decision.why.is_empty() { " " small { (decision.why) } } }
                    }
                }
            }
            p { small { "Plays with " (plan.settings) "." } }
        }
    }
}
