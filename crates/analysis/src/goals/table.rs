//! Functions of a few sums, as tables.

use super::forms::{Form, FormId, Forms, Term};
use super::pieces::common;
use std::collections::BTreeMap;
use std::ops::Range;

/// Maximum number of entries of an intermediate table.
const MOST: usize = 1 << 13;
/// Maximum number of entries if every value of a variable may get its own weight.
const SHIFTED: usize = 1 << 9;
/// Fixed cost of a join, in entries.
const JOIN: usize = 256;
/// The largest factor tried in sums of one sum and a multiple of another.
const FACTOR: i32 = 10;

/// Either value: no state has this combination of sums.
pub(super) const ANY: u8 = 2;

/// A truth value for every combination of sums, each sum from its least to its greatest value,
/// the last one fastest.
///
/// Combinations that no state has may have any value. Only a [polished](Table::polished) table
/// marks them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub dims: Vec<FormId>,
    pub bits: Vec<u8>,
}

impl Table {
    /// A constant function.
    pub fn constant(value: bool) -> Table {
        Table {
            dims: Vec::new(),
            bits: vec![value.into()],
        }
    }

    /// Whether a variable has one of some values.
    pub fn of_values(forms: &mut Forms, variable: u32, holds: &[bool]) -> Table {
        let weights: Vec<i32> = holds.iter().map(|&h| i32::from(h != holds[0])).collect();
        match forms.intern(vec![(variable, weights)]) {
            Some((form, _)) => Table {
                dims: vec![form],
                bits: vec![holds[0].into(), (!holds[0]).into()],
            },
            None => Table::constant(holds[0]),
        }
    }

    /// The complement.
    pub fn negated(&self) -> Table {
        Table {
            dims: self.dims.clone(),
            bits: self.bits.iter().map(|bit| 1 - bit).collect(),
        }
    }

    /// The number of values of each sum.
    pub fn sizes(&self, forms: &Forms) -> Vec<usize> {
        let sizes = self.dims.iter().map(|&dim| forms.get(dim).size());
        sizes.collect()
    }

    /// Combines both tables by `join` and simplifies. `None` if that needs too large a table.
    pub fn join(
        &self,
        other: &Table,
        forms: &mut Forms,
        join: impl Fn(u8, u8) -> u8,
    ) -> Option<Table> {
        let (one, two) = common(self, other, forms)?;
        forms.worked(one.bits.len() * (1 + one.dims.len()) + JOIN);
        let bits = one.bits.iter().zip(&two.bits);
        let bits = bits.map(|(&a, &b)| join(a, b)).collect();
        let mut table = Table {
            dims: one.dims,
            bits,
        };
        table.simplify(forms);
        Some(table)
    }

    /// Reduces the number of sums as far as it can find.
    pub fn simplify(&mut self, forms: &mut Forms) {
        self.reduce(forms);
        while self.dims.len() > 1 && self.merge_some(forms) {
            for bit in &mut self.bits {
                *bit &= 1;
            }
            self.reduce(forms);
        }
    }

    /// Marks all combinations that no state has, then reduces the number of sums again.
    pub fn polished(&self, forms: &mut Forms) -> Table {
        let mut table = self.clone();
        table.mark(forms);
        while table.dims.len() > 1 && (table.merge_some(forms) || table.margins(forms)) {
            table.mark(forms);
        }
        table
    }

    /// Marks combinations that no state has, going by the values of the variables.
    fn mark(&mut self, forms: &Forms) {
        let sizes = self.sizes(forms);
        let mut steps: BTreeMap<u32, Vec<i64>> = BTreeMap::new();
        let mut start = 0;
        for (at, &dim) in self.dims.iter().enumerate() {
            let (form, stride) = (forms.get(dim), Self::stride(&sizes, at) as i64);
            start -= stride * i64::from(form.low);
            for (variable, weights) in &form.terms {
                let of = steps.entry(*variable);
                let of = of.or_insert_with(|| vec![0; weights.len()]);
                for (step, weight) in of.iter_mut().zip(weights) {
                    *step += stride * i64::from(*weight);
                }
            }
        }
        let mut reached = vec![false; self.bits.len()];
        reached[start as usize] = true;
        for steps in steps.values() {
            let mut next = vec![false; reached.len()];
            for (at, _) in reached.iter().enumerate().filter(|(_, reached)| **reached) {
                for step in steps {
                    next[(at as i64 + step) as usize] = true;
                }
            }
            reached = next;
        }
        for (bit, reached) in self.bits.iter_mut().zip(reached) {
            if !reached {
                *bit = ANY;
            }
        }
    }

