//! Whole searches on games whose best moves are known.

use crate::{Config, Limits, Report, Search, SearchError};
use budget::{Budget, ManualClock, Stop};
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testkit::toys::{Matrix, TakeAway};

const MEMORY: usize = 64 << 20;

fn search(engine: impl Engine + 'static, role: usize, threads: usize) -> Search {
    let config = Config::default();
    Search::new(Box::new(engine), RoleId(role), 7, threads, MEMORY, config)
}

fn choose(search: &mut Search, state: &State, playouts: u64) -> Report {
    search
        .choose(
            state,
            Limits::playouts(playouts),
            &Budget::system(),
            &|_| (),
        )
        .expect("a legal move")
}

#[test]
fn wins_take_away_from_every_position_that_can_be_won() {
    let game = TakeAway::new(2, 21, 3);
    for tokens in (2..=11).filter(|tokens| tokens % 4 != 0) {
        for turn in 0..2 {
            let state = game.state(tokens, RoleId(turn));
            let mut search = search(game.clone(), turn, 1);
            let report = choose(&mut search, &state, 3000);
            assert_eq!(u64::from(report.best.0), tokens % 4, "{tokens} tokens");
            assert!(report.value > Some(70.0), "{report:?}");
        }
    }
}

#[test]
fn several_threads_find_the_same_wins() {
    let game = TakeAway::new(2, 21, 3);
    let mut search = search(game.clone(), 0, 3);
    let report = choose(&mut search, &game.state(7, RoleId(0)), 3000);
    assert_eq!(report.best, MoveId(3));
    assert_eq!(report.playouts, 3000);
}

#[test]
fn a_puzzle_is_solved() {
    // The only line to 100 is 3, 1, 4 (the last words); everything else is worth 10.
    let payoff = |played: &[u64], _| Some(if played == [3, 1, 4] { 100 } else { 10 });
    let game = Matrix::new(1, 6, 3, payoff);
    let mut search = search(game.clone(), 0, 1);
    let mut state = game.initial();
    for wanted in [3, 1, 4] {
        let report = choose(&mut search, &state, 1500);
        assert_eq!(report.best, MoveId(wanted));
        state.words_mut().push(u64::from(wanted));
    }
}

#[test]
fn simultaneous_moves_find_the_dominant_one() {
    // The prisoners' dilemma: 1 (defect) dominates for both.
    let payoff = |played: &[u64], role: RoleId| match (played[role.0], played[1 - role.0]) {
        (0, 0) => Some(60),
        (0, _) => Some(0),
        (_, 0) => Some(100),
        _ => Some(30),
    };
    for seed in 0..20 {
        let game = Matrix::new(2, 2, 1, payoff);
        let (boxed, role) = (Box::new(game.clone()), RoleId(seed as usize % 2));
        let mut search = Search::new(boxed, role, seed, 1, MEMORY, Config::default());
        let report = choose(&mut search, &game.initial(), 2000);
        assert_eq!(report.best, MoveId(1), "{report:?}");
    }
}

#[test]
fn each_of_three_roles_maximises_its_own_result() {
    let game = TakeAway::new(3, 30, 2);
    let mut search = search(game.clone(), 2, 1);
    let report = choose(&mut search, &game.state(2, RoleId(2)), 500);
    assert_eq!(report.best, MoveId(2));
}

#[test]
fn a_missing_goal_is_a_loss() {
    let payoff = |played: &[u64], _| (played == [2]).then_some(20);
    let game = Matrix::new(1, 4, 1, payoff);
    let mut search = search(game.clone(), 0, 1);
    assert_eq!(choose(&mut search, &game.initial(), 200).best, MoveId(2));
}

#[test]
fn equal_moves_are_all_played() {
    let game = Matrix::new(1, 8, 40, |_, _| Some(50));
    let mut search = search(game.clone(), 0, 1);
    let mut state = game.initial();
    let mut played = std::collections::BTreeSet::new();
    for _ in 0..40 {
        let report = choose(&mut search, &state, 3);
        played.insert(report.best);
        state.words_mut().push(u64::from(report.best.0));
    }
    assert_eq!(played.len(), 8);
}

