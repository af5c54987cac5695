//! No pass changes play, and none leaves a network larger.

mod common;

use budget::{Budget, Exhausted, Stop};
use common::{by_graph, by_rules, games};
use propnet::passes::{self, Pass};
use propnet::{Network, Node, Schedule, Statistics};
use proptest::prelude::*;

fn network(game: &grounding::GroundGame) -> Network {
    Network::build(game.clone(), &Budget::system()).expect("random games are stratified")
}

/// A few situations: the facts that hold, and a joint move.
fn situations() -> impl Strategy<Value = Vec<(u64, [u32; 2])>> {
    let facts = 0u64..1 << common::FACTS;
    let joint = [0..common::MOVES, 0..common::MOVES];
    prop::collection::vec((facts, joint), 8)
}

/// Prepares a network of `game` with `before`, runs `pass` on it, and checks that play is
/// unchanged.
fn play_stays(
    game: &grounding::GroundGame,
    situations: &[(u64, [u32; 2])],
    before: &[Pass],
    pass: Pass,
) -> Result<(), TestCaseError> {
    let budget = Budget::system();
    let mut network = network(game);
    for earlier in before {
        earlier(&mut network, &budget);
    }
    let removed = pass(&mut network, &budget);
    prop_assert!(removed.after.nodes <= removed.before.nodes);
    prop_assert!(removed.after.edges <= removed.before.edges);
    prop_assert_eq!(removed.stopped, None);
    for (facts, joint) in situations {
        let (rules, graph) = (
            by_rules(game, *facts, joint),
            by_graph(&network, *facts, joint),
        );
        prop_assert_eq!(rules, graph);
    }
    Ok(())
}

proptest! {
    #[test]
    fn an_unoptimised_network_agrees_with_its_rules(game in games(), situations in situations()) {
        let network = network(&game);
        for (facts, joint) in situations {
            prop_assert_eq!(by_rules(&game, facts, &joint), by_graph(&network, facts, &joint));
        }
    }

    #[test]
    fn constants_pass_keeps_play(game in games(), situations in situations()) {
        play_stays(&game, &situations, &[], passes::constants::run)?;
    }

    #[test]
    fn views_pass_keeps_play(game in games(), situations in situations()) {
        play_stays(&game, &situations, &[], passes::views::run)?;
        play_stays(&game, &situations, &[passes::constants::run], passes::views::run)?;
    }

    #[test]
    fn trivial_pass_keeps_play(game in games(), situations in situations()) {
        play_stays(&game, &situations, &[], passes::trivial::run)?;
        let before: [Pass; 3] = [passes::views::run, passes::constants::run, passes::sharing::run];
        play_stays(&game, &situations, &before, passes::trivial::run)?;
    }

    #[test]
    fn sharing_pass_keeps_play(game in games(), situations in situations()) {
        play_stays(&game, &situations, &[], passes::sharing::run)?;
        play_stays(&game, &situations, &[passes::views::run], passes::sharing::run)?;
    }

    #[test]
    fn flatten_pass_keeps_play(game in games(), situations in situations()) {
        play_stays(&game, &situations, &[], passes::flatten::run)?;
        let before: [Pass; 2] = [passes::views::run, passes::trivial::run];
        play_stays(&game, &situations, &before, passes::flatten::run)?;
    }

    #[test]
    fn dead_pass_keeps_play(game in games(), situations in situations()) {
        play_stays(&game, &situations, &[], passes::dead::run)?;
        play_stays(&game, &situations, &[passes::views::run], passes::dead::run)?;
    }

    #[test]
    fn optimising_keeps_play(game in games(), situations in situations()) {
        let all = |network: &mut Network, budget: &Budget| {
            let mut report = passes::optimise(network, budget);
            let first = report[0].before;
            let mut last = report.pop().expect("every pass reports");
            last.before = first;
            last
        };
        play_stays(&game, &situations, &[], all)?;
    }

    #[test]
    fn an_optimised_network_has_no_views_or_single_input_gates(game in games()) {
        let mut network = network(&game);
        passes::optimise(&mut network, &Budget::system());
        let figures = Statistics::new(&network, &Budget::system()).expect("no deadline");
        prop_assert_eq!(figures.views, 0);
        let schedule = Schedule::new(&network, &Budget::system()).expect("no deadline");
        let cyclic: Vec<_> = schedule.cycles().flatten().copied().collect();
        let graph = network.graph();
        for node in graph.node_indices() {
            let inputs = graph.neighbors_directed(node, petgraph::Direction::Incoming);
            match graph[node] {
                Node::And | Node::Or if !cyclic.contains(&node) => prop_assert!(inputs.count() > 1),
                weight if weight.is_output() => prop_assert_eq!(graph.neighbors(node).count(), 0),
                _ => {}
            }
        }
    }

    #[test]
    fn passes_without_time_change_nothing(game in games()) {
        let stop = Stop::default();
        stop.stop();
        let budget = Budget::system().with_stop(stop);
        let before = network(&game);
        for pass in passes::ALL {
            let mut network = before.clone();
            let removed = pass(&mut network, &budget);
            prop_assert_eq!(removed.stopped, Some(Exhausted::Stopped));
            prop_assert!(removed.is_nothing());
            prop_assert_eq!(network.dot().to_string(), before.dot().to_string());
        }
    }
}
