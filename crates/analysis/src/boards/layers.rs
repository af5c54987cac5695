//! From shapes to layers of boards: the positions that name a place, and the geometry of places.

mod stack;

use super::board::{Board, Order};
use super::seen::{Seen, Transition};
use super::terms::{Constants, Shape};
use super::{keys, order, reads};
use crate::Evidence;
use budget::Budget;
use invariants::Groups;
use netlist::GameLogic;
use stack::{Turned, build};
use std::collections::{BTreeMap, BTreeSet};

/// The number of cells of a board: minimum and maximum.
const CELLS: std::ops::RangeInclusive<usize> = 4..=4096;
/// The maximum share of ties across boards among all ties.
const STRAY: f64 = 0.02;

/// A shape interpreted as a layer.
pub(super) struct Read {
    shape: usize,
    /// Positions that name the board.
    grid: Vec<usize>,
    /// Positions that give the coordinates on it.
    axes: Vec<(usize, Vec<u32>, Order)>,
    content: Vec<usize>,
    exclusive: Evidence,
    unique: Option<Evidence>,
    /// Ties between places, given by the constants of grid and axes, smaller place first.
    ties: Vec<([Vec<u32>; 2], u32, f64)>,
    score: f64,
}

impl Read {
    /// The constants of grid and axes of a term.
    fn place(&self, shape: &Shape, term: usize) -> Vec<u32> {
        shape.at(term, &self.positions())
    }

    fn positions(&self) -> Vec<usize> {
        let axes = self.axes.iter().map(|axis| axis.0);
        self.grid.iter().copied().chain(axes).collect()
    }
}

/// The shapes that are layers of boards.
pub(super) fn layers(
    logic: &GameLogic,
    groups: &Groups,
    shapes: &[Shape],
    constants: &Constants,
    seen: &Seen,
    budget: &Budget,
) -> Vec<Read> {
    let of_facts = groups.of_facts(logic.facts.len());
    let samples = 64 * seen.states.len() as u64;
    let mut layers = Vec::new();
    for (number, shape) in shapes.iter().enumerate() {
        if shape.terms.len() < *CELLS.start() || budget.check().is_err() {
            continue;
        }
        let keys = keys::keys(shape, seen, budget);
        let all = (1u32 << shape.arity().min(keys::MOST)) - 1;
        // A piece that is in only one place: the constants that name the piece are a key, and
        // the others are the place.
        let tokens = keys.iter().filter(|key| key.count_ones() <= 1);
        let mut masks: BTreeSet<u32> = tokens.map(|key| all & !key).collect();
        masks.extend(&keys);
        let evidence = |mask: u32| {
            let key = keys.iter().any(|key| key & mask == *key);
            key.then(|| match keys::proved(shape, mask, &of_facts, groups) {
                true => Evidence::Proved,
                false => Evidence::Observed { samples },
            })
        };
        let reads = masks
            .into_iter()
            .filter(|mask| *mask != 0)
            .filter_map(|mask| {
                let mut read = Attempt {
                    logic,
                    shape,
                    constants,
                    seen,
                    budget,
                }
                .read(mask)?;
                // If a single axis gives each content one place, it is rather a number.
                if read.axes.len() < 2 && !keys.contains(&mask) {
                    return None;
                }
                read.shape = number;
                read.exclusive = evidence(mask).unwrap_or(Evidence::Unknown);
                read.unique = evidence(all & !mask);
                // A place usually has one content.
                read.score -= match read.exclusive {
                    Evidence::Unknown => 0.2,
                    _ => 0.0,
                };
                Some(read)
            });
        layers.extend(reads.max_by(|a, b| a.score.total_cmp(&b.score)));
    }
    layers
}

/// A shape that may be a layer.
struct Attempt<'a> {
    logic: &'a GameLogic,
    shape: &'a Shape,
    constants: &'a Constants,
    seen: &'a Seen,
    budget: &'a Budget,
}

