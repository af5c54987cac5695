//! Simplifies rules with the fact that each role plays exactly one of its moves.
//!
//! Frame rules state for every cell and every move that does not touch it that the cell keeps
//! its content: for every cell, a disjunction over nearly all moves. Since exactly one move is
//! played, "one of these" equals "none of the others", and the others are few. Besides, facts
//! that differ only in some arguments often depend on the same combinations of moves; each
//! combination is written once.
//!
//! The caller that evaluates the ground rules for the next state must therefore set exactly one
//! `does` for each role.

use crate::error::GroundError;
use crate::ground::{AtomId, AtomKind, GroundGame, GroundLiteral, GroundRule};
use made::Made;
use plan::{Plan, Tally};
use rustc_hash::FxHashMap;

mod made;
mod plan;

type Body = Box<[GroundLiteral]>;

/// The positive literal of an atom.
fn positive(atom: AtomId) -> GroundLiteral {
    GroundLiteral {
        atom,
        negated: false,
    }
}

/// Rewrites rules that mention moves. Rules must be grouped by head, and legality, goals and
/// termination must not depend on moves (see `idle`): they are evaluated before any move is set,
/// when "none of the others" does not mean "one of these". `watch` is called at every step. If it
/// fails, the work ends with its error.
pub(crate) fn factor(
    game: &mut GroundGame,
    watch: &mut dyn FnMut() -> Result<(), GroundError>,
) -> Result<(), GroundError> {
    let made = Made::new(game, watch)?;
    let rules = std::mem::take(&mut game.rules);
    // The heads whose rules mention moves, in order.
    let mut moved: Vec<(AtomId, Vec<Group>)> = Vec::new();
    for rules in rules.chunk_by(|a, b| a.head == b.head) {
        let is_made = |literal: &GroundLiteral| made.only[literal.atom.index()];
        if rules.iter().any(|rule| rule.body.iter().any(is_made)) {
            let mut groups = Groups::default();
            for rule in rules {
                watch()?;
                groups.add(&rule.body, &made);
            }
            moved.push((rules[0].head, groups.groups));
        }
    }
    let mut tally = Tally::new(&made);
    let mut factoring = Factoring {
        plan: Plan::new(game, &rules, &moved, &mut tally, &made),
        tally,
        others: FxHashMap::default(),
        changes: FxHashMap::default(),
        added: Vec::new(),
        made,
    };
    let mut written: Vec<GroundRule> = Vec::with_capacity(rules.len());
    let mut moved = moved.into_iter().peekable();
    let mut rules = rules.into_iter().peekable();
    while let Some(rule) = rules.next() {
        watch()?;
        let Some((head, groups)) = moved.next_if(|(head, _)| *head == rule.head) else {
            written.push(rule);
            continue;
        };
        for group in groups {
            watch()?;
            factoring.write(game, head, group, &mut written);
        }
        while rules.next_if(|rule| rule.head == head).is_some() {}
    }
    written.append(&mut factoring.added);
    game.rules = written;
    Ok(())
}

/// The rules of one head that have the same conditions on the state.
#[derive(Default)]
struct Group {
    /// The conditions on the state.
    state: Vec<GroundLiteral>,
    /// Alternative atoms, each of which stands for a set of moves.
    either: Vec<AtomId>,
    /// Other alternative conditions on moves.
    others: Vec<Body>,
    /// Whether the group applies for every joint move.
    always: bool,
}

#[derive(Default)]
struct Groups {
    groups: Vec<Group>,
    by_state: FxHashMap<Vec<GroundLiteral>, usize>,
    state: Vec<GroundLiteral>,
}

impl Groups {
    fn add(&mut self, body: &[GroundLiteral], made: &Made) {
        let is_made = |literal: &GroundLiteral| made.only[literal.atom.index()];
        self.state.clear();
        self.state.extend(body.iter().filter(|l| !is_made(l)));
        let moves: Vec<GroundLiteral> = body.iter().copied().filter(is_made).collect();
        let position = match self.by_state.get(&self.state) {
            Some(&position) => position,
            None => {
                let state = self.state.clone();
                self.by_state.insert(state.clone(), self.groups.len());
                self.groups.push(Group {
                    state,
                    ..Group::default()
                });
                self.groups.len() - 1
            }
        };
        let group = &mut self.groups[position];
        match *moves {
            [] => group.always = true,
            [only] if !only.negated && made.sets[only.atom.index()].is_some() => {
                group.either.push(only.atom);
            }
            _ => group.others.extend(consistent(moves, made)),
        }
    }
}

