//! Solves games of one role: a portfolio of methods that share the time.
//!
//! No method solves all puzzles, and none knows which kind it has before it. A [`Portfolio`]
//! lets all of them work in turns that grow, and gives more to one that makes progress. What
//! they find is one value ([`Found`]): the best line so far, which was replayed on the engine,
//! and the greatest result that is not excluded. When both are equal, the puzzle is solved.
//! Theory: docs/theory/puzzles.md.
//!
//! | method | what it is for | what it proves |
//! |---|---|---|
//! | parts | puzzles that fall apart | the best result, where the parts are proved |
//! | breadth-first | small spaces | the best result, once all states were seen |
//! | SAT | long lines with strong constraints | results that no line has |
//! | SAT without order | facts that last, once they hold | |
//! | A*, weighted and greedy, IDA* | a result that comes nearer step by step | |
//! | width 1 and 2, best-first width | few facts matter at a time | |
//! | beam | wide spaces with a fair estimate | |
//! | nested playouts | scores | |
//!
//! # Scope
//! It solves from the initial state and does not know who plays or what for.
//!
//! # Key decisions
//! - A line counts only once an engine has replayed it. So a wrong method could lose a line, but
//!   never claim a wrong one.
//! - Only a search that left nothing out, and a proof that no model exists at the longest
//!   possible line, lower the bound.
//! - Every method keeps its state between its turns, and heeds the budget of the turn.
//!
//! # Example
//! ```
//! use budget::Budget;
//! use puzzle::Portfolio;
//!
//! let rules = "(role robot) (init (at 0)) (on 0 1) (on 1 2) (on 2 3)
//!     (legal robot go) (legal robot stop)
//!     (<= (next (at ?q)) (does robot go) (true (at ?p)) (on ?p ?q))
//!     (<= (next (at ?p)) (does robot stop) (true (at ?p)))
//!     (<= (next stopped) (does robot stop))
//!     (<= terminal (true stopped)) (<= terminal (true (at 3)))
//!     (<= (goal robot 100) (true stopped) (true (at 2)))
//!     (<= (goal robot 0) (not (true stopped)))
//!     (<= (goal robot 0) (not (true (at 2))))";
//! let budget = Budget::system();
//! let options = prepare::Options { engine: prepare::EngineChoice::Scalar, ..Default::default() };
//! let playable = prepare::prepare(rules, &options, &budget)?.playable;
//! let proved = compile::Proved::find(playable.compiled.expect("it is compiled"), 1, &budget);
//!
//! let portfolio = Portfolio::new(&*playable.engine, Some(&proved), 1, 1 << 28, &budget)
//!     .expect("one role plays");
//! portfolio.work(1, &budget);
//! let line = portfolio.found().line.expect("there is a line");
//! assert_eq!((line.result, line.steps.len()), (100, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod beam;
mod breadth;
mod by_parts;
mod circuit;
mod deepening;
mod estimate;
mod fill;
mod found;
mod imagine;
mod method;
mod nested;
mod novelty;
mod ordered;
mod packing;
mod pigeonhole;
mod portfolio;
mod problem;
mod sat;
mod space;
mod table;
#[cfg(test)]
mod tests;
mod time;
mod unroll;

pub use found::{Found, Line};
pub use method::Work;
pub use portfolio::{Portfolio, Report};
