//! Random games of roles that walk along chains, bounded by what is legal alone: the ground rules
//! agree with the reasoner, whether or not each role is at one place.

mod support;

use proptest::collection::vec;
use proptest::prelude::*;
use support::compare;

/// Writes a rulesheet from a sequence of choices.
struct Writer<'a> {
    choices: std::iter::Cycle<std::slice::Iter<'a, u32>>,
    text: String,
}

/// The conditions that may make a step from `?x` to `?y` legal.
const BOUNDS: [&str; 9] = [
    "(low ?y)",
    "(less ?x 4)",
    "(less ?y ?limit) (top ?limit)",
    "(distinct ?x 3)",
    "(not (high ?r))",
    "(not (taken ?y))",
    "(true (at ?other ?z)) (less ?y ?z)",
    "(true (turn ?r))",
    "(or (low ?y) (true (at ?r 6)))",
];

/// What a rule for the next place may ask for beside the step.
const ASKED: [&str; 9] = [
    "",
    "(true (at ?r ?x))",
    "(not (low ?y))",
    "(true (turn ?r))",
    "(true (at ?other ?y))",
    "(less ?x ?y)",
    "(init (at ?r ?z)) (distinct ?x ?z)",
    "(init (at ?other ?y))",
    "(next (turn ?r))",
];

/// Rules that may give a role a second place, or none.
const DISTURBING: [&str; 9] = [
    "(init (at a 5))",
    "(<= (next (at a ?x)) (true (at b ?x)))",
    "(<= (next (at ?r 0)) (does ?r up) (true (at ?r 6)))",
    "(<= (next (at ?r ?x)) (true (at ?r ?x)) (not (walks ?r)) (true (turn ?r)))",
    "(<= (next (at b ?y)) (does a up) (true (at a ?x)) (succ ?x ?y))",
    "(<= (init (at ?r ?x)) (role ?r) (top ?x))",
    "(<= (next (at ?r ?y)) (does ?r ?m) (delta ?m ?x ?y) (true (at ?r ?x)))",
    "(<= (legal ?r up) (true (at ?r 0)))",
    "(<= (next (at b ?x)) (next (at a ?x)))",
];

impl Writer<'_> {
    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        let choice = self.choices.next().map_or(0, |&choice| choice as usize);
        from[choice % from.len()]
    }

    fn chance(&mut self, of: u32) -> bool {
        self.choices.next().is_some_and(|choice| choice % of == 0)
    }

    fn game(&mut self) {
        let chain: String = (0..9).map(|n| format!("(succ {n} {})", n + 1)).collect();
        self.text = format!(
            "(role a) (role b) (init (at a 1)) (init (at b 4)) (init (turn a)) {chain}
             (low 0) (low 1) (low 2) (low 4) (low 5) (top 7)
             (<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (succ ?x ?y) (less ?y ?z))
             (<= (high ?r) (true (at ?r ?x)) (top ?x))
             (<= (taken ?x) (true (at ?r ?x)))
             (<= (walks ?r) (does ?r up)) (<= (walks ?r) (does ?r down))
             (<= (delta up ?x ?y) (succ ?x ?y)) (<= (delta down ?y ?x) (succ ?x ?y))
             (<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
             (<= (legal ?r stay) (role ?r)) (<= terminal (true (at a 8)))
             (<= (goal ?r 50) (role ?r))\n"
        );
        for mv in ["up", "down"] {
            for _ in 0..1 + usize::from(self.chance(3)) {
                let mut body = format!("(true (at ?r ?x)) (delta {mv} ?x ?y)");
                for _ in 0..1 + usize::from(self.chance(2)) {
                    body.push_str(self.pick(&BOUNDS));
                }
                self.text
                    .push_str(&format!("(<= (legal ?r {mv}) {body})\n"));
            }
            let step = match self.chance(3) {
                true => "(walks ?r)",
                false => "",
            };
            let asked = self.pick(&ASKED);
            self.text.push_str(&format!(
                "(<= (next (at ?r ?y)) (does ?r {mv}) {step} (true (at ?r ?x))
                   (delta {mv} ?x ?y) {asked})\n"
            ));
        }
        let still = self.pick(&["(does ?r stay)", "(not (walks ?r))"]);
        self.text.push_str(&format!(
            "(<= (next (at ?r ?x)) (true (at ?r ?x)) {still})\n"
        ));
        for _ in 0..2 {
            if self.chance(3) {
                let disturbing = self.pick(&DISTURBING);
                self.text.push_str(disturbing);
                self.text.push('\n');
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..testkit::rules::config() })]

    #[test]
    fn bounded_rules_agree_with_the_reasoner(choices in vec(any::<u32>(), 40..100)) {
        let mut writer = Writer { choices: choices.iter().cycle(), text: String::new() };
        writer.game();
        compare(&writer.text, &choices[..16], grounding::ground_closely)?;
    }
}
