//! Makes use of what is known of a joint move: each role makes exactly one of its moves.
//!
//! Frame rules say of every cell and every move that does not touch it that the cell stays as it
//! is: a disjunction over nearly all moves, for every cell. As one move is made, "one of these" is
//! the same as "none of the others", and the others are few. Besides, what a fact becomes depends on
//! the same combinations of moves whatever the fact's other arguments are; these are written once.
//!
//! This is why whoever evaluates the ground rules for the next state must set exactly one `does`
//! for each role.

use crate::error::GroundError;
use crate::ground::{AtomId, AtomKind, GroundGame, GroundLiteral, GroundRule};
use rustc_hash::FxHashMap;

type Body = Box<[GroundLiteral]>;

/// A literal of an atom that holds.
fn positive(atom: AtomId) -> GroundLiteral {
    GroundLiteral {
        atom,
        negated: false,
    }
}

/// Rewrites rules that speak of moves. Rules must be grouped by head. `watch` is called at every
/// step; its error ends the work.
pub(crate) fn factor(
    game: &mut GroundGame,
    watch: &mut dyn FnMut() -> Result<(), GroundError>,
) -> Result<(), GroundError> {
    let made = Made::new(game);
    // Rules that ask for moves where none are made yet mean something else.
    if made.decide_more_than_the_next_state(game) {
        return Ok(());
    }
    let mut factoring = Factoring {
        stamps: vec![0; made.roles.len()],
        stamp: 0,
        others: FxHashMap::default(),
        changes: FxHashMap::default(),
        added: Vec::new(),
        made,
    };
    let rules = std::mem::take(&mut game.rules);
    let mut written: Vec<GroundRule> = Vec::with_capacity(rules.len());
    let mut rules = rules.into_iter().peekable();
    let mut bodies: Vec<Body> = Vec::new();
    while let Some(first) = rules.next() {
        watch()?;
        let head = first.head;
        bodies.push(first.body);
        while let Some(rule) = rules.next_if(|rule| rule.head == head) {
            watch()?;
            bodies.push(rule.body);
        }
        let made = |literal: &GroundLiteral| factoring.made.only[literal.atom.index()];
        if !bodies.iter().any(|body| body.iter().any(made)) {
            written.extend(bodies.drain(..).map(|body| GroundRule { head, body }));
            continue;
        }
        let mut groups = Groups::default();
        for body in bodies.drain(..) {
            watch()?;
            groups.add(&body, &factoring.made);
        }
        for group in groups.groups {
            watch()?;
            factoring.write(game, head, group, &mut written);
        }
    }
    written.append(&mut factoring.added);
    game.rules = written;
    Ok(())
}

/// Which atoms speak of nothing but the moves being made.
struct Made {
    /// For each role the number of its first move, counting the moves of all roles.
    first: Vec<u32>,
    /// The role of each move.
    roles: Vec<u32>,
    /// The `does` atom of each move.
    does: Vec<AtomId>,
    /// For each atom whether it depends on the moves alone.
    only: Vec<bool>,
    /// For each atom that says that one of some moves is made, these moves.
    sets: Vec<Option<Box<[u32]>>>,
}

/// Views that say something about moves are looked through to this depth.
const DEPTH: usize = 3;

/// Atoms that stand for larger sets of moves are not looked through.
const MAX_SET: usize = 1 << 12;

