//! Random rulesheets that are safe and stratified: naive evaluation of the ground rules agrees
//! with the reasoner.

mod support;

use proptest::collection::vec;
use proptest::prelude::*;
use support::compare;

/// Writes a rulesheet from a sequence of choices.
struct Writer<'a> {
    choices: std::iter::Cycle<std::slice::Iter<'a, u32>>,
    text: String,
}

const VARS: [&str; 4] = ["?x", "?y", "?z", "?w"];
const TERMS: [&str; 4] = ["a", "b", "c", "(f a)"];
/// Relations that depend on the state, each on itself and the ones before it, as name and
/// arity.
const VIEWS: [(&str, usize); 5] = [("v", 1), ("w", 2), ("u", 0), ("t", 2), (CLOSED, 2)];
/// The one of them that is closed under composition with itself, and has no other recursion.
const CLOSED: &str = "c";

impl Writer<'_> {
    fn pick(&mut self, below: usize) -> usize {
        self.choices.next().map_or(0, |&c| c as usize % below)
    }

    fn atom(
        &mut self,
        name: &str,
        arity: usize,
        mut arg: impl FnMut(&mut Self) -> String,
    ) -> String {
        if arity == 0 {
            return name.to_owned();
        }
        let args: Vec<String> = (0..arity).map(|_| arg(self)).collect();
        format!("({name} {})", args.join(" "))
    }

    fn fact(&mut self, name: &str, arity: usize) -> String {
        self.atom(name, arity, |w| TERMS[w.pick(4)].to_owned())
    }

    /// A positive literal. Adds its variables to `bound`.
    fn positive(
        &mut self,
        views: Option<usize>,
        moves: bool,
        bound: &mut Vec<&'static str>,
    ) -> String {
        let mut used = Vec::new();
        let kind = match views {
            Some(views) => self.pick(5 + views + usize::from(moves)),
            // The same in all states.
            None => 2 + self.pick(2),
        };
        let views = views.unwrap_or(0);
        let mut arg = |w: &mut Self| match w.pick(8) {
            0 => TERMS[w.pick(4)].to_owned(),
            // Only where no recursion is possible: called from above, terms would grow without
            // bound.
            1 if kind < 4 => {
                let var = VARS[w.pick(4)];
                used.push(var);
                format!("(f {var})")
            }
            _ => {
                let var = VARS[w.pick(4)];
                used.push(var);
                var.to_owned()
            }
        };
        let text = match kind {
            0 => format!("(true {})", self.atom("p", 1, &mut arg)),
            1 => format!("(true {})", self.atom("q", 2, &mut arg)),
            2 => self.atom("s", 1, &mut arg),
            3 => self.atom("e", 2, &mut arg),
            4 => self.atom("g", 3, &mut arg),
            view if view < 5 + views => {
                let (name, arity) = VIEWS[view - 5];
                self.atom(name, arity, &mut arg)
            }
            _ => {
                let role = ["r0", "r1"][self.pick(2)];
                format!("(does {role} {})", self.atom("m", 1, &mut arg))
            }
        };
        bound.append(&mut used);
        text
    }

    /// A rule. Negations use the first `below` views, positive literals the first `views`; with
    /// `None`, what depends on the state is not used at all.
    fn rule(
        &mut self,
        name: &str,
        arity: usize,
        wrap: &str,
        views: Option<usize>,
        below: usize,
        moves: bool,
    ) {
        let mut bound = Vec::new();
        let mut body: Vec<String> = Vec::new();
        for _ in 0..1 + self.pick(4) {
            let literal = self.positive(views, moves, &mut bound);
            body.push(literal);
        }
        let safe = |w: &mut Self| match bound.as_slice() {
            [] => TERMS[w.pick(4)].to_owned(),
            vars if w.pick(6) > 0 => vars[w.pick(vars.len())].to_owned(),
            _ => TERMS[w.pick(4)].to_owned(),
        };
        for _ in 0..self.pick(3) {
            let existential = self.pick(4) == 0;
            let arg = |w: &mut Self| {
                if existential && w.pick(2) == 0 {
                    "?free".into()
                } else {
                    safe(w)
                }
            };
            let kind = match views {
                Some(_) => self.pick(5 + below),
                None => self.pick(2),
            };
            let literal = match kind {
                0 => format!("(distinct {} {})", safe(self), safe(self)),
                1 => format!("(not {})", self.atom("e", 2, arg)),
                2 => format!("(not (true {}))", self.atom("q", 2, arg)),
                3 => format!("(not (true {}))", self.atom("p", 1, arg)),
                4 => format!("(not {})", self.atom("g", 3, arg)),
                view => {
                    let (name, arity) = VIEWS[view - 5];
                    format!("(not {})", self.atom(name, arity, arg))
                }
            };
            body.push(literal);
        }
        let head = self.atom(name, arity, safe);
        let head = wrap.replace('_', &head);
        self.text
            .push_str(&format!("(<= {head} {})\n", body.join(" ")));
    }

    fn game(&mut self) {
        self.text.push_str("(role r0) (role r1)\n");
        for (wrap, name, arity, most) in [
            ("(init _)", "p", 1, 3),
            ("(init _)", "q", 2, 5),
            ("_", "s", 1, 3),
            ("_", "e", 2, 5),
        ] {
            for _ in 0..self.pick(most + 1) {
                let fact = self.fact(name, arity);
                self.text.push_str(&wrap.replace('_', &fact));
                self.text.push('\n');
            }
        }
        for _ in 0..self.pick(4) {
            self.rule("g", 3, "_", None, 0, false);
        }
        let all = Some(VIEWS.len());
        for (number, (name, arity)) in VIEWS.into_iter().enumerate() {
            let own = usize::from(name != CLOSED);
            for _ in 0..self.pick(4) {
                self.rule(name, arity, "_", Some(number + own), number, false);
            }
        }
        self.text.push_str(&format!(
            "(<= ({CLOSED} ?x ?z) ({CLOSED} ?x ?y) ({CLOSED} ?y ?z))\n"
        ));
        for (name, arity) in [("p", 1), ("q", 2)] {
            for _ in 0..1 + self.pick(4) {
                self.rule(name, arity, "(next _)", all, VIEWS.len(), true);
            }
        }
        for role in ["r0", "r1"] {
            self.text.push_str(&format!("(legal {role} noop)\n"));
            let legal = format!("(legal {role} _)");
            self.rule("m", 1, &legal, all, VIEWS.len(), false);
            // The last values are invalid, and `050` is `50`.
            for value in ["0", "50", "100", "050", "101", "high"] {
                let goal = format!("(goal {role} {value})");
                self.rule("unused", 0, &goal, all, VIEWS.len(), false);
            }
        }
        self.rule("terminal", 0, "_", all, VIEWS.len(), false);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..testkit::rules::config() })]

    #[test]
    fn ground_rules_agree_with_the_reasoner(choices in vec(any::<u32>(), 40..160)) {
        let mut writer = Writer { choices: choices.iter().cycle(), text: String::new() };
        writer.game();
        compare(&writer.text, &choices[..5], grounding::ground)?;
        compare(&writer.text, &choices[..5], grounding::ground_closely)?;
    }
}
