//! Features: tuples of variables, each with a table of weights (an n-tuple network).
//!
//! A *variable* is a set of facts of which at most one holds, such as the contents of a square.
//! A *tuple* is a list of variables; its table has an entry for each combination of their values.
//! Several tuples may share a table: the same pattern at different places of a board. See Lucas,
//! "Learning to Play Othello with N-Tuple Systems", 2008.

use crate::mirror::{Mirror, Perspective, Perspectives};
use serde::{Deserialize, Serialize};

/// The most entries of all tables of features that are read from elsewhere.
const ENTRIES: usize = 1 << 28;

/// The variables, tables and tuples of a game, as plain data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeatureSet {
    /// For each bit of a state the variable and the value that it stands for, if it has one.
    pub bits: Vec<Option<(u32, u32)>>,
    /// The number of values of each variable. If none of its bits is set, its value is 0.
    pub sizes: Vec<u32>,
    /// The tables.
    pub tables: Vec<Table>,
    /// The tuples.
    pub tuples: Vec<Tuple>,
    /// How states are divided into sets with weights of their own, such as by the role to move.
    pub sets: Sets,
    /// For each set whether its states are looked at in a mirror. If this is empty, none are.
    pub mirrors: Vec<Option<Mirror>>,
}

impl FeatureSet {
    /// The same features of states whose bits are in another order: `order` has for each bit of
    /// such a state its bit before, if it has one. Tables and tuples stay as they are.
    pub fn reordered(&self, order: &[Option<u32>]) -> FeatureSet {
        let moved = |bits: &[Option<(u32, u32)>]| {
            let before = |bit: &Option<u32>| bits.get((*bit)? as usize).copied().flatten();
            order.iter().map(before).collect()
        };
        let mirrors = self.mirrors.iter().map(|mirror| {
            let mirror = mirror.as_ref()?;
            let bits = moved(&mirror.bits);
            Some(Mirror {
                bits,
                ..mirror.clone()
            })
        });
        let place = |bit: &u32| order.iter().position(|one| *one == Some(*bit));
        let bits = self.sets.bits.iter();
        let of_sets: Option<Vec<u32>> = bits.map(|bit| place(bit).map(|at| at as u32)).collect();
        FeatureSet {
            bits: moved(&self.bits),
            sets: match &of_sets {
                Some(bits) => Sets {
                    bits: bits.clone(),
                    values: self.sets.values.clone(),
                },
                None => Sets::default(),
            },
            mirrors: match of_sets.is_some() {
                true => mirrors.collect(),
                false => Vec::new(),
            },
            ..self.clone()
        }
    }

    /// Leaves out the largest tables, with the tuples that read them, so that all others together
    /// have no more than so many entries.
    pub fn keep_smallest(&mut self, entries: usize) {
        let mut order: Vec<usize> = (0..self.tables.len()).collect();
        order.sort_by_key(|&table| self.tables[table].entries());
        let (mut kept, mut room) = (vec![false; self.tables.len()], entries);
        for table in order {
            let Some(left) = room.checked_sub(self.tables[table].entries()) else {
                break;
            };
            (kept[table], room) = (true, left);
        }
        let before = |table: usize| kept[..table].iter().filter(|&&kept| kept).count() as u32;
        let places: Vec<u32> = (0..kept.len()).map(before).collect();
        self.tuples.retain(|tuple| kept[tuple.table as usize]);
        for tuple in &mut self.tuples {
            tuple.table = places[tuple.table as usize];
        }
        let mut is_kept = kept.iter();
        self.tables.retain(|_| is_kept.next() == Some(&true));
    }

    /// Whether all parts fit together, so that [`Features::new`] can lay them out. To be asked of
    /// what comes from outside.
    pub fn is_sound(&self) -> bool {
        let mut bits = self.bits.iter().flatten();
        let known = |&(variable, value): &(u32, u32)| {
            let size = self.sizes.get(variable as usize);
            size.is_some_and(|&size| value < size)
        };
        let mut tables = self.tables.iter();
        let entries = tables.try_fold(0usize, |all, table| {
            let mut sizes = table.sizes.iter();
            let entries = sizes.try_fold(1usize, |product, &size| {
                product.checked_mul(size as usize).filter(|_| size > 0)
            });
            all.checked_add(entries?).filter(|&all| all <= ENTRIES)
        });
        let sets = &self.sets;
        let within = |bit: &u32| (*bit as usize) < self.bits.len();
        let fit = |values: &Vec<bool>| values.len() == sets.bits.len();
        bits.all(known)
            && !self.sizes.contains(&0)
            && self.tables.iter().all(|table| !table.sizes.is_empty())
            && entries.is_some()
            && sets.bits.iter().all(within)
            && sets.values.iter().all(fit)
            && (self.mirrors.is_empty() || self.mirrors.len() == sets.len())
            && self.mirrors.iter().flatten().all(|one| one.is_sound(self))
    }
}

