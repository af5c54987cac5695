//! Values of connect four on boards of up to 64 bits, by alpha-beta on bitboards.
//!
//! Positions of plies 8 to 16 have their values in a second or less, which takes the proof
//! searches of the player ten to a thousand times as long, and these are to be judged besides.
//!
//! Each column has a bit more than cells, so that lines do not run over its end. The side to move
//! loses by any move that lets the other one win at once; such moves are not searched. Of the rest
//! those that make most open threats come first, then central ones.

use game::GroundTerm;

/// Entries of the table.
const ENTRIES: usize = 1 << 23;

/// What the side to move can force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    Loss,
    Draw,
    Win,
}

impl Value {
    /// The value for the other side.
    pub fn of_other(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

/// A position: the discs of the side to move, and all discs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    pub own: u64,
    pub all: u64,
}

/// What is known of a position: whether it is at least this, or at most.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Own discs and all of them, added, which no two positions share. 0 is an empty entry.
    key: u64,
    least: Value,
    most: Value,
}

/// Solves positions of one board size.
pub struct Solver {
    columns: u32,
    rows: u32,
    /// The lowest cells of all columns, and all cells.
    floor: u64,
    full: u64,
    /// The columns, the central ones first.
    order: Vec<u32>,
    table: Vec<Entry>,
    /// Positions visited so far.
    pub visited: u64,
    /// The visits after which it gives up.
    most: u64,
}

impl Solver {
    /// A solver for a board.
    ///
    /// `None` if the board has too many cells.
    pub fn new(columns: u32, rows: u32) -> Option<Solver> {
        // Lines are found by shifts of up to three columns and three cells.
        if columns * (rows + 1) > 64 || !(1..=16).contains(&rows) || columns < 1 {
            return None;
        }
        let column = (1u64 << rows) - 1;
        let each = |bits: u64| (0..columns).fold(0, |all, at| all | bits << (at * (rows + 1)));
        let mut order: Vec<u32> = (0..columns).collect();
        order.sort_by_key(|&at| (2 * at + 1).abs_diff(columns));
        let empty = Entry {
            key: 0,
            least: Value::Loss,
            most: Value::Win,
        };
        Some(Solver {
            columns,
            rows,
            floor: each(1),
            full: each(column),
            order,
            table: vec![empty; ENTRIES],
            visited: 0,
            most: 0,
        })
    }

    /// The solver for a game called `connect_four` or `connect_four_WxH`.
    pub fn of_game(name: &str) -> Option<Solver> {
        match name {
            "connect_four" => Solver::new(7, 6),
            "connect_four_small" => Solver::new(4, 4),
            _ => {
                let size = name.strip_prefix("connect_four_")?;
                let (columns, rows) = size.split_once('x')?;
                Solver::new(columns.parse().ok()?, rows.parse().ok()?)
            }
        }
    }

    /// The position of a state, from its facts: `(cell COLUMN ROW ROLE)` from 1, `(control ROLE)`.
    ///
    /// `None` if it is of another form.
    pub fn board(&self, facts: &[GroundTerm]) -> Option<Board> {
        let (mut discs, mut mover) = (Vec::new(), None);
        for fact in facts {
            let text = fact.to_string();
            let words: Vec<&str> = text.trim_matches(['(', ')']).split(' ').collect();
            match words[..] {
                ["control", role] => mover = Some(role.to_owned()),
                ["cell", column, row, role] => {
                    let (column, row) = (column.parse::<u32>().ok()?, row.parse::<u32>().ok()?);
                    let fits = (1..=self.columns).contains(&column);
                    if !fits || !(1..=self.rows).contains(&row) {
                        return None;
                    }
                    let cell = (column - 1) * (self.rows + 1) + row - 1;
                    discs.push((1u64 << cell, role.to_owned()));
                }
                _ => return None,
            }
        }
        let mover = mover?;
        let mut board = Board { own: 0, all: 0 };
        for (cell, role) in discs {
            board.all |= cell;
            if role == mover {
                board.own |= cell;
            }
        }
        Some(board)
    }

    /// What the side to move can force, if so many visits suffice.
    pub fn value(&mut self, board: Board, most: u64) -> Option<Value> {
        self.most = self.visited.saturating_add(most);
        let other = Board {
            own: board.own ^ board.all,
            ..board
        };
        if self.has_line(other.own) {
            return Some(Value::Loss);
        }
        if board.all == self.full {
            return Some(Value::Draw);
        }
        if self.threats(board) & self.open(board) != 0 {
            return Some(Value::Win);
        }
        match self.search(board, Value::Win)? {
            true => Some(Value::Win),
            false => Some(match self.search(board, Value::Draw)? {
                true => Value::Draw,
                false => Value::Loss,
            }),
        }
    }

    /// Whether discs make a line of four.
    fn has_line(&self, discs: u64) -> bool {
        [1, self.rows, self.rows + 1, self.rows + 2]
            .into_iter()
            .any(|step| {
                let pairs = discs & discs >> step;
                pairs & pairs >> (2 * step) != 0
            })
    }

    /// The lowest free cells.
    fn open(&self, board: Board) -> u64 {
        (board.all + self.floor) & self.full
    }

