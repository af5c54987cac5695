//! Drops conditions from rules for the next state that follow from a move being legal.
//!
//! A rule for the next state that asks for a move often repeats the conditions under which the
//! move is legal: that it is the role's turn, or that the piece stands on its source square.
//! Only legal moves are played, so these conditions are redundant, and a rule that contradicts
//! them never applies.
//!
//! The literals implied by a literal are under-approximated: the literals common to all rules
//! of its atom, the literals implied by these, and so on up to a fixed depth.

use crate::error::GroundError;
use crate::ground::{AtomId, AtomKind, GroundGame, GroundLiteral, GroundRule};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Drops conditions that follow from the legality of a move in the same rule, and rules that
/// contradict it. Rules must be grouped by head. `watch` is called at every step. If it fails,
/// the work ends with its error.
pub(crate) fn drop_implied(
    game: &mut GroundGame,
    watch: &mut dyn FnMut() -> Result<(), GroundError>,
) -> Result<(), GroundError> {
    let mut rules = std::mem::take(&mut game.rules);
    let mut changes: Vec<(usize, Option<Box<[GroundLiteral]>>)> = Vec::new();
    {
        let mut known = Known::new(game, &rules);
        for (position, rule) in rules.iter().enumerate() {
            watch()?;
            // Conditions implied by one move must not remove that move itself.
            if rule.body.len() > 1
                && rule
                    .body
                    .iter()
                    .any(|literal| known.legal_of(*literal).is_some())
                && let Some(change) = known.without_implied(&rule.body)
            {
                changes.push((position, change));
            }
        }
    }
    let mut dropped = vec![false; rules.len()];
    for (position, change) in changes {
        match change {
            Some(body) => rules[position].body = body,
            None => dropped[position] = true,
        }
    }
    let mut position = 0;
    rules.retain(|_| {
        position += 1;
        !dropped[position - 1]
    });
    // Rules that differed only in dropped conditions are now equal.
    let mut kept: Vec<GroundRule> = Vec::with_capacity(rules.len());
    let mut rules = rules.into_iter().peekable();
    while let Some(first) = rules.next() {
        let (start, head) = (kept.len(), first.head);
        kept.push(first);
        while let Some(rule) = rules.next_if(|rule| rule.head == head) {
            kept.push(rule);
        }
        kept[start..].sort_unstable_by(|a, b| a.body.cmp(&b.body));
        let mut last = start;
        for next in start + 1..kept.len() {
            if kept[next].body != kept[last].body {
                last += 1;
                kept.swap(last, next);
            }
        }
        kept.truncate(last + 1);
    }
    game.rules = kept;
    Ok(())
}

/// A sorted set of literals.
type Literals = Rc<[GroundLiteral]>;

/// The maximum depth to which implications are followed.
const DEPTH: u32 = 6;

/// The maximum size of a set of implied literals. Larger sets are cut.
const MAX_IMPLIED: usize = 64;

/// The literals implied by each literal.
struct Known<'a> {
    game: &'a GroundGame,
    rules: &'a [GroundRule],
    /// For each atom the range of its rules.
    ranges: Vec<(u32, u32)>,
    /// For each `does` atom the `legal` atom of the same move.
    legal: FxHashMap<AtomId, AtomId>,
    implied: FxHashMap<GroundLiteral, Literals>,
}

fn negation(literal: GroundLiteral) -> GroundLiteral {
    GroundLiteral {
        negated: !literal.negated,
        ..literal
    }
}

impl<'a> Known<'a> {
    fn new(game: &'a GroundGame, rules: &'a [GroundRule]) -> Self {
        let mut ranges = vec![(0, 0); game.atoms.len()];
        let mut at = 0;
        for group in rules.chunk_by(|a, b| a.head == b.head) {
            ranges[group[0].head.index()] = (at, at + group.len() as u32);
            at += group.len() as u32;
        }
        let mut by_move: FxHashMap<(u32, u32), AtomId> = FxHashMap::default();
        for (atom, kind) in game.atoms.iter().enumerate() {
            if let AtomKind::Legal { role, mv } = *kind {
                by_move.insert((role, mv), AtomId(atom as u32));
            }
        }
        let mut legal = FxHashMap::default();
        for (atom, kind) in game.atoms.iter().enumerate() {
            if let AtomKind::Does { role, mv } = *kind
                && let Some(&condition) = by_move.get(&(role, mv))
            {
                legal.insert(AtomId(atom as u32), condition);
            }
        }
        Known {
            game,
            rules,
            ranges,
            legal,
            implied: FxHashMap::default(),
        }
    }

    /// The `legal` atom that must hold if the literal asks for a move.
    fn legal_of(&self, literal: GroundLiteral) -> Option<AtomId> {
        match self.game.atoms[literal.atom.index()] {
            AtomKind::Does { .. } if !literal.negated => self.legal.get(&literal.atom).copied(),
            _ => None,
        }
    }

