//! Bids agree with exact play.
//!
//! Bidding tic-tac-toe is small enough to be solved by backward induction. In every position
//! one bid of each role is as good as any mixture (the marker decides between equal bids:
//! Develin and Payne, "Discrete bidding games", 2010). Otherwise the solver would panic.

use budget::Budget;
use compile::Playable;
use game::{Engine, MoveId, RoleId, State};
use players::{BestMove, Setup, by_name};
use prepare::{EngineChoice, Options};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::HashMap;

/// The squares, row by row: 0 is empty, else the number of a role plus one.
type Board = [u8; 9];

const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];
const COINS: u8 = 8;

/// A position before a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Position {
    board: Board,
    /// The coins of the first role, out of all coins.
    coins: u8,
    /// The role that has the marker.
    marker: u8,
}

const BEGIN: Position = Position {
    board: [0; 9],
    coins: 4,
    marker: 0,
};

impl Position {
    /// The result of the first role, if play is over.
    fn result(&self) -> Option<u8> {
        let has = |role: u8| {
            let mut lines = LINES.iter();
            lines.any(|line| line.iter().all(|&square| self.board[square] == role + 1))
        };
        match (has(0), has(1)) {
            (true, _) => Some(100),
            (_, true) => Some(0),
            _ => (!self.board.contains(&0)).then_some(50),
        }
    }

    /// The role that marks after these bids, and the position after them.
    fn bid(&self, bids: [u8; 2]) -> (u8, Position) {
        let winner = match bids[0].cmp(&bids[1]) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Equal => self.marker,
        };
        let coins = match winner {
            0 => self.coins - bids[0],
            _ => self.coins + bids[1],
        };
        let marker = self.marker ^ u8::from(bids[0] == bids[1]);
        (
            winner,
            Position {
                coins,
                marker,
                ..*self
            },
        )
    }

    fn mark(&self, role: u8, square: usize) -> Position {
        let mut next = *self;
        next.board[square] = role + 1;
        next
    }

    /// The same position for all rotations and reflections of the board.
    fn canonical(&self) -> Position {
        const TURN: [usize; 9] = [6, 3, 0, 7, 4, 1, 8, 5, 2];
        const MIRROR: [usize; 9] = [2, 1, 0, 5, 4, 3, 8, 7, 6];
        let (mut board, mut least) = (self.board, self.board);
        for _ in 0..4 {
            board = TURN.map(|square| board[square]);
            least = least.min(board).min(MIRROR.map(|square| board[square]));
        }
        Position {
            board: least,
            ..*self
        }
    }
}

#[derive(Default)]
struct Solver {
    known: HashMap<Position, u8>,
}

impl Solver {
    /// The value of the first role: 0, 50 or 100.
    fn value(&mut self, position: &Position) -> u8 {
        let position = position.canonical();
        if let Some(result) = position.result() {
            return result;
        }
        if let Some(&known) = self.known.get(&position) {
            return known;
        }
        let sure = self.sure(&position);
        let value = sure[0].iter().copied().max().unwrap_or(0);
        let other = sure[1].iter().copied().max().unwrap_or(0);
        assert_eq!(
            value + other,
            100,
            "only a mixture is right at {position:?}"
        );
        self.known.insert(position, value);
        value
    }

    /// For each role and each of its bids, the result that the bid guarantees.
    fn sure(&mut self, position: &Position) -> [Vec<u8>; 2] {
        let most = [position.coins, COINS - position.coins];
        let mut sure = most.map(|most| vec![100u8; usize::from(most) + 1]);
        for a in 0..=most[0] {
            for b in 0..=most[1] {
                let (winner, next) = position.bid([a, b]);
                let empty = (0..9).filter(|&square| position.board[square] == 0);
                let values = empty.map(|square| self.value(&next.mark(winner, square)));
                let value = match winner {
                    0 => values.max(),
                    _ => values.min(),
                };
                let value = value.unwrap_or(50);
                for (role, bid, value) in [(0, a, value), (1, b, 100 - value)] {
                    let own: &mut u8 = &mut sure[role][usize::from(bid)];
                    *own = (*own).min(value);
                }
            }
        }
        sure
    }
}

fn game() -> Playable {
    let path = testkit::root().join("fixtures/games/bidding_tic_tac_toe.gdl");
    let rules = std::fs::read_to_string(path).expect("it is there");
    let options = Options {
        engine: EngineChoice::Scalar,
        ..Options::default()
    };
    let game = prepare::prepare(&rules, &options, &Budget::system());
    game.expect("it plays").playable
}

