//! Couples parts in which a role cannot choose independently.
//!
//! Two parts of the facts can be played separately if the choice in one is independent of the
//! choice in the other. There are three ways to be independent. No move touches both, so that
//! each move is played in one of them. Or moves touch both, and everything that can be done in
//! one can be combined with everything that can be done in the other. Or for whatever a move
//! does in one of several parts, there is a move that does the same there and nothing elsewhere.

use super::moves::Move;
use super::parts::Parts;
use super::relieved::Relieved;
use budget::{Budget, Exhausted};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// The effect of a move in a part, and its preconditions there. Each is zero if there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Side {
    /// A hash of the effect; zero if the effect is that of most moves.
    pub effect: u64,
    /// A hash of the preconditions.
    pub asks: u64,
}

fn hashed(before: u64, value: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    (before, value).hash(&mut hasher);
    hasher.finish() | 1
}

/// The parts that a move touches, ascending, with its sides there.
fn sides(game: &Relieved, parts: &mut Parts, mv: &Move) -> Vec<(u32, Side)> {
    let mut sides: FxHashMap<u32, Side> = FxHashMap::default();
    for effect in &mv.effects {
        let part = parts.of(game.logic.facts[effect.0 as usize].node());
        let side = sides.entry(part).or_default();
        side.effect = hashed(side.effect, effect);
    }
    for &ask in &mv.asks {
        let side = sides.entry(parts.of(ask.node())).or_default();
        side.asks = hashed(side.asks, ask);
    }
    let mut sides: Vec<(u32, Side)> = sides.into_iter().collect();
    sides.sort_unstable_by_key(|&(part, _)| part);
    sides
}

/// The sides of all moves of a role.
pub(super) fn all_sides(
    game: &Relieved,
    parts: &mut Parts,
    moves: &[Move],
    budget: &Budget,
) -> Result<Vec<Vec<(u32, Side)>>, Exhausted> {
    let sides = moves.iter().map(|mv| {
        budget.check()?;
        Ok(sides(game, parts, mv))
    });
    sides.collect()
}

fn meet(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// The moves of one role, and the parts that they touch.
struct Role<'m> {
    moves: &'m [Move],
    sides: Vec<Vec<(u32, Side)>>,
    /// For each part, the moves that touch it, ascending.
    of_part: FxHashMap<u32, Vec<u32>>,
    /// The sides of moves that touch nothing else, and the control states of these moves.
    alone: FxHashMap<(u32, Side), Vec<u64>>,
}

impl Role<'_> {
    fn side(&self, mv: u32, part: u32) -> Side {
        let sides = &self.sides[mv as usize];
        let at = sides.binary_search_by_key(&part, |&(part, _)| part);
        at.map_or(Side::default(), |at| sides[at].1)
    }

    /// Whether the choice in one part is independent of that in the other, given the moves that
    /// touch both.
    fn are_free(&self, one: u32, other: u32, both: &[u32]) -> bool {
        let mut when = vec![0; self.moves[both[0] as usize].when.len()];
        for &mv in both {
            let words = when.iter_mut().zip(&self.moves[mv as usize].when);
            words.for_each(|(all, word)| *all |= word);
        }
        let meets = |mv: u32| meet(&self.moves[mv as usize].when, &when);
        let mut touching: Vec<u32> = [one, other]
            .iter()
            .flat_map(|part| self.of_part[part].iter().copied())
            .collect();
        touching.sort_unstable();
        touching.dedup();
        touching.retain(|&mv| meets(mv));
        let mut pairs = FxHashSet::default();
        for &mv in &touching {
            let (a, b) = (self.side(mv, one), self.side(mv, other));
            // Skip a pass that is legal only where nothing else is, in both parts.
            if a.effect != 0 || b.effect != 0 {
                pairs.insert((a, b));
            }
        }
        let concurrent = (0..self.moves.len() as u32).filter(|&mv| meets(mv));
        if concurrent.take(touching.len() + 1).count() > touching.len() {
            pairs.insert((Side::default(), Side::default()));
        }
        let ones: FxHashSet<Side> = pairs.iter().map(|pair| pair.0).collect();
        let others: FxHashSet<Side> = pairs.iter().map(|pair| pair.1).collect();
        let alone = |part: u32, side: Side| {
            let alone = self.alone.get(&(part, side));
            side == Side::default() || alone.is_some_and(|then| meet(then, &when))
        };
        pairs.len() == ones.len() * others.len()
            || pairs.iter().all(|&(a, b)| {
                a == Side::default() || b == Side::default() || alone(one, a) && alone(other, b)
            })
    }
}

/// Joins parts between which moves leave no independent choice. Returns whether there were any.
pub(super) fn join(
    game: &Relieved,
    parts: &mut Parts,
    moves: &[Vec<Move>],
    budget: &Budget,
) -> Result<bool, Exhausted> {
    let mut joined = false;
    loop {
        let mut again = false;
        for moves in moves {
            let mut role = Role {
                moves,
                sides: all_sides(game, parts, moves, budget)?,
                of_part: FxHashMap::default(),
                alone: FxHashMap::default(),
            };
            for (mv, sides) in moves.iter().zip(&role.sides) {
                if let [only] = sides[..] {
                    let when = role
                        .alone
                        .entry(only)
                        .or_insert_with(|| vec![0; mv.when.len()]);
                    when.iter_mut()
                        .zip(&mv.when)
                        .for_each(|(all, word)| *all |= word);
                }
            }
            let mut both: FxHashMap<(u32, u32), Vec<u32>> = FxHashMap::default();
            for (mv, sides) in (0..).zip(&role.sides) {
                budget.check()?;
                for (at, &(part, side)) in sides.iter().enumerate() {
                    role.of_part.entry(part).or_default().push(mv);
                    for &(other, beside) in &sides[at + 1..] {
                        if side.effect != 0 || beside.effect != 0 {
                            both.entry((part, other)).or_default().push(mv);
                        }
                    }
                }
            }
            let mut pairs: Vec<_> = both.into_iter().collect();
            budget.check()?;
            pairs.sort_unstable();
            for ((one, other), both) in pairs {
                budget.check()?;
                if parts.of(one as usize) != parts.of(other as usize)
                    && !role.are_free(one, other, &both)
                {
                    parts.join(one as usize, other as usize);
                    again = true;
                }
            }
        }
        joined |= again;
        if !again {
            return Ok(joined);
        }
    }
}