    fn rules_of(&self, atom: AtomId) -> &'a [GroundRule] {
        let (from, to) = self.ranges[atom.index()];
        &self.rules[from as usize..to as usize]
    }

    /// The literals that hold whenever `literal` holds, including itself.
    fn implied(&mut self, literal: GroundLiteral, depth: u32) -> Literals {
        if let Some(known) = self.implied.get(&literal) {
            return known.clone();
        }
        let mut found = vec![literal];
        if depth > 0 {
            if let Some(atom) = self.legal_of(literal) {
                let legal = GroundLiteral {
                    atom,
                    negated: false,
                };
                found.extend_from_slice(&self.implied(legal, depth - 1));
            } else if literal.negated {
                for rule in self.rules_of(literal.atom) {
                    if let [only] = *rule.body
                        && found.len() < MAX_IMPLIED
                    {
                        found.extend_from_slice(&self.implied(negation(only), depth - 1));
                    }
                }
            } else {
                found.extend(self.common(literal.atom, depth - 1));
            }
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(MAX_IMPLIED);
        let found: Literals = found.into();
        self.implied.insert(literal, found.clone());
        found
    }

    /// The literals common to all rules of an atom.
    fn common(&mut self, atom: AtomId, depth: u32) -> Vec<GroundLiteral> {
        let mut common: Option<Vec<GroundLiteral>> = None;
        for rule in self.rules_of(atom) {
            let mut all: Vec<GroundLiteral> = Vec::new();
            for &literal in &rule.body {
                all.extend_from_slice(&self.implied(literal, depth));
            }
            all.sort_unstable();
            match &mut common {
                None => common = Some(all),
                Some(common) => common.retain(|literal| all.binary_search(literal).is_ok()),
            }
            if common.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
        common.unwrap_or_default()
    }

    /// The body without conditions that follow from the legality of its moves. `None` if
    /// nothing is dropped. The inner value is `None` if the body contradicts itself.
    fn without_implied(&mut self, body: &[GroundLiteral]) -> Option<Option<Box<[GroundLiteral]>>> {
        let mut certain: Vec<GroundLiteral> = Vec::new();
        for &literal in body {
            if let Some(atom) = self.legal_of(literal) {
                let legal = GroundLiteral {
                    atom,
                    negated: false,
                };
                certain.extend_from_slice(&self.implied(legal, DEPTH));
            }
        }
        certain.sort_unstable();
        let mut kept: Vec<GroundLiteral> = Vec::with_capacity(body.len());
        for &literal in body {
            let holds = |literal| certain.binary_search(&literal).is_ok();
            if self.legal_of(literal).is_some() {
                kept.push(literal);
            } else if self.settled(literal, false, &holds) {
                return Some(None);
            } else if !self.settled(literal, true, &holds) {
                kept.push(literal);
            }
        }
        (kept.len() < body.len()).then(|| Some(kept.into()))
    }

    /// Whether the literal must have this value, given literals that hold. Looks one level deep
    /// into the rules of its atom.
    fn settled(
        &self,
        literal: GroundLiteral,
        value: bool,
        holds: &dyn Fn(GroundLiteral) -> bool,
    ) -> bool {
        /// The rules of an atom are not examined if there are more than this.
        const MAX_RULES: usize = 16;
        let wanted = if value { literal } else { negation(literal) };
        if holds(wanted) {
            return true;
        }
        let rules = self.rules_of(literal.atom);
        if rules.is_empty() || rules.len() > MAX_RULES {
            return false;
        }
        if wanted.negated {
            let fails = |rule: &GroundRule| rule.body.iter().any(|&l| holds(negation(l)));
            rules.iter().all(fails)
        } else {
            let applies = |rule: &GroundRule| rule.body.iter().all(|&l| holds(l));
            rules.iter().any(applies)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Sketch, rules_of};

    /// The rules for the next state after dropping conditions, with `legal` and views as given.
    fn dropped(rules: &[&str]) -> Vec<String> {
        let mut game = Sketch::new(&[2]).game(rules);
        assert!(drop_implied(&mut game, &mut || Ok(())).is_ok());
        let mut rules = rules_of(&game);
        rules.retain(|rule| rule.starts_with("next"));
        rules
    }

    #[test]
    fn conditions_common_to_all_legal_rules_are_dropped() {
        let rules = dropped(&[
            "legal0.0 <= true0 true1",
            "legal0.0 <= true0 true2",
            "next0 <= does0.0 true0",
            "next1 <= does0.0 true1",
            "next2 <= does0.1 true0",
        ]);
        let expected = [
            "next0 <= does0.0",
            "next1 <= true1 does0.0",
            "next2 <= true0 does0.1",
        ];
        assert_eq!(rules, expected);
    }

    #[test]
    fn implications_pass_through_views_in_both_polarities() {
        let rules = dropped(&[
            "legal0.0 <= [a] -[b]",
            "[a] <= true0 true1",
            "[b] <= true2",
            "[b] <= true3 true4",
            "[c] <= true0",
            "[c] <= true5",
            "[d] <= true2 true1",
            "next0 <= does0.0 true0 -true2",
            "next1 <= does0.0 true3",
            "next2 <= does0.0 [c]",
            "next3 <= does0.0 -[d]",
        ]);
        let expected = [
            "next0 <= does0.0",
            "next1 <= true3 does0.0",
            "next2 <= does0.0",
            "next3 <= does0.0",
        ];
        assert_eq!(rules, expected);
    }

    #[test]
    fn rules_that_contradict_legality_are_dropped() {
        let rules = dropped(&[
            "legal0.0 <= true0 -true1",
            "next0 <= does0.0 true1",
            "next1 <= does0.0 -true0",
            "next2 <= does0.0 true2",
            "next2 <= does0.0 true2 true0",
        ]);
        assert_eq!(rules, ["next2 <= true2 does0.0"]);
    }

    #[test]
    fn literals_are_not_implied_through_recursion() {
        let rules = dropped(&[
            "legal0.0 <= [a]",
            "[a] <= [b]",
            "[b] <= [a]",
            "[b] <= true0",
            "next0 <= does0.0 true0",
            "next1 <= does0.0 [b]",
        ]);
        assert_eq!(rules, ["next0 <= true0 does0.0", "next1 <= does0.0"]);
    }
}