    /// Merges two single variables into one sum if their values are ordered. The weight of a
    /// value is the number of values of the other variable for which the table is true.
    fn margins(&mut self, forms: &mut Forms) -> bool {
        let &[one, two] = &self.dims[..] else {
            return false;
        };
        let singles = [one, two].map(|dim| forms.get(dim).single().cloned());
        let [Some(first), Some(second)] = singles else {
            return false;
        };
        let (sizes, lows) = (self.sizes(forms), [one, two].map(|dim| forms.get(dim).low));
        let mut sums = [vec![0i32; sizes[0]], vec![0i32; sizes[1]]];
        for (at, &bit) in self.bits.iter().enumerate() {
            sums[0][at / sizes[1]] += i32::from(bit & 1);
            sums[1][at % sizes[1]] += i32::from(bit & 1);
        }
        let own = |(variable, weights): &Term, sums: &[i32], low: i32| {
            let zero = sums[(weights[0] - low) as usize];
            let weights = weights.iter().map(|w| sums[(w - low) as usize] - zero);
            (*variable, weights.collect::<Vec<i32>>())
        };
        let mut terms = vec![own(&first, &sums[0], lows[0])];
        add(&mut terms, own(&second, &sums[1], lows[1]));
        let Some((form, scale)) = forms.intern(terms) else {
            return false;
        };
        // The sum of both weights, minus those of the first values.
        let zero =
            sums[0][(first.1[0] - lows[0]) as usize] + sums[1][(second.1[0] - lows[1]) as usize];
        let (low, size) = (forms.get(form).low, forms.get(form).size());
        let mut bits = vec![ANY; size];
        for (at, &bit) in self.bits.iter().enumerate().filter(|(_, bit)| **bit != ANY) {
            let sum = (sums[0][at / sizes[1]] + sums[1][at % sizes[1]] - zero) / scale;
            let known = &mut bits[(sum - low) as usize];
            if *known == 1 - bit {
                return false;
            }
            *known = bit;
        }
        *self = Table {
            dims: vec![form],
            bits,
        };
        true
    }

    /// Removes sums that the table does not depend on, and merges values of a single variable
    /// that give the same entries.
    fn reduce(&mut self, forms: &mut Forms) {
        let mut at = 0;
        while at < self.dims.len() {
            let sizes = self.sizes(forms);
            let (size, inner) = (sizes[at], Self::stride(&sizes, at));
            let like = self.like(forms.get(self.dims[at]), size, inner);
            let kept: Vec<usize> = (0..size).filter(|&value| like[value] == value).collect();
            if kept.len() < size && kept.len() == 1 {
                self.bits = self.selected(&kept, size, inner);
                self.dims.remove(at);
                continue;
            }
            if kept.len() < size
                && let Some((form, order)) = relabelled(forms, self.dims[at], &like, &kept)
            {
                self.bits = self.selected(&order, size, inner);
                self.dims[at] = form;
            }
            at += 1;
        }
    }

    /// For each value of a sum of this size and stride, the first value with the same entries.
    /// Values of a sum of several variables are alike only if all of them are.
    fn like(&self, form: &Form, size: usize, inner: usize) -> Vec<usize> {
        let same = |one: usize, other: usize| {
            let mut blocks = self.bits.chunks(inner * size);
            match inner {
                1 => blocks.all(|block| block[one] == block[other]),
                _ => blocks.all(|block| {
                    let row = |value: usize| &block[value * inner..(value + 1) * inner];
                    row(one) == row(other)
                }),
            }
        };
        let first = |value: usize| (0..value).find(|&other| same(other, value));
        match form.single() {
            Some(_) => (0..size).map(|v| first(v).unwrap_or(v)).collect(),
            None if (1..size).all(|value| same(0, value)) => vec![0; size],
            None => (0..size).collect(),
        }
    }

