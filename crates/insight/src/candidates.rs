//! The subjects that are looked at in a game, and how they are counted in states.

use crate::look::Looks;
use crate::moments::{Moments, facts};
use crate::places::Places;
use crate::subject::{Region, Subject, ordered, region};
use analysis::boards::{Boards, Piece};
use analysis::distances::{Condition, Distances, FAR};
use analysis::latches::{Latches, Literal};
use analysis::numbers::Numbers;
use budget::{Budget, Exhausted};
use features::Found;
use game::RoleId;
use netlist::GameLogic;
use std::collections::{BTreeMap, BTreeSet};

/// Subjects, at most.
const MOST: usize = 400;
/// Kinds of pieces, at most.
const PIECES: usize = 48;
/// Facts that are subjects by themselves, at most.
const FACTS: usize = 100;
/// Subjects that others are judged beside, at most.
const BASIS: usize = 40;
/// Moments between two looks at the budget.
const MOMENTS: usize = 256;

/// What is known of a game before its play is looked at.
pub struct Known<'a> {
    /// The rules.
    pub logic: &'a GameLogic,
    /// Boards and pieces.
    pub boards: &'a Boards,
    /// Quantities.
    pub numbers: &'a Numbers,
    /// What stays.
    pub latches: &'a Latches,
    /// Distances, if they are known.
    pub distances: Option<&'a Distances>,
    /// The variables of the value, if they are known.
    pub found: Option<&'a Found>,
}

impl<'a> Known<'a> {
    /// The values of all quantities.
    fn counted(&self) -> BTreeSet<u32> {
        let quantities = self.numbers.quantities.iter();
        quantities
            .flat_map(|one| one.facts.iter().copied())
            .collect()
    }

    /// The pieces, each with its board and its position there. What stands for an empty cell is
    /// none, nor is what only counts, such as a score.
    fn pieces(&self) -> impl Iterator<Item = (usize, usize, &'a Piece)> {
        let counted = self.counted();
        let boards = self.boards.boards.iter().enumerate();
        let pieces = boards.flat_map(|(board, of)| {
            let pieces = of.pieces.iter().enumerate();
            pieces.map(move |(piece, kind)| (board, piece, kind))
        });
        let counts = move |kind: &Piece| kind.facts.iter().all(|(_, fact)| counted.contains(fact));
        let pieces = pieces.filter(move |(_, _, kind)| !kind.blank && !counts(kind));
        pieces.take(PIECES)
    }
}

/// The subjects, and what is needed to count them.
pub struct Candidates {
    /// The subjects. Those about pieces and quantities come first, then facts.
    pub subjects: Vec<Subject>,
    /// For each fact the subjects that it adds to, and how much.
    weights: Vec<Vec<(u32, f32)>>,
    /// Subjects that are the least number of the facts that hold, with the number of each fact.
    least: Vec<(u32, BTreeMap<u32, f32>)>,
    places: Places,
}

impl Candidates {
    /// The subjects of a game.
    pub fn new(known: &Known<'_>) -> Candidates {
        let mut all = Candidates {
            subjects: Vec::new(),
            weights: vec![Vec::new(); known.logic.facts.len()],
            least: Vec::new(),
            places: Places::default(),
        };
        all.add_pieces(known);
        all.add_quantities(known);
        all.add_facts(known);
        all.add_where(known);
        all.add_near(known);
        for role in 0..known.logic.roles() {
            all.subjects.push(Subject::Choices { role });
            all.subjects.push(Subject::Now { role });
        }
        let room = MOST.saturating_sub(all.subjects.len());
        all.places = Places::new(known.boards, known.found, all.subjects.len(), room);
        all.subjects.extend(all.places.subjects());
        all
    }

    /// The number of subjects that others are judged beside: pieces and quantities.
    pub fn basis(&self) -> usize {
        let there = self.subjects.iter().take(BASIS);
        let counted =
            |subject: &&Subject| matches!(subject, Subject::Piece { .. } | Subject::Quantity(_));
        there.take_while(counted).count()
    }

    /// The facts that place pieces.
    pub fn facts(&self) -> Vec<bool> {
        let is_piece = |&(number, _): &(u32, f32)| {
            matches!(self.subjects[number as usize], Subject::Piece { .. })
        };
        let weights = self.weights.iter();
        weights
            .map(|weights| weights.iter().any(is_piece))
            .collect()
    }

    /// Adds a subject that is a sum over facts, unless nothing adds to it.
    fn add(&mut self, subject: Subject, weights: impl Iterator<Item = (u32, f32)>) {
        let number = self.subjects.len() as u32;
        let mut any = false;
        for (fact, weight) in weights {
            self.weights[fact as usize].push((number, weight));
            any = true;
        }
        if any {
            self.subjects.push(subject);
        }
    }

    fn add_pieces(&mut self, known: &Known<'_>) {
        for (board, piece, kind) in known.pieces() {
            let facts = kind.facts.iter().map(|&(_, fact)| (fact, 1.0));
            self.add(Subject::Piece { board, piece }, facts);
        }
    }

