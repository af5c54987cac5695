//! Monte-Carlo graph search over any engine, which proves what it can.
//!
//! A node is a state in which some role has a choice, or a terminal state; forced moves are
//! skipped. Equal states share one node, so that transpositions share what is learnt. Beside
//! means and visits, a node has a lower and an upper bound of the result of each role. Bounds
//! come from terminal states, from the facts of a state alone ([`Prospects`], if there are any),
//! and from proof-number search. Where the bounds of all roles meet, the node is solved and never
//! searched again.
//!
//! # Scope
//! A search sees a game through [`game::Engine`] and its playouts through [`game::Playouts`]. It
//! knows neither rules nor matches. The crate `yardstick`, plain UCT, is what it is measured
//! against; the two share nothing.
//!
//! # Key decisions
//! - At a node one role chooses, or several do. Where one does, it selects by the means of its
//!   moves (UCB1-tuned: Auer, Cesa-Bianchi and Fischer 2002). Where several do, each selects
//!   among its own moves likewise (decoupled UCT). If these are two, the move to play is drawn
//!   from an equilibrium of the means of joint moves, so that it cannot be predicted. If they are
//!   more, they use regret matching at the root (Hart and Mas-Colell 2000).
//! - A sample that is backpropagated along an edge is blended with the mean of the child. Its
//!   weight is the share of the child's visits that came along this edge, as in Sancho. So a
//!   graph counts nothing twice.
//! - Most moves are tried once. The first try of a move whose node was looked ahead from makes no
//!   node: the state is a leaf, and the edge keeps the sample until the move is tried again.
//! - Bounds are proved from the children whenever a sample is backpropagated. A parent that is
//!   not on the path learns of them at its next visit: there are no lists of parents.
//! - Memory is a fixed number of bytes. References to nodes carry a generation, so that a node
//!   can be evicted at any time; a thread that follows a stale reference notices and expands the
//!   node again.
//! - The descents of a batch run in lockstep and are backpropagated depth by depth: most time
//!   goes into cache misses, since nodes are spread over the memory, and into waiting for nodes
//!   that other threads have locked.
//! - All threads share one graph with a lock in each node. A thread that writes to a node holds
//!   no other lock. The compiler enforces that, since writing borrows the thread's handle of the
//!   graph mutably.
//!
//! # Reading order
//! 1. `config`: all parameters, by technique ([`Config`]).
//! 2. `bounds`, `node`: what is stored; `graph`: where, and what is evicted.
//! 3. `expand`: from states to nodes, with `fan_cache` (many moves together) and `gate` (when
//!    static bounds are worth their time).
//! 4. `path`, `descend`, `select`: descents and selection; in `descend` also look-ahead, priors
//!    and proof searches.
//! 5. `simultaneous`: nodes in which several roles choose.
//! 6. `backpropagate`: samples and bounds on the way back.
//! 7. `learner`, `amaf`: priors of untried moves.
//! 8. `answer`, `search`: the move to play, batches and threads; `stages`: where their time goes.
//!
//! # Example
//! From rules to a move. The role that takes the last of seven tokens wins; it may take up to
//! three at a time.
//! ```
//! use game::{Engine, RoleId, ScalarPlayouts};
//! use mcts::{Bounds, Config, Limits, Search};
//!
//! let rules = "
//!     (role first) (role second)
//!     (other first second) (other second first)
//!     (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
//!     (<= (less 1 ?m ?n) (succ ?n ?m))
//!     (<= (less 2 ?m ?n) (less 1 ?m ?k) (less 1 ?k ?n))
//!     (<= (less 3 ?m ?n) (less 2 ?m ?k) (less 1 ?k ?n))
//!     (init (tokens 7)) (init (turn first))
//!     (<= (legal ?role (take ?x)) (true (turn ?role)) (true (tokens ?m)) (less ?x ?m ?n))
//!     (<= (legal ?role wait) (role ?role) (not (true (turn ?role))))
//!     (<= (next (tokens ?n)) (does ?role (take ?x)) (true (tokens ?m)) (less ?x ?m ?n))
//!     (<= (next (turn ?other)) (true (turn ?role)) (other ?role ?other))
//!     (<= terminal (true (tokens 0)))
//!     (<= (goal ?role 0) (true (turn ?role)))
//!     (<= (goal ?role 100) (role ?role) (not (true (turn ?role))))";
//! let budget = budget::Budget::system();
//! let compiled = compile::compile(rules, &budget)?;
//! let mut engine = prepare::engine_of(&compiled, &budget)?;
//! let initial = engine.initial();
//!
//! let playouts = ScalarPlayouts::new(engine.fork(), 1, 1_000);
//! let mut config = Config::default();
//! config.sum = Some(100);
//! let mut search = Search::builder(engine.fork(), Box::new(playouts)).config(config).build();
//!
//! let limits = Limits { playouts: 1_000, ..Limits::default() };
//! let report = search.choose(&initial, limits, &budget, &|_| ())?;
//! let best = engine.move_term(RoleId(0), report.best);
//! assert_eq!(best.to_string(), "(take 3)");
//! assert_eq!(report.candidate.unwrap().bounds, Bounds::exactly(100));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod amaf;
mod answer;
mod backpropagate;
mod bounds;
mod config;
mod descend;
mod expand;
mod fan_cache;
mod gate;
mod graph;
mod learner;
mod node;
mod path;
mod search;
mod select;
mod simultaneous;
mod stages;
#[cfg(test)]
mod tests;

pub use bounds::{Bounds, Prospects};
pub use config::{
    Amaf, Config, Learning, Limits, Memory, Proofs, Questions, Simultaneous, StaticBounds,
};
pub use provers::{Answer, Helper, ProofMethod, ProofSearch, Results};
pub use search::{
    Builder, Candidate, Forecast, Publish, Question, Report, Search, SearchError, SoFar,
};
pub use stages::{Stage, StageTimes};
