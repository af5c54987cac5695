//! Tuples of one shape at all places of a board, which share a table.

use crate::nearness::{Nearness, is_local};
use crate::variables::{Place, Variable};
use analysis::boards::{Board, Boards};
use heuristics::{Blank, FeatureSet, Table, Tuple};
use rustc_hash::FxHashMap;

/// Numbers of neighbours in a shape.
const NEIGHBOURS: [usize; 3] = [4, 8, 12];
/// Places of a layer, at least, for shapes to be worth while.
const PLACES: usize = 9;
/// Conjunctions of one shape, at least, for a shared table.
const ALIKE: usize = 4;
/// Entries of a shared table, at most.
const ENTRIES: u64 = 600_000;
/// Tuples with shared tables, at most.
const MOST: usize = 3000;

/// The step from one cell to another.
type Offset = Vec<i32>;

/// A layer of a board, with its variables.
struct Layer<'b> {
    board: &'b Board,
    /// The variable of each cell.
    variables: FxHashMap<u32, u32>,
    /// The number of values of each variable.
    size: u32,
}

impl Layer<'_> {
    fn offset(&self, from: u32, to: u32) -> Option<Offset> {
        let [from, to] = [from, to].map(|cell| &self.board.cells[cell as usize]);
        let steps = from.at.iter().zip(&to.at);
        (from.grid == to.grid).then(|| steps.map(|(&from, &to)| to as i32 - from as i32).collect())
    }

    /// The variable at an offset from a cell, if that is on the board.
    fn at(&self, cell: u32, offset: &Offset) -> Option<u32> {
        let from = &self.board.cells[cell as usize];
        let at = from.at.iter().zip(offset);
        let at: Option<Vec<u32>> = at.map(|(&at, &step)| at.checked_add_signed(step)).collect();
        let cell = self.board.cell(from.grid, &at?)?;
        self.variables.get(&cell).copied()
    }
}

/// Adds neighbourhoods and lines of each board, each with one table for all places.
pub fn add(variables: &[Variable], nearness: &Nearness, boards: &Boards, set: &mut FeatureSet) {
    let mut keys: Vec<(u32, u32)> = variables
        .iter()
        .filter_map(|variable| variable.place)
        .map(|place| (place.board, place.layer))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    let before = set.tuples.len();
    for key in keys {
        let of_layer = (0..).zip(variables).filter_map(|(number, variable)| {
            let place = variable.place?;
            let here = (place.board, place.layer) == key && is_local(variable);
            here.then_some((place.cell, number))
        });
        let layer = Layer {
            board: &boards.boards[key.0 as usize],
            size: (variables.iter())
                .filter(|one| one.place.is_some_and(|at| (at.board, at.layer) == key))
                .map(Variable::size)
                .max()
                .unwrap_or(1),
            variables: of_layer.collect(),
        };
        if layer.variables.len() >= PLACES {
            add_neighbourhoods(&layer, variables, nearness, set);
            add_lines(&layer, variables, nearness, set, before);
        }
    }
}

/// The value that the variables have most often.
fn common<'v>(variables: impl Iterator<Item = &'v Variable>) -> u32 {
    let mut sums: Vec<u64> = Vec::new();
    for variable in variables {
        sums.resize(sums.len().max(variable.counts.len()), 0);
        for (sum, &count) in sums.iter_mut().zip(&variable.counts) {
            *sum += u64::from(count);
        }
    }
    let most = sums.iter().enumerate().max_by_key(|(_, sum)| **sum);
    most.map_or(0, |(value, _)| value as u32)
}

/// The offsets of a layer, the nearest first.
fn offsets(layer: &Layer<'_>, variables: &[Variable], nearness: &Nearness) -> Vec<Offset> {
    let mut weights: FxHashMap<Offset, f32> = FxHashMap::default();
    let mut cells: Vec<(u32, u32)> = layer.variables.iter().map(|(&a, &b)| (a, b)).collect();
    cells.sort_unstable();
    for (cell, number) in cells {
        for &(other, weight) in &nearness.of[number as usize] {
            let Some(place) = variables[other as usize].place else {
                continue;
            };
            if layer.variables.get(&place.cell) == Some(&other)
                && let Some(offset) = layer.offset(cell, place.cell)
            {
                *weights.entry(offset).or_default() += weight;
            }
        }
    }
    let mut offsets: Vec<(Offset, f32)> = weights.into_iter().collect();
    offsets.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    offsets.into_iter().map(|(offset, _)| offset).collect()
}

