//! Proofs of groups: first every pair of members, then that some member holds.

use super::effort::EFFORT;
use super::{Induction, Outcome};
use crate::groups::Group;
use crate::invariant::Invariant;
use budget::Exhausted;

impl Induction<'_> {
    /// Proves a group, or returns weaker invariants to try in its place.
    pub(super) fn group(&mut self, id: u32, group: Group, level: u8) -> Result<Outcome, Exhausted> {
        if level > 0 && self.is_hopeless(&group) {
            let nothing = self.is_spare(id, &group);
            let salvaged = (!nothing).then(|| self.salvaged(id));
            return Ok(Outcome::Weaker(salvaged.unwrap_or_default()));
        }
        let last = group.facts.len();
        let (mut clashes, mut open) = (Vec::new(), false);
        for at in 0..last {
            if self.agenda.part(id, at).is_some() {
                continue;
            }
            let mut clashing: Vec<usize> = (at + 1..last).collect();
            for &attempt in EFFORT[usize::from(level)].attempts {
                self.refuter.take_used();
                match self.clashing(id, &group, at, clashing, attempt)? {
                    Some(left) => clashing = left,
                    None => return Ok(Outcome::Later),
                }
                if clashing.is_empty() {
                    break;
                }
            }
            if clashing.is_empty() {
                let used = self.refuter.take_used();
                self.agenda.keep_part(id, at, used);
                continue;
            }
            open = true;
            if level > 0 && self.is_spare(id, &group) {
                return Ok(Outcome::Weaker(Vec::new()));
            }
            clashes.extend(clashing.into_iter().map(|other| (at, other)));
            if level > 0 || self.is_hopeless(&group) {
                let pairs = clashes
                    .iter()
                    .map(|&(a, b)| (group.facts[a], group.facts[b]));
                self.clashed.extend(pairs);
            }
        }
        if open && (level > 0 || self.is_hopeless(&group)) {
            return Ok(Outcome::Weaker(match self.is_spare(id, &group) {
                true => Vec::new(),
                false => self.parts(&group, &clashes),
            }));
        }
        if open {
            return Ok(Outcome::Later);
        }
        if !group.exactly || self.agenda.part(id, last).is_some() {
            return Ok(Outcome::Proved);
        }
        for &attempt in EFFORT[usize::from(level)].attempts {
            self.refuter.take_used();
            self.refuter.take_stuck();
            if self.some(&group, attempt)? {
                let used = self.refuter.take_used();
                self.agenda.keep_part(id, last, used);
                return Ok(Outcome::Proved);
            }
            if self.counter(id) || self.is_over() {
                break;
            }
        }
        if level == 0 || self.is_over() {
            return Ok(Outcome::Later);
        }
        let weaker = Group {
            exactly: false,
            ..group
        };
        Ok(Outcome::AtMost(Invariant::Group(weaker)))
    }
}
