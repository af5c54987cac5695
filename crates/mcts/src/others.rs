//! What the other roles are taken to do.
//!
//! Of two roles, one seldom gains but by what the other one loses. Where there are more, it makes a
//! difference whether the others play for themselves or against the role that searches; and whoever plays
//! badly need not be feared as if it played well.
//!
//! All of this is about which moves are looked at, and so about means. What is proved holds for roles that
//! play for themselves.

use crate::Config;
use rand::{Rng, RngExt};

/// What other roles play for, where they choose alone or, for [`Others::Against`], at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Others {
    /// Each for its own result ("max^n": Luckhardt and Irani, "An Algorithmic Solution of N-Person Games",
    /// 1986).
    #[default]
    Themselves,
    /// All against the role that searches ("paranoid": Sturtevant and Korf, "On Pruning Techniques for
    /// Multi-Player Games", 2000).
    Against,
    /// One against the role that searches between two moves of that role, the others for themselves
    /// (Schadd and Winands, "Best Reply Search for Multiplayer Games", 2011; there the others do not
    /// move at all, which the rules of most games do not allow).
    OneAgainst,
}

/// The other roles as the one that searches sees them.
#[derive(Debug, Clone)]
pub(crate) struct Company {
    /// The role that searches.
    pub own: usize,
    others: Others,
    /// How often each role chooses by reason, 0 to 1; else it makes any of its moves.
    reason: Vec<f64>,
}

impl Company {
    pub fn new(own: usize, roles: usize, config: &Config) -> Company {
        Company {
            own,
            others: config.others,
            reason: vec![1.0; roles],
        }
    }

    /// Says how often a role chooses by reason.
    pub fn trust(&mut self, role: usize, reason: f64) {
        if let Some(known) = self.reason.get_mut(role).filter(|_| role != self.own) {
            *known = reason.clamp(0.0, 1.0);
        }
    }

    /// Whether a role plays against the one that searches wherever it chooses.
    pub fn is_against(&self, role: usize) -> bool {
        self.others == Others::Against && role != self.own
    }

    /// Whether a role may play against the one that searches if none has done so since that chose.
    pub fn may_reply(&self, role: usize) -> bool {
        self.others == Others::OneAgainst && role != self.own
    }

    /// What a role makes of results from 0 to 1.
    pub fn value(&self, role: usize, result: impl Fn(usize) -> f64) -> f64 {
        match self.is_against(role) {
            true => 1.0 - result(self.own),
            false => result(role),
        }
    }

    /// Whether a role that chooses alone now makes any of its moves.
    pub fn errs(&self, role: usize, rng: &mut impl Rng) -> bool {
        let reason = self.reason[role];
        reason < 1.0 && rng.random::<f64>() >= reason
    }

    /// Whether all roles play for themselves.
    pub fn is_plain(&self) -> bool {
        self.others == Others::Themselves
    }

    /// How often a role makes any of its moves, where all do so with the chance `mixing`.
    pub fn mixing(&self, role: usize, mixing: f64) -> f64 {
        mixing.max(1.0 - self.reason[role])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    #[test]
    fn who_is_against_whom() {
        let company = |others| {
            let config = Config {
                others,
                ..Config::default()
            };
            Company::new(1, 3, &config)
        };
        let seen = |others| {
            let values = [0.9, 0.2, 0.4];
            [0, 1, 2].map(|role| company(others).value(role, |role| values[role]))
        };
        assert_eq!(seen(Others::Themselves), [0.9, 0.2, 0.4]);
        assert_eq!(seen(Others::OneAgainst), [0.9, 0.2, 0.4]);
        assert_eq!(seen(Others::Against), [0.8, 0.2, 0.8]);
        let replies = [0, 1, 2].map(|role| company(Others::OneAgainst).may_reply(role));
        assert_eq!(replies, [true, false, true]);
    }

    #[test]
    fn whoever_lacks_reason_errs_but_never_the_role_that_searches() {
        let mut company = Company::new(1, 3, &Config::default());
        for role in 0..2 {
            company.trust(role, 0.25);
        }
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut errors = |role| (0..1000).filter(|_| company.errs(role, &mut rng)).count();
        let errors = [0, 1, 2].map(&mut errors);
        assert!((700..800).contains(&errors[0]), "{errors:?}");
        assert_eq!(errors[1..], [0, 0]);
        assert_eq!([0, 1].map(|role| company.mixing(role, 0.1)), [0.75, 0.1]);
    }
}
