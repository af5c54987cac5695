//! Insertion, eviction and threads.

use super::*;
use crate::node::{Kind, RoleStats};

fn node(word: u64) -> Node {
    let state = State::from_words(vec![word]);
    Node::new(state, Kind::Terminal, smallvec::smallvec![RoleStats::NEW])
}

#[test]
fn nodes_are_found_by_their_states() {
    let mut graph = Graph::new(1 << 20, true, Memory::default());
    let one = graph.insert(node(1), &[]).unwrap();
    let two = graph.insert(node(2), &[]).unwrap();
    assert_eq!(graph.find(&State::from_words(vec![1])), Some(one));
    assert_eq!(graph.find(&State::from_words(vec![2])), Some(two));
    assert_eq!(graph.find(&State::from_words(vec![3])), None);
}

#[test]
fn a_full_graph_evicts_rarely_visited_nodes() {
    let size = bytes_of(&node(0));
    let mut graph = Graph::new(100 * size, true, Memory::default());
    let root = graph.insert(node(0), &[]).unwrap();
    let often = graph.insert(node(1), &[]).unwrap();
    graph.get_mut(often).unwrap().visits = 1000;
    let mut last = root;
    for word in 2..10_000 {
        last = graph.insert(node(word), &[root]).unwrap();
        assert!(graph.bytes() <= 100 * size);
    }
    assert!(graph.get(root).is_some() && graph.get(last).is_some());
    assert!(graph.get(often).is_some(), "{graph:?}");
    assert_eq!(graph.find(&State::from_words(vec![2])), None);
    assert_eq!(graph.len(), 100);
}

#[test]
fn threads_share_nodes_within_the_memory() {
    let size = bytes_of(&node(0));
    let graph = Graph::new(200 * size, true, Memory::default());
    let descent = |seed: u64| {
        let mut graph = graph.handle();
        let mut word = seed;
        for _ in 0..20_000 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let wanted = (word >> 40) % 1000;
            let state = State::from_words(vec![wanted]);
            let found = graph.find(&state);
            let name = found.or_else(|| graph.insert(node(wanted), &[]));
            if let Some(mut node) = name.and_then(|name| graph.get_mut(name)) {
                node.visits += 1;
                assert_eq!(node.state, state);
            }
            // Other threads may be inserting a node each.
            assert!(graph.bytes() <= 204 * size);
        }
    };
    std::thread::scope(|scope| (1..=4).for_each(|seed| drop(scope.spawn(move || descent(seed)))));
    assert_eq!(graph.bytes(), graph.len() * size);
    let found = (0..1000).filter(|&word| graph.find(&State::from_words(vec![word])).is_some());
    assert_eq!(found.count(), graph.len(), "each is in it once");
}

#[test]
fn nodes_of_earlier_moves_are_evicted_first() {
    let size = bytes_of(&node(0));
    let mut graph = Graph::new(3 * size, true, Memory::default());
    let old = graph.insert(node(0), &[]).unwrap();
    graph.get_mut(old).unwrap().visits = 1000;
    graph.next_turn();
    for word in 1..3 {
        let new = graph.insert(node(word), &[]).unwrap();
        let mut new = graph.get_mut(new).unwrap();
        (new.visits, new.turn) = (10, 1);
    }
    graph.insert(node(3), &[]).unwrap();
    assert!(graph.get(old).is_none());
    // If all nodes have to be kept, there is no memory.
    let keep: Vec<NodeRef> = (1..4)
        .filter_map(|word| graph.find(&State::from_words(vec![word])))
        .collect();
    assert_eq!(graph.insert(node(4), &keep), None);
}

#[test]
fn handles_that_are_gone_leave_their_slots_and_sums() {
    let size = bytes_of(&node(0));
    let graph = Graph::new(300_000 * size, true, Memory::default());
    let fill = |from: u64| {
        let mut graph = graph.handle();
        for word in from..from + 7_000 {
            assert!(graph.insert(node(word), &[]).is_some());
        }
    };
    std::thread::scope(|scope| {
        for thread in 0..3 {
            scope.spawn(move || fill(10_000 * thread));
        }
    });
    let free = graph.shared.free.lock().len();
    assert_eq!(graph.shared.slots.len(), 21_000 + free);
    assert_eq!(graph.len(), 21_000);
    assert_eq!(graph.all().count(), 21_000);
    assert_eq!(
        graph.bytes(),
        graph.all().map(|node| bytes_of(&node)).sum::<usize>()
    );
    // The slots that are left over are filled first.
    let mut handle = graph.handle();
    for word in 0..free as u64 {
        handle.insert(node(1_000_000 + word), &[]);
    }
    assert_eq!(graph.shared.slots.len(), 21_000 + free);
}
