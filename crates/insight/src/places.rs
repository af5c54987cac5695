//! Pieces beside each other and in lines.

use crate::moments::facts;
use crate::subject::{Subject, ordered};
use analysis::boards::{Board, Boards};
use features::{Found, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Steps between neighbours, at most.
const STEPS: usize = 8;
/// Pieces of a layer, at most, for pairs of them to be told apart.
const PIECES: usize = 8;

/// No piece.
const NOTHING: u32 = u32::MAX;

/// Cells of a layer that are looked at together.
struct Together {
    layer: usize,
    cells: Vec<u32>,
    /// For each combination of contents the subject that it adds to.
    what: What,
}

enum What {
    /// For each pair of pieces its subject.
    Pair(Arc<BTreeMap<[u32; 2], usize>>),
    /// For each piece and number of them its subject.
    Line(BTreeMap<(u32, usize), usize>),
}

/// Pairs and lines of all boards.
#[derive(Default)]
pub struct Places {
    /// For each fact where it puts what: layer, cell, piece.
    of_fact: Vec<Option<(u32, u32, u32)>>,
    /// The number of cells of each layer.
    layers: Vec<usize>,
    together: Vec<Together>,
    subjects: BTreeMap<Subject, usize>,
}

impl Places {
    /// The pairs and lines of a game, as subjects with numbers from `first` on, `room` at most.
    pub fn new(boards: &Boards, found: Option<&Found>, first: usize, room: usize) -> Places {
        let mut places = Places::default();
        let Some(found) = found else {
            return places;
        };
        let mut begins = Vec::new();
        for board in &boards.boards {
            begins.push(places.layers.len());
            places
                .layers
                .extend(board.layers.iter().map(|_| board.cells.len()));
        }
        for (number, board) in boards.boards.iter().enumerate() {
            for (piece, kind) in (0..).zip(&board.pieces).filter(|(_, kind)| !kind.blank) {
                for &(cell, fact) in &kind.facts {
                    let fact = fact as usize;
                    if places.of_fact.len() <= fact {
                        places.of_fact.resize(fact + 1, None);
                    }
                    let layer = (begins[number] + kind.layer) as u32;
                    places.of_fact[fact] = Some((layer, cell, piece));
                }
            }
        }
        let mut builder = Builder {
            boards,
            begins: &begins,
            first,
            room,
            places,
        };
        builder.add_lines(found);
        builder.add_pairs(found);
        builder.places
    }

    /// The subjects, in the order of their numbers.
    pub fn subjects(&self) -> Vec<Subject> {
        let mut all: Vec<(&Subject, usize)> = self.subjects.iter().map(|(a, &b)| (a, b)).collect();
        all.sort_unstable_by_key(|&(_, number)| number);
        all.into_iter()
            .map(|(subject, _)| subject.clone())
            .collect()
    }

    /// Counts pairs and lines in a state.
    pub fn count(&self, state: &[u64], mut add: impl FnMut(usize, f32)) {
        if self.together.is_empty() {
            return;
        }
        let layers = self.layers.iter();
        let mut contents: Vec<Vec<u32>> = layers.map(|&cells| vec![NOTHING; cells]).collect();
        for fact in facts(state) {
            if let Some(&Some((layer, cell, piece))) = self.of_fact.get(fact as usize) {
                contents[layer as usize][cell as usize] = piece;
            }
        }
        for together in &self.together {
            let contents = &contents[together.layer];
            let at = |cell: &u32| contents[*cell as usize];
            match &together.what {
                What::Pair(subjects) => {
                    let pair = [at(&together.cells[0]), at(&together.cells[1])];
                    if let Some(&subject) = subjects.get(&pair) {
                        add(subject, 1.0);
                    }
                }
                What::Line(subjects) => {
                    let mut pieces = together.cells.iter().map(at).filter(|&one| one != NOTHING);
                    let Some(piece) = pieces.next() else { continue };
                    let others = pieces.map(|one| (one == piece).then_some(1));
                    let filled: Option<usize> = others.sum();
                    let key = filled.map(|others| (piece, others + 1));
                    if let Some(&subject) = key.and_then(|key| subjects.get(&key)) {
                        add(subject, 1.0);
                    }
                }
            }
        }
    }
}

struct Builder<'a> {
    boards: &'a Boards,
    begins: &'a [usize],
    first: usize,
    room: usize,
    places: Places,
}

