//! The solver against plain minimax, and against known results of games.

use crate::{Interval, Limits, Reading, Solver, Verdict};
use budget::{Budget, Exhausted};
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use proptest::prelude::*;
use testkit::layered::Layered;
use testkit::toys::{Matrix, TakeAway};

/// The successors under all joint moves: for each of the role's moves those under all answers
/// of the others.
fn rows(engine: &mut dyn Engine, state: &State, role: RoleId) -> Vec<Vec<State>> {
    let mut own = Vec::new();
    engine.legal(state, role, &mut own).unwrap();
    let mut rows = Vec::new();
    for mv in own {
        let mut joints: Vec<Vec<MoveId>> = vec![Vec::new()];
        for other in (0..engine.roles().len()).map(RoleId) {
            let mut moves = vec![mv];
            if other != role {
                engine.legal(state, other, &mut moves).unwrap();
            }
            let longer = |joint: &Vec<MoveId>| {
                let joint = joint.clone();
                let with = |&mv: &MoveId| [&joint[..], &[mv]].concat();
                moves.iter().map(with).collect::<Vec<_>>()
            };
            joints = joints.iter().flat_map(longer).collect();
        }
        let mut row = Vec::new();
        for joint in joints {
            let mut next = State::default();
            engine.next(state, &joint, &mut next).unwrap();
            row.push(next);
        }
        rows.push(row);
    }
    rows
}

/// Plain minimax, with the value `beyond` at the horizon.
fn minimax(
    engine: &mut dyn Engine,
    state: &State,
    role: RoleId,
    reading: Reading,
    left: u32,
    beyond: u8,
) -> u8 {
    if engine.terminal(state).unwrap() {
        return engine.goal(state, role).unwrap().unwrap_or(0);
    }
    let rows = rows(engine, state, role);
    let chooses = rows.len() > 1;
    if chooses && left == 0 {
        return beyond;
    }
    let left = left - u32::from(chooses);
    let mut value = |state: &State| minimax(engine, state, role, reading, left, beyond);
    let values: Vec<Vec<u8>> = rows
        .iter()
        .map(|row| row.iter().map(&mut value).collect())
        .collect();
    match reading {
        Reading::Guaranteed => {
            let held = values.iter().map(|row| row.iter().min().unwrap());
            *held.max().unwrap()
        }
        Reading::Conceded => {
            let best = |at: usize| values.iter().map(|row| row[at]).max().unwrap();
            (0..values[0].len()).map(best).min().unwrap()
        }
    }
}

/// Plain minimax for each move, which the others know.
fn minimax_of_moves(
    engine: &mut dyn Engine,
    state: &State,
    role: RoleId,
    reading: Reading,
    own_moves: u32,
    beyond: u8,
) -> Vec<u8> {
    let rows = rows(engine, state, role);
    let left = own_moves - u32::from(rows.len() > 1);
    let mut held = Vec::new();
    for row in rows {
        let values = row
            .iter()
            .map(|next| minimax(engine, next, role, reading, left, beyond));
        held.push(values.min().unwrap());
    }
    held
}