    /// The entries for some values of a sum of this size and stride, in their order.
    fn selected(&self, values: &[usize], size: usize, inner: usize) -> Vec<u8> {
        let blocks = self.bits.chunks(inner * size);
        blocks
            .flat_map(|block| {
                let rows = values.iter();
                rows.flat_map(|&value| &block[value * inner..(value + 1) * inner])
            })
            .copied()
            .collect()
    }

    /// Merges two sums into one, if the table is a function of it.
    fn merge_some(&mut self, forms: &mut Forms) -> bool {
        let dims = self.dims.len();
        let sizes = self.sizes(forms);
        forms.worked(self.bits.len() * dims);
        for factor in [1, -1] {
            for i in 0..dims {
                for j in i + 1..dims {
                    if self.clashes(&sizes, i, j, factor) {
                        continue;
                    }
                    if let Some(merged) = self.merged(forms, i, j, factor) {
                        *self = merged;
                        return true;
                    }
                }
            }
        }
        for i in 0..dims {
            for j in 0..dims {
                // Factors are tried for single variables only; sums of several variables are
                // added with weight one.
                let single = forms.get(self.dims[j]).single().is_some();
                if i == j || !single || !self.varied(&sizes, i, j) {
                    continue;
                }
                for factor in (2..=FACTOR).flat_map(|factor| [factor, -factor]) {
                    if self.clashes(&sizes, i, j, factor) {
                        continue;
                    }
                    if let Some(merged) = self.merged(forms, i, j, factor) {
                        *self = merged;
                        return true;
                    }
                }
                if let Some(merged) = self.shifted(forms, i, j) {
                    *self = merged;
                    return true;
                }
            }
        }
        false
    }

    /// The distance between neighbouring values of a sum in the table.
    pub fn stride(sizes: &[usize], dim: usize) -> usize {
        sizes[dim + 1..].iter().product()
    }

    /// Whether for every value of sum `j` the table depends on sum `i`. Then the weight of a
    /// value of `j` in units of `i` can be read from it.
    fn varied(&self, sizes: &[usize], i: usize, j: usize) -> bool {
        let pair = Pair::new(sizes, i, j);
        let vary = |value: usize| {
            // One step of `i`, with `j` constant.
            let (large, small) = match pair.first_outer {
                true => (0..pair.large - 1, value..value + 1),
                false => (value..value + 1, 0..pair.small - 1),
            };
            !pair.alike(&self.bits, large, small, pair.si as isize, |a, b| a == b)
        };
        (0..sizes[j]).all(vary)
    }

    /// Whether the table is certainly not a function of `i + factor * j`, as two neighbouring
    /// combinations have the same sum and different values. Unless combinations are marked as
    /// impossible, this is the only possible reason.
    fn clashes(&self, sizes: &[usize], i: usize, j: usize, factor: i32) -> bool {
        let pair = Pair::new(sizes, i, j);
        // `j` one step up, `i` down by as much as compensates for it.
        let (down, step) = (factor.unsigned_abs() as usize, factor as isize);
        if down >= sizes[i] {
            return false;
        }
        let of_i = match factor > 0 {
            true => down..sizes[i],
            false => 0..sizes[i] - down,
        };
        let of_j = 0..sizes[j] - 1;
        let (large, small) = match pair.first_outer {
            true => (of_i, of_j),
            false => (of_j, of_i),
        };
        let step = pair.sj as isize - step * pair.si as isize;
        !pair.alike(&self.bits, large, small, step, |a, b| a ^ b != 1)
    }

    /// The table with the sums `i` and `j` replaced by `i + factor * j`, if it is a function of
    /// that.
    fn merged(&self, forms: &mut Forms, i: usize, j: usize, factor: i32) -> Option<Table> {
        let (sizes, lows) = (self.sizes(forms), self.lows(forms));
        let weights: Vec<i32> = (0..sizes[j] as i32)
            .map(|value| (value + lows[j]) * factor)
            .collect();
        let kept = self.function(&sizes, lows[i], i, j, &weights)?;
        let (form, scale) = forms.sum(self.dims[i], factor, self.dims[j])?;
        self.replaced(forms, &kept, i, j, form, scale)
    }

