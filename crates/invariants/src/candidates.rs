//! Candidate invariants, from the form of the facts and from random play.
//!
//! Facts that differ only in some arguments are tried as a group, for every choice of arguments:
//! the pieces on one square, the squares of one piece, the values of a counter. Names carry no
//! meaning here: the name of a function is treated as one more argument. A candidate is kept if
//! random play never reaches a state with two of its facts.

use crate::groups::Group;
use crate::invariant::Invariant;
use crate::samples::Samples;
use budget::Budget;
use game::GroundTerm;
use netlist::GameLogic;
use rustc_hash::FxHashMap;

/// Terms with more names than this are split only in a few ways.
const MOST_PLACES: usize = 7;
/// Maximum number of groups per fact. One more may differ in a single place: what is in a square
/// is exclusive, however many lines the square is in.
const MOST_GROUPS: usize = 4;

/// The candidates that hold in all samples, as many as are found within the budget.
pub fn candidates(logic: &GameLogic, samples: &Samples, budget: &Budget) -> Vec<Invariant> {
    let facts = logic.facts.len() as u32;
    let constants: Vec<Option<bool>> = (0..facts).map(|fact| samples.constant(fact)).collect();
    let mut found = Found {
        samples,
        groups: Vec::new(),
        unions: Vec::new(),
        of_fact: vec![Vec::new(); facts as usize],
        seen: constants
            .iter()
            .map(|value| *value != Some(false))
            .collect(),
    };
    for shape in shapes(&logic.words.facts) {
        for free in choices(shape.places) {
            if budget.check().is_err() {
                break;
            }
            found.try_all(&shape, free);
        }
    }
    found.join(facts);
    let constants = (0..facts).zip(constants);
    let constants = constants.filter_map(|(fact, value)| Some(Invariant::Constant(fact, value?)));
    let groups = found.groups.into_iter().map(Invariant::Group);
    constants.chain(groups).collect()
}

/// Facts whose terms differ only in the names in them.
struct Shape {
    places: usize,
    facts: Vec<u32>,
    /// The names in each fact, `places` per fact.
    names: Vec<u32>,
}

impl Shape {
    fn names(&self, at: usize) -> &[u32] {
        &self.names[at * self.places..][..self.places]
    }
}

fn shapes(terms: &[GroundTerm]) -> Vec<Shape> {
    let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
    let mut known: FxHashMap<Vec<u8>, usize> = FxHashMap::default();
    let mut shapes: Vec<Shape> = Vec::new();
    for (fact, term) in terms.iter().enumerate() {
        let (mut skeleton, mut names) = (Vec::new(), Vec::new());
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            let (name, args): (&str, &[GroundTerm]) = match term {
                GroundTerm::Constant(name) => (name, &[]),
                GroundTerm::Compound(name, args) => (name, args),
            };
            let number = numbers.len() as u32;
            names.push(*numbers.entry(name).or_insert(number));
            skeleton.push(args.len().min(255) as u8);
            stack.extend(args.iter().rev());
        }
        let shape = *known.entry(skeleton).or_insert(shapes.len());
        if shape == shapes.len() {
            shapes.push(Shape {
                places: names.len(),
                facts: Vec::new(),
                names: Vec::new(),
            });
        }
        shapes[shape].facts.push(fact as u32);
        shapes[shape].names.extend(names);
    }
    shapes
}

/// Sets of places that may differ within a group, larger sets first.
fn choices(places: usize) -> Vec<u64> {
    let mut choices: Vec<u64> = if places <= MOST_PLACES {
        (1..1 << places).collect()
    } else {
        let places = places.min(63);
        let all = (1u64 << places) - 1;
        let pairs = (0..places).flat_map(|a| (0..=a).map(move |b| 1 << a | 1 << b));
        let one = (0..places).map(|a| all & !(1 << a));
        pairs.chain(one).chain([all]).collect()
    };
    choices.sort_by_key(|free| std::cmp::Reverse(free.count_ones()));
    choices
}

struct Found<'s> {
    samples: &'s Samples,
    groups: Vec<Group>,
    /// For each group, the samples in which any member holds.
    unions: Vec<Vec<u64>>,
    of_fact: Vec<Vec<u32>>,
    /// For each fact, whether it holds in any sample.
    seen: Vec<bool>,
}

impl Found<'_> {
    /// Tries all groups of facts that differ only in the places `free`.
    fn try_all(&mut self, shape: &Shape, free: u64) {
        let mut by_key: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for (at, &fact) in shape.facts.iter().enumerate() {
            let names = shape.names(at).iter().enumerate();
            let fixed = names.filter(|(place, _)| *place >= 64 || free >> place & 1 == 0);
            let key: Vec<u32> = fixed.map(|(_, &name)| name).collect();
            let group = *by_key.entry(key).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(fact);
        }
        let most = MOST_GROUPS + usize::from(free.count_ones() == 1);
        for group in groups {
            self.try_one(group, most);
        }
    }

    /// Keeps the group if no sample has two of its facts, none of them is in `most` groups
    /// already, and no larger group is known.
    fn try_one(&mut self, facts: Vec<u32>, most: usize) {
        let seen = facts.iter().filter(|&&fact| self.seen[fact as usize]);
        let full = |fact: &&u32| self.of_fact[**fact as usize].len() >= most;
        if facts.len() < 2 || seen.count() < 2 || facts.iter().any(|fact| full(&fact)) {
            return;
        }
        let within = |group: &Group| {
            let mut facts = facts.iter();
            facts.all(|fact| group.facts.binary_search(fact).is_ok())
        };
        let of_first = &self.of_fact[facts[0] as usize];
        if of_first
            .iter()
            .any(|&group| within(&self.groups[group as usize]))
        {
            return;
        }
        if let Some(any) = self.samples.any_if_exclusive(&facts) {
            self.add(facts, any);
        }
    }

    fn add(&mut self, facts: Vec<u32>, any: Vec<u64>) {
        let number = self.groups.len() as u32;
        for &fact in &facts {
            self.of_fact[fact as usize].push(number);
        }
        let exactly = any.iter().all(|&word| word == u64::MAX);
        self.groups.push(Group { facts, exactly });
        self.unions.push(any);
    }

    /// Joins two groups, a group and a fact, or two facts, if exactly one of the two holds in
    /// every sample.
    fn join(&mut self, facts: u32) {
        let singles: Vec<u32> = (0..facts)
            .filter(|&fact| self.seen[fact as usize] && self.samples.constant(fact).is_none())
            .collect();
        let mut parts: Vec<(Vec<u32>, Vec<u64>)> = Vec::new();
        for (group, any) in self.groups.iter().zip(&self.unions) {
            if !group.exactly {
                parts.push((group.facts.clone(), any.clone()));
            }
        }
        for fact in singles {
            parts.push((vec![fact], self.samples.of(fact).to_vec()));
        }
        let mut by_union: FxHashMap<&[u64], Vec<usize>> = FxHashMap::default();
        for (at, (_, any)) in parts.iter().enumerate() {
            by_union.entry(any).or_default().push(at);
        }
        let mut joined = Vec::new();
        for (at, (facts, any)) in parts.iter().enumerate() {
            let rest: Vec<u64> = any.iter().map(|word| !word).collect();
            let others = by_union.get(&rest[..]).into_iter().flatten();
            for &other in others.filter(|&&other| other > at).take(1) {
                let mut all = [&facts[..], &parts[other].0].concat();
                all.sort_unstable();
                joined.push(all);
            }
        }
        for facts in joined {
            self.try_one(facts, MOST_GROUPS + 1);
        }
    }
}