fn moves(engine: &mut dyn Engine, state: &State, role: usize) -> Vec<(MoveId, String)> {
    let mut moves = Vec::new();
    let role = RoleId(role);
    engine.legal(state, role, &mut moves).expect("it plays");
    let term = |mv| (mv, engine.move_term(role, mv).to_string());
    moves.into_iter().map(term).collect()
}

fn numbers(text: &str) -> Vec<u8> {
    let digits = text.bytes().filter(u8::is_ascii_digit);
    digits.map(|digit| digit - b'0').collect()
}

/// All states before a bid in random play, with their positions. Also checks that the rules
/// agree with this model.
fn random_states(engine: &mut dyn Engine, seed: u64) -> Vec<(State, Position)> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut state, mut position) = (engine.initial(), BEGIN);
    let mut before = Vec::new();
    let mut marking = None;
    loop {
        let over = engine.terminal(&state).expect("it plays");
        assert_eq!(over, marking.is_none() && position.result().is_some());
        if over {
            let result = engine.goal(&state, RoleId(0)).expect("it plays");
            assert_eq!(result, position.result());
            return before;
        }
        let all = [0, 1].map(|role| moves(engine, &state, role));
        let made = [0, 1].map(|role| all[role][rng.random_range(0..all[role].len())].clone());
        match marking.take() {
            None => {
                before.push((state.clone(), position));
                let coins = [position.coins, COINS - position.coins];
                assert_eq!(all.map(|all| all.len() as u8), coins.map(|coins| coins + 1));
                let bids = [0, 1].map(|role: usize| numbers(&made[role].1)[0]);
                let (winner, next) = position.bid(bids);
                (marking, position) = (Some(winner), next);
            }
            Some(winner) => {
                let at = numbers(&made[usize::from(winner)].1);
                let square = usize::from(3 * (at[1] - 1) + at[0] - 1);
                position = position.mark(winner, square);
            }
        }
        let mut next = State::default();
        let joint = [made[0].0, made[1].0];
        engine.next(&state, &joint, &mut next).expect("it plays");
        state = next;
    }
}

/// A player's bid after this many playouts.
fn bid(game: &Playable, state: &State, role: usize, seed: u64, playouts: u64) -> u8 {
    let spec = format!("default:no-prepare,playouts={playouts}");
    let mut player = by_name(&spec).expect("it is there");
    let setup = Setup {
        playable: game.fork(),
        role: RoleId(role),
        seed,
        threads: 1,
        memory: 64 << 20,
    };
    player.start(setup, &Budget::system()).expect("it starts");
    let mv = player.choose(state, &BestMove::default(), &Budget::system());
    let term = game
        .fork()
        .engine
        .move_term(RoleId(role), mv.expect("a move"));
    numbers(&term.to_string())[0]
}

#[test]
fn bids_are_mostly_optimal() {
    let game = game();
    let mut engine = game.engine.fork();
    let mut solver = Solver::default();
    assert_eq!(solver.value(&BEGIN), 100, "one coin is enough to open");
    assert_eq!(solver.sure(&BEGIN)[0], [0, 100, 0, 0, 0]);
    let (mut matters, mut right) = (0, 0);
    for seed in 1..=20 {
        for (state, position) in random_states(&mut *engine, seed) {
            // The first bid needs more playouts.
            if position == BEGIN {
                continue;
            }
            let sure = solver.sure(&position);
            for (role, sure) in sure.iter().enumerate() {
                let best = sure.iter().max();
                if sure.iter().min() == best {
                    continue;
                }
                let bid = bid(&game, &state, role, seed, 3000);
                matters += 1;
                right += usize::from(sure.get(usize::from(bid)) == best);
            }
        }
    }
    println!("{right} of {matters} bids are right");
    assert!(
        matters >= 80 && 100 * right >= 90 * matters,
        "{right} of {matters}"
    );
}

#[test]
fn one_coin_is_bid_to_open() {
    let game = game();
    let state = game.engine.initial();
    // It is proved by nodes, and the first try of a joint move makes none.
    let opened = [1, 2, 3].map(|seed| bid(&game, &state, 0, seed, 250_000));
    assert_eq!(opened, [1; 3]);
}