    fn add_quantities(&mut self, known: &Known<'_>) {
        let quantities = known.numbers.quantities.iter().enumerate();
        for (number, quantity) in quantities.filter(|(_, quantity)| !quantity.control) {
            let values = quantity.facts.iter().zip(0u16..);
            let values = values.map(|(&fact, value)| (fact, f32::from(value)));
            self.add(Subject::Quantity(number), values);
        }
    }

    /// Facts that vary, and that nothing else is about.
    fn add_facts(&mut self, known: &Known<'_>) {
        let variables = known.found.iter().flat_map(|found| &found.variables);
        let facts = variables.filter(|variable| variable.place.is_none());
        let facts = facts.flat_map(|variable| variable.facts.iter().flatten());
        let counted = known.counted();
        let free = facts
            .filter(|&&fact| self.weights[fact as usize].is_empty() && !counted.contains(&fact));
        let free: Vec<u32> = free.copied().take(FACTS).collect();
        for fact in free {
            self.add(Subject::Fact(fact), std::iter::once((fact, 1.0)));
        }
    }

    /// Where pieces are: regions, axes, places that they keep.
    fn add_where(&mut self, known: &Known<'_>) {
        for (board, piece, kind) in known.pieces() {
            let of = &known.boards.boards[board];
            for one in [Region::Corners, Region::Edges] {
                let there = kind.facts.iter();
                let there = there.filter(|&&(cell, _)| region(of, cell) == Some(one));
                let there = there.map(|&(_, fact)| (fact, 1.0));
                let region = one;
                let subject = Subject::Place {
                    board,
                    piece,
                    region,
                };
                self.add(subject, there);
            }
            for axis in ordered(of) {
                let steps = kind.facts.iter().map(|&(cell, fact)| {
                    let step = of.cells[cell as usize].at[axis];
                    (fact, step as f32)
                });
                self.add(Subject::Along { board, piece, axis }, steps);
            }
            let kept = kind.facts.iter().filter(|&&(_, fact)| {
                let literal = Literal { fact, holds: true };
                known.latches.of(literal).is_some()
            });
            let kept: Vec<u32> = kept.map(|&(_, fact)| fact).collect();
            // Where all of them stay, that is no more than how many there are.
            if kept.len() < kind.facts.len() {
                let kept = kept.into_iter().map(|fact| (fact, 1.0));
                self.add(Subject::Kept { board, piece }, kept);
            }
        }
    }

    /// How near pieces are to the best result of their owner.
    fn add_near(&mut self, known: &Known<'_>) {
        let Some(distances) = known.distances else {
            return;
        };
        for (board, piece, kind) in known.pieces() {
            let Some(owner) = kind.owner else {
                continue;
            };
            let role = usize::from(owner.role);
            let values = distances.conditions().filter_map(|one| match one {
                Condition::Goal { role: of, value } if of == RoleId(role) => Some(value),
                _ => None,
            });
            let Some(value) = values.max() else {
                continue;
            };
            let wanted = Condition::Goal {
                role: RoleId(role),
                value,
            };
            let of = &known.boards.boards[board];
            let near = profile::pictures::near(of, kind, distances, wanted);
            let known = near.iter().flatten().filter(|&&one| one < FAR);
            let Some(&far) = known.max() else { continue };
            let facts = kind.facts.iter().filter_map(|&(cell, fact)| {
                let near = near[cell as usize]?.min(far);
                Some((fact, f32::from(near)))
            });
            let of_fact: BTreeMap<u32, f32> = facts.collect();
            let mut different = of_fact.values();
            let first = different.next();
            if different.any(|one| Some(one) != first) {
                self.least.push((self.subjects.len() as u32, of_fact));
                self.subjects.push(Subject::Near { board, piece, role });
            }
        }
    }

    /// Counts all subjects in all moments: for each subject a number for each moment. `None` for
    /// what the rules do not tell.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn count(
        &self,
        moments: &Moments,
        looks: &Looks,
        budget: &Budget,
    ) -> Result<Vec<Option<Vec<f32>>>, Exhausted> {
        let size = moments.moments.len();
        let mut numbers = vec![vec![0.0; size]; self.subjects.len()];
        for (at, moment) in moments.moments.iter().enumerate() {
            if at % MOMENTS == 0 {
                budget.check()?;
            }
            for fact in facts(&moment.state) {
                for &(number, weight) in self.weights.get(fact as usize).into_iter().flatten() {
                    numbers[number as usize][at] += weight;
                }
            }
            for (number, of_fact) in &self.least {
                let far = of_fact.values().fold(0.0, |far: f32, &one| far.max(one)) + 1.0;
                let holding = facts(&moment.state).filter_map(|fact| of_fact.get(&fact));
                numbers[*number as usize][at] = holding.fold(far, |least, &one| least.min(one));
            }
            self.places.count(&moment.state, |number, by| {
                numbers[number][at] += by;
            });
        }
        let numbers = numbers.into_iter().zip(&self.subjects);
        let numbers = numbers.map(|(number, subject)| match *subject {
            Subject::Choices { role } => {
                let counts = looks.choices[role].iter();
                Some(counts.map(|&count| count as f32).collect())
            }
            Subject::Now { role } => {
                let goals = looks.goals[role].iter();
                goals.map(|goal| goal.map(f32::from)).collect()
            }
            _ => Some(number),
        });
        Ok(numbers.collect())
    }
}