    /// The same, but every value of the single variable of `j` has its own weight.
    fn shifted(&self, forms: &mut Forms, i: usize, j: usize) -> Option<Table> {
        let form = forms.get(self.dims[j]);
        let (variable, weights) = form.single()?.clone();
        if self.bits.len() > SHIFTED {
            return None;
        }
        let low = form.low;
        let (sizes, lows) = (self.sizes(forms), self.lows(forms));
        let size = sizes[i] as i32;
        let first = (weights[0] - low) as usize;
        let mut shifts = vec![None; sizes[j]];
        shifts[first] = Some(0);
        for value in 0..sizes[j] {
            if value == first {
                continue;
            }
            let tried = (1..size).flat_map(|shift| [shift, -shift]);
            let fits = |shift: &i32| {
                let mut shifts = shifts.clone();
                shifts[value] = Some(*shift);
                self.fits(&sizes, i, j, &shifts)
            };
            let found = tried.into_iter().find(fits)?;
            shifts[value] = Some(found);
        }
        let shifts: Vec<i32> = shifts.into_iter().map(|shift| shift.unwrap_or(0)).collect();
        let kept = self.function(&sizes, lows[i], i, j, &shifts)?;
        let mut terms = forms.get(self.dims[i]).terms.clone();
        let own: Vec<i32> = weights
            .iter()
            .map(|&w| shifts[(w - low) as usize])
            .collect();
        add(&mut terms, (variable, own));
        let (form, scale) = forms.intern(terms)?;
        self.replaced(forms, &kept, i, j, form, scale)
    }

    fn lows(&self, forms: &Forms) -> Vec<i32> {
        self.dims.iter().map(|&dim| forms.get(dim).low).collect()
    }

    /// Whether the table, restricted to values of `j` with a shift, is a function of `i` plus
    /// the shift.
    fn fits(&self, sizes: &[usize], i: usize, j: usize, shifts: &[Option<i32>]) -> bool {
        let (si, sj) = (Self::stride(sizes, i), Self::stride(sizes, j));
        let mut seen: BTreeMap<(usize, i32), u8> = BTreeMap::new();
        self.bits.iter().enumerate().all(|(at, &bit)| {
            let (vi, vj) = (at / si % sizes[i], at / sj % sizes[j]);
            let (Some(shift), false) = (shifts[vj], bit == ANY) else {
                return true;
            };
            let rest = at - vi * si - vj * sj;
            *seen.entry((rest, vi as i32 + shift)).or_insert(bit) == bit
        })
    }

    /// The table as a function of the other sums and of `i` plus the weight of the value of `j`.
    /// The values are ordered by the position in the table without both, then by the sum.
    fn function(
        &self,
        sizes: &[usize],
        low: i32,
        i: usize,
        j: usize,
        weights: &[i32],
    ) -> Option<Kept> {
        let (si, sj) = (Self::stride(sizes, i), Self::stride(sizes, j));
        let least = weights.iter().copied().min()? + low;
        let most = weights.iter().copied().max()? + low + sizes[i] as i32 - 1;
        let width = (most - least + 1) as usize;
        let rests = self.bits.len() / (sizes[i] * sizes[j]);
        if width.checked_mul(rests)? > MOST {
            return None;
        }
        // Positions without the two sums, in order.
        let (outer, inner) = (si.max(sj), si.min(sj));
        let (large, small) = if si > sj {
            (sizes[i], sizes[j])
        } else {
            (sizes[j], sizes[i])
        };
        let mut values = vec![ANY; width * rests];
        let mut sums = vec![0; large * small];
        for x in 0..large {
            for y in 0..small {
                let (vi, vj) = if si > sj { (x, y) } else { (y, x) };
                sums[x * small + y] = (vi as i32 + low + weights[vj] - least) as usize;
            }
        }
        let middle = outer / (inner * small);
        let (mut at, mut block) = (0, 0);
        while at < self.bits.len() {
            for x in 0..large {
                for mid in 0..middle {
                    for y in 0..small {
                        let sum = sums[x * small + y];
                        for rest in (block + mid) * inner..(block + mid + 1) * inner {
                            let (bit, value) = (self.bits[at], &mut values[rest * width + sum]);
                            at += 1;
                            if bit != ANY {
                                if *value == 1 - bit {
                                    return None;
                                }
                                *value = bit;
                            }
                        }
                    }
                }
            }
            block += middle;
        }
        Some(Kept {
            values,
            least,
            width,
        })
    }