impl Attempt<'_> {
    /// The shape with these positions as the place, if that is plausible.
    fn read(&self, mask: u32) -> Option<Read> {
        let shape = self.shape;
        let (place, content): (Vec<usize>, Vec<usize>) =
            (0..shape.arity()).partition(|position| mask >> position & 1 == 1);
        let mut numbers: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        for term in 0..shape.terms.len() {
            numbers.insert(shape.at(term, &place), 0);
        }
        if !CELLS.contains(&numbers.len()) {
            return None;
        }
        let places: Vec<Vec<u32>> = numbers.keys().cloned().collect();
        for (number, at) in (0..).zip(numbers.values_mut()) {
            *at = number;
        }
        let mut place_of = vec![None; self.logic.facts.len()];
        let mut content_of = BTreeMap::new();
        for (term, &fact) in shape.terms.iter().enumerate() {
            place_of[fact as usize] = numbers.get(&shape.at(term, &place)).copied();
            content_of.insert(fact, shape.at(term, &content));
        }
        let walks = moved(&self.seen.transitions, &place_of, &content_of);
        if (0..place.len()).any(|i| is_clock(&walks, &places, i)) {
            return None;
        }
        let mut moved: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for ((from, to), count) in walks {
            *moved.entry((from.min(to), from.max(to))).or_default() += count;
        }
        let read = reads::reads(self.logic, &place_of, places.len(), self.budget);
        let mut ties: BTreeMap<(u32, u32), (u32, f64)> = BTreeMap::new();
        if read.is_empty() && moved.is_empty() {
            for (pair, count) in together(&self.seen.transitions, &place_of) {
                ties.entry(pair).or_default().1 = 0.1 * f64::from(count).ln_1p();
            }
        }
        for (pair, weight) in read {
            ties.entry(pair).or_default().1 = weight;
        }
        for (pair, count) in moved {
            ties.entry(pair).or_default().0 = count;
        }
        let mut tied = vec![false; places.len()];
        for &(a, b) in ties.keys() {
            tied[a as usize] = true;
            tied[b as usize] = true;
        }
        if 2 * tied.iter().filter(|tied| **tied).count() < places.len() {
            return None;
        }
        let ties: Vec<([Vec<u32>; 2], u32, f64)> = ties
            .into_iter()
            .map(|((a, b), (moves, reads))| {
                let ends = [a, b].map(|at| places[at as usize].clone());
                (ends, moves, reads)
            })
            .collect();
        self.geometry(&place, content, ties)
    }

    /// Determines boards, axes and their order.
    fn geometry(
        &self,
        place: &[usize],
        content: Vec<usize>,
        ties: Vec<([Vec<u32>; 2], u32, f64)>,
    ) -> Option<Read> {
        let weight = |moves: u32, reads: f64| f64::from(moves).ln_1p() + reads;
        let total: f64 = ties.iter().map(|tie| weight(tie.1, tie.2)).sum();
        let across = |i: usize| -> f64 {
            let ties = ties.iter().filter(|(ends, ..)| ends[0][i] != ends[1][i]);
            ties.map(|tie| weight(tie.1, tie.2)).sum()
        };
        let apart: Vec<bool> = (0..place.len())
            .map(|i| across(i) <= STRAY * total)
            .collect();
        let axes = apart.iter().filter(|apart| !**apart).count();
        // A single row of places is a board only if something moves along it.
        let walks = ties.iter().filter(|tie| tie.1 > 0).count();
        if axes == 0 || axes == 1 && walks + 1 < CELLS.start() * place.len() {
            return None;
        }
        let slanted = ties.iter().any(|(ends, ..)| {
            let differ = (0..place.len()).filter(|&i| ends[0][i] != ends[1][i]);
            differ.count() > 1
        });
        let mut read = Read {
            shape: 0,
            grid: Vec::new(),
            axes: Vec::new(),
            exclusive: Evidence::Unknown,
            unique: None,
            score: if slanted { 0.3 } else { 0.0 },
            content,
            ties: Vec::new(),
        };
        for (i, &position) in place.iter().enumerate() {
            if apart[i] {
                read.grid.push(position);
                continue;
            }
            let values = self.shape.values(position);
            let (values, order) = self.ordered(values, i, &ties, weight);
            read.score += match order {
                Order::Geometry => 1.0,
                Order::Integers => 0.9,
                Order::None => 0.0,
            };
            read.axes.push((position, values, order));
        }
        let ordered = read
            .axes
            .iter()
            .filter(|axis| axis.2 != Order::None)
            .count();
        // Facts that only state that two constants belong together are more likely a relation.
        if read.content.is_empty() && (ordered < 2 || read.axes.len() > 3) {
            return None;
        }
        for &position in &read.content {
            let mut values = self.shape.values(position).into_iter();
            let counts = values.all(|value| self.constants.numeral(value).is_some());
            read.score -= if counts { 0.4 } else { 0.0 };
            // Rules usually name the place before the content.
            read.score += 0.01 * position as f64;
        }
        // From here on, the grid positions come first in places.
        let old = |position: usize| place.iter().position(|&p| p == position);
        let now: Vec<usize> = read.positions().into_iter().filter_map(old).collect();
        let turned = |end: Vec<u32>| -> Vec<u32> { now.iter().map(|&i| end[i]).collect() };
        read.ties = ties
            .into_iter()
            .map(|(ends, moves, reads)| (ends.map(turned), moves, reads))
            .collect();
        Some(read)
    }

    /// The values of coordinate `i` of places, in order.
    fn ordered(
        &self,
        values: Vec<u32>,
        i: usize,
        ties: &[([Vec<u32>; 2], u32, f64)],
        weight: impl Fn(u32, f64) -> f64,
    ) -> (Vec<u32>, Order) {
        let integers: Option<Vec<i64>> = values
            .iter()
            .map(|&value| self.constants.numeral(value))
            .collect();
        let plain = integers.map(|integers| {
            let mut order: Vec<usize> = (0..values.len()).collect();
            order.sort_by_key(|&at| integers[at]);
            order
        });
        let taken = |order: &[usize], basis| {
            let values = order.iter().map(|&at| values[at]).collect();
            (values, basis)
        };
        if values.len() > order::LONGEST {
            return match &plain {
                Some(plain) => taken(plain, Order::Integers),
                None => (values, Order::None),
            };
        }
        let number = |value: u32| values.binary_search(&value).unwrap_or(0);
        let mut weights = vec![vec![0.0; values.len()]; values.len()];
        for (ends, moves, reads) in ties {
            let (a, b) = (number(ends[0][i]), number(ends[1][i]));
            if a == b {
                continue;
            }
            let differ = ends[0].iter().zip(&ends[1]).filter(|(a, b)| a != b).count();
            let weight = weight(*moves, *reads) / f64::from(1u32 << differ.min(16));
            weights[a][b] += weight;
            weights[b][a] += weight;
        }
        let found = order::seriate(&weights).map(|order| {
            let fit = order::fit(&weights, &order);
            (order, fit)
        });
        // An order of two values has no meaning.
        let clear = |fit: order::Fit| values.len() > 2 && fit.against < 0.1 && fit.support > 0.25;
        match (plain, found) {
            (Some(plain), Some((order, fit))) => {
                let own = order::fit(&weights, &plain);
                match clear(fit) && own.against > fit.against + 0.2 {
                    true => taken(&order, Order::Geometry),
                    false if clear(own) => taken(&plain, Order::Geometry),
                    false => taken(&plain, Order::Integers),
                }
            }
            (Some(plain), None) => taken(&plain, Order::Integers),
            (None, Some((mut order, fit))) if clear(fit) => {
                // Choose the direction in which the first value of the rules is in the first
                // half.
                if order.iter().position(|&at| at == 0) > Some(values.len() / 2) {
                    order.reverse();
                }
                taken(&order, Order::Geometry)
            }
            _ => (values, Order::None),
        }
    }
}

