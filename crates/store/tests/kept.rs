//! What is kept is found again as it was.

mod common;

use common::{learnt, plan, same};
use proptest::prelude::*;
use std::path::Path;
use store::{Limits, Solution, Store};

fn open(path: &Path) -> Store {
    let (store, aside) = Store::open(path).unwrap();
    assert!(aside.is_none(), "{aside:?}");
    store
}

#[test]
fn everything_is_found_after_opening_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/games.store");
    let solution = Solution {
        moves: vec![vec![3, 0], vec![1, 2]],
        goal: 100,
        best: true,
    };
    let store = open(&path);
    assert!(store.plan(7).unwrap().is_none() && store.learnt(7).unwrap().is_none());
    store.keep_plan(7, &plan()).unwrap();
    assert!(store.keep_learnt(7, &learnt(12, 40)).unwrap());
    store.keep_solution(8, &solution).unwrap();
    for results in [[100, 0], [50, 50]] {
        store.add_opening(7, &[vec![1, 0]], &results).unwrap();
    }
    drop(store);
    let store = open(&path);
    assert_eq!(store.plan(7).unwrap(), Some(plan()));
    assert!(same(&store.learnt(7).unwrap().unwrap(), &learnt(12, 40)));
    assert_eq!(store.solution(8).unwrap(), Some(solution));
    let openings = store.openings(7).unwrap();
    assert_eq!((openings.len(), openings[0].matches), (1, 2));
    assert_eq!(openings[0].points, [150, 50]);
    let list = store.list().unwrap();
    assert_eq!(list.len(), 2);
    assert!(list[0].plan && !list[0].solution && list[0].openings == 1);
    assert_eq!((list[0].about.games, list[0].about.positions), (40, 400));
    assert!(!list[1].plan && list[1].solution && list[1].about.games == 0);
    let line: serde_json::Value = serde_json::from_str(&store.export(&list[0]).unwrap()).unwrap();
    assert_eq!(line["game"], "0000000000000007");
    assert_eq!(line["value"]["games"], 40);
    assert_eq!(line["settings"]["tuned"], true);
}

#[test]
fn what_more_games_have_taught_stays() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("games.store"));
    assert!(store.keep_learnt(1, &learnt(9, 50)).unwrap());
    assert!(!store.keep_learnt(1, &learnt(9, 49)).unwrap());
    assert_eq!(store.learnt(1).unwrap().unwrap().games, 50);
    assert!(store.keep_learnt(1, &learnt(9, 51)).unwrap());
    assert_eq!(store.learnt(1).unwrap().unwrap().games, 51);
}

#[test]
fn plans_of_other_versions_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("games.store"));
    let mut other = plan();
    other.version += 1;
    store.keep_plan(1, &other).unwrap();
    assert_eq!(store.plan(1).unwrap(), None);
    other = plan();
    other.settings.exploration = -1.0;
    store.keep_plan(1, &other).unwrap();
    let why = store.plan(1).unwrap_err().to_string();
    assert!(why.contains("make no sense"), "{why}");
}

#[test]
fn pruning_leaves_what_was_kept_last() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("games.store"));
    for game in 0..5 {
        store.keep_learnt(game, &learnt(30, 100)).unwrap();
    }
    let each = store.list().unwrap()[0].bytes;
    let room = Limits {
        bytes: Some(2 * each + each / 2),
        ..Limits::default()
    };
    let removed = store.prune(room).unwrap();
    assert_eq!(removed.len(), 3, "{removed:?}");
    let left = store.list().unwrap();
    assert_eq!(left.len(), 2);
    assert!(
        removed
            .iter()
            .all(|game| store.learnt(*game).unwrap().is_none())
    );
    let old = Limits {
        before: Some(left[0].about.used),
        ..Limits::default()
    };
    assert!(store.prune(old).unwrap().is_empty());
    let all = Limits {
        before: Some(u64::MAX),
        ..Limits::default()
    };
    assert_eq!(store.prune(all).unwrap().len(), 2);
    assert!(store.list().unwrap().is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn any_value_is_read_as_it_was_written(facts in 2u32..40, games in 1u64..200, game: u64) {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder.path().join("games.store"));
        let learnt = learnt(facts, games);
        store.keep_learnt(game, &learnt).unwrap();
        prop_assert!(same(&store.learnt(game).unwrap().unwrap(), &learnt));
    }
}