    /// The table with a new sum in the last place instead of the two.
    fn replaced(
        &self,
        forms: &Forms,
        kept: &Kept,
        i: usize,
        j: usize,
        form: FormId,
        scale: i32,
    ) -> Option<Table> {
        let (low, high) = (forms.get(form).low, forms.get(form).high);
        let mut dims: Vec<FormId> = Vec::new();
        for (at, &dim) in self.dims.iter().enumerate() {
            if at != i && at != j {
                dims.push(dim);
            }
        }
        if dims.contains(&form) {
            return None;
        }
        dims.push(form);
        let rests = kept.values.len() / kept.width;
        if rests.checked_mul((high - low + 1) as usize)? > MOST {
            return None;
        }
        let mut bits = Vec::new();
        for rest in kept.values.chunks(kept.width) {
            for value in low..=high {
                let at = value * scale - kept.least;
                let bit = usize::try_from(at).ok().and_then(|at| rest.get(at));
                bits.push(bit.copied().unwrap_or(ANY));
            }
        }
        Some(Table { dims, bits })
    }

    /// The same function of other sums. `parts` gives for every value of each new sum its offset
    /// in this table.
    pub fn on(&self, dims: &[FormId], parts: &[Vec<i64>], start: i64) -> Table {
        let mut at = vec![start];
        for part in parts {
            let mut next = Vec::with_capacity(at.len() * part.len());
            for base in &at {
                next.extend(part.iter().map(|step| base + step));
            }
            at = next;
        }
        Table {
            dims: dims.to_vec(),
            bits: at.into_iter().map(|at| self.bits[at as usize]).collect(),
        }
    }
}

/// The form of a single variable in which only some values are kept and the others are `like`
/// one of them, with the old values in the order of the new form.
fn relabelled(
    forms: &mut Forms,
    form: FormId,
    like: &[usize],
    kept: &[usize],
) -> Option<(FormId, Vec<usize>)> {
    let old = forms.get(form);
    let (low, (variable, weights)) = (old.low, old.single()?);
    let class = |weight: i32| {
        let first = like[(weight - low) as usize];
        kept.iter().position(|&kept| kept == first).unwrap_or(0) as i32
    };
    let zero = class(weights[0]);
    let weights = weights.iter().map(|&weight| class(weight) - zero);
    let term = (*variable, weights.collect());
    let (form, factor) = forms.intern(vec![term])?;
    let new = forms.get(form);
    let order: Option<Vec<usize>> = (new.low..=new.high)
        .map(|value| kept.get((value * factor + zero) as usize).copied())
        .collect();
    Some((form, order?))
}

/// The layout of the combinations of two sums in a table.
struct Pair {
    /// Strides of the first and of the second sum.
    si: usize,
    sj: usize,
    /// Whether the first sum has the larger stride.
    first_outer: bool,
    /// Number of values of the sum with the larger stride, and of the other.
    large: usize,
    small: usize,
}

impl Pair {
    fn new(sizes: &[usize], i: usize, j: usize) -> Pair {
        let (si, sj) = (Table::stride(sizes, i), Table::stride(sizes, j));
        let first_outer = si > sj;
        let (large, small) = match first_outer {
            true => (sizes[i], sizes[j]),
            false => (sizes[j], sizes[i]),
        };
        Pair {
            si,
            sj,
            first_outer,
            large,
            small,
        }
    }

