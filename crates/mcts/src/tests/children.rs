//! Several moves of a node as leaves of one descent.

use super::{batches, choose, search_with, seeded};
use crate::node::Kind;
use crate::{Bounds, Config};
use game::{Engine, RoleId, ScalarPlayouts};
use testkit::toys::TakeAway;

fn with(children: u32) -> Config {
    Config {
        children,
        ..batches()
    }
}

#[test]
fn visits_are_samples_once_a_search_is_over() {
    let game = TakeAway::new(2, 300, 7);
    for children in [1, 2, 3, 8, 64] {
        let config = Config {
            solve: false,
            ..with(children)
        };
        let mut search = search_with(game.clone(), 0, config);
        let report = choose(&mut search, &game.initial(), 4096 * 8);
        let visits: u32 = report.candidates.iter().map(|own| own.visits).sum();
        // Samples of solved nodes need no playouts.
        assert!(visits >= 4096, "{children} children: {visits} visits");
        let mut nodes = 0;
        for node in search.root().unwrap().0.all() {
            let Kind::Turn { edges, .. } = &node.kind else {
                continue;
            };
            nodes += 1;
            assert_eq!(node.visits, node.samples, "{node:?}");
            assert!(edges.iter().all(|edge| edge.pending == 0), "{node:?}");
            let below: u32 = edges.iter().map(|edge| edge.visits).sum();
            // Its own playouts are a sample, unless its children were its first leaves.
            assert!(edges.is_empty() || node.samples - below <= 1, "{node:?}");
        }
        assert!(nodes > 100, "{nodes}");
    }
}

#[test]
fn moves_get_nodes_when_they_are_tried_again() {
    let game = TakeAway::new(2, 300, 7);
    for children in [1, 8] {
        let mut search = search_with(game.clone(), 0, with(children));
        choose(&mut search, &game.initial(), 4096 * 8);
        let (mut tried, mut again) = (0, 0);
        for node in search.root().unwrap().0.all() {
            if let Kind::Turn { edges, .. } = &node.kind {
                for edge in edges.iter().filter(|edge| !edge.solved) {
                    assert_eq!(edge.child.is_some(), edge.visits > 1, "{node:?}");
                    tried += u32::from(edge.visits == 1);
                    again += u32::from(edge.visits > 1);
                }
            }
        }
        assert!(tried > 10 && again > 100, "{tried} and {again}");
    }
}

#[test]
fn a_limit_on_playouts_holds_with_children() {
    let game = TakeAway::new(2, 300, 7);
    for limit in [8, 40, 56, 1024] {
        let mut search = search_with(game.clone(), 0, with(8));
        let report = choose(&mut search, &game.initial(), limit);
        assert!(report.playouts < limit + 8, "{report:?}");
        assert!(2 * report.playouts >= limit, "{report:?}");
    }
}

#[test]
fn what_is_proved_is_right_with_children() {
    for tokens in 2..=21 {
        let game = TakeAway::new(2, tokens, 3);
        let config = Config {
            sum: Some(100),
            ..with(4)
        };
        let mut search = search_with(game.clone(), 0, config);
        let report = choose(&mut search, &game.initial(), 20_000);
        let won = tokens % 4 != 0;
        let known = report.candidate.map(|candidate| candidate.bounds);
        let bounds = Bounds::exactly(if won { 100 } else { 0 });
        assert_eq!(known, Some(bounds), "{tokens} tokens: {report:?}");
    }
}

#[test]
fn children_may_be_evicted_at_once() {
    let game = TakeAway::new(2, 300, 7);
    for memory in [10_000, 20_000, 50_000] {
        let playouts = ScalarPlayouts::new(game.fork(), 3, 1000);
        let search = seeded(game.fork(), Box::new(playouts), memory).role(RoleId(0));
        let mut search = search.config(with(8)).build();
        let report = choose(&mut search, &game.initial(), 50_000);
        assert!(report.bytes <= memory, "{}", report.bytes);
        let values = report.candidates.iter().filter_map(|own| own.value);
        assert!(values.clone().count() > 0);
        for value in values {
            assert!((0.0..=100.0).contains(&value), "{memory} bytes: {report:?}");
        }
    }
}
