//! Search of corridors with ranges: the number of nodes is linear in the number of steps, not
//! exponential.

use crate::common::find;
use crate::shared::{build, sheet};
use analysis::latches::Latches;
use budget::Budget;
use game::{Engine, RoleId, State};
use gdl_parse::{ParseOptions, Rulesheet, parse};
use propnet::PropnetEngine;
use std::collections::HashSet;
use std::fmt::Write;
use std::time::Duration;

/// An exhaustive search for the best result of the only role, each state once.
struct Search<'a> {
    engine: PropnetEngine,
    /// The ranges with which states are pruned that cannot improve on the best result so far.
    ranges: Option<&'a Latches>,
    best: Option<u8>,
    seen: HashSet<State>,
    nodes: usize,
    most: usize,
}

impl Search<'_> {
    fn visit(&mut self, state: &State) {
        if self.nodes == self.most || !self.seen.insert(state.clone()) {
            return;
        }
        self.nodes += 1;
        if let (Some(latches), Some(best)) = (self.ranges, self.best)
            && latches.ranges.of(state.words(), 0).1 <= best
        {
            return;
        }
        let role = RoleId(0);
        if self.engine.terminal(state).unwrap() {
            self.best = self.best.max(self.engine.goal(state, role).unwrap());
            return;
        }
        let (mut moves, mut next) = (Vec::new(), self.engine.initial());
        self.engine.legal(state, role, &mut moves).unwrap();
        for mv in moves {
            self.engine.next(state, &[mv], &mut next).unwrap();
            self.visit(&next.clone());
        }
    }
}

/// The nodes searched without and with ranges, at most `most`. Checks that both find the same
/// result.
fn nodes(sheet: &Rulesheet, most: usize) -> [usize; 2] {
    let (network, logic) = build(sheet).unwrap();
    let latches = find(&logic, Duration::from_secs(20));
    let searched = [None, Some(&latches)].map(|ranges| {
        let mut search = Search {
            engine: PropnetEngine::new(&network, &Budget::system()).unwrap(),
            ranges,
            best: None,
            seen: HashSet::new(),
            nodes: 0,
            most,
        };
        let initial = search.engine.initial();
        search.visit(&initial);
        (search.best, search.nodes)
    });
    assert_eq!(searched[1].0, Some(100));
    searched.map(|(_, nodes)| nodes)
}

/// A corridor of `steps` steps with four directions at every place. A wrong direction leads into
/// a cave of its own, in which every step switches one of four lamps. The exit counts only with
/// all lamps off.
fn corridor(steps: usize) -> Rulesheet {
    let mut rules = String::from(
        "(role walker) (way a) (way b) (way c) (way d)
        (init (at 0)) (init (step 0))
        (<= (legal walker (take ?w)) (way ?w))
        (<= right (does walker (take ?w)) (true (at ?n)) (leads_on ?n ?w))
        (<= (next (at ?n)) right (true (at ?m)) (succ ?m ?n))
        (<= (next (cave ?n ?w)) (does walker (take ?w)) (true (at ?n)) (not right))
        (<= (next (cave ?n ?w)) (true (cave ?n ?w)))
        (<= inside (true (cave ?n ?w)))
        (<= (switched ?w) inside (does walker (take ?w)))
        (<= (next (lamp ?w)) (switched ?w) (not (true (lamp ?w))))
        (<= (next (lamp ?w)) (true (lamp ?w)) (not (switched ?w)))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= lit (true (lamp ?w)))",
    );
    for step in 0..steps {
        // A sequence without a pattern that move ordering could follow.
        let way = ['a', 'b', 'c', 'd'][(step * step + step / 3) % 4];
        let _ = write!(rules, "(leads_on {step} {way}) (succ {step} {})", step + 1);
    }
    let _ = write!(
        rules,
        "(<= terminal (true (step {steps})))
        (<= (goal walker 100) (true (at {steps})) (not lit))
        (<= out (true (at {steps})) (not lit))
        (<= (goal walker 0) (not out))"
    );
    parse(&rules, &ParseOptions::default()).sheet
}

#[test]
fn corridors_take_linearly_many_nodes() {
    let found: Vec<[usize; 2]> = (5..=40)
        .step_by(5)
        .map(|l| nodes(&corridor(l), 30_000))
        .collect();
    println!("5, 10, ... 40 steps, nodes without and with ranges: {found:?}");
    // Every step along the corridor, and one walk through a cave to its end before there is a
    // first result; each with the other directions at every place.
    let linear = |ways: usize, steps: usize| 2 * ways * steps + 1;
    for (&[without, with], steps) in found.iter().zip((5..).step_by(5)) {
        assert!(with <= linear(4, steps), "{steps}: {with}");
        assert!(without > steps * with, "{steps}: {without} and {with}");
    }
    // The same number of additional nodes for every five additional steps.
    let more: Vec<usize> = found.windows(2).map(|two| two[1][1] - two[0][1]).collect();
    assert!(more.windows(2).all(|two| two[0] == two[1]), "{more:?}");
    let hard = nodes(&sheet("corridor_hard"), 30_000);
    let untwisty = nodes(&sheet("untwisty_corridor"), 30_000);
    println!("corridor_hard {hard:?}, untwisty_corridor {untwisty:?}");
    assert!(
        hard[1] <= linear(8, 24) && hard[0] > 20 * hard[1],
        "{hard:?}"
    );
    assert!(untwisty[1] <= linear(4, 20), "{untwisty:?}");
}