#[test]
fn one_thread_and_one_seed_repeat_themselves() {
    let game = TakeAway::new(2, 40, 3);
    let state = game.initial();
    let report = |seed| {
        let config = Config::default();
        let boxed = Box::new(game.clone());
        let mut search = Search::new(boxed, RoleId(0), seed, 1, MEMORY, config);
        search
            .ponder(&state, Limits::playouts(300), &Budget::system())
            .expect("the state can be searched");
        choose(&mut search, &state, 1000)
    };
    assert_eq!(report(1), report(1));
    assert_ne!(report(1), report(2), "the seed does nothing");
}

#[test]
fn a_search_bounded_by_nodes_repeats() {
    let game = TakeAway::new(2, 40, 3);
    let report = |nodes| {
        let mut search = search(game.clone(), 0, 1);
        let limits = Limits::nodes(nodes);
        search.choose(&game.initial(), limits, &Budget::system(), &|_| ())
    };
    let (few, many) = (report(1000).unwrap(), report(9000).unwrap());
    assert_eq!(report(1000), Ok(few.clone()));
    // No playout visits more than 40 states and the node that it starts from.
    for (report, nodes) in [(&few, 1000), (&many, 9000)] {
        assert!((nodes..nodes + 41).contains(&report.passed), "{report:?}");
        assert!(report.steps < report.passed, "{report:?}");
    }
    assert!(few.playouts > 20 && many.playouts > few.playouts, "{few:?}");
    // Where the tree is the whole game no playout takes a step, but the search still ends.
    let mut search = search(game.clone(), 0, 1);
    let limits = Limits::nodes(500);
    let end = search.choose(
        &game.state(2, RoleId(0)),
        limits,
        &Budget::system(),
        &|_| (),
    );
    assert!(end.unwrap().passed >= 500);
}

#[test]
fn the_tree_is_kept_from_move_to_move() {
    let game = TakeAway::new(2, 9, 3);
    let mut search = search(game.clone(), 0, 1);
    let first = choose(&mut search, &game.initial(), 2000);
    let tokens = 9 - u64::from(first.best.0);
    // The opponent takes one; then it is our turn again.
    let second = choose(&mut search, &game.state(tokens - 1, RoleId(0)), 10);
    assert_eq!(second.playouts, 10);
    assert!(second.visits > 10, "{second:?}");
    assert!(second.nodes < first.nodes, "{second:?}");
    // A state that is not in the tree starts a new one.
    let third = choose(&mut search, &game.state(20, RoleId(0)), 10);
    assert!(third.visits <= 10, "{third:?}");
}

#[test]
fn a_full_tree_stops_growing_but_is_still_searched() {
    let game = TakeAway::new(2, 60, 3);
    let memory = 20_000;
    let boxed = Box::new(game.clone());
    let mut search = Search::new(boxed, RoleId(0), 1, 1, memory, Config::default());
    let some = choose(&mut search, &game.initial(), 500);
    let more = choose(&mut search, &game.initial(), 5000);
    assert!(some.nodes > 10, "{some:?}");
    assert_eq!(some.nodes, more.nodes);
    assert!(more.bytes < memory + 1000, "{more:?}");
    assert_eq!(more.playouts, 5000);
}

#[test]
fn without_time_there_is_still_a_legal_move() {
    let game = TakeAway::new(2, 21, 3);
    let stop = Stop::default();
    stop.stop();
    let budget = Budget::system().with_stop(stop);
    let published = AtomicU64::new(0);
    let report = search(game.clone(), 0, 1)
        .choose(&game.initial(), Limits::default(), &budget, &|mv| {
            published.store(u64::from(mv.0), Ordering::Relaxed);
        })
        .expect("a legal move");
    assert!((1..=3).contains(&report.best.0));
    assert_eq!(published.load(Ordering::Relaxed), u64::from(report.best.0));
    assert_eq!((report.playouts, report.value), (0, None));
}

#[test]
fn the_best_move_is_published_while_searching() {
    let game = TakeAway::new(2, 21, 3);
    let published = Mutex::new(Vec::new());
    let report = search(game.clone(), 0, 1)
        .choose(
            &game.state(7, RoleId(0)),
            Limits::playouts(2000),
            &Budget::system(),
            &|mv| published.lock().expect("no panic").push(mv),
        )
        .expect("a legal move");
    let published = published.into_inner().expect("no panic");
    assert!(published.len() > 50);
    assert_eq!(published.last(), Some(&report.best));
}