impl Builder<'_> {
    /// The number of a subject, if there is room for it.
    fn number(&mut self, subject: Subject) -> Option<usize> {
        let next = self.first + self.places.subjects.len();
        if let Some(&number) = self.places.subjects.get(&subject) {
            return Some(number);
        }
        (next < self.first + self.room).then(|| {
            self.places.subjects.insert(subject, next);
            next
        })
    }

    /// The pieces of a layer, but for what stands for an empty cell.
    fn pieces(&self, board: usize, layer: usize) -> Vec<usize> {
        let pieces = self.boards.boards[board].pieces.iter().enumerate();
        let here = pieces.filter(|(_, piece)| piece.layer == layer && !piece.blank);
        here.map(|(number, _)| number).collect()
    }

    /// Conjunctions of the rules that have the same shape at several places.
    fn add_lines(&mut self, found: &Found) {
        let mut seen = BTreeSet::new();
        for tuple in &found.set.tuples {
            let table = &found.set.tables[tuple.table as usize];
            if !matches!(table.blank, heuristics::Blank::All(_)) {
                continue;
            }
            let variables = tuple.variables.iter().flatten();
            let variables = variables.map(|&one| &found.variables[one as usize]);
            let Some((board, layer, mut cells)) = layer_of(variables) else {
                continue;
            };
            cells.sort_unstable();
            let length = cells.len();
            if length < 3 || !seen.insert((board, layer, cells.clone())) {
                continue;
            }
            let mut subjects = BTreeMap::new();
            for piece in self.pieces(board, layer) {
                for filled in 2..=length {
                    let subject = Subject::Line {
                        board,
                        piece,
                        length,
                        filled,
                    };
                    if let Some(number) = self.number(subject) {
                        subjects.insert((piece as u32, filled), number);
                    }
                }
            }
            self.places.together.push(Together {
                layer: self.begins[board] + layer,
                cells,
                what: What::Line(subjects),
            });
        }
    }

    /// The steps between variables that are near each other.
    fn add_pairs(&mut self, found: &Found) {
        let mut steps: BTreeMap<(usize, usize), BTreeMap<Vec<i32>, u32>> = BTreeMap::new();
        for tuple in found
            .set
            .tuples
            .iter()
            .filter(|one| one.variables.len() == 2)
        {
            let variables = tuple.variables.iter().flatten();
            let variables = variables.map(|&one| &found.variables[one as usize]);
            let Some((board, layer, cells)) = layer_of(variables) else {
                continue;
            };
            let of = &self.boards.boards[board];
            if ordered(of).count() < of.axes.len() || cells.len() != 2 {
                continue;
            }
            if let Some(step) = step(of, cells[0].min(cells[1]), cells[0].max(cells[1])) {
                let counts = steps.entry((board, layer)).or_default();
                *counts.entry(step).or_default() += 1;
            }
        }
        for ((board, layer), counts) in steps {
            let pieces = self.pieces(board, layer);
            let mut counts: Vec<(Vec<i32>, u32)> = counts.into_iter().collect();
            counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            if pieces.len() > PIECES {
                continue;
            }
            for (step, _) in counts.into_iter().take(STEPS) {
                self.add_step(board, layer, &pieces, &step);
            }
        }
    }

    /// All pairs of cells at a step from each other.
    fn add_step(&mut self, board: usize, layer: usize, pieces: &[usize], step: &[i32]) {
        let mut subjects = BTreeMap::new();
        for &one in pieces {
            for &other in pieces {
                let subject = Subject::Pair {
                    board,
                    pieces: [one, other],
                    step: step.to_vec(),
                };
                if let Some(number) = self.number(subject) {
                    subjects.insert([one as u32, other as u32], number);
                }
            }
        }
        let subjects = Arc::new(subjects);
        let of = &self.boards.boards[board];
        for (cell, from) in (0..).zip(&of.cells) {
            let at = from.at.iter().zip(step);
            let at: Option<Vec<u32>> = at.map(|(&at, &by)| at.checked_add_signed(by)).collect();
            if let Some(other) = at.and_then(|at| of.cell(from.grid, &at)) {
                self.places.together.push(Together {
                    layer: self.begins[board] + layer,
                    cells: vec![cell, other],
                    what: What::Pair(subjects.clone()),
                });
            }
        }
    }
}

/// The layer in which all variables lie, and their cells.
fn layer_of<'a>(variables: impl Iterator<Item = &'a Variable>) -> Option<(usize, usize, Vec<u32>)> {
    let places: Option<Vec<_>> = variables.map(|variable| variable.place).collect();
    let places = places?;
    let first = places.first()?;
    let here = (first.board, first.layer);
    let same = places
        .iter()
        .all(|place| (place.board, place.layer) == here);
    let cells = places.iter().map(|place| place.cell).collect();
    same.then_some((here.0 as usize, here.1 as usize, cells))
}

/// The step from one cell to another on the same board.
fn step(board: &Board, from: u32, to: u32) -> Option<Vec<i32>> {
    let [from, to] = [from, to].map(|cell| &board.cells[cell as usize]);
    let steps = from.at.iter().zip(&to.at);
    (from.grid == to.grid).then(|| steps.map(|(&from, &to)| to as i32 - from as i32).collect())
}