/// Each cell with its 4, 8 and 12 nearest offsets, as far as a table has room for them.
fn add_neighbourhoods(
    layer: &Layer<'_>,
    variables: &[Variable],
    nearness: &Nearness,
    set: &mut FeatureSet,
) {
    let offsets = offsets(layer, variables, nearness);
    let mut cells: Vec<(u32, u32)> = layer.variables.iter().map(|(&a, &b)| (a, b)).collect();
    cells.sort_unstable();
    let blank = common(cells.iter().map(|&(_, number)| &variables[number as usize]));
    let mut largest = 0;
    for neighbours in NEIGHBOURS {
        let (mut sizes, mut entries) = (vec![layer.size], u64::from(layer.size));
        let mut shape: Vec<&Offset> = Vec::new();
        for offset in offsets.iter().take(neighbours) {
            // One value more, for places off the board.
            let size = layer.size + 1;
            if entries * u64::from(size) > ENTRIES {
                break;
            }
            entries *= u64::from(size);
            sizes.push(size);
            shape.push(offset);
        }
        if shape.len() < 2 || shape.len() <= largest + 1 {
            continue;
        }
        largest = shape.len();
        let table = set.tables.len() as u32;
        set.tables.push(Table {
            sizes,
            blank: Blank::First(blank),
        });
        for &(cell, number) in &cells {
            let places = shape.iter().map(|offset| layer.at(cell, offset));
            set.tuples.push(Tuple {
                table,
                variables: std::iter::once(Some(number)).chain(places).collect(),
            });
        }
    }
}

/// The conjunctions of the rules that have the same shape at several places.
fn add_lines(
    layer: &Layer<'_>,
    variables: &[Variable],
    nearness: &Nearness,
    set: &mut FeatureSet,
    before: usize,
) {
    let mut shapes: FxHashMap<Vec<Offset>, Vec<Vec<u32>>> = FxHashMap::default();
    for conjunction in &nearness.conjunctions {
        let places = conjunction.iter().map(|&number| {
            let cell = variables[number as usize].place?.cell;
            (layer.variables.get(&cell) == Some(&number)).then_some((cell, number))
        });
        let Some(mut places) = places.collect::<Option<Vec<(u32, u32)>>>() else {
            continue;
        };
        places.sort_unstable();
        let first = places[0].0;
        let shape = places.iter().map(|&(cell, _)| layer.offset(first, cell));
        if let Some(shape) = shape.collect::<Option<Vec<Offset>>>() {
            let numbers = places.into_iter().map(|(_, number)| number).collect();
            shapes.entry(shape).or_default().push(numbers);
        }
    }
    let mut shapes: Vec<(Vec<Offset>, Vec<Vec<u32>>)> = shapes.into_iter().collect();
    shapes.sort();
    for (_, lines) in shapes {
        let sizes = vec![layer.size; lines[0].len()];
        let entries: u64 = sizes.iter().map(|&size| u64::from(size)).product();
        let room = set.tuples.len() - before + lines.len() <= MOST;
        if lines.len() < ALIKE || entries > ENTRIES || !room {
            continue;
        }
        let members = lines.iter().flatten();
        let blank = common(members.map(|&number| &variables[number as usize]));
        let table = set.tables.len() as u32;
        set.tables.push(Table {
            sizes,
            blank: Blank::All(blank),
        });
        set.tuples.extend(lines.into_iter().map(|line| Tuple {
            table,
            variables: line.into_iter().map(Some).collect(),
        }));
    }
}

/// The place of a variable as text, such as `3 4`.
pub fn name(boards: &Boards, place: Place) -> String {
    boards.boards[place.board as usize].name(place.cell)
}