    /// The free cells that complete a line of the side to move.
    fn threats(&self, board: Board) -> u64 {
        let own = board.own;
        let mut cells = own << 1 & own << 2 & own << 3;
        for step in [self.rows, self.rows + 1, self.rows + 2] {
            let pairs = own << step & own << (2 * step);
            cells |= pairs & (own << (3 * step) | own >> step);
            let pairs = own >> step & own >> (2 * step);
            cells |= pairs & (own << step | own >> (3 * step));
        }
        cells & self.full & !board.all
    }

    /// Whether the side to move gets at least `goal`, which is no loss. It cannot win at once.
    fn search(&mut self, board: Board, goal: Value) -> Option<bool> {
        self.visited += 1;
        if self.visited > self.most {
            return None;
        }
        let other = Board {
            own: board.own ^ board.all,
            ..board
        };
        let theirs = self.threats(other);
        let mut moves = self.open(board);
        let forced = moves & theirs;
        if forced != 0 {
            if forced & (forced - 1) != 0 {
                return Some(false);
            }
            moves = forced;
        }
        // The cell above must not be one that they need.
        moves &= !(theirs >> 1);
        if moves == 0 {
            // The board is full after the last move, or every move loses.
            return Some(self.open(board) == 0 && goal == Value::Draw);
        }
        if board.all.count_ones() + 2 >= self.columns * self.rows {
            // Two cells are left, and neither side wins by them.
            return Some(goal == Value::Draw);
        }
        let key = board.own + board.all + 1;
        let place = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 41) as usize % ENTRIES;
        let known = self.table[place];
        if known.key == key {
            if known.least >= goal {
                return Some(true);
            }
            if known.most < goal {
                return Some(false);
            }
        }
        let mut ranked = [(0u32, 0u64); 63];
        let mut count = 0;
        for &column in &self.order {
            let cell = moves & (((1 << self.rows) - 1) << (column * (self.rows + 1)));
            if cell != 0 {
                let after = Board {
                    own: board.own | cell,
                    all: board.all | cell,
                };
                ranked[count] = (self.threats(after).count_ones(), cell);
                count += 1;
            }
        }
        // The sort is stable, so that central columns stay first.
        ranked[..count].sort_by_key(|ranked| std::cmp::Reverse(ranked.0));
        let mut found = false;
        for &(_, cell) in &ranked[..count] {
            let next = Board {
                own: other.own,
                all: board.all | cell,
            };
            // They get at least what denies us the goal.
            let denial = match goal {
                Value::Win => Value::Draw,
                _ => Value::Win,
            };
            if !self.search(next, denial)? {
                found = true;
                break;
            }
        }
        let entry = &mut self.table[place];
        if entry.key != key {
            *entry = Entry {
                key,
                least: Value::Loss,
                most: Value::Win,
            };
        }
        match (found, goal) {
            (true, _) => entry.least = entry.least.max(goal),
            (false, Value::Win) => entry.most = entry.most.min(Value::Draw),
            (false, _) => entry.most = Value::Loss,
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blunders::games::playable;
    use budget::Budget;
    use exhaustive::{Limits, Solver as Exhaustive};
    use game::{RoleId, State};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// The value of a state for the role to move, by the plain solver.
    fn plain(engine: &mut dyn game::Engine, state: &State, role: RoleId) -> Value {
        let mut solver = Exhaustive::new(engine, role, Limits::default());
        let budget = Budget::system();
        let moves = solver.intervals(state, &budget).expect("the rules hold");
        let lower = moves.iter().map(|own| own.lower).max();
        let upper = moves.iter().map(|own| own.upper).max();
        assert_eq!(lower, upper, "the plain solver finishes");
        match lower.expect("there are moves") {
            0 => Value::Loss,
            50 => Value::Draw,
            _ => Value::Win,
        }
    }

    #[test]
    fn values_are_those_of_the_plain_solver() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut seen = [0; 3];
        for (name, plies) in [
            ("connect_four_4x4", 5),
            ("connect_four_5x4", 10),
            ("connect_four_4x5", 10),
            ("connect_four_6x5", 20),
            ("connect_four_7x6", 31),
            ("connect_four_8x6", 37),
        ] {
            let mut playable = playable(name).expect("a game");
            let engine = &mut *playable.engine;
            let mut solver = Solver::of_game(name).expect("a board that fits");
            let mut tested = 0;
            while tested < 12 {
                let mut state = engine.initial();
                let mut mover = 0;
                for ply in 0..plies {
                    if engine.terminal(&state).expect("rules") {
                        break;
                    }
                    mover = ply % 2;
                    let mut joint = Vec::new();
                    for role in 0..2 {
                        let mut legal = Vec::new();
                        engine
                            .legal(&state, RoleId(role), &mut legal)
                            .expect("rules");
                        joint.push(legal[rng.random_range(0..legal.len())]);
                    }
                    let mut next = State::default();
                    engine.next(&state, &joint, &mut next).expect("rules");
                    state = next;
                }
                if engine.terminal(&state).expect("rules") {
                    continue;
                }
                tested += 1;
                let board = solver.board(&engine.facts(&state)).expect("a board");
                let value = solver.value(board, u64::MAX).expect("no limit");
                assert_eq!(value, plain(engine, &state, RoleId(1 - mover)), "{name}");
                seen[value as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&seen| seen > 4), "{seen:?}");
    }

    #[test]
    fn it_gives_up_after_so_many_visits() {
        let mut solver = Solver::new(7, 6).expect("it fits");
        assert_eq!(solver.value(Board { own: 0, all: 0 }, 1000), None);
        assert!(Solver::new(9, 7).is_none());
    }
}