/// Whether coordinate `i` is a clock: whenever something moves, each value always changes to the
/// same other value.
fn is_clock(walks: &BTreeMap<(u32, u32), u32>, places: &[Vec<u32>], i: usize) -> bool {
    let mut after: BTreeMap<u32, u32> = BTreeMap::new();
    let ends = |pair: &(u32, u32)| (places[pair.0 as usize][i], places[pair.1 as usize][i]);
    let single = walks
        .keys()
        .map(ends)
        .all(|(from, to)| from != to && *after.entry(from).or_insert(to) == to);
    single && after.len() > 2
}

/// The pairs of places that change together, with frequencies.
fn together(transitions: &[Transition], place_of: &[Option<u32>]) -> BTreeMap<(u32, u32), u32> {
    const MOST: usize = 12;
    let mut together = BTreeMap::new();
    for transition in transitions {
        let changed = transition.gone.iter().chain(&transition.came);
        let mut changed: Vec<u32> = changed
            .filter_map(|&fact| place_of[fact as usize])
            .collect();
        changed.sort_unstable();
        changed.dedup();
        if changed.len() > MOST {
            continue;
        }
        for (i, &a) in changed.iter().enumerate() {
            for &b in &changed[i + 1..] {
                *together.entry((a, b)).or_insert(0) += 1;
            }
        }
    }
    together
}

