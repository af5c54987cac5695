//! Sets of states that a symmetry maps to each other while it exchanges roles: one set of weights
//! does for both.

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
    let mut images: Vec<Option<u32>> = vec![None; variables.len()];
    let mut bits = vec![None; set.bits.len()];
    for (fact, of) in set.bits.iter().enumerate() {
        let &Some((variable, _)) = of else { continue };
        let (image, value) = set.bits[symmetry.facts[fact] as usize]?;
        if images[variable as usize].is_some_and(|known| known != image) {
            return None;
        }
        images[variable as usize] = Some(image);
        bits[fact] = Some((image, value));
    }
    let alike = variables.iter().zip(&images).all(|(variable, image)| {
        image.is_none_or(|image| {
            let image = &variables[image as usize];
            image.none == variable.none && image.size() == variable.size()
        })
    });
    alike.then_some(bits)
}
