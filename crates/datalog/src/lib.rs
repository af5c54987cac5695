//! GDL as Datalog: rules over interned terms, dependencies and join order.
//!
//! A [`gdl_parse::Rulesheet`] represents the text of a game, a [`Program`] its meaning. A
//! program has the normal form that both the reasoner and the grounder evaluate: every rule is
//! a head and a plain conjunction of positive, negative and `distinct` literals over
//! hash-consed terms. `or`, `and` and nested `not` are expanded, equalities are solved, and
//! rules that are only safe when called with bound arguments are unfolded where they are used.
//! The crate itself derives nothing.
//!
//! ```
//! use datalog::Program;
//! use gdl_parse::Keyword;
//! let rules = "(<= (next (p ?x)) (or (true (q ?x)) (true (p ?x))))";
//! let parsed = gdl_parse::parse(rules, &Default::default());
//! let program = Program::from_sheet(&parsed.sheet);
//! assert_eq!(program.rules_of(Program::keyword(Keyword::Next)).count(), 2);
//! ```

mod analysis;
mod lower;
mod order;
mod program;
mod terms;
mod unfold;
mod unify;

pub use analysis::{Dependencies, Dynamics};
pub use order::{Bindings, order_body};
pub use program::{Atom, Literal, Pattern, Program, RelationId, RelationInfo, Rule, VarId};
pub use terms::{TermId, TermStore};
pub use unfold::unfold;