/// The pairs of places between which a content moved (it disappeared once and appeared once),
/// with frequencies.
fn moved(
    transitions: &[Transition],
    place_of: &[Option<u32>],
    content_of: &BTreeMap<u32, Vec<u32>>,
) -> BTreeMap<(u32, u32), u32> {
    let mut moved = BTreeMap::new();
    let mut gone: BTreeMap<&[u32], Option<u32>> = BTreeMap::new();
    let mut came: BTreeMap<&[u32], Option<u32>> = BTreeMap::new();
    for transition in transitions {
        gone.clear();
        came.clear();
        for (facts, into) in [(&transition.gone, &mut gone), (&transition.came, &mut came)] {
            for &fact in facts {
                if let (Some(place), Some(content)) =
                    (place_of[fact as usize], content_of.get(&fact))
                {
                    // If a content appears twice, the destination is unclear.
                    let entry = into.entry(content.as_slice());
                    entry.and_modify(|at| *at = None).or_insert(Some(place));
                }
            }
        }
        for (content, &from) in &gone {
            if let (Some(from), Some(Some(to))) = (from, came.get(content))
                && from != *to
            {
                *moved.entry((from, *to)).or_insert(0) += 1;
            }
        }
    }
    moved
}

/// Combines layers to boards: those with the same places, where events happen in the same
/// places, are one board.
pub(super) fn boards(
    layers: &[Read],
    shapes: &[Shape],
    constants: &Constants,
    seen: &Seen,
) -> Vec<Board> {
    let size = |read: &Read| {
        let shape = &shapes[read.shape];
        let places = (0..shape.terms.len()).map(|term| read.place(shape, term));
        places.collect::<BTreeSet<_>>().len()
    };
    let mut order: Vec<(usize, &Read)> = layers.iter().map(|read| (size(read), read)).collect();
    order.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.score.total_cmp(&a.1.score)));
    let mut stacks: Vec<Vec<Turned<'_>>> = Vec::new();
    for (_, read) in order {
        let own: Vec<usize> = (0..read.grid.len() + read.axes.len()).collect();
        let joins = stacks.iter().enumerate().filter_map(|(at, stack)| {
            let below = stack[0].read;
            matching(below, read, shapes, seen).map(|turn| (at, turn))
        });
        match joins.collect::<Vec<_>>().into_iter().next() {
            Some((at, turn)) => stacks[at].push(Turned { read, turn }),
            None => stacks.push(vec![Turned { read, turn: own }]),
        }
    }
    stacks
        .iter()
        .map(|stack| build(stack, shapes, constants))
        .collect()
}

/// The permutation of coordinates of `read` that matches those of `below`, if both have the same
/// places.
fn matching(below: &Read, read: &Read, shapes: &[Shape], seen: &Seen) -> Option<Vec<usize>> {
    if below.axes.len() != read.axes.len() || below.grid.len() != read.grid.len() {
        return None;
    }
    let grids = below.grid.len();
    let own: Vec<usize> = (0..grids + read.axes.len()).collect();
    let mut turns = vec![own.clone()];
    if read.axes.len() == 2 {
        let mut turned = own;
        turned.swap(grids, grids + 1);
        turns.push(turned);
    }
    let places = |read: &Read| -> BTreeMap<u32, Vec<u32>> {
        let shape = &shapes[read.shape];
        let place = |(term, &fact): (usize, &u32)| (fact, read.place(shape, term));
        shape.terms.iter().enumerate().map(place).collect()
    };
    let (first, second) = (places(below), places(read));
    let known: BTreeSet<&Vec<u32>> = first.values().collect();
    let mut best = None;
    for turn in turns {
        let turned = |place: &Vec<u32>| -> Vec<u32> { turn.iter().map(|&i| place[i]).collect() };
        let inside = second
            .values()
            .filter(|place| known.contains(&turned(place)));
        if inside.count() * 5 < second.len() * 4 {
            continue;
        }
        let mut together = 0;
        for transition in &seen.transitions {
            let changed = || transition.gone.iter().chain(&transition.came);
            let here: BTreeSet<&Vec<u32>> = changed().filter_map(|fact| first.get(fact)).collect();
            let there = changed().filter_map(|fact| second.get(fact));
            together += there.filter(|place| here.contains(&turned(place))).count();
        }
        if together > 0 && best.as_ref().is_none_or(|(most, _)| together > *most) {
            best = Some((together, turn));
        }
    }
    best.map(|(_, turn)| turn)
}
