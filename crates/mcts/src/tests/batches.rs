//! Batches that are interrupted, and batches in a small memory.

use super::{MEMORY, batches, choose, seeded};
use crate::node::Kind;
use crate::{Config, Limits, Stage};
use budget::{Budget, ManualClock};
use game::{Engine, EngineError, Playouts, RoleId, ScalarPlayouts, Start, Tally};
use std::sync::Arc;
use std::time::{Duration, Instant};
use testkit::toys::{Matrix, TakeAway};

/// Playouts that let the budget end after some batches.
struct Ending {
    playouts: ScalarPlayouts,
    batches: u32,
    clock: Arc<ManualClock>,
}

impl Playouts for Ending {
    fn name(&self) -> &'static str {
        "ending"
    }

    fn width(&self) -> usize {
        self.playouts.width()
    }

    fn run(
        &mut self,
        starts: &[Start<'_>],
        tallies: &mut Vec<Tally>,
        budget: &Budget,
    ) -> Result<(), EngineError> {
        if self.batches == 0 {
            self.clock.advance(Duration::from_secs(1));
        }
        self.batches = self.batches.saturating_sub(1);
        self.playouts.run(starts, tallies, budget)
    }

    fn reseed(&mut self, seed: u64) {
        self.playouts.reseed(seed);
    }
}

#[test]
fn an_interrupted_batch_leaves_no_visits() {
    for children in [1, 8] {
        interrupt(Config {
            children,
            ..batches()
        });
    }
}

/// Interrupts the sixth batch of a search.
fn interrupt(config: Config) {
    let game = TakeAway::new(2, 400, 5);
    let clock = Arc::new(ManualClock::default());
    let playouts = Ending {
        playouts: ScalarPlayouts::new(game.fork(), 3, 1000),
        batches: 5,
        clock: clock.clone(),
    };
    let (own, role) = (game.fork(), RoleId(0));
    let search = seeded(own, Box::new(playouts), MEMORY).role(role);
    let mut search = search.config(config).build();
    let budget = Budget::unlimited(clock).with_timeout(Duration::from_millis(500));
    let state = game.initial();
    let report = search.choose(&state, Limits::default(), &budget, &|_| ());
    let candidates = report.unwrap().candidates;
    let visits: u32 = candidates.iter().map(|own| own.visits).sum();
    assert_eq!(visits, 5 * 64);
    let (graph, _) = search.root().unwrap();
    for node in graph.all() {
        if let Kind::Turn { edges, .. } = &node.kind {
            assert_eq!(node.visits, node.samples, "{node:?}");
            assert!(edges.iter().all(|edge| edge.pending == 0), "{node:?}");
        }
    }
}

#[test]
fn evictions_do_not_distort_means() {
    // Every playout has the result 90, and so must every mean.
    let game = Matrix::new(1, 5, 9, |_, _| Some(90));
    for memory in [20_000, 50_000, 200_000] {
        let playouts = ScalarPlayouts::new(game.fork(), 3, 20);
        let config = Config {
            solve: false,
            transpositions: false,
            ..batches()
        };
        let (own, role) = (game.fork(), RoleId(0));
        let search = seeded(own, Box::new(playouts), memory).role(role);
        let mut search = search.config(config).build();
        let report = choose(&mut search, &game.initial(), 100_000);
        assert!(report.bytes <= memory, "{}", report.bytes);
        for value in report.candidates.iter().filter_map(|own| own.value) {
            assert!((value - 90.0).abs() < 0.1, "{memory} bytes: {report:?}");
        }
    }
}

#[test]
fn the_stages_of_a_visit_are_measured_on_request() {
    let game = TakeAway::new(2, 200, 5);
    let new = || {
        let playouts = Box::new(ScalarPlayouts::new(game.fork(), 3, 1000));
        seeded(game.fork(), playouts, MEMORY)
            .config(batches())
            .build()
    };
    let mut search = new();
    choose(&mut search, &game.initial(), 20_000);
    assert_eq!(search.stages().sum(), Duration::ZERO);
    let mut search = new();
    search.measure_stages();
    let since = Instant::now();
    choose(&mut search, &game.initial(), 20_000);
    let all = since.elapsed();
    let stages = search.stages();
    for stage in [Stage::Selection, Stage::Expansion, Stage::Playouts] {
        assert!(stages.of(stage) > Duration::ZERO, "{}", stage.name());
    }
    // No time counts twice.
    assert!(stages.sum() <= all, "{:?} of {all:?}", stages.sum());
}
