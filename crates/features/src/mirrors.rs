//! Sets of states that a symmetry maps to each other while it exchanges roles: one set of weights
//! does for both.

use crate::images::images;
use crate::variables::Variable;
use heuristics::{FeatureSet, Mirror};
use profile::symmetries::Symmetry;

/// Lets sets share the weights of their images, where a symmetry exchanges roles. Returns the
/// number of sets that gave up their weights.
pub fn share(variables: &[Variable], symmetries: &[Symmetry], set: &mut FeatureSet) -> usize {
    let mut mirrors: Vec<Option<Mirror>> = vec![None; set.sets.len()];
    for number in 1..mirrors.len() {
        let exchanging = symmetries.iter().filter(|one| !one.fixes_roles());
        mirrors[number] = exchanging
            .filter_map(|symmetry| {
                let image = image(number, symmetry, set)?;
                let fits = image < number && mirrors[image].is_none();
                let bits = fits.then(|| bits(variables, symmetry, set))??;
                Some(Mirror {
                    set: image as u32,
                    bits,
                    roles: symmetry.roles.clone(),
                })
            })
            .next();
    }
    let shared = mirrors.iter().flatten().count();
    set.mirrors = mirrors;
    shared
}

/// The set of the images of a set's states.
fn image(number: usize, symmetry: &Symmetry, set: &FeatureSet) -> Option<usize> {
    let sets = &set.sets;
    let mut values = vec![None; sets.bits.len()];
    for (&bit, &value) in sets.bits.iter().zip(sets.values.get(number)?) {
        let to = symmetry.facts[bit as usize];
        let at = sets.bits.iter().position(|&other| other == to)?;
        values[at] = Some(value);
    }
    let values = values.into_iter().collect::<Option<Vec<bool>>>()?;
    sets.values.iter().position(|other| *other == values)
}

/// For each bit the variable and the value of its image, if each variable becomes another one.
fn bits(
    variables: &[Variable],
    symmetry: &Symmetry,
    set: &FeatureSet,
) -> Option<Vec<Option<(u32, u32)>>> {
    let images = images(variables, symmetry, false, set);
    let facts = set.bits.iter().zip(&symmetry.facts);
    let bits = facts.map(|(own, &to)| own.and(set.bits[to as usize]));
    (!images.contains(&None)).then(|| bits.collect())
}
