//! Tables over common sums.
//!
//! Two tables can be joined if they are functions of the same sums. Sums with common variables
//! are split into the largest pieces without common variables, if there are few. Otherwise each
//! sum stays as if its value were independent of the others. That is correct but ignores
//! relations between them.

use super::forms::{FormId, Forms, Term, gcd};
use super::table::Table;
use std::collections::BTreeMap;

/// Rewrites both tables as functions of the same sums.
pub(super) fn common(one: &Table, two: &Table, forms: &mut Forms) -> Option<(Table, Table)> {
    if one.dims == two.dims {
        return Some((one.clone(), two.clone()));
    }
    let mut dims = one.dims.clone();
    for &dim in &two.dims {
        if !dims.contains(&dim) {
            dims.push(dim);
        }
    }
    let mut apart = true;
    for (at, &a) in dims.iter().enumerate() {
        apart = apart && dims[..at].iter().all(|&b| forms.apart(a, b));
    }
    let refined = if apart { None } else { refine(&dims, forms) };
    let pieces = refined.unwrap_or_else(|| Pieces {
        forms: dims.clone(),
        worth: dims
            .iter()
            .map(|&dim| {
                let form = forms.get(dim);
                BTreeMap::from([(dim, (form.low..=form.high).collect())])
            })
            .collect(),
    });
    let entries = pieces.forms.iter().try_fold(1usize, |entries, &form| {
        entries.checked_mul(forms.get(form).size())
    });
    if entries? > forms.limits.entries || pieces.forms.len() > forms.limits.dims {
        return None;
    }
    let on = |table: &Table| {
        let sizes = table.sizes(forms);
        let strides: BTreeMap<FormId, i64> = (table.dims.iter().enumerate())
            .map(|(at, &dim)| (dim, Table::stride(&sizes, at) as i64))
            .collect();
        let start = table.dims.iter();
        let start = start.map(|dim| -i64::from(forms.get(*dim).low) * strides[dim]);
        let parts: Vec<Vec<i64>> = (pieces.forms.iter().zip(&pieces.worth))
            .map(|(&form, worth)| {
                let mut part = vec![0i64; forms.get(form).size()];
                for (dim, values) in worth {
                    if let Some(stride) = strides.get(dim) {
                        for (part, value) in part.iter_mut().zip(values) {
                            *part += stride * i64::from(*value);
                        }
                    }
                }
                part
            })
            .collect();
        table.on(&pieces.forms, &parts, start.sum())
    };
    Some((on(one), on(two)))
}

/// The sums that contain a variable, and its weights there.
type Within = [(FormId, Vec<i32>)];
/// The sums that contain a variable, and its factor in each.
type Proportions = Vec<(FormId, i32)>;

/// Pieces of which all sums are composed.
struct Pieces {
    forms: Vec<FormId>,
    /// For each piece, and each sum that contains it, the contribution of each of its values.
    worth: Vec<BTreeMap<FormId, Vec<i32>>>,
}

/// Splits sums into the largest pieces that have no variable in common; `None` if there are too
/// many.
fn refine(dims: &[FormId], forms: &mut Forms) -> Option<Pieces> {
    let limits = forms.limits;
    // For each variable, the sums that contain it.
    let mut of: BTreeMap<u32, Vec<(FormId, Vec<i32>)>> = BTreeMap::new();
    for &dim in dims {
        for (variable, weights) in &forms.get(dim).terms {
            of.entry(*variable)
                .or_default()
                .push((dim, weights.clone()));
        }
    }
    // Variables in the same sums with the same proportions form one piece.
    let mut alike: BTreeMap<Proportions, Vec<Term>> = BTreeMap::new();
    let mut single: Vec<(u32, Box<Within>)> = Vec::new();
    for (variable, within) in of {
        match proportional(&within) {
            Some((key, weights)) => alike.entry(key).or_default().push((variable, weights)),
            None => single.push((variable, within.into_boxed_slice())),
        }
        if single.len() > limits.dims || alike.len() > 4 * limits.dims {
            return None;
        }
    }
    let mut pieces = Pieces {
        forms: Vec::new(),
        worth: Vec::new(),
    };
    for (key, terms) in alike {
        let (id, scale) = forms.intern(terms)?;
        let form = forms.get(id);
        let worth = key.into_iter().map(|(dim, factor)| {
            let values = form.low..=form.high;
            (dim, values.map(|value| value * scale * factor).collect())
        });
        pieces.worth.push(worth.collect());
        pieces.forms.push(id);
    }
    for (variable, within) in single {
        let values = within[0].1.len() as i32;
        let (id, _) = forms.intern(vec![(variable, (0..values).collect())])?;
        pieces.forms.push(id);
        pieces.worth.push(within.into_vec().into_iter().collect());
    }
    let mut entries = pieces.forms.iter().map(|&form| forms.get(form).size());
    let entries = entries.try_fold(1usize, |all, size| all.checked_mul(size))?;
    (entries <= limits.entries && pieces.forms.len() <= limits.dims).then_some(pieces)
}

/// The proportions of a variable in its sums, and its weights in the simplest proportion; `None`
/// if its weights in one sum are not a multiple of those in another.
fn proportional(within: &Within) -> Option<(Proportions, Vec<i32>)> {
    let (_, first) = &within[0];
    let divisor = |weights: &[i32]| {
        let sign = weights.iter().find(|&&weight| weight != 0);
        weights.iter().fold(0, |a, b| gcd(a, b.abs())) * sign.map_or(1, |sign| sign.signum())
    };
    let base: Vec<i32> = {
        let divisor = divisor(first);
        first.iter().map(|weight| weight / divisor).collect()
    };
    let mut key = Vec::new();
    for (dim, weights) in within {
        let divisor = divisor(weights);
        let same = weights.iter().zip(&base);
        if !same.clone().all(|(weight, base)| *weight == base * divisor) {
            return None;
        }
        key.push((*dim, divisor));
    }
    let factors: Vec<i32> = key.iter().map(|&(_, factor)| factor).collect();
    let common = divisor(&factors);
    for (_, factor) in &mut key {
        *factor /= common;
    }
    let weights = base.into_iter().map(|weight| weight * common);
    Some((key, weights.collect()))
}
