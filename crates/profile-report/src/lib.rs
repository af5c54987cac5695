//! Reports on a game, as text for people and as JSON for programs.
//!
//! [`text()`] is a page or two on a game's [`Profile`]. [`json()`] contains all of it, fact by
//! fact. Both give the evidence for every property. [`pictures()`] draws what can be drawn.
//!
//! # Scope
//! Analyses name facts by numbers, so that search can use them without names. This crate turns
//! the numbers into names again, for readers.
//!
//! # Key decisions
//! - Each analysis has one module, which writes both forms.
//! - Text is for reading: long lists are counted, with a few examples. JSON is complete.
//!
//! # Example
//! ```
//! use profile::Profile;
//! use budget::Budget;
//!
//! let rules = "(role robot) (init (light off))
//!     (<= (legal robot press) (true (light off))) (<= (legal robot wait) (true (light on)))
//!     (<= (next (light on)) (does robot press)) (<= (next (light on)) (true (light on)))
//!     (<= terminal (true (light on))) (<= (goal robot 100) (true (light on)))";
//! let budget = Budget::system();
//! let compiled = compile::compile(rules, &budget)?;
//! let profile = Profile::find(compiled, 1, &budget, &mut |_| {});
//!
//! assert!(profile_report::text(&profile).contains("1 role, 2 facts, 2 moves"));
//! assert_eq!(profile_report::json(&profile)["roles"][0], "robot");
//! # Ok::<(), compile::CompileError>(())
//! ```

mod boards;
mod distances;
mod duplicates;
mod factors;
mod goals;
mod groups;
mod latches;
mod moves;
mod numbers;
pub mod page;
mod pictures;
mod play;
mod stages;
mod structure;
mod symmetries;
pub mod words;

pub use pictures::{Picture, pictures};
use profile::Profile;

use page::Page;
use serde_json::{Value, json};

/// The report as text, a page or two.
pub fn text(profile: &Profile) -> String {
    let mut page = Page::default();
    let words = &profile.compiled.logic.words;
    let moves = words.moves.iter().map(Vec::len).sum();
    page.begin("game");
    page.line(format!(
        "{}, {}, {}",
        page::count(words.roles.len(), "role"),
        page::count(words.facts.len(), "fact"),
        page::count(moves, "move"),
    ));
    structure::text(profile, &mut page);
    duplicates::text(profile, &mut page);
    play::text(profile, &mut page);
    groups::text(profile, &mut page);
    numbers::text(profile, &mut page);
    latches::text(profile, &mut page);
    goals::text(profile, &mut page);
    factors::text(profile, &mut page);
    boards::text(profile, &mut page);
    symmetries::text(profile, &mut page);
    distances::text(profile, &mut page);
    moves::text(profile, &mut page);
    stages::text(profile, &mut page);
    page.finish()
}

/// The report as JSON. Facts and moves are given as text; roles are numbers, in the order of
/// `roles`.
pub fn json(profile: &Profile) -> Value {
    let words = &profile.compiled.logic.words;
    let text = |terms: &[gdl_parse::GroundTerm]| -> Vec<String> {
        terms.iter().map(ToString::to_string).collect()
    };
    let moves: Vec<Vec<String>> = words.moves.iter().map(|moves| text(moves)).collect();
    json!({
        "roles": text(&words.roles),
        "facts": text(&words.facts),
        "moves": moves,
        "structure": structure::json(profile),
        "duplicates": duplicates::json(profile),
        "play": play::json(profile),
        "groups": groups::json(profile),
        "numbers": numbers::json(profile),
        "latches": latches::json(profile),
        "goals": goals::json(profile),
        "factors": factors::json(profile),
        "boards": boards::json(profile),
        "symmetries": symmetries::json(profile),
        "distances": distances::json(profile),
        "move_distances": moves::json(profile),
        "stages": stages::json(profile),
    })
}