/// A table of weights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// The number of values of each variable of its tuples. Where a place may be off the board,
    /// the last value stands for that.
    pub sizes: Vec<u32>,
    /// The entries that are not learnt.
    pub blank: Blank,
}

impl Table {
    /// The number of entries.
    pub fn entries(&self) -> usize {
        self.sizes.iter().map(|&size| size as usize).product()
    }
}

/// The entries of a table whose weights stay 0. In a table that many tuples share, what is
/// everywhere, such as empty surroundings, says nothing, and would outweigh all else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Blank {
    /// All entries are learnt.
    Nothing,
    /// Entries in which the first variable has this value.
    First(u32),
    /// The entry in which all variables have this value.
    All(u32),
}

/// A list of variables with a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tuple {
    /// The position of its table.
    pub table: u32,
    /// Its variables; `None` for a place off the board.
    pub variables: Vec<Option<u32>>,
}

/// A division of states into sets by some of their facts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sets {
    /// The bits that decide.
    pub bits: Vec<u32>,
    /// For each set, the values of these bits. A state that fits none is in the first set.
    pub values: Vec<Vec<bool>>,
}

impl Sets {
    /// The number of sets.
    pub fn len(&self) -> usize {
        self.values.len().max(1)
    }

    /// Whether there is nothing to tell apart.
    pub fn is_empty(&self) -> bool {
        self.values.len() <= 1
    }

    /// The set of a state.
    #[inline]
    pub fn of(&self, state: &[u64]) -> usize {
        let fits = |values: &Vec<bool>| {
            let mut pairs = self.bits.iter().zip(values);
            pairs.all(|(&bit, &value)| holds(state, bit) == value)
        };
        self.values.iter().position(fits).unwrap_or(0)
    }
}

#[inline]
fn holds(state: &[u64], bit: u32) -> bool {
    state
        .get(bit as usize / 64)
        .is_some_and(|word| word >> (bit % 64) & 1 == 1)
}

/// The tuples in which a variable occurs, with the distance in the table between its values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Use {
    pub tuple: u32,
    pub stride: u32,
}

/// A [`FeatureSet`], laid out for evaluation.
#[derive(Debug, Clone)]
pub struct Features {
    data: FeatureSet,
    /// For each view and each bit its variable, or `NONE`, and its value.
    of_bit: Vec<Vec<(u32, u32)>>,
    /// For each set how its states are looked at.
    perspectives: Vec<Perspective>,
    /// The number of sets of weights.
    weights: usize,
    /// For each tuple the position of its first entry, with places off the board.
    pub(crate) base: Vec<u32>,
    /// For each variable where its uses begin; one more at the end.
    first_use: Vec<u32>,
    uses: Vec<Use>,
    /// Whether no tuple has a variable twice.
    pub(crate) once: bool,
    /// The number of entries of all tables.
    entries: usize,
    /// Whether an entry is not learnt.
    pub(crate) frozen: Vec<bool>,
    /// The tuples that share their table with others, or whose table has entries that are not
    /// learnt.
    pub(crate) shared: Vec<u32>,
}

/// No variable.
pub(crate) const NONE: u32 = u32::MAX;

impl Features {
    /// Lays out a data. Tuples that do not fit their table or the variables are left out.
    pub fn new(mut data: FeatureSet) -> Features {
        let variables = data.sizes.len() as u32;
        data.tuples.retain(|tuple| {
            let table = data.tables.get(tuple.table as usize);
            table.is_some_and(|table| {
                let mut pairs = tuple.variables.iter().zip(&table.sizes);
                tuple.variables.len() == table.sizes.len()
                    && pairs.all(|(variable, &size)| match variable {
                        Some(variable) => {
                            *variable < variables && data.sizes[*variable as usize] <= size
                        }
                        None => size > 0,
                    })
            })
        });
        let mut first = Vec::with_capacity(data.tables.len());
        let mut frozen = Vec::new();
        for table in &data.tables {
            first.push(frozen.len() as u32);
            let entries: u32 = table.sizes.iter().product();
            frozen.extend((0..entries).map(|entry| table.is_blank(entry)));
        }
        let mut base = Vec::with_capacity(data.tuples.len());
        let mut of_variable: Vec<Vec<Use>> = vec![Vec::new(); data.sizes.len()];
        for (number, tuple) in data.tuples.iter().enumerate() {
            let table = &data.tables[tuple.table as usize];
            let (mut begin, mut stride) = (first[tuple.table as usize], 1);
            for (variable, &size) in tuple.variables.iter().zip(&table.sizes) {
                match variable {
                    Some(variable) => of_variable[*variable as usize].push(Use {
                        tuple: number as u32,
                        stride,
                    }),
                    None => begin += stride * (size - 1),
                }
                stride *= size;
            }
            base.push(begin);
        }
        let mut first_use = vec![0];
        let mut uses = Vec::new();
        let mut once = true;
        for of_variable in of_variable {
            once &= of_variable
                .windows(2)
                .all(|two| two[0].tuple != two[1].tuple);
            uses.extend(of_variable);
            first_use.push(uses.len() as u32);
        }
        let mut users = vec![0u32; data.tables.len()];
        for tuple in &data.tuples {
            users[tuple.table as usize] += 1;
        }
        let shared = (0..).zip(&data.tuples).filter(|(_, tuple)| {
            let table = tuple.table as usize;
            users[table] > 1 || data.tables[table].blank != Blank::Nothing
        });
        let shared = shared.map(|(number, _)| number).collect();
        let perspectives = Perspectives::new(&data);
        Features {
            of_bit: perspectives.bits,
            perspectives: perspectives.of_set,
            weights: perspectives.weights,
            base,
            first_use,
            uses,
            once,
            entries: frozen.len(),
            frozen,
            shared,
            data,
        }
    }

