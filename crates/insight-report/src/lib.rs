//! Reports on what was learnt about a game: text for people, JSON for programs, pictures.
//!
//! [`text()`] is a page or two on an [`Insight`], [`json()`] contains all of it, and
//! [`pictures()`] draws a table of squares for each piece.
//!
//! # Scope
//! Findings name pieces and facts by numbers. This crate turns them into the words of the
//! rulesheet, as `profile-report` does for descriptions of games, and in the same form.
//!
//! # Key decisions
//! - A sentence for each finding, the surest first; long lists are counted. JSON is complete.
//! - Every figure says what it was read from. Where nothing is beyond chance, the report says so.
//!
//! # Example
//! ```
//! use budget::Budget;
//! use insight::{Insight, Settings};
//!
//! let rules = "(role robot) (init (step 1)) (succ 1 2) (succ 2 3) (legal robot wait)
//!     (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
//!     (<= terminal (true (step 3))) (goal robot 50)";
//! let budget = Budget::system();
//! let compiled = compile::compile(rules, &budget)?;
//! let settings = Settings { games: 0, playouts: 64, ..Settings::default() };
//! let insight = Insight::find(compiled, &settings, &budget);
//! assert!(insight_report::text(&insight).contains("nothing is beyond chance"));
//! assert_eq!(insight_report::json(&insight)["findings"].as_array().unwrap().len(), 0);
//! # Ok::<(), compile::CompileError>(())
//! ```

mod findings;
mod json;
mod pictures;
mod pieces;
mod play;
mod words;

pub use json::json;
pub use pictures::pictures;
pub use profile_report::Picture;

use insight::Insight;
use profile_report::page::Page;

/// The report as text, a page or two.
pub fn text(insight: &Insight) -> String {
    let mut page = Page::default();
    play::text(insight, &mut page);
    pieces::text(insight, &mut page);
    findings::text(insight, &mut page);
    page.finish()
}
