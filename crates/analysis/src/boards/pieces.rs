//! Owners of pieces, blanks, and directions of movement.

use super::board::{Board, Owner, Piece};
use super::seen::{Seen, Transition};
use budget::Budget;
use netlist::{GameLogic, Gate, Source};
use std::collections::BTreeMap;

/// Minimum number of transitions that indicate an owner.
const LEAST: f64 = 3.0;
/// The minimum share of transitions that must indicate the same owner.
const MOST: f64 = 0.9;

/// For each fact, two sets of roles whose moves its next value reads, one bit per role (all bits
/// for roles beyond 64): the roles read through the fewest gates, and all roles.
fn movers(logic: &GameLogic, budget: &Budget) -> Vec<[u64; 2]> {
    const FAR: u16 = u16::MAX;
    let mut movers = vec![[0u64; 2]; logic.facts.len()];
    let mut nearest = vec![FAR; logic.facts.len()];
    for role in 0..logic.roles() {
        if budget.check().is_err() {
            break;
        }
        let bit = 1u64.checked_shl(role as u32).unwrap_or(u64::MAX);
        let mut depth = vec![FAR; logic.net.len()];
        let mut fixes = vec![FAR; logic.fixes.len()];
        loop {
            for node in 0..logic.net.len() {
                depth[node] = match logic.net.gate(node) {
                    Gate::Input(number) => match logic.sources[number as usize] {
                        Source::Does { role: of, .. } if usize::from(of) == role => 0,
                        Source::Fix(fix) => fixes[fix as usize],
                        _ => FAR,
                    },
                    Gate::False => FAR,
                    Gate::And(a, b) | Gate::Xor(a, b) => {
                        depth[a.node()].min(depth[b.node()]).saturating_add(1)
                    }
                };
            }
            // Around a cycle depths only decrease, so repeat while one decreases.
            let now = logic.fixes.iter().map(|fix| depth[fix.value.node()]);
            let now: Vec<u16> = now.zip(&fixes).map(|(now, old)| now.min(*old)).collect();
            if now == fixes || budget.check().is_err() {
                break;
            }
            fixes = now;
        }
        for (fact, lit) in logic.next.iter().enumerate() {
            let depth = depth[lit.node()];
            if depth < FAR {
                movers[fact][1] |= bit;
                if depth < nearest[fact] {
                    nearest[fact] = depth;
                    movers[fact][0] = 0;
                }
                if depth == nearest[fact] {
                    movers[fact][0] |= bit;
                }
            }
        }
    }
    movers
}

/// The piece and the cell of a fact.
#[derive(Clone, Copy)]
pub(super) struct Says {
    pub piece: u32,
    pub cell: u32,
}

/// The piece and the cell of each fact on the board.
pub(super) fn says(board: &Board, facts: usize) -> Vec<Option<Says>> {
    let mut says = vec![None; facts];
    for (piece, of) in (0..).zip(&board.pieces) {
        for &(cell, fact) in &of.facts {
            says[fact as usize] = Some(Says { piece, cell });
        }
    }
    says
}

/// The pieces of which exactly one disappeared and one appeared in another cell: piece, origin,
/// destination.
pub(super) fn walks(transition: &Transition, says: &[Option<Says>]) -> Vec<(u32, u32, u32)> {
    let once = |facts: &[u32]| {
        let mut once: BTreeMap<u32, Option<u32>> = BTreeMap::new();
        for said in facts.iter().filter_map(|&fact| says[fact as usize]) {
            let entry = once.entry(said.piece);
            entry
                .and_modify(|cell| *cell = None)
                .or_insert(Some(said.cell));
        }
        once
    };
    let (gone, came) = (once(&transition.gone), once(&transition.came));
    let walks = gone.into_iter().filter_map(|(piece, from)| {
        let (from, to) = (from?, came.get(&piece).copied()??);
        (from != to).then_some((piece, from, to))
    });
    walks.collect()
}

