//! The bit of each fact in a state's words.

use game::GroundTerm;
use rustc_hash::FxHashMap;
use wordcode::Place;

/// A rectangular layout may use at most this many bits per fact.
const SPARSEST: usize = 2;

/// The bit of each fact in a state's words.
///
/// An operation on words computes for 64 facts at the cost of one, if similar facts are side by
/// side: for example the squares of a board, separately for every kind of piece. Facts of one
/// form are therefore laid out by their constants, as an array by its indices. Arrays of up to
/// 64 facts do not cross words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    places: Vec<Place>,
    words: usize,
}

impl Layout {
    /// The layout that numbers the facts consecutively.
    pub fn dense(facts: usize) -> Layout {
        Layout {
            places: (0..facts).map(Place::new).collect(),
            words: facts.div_ceil(64),
        }
    }

    /// The bit of each fact.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The number of words of a state.
    pub fn words(&self) -> usize {
        self.words
    }

    /// For each bit of the words, the fact that it represents. 0 if there is none.
    pub fn facts(&self) -> Vec<u32> {
        let mut facts = vec![0; 64 * self.words];
        for (fact, place) in (0..).zip(&self.places) {
            facts[64 * place.word() + place.bit() as usize] = fact;
        }
        facts
    }

    /// For each word, the bits that represent facts.
    pub fn masks(&self) -> Vec<u64> {
        let mut masks = vec![0; self.words];
        for place in &self.places {
            place.set(&mut masks);
        }
        masks
    }
}

/// The forms of the facts of a game. Facts of one form differ only in their constants.
#[derive(Debug)]
pub struct Forms {
    forms: Vec<Form>,
    facts: usize,
}

/// Facts of one form.
#[derive(Debug)]
struct Form {
    facts: Vec<u32>,
    /// For each fact and position, the index of its constant among the constants of that
    /// position.
    indices: Vec<Vec<u32>>,
    /// The number of constants at each position.
    sizes: Vec<u32>,
}

/// The outer positions of one form, as bits. Facts that differ there are in different arrays.
pub type Split = u32;

impl Forms {
    /// Groups facts by form.
    pub fn new(facts: &[GroundTerm]) -> Forms {
        let mut by_form: FxHashMap<String, usize> = FxHashMap::default();
        let mut found: Vec<(Vec<u32>, Vec<Vec<&str>>)> = Vec::new();
        for (fact, term) in (0u32..).zip(facts) {
            let (mut form, mut constants) = (String::new(), Vec::new());
            read(term, true, &mut form, &mut constants);
            let at = *by_form.entry(form).or_insert(found.len());
            if at == found.len() {
                found.push(Default::default());
            }
            found[at].0.push(fact);
            found[at].1.push(constants);
        }
        let mut forms: Vec<Form> = found
            .into_iter()
            .map(|(facts, rows)| Form::new(facts, &rows))
            .collect();
        forms.sort_by_key(|form| std::cmp::Reverse(form.facts.len()));
        Forms {
            forms,
            facts: facts.len(),
        }
    }

    /// The number of forms. The forms with the most facts come first.
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    /// The candidate splits of a form.
    pub fn splits(&self, form: usize) -> Vec<Split> {
        let form = &self.forms[form];
        let positions = form.sizes.len().min(6) as u32;
        if form.facts.len() < 8 {
            return vec![0];
        }
        let real = |split: u32| {
            (0..positions).all(|at| split >> at & 1 == 0 || form.sizes[at as usize] > 1)
        };
        (0..1 << positions)
            .filter(|&split: &u32| split.count_ones() <= 2 && real(split))
            .collect()
    }

    /// The layout with these splits, one for each form.
    pub fn layout(&self, splits: &[Split]) -> Layout {
        let mut places = vec![Place::new(0); self.facts];
        let mut free = 0;
        for (form, &split) in self.forms.iter().zip(splits) {
            for array in form.arrays(split) {
                let span = array.last().map_or(0, |&(at, _)| at + 1);
                let crosses = free % 64 + span > 64;
                if crosses && form.facts.len() > 1 {
                    free = free.next_multiple_of(64);
                }
                for (at, fact) in array {
                    places[fact as usize] = Place::new(free + at);
                }
                free += span;
            }
        }
        Layout {
            places,
            words: free.div_ceil(64),
        }
    }
}

impl Form {
    fn new(facts: Vec<u32>, rows: &[Vec<&str>]) -> Form {
        let positions = rows.first().map_or(0, Vec::len);
        let mut indices = vec![Vec::with_capacity(positions); rows.len()];
        let mut sizes = Vec::with_capacity(positions);
        for at in 0..positions {
            let mut constants: Vec<&str> = rows.iter().map(|row| row[at]).collect();
            constants.sort_unstable_by(|a, b| natural(a).cmp(&natural(b)));
            constants.dedup();
            let number: FxHashMap<&str, u32> = constants.iter().copied().zip(0..).collect();
            for (index, row) in indices.iter_mut().zip(rows) {
                index.push(number[row[at]]);
            }
            sizes.push(constants.len() as u32);
        }
        Form {
            facts,
            indices,
            sizes,
        }
    }

    /// The arrays of the form. Each lists its facts with their positions in it, ascending.
    fn arrays(&self, split: Split) -> Vec<Vec<(usize, u32)>> {
        let outer = |at: usize| at < 32 && split >> at & 1 == 1;
        let mut keyed: Vec<(Vec<u32>, usize, u32)> = Vec::new();
        for (index, &fact) in self.indices.iter().zip(&self.facts) {
            let (mut key, mut inner) = (Vec::new(), 0usize);
            for (at, &i) in index.iter().enumerate() {
                if outer(at) {
                    key.push(i);
                } else {
                    inner = inner
                        .saturating_mul(self.sizes[at] as usize)
                        .saturating_add(i as usize);
                }
            }
            keyed.push((key, inner, fact));
        }
        keyed.sort_unstable();
        // The bounds of the rectangle that contains all arrays.
        let low = keyed.iter().map(|&(_, inner, _)| inner).min().unwrap_or(0);
        let high = keyed.iter().map(|&(_, inner, _)| inner).max().unwrap_or(0);
        let arrays: Vec<&[(Vec<u32>, usize, u32)]> = keyed.chunk_by(|a, b| a.0 == b.0).collect();
        let dense = (high - low + 1).saturating_mul(arrays.len()) <= SPARSEST * keyed.len();
        let place = |(i, &(_, inner, fact)): (usize, &(Vec<u32>, usize, u32))| {
            (if dense { inner - low } else { i }, fact)
        };
        arrays
            .into_iter()
            .map(|array| array.iter().enumerate().map(place).collect())
            .collect()
    }
}

/// Writes the form of a term and collects its constants.
fn read<'t>(term: &'t GroundTerm, top: bool, form: &mut String, constants: &mut Vec<&'t str>) {
    match term {
        GroundTerm::Constant(name) if top => form.push_str(name),
        GroundTerm::Constant(name) => {
            form.push_str(" .");
            constants.push(name);
        }
        GroundTerm::Compound(name, args) => {
            form.push_str(" (");
            form.push_str(name);
            for arg in args {
                read(arg, false, form, constants);
            }
            form.push(')');
        }
    }
}

/// Splits a name for natural ordering, in which digits compare as numbers.
fn natural(name: &str) -> Vec<(u128, &str)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let text = rest
            .bytes()
            .skip(digits)
            .take_while(|b| !b.is_ascii_digit());
        let end = digits + text.count();
        let number = rest[..digits.min(30)].parse().unwrap_or(0);
        parts.push((number, &rest[digits..end]));
        rest = &rest[end..];
    }
    parts
}
