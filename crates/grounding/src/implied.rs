//! Leaves out of a move's effects what is certain as the move is legal.
//!
//! A rule for the next state that asks for a move often repeats what made the move legal: that it
//! is the role's turn, that the piece stands where it moves from. Moves that are made are legal, so
//! these conditions say nothing, and a rule that contradicts them never applies.
//!
//! What a literal implies is under-approximated: the literals that all rules of its atom have in
//! common, what these imply, and so on to some depth.

use crate::error::GroundError;
use crate::ground::{AtomId, AtomKind, GroundGame, GroundLiteral, GroundRule};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Drops conditions that follow from a move in the same rule being legal, and rules that contradict
/// it. Rules must be grouped by head. `watch` is called at every step; its error ends the work.
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
            // What follows from one move is no reason to leave out the same move.
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
    // Rules that differed only in what was dropped are one now.
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

/// Sets of literals, sorted.
type Literals = Rc<[GroundLiteral]>;

/// How deep implications are followed.
const DEPTH: u32 = 6;

/// Sets of literals are cut to this size.
const MAX_IMPLIED: usize = 64;

/// What literals imply.
struct Known<'a> {
    game: &'a GroundGame,
    rules: &'a [GroundRule],
    /// For each atom where its rules are.
    ranges: Vec<(u32, u32)>,
    /// For each move the atom that says that it is legal, found by the atom of making it.
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

    /// The atom that must hold for the move to be made, if the literal asks for one.
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

    /// The literals that hold where `literal` does; itself included.
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

    /// What all rules of an atom have in common.
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

    /// The body without conditions that follow from its moves being legal, if there are any; the
    /// inner value is none if it contradicts itself.
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

    /// Whether a literal has this value, given literals that hold; looking one level into its rules.
    fn settled(
        &self,
        literal: GroundLiteral,
        value: bool,
        holds: &dyn Fn(GroundLiteral) -> bool,
    ) -> bool {
        /// Atoms with more rules are not looked into.
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

    /// The rules for what comes next, where `legal` and views are as given.
    fn dropped(rules: &[&str]) -> Vec<String> {
        let mut game = Sketch::new(&[2]).game(rules);
        assert!(drop_implied(&mut game, &mut || Ok(())).is_ok());
        let mut rules = rules_of(&game);
        rules.retain(|rule| rule.starts_with("next"));
        rules
    }

    #[test]
    fn what_all_rules_for_a_move_ask_for_is_certain() {
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
    fn views_are_followed_both_ways() {
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
    fn what_contradicts_the_move_never_applies() {
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
    fn recursion_proves_nothing() {
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
