//! Random games: small, safe and stratified, with every construct of GDL in unusual places.
//!
//! Two roles move at once over a domain of three things. There are static relations, views that
//! build on each other (with recursion within a view and negation between them), facts with up
//! to two arguments, function terms, and conditions of all kinds. Such games make no sense on
//! purpose: they reveal disagreements between engines that no sensible game shows.

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The things of the domain.
const THINGS: &[&str] = &["a", "b", "c"];
const VARIABLES: &[&str] = &["?x", "?y", "?z"];

/// An atom that bodies can ask for: its text around the arguments, and their number.
#[derive(Clone, Copy)]
struct Shape {
    open: &'static str,
    arity: usize,
    close: &'static str,
}

const fn shape(open: &'static str, arity: usize, close: &'static str) -> Shape {
    Shape { open, arity, close }
}

/// Static relations.
const STATIC: &[Shape] = &[shape("(thing", 1, ")"), shape("(edge", 2, ")")];
/// Views, lowest stratum first.
const VIEWS: &[Shape] = &[
    shape("(v0", 1, ")"),
    shape("(v1", 2, ")"),
    shape("v2", 0, ""),
    shape("(v3", 1, ")"),
];
/// Facts, without the keyword around them.
const FACTS: &[Shape] = &[shape("(p", 1, ")"), shape("(q", 2, ")"), shape("s", 0, "")];
/// Facts of the current state.
const STATE: &[Shape] = &[
    shape("(true (p", 1, "))"),
    shape("(true (q", 2, "))"),
    shape("(true s", 0, ")"),
];
/// Moves of the roles.
const MOVES: &[Shape] = &[
    shape("(does left (go", 1, "))"),
    shape("(does right (go", 1, "))"),
    shape("(does left noop", 0, ")"),
    shape("(does", 1, " noop)"),
];

/// The rules of the random game with this number.
pub fn random_game(seed: u64) -> String {
    let mut writer = Writer {
        rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        out: String::from("(role left)\n(role right)\n"),
    };
    writer.game();
    writer.out
}

struct Writer {
    rng: Xoshiro256PlusPlus,
    out: String,
}

impl Writer {
    fn chance(&mut self, percent: u32) -> bool {
        self.rng.random_range(0..100) < percent
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        *items
            .choose(&mut self.rng)
            .expect("lists of choices are not empty")
    }

    fn game(&mut self) {
        for thing in THINGS {
            let _ = writeln!(self.out, "(thing {thing})");
            for other in THINGS {
                if self.chance(40) {
                    let _ = writeln!(self.out, "(edge {thing} {other})");
                }
                if self.chance(30) {
                    let _ = writeln!(self.out, "(init (q {thing} {other}))");
                }
            }
            if self.chance(50) {
                let _ = writeln!(self.out, "(init (p {thing}))");
            }
        }
        if self.chance(30) {
            self.out.push_str("(init (p (f a)))\n");
        }
        for (stratum, view) in VIEWS.iter().enumerate() {
            for _ in 0..self.rng.random_range(1..4) {
                let below = [STATIC, STATE, &VIEWS[..stratum]].concat();
                let here = [&below[..], &VIEWS[..=stratum]].concat();
                self.rule(("", *view, ""), &here, &below);
            }
        }
        let now = [STATIC, STATE, VIEWS].concat();
        let then = [&now[..], MOVES, MOVES].concat();
        for _ in 0..self.rng.random_range(3..7) {
            let fact = self.one_of(FACTS);
            self.rule(("(next ", fact, ")"), &then, &then);
        }
        for role in ["left", "right"] {
            let _ = writeln!(self.out, "(legal {role} noop)");
            let legal = shape("(go", 1, "))");
            let open = if role == "left" {
                "(legal left "
            } else {
                "(legal right "
            };
            self.rule((open, legal, ""), &now, &now);
            for value in ["(goal left 100", "(goal right 100", "(goal left 0"] {
                if self.chance(50) {
                    self.rule((value, shape("", 0, ""), ")"), &now, &now);
                }
            }
        }
        if self.chance(50) {
            self.rule(("", shape("terminal", 0, ""), ""), &now, &now);
        }
    }

    /// Writes a rule for a head, given the atoms that its body may contain as they are and
    /// negated.
    fn rule(&mut self, head: (&str, Shape, &str), positive: &[Shape], negative: &[Shape]) {
        let mut bound = BTreeSet::new();
        let mut body = Vec::new();
        for _ in 0..self.rng.random_range(1..4) {
            let shape = self.one_of(positive);
            body.push(self.atom(shape, VARIABLES, &mut bound));
        }
        let mut used = BTreeSet::new();
        let head = format!(
            "{}{}{}",
            head.0,
            self.atom(head.1, VARIABLES, &mut used),
            head.2
        );
        // Every variable of the head and of terms is bound to a thing, so that terms do not
        // grow.
        for variable in &used {
            body.push(format!("(thing {variable})"));
        }
        bound.extend(used);
        let bound: Vec<&str> = bound.into_iter().collect();
        for _ in 0..self.rng.random_range(0..3) {
            body.push(self.condition(&bound, positive, negative, 2));
        }
        body.shuffle(&mut self.rng);
        let _ = writeln!(self.out, "(<= {head} {})", body.join(" "));
    }

    /// A condition whose variables are all in `bound`.
    fn condition(
        &mut self,
        bound: &[&'static str],
        positive: &[Shape],
        negative: &[Shape],
        depth: usize,
    ) -> String {
        let mut ignored = BTreeSet::new();
        let kind = self.rng.random_range(0..if depth == 0 { 3 } else { 6 });
        match kind {
            0 => {
                let shape = self.one_of(positive);
                self.atom(shape, bound, &mut ignored)
            }
            1 => {
                let shape = self.one_of(negative);
                format!("(not {})", self.atom(shape, bound, &mut ignored))
            }
            2 => {
                let (a, b) = (
                    self.term(bound, &mut ignored),
                    self.term(bound, &mut ignored),
                );
                format!("(distinct {a} {b})")
            }
            // Inside a `not`, only atoms that may be negated.
            3 => format!(
                "(not {})",
                self.condition(bound, negative, negative, depth - 1)
            ),
            kind => {
                let a = self.condition(bound, positive, negative, depth - 1);
                let b = self.condition(bound, positive, negative, depth - 1);
                format!("({} {a} {b})", if kind == 4 { "or" } else { "and" })
            }
        }
    }

    fn atom(
        &mut self,
        shape: Shape,
        variables: &[&'static str],
        used: &mut BTreeSet<&'static str>,
    ) -> String {
        let mut text = shape.open.to_owned();
        for _ in 0..shape.arity {
            text.push(' ');
            text += &self.term(variables, used);
        }
        text + shape.close
    }

    fn term(&mut self, variables: &[&'static str], used: &mut BTreeSet<&'static str>) -> String {
        let plain = match variables.is_empty() || self.chance(20) {
            true => self.one_of(THINGS),
            false => {
                let variable = self.one_of(variables);
                used.insert(variable);
                variable
            }
        };
        match self.chance(8) {
            true => format!("(f {plain})"),
            false => plain.to_owned(),
        }
    }
}