#[test]
fn a_role_without_a_choice_moves_at_once_and_one_without_a_move_cannot() {
    let game = TakeAway::new(2, 21, 3);
    let mut search = search(game.clone(), 1, 1);
    let report = choose(&mut search, &game.initial(), 1000);
    assert_eq!((report.best, report.playouts), (MoveId(0), 0));
    let over = game.state(0, RoleId(0));
    assert_eq!(
        search.choose(&over, Limits::playouts(9), &Budget::system(), &|_| ()),
        Err(SearchError::NoLegalMove)
    );
    assert_eq!(
        search.ponder(&over, Limits::default(), &Budget::system()),
        Ok(0)
    );
}

/// The fault of [`Broken`].
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    /// Every transition fails.
    Next,
    /// Play never ends.
    Endless,
    /// From the second state on, role 1 has no legal move.
    NoMove,
    /// Every transition takes a second of the clock.
    Slow,
}

/// A game with two moves for either role, and a fault.
#[derive(Clone)]
struct Broken {
    fault: Fault,
    clock: Arc<ManualClock>,
    roles: Vec<GroundTerm>,
}

impl Broken {
    fn new(fault: Fault) -> Self {
        Broken {
            fault,
            clock: Arc::default(),
            roles: vec![GroundTerm::constant("a"), GroundTerm::constant("b")],
        }
    }
}

impl Engine for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }
    fn roles(&self) -> &[GroundTerm] {
        &self.roles
    }
    fn initial(&self) -> State {
        State::from_words(vec![0])
    }
    fn terminal(&mut self, _: &State) -> Result<bool, EngineError> {
        Ok(false)
    }
    fn legal(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), EngineError> {
        moves.clear();
        if self.fault != Fault::NoMove || role.0 == 0 || state.words()[0] == 0 {
            moves.extend([MoveId(4), MoveId(5)]);
        }
        Ok(())
    }
    fn next(&mut self, state: &State, _: &[MoveId], next: &mut State) -> Result<(), EngineError> {
        match self.fault {
            Fault::Next => return Err(EngineError::Rules("no successor".into())),
            Fault::Slow => self.clock.advance(Duration::from_secs(1)),
            Fault::Endless | Fault::NoMove => {}
        }
        next.clone_from(state);
        next.words_mut()[0] += 1;
        Ok(())
    }
    fn goal(&mut self, _: &State, _: RoleId) -> Result<Option<u8>, EngineError> {
        Ok(None)
    }
    fn facts(&mut self, _: &State) -> Vec<GroundTerm> {
        Vec::new()
    }
    fn state_of(&mut self, _: &[GroundTerm]) -> Result<State, EngineError> {
        Ok(self.initial())
    }
    fn move_term(&mut self, _: RoleId, _: MoveId) -> GroundTerm {
        GroundTerm::constant("move")
    }
    fn find_move(&mut self, _: RoleId, _: &GroundTerm) -> Option<MoveId> {
        None
    }
    fn fork(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }
}

#[test]
fn broken_games_are_survived() {
    for (fault, failures, nodes) in [
        (Fault::Next, 40, 1),
        (Fault::Endless, 0, 41),
        (Fault::NoMove, 0, 5),
    ] {
        let game = Broken::new(fault);
        let mut search = search(game.clone(), 0, 1);
        let report = choose(&mut search, &game.initial(), 40);
        assert!(matches!(report.best, MoveId(4 | 5)));
        assert_eq!(report.value, Some(50.0), "nothing is known");
        assert_eq!(report.playouts, 40);
        assert_eq!(report.failures, failures);
        assert_eq!(report.nodes, nodes);
    }
}

#[test]
fn a_slow_playout_is_cut_when_time_is_up() {
    let game = Broken::new(Fault::Slow);
    let clock = game.clock.clone();
    let budget = Budget::unlimited(clock.clone()).with_timeout(Duration::from_secs(10));
    let report = search(game.clone(), 0, 1)
        .choose(&game.initial(), Limits::default(), &budget, &|_| ())
        .expect("a legal move");
    assert_eq!(budget.remaining(), Some(Duration::ZERO));
    assert_eq!((report.playouts, report.visits, report.value), (0, 0, None));
    assert_eq!(report.steps, 10, "not a step more than fits");
}
