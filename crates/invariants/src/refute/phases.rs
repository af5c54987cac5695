//! The phases of the game: the group whose value decides most about what is legal.

use super::Refuter;
use crate::invariant::Invariant;

/// Groups with more members are not candidates for the phases of the game.
const MAX_PHASES: usize = 6;
/// Maximum number of groups examined for phases.
const MAX_TRIED: usize = 64;

impl Refuter<'_> {
    /// The group that gives the phase of the game, such as whose turn it is.
    ///
    /// Of the small `exactly` groups, it is the one whose value decides most about what is
    /// legal.
    pub fn phases(&mut self) -> Option<u32> {
        let mut groups: Vec<(u32, Vec<u32>)> = Vec::new();
        for id in 0..self.assumed.len() as u32 {
            match self.assumed.get(id) {
                Invariant::Group(group) if group.exactly && group.facts.len() <= MAX_PHASES => {
                    groups.push((id, group.facts.clone()));
                }
                _ => {}
            }
        }
        groups.sort_by_key(|(_, facts)| facts.len());
        groups.truncate(MAX_TRIED);
        let rated = groups.into_iter().map(|(id, facts)| {
            let excluded = self.legal_excluded(&facts);
            (excluded, std::cmp::Reverse(id))
        });
        let rated: Vec<_> = rated.collect();
        self.take_used();
        let (excluded, id) = rated.into_iter().max()?;
        (excluded > 0).then_some(id.0)
    }

    /// The number of legal signals known to be false, as the minimum over the facts of a group.
    fn legal_excluded(&mut self, facts: &[u32]) -> usize {
        let logic = self.logic;
        let mut least = usize::MAX;
        for &fact in facts {
            self.enter();
            self.limit = u64::MAX;
            if self.assume(logic.facts[fact as usize]) {
                let legal = logic.legal.iter().flatten();
                let excluded = legal.filter(|&&lit| self.known(lit) == Some(false)).count();
                least = least.min(excluded);
            }
            self.leave();
        }
        least
    }
}