/// The conditions without those implied by a role playing only one move. `None` if they ask for
/// two moves of one role.
fn consistent(mut moves: Vec<GroundLiteral>, made: &Made) -> Option<Body> {
    let single = |literal: &GroundLiteral| match made.sets[literal.atom.index()].as_deref() {
        Some(&[mv]) => Some(mv),
        _ => None,
    };
    let chosen: Vec<u32> = moves
        .iter()
        .filter(|literal| !literal.negated)
        .filter_map(single)
        .collect();
    let rivals = |mv: u32| {
        let role = made.role(mv);
        let mut same = chosen.iter().filter(move |&&c| made.role(c) == role);
        same.any(|&other| other != mv)
    };
    if chosen.iter().any(|&mv| rivals(mv)) {
        return None;
    }
    moves.retain(|literal| !(literal.negated && single(literal).is_some_and(rivals)));
    Some(moves.into())
}

struct Factoring {
    made: Made,
    plan: Plan,
    tally: Tally,
    /// Atoms for sets of moves, by the set. The atom holds if one of these moves is played.
    others: FxHashMap<Vec<u32>, AtomId>,
    /// Atoms for alternatives of conditions on moves.
    changes: FxHashMap<Vec<Body>, AtomId>,
    /// The rules of these new atoms.
    added: Vec<GroundRule>,
}

impl Factoring {
    /// Writes the rules of a group.
    fn write(
        &mut self,
        game: &mut GroundGame,
        head: AtomId,
        group: Group,
        written: &mut Vec<GroundRule>,
    ) {
        let mut alternatives = group.others;
        let settled = group.always || !self.either(game, &group.either, &mut alternatives);
        if settled {
            alternatives = vec![Body::default()];
        }
        alternatives.sort_unstable();
        alternatives.dedup();
        let together = |moves: &[GroundLiteral]| {
            let mut body = group.state.clone();
            body.extend_from_slice(moves);
            body.sort_unstable();
            GroundRule {
                head,
                body: body.into(),
            }
        };
        if group.state.is_empty() || alternatives.len() < 2 {
            written.extend(alternatives.iter().map(|moves| together(moves)));
        } else {
            let change = self.change(game, alternatives);
            written.push(together(&[positive(change)]));
        }
    }

    /// Adds alternatives for "one of the moves of these atoms is played". Returns false if that
    /// always holds.
    fn either(
        &mut self,
        game: &mut GroundGame,
        atoms: &[AtomId],
        alternatives: &mut Vec<Body>,
    ) -> bool {
        self.tally.count(atoms.iter().copied(), &self.made);
        let Some(total) = self.tally.left_out(&self.made) else {
            return false;
        };
        if self.plan.inverts(atoms) {
            for (role, _) in total {
                let left_out = self.left_out(game, role);
                alternatives.push([left_out].into());
            }
            return true;
        }
        // Otherwise, treat the `does` atoms role by role and keep the others, which are likely
        // to be shared.
        let is_move = |atom: &AtomId| matches!(game.atoms[atom.index()], AtomKind::Does { .. });
        let (moves, others): (Vec<AtomId>, Vec<AtomId>) = atoms.iter().partition(|a| is_move(a));
        alternatives.extend(others.into_iter().map(|atom| Body::from([positive(atom)])));
        self.tally.count(moves.iter().copied(), &self.made);
        for (role, others) in self.tally.left_out(&self.made).unwrap_or_default() {
            if others < self.tally.roles[role] as usize {
                let left_out = self.left_out(game, role);
                alternatives.push([left_out].into());
                continue;
            }
            let (from, to) = (self.made.first[role], self.made.first[role + 1]);
            for mv in (from..to).filter(|&mv| self.tally.has(mv)) {
                alternatives.push([positive(self.made.does[mv as usize])].into());
            }
        }
        true
    }

