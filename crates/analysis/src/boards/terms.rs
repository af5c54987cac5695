//! The shapes of facts and moves, and the constants in them.

use game::GroundTerm;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Facts or moves of one shape.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    /// The term with `_` for every constant except the names of relation and functions.
    pub text: String,
    /// The terms, by their number.
    pub terms: Vec<u32>,
    /// The constants of each term, by their number in [`Constants`]; the same number for all
    /// terms.
    pub args: Vec<Vec<u32>>,
}

impl Shape {
    /// The number of constants in a term.
    pub fn arity(&self) -> usize {
        self.args.first().map_or(0, Vec::len)
    }

    /// The constants at some positions.
    pub fn at(&self, term: usize, positions: &[usize]) -> Vec<u32> {
        let args = &self.args[term];
        positions.iter().map(|&position| args[position]).collect()
    }

    /// The constants that occur at a position, ascending.
    pub fn values(&self, position: usize) -> Vec<u32> {
        let mut values: Vec<u32> = self.args.iter().map(|args| args[position]).collect();
        values.sort_unstable();
        values.dedup();
        values
    }
}

/// Constants by number, in order of first occurrence.
#[derive(Debug, Default)]
pub(super) struct Constants {
    names: Vec<Arc<str>>,
    numbers: BTreeMap<Arc<str>, u32>,
}

impl Constants {
    fn number(&mut self, name: &Arc<str>) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.clone());
        self.numbers.insert(name.clone(), number);
        number
    }

    /// The name of a constant.
    pub fn name(&self, number: u32) -> Arc<str> {
        self.names[number as usize].clone()
    }

    /// The numerical value of a constant, if it is an integer.
    pub fn numeral(&self, number: u32) -> Option<i64> {
        self.names[number as usize].parse().ok()
    }

    fn take(&mut self, term: &GroundTerm, text: &mut String, args: &mut Vec<u32>) {
        text.push(' ');
        match term {
            GroundTerm::Constant(name) => {
                text.push('_');
                args.push(self.number(name));
            }
            GroundTerm::Compound(name, inner) => {
                text.push('(');
                text.push_str(name);
                inner.iter().for_each(|term| self.take(term, text, args));
                text.push(')');
            }
        }
    }
}

/// The shapes of terms, in order of first occurrence.
pub(super) fn shapes(terms: &[GroundTerm], constants: &mut Constants) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for (number, term) in (0..).zip(terms) {
        let (mut text, mut args) = (String::new(), Vec::new());
        match term {
            GroundTerm::Constant(name) => text.push_str(name),
            GroundTerm::Compound(name, inner) => {
                text.push_str(name);
                let inner = inner.iter();
                inner.for_each(|term| constants.take(term, &mut text, &mut args));
            }
        }
        let at = *known.entry(text.clone()).or_insert(shapes.len());
        if at == shapes.len() {
            shapes.push(Shape {
                text,
                terms: Vec::new(),
                args: Vec::new(),
            });
        }
        shapes[at].terms.push(number);
        shapes[at].args.push(args);
    }
    shapes
}