impl Made {
    fn new(game: &GroundGame) -> Self {
        let mut first = Vec::with_capacity(game.roles.len() + 1);
        let mut roles = Vec::new();
        for (role, moves) in game.moves.iter().enumerate() {
            first.push(roles.len() as u32);
            roles.extend(std::iter::repeat_n(role as u32, moves.len()));
        }
        first.push(roles.len() as u32);
        let mut made = Made {
            does: vec![AtomId(0); roles.len()],
            only: vec![false; game.atoms.len()],
            sets: vec![None; game.atoms.len()],
            roles,
            first,
        };
        for (atom, kind) in game.atoms.iter().enumerate() {
            if let AtomKind::Does { role, mv } = *kind {
                let number = made.first[role as usize] + mv;
                made.does[number as usize] = AtomId(atom as u32);
                made.only[atom] = true;
                made.sets[atom] = Some([number].into());
            }
        }
        for _ in 0..DEPTH {
            let mut changed = false;
            for rules in game.rules.chunk_by(|a, b| a.head == b.head) {
                let head = rules[0].head.index();
                if made.only[head] || game.atoms[head] != AtomKind::View {
                    continue;
                }
                let mut literals = rules.iter().flat_map(|rule| &rule.body);
                if literals.all(|literal| made.only[literal.atom.index()]) {
                    made.sets[head] = made.union(rules);
                    made.only[head] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        made
    }

    /// The moves of which one must be made for one of the rules to apply, if they say no more.
    fn union(&self, rules: &[GroundRule]) -> Option<Box<[u32]>> {
        let mut moves: Vec<u32> = Vec::new();
        for rule in rules {
            let [only] = *rule.body else { return None };
            let set = self.sets[only.atom.index()].as_ref()?;
            if only.negated || moves.len() + set.len() > MAX_SET {
                return None;
            }
            moves.extend_from_slice(set);
        }
        moves.sort_unstable();
        moves.dedup();
        Some(moves.into())
    }

    fn role(&self, mv: u32) -> usize {
        self.roles[mv as usize] as usize
    }

    /// Whether legality, goals or the end depend on moves.
    fn decide_more_than_the_next_state(&self, game: &GroundGame) -> bool {
        let count = game.atoms.len();
        let mut start = vec![0u32; count + 1];
        for rule in &game.rules {
            start[rule.head.index() + 1] += 1;
        }
        for atom in 0..count {
            start[atom + 1] += start[atom];
        }
        let mut asked = vec![false; count];
        let mut stack: Vec<usize> = Vec::new();
        for (atom, kind) in game.atoms.iter().enumerate() {
            use AtomKind::{Goal, Legal, Terminal};
            if matches!(kind, Legal { .. } | Goal { .. } | Terminal) {
                asked[atom] = true;
                stack.push(atom);
            }
        }
        while let Some(atom) = stack.pop() {
            if matches!(game.atoms[atom], AtomKind::Does { .. }) {
                return true;
            }
            for rule in &game.rules[start[atom] as usize..start[atom + 1] as usize] {
                for literal in &rule.body {
                    if !std::mem::replace(&mut asked[literal.atom.index()], true) {
                        stack.push(literal.atom.index());
                    }
                }
            }
        }
        false
    }
}

/// The rules of one head with the same conditions on the state.
#[derive(Default)]
struct Group {
    /// The conditions on the state.
    state: Vec<GroundLiteral>,
    /// Atoms any of which suffices, each standing for a set of moves.
    either: Vec<AtomId>,
    /// Other conditions on moves, each of which suffices.
    others: Vec<Body>,
    /// Whether it applies whatever is done.
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

/// The conditions without what follows from one move being made; none if they ask for two.
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
    /// For each move the last group that named it.
    stamps: Vec<u32>,
    stamp: u32,
    /// Atoms for sets of moves of which one is made.
    others: FxHashMap<Vec<u32>, AtomId>,
    /// Atoms for alternatives of conditions on moves.
    changes: FxHashMap<Vec<Body>, AtomId>,
    /// The rules of these atoms.
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

    /// Adds what "one of the moves of these atoms is made" amounts to; false if that is always so.
    fn either(
        &mut self,
        game: &mut GroundGame,
        atoms: &[AtomId],
        alternatives: &mut Vec<Body>,
    ) -> bool {
        // As a whole, if the moves left out are fewer than what there is to write.
        let roles = self.tally(atoms.iter().copied());
        let Some(total) = self.left_out_of(&roles) else {
            return false;
        };
        if total.iter().map(|&(_, others)| others).sum::<usize>() < atoms.len() {
            for (role, _) in total {
                let left_out = self.left_out(game, role);
                alternatives.push([left_out].into());
            }
            return true;
        }
        // Else role by role, as far as the atoms are moves; others are likely to be shared.
        let is_move = |atom: &AtomId| matches!(game.atoms[atom.index()], AtomKind::Does { .. });
        let (moves, others): (Vec<AtomId>, Vec<AtomId>) = atoms.iter().partition(|a| is_move(a));
        alternatives.extend(others.into_iter().map(|atom| Body::from([positive(atom)])));
        let roles = self.tally(moves.iter().copied());
        for (role, others) in self.left_out_of(&roles).unwrap_or_default() {
            if others < roles[role] as usize {
                let left_out = self.left_out(game, role);
                alternatives.push([left_out].into());
                continue;
            }
            let (from, to) = (self.made.first[role], self.made.first[role + 1]);
            for mv in (from..to).filter(|&mv| self.stamps[mv as usize] == self.stamp) {
                alternatives.push([positive(self.made.does[mv as usize])].into());
            }
        }
        true
    }

    /// Stamps the moves that the atoms stand for; how many there are of each role.
    fn tally(&mut self, atoms: impl Iterator<Item = AtomId>) -> Vec<u32> {
        self.stamp += 1;
        let mut roles = vec![0; self.made.first.len() - 1];
        for atom in atoms {
            for &mv in self.made.sets[atom.index()].iter().flatten() {
                if std::mem::replace(&mut self.stamps[mv as usize], self.stamp) != self.stamp {
                    roles[self.made.role(mv)] += 1;
                }
            }
        }
        roles
    }

    /// The roles with any moves, and how many are left out; `None` if a role has no others.
    fn left_out_of(&self, roles: &[u32]) -> Option<Vec<(usize, usize)>> {
        let mut list = Vec::new();
        for (role, &count) in roles.iter().enumerate() {
            let all = self.made.first[role + 1] - self.made.first[role];
            if count == all && count > 0 {
                return None;
            }
            if count > 0 {
                list.push((role, (all - count) as usize));
            }
        }
        Some(list)
    }

    /// A literal that says that the role makes one of the stamped moves, as none of the others.
    fn left_out(&mut self, game: &mut GroundGame, role: usize) -> GroundLiteral {
        let (from, to) = (self.made.first[role], self.made.first[role + 1]);
        let others: Vec<u32> = (from..to)
            .filter(|&mv| self.stamps[mv as usize] != self.stamp)
            .collect();
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

    /// An atom that holds if any of the alternatives does.
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

/// A new atom. No rulesheet can write a name with a space.
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

    /// Two roles with four and two moves, and some rules for what comes next.
    fn factored(rules: &[&str]) -> Vec<String> {
        let mut game = Sketch::new(&[4, 2]).game(rules);
        assert!(factor(&mut game, &mut || Ok(())).is_ok());
        rules_of(&game)
    }

    #[test]
    fn one_of_most_moves_is_none_of_the_others() {
        let rules = factored(&["next0 <= does0.1", "next0 <= does0.2", "next0 <= does0.3"]);
        assert_eq!(rules, ["next0 <= -does0.0"]);
        let rules = factored(&["next0 <= does0.1", "next0 <= does0.2"]);
        assert_eq!(rules, ["next0 <= does0.1", "next0 <= does0.2"]);
    }

    #[test]
    fn one_of_all_moves_is_always_made() {
        let rules = factored(&["next0 <= true1 does1.0", "next0 <= true1 does1.1"]);
        assert_eq!(rules, ["next0 <= true1"]);
    }

    #[test]
    fn what_many_facts_share_is_written_once() {
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
    fn views_of_moves_are_looked_through_where_that_pays() {
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
    fn nobody_makes_two_moves() {
        let rules = factored(&[
            "next0 <= does0.0 does0.1",
            "next1 <= does0.0 -does0.1",
            "next2 <= does0.0 -does1.1",
        ]);
        assert_eq!(rules, ["next1 <= does0.0", "next2 <= does0.0 -does1.1"]);
    }

    #[test]
    fn rules_that_ask_for_moves_before_they_are_made_stay() {
        let rules = ["terminal <= does1.0", "terminal <= does1.1"];
        assert_eq!(factored(&rules), rules);
    }
}
