//! Finds boards: relations whose facts place things on squares.

use crate::names::Names;
use crate::order::ordered;
use gdl_parse::GroundTerm;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of boards of one relation. More of them are not considered boards.
const MOST_BOARDS: usize = 36;

/// A relation that is drawn. `grid` places the fact on its board, `content` is the thing there,
/// and the remaining arguments name the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The shape of its facts.
    pub shape: String,
    /// The arguments for the horizontal and the vertical coordinate.
    pub grid: [usize; 2],
    /// The values of both coordinates, in order.
    pub sides: [Vec<String>; 2],
    /// The arguments for the thing, such as its kind, or whose it is and its kind. If empty, only
    /// the fact itself is drawn.
    pub content: Vec<usize>,
    /// The arguments that name the board.
    pub boards: Vec<usize>,
    /// The board names that occurred, in order.
    pub names: Vec<Vec<String>>,
    /// The thing that marks an empty place. It is drawn as a dot.
    pub blank: Option<String>,
    /// The other things.
    pub things: BTreeSet<String>,
}

impl Layout {
    /// The place of a fact with these arguments: its board, and both coordinates.
    pub fn place(&self, args: &[String]) -> (Vec<String>, String, String) {
        let board = self.boards.iter().map(|&position| args[position].clone());
        let [across, up] = self.grid;
        (board.collect(), args[across].clone(), args[up].clone())
    }

    /// The thing of a fact with these arguments.
    pub fn thing(&self, args: &[String]) -> String {
        thing(&self.content, args)
    }
}

/// A decomposed fact: its shape, and its constants in order.
///
/// The shape is the fact with `_` for every constant except the names of relation and
/// functions. `(seeds (house north 1) 4)` has the shape `seeds (house _ _) _`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fact<'a> {
    pub shape: String,
    pub args: Vec<String>,
    pub term: &'a GroundTerm,
}