    /// What was laid out.
    pub fn data(&self) -> &FeatureSet {
        &self.data
    }

    /// The number of entries of all tables together.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// The position of the first entry of a table.
    pub fn first_entry(&self, table: usize) -> usize {
        let sizes = |table: &Table| table.sizes.iter().product::<u32>() as usize;
        self.data.tables[..table].iter().map(sizes).sum()
    }

    /// The number of sets of weights: sets that are looked at in a mirror have none of their own.
    pub fn sets(&self) -> usize {
        self.weights
    }

    /// How the states of a set are looked at.
    #[inline]
    pub(crate) fn perspective(&self, set: usize) -> &Perspective {
        &self.perspectives[set]
    }

    /// The number of views.
    pub(crate) fn views(&self) -> usize {
        self.of_bit.len()
    }

    /// The variable and value of a bit in a view; `NONE` as the variable if it has none.
    #[inline]
    pub(crate) fn of_bit(&self, view: usize, bit: usize) -> (u32, u32) {
        self.of_bit[view].get(bit).copied().unwrap_or((NONE, 0))
    }

    /// Adds to the sum of a variable's bits. Returns by how much its value changes.
    ///
    /// At most one bit is set in states of play. In others the last value stands for all sums
    /// beyond it, so that no entry lies outside of its table.
    #[inline]
    pub(crate) fn change(&self, variable: u32, sum: &mut u32, by: u32) -> u32 {
        let last = self.data.sizes[variable as usize] - 1;
        let before = (*sum).min(last);
        *sum = sum.wrapping_add(by);
        (*sum).min(last).wrapping_sub(before)
    }

    /// The tuples in which a variable occurs.
    #[inline]
    pub(crate) fn uses(&self, variable: u32) -> &[Use] {
        let [begin, end] = [0, 1].map(|one| self.first_use[variable as usize + one] as usize);
        &self.uses[begin..end]
    }
}

impl Table {
    fn is_blank(&self, entry: u32) -> bool {
        match self.blank {
            Blank::Nothing => false,
            Blank::First(blank) => entry % self.sizes[0] == blank,
            Blank::All(blank) => {
                let mut left = entry;
                self.sizes.iter().all(|&size| {
                    let value = left % size;
                    left /= size;
                    value == blank
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_tables_go_first_with_their_tuples() {
        let tables = [vec![3, 3], vec![3], vec![3, 3, 3], vec![2]];
        let tuple = |table: u32, variables: &[u32]| Tuple {
            table,
            variables: variables.iter().copied().map(Some).collect(),
        };
        let all = FeatureSet {
            sizes: vec![3, 3, 3, 2],
            tables: (tables.into_iter())
                .map(|sizes| Table {
                    sizes,
                    blank: Blank::Nothing,
                })
                .collect(),
            tuples: vec![
                tuple(0, &[0, 1]),
                tuple(1, &[0]),
                tuple(2, &[0, 1, 2]),
                tuple(3, &[3]),
                tuple(0, &[1, 2]),
            ],
            ..FeatureSet::default()
        };
        let kept = |entries: usize| {
            let mut set = all.clone();
            set.keep_smallest(entries);
            assert!(set.is_sound());
            assert!(Features::new(set.clone()).entries() <= entries);
            set
        };
        assert_eq!(kept(41), all);
        let some = kept(40);
        assert_eq!(some.tables.len(), 3);
        let places: Vec<u32> = some.tuples.iter().map(|tuple| tuple.table).collect();
        assert_eq!(places, [0, 1, 2, 0]);
        assert_eq!(some.tuples[3], tuple(0, &[1, 2]));
        assert_eq!(kept(5).tuples, [tuple(0, &[0]), tuple(1, &[3])]);
        assert_eq!(kept(1).tables, []);
    }
}