    /// Whether entries equal those `step` further on, for these values of the sum with the
    /// larger stride and of the other, and all values of the rest.
    fn alike(
        &self,
        bits: &[u8],
        large: Range<usize>,
        small: Range<usize>,
        step: isize,
        same: impl Fn(u8, u8) -> bool,
    ) -> bool {
        if large.is_empty() || small.is_empty() {
            return true;
        }
        let (outer, inner) = (self.si.max(self.sj), self.si.min(self.sj));
        let length = (small.end - small.start) * inner;
        for block in (0..bits.len()).step_by(outer * self.large) {
            for x in large.clone() {
                let row = block + x * outer;
                for begin in (row..row + outer).step_by(inner * self.small) {
                    let from = begin + small.start * inner;
                    let to = from.wrapping_add_signed(step);
                    let (one, two) = (&bits[from..from + length], &bits[to..to + length]);
                    if one != two && !one.iter().zip(two).all(|(&a, &b)| same(a, b)) {
                        return false;
                    }
                }
            }
        }
        true
    }
}

/// A table in which one sum replaces two others.
struct Kept {
    values: Vec<u8>,
    least: i32,
    width: usize,
}

fn add(terms: &mut Vec<Term>, (variable, weights): Term) {
    match terms.iter_mut().find(|term| term.0 == variable) {
        Some((_, mine)) => {
            for (mine, weight) in mine.iter_mut().zip(weights) {
                *mine += weight;
            }
        }
        None => terms.push((variable, weights)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::forms::Variable;
    use super::*;

    /// Makes facts that are independent of each other, and returns their sums.
    fn free(forms: &mut Forms, facts: u32) -> Vec<FormId> {
        let forms_of = (0..facts).map(|fact| {
            let values = vec![None, Some(fact)];
            forms.variables.push(Variable::Facts(values));
            Table::of_values(forms, fact, &[false, true]).dims[0]
        });
        forms_of.collect()
    }

    /// The entry for a state: its bits are the facts, the first fact the highest bit.
    fn entry(table: &Table, forms: &Forms, facts: u32, state: usize) -> u8 {
        let mut at = 0;
        for &dim in &table.dims {
            let form = forms.get(dim);
            let weights = form.terms.iter();
            let sum: i32 = weights
                .map(|(variable, weights)| weights[state >> (facts - 1 - variable) & 1])
                .sum();
            at = at * form.size() + (sum - form.low) as usize;
        }
        table.bits[at]
    }

    #[test]
    fn functions_of_one_sum_are_merged() {
        let mut forms = Forms::default();
        let dims = free(&mut forms, 6);
        for weights in [[1; 6], [1, 1, -1, 1, -1, -1]] {
            for least in -2..6 {
                let sum =
                    |state: usize| (0..6).map(move |k| weights[k] * (state >> (5 - k) & 1) as i32);
                let bits = (0..64).map(|state| u8::from(sum(state).sum::<i32>() >= least));
                let bits: Vec<u8> = bits.collect();
                let mut table = Table {
                    dims: dims.clone(),
                    bits: bits.clone(),
                };
                table.simplify(&mut forms);
                assert!(table.dims.len() < 2, "{weights:?}, {least}: {table:?}");
                for (state, &bit) in bits.iter().enumerate() {
                    assert_eq!(entry(&table, &forms, 6, state), bit);
                }
            }
        }
    }

    #[test]
    fn simpler_tables_have_the_same_entries() {
        let mut forms = Forms::default();
        let dims = free(&mut forms, 5);
        let mut seed = 1u64;
        for round in 0..300 {
            // Half of the tables have few true entries, like conjunctions.
            let bits = (0..32).map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let random = seed >> 33;
                u8::from(if round % 2 == 0 {
                    random.is_multiple_of(8)
                } else {
                    random.is_multiple_of(2)
                })
            });
            let bits: Vec<u8> = bits.collect();
            let mut table = Table {
                dims: dims.clone(),
                bits: bits.clone(),
            };
            table.simplify(&mut forms);
            for (state, &bit) in bits.iter().enumerate() {
                assert_eq!(entry(&table, &forms, 5, state), bit, "{round}");
            }
        }
    }
}
