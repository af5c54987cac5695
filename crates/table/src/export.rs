//! A match as one page that needs nothing else.

use crate::picture;
use crate::table::Table;
use maud::{DOCTYPE, PreEscaped, html};

/// Without a script: each position is a section, and the address says which one is shown.
const STYLE: &str = "body{font:16px system-ui,sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem;\
     background:#fffdf8;color:#222}section{display:none}section:target,body:not(:has(section:target)) \
     section:first-of-type{display:block}svg{max-width:34rem;width:100%}ol{columns:3}a{color:#1c5d99}";

/// The page. Shows every position of the match.
pub(crate) fn page(table: &Table) -> String {
    let mut inner = table.look();
    let inner = &mut *inner;
    let (game, look) = (&table.game, table.game.look());
    let plies = inner.line.plies();
    let mut scenes = Vec::new();
    for ply in 0..=plies {
        scenes.push(inner.line.scene(game, ply));
    }
    let record = &inner.record;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (game.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (game.title) }
                p {
                    @for (role, name) in game.roles.iter().enumerate() {
                        (name) ": " (record.player_names_from_host[role])
                        @if let Some(goal) = record.goal_values.get(role) { " (" (goal) ")" }
                        " "
                    }
                }
                @for (ply, scene) in scenes.iter().enumerate() {
                    @let before = ply.checked_sub(1).map(|before| &scenes[before]);
                    section id=(format!("p{ply}")) {
                        p {
                            a href=(format!("#p{}", ply.saturating_sub(1))) { "before" } " "
                            strong { (ply) " of " (plies) } " "
                            a href=(format!("#p{}", (ply + 1).min(plies))) { "next" } " "
                            @if let Some(joint) = ply.checked_sub(1).and_then(|at| record.moves.get(at)) { (joint.join("  ")) }
                        }
                        (picture::boards(scene, before, &look))
                        (picture::facts(scene, before, &look))
                    }
                }
                ol {
                    @for (at, joint) in record.moves.iter().enumerate() {
                        li { a href=(format!("#p{}", at + 1)) { (joint.join("  ")) } }
                    }
                }
            }
        }
    };
    page.into_string()
}
