//! Counts as canonical linear forms over variables.

use invariants::Groups;
use netlist::GameLogic;
use rustc_hash::FxHashMap;

/// The number of a form.
pub(super) type FormId = u32;

/// A variable: it has exactly one of a few values in every reachable state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Variable {
    /// Facts of which exactly one holds; `None` stands for the case that none of the others
    /// does.
    Facts(Vec<Option<u32>>),
    /// A signal, by its node: false or true.
    Signal(u32),
}

impl Variable {
    /// The number of its values.
    pub fn values(&self) -> usize {
        match self {
            Variable::Facts(values) => values.len(),
            Variable::Signal(_) => 2,
        }
    }
}

/// A fact expressed by variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// It never changes.
    Constant(bool),
    /// It holds if the variable has this value, or, if `opposite`, if it has another.
    Value {
        variable: u32,
        value: u32,
        opposite: bool,
    },
}

/// The weight of every value of a variable; that of the first value is 0.
pub(super) type Term = (u32, Vec<i32>);

/// A sum of weights, in canonical form.
///
/// Terms are in order of their variables, and none is all zero. The greatest common divisor of
/// all weights is 1, and the first weight that is not zero is positive.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Form {
    pub terms: Vec<Term>,
    /// The least and the greatest value of the sum.
    pub low: i32,
    pub high: i32,
}

impl Form {
    /// The number of values from the least to the greatest.
    pub fn size(&self) -> usize {
        (self.high - self.low + 1) as usize
    }

    /// The only variable that the form depends on, if it depends on just one.
    pub fn single(&self) -> Option<&Term> {
        match &self.terms[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// Variables, and the forms over them.
#[derive(Debug, Default)]
pub(super) struct Forms {
    pub variables: Vec<Variable>,
    pub facts: Vec<Meaning>,
    forms: Vec<Form>,
    known: FxHashMap<Vec<Term>, FormId>,
    apart: FxHashMap<(FormId, FormId), bool>,
    /// Approximate number of table entries visited.
    pub work: u64,
    /// The maximum size of tables.
    pub limits: Limits,
    /// Whether the work reached its bound, so that not everything was tried.
    pub bounded: bool,
}

/// The maximum size of tables.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Number of entries.
    pub entries: usize,
    /// Number of sums.
    pub dims: usize,
}

impl Limits {
    /// While a result is likely.
    const WIDE: Limits = Limits {
        entries: 1 << 13,
        dims: 12,
    };
    /// After so much work that a result is unlikely: plain counts are still found.
    pub const NARROW: Limits = Limits {
        entries: 1 << 7,
        dims: 2,
    };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::WIDE
    }
}

/// Cost of a term of a sum, in table entries: for a lookup, and for a new sum.
const WEIGHTS: [u64; 2] = [16, 96];
/// Sums with greater values are rejected.
const LARGEST: i32 = 1 << 20;

impl Forms {
    /// Makes a variable for every proved group, unless it shares facts with an earlier one, and
    /// one for every other fact.
    pub fn new(logic: &GameLogic, groups: &Groups) -> Forms {
        let mut meanings = Meanings {
            facts: vec![None; logic.facts.len()],
            variables: Vec::new(),
        };
        for &(fact, value) in &groups.constants {
            meanings.facts[fact as usize] = Some(Meaning::Constant(value));
        }
        meanings.add_groups(groups);
        meanings.add_single_facts(groups);
        meanings.add_equal_facts(groups);
        let facts = meanings.facts.into_iter();
        Forms {
            facts: facts
                .map(|meaning| meaning.unwrap_or(Meaning::Constant(false)))
                .collect(),
            variables: meanings.variables,
            ..Forms::default()
        }
    }

    /// Adds to the work done.
    pub fn worked(&mut self, entries: usize) {
        self.work += entries as u64;
    }

    /// The form with this number.
    pub fn get(&self, id: FormId) -> &Form {
        &self.forms[id as usize]
    }

    /// Adds a variable for a signal.
    pub fn signal(&mut self, node: usize) -> u32 {
        self.variables.push(Variable::Signal(node as u32));
        (self.variables.len() - 1) as u32
    }

    /// The canonical form of a sum, and the factor by which it is multiplied to give the sum.
    /// `None` if the sum is constant or too large.
    pub fn intern(&mut self, mut terms: Vec<Term>) -> Option<(FormId, i32)> {
        terms.retain(|(_, weights)| weights.iter().any(|&weight| weight != 0));
        terms.sort_by_key(|term| term.0);
        let all = || {
            terms
                .iter()
                .flat_map(|(_, weights)| weights.iter().copied())
        };
        let first = all().find(|&weight| weight != 0)?;
        let divisor = all().fold(0, |a, b| gcd(a, b.abs())) * first.signum();
        for (_, weights) in &mut terms {
            for weight in weights {
                *weight /= divisor;
            }
        }
        self.work += WEIGHTS[0] * terms.len() as u64;
        if let Some(&id) = self.known.get(&terms) {
            return Some((id, divisor));
        }
        let bound = |pick: fn(&Vec<i32>) -> i32| {
            terms
                .iter()
                .map(|(_, weights)| i64::from(pick(weights)))
                .sum::<i64>()
        };
        let low = bound(|weights| weights.iter().copied().min().unwrap_or(0));
        let high = bound(|weights| weights.iter().copied().max().unwrap_or(0));
        if high - low > i64::from(LARGEST) {
            return None;
        }
        self.work += WEIGHTS[1] * terms.len() as u64;
        let id = self.forms.len() as FormId;
        self.known.insert(terms.clone(), id);
        self.forms.push(Form {
            terms,
            low: low as i32,
            high: high as i32,
        });
        Some((id, divisor))
    }

