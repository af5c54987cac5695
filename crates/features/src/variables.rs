//! Variables: groups of facts of which at most one holds.

use crate::observed::Observed;
use analysis::Evidence;
use analysis::boards::Boards;
use analysis::reads::{Readers, untouched};
use invariants::Groups;
use netlist::GameLogic;

/// Variables, at most. Where there are more facts, most are functions of others.
const MOST: usize = 4096;
/// Variables of a single fact beyond those of boards and groups, at most.
const SINGLES: usize = 512;

/// Where a variable lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The board.
    pub board: u32,
    /// The layer of the board. A layer has one content for each cell.
    pub layer: u32,
    /// The cell.
    pub cell: u32,
}

/// A group of facts of which at most one holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// The facts, one for each value, after value 0 for none of them where that occurs
    /// ([`Variable::none`]). On boards, a value is the same content for all cells, and some
    /// contents may have no fact at a cell.
    pub facts: Vec<Option<u32>>,
    /// Whether there is a value for states in which none of the facts holds.
    pub none: bool,
    /// Its place on a board.
    pub place: Option<Place>,
    /// The part of the transitions of random play that change it, 0 to 1.
    pub rate: f32,
    /// How often each value was seen.
    pub counts: Vec<u32>,
}

impl Variable {
    fn new(facts: Vec<Option<u32>>, place: Option<Place>) -> Variable {
        Variable {
            counts: vec![0; facts.len() + 1],
            facts,
            none: true,
            place,
            rate: 0.0,
        }
    }

    /// The number of its values.
    pub fn size(&self) -> u32 {
        self.facts.len() as u32 + u32::from(self.none)
    }

    /// The value that stands for the fact at a position of [`Variable::facts`].
    pub fn value(&self, at: usize) -> u32 {
        at as u32 + u32::from(self.none)
    }
}

/// The variables of a game. Left out are facts that never change, that equal others, and that no
/// move affects, such as whose turn it is.
pub fn variables(
    logic: &GameLogic,
    groups: &Groups,
    boards: &Boards,
    observed: &Observed,
) -> Vec<Variable> {
    let facts = logic.facts.len();
    let mut used = vec![false; facts];
    for fact in untouched(logic, &Readers::new(logic)) {
        used[fact as usize] = true;
    }
    for &(fact, _) in &groups.constants {
        used[fact as usize] = true;
    }
    for equal in &groups.equal {
        used[equal.fact as usize] = true;
    }
    let mut all = Vec::new();
    for (number, board) in boards.boards.iter().enumerate() {
        for (layer, form) in board.layers.iter().enumerate() {
            if form.exclusive == Evidence::Unknown {
                continue;
            }
            let pieces = board.pieces.iter().filter(|piece| piece.layer == layer);
            let mut rows: Vec<Vec<Option<u32>>> = Vec::new();
            rows.resize_with(board.cells.len(), Vec::new);
            for (content, piece) in pieces.enumerate() {
                for &(cell, fact) in &piece.facts {
                    let row = &mut rows[cell as usize];
                    row.resize(row.len().max(content + 1), None);
                    row[content] = Some(fact).filter(|&fact| !used[fact as usize]);
                }
            }
            let contents = rows.iter().map(Vec::len).max().unwrap_or(0);
            for (cell, mut row) in rows.into_iter().enumerate() {
                row.resize(contents, None);
                if row.iter().all(Option::is_none) {
                    continue;
                }
                for &fact in row.iter().flatten() {
                    used[fact as usize] = true;
                }
                let place = Place {
                    board: number as u32,
                    layer: layer as u32,
                    cell: cell as u32,
                };
                all.push(Variable::new(row, Some(place)));
            }
        }
    }
    let mut largest: Vec<&invariants::Group> = groups.groups.iter().collect();
    largest.sort_by_key(|group| std::cmp::Reverse(group.facts.len()));
    for group in largest {
        let free = group.facts.iter().filter(|&&fact| !used[fact as usize]);
        let row: Vec<Option<u32>> = free.map(|&fact| Some(fact)).collect();
        if row.len() < 2 {
            continue;
        }
        for &fact in row.iter().flatten() {
            used[fact as usize] = true;
        }
        all.push(Variable::new(row, None));
    }
    let single = (0..facts as u32).filter(|&fact| !used[fact as usize]);
    let single: Vec<u32> = single.collect();
    if single.len() <= SINGLES {
        let single = single.into_iter();
        all.extend(single.map(|fact| Variable::new(vec![Some(fact)], None)));
    }
    all.truncate(MOST);
    count(&mut all, observed);
    drop_none(&mut all);
    // What never varied in play says nothing.
    all.retain(|variable| variable.rate > 0.0);
    all
}

/// Counts values and changes.
fn count(variables: &mut [Variable], observed: &Observed) {
    let transitions: u32 = observed
        .transitions()
        .map(|(_, _, going)| going.count_ones())
        .sum();
    for variable in variables {
        for moment in &observed.moments {
            let mut none = moment.live;
            for (value, fact) in variable.facts.iter().enumerate() {
                let Some(fact) = *fact else { continue };
                let held = moment.facts[fact as usize] & moment.live;
                variable.counts[value + 1] += held.count_ones();
                none &= !held;
            }
            variable.counts[0] += none.count_ones();
        }
        let mut changes = 0;
        for (before, after, going) in observed.transitions() {
            let facts = variable.facts.iter().flatten();
            let changed = facts.fold(0, |changed, &fact| {
                changed | before.facts[fact as usize] ^ after.facts[fact as usize]
            });
            changes += (changed & going).count_ones();
        }
        variable.rate = changes as f32 / transitions.max(1) as f32;
    }
}

/// Drops the value for none of the facts where one of them always held; on boards, if that is so
/// in all cells, since these share tables.
fn drop_none(variables: &mut [Variable]) {
    let layer = |variable: &Variable| variable.place.map(|place| (place.board, place.layer));
    let empty: Vec<_> = variables
        .iter()
        .filter(|variable| variable.counts[0] > 0)
        .filter_map(layer)
        .collect();
    for variable in variables {
        let full = variable.counts[0] == 0;
        if full && layer(variable).is_none_or(|layer| !empty.contains(&layer)) {
            variable.none = false;
            variable.counts.remove(0);
        }
    }
}