/// Counts for a piece, by role.
#[derive(Clone)]
struct Counts {
    came: Vec<f64>,
    walked: Vec<f64>,
    /// Appearances while nothing disappeared from other cells.
    placed: Vec<f64>,
    /// Number of times that it replaced another content.
    left: u32,
    /// Number of times that another content replaced it.
    filled: u32,
}

/// Finds owners, blanks and directions.
pub(super) fn pieces(logic: &GameLogic, boards: &mut [Board], seen: &Seen, budget: &Budget) {
    let movers = movers(logic, budget);
    let roles = logic.roles();
    for board in boards {
        let says = says(board, logic.facts.len());
        let zero = vec![0.0; roles];
        let none = Counts {
            came: zero.clone(),
            walked: zero.clone(),
            placed: zero,
            left: 0,
            filled: 0,
        };
        let mut counts = vec![none; board.pieces.len()];
        let mut steps: Vec<(u32, u32, u32)> = Vec::new();
        for (at, transition) in seen.transitions.iter().enumerate() {
            if at % 256 == 0 && budget.check().is_err() {
                break;
            }
            let active = |fact: u32| -> Vec<usize> {
                let [near, all] = movers[fact as usize];
                let chose = |role: &usize| transition.moves[*role].is_some();
                let of = |reads: u64| -> Vec<usize> {
                    let role = |role: &usize| *role >= 64 || reads >> role & 1 == 1;
                    (0..roles).filter(|r| chose(r) && role(r)).collect()
                };
                let active = of(near);
                if active.is_empty() { of(all) } else { active }
            };
            let walks = walks(transition, &says);
            let went = transition
                .gone
                .iter()
                .filter_map(|&fact| says[fact as usize]);
            let went: Vec<u32> = went.map(|said| said.cell).collect();
            for &fact in &transition.came {
                let Some(said) = says[fact as usize] else {
                    continue;
                };
                let placed = went.iter().all(|cell| *cell == said.cell);
                let active = active(fact);
                let walked = walks.iter().any(|walk| walk.0 == said.piece);
                let count = &mut counts[said.piece as usize];
                for &role in &active {
                    let share = 1.0 / active.len() as f64;
                    count.came[role] += share;
                    count.walked[role] += if walked { share } else { 0.0 };
                    count.placed[role] += if placed { share } else { 0.0 };
                }
            }
            replaced(board, transition, &says, &mut counts);
            steps.extend(walks);
        }
        for (piece, counts) in board.pieces.iter_mut().zip(&counts) {
            let owner = leader(&counts.walked).or_else(|| leader(&counts.placed));
            piece.owner = owner.or_else(|| leader(&counts.came));
        }
        blanks(board, &counts, seen);
        for &(piece, ..) in &steps {
            let piece = &mut board.pieces[piece as usize];
            piece.moves = !piece.blank;
        }
        board.advance = advance(board, &steps, roles);
        for layer in 0..board.layers.len() {
            board.layers[layer].owner = owner(board, layer);
        }
    }
}

/// The role with nearly all of the counts.
fn leader(counts: &[f64]) -> Option<Owner> {
    let all: f64 = counts.iter().sum();
    let (role, most) = counts
        .iter()
        .enumerate()
        .max_by(|a, b| a.1.total_cmp(b.1))?;
    (*most >= LEAST && *most >= MOST * all).then_some(Owner {
        role: role as u16,
        samples: *most as u64,
    })
}

/// Counts which pieces replace which.
fn replaced(board: &Board, transition: &Transition, says: &[Option<Says>], counts: &mut [Counts]) {
    let layer = |said: &Says| board.pieces[said.piece as usize].layer;
    for gone in transition
        .gone
        .iter()
        .filter_map(|&fact| says[fact as usize])
    {
        let came = transition
            .came
            .iter()
            .filter_map(|&fact| says[fact as usize]);
        for came in came.filter(|came| came.cell == gone.cell && layer(came) == layer(&gone)) {
            counts[gone.piece as usize].filled += 1;
            counts[came.piece as usize].left += 1;
        }
    }
}