impl<'a> Fact<'a> {
    /// Takes a fact apart. `names` of squares are two constants each.
    pub fn of(term: &'a GroundTerm, names: &Names) -> Fact<'a> {
        let mut fact = Fact {
            shape: String::new(),
            args: Vec::new(),
            term,
        };
        match term {
            GroundTerm::Constant(name) => fact.shape += name,
            GroundTerm::Compound(name, args) => {
                fact.shape += name;
                args.iter().for_each(|arg| fact.take(arg, names));
            }
        }
        fact
    }

    fn take(&mut self, arg: &GroundTerm, names: &Names) {
        self.shape.push(' ');
        match arg {
            GroundTerm::Constant(name) => match names.parts(name) {
                Some((column, row)) => {
                    self.shape.push_str("__");
                    self.args.extend([column.to_owned(), row.to_owned()]);
                }
                None => {
                    self.shape.push('_');
                    self.args.push(name.to_string());
                }
            },
            GroundTerm::Compound(name, args) => {
                self.shape.push('(');
                self.shape += name;
                args.iter().for_each(|arg| self.take(arg, names));
                self.shape.push(')');
            }
        }
    }
}

/// The facts of one relation: for each sampled state, the argument lists.
type Samples = Vec<Vec<Vec<String>>>;

/// The layouts of all relations that are boards in all `states`.
pub(crate) fn find(
    chains: &[Vec<String>],
    states: &[Vec<GroundTerm>],
    names: &Names,
) -> Vec<Layout> {
    let mut relations: BTreeMap<String, Samples> = BTreeMap::new();
    for (at, facts) in states.iter().enumerate() {
        for fact in facts.iter().map(|term| Fact::of(term, names)) {
            let samples = relations.entry(fact.shape).or_default();
            samples.resize(states.len(), Vec::new());
            samples[at].push(fact.args);
        }
    }
    relations
        .into_iter()
        .filter_map(|(shape, samples)| layout(shape, &samples, chains))
        .collect()
}

fn layout(shape: String, samples: &Samples, chains: &[Vec<String>]) -> Option<Layout> {
    // All facts of one shape have the same number of constants.
    let arity = samples.iter().flatten().map(Vec::len).next()?;
    let sides: Vec<Option<Vec<String>>> = (0..arity)
        .map(|position| {
            let values = samples.iter().flatten().map(|args| args[position].as_str());
            ordered(&values.collect(), chains)
        })
        .collect();
    // The thing is more likely to be an unordered argument, and a coordinate an ordered one.
    // Later arguments are tried first, because rulesheets write the place before the thing, and
    // the board before the place.
    let mut contents: Vec<Option<usize>> = (0..arity).rev().map(Some).collect();
    contents.sort_by_key(|content| content.is_some_and(|position| sides[position].is_some()));
    if sides.iter().all(Option::is_some) {
        contents.push(None);
    }
    contents.into_iter().find_map(|content| {
        let mut places = (0..arity)
            .rev()
            .filter(|&position| Some(position) != content && sides[position].is_some());
        let (up, across) = (places.next()?, places.next()?);
        let boards: Vec<usize> = (0..arity)
            .filter(|&position| Some(position) != content && position != up && position != across)
            .collect();
        let name = |args: &Vec<String>| -> Vec<String> {
            boards
                .iter()
                .map(|&position| args[position].clone())
                .collect()
        };
        let names: BTreeSet<_> = samples.iter().flatten().map(name).collect();
        let one_thing_in_one_place = samples.iter().all(|facts| {
            let places: BTreeSet<_> = facts
                .iter()
                .map(|args| (name(args), &args[across], &args[up]))
                .collect();
            places.len() == facts.len()
        });
        // A relation of two numbers may be a function, such as the size of each heap.
        let function = content.is_none()
            && [across, up].iter().any(|&position| {
                samples.iter().all(|facts| {
                    let values: BTreeSet<_> = facts.iter().map(|args| &args[position]).collect();
                    values.len() == facts.len()
                })
            });
        if !one_thing_in_one_place || function || names.len() > MOST_BOARDS {
            return None;
        }
        // What never meets is on one board, such as the pieces of two colours.
        let one_board = names.len() > 1
            && samples.iter().all(|facts| {
                let squares: BTreeSet<_> = facts
                    .iter()
                    .map(|args| (&args[across], &args[up]))
                    .collect();
                squares.len() == facts.len()
            });
        let (owners, boards, names) = match one_board {
            true => (boards, Vec::new(), BTreeSet::from([Vec::new()])),
            false => (Vec::new(), boards, names),
        };
        let content: Vec<usize> = owners.into_iter().chain(content).collect();
        let squares = samples.iter().flatten().map(|args| {
            let board = boards.iter().map(|&position| &args[position]);
            (board.collect::<Vec<_>>(), &args[across], &args[up])
        });
        let squares = squares.collect::<BTreeSet<_>>().len();
        let (blank, things) = contents_of(samples, &content, squares);
        Some(Layout {
            shape: shape.clone(),
            grid: [across, up],
            sides: [sides[across].clone()?, sides[up].clone()?],
            content,
            boards,
            names: sorted(names),
            blank,
            things,
        })
    })
}

/// The thing that some arguments name.
fn thing(content: &[usize], args: &[String]) -> String {
    let words: Vec<&str> = content.iter().map(|&position| &*args[position]).collect();
    words.join(" ")
}

/// Board names in the order of their numbers, or otherwise of their text.
fn sorted(names: BTreeSet<Vec<String>>) -> Vec<Vec<String>> {
    let mut names: Vec<_> = names.into_iter().collect();
    names.sort_by_cached_key(|name| {
        let numbers: Vec<Option<i64>> = name.iter().map(|word| word.parse().ok()).collect();
        (numbers, name.clone())
    });
    names
}

/// The thing that is drawn as a dot, and everything else. Without things, `#` stands for a fact.
/// There are so many `squares` on which something was seen.
fn contents_of(
    samples: &Samples,
    content: &[usize],
    squares: usize,
) -> (Option<String>, BTreeSet<String>) {
    if content.is_empty() {
        return (None, BTreeSet::from(["#".to_owned()]));
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for args in samples.first().into_iter().flatten() {
        *counts.entry(thing(content, args)).or_default() += 1;
    }
    let blank = blank(samples, &counts, squares);
    let things = samples.iter().flatten().map(|args| thing(content, args));
    let things: BTreeSet<String> = things
        .filter(|thing| Some(thing) != blank.as_ref())
        .collect();
    // Without any other thing, everything would be drawn as a dot.
    if things.is_empty() {
        return (None, counts.into_keys().collect());
    }
    (blank, things)
}

/// The thing that marks an empty place, by how often each thing is there at first.
fn blank(samples: &Samples, counts: &BTreeMap<String, usize>, squares: usize) -> Option<String> {
    let total: usize = counts.values().sum();
    let (name, &most) = counts.iter().max_by_key(|&(_, &count)| count)?;
    let others = counts.iter().filter(|(other, _)| *other != name);
    let second = others.map(|(_, &count)| count).max().unwrap_or(0);
    // Where every place always has one thing, one of them must stand for none. It is at least as
    // frequent as any two others together.
    let filled = samples.iter().all(|facts| facts.len() == total);
    let prevails = match counts.len() {
        1 => total >= squares.max(4),
        _ => 2 * most > total + 1 || filled && most >= 2 * second && most > 2,
    };
    // Where most places have nothing at all, nothing needs a mark.
    let prevails = prevails && 2 * total > squares;
    prevails.then(|| name.clone())
}