fn intervals(engine: &mut dyn Engine, state: &State, role: RoleId) -> Vec<Interval> {
    Solver::new(engine, role, Limits::default())
        .intervals(state, &Budget::system())
        .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn intervals_match_minimax(seed: u64, roles in 1usize..4, layers in 1u64..7) {
        let mut game = Layered::new(roles, seed, layers);
        let state = game.initial();
        for role in (0..roles).map(RoleId) {
            let mut of = |reading| minimax_of_moves(&mut game, &state, role, reading, 99, 0);
            let (lower, upper) = (of(Reading::Guaranteed), of(Reading::Conceded));
            let found = intervals(&mut game, &state, role);
            let bounds = |v: &Interval| (v.lower, v.upper);
            let found: Vec<_> = found.iter().map(bounds).collect();
            prop_assert_eq!(found, lower.into_iter().zip(upper).collect::<Vec<_>>());
        }
    }

    #[test]
    fn verdicts_within_a_horizon_match_minimax(
        seed: u64,
        roles in 1usize..4,
        own_moves in 1u32..5,
        value in prop::sample::select(vec![1u8, 25, 26, 50, 100]),
        reading in prop::sample::select(vec![Reading::Guaranteed, Reading::Conceded]),
    ) {
        let mut game = Layered::new(roles, seed, 7);
        let (state, role) = (game.initial(), RoleId(0));
        let limits = Limits { own_moves, ..Limits::default() };
        let outcome = Solver::new(&mut game, role, limits)
            .at_least(&state, value, reading, &Budget::system())
            .unwrap();
        let mut of = |moves, beyond| minimax_of_moves(&mut game, &state, role, reading, moves, beyond);
        let (lost, won) = (of(own_moves, 0), of(own_moves, 100));
        for (at, answer) in outcome.answers.iter().enumerate() {
            match answer.verdict {
                Verdict::Yes(bound) => {
                    prop_assert!(value <= bound && bound <= lost[at]);
                    if answer.own_moves > 1 {
                        prop_assert!(of(answer.own_moves - 1, 0)[at] < value, "fewer moves do");
                    }
                }
                // It may come from a state met elsewhere with more moves left, but it must be
                // true.
                Verdict::No(bound) => {
                    prop_assert!(bound < value);
                    prop_assert!(won[at] <= bound || of(99, 0)[at] <= bound);
                }
                Verdict::Unknown => prop_assert!(lost[at] < value && value <= won[at]),
            }
        }
    }
}

/// A no that was proved higher in the tree counts near the horizon, too: it is true there.
#[test]
fn a_no_from_the_table_is_right() {
    let mut game = Layered::new(3, 16_210_606_401_625_430_615, 8);
    let (state, role) = (game.initial(), RoleId(0));
    let limits = Limits {
        own_moves: 2,
        ..Limits::default()
    };
    let reading = Reading::Guaranteed;
    let outcome = Solver::new(&mut game, role, limits)
        .at_least(&state, 1, reading, &Budget::system())
        .unwrap();
    let true_values = minimax_of_moves(&mut game, &state, role, reading, 99, 0);
    let within = minimax_of_moves(&mut game, &state, role, reading, 2, 100);
    let surprising =
        |(at, answer): (usize, &crate::Answer)| answer.verdict.is_no() && within[at] > 0;
    let surprises: Vec<_> = outcome
        .answers
        .iter()
        .enumerate()
        .filter(|&x| surprising(x))
        .collect();
    assert!(!surprises.is_empty());
    assert!(surprises.iter().all(|(at, _)| true_values[*at] == 0));
}

#[test]
fn where_all_choose_at_once_the_bounds_are_apart() {
    // Matching pennies: neither bound is certain.
    let pennies = |moves: &[u64], role: RoleId| {
        let same = moves[0] == moves[1];
        Some(if same == (role.0 == 0) { 100 } else { 0 })
    };
    let mut game = Matrix::new(2, 2, 2, |moves, role| {
        let same = moves[2] == moves[3];
        Some(if same == (role.0 == 0) { 100 } else { 0 })
    });
    let state = game.initial();
    for bounds in intervals(&mut game, &state, RoleId(0)) {
        assert_eq!((bounds.lower, bounds.upper), (0, 100));
    }
    // In the last round the others know the move that is asked about.
    let mut game = Matrix::new(2, 2, 1, pennies);
    for bounds in intervals(&mut game, &state, RoleId(0)) {
        assert_eq!((bounds.lower, bounds.upper), (0, 0));
    }
}

#[test]
fn two_players_may_join_against_the_third() {
    let mut game = TakeAway::new(3, 4, 2);
    let state = game.initial();
    // Whatever the first takes, the others can keep the last token from it; with two left it
    // wins.
    for bounds in intervals(&mut game, &state, RoleId(0)) {
        assert_eq!((bounds.lower, bounds.upper), (0, 0));
    }
    let state = game.state(2, RoleId(0));
    let bounds = intervals(&mut game, &state, RoleId(0));
    assert_eq!((bounds[0].lower, bounds[1].lower), (0, 100));
}