/// Whether every cell of a layer has a content in all sampled states.
fn always_full(board: &Board, layer: usize, seen: &Seen) -> bool {
    let mut any = vec![0u64; board.cells.len()];
    seen.states.iter().all(|state| {
        any.fill(0);
        for piece in board.pieces.iter().filter(|piece| piece.layer == layer) {
            for &(cell, fact) in &piece.facts {
                any[cell as usize] |= state[fact as usize];
            }
        }
        any.iter().all(|&word| word == u64::MAX)
    })
}

/// Finds the blank of each layer: the content that takes part in nearly all changes of cells, on
/// either side. There is one only if every cell has a content.
fn blanks(board: &mut Board, counts: &[Counts], seen: &Seen) {
    for layer in 0..board.layers.len() {
        if !always_full(board, layer, seen) {
            continue;
        }
        let mine = |piece: &usize| board.pieces[*piece].layer == layer;
        let pieces: Vec<usize> = (0..board.pieces.len()).filter(mine).collect();
        let changes: u32 = pieces.iter().map(|&piece| counts[piece].filled).sum();
        let part = |piece: usize| counts[piece].left + counts[piece].filled;
        let blank = pieces.iter().copied().max_by_key(|&piece| part(piece));
        // With only two contents, both take part in every change; then the blank is the one
        // without an owner.
        let Some(blank) = blank.filter(|_| pieces.len() > 1) else {
            continue;
        };
        let first = pieces
            .iter()
            .copied()
            .filter(|&piece| part(piece) == part(blank));
        let free = |piece: &usize| board.pieces[*piece].owner.is_none();
        let several = first.clone().count() > 1;
        let blank = match several {
            true => first
                .clone()
                .find(free)
                .filter(|_| first.filter(free).count() == 1),
            false => Some(blank),
        };
        if let Some(blank) = blank
            && changes > 0
            && f64::from(part(blank)) >= MOST * f64::from(changes)
        {
            board.pieces[blank].blank = true;
            board.pieces[blank].owner = None;
        }
    }
}

/// The direction of the pieces of each role along each axis.
fn advance(board: &Board, steps: &[(u32, u32, u32)], roles: usize) -> Vec<Vec<i8>> {
    let mut seen = vec![vec![[false; 2]; board.axes.len()]; roles];
    for &(piece, from, to) in steps {
        let piece = &board.pieces[piece as usize];
        let (from, to) = (&board.cells[from as usize], &board.cells[to as usize]);
        let Some(owner) = piece.owner.filter(|_| from.grid == to.grid) else {
            continue;
        };
        for (seen, (from, to)) in seen[usize::from(owner.role)]
            .iter_mut()
            .zip(from.at.iter().zip(&to.at))
        {
            seen[0] |= to < from;
            seen[1] |= to > from;
        }
    }
    let sign = |seen: &[bool; 2]| i8::from(seen[1]) - i8::from(seen[0]);
    seen.iter()
        .map(|axes| axes.iter().map(sign).collect())
        .collect()
}

/// The position of the content that names the owner, if there is one: different owners have
/// different constants there, and each owner has only one.
fn owner(board: &Board, layer: usize) -> Option<usize> {
    let positions = &board.layers[layer].content;
    let owned = board.pieces.iter().filter(|piece| piece.layer == layer);
    let owned: Vec<(u16, &Piece)> = owned
        .filter_map(|piece| Some((piece.owner?.role, piece)))
        .collect();
    let found = (0..positions.len()).find(|&i| {
        let mut of_role = BTreeMap::new();
        let mut of_value = BTreeMap::new();
        owned.iter().all(|(role, piece)| {
            let value = &piece.content[i];
            *of_role.entry(*role).or_insert(value) == value
                && *of_value.entry(value).or_insert(*role) == *role
        }) && of_role.len() > 1
    });
    found.map(|i| positions[i])
}
