//! A tournament, live.

use crate::tournaments::matches;
use arena::Results;
use maud::{Markup, html};
use std::path::Path;

/// The most matches that are listed.
const MATCHES: usize = 60;

/// The page of a tournament, which asks for its contents again and again.
pub(crate) fn page(number: usize, folder: &Path, results: &Result<Results, String>) -> Markup {
    html! {
        section class="card" data-again="2000" {
            h1 { "Tournament " (folder.display()) }
            @match results {
                Err(why) => p role="alert" { (why) },
                Ok(results) => (standings(results)),
            }
            h2 { "Matches, the latest first" }
            ul class="plain" {
                @for name in matches(folder, MATCHES) {
                    li {
                        form method="post" action=(format!("/tournament/{number}/look")) {
                            input type="hidden" name="match" value=(name);
                            button class="link" { (name.trim_end_matches(".json")) }
                        }
                    }
                }
            }
        }
    }
}

fn standings(results: &Results) -> Markup {
    let (ladder, conduct) = (results.ladder(), results.conduct());
    let mut order: Vec<usize> = (0..results.players.len()).collect();
    order.sort_by(|&a, &b| ladder[b].elo.total_cmp(&ladder[a].elo));
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    html! {
        p { progress max=(results.scheduled) value=(results.played.len()) {} " " (results.played.len()) " of " (results.scheduled) " matches" }
        h2 { "Ladder" }
        table class="wide" {
            tr { th { "player" } th { "Elo" } th { "±" } th { "late" } th { "illegal" } th { "failed" } }
            @for player in order {
                tr {
                    th scope="row" { (results.players[player]) }
                    td { (format!("{:+.0}", ladder[player].elo)) }
                    td { (format!("{:.0}", ladder[player].error)) }
                    td { (conduct[player].late) } td { (conduct[player].illegal) } td { (conduct[player].failed) }
                }
            }
        }
        h2 { "Games" }
        table class="wide" {
            tr { th { "players" } th { "game" } th { "matches" } th { "won" } th { "drawn" } th { "lost" } th { "score" } th { "95 %" } }
            @for row in results.rows() {
                tr {
                    td { (results.players[row.pair.0]) " – " (results.players[row.pair.1]) }
                    td { (row.game.map_or("all games", |game| &results.games[game])) }
                    td { (row.matches) } td { (row.won) } td { (row.drawn) } td { (row.lost) }
                    td { (percent(row.score.mean)) }
                    td { (percent(row.score.low)) " to " (percent(row.score.high)) }
                }
            }
        }
    }
}
