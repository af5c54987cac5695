//! How far other roles do what the search would do in their place.
//!
//! A role is taken to make the moves that the search favoured with some chance, and any move else. How
//! great that chance is is told from what it made in the match (Bayes' rule, over a few
//! chances from none to all), and what it made long ago counts for less. At first it is next to
//! certain that all play as well as the search.

use game::{MoveId, RoleId};

/// Chances that are told apart: 0, 1/10 and so on up to 1.
const LEVELS: usize = 11;
/// What it weighs at first that a role never errs; the rest is shared by the other chances.
const PRIOR: f64 = 0.95;
/// What is known counts that much of what it did when a move more is seen; the rest goes to what was
/// thought at first.
const FADING: f64 = 0.98;
/// Visits below which the search has no opinion.
const ENOUGH: u32 = 30;

/// What is thought of every role.
#[derive(Debug, Default)]
pub(crate) struct Reason {
    /// For each role the weights of the chances with which it plays like the search.
    roles: Vec<[f64; LEVELS]>,
}

/// What is thought of a role of which nothing is known.
fn prior() -> [f64; LEVELS] {
    let mut weights = [(1.0 - PRIOR) / (LEVELS - 1) as f64; LEVELS];
    weights[LEVELS - 1] = PRIOR;
    weights
}

impl Reason {
    /// Notes that a role made a move where the search had visited its moves so often.
    pub fn note(&mut self, role: RoleId, visits: &[(MoveId, u32)], made: MoveId) {
        let all: u32 = visits.iter().map(|own| own.1).sum();
        let Some(own) = visits.iter().find(|own| own.0 == made) else {
            return;
        };
        if all < ENOUGH {
            return;
        }
        if self.roles.len() <= role.0 {
            self.roles.resize(role.0 + 1, prior());
        }
        let even = 1.0 / visits.len() as f64;
        let favoured = f64::from(own.1 + 1) / (f64::from(all) + visits.len() as f64);
        let weights = &mut self.roles[role.0];
        for (level, (weight, first)) in weights.iter_mut().zip(prior()).enumerate() {
            let chance = level as f64 / (LEVELS - 1) as f64;
            let likely = chance * favoured + (1.0 - chance) * even;
            *weight = weight.powf(FADING) * first.powf(1.0 - FADING) * likely;
        }
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }

    /// How often a role can be expected to play like the search, 0 to 1.
    pub fn of(&self, role: RoleId) -> f64 {
        let weights = self.roles.get(role.0).copied().unwrap_or_else(prior);
        let levels = weights.iter().enumerate();
        let sum: f64 = levels.map(|(level, weight)| level as f64 * weight).sum();
        sum / (LEVELS - 1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is thought of a role that made these of five moves, of which the first is favoured.
    fn after(made: &[u32]) -> f64 {
        let visits = [60, 20, 10, 5, 5];
        let visits: Vec<_> = (0..).map(MoveId).zip(visits).collect();
        let mut reason = Reason::default();
        for &mv in made {
            reason.note(RoleId(2), &visits, MoveId(mv));
        }
        reason.of(RoleId(2))
    }

    #[test]
    fn those_of_whom_nothing_is_known_are_respected() {
        assert!(after(&[]) > 0.95);
        let mut reason = Reason::default();
        let seldom: Vec<_> = (0..5).map(|mv| (MoveId(mv), 5)).collect();
        reason.note(RoleId(2), &seldom, MoveId(4));
        assert_eq!(reason.of(RoleId(2)), after(&[]));
    }

    #[test]
    fn those_who_make_good_moves_stay_so() {
        assert!(after(&[0, 0, 1, 0, 2, 0, 0, 1, 0, 0]) > 0.95);
    }

    #[test]
    fn those_who_make_any_move_are_found_out_and_may_improve() {
        let bad = [3, 0, 4, 2, 1, 3, 4, 0, 2, 3, 4, 1];
        let found = after(&bad);
        assert!(found < 0.3, "{found}");
        let mut better = bad.to_vec();
        better.extend([0; 30]);
        assert!(after(&better) > 0.7, "{}", after(&better));
    }
}