    /// A literal that holds if the role plays one of the counted moves: the negation of "one of
    /// its other moves".
    fn left_out(&mut self, game: &mut GroundGame, role: usize) -> GroundLiteral {
        let (from, to) = (self.made.first[role], self.made.first[role + 1]);
        let others: Vec<u32> = (from..to).filter(|&mv| !self.tally.has(mv)).collect();
        let atom = match *others {
            [only] => self.made.does[only as usize],
            _ => match self.others.get(&others) {
                Some(&known) => known,
                None => {
                    let atom = add(game, format!("moves {}", self.others.len()));
                    self.added.extend(others.iter().map(|&mv| GroundRule {
                        head: atom,
                        body: [positive(self.made.does[mv as usize])].into(),
                    }));
                    self.others.insert(others, atom);
                    atom
                }
            },
        };
        GroundLiteral {
            atom,
            negated: true,
        }
    }

    /// An atom that holds if any of the alternatives holds.
    fn change(&mut self, game: &mut GroundGame, alternatives: Vec<Body>) -> AtomId {
        if let Some(&known) = self.changes.get(&alternatives) {
            return known;
        }
        let atom = add(game, format!("change {}", self.changes.len()));
        self.added
            .extend(alternatives.iter().map(|body| GroundRule {
                head: atom,
                body: body.clone(),
            }));
        self.changes.insert(alternatives, atom);
        atom
    }
}

/// Adds an atom. No rulesheet can contain a name with a space, so the name is unique.
fn add(game: &mut GroundGame, name: String) -> AtomId {
    let atom = AtomId(game.atoms.len() as u32);
    game.atoms.push(AtomKind::View);
    game.view_names.push(name);
    atom
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Sketch, rules_of};

    /// Factors rules for the next state in a game of two roles, with four and two moves.
    fn factored(rules: &[&str]) -> Vec<String> {
        let mut game = Sketch::new(&[4, 2]).game(rules);
        assert!(factor(&mut game, &mut || Ok(())).is_ok());
        rules_of(&game)
    }

    #[test]
    fn a_disjunction_of_most_moves_becomes_none_of_the_others() {
        let rules = factored(&["next0 <= does0.1", "next0 <= does0.2", "next0 <= does0.3"]);
        assert_eq!(rules, ["next0 <= -does0.0"]);
        let rules = factored(&["next0 <= does0.1", "next0 <= does0.2"]);
        assert_eq!(rules, ["next0 <= does0.1", "next0 <= does0.2"]);
    }

    #[test]
    fn a_disjunction_of_all_moves_always_holds() {
        let rules = factored(&["next0 <= true1 does1.0", "next0 <= true1 does1.1"]);
        assert_eq!(rules, ["next0 <= true1"]);
    }

    #[test]
    fn conditions_shared_by_facts_are_written_once() {
        let rules = factored(&[
            "next0 <= true0 does0.0",
            "next0 <= true0 does0.1",
            "next1 <= true1 does0.0",
            "next1 <= true1 does0.1",
        ]);
        let expected = [
            "next0 <= true0 [change 0]",
            "next1 <= true1 [change 0]",
            "[change 0] <= does0.0",
            "[change 0] <= does0.1",
        ];
        assert_eq!(rules, expected);
    }

    #[test]
    fn views_of_moves_are_expanded_where_that_saves_rules() {
        let rules = factored(&[
            "next0 <= true0 [a]",
            "next0 <= true0 does0.2",
            "next1 <= true1 [a]",
            "[a] <= does0.0",
            "[a] <= does0.1",
        ]);
        let expected = [
            "next0 <= true0 -does0.3",
            "next1 <= true1 [a]",
            "[a] <= does0.0",
            "[a] <= does0.1",
        ];
        assert_eq!(rules, expected);
    }

    #[test]
    fn rules_that_ask_one_role_for_two_moves_are_dropped() {
        let rules = factored(&[
            "next0 <= does0.0 does0.1",
            "next1 <= does0.0 -does0.1",
            "next2 <= does0.0 -does1.1",
        ]);
        assert_eq!(rules, ["next1 <= does0.0", "next2 <= does0.0 -does1.1"]);
    }
}