#[test]
fn exhausted_limits_leave_the_answer_open() {
    let mut game = TakeAway::new(2, 200, 3);
    let state = game.initial();
    let limits = Limits {
        states: 20,
        ..Limits::default()
    };
    let outcome = Solver::new(&mut game, RoleId(0), limits)
        .at_least(&state, 100, Reading::Guaranteed, &Budget::system())
        .unwrap();
    assert_eq!(outcome.exhausted, Some(Exhausted::Memory));
    let open = |verdict| verdict == Verdict::Unknown;
    assert!(outcome.answers.iter().all(|answer| open(answer.verdict)));

    let bounds = Solver::new(&mut game, RoleId(0), limits).intervals(&state, &Budget::system());
    assert!(
        bounds
            .unwrap()
            .iter()
            .all(|v| (v.lower, v.upper) == (0, 100))
    );

    let stop = budget::Stop::default();
    stop.stop();
    let outcome = Solver::new(&mut game, RoleId(0), Limits::default())
        .at_least(
            &state,
            100,
            Reading::Guaranteed,
            &Budget::system().with_stop(stop),
        )
        .unwrap();
    assert_eq!(outcome.exhausted, Some(Exhausted::Stopped));
}

#[test]
fn an_endless_game_is_unknown() {
    /// One role, two moves, no end.
    #[derive(Clone)]
    struct Round(Layered);
    impl Engine for Round {
        fn name(&self) -> &'static str {
            "round"
        }
        fn roles(&self) -> &[GroundTerm] {
            self.0.roles()
        }
        fn initial(&self) -> State {
            self.0.initial()
        }
        fn terminal(&mut self, _: &State) -> Result<bool, EngineError> {
            Ok(false)
        }
        fn legal(
            &mut self,
            _: &State,
            _: RoleId,
            moves: &mut Vec<MoveId>,
        ) -> Result<(), EngineError> {
            *moves = vec![MoveId(0), MoveId(1)];
            Ok(())
        }
        fn next(
            &mut self,
            state: &State,
            _: &[MoveId],
            next: &mut State,
        ) -> Result<(), EngineError> {
            next.clone_from(state);
            Ok(())
        }
        fn goal(&mut self, _: &State, _: RoleId) -> Result<Option<u8>, EngineError> {
            Ok(Some(0))
        }
        fn facts(&mut self, _: &State) -> Vec<GroundTerm> {
            Vec::new()
        }
        fn state_of(&mut self, _: &[GroundTerm]) -> Result<State, EngineError> {
            Err(EngineError::Rules("not needed".into()))
        }
        fn move_term(&mut self, role: RoleId, mv: MoveId) -> GroundTerm {
            self.0.move_term(role, mv)
        }
        fn find_move(&mut self, _: RoleId, _: &GroundTerm) -> Option<MoveId> {
            None
        }
        fn fork(&self) -> Box<dyn Engine> {
            Box::new(self.clone())
        }
    }
    let mut game = Round(Layered::new(1, 1, 1));
    let state = game.initial();
    let outcome = Solver::new(&mut game, RoleId(0), Limits::default())
        .at_least(&state, 100, Reading::Guaranteed, &Budget::system())
        .unwrap();
    assert!(
        outcome
            .answers
            .iter()
            .all(|answer| answer.verdict == Verdict::Unknown)
    );
}

/// A fixture on the reasoner.
fn fixture(name: &str) -> reasoner::Reasoner {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    let text = std::fs::read_to_string(path).unwrap();
    let parsed = gdl_parse::parse(&text, &gdl_parse::ParseOptions::default());
    let program = datalog::Program::from_sheet(&parsed.sheet);
    reasoner::Reasoner::from_program(&program, &Budget::system()).unwrap()
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let mut engine = fixture("tic_tac_toe");
    let state = engine.initial();
    let bounds = intervals(&mut engine, &state, RoleId(0));
    assert_eq!(bounds.len(), 9);
    assert!(bounds.iter().all(|v| (v.lower, v.upper) == (50, 50)));
}

#[test]
fn nim_belongs_to_the_second_and_chomp_to_the_first() {
    // The nim sum of 1, 3, 5 and 7 is 0.
    let mut nim = fixture("nim");
    let state = nim.initial();
    let bounds = intervals(&mut nim, &state, RoleId(0));
    assert!(!bounds.is_empty());
    assert!(bounds.iter().all(|v| (v.lower, v.upper) == (0, 0)));
    let mut chomp = fixture("chomp");
    let state = chomp.initial();
    let bounds = intervals(&mut chomp, &state, RoleId(0));
    assert!(bounds.iter().all(|v| v.lower == v.upper));
    assert!(bounds.iter().any(|v| v.lower == 100));
}
