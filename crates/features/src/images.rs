//! What variables become under a symmetry of the game.

use crate::variables::Variable;
use heuristics::FeatureSet;
use profile::symmetries::Symmetry;

/// For each variable its image: the one that all of its facts become facts of, if it has as many
/// values. With `same_values`, only where each fact becomes the one of the same value.
pub fn images(
    variables: &[Variable],
    symmetry: &Symmetry,
    same_values: bool,
    set: &FeatureSet,
) -> Vec<Option<u32>> {
    let image = |variable: &Variable| {
        let mut image = None;
        for &fact in variable.facts.iter().flatten() {
            let (_, value) = set.bits[fact as usize]?;
            let (to, other) = set.bits[symmetry.facts[fact as usize] as usize]?;
            if image.is_some_and(|image| image != to) || same_values && value != other {
                return None;
            }
            image = Some(to);
        }
        let other = &variables[image? as usize];
        let alike = other.size() == variable.size() && other.none == variable.none;
        image.filter(|_| alike)
    };
    variables.iter().map(image).collect()
}
