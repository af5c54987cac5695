//! Games in a browser: anybody plays any rulesheet against the player, watches it think, and sees
//! what it knows.
//!
//! [`serve`] is a small web server. Its pages need nothing from elsewhere: scripts, styles and our
//! own rulesheets are in the program.
//!
//! # Scope
//! The crate puts together what others know: `matches` and `players` play, `show` finds boards,
//! `profile` knows whose things are, `records` keeps what was played. Here is only what a page
//! needs: pictures, clicks, words, and who may ask for what.
//!
//! # Key decisions
//! * *The record is the only state on the disk.* A table is opened again from it after a restart,
//!   and undo, variations and replay are tables with other records.
//! * *The server draws.* Pages get finished HTML and SVG, in which all text of rulesheets has been
//!   escaped by the templates; the script puts it in place and knows which squares were clicked.
//! * *Squares of moves are found by trying moves out*, since names say nothing.
//! * *Nobody watches for free*: players are asked what they think only while a page follows them.

mod animation;
mod arena_page;
mod clicks;
mod export;
mod game;
mod guard;
mod library;
mod line;
mod lobby;
mod look;
mod picture;
mod routes;
mod seat;
mod server;
mod shell;
mod site;
mod story;
mod style;
mod table;
#[cfg(test)]
mod tests;
mod thinker;
mod thoughts;
mod tournaments;
mod understand;
mod view;

pub use server::serve;
pub use site::Settings;
