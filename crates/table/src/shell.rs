//! The frame of every page.

use maud::{DOCTYPE, Markup, html};

/// A page with this title and content.
pub(crate) fn page(title: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " – Rocinante" }
                link rel="stylesheet" href="/table.css";
                link rel="icon" href="/icon.svg" type="image/svg+xml";
                script src="/table.js" defer {}
            }
            body {
                header class="top" {
                    a class="home" href="/" { "Rocinante" }
                    span { (title) }
                }
                main { (content) }
            }
        }
    };
    page.into_string()
}

/// A page that says what went wrong, and leads back.
pub(crate) fn sorry(message: &str) -> String {
    let content = html! {
        section class="card narrow" {
            h1 { "That did not work" }
            p role="alert" { (message) }
            p { a href="/" { "Back to the lobby" } }
        }
    };
    page("sorry", &content)
}