    /// The sum of a form and a multiple of another.
    pub fn sum(&mut self, a: FormId, factor: i32, b: FormId) -> Option<(FormId, i32)> {
        let mut terms = self.get(a).terms.clone();
        for (variable, weights) in &self.get(b).terms.clone() {
            let scaled = weights.iter().map(|weight| weight * factor);
            match terms.iter_mut().find(|term| term.0 == *variable) {
                Some((_, mine)) => {
                    for (mine, weight) in mine.iter_mut().zip(scaled) {
                        *mine += weight;
                    }
                }
                None => terms.push((*variable, scaled.collect())),
            }
        }
        self.intern(terms)
    }

    /// Whether two forms have no variable in common.
    pub fn apart(&mut self, a: FormId, b: FormId) -> bool {
        let key = (a.min(b), a.max(b));
        if let Some(&apart) = self.apart.get(&key) {
            return apart;
        }
        let (mut one, mut other) = (
            self.get(a).terms.iter().map(|term| term.0).peekable(),
            self.get(b).terms.iter().map(|term| term.0).peekable(),
        );
        let mut apart = true;
        while let (Some(x), Some(y)) = (one.peek(), other.peek()) {
            match x.cmp(y) {
                std::cmp::Ordering::Less => drop(one.next()),
                std::cmp::Ordering::Greater => drop(other.next()),
                std::cmp::Ordering::Equal => {
                    apart = false;
                    break;
                }
            }
        }
        self.apart.insert(key, apart);
        apart
    }
}

/// The meanings of facts, as far as they are known.
struct Meanings {
    facts: Vec<Option<Meaning>>,
    variables: Vec<Variable>,
}

impl Meanings {
    /// Adds a variable for every group whose facts have no meaning yet.
    fn add_groups(&mut self, groups: &Groups) {
        // Groups that always have a member first, as they are the most informative, then larger
        // ones.
        let mut order: Vec<usize> = (0..groups.groups.len()).collect();
        order.sort_by_key(|&at| {
            let group = &groups.groups[at];
            (!group.exactly, std::cmp::Reverse(group.facts.len()), at)
        });
        for at in order {
            let group = &groups.groups[at];
            let known = |&fact: &u32| self.facts[fact as usize].is_some();
            if group.facts.iter().any(known) {
                continue;
            }
            let none = (!group.exactly).then_some(None);
            let members = group.facts.iter().map(|&fact| Some(fact));
            self.add(none.into_iter().chain(members).collect());
        }
    }

    /// Adds a variable for every other fact that equals none.
    fn add_single_facts(&mut self, groups: &Groups) {
        let mut spare = vec![false; self.facts.len()];
        for equal in &groups.equal {
            spare[equal.fact as usize] = true;
        }
        for (fact, spare) in spare.into_iter().enumerate() {
            if self.facts[fact].is_none() && !spare {
                self.add(vec![None, Some(fact as u32)]);
            }
        }
    }

    /// Adds a variable with these values.
    fn add(&mut self, values: Vec<Option<u32>>) {
        for (value, fact) in values.iter().enumerate() {
            if let Some(fact) = fact {
                self.facts[*fact as usize] = Some(Meaning::Value {
                    variable: self.variables.len() as u32,
                    value: value as u32,
                    opposite: false,
                });
            }
        }
        self.variables.push(Variable::Facts(values));
    }

    /// Expresses facts that equal another, or its opposite, by what that one means.
    fn add_equal_facts(&mut self, groups: &Groups) {
        for equal in &groups.equal {
            if self.facts[equal.fact as usize].is_some() {
                continue;
            }
            let like = self.facts[equal.like as usize].unwrap_or(Meaning::Constant(false));
            self.facts[equal.fact as usize] = Some(match like {
                Meaning::Constant(value) => Meaning::Constant(value != equal.opposite),
                Meaning::Value {
                    variable,
                    value,
                    opposite,
                } => Meaning::Value {
                    variable,
                    value,
                    opposite: opposite != equal.opposite,
                },
            });
        }
    }
}

/// The greatest common divisor; that of 0 and a number is the number.
pub(super) fn gcd(a: i32, b: i32) -> i32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
