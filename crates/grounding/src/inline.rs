//! Undoes splits that brought no gain.
//!
//! This pass replaces a helper atom by its definition if the helper has one rule and is used
//! once, if it only stands for another literal, or if its rules can become those of its only
//! user.

use crate::error::GroundError;
use crate::ground::{AtomId, GroundGame, GroundLiteral, GroundRule};

type Body = Box<[GroundLiteral]>;

/// Replaces helper atoms where that makes the rules fewer or smaller.
///
/// Rules must be grouped by head. `helper` flags the helper atoms. No helper may depend on
/// itself through helpers alone. `watch` is called at every step. If it fails, the work ends
/// with its error.
pub(crate) fn inline(
    game: &mut GroundGame,
    helper: &[bool],
    watch: &mut dyn FnMut() -> Result<(), GroundError>,
) -> Result<(), GroundError> {
    if !helper.contains(&true) {
        return Ok(());
    }
    let count = game.atoms.len();
    let mut start = vec![0u32; count + 1];
    let mut uses = vec![0u32; count];
    for rule in &game.rules {
        start[rule.head.index() + 1] += 1;
        for literal in &rule.body {
            uses[literal.atom.index()] += 1;
        }
    }
    for atom in 0..count {
        start[atom + 1] += start[atom];
    }
    let mut inliner = Inliner {
        bodies: game
            .rules
            .iter_mut()
            .map(|rule| std::mem::take(&mut rule.body))
            .collect(),
        start,
        uses,
        helper,
        done: vec![false; count],
        gone: vec![false; count],
        replaced: vec![None; count],
    };
    let heads: Vec<usize> = (0..count).filter(|&atom| !helper[atom]).collect();
    for atom in heads {
        inliner.finish(atom, watch)?;
    }
    inliner.write(game, watch)
}

struct Inliner<'a> {
    bodies: Vec<Body>,
    start: Vec<u32>,
    uses: Vec<u32>,
    helper: &'a [bool],
    /// Whether the atom's own rules are final.
    done: Vec<bool>,
    /// Helper atoms that no rule mentions any more.
    gone: Vec<bool>,
    /// The final bodies of atoms that gained rules.
    replaced: Vec<Option<Vec<Body>>>,
}

impl Inliner<'_> {
    fn rules(&self, atom: usize) -> std::ops::Range<usize> {
        self.start[atom] as usize..self.start[atom + 1] as usize
    }

    /// The bodies of the atom. They are final if the atom is done.
    fn bodies_of(&self, atom: usize) -> &[Body] {
        match &self.replaced[atom] {
            Some(bodies) => bodies,
            None => &self.bodies[self.rules(atom)],
        }
    }

    /// Takes the bodies of the atom. Nothing else needs them any more.
    fn take_bodies(&mut self, atom: usize) -> Vec<Body> {
        match self.replaced[atom].take() {
            Some(bodies) => bodies,
            None => {
                let bodies =
                    &mut self.bodies[self.start[atom] as usize..self.start[atom + 1] as usize];
                bodies.iter_mut().map(std::mem::take).collect()
            }
        }
    }

    /// Makes the rules of `atom` final.
    fn finish(
        &mut self,
        atom: usize,
        watch: &mut dyn FnMut() -> Result<(), GroundError>,
    ) -> Result<(), GroundError> {
        if std::mem::replace(&mut self.done[atom], true) {
            return Ok(());
        }
        watch()?;
        let mut grown: Vec<Body> = Vec::new();
        let mut has_grown = false;
        for rule in self.rules(atom) {
            let body = std::mem::take(&mut self.bodies[rule]);
            if !body.iter().any(|l| self.helper[l.atom.index()]) {
                self.bodies[rule] = body;
                continue;
            }
            for literal in &body {
                if self.helper[literal.atom.index()] {
                    self.finish(literal.atom.index(), watch)?;
                }
            }
            if let [only] = *body
                && !only.negated
                && self.helper[only.atom.index()]
                && self.uses[only.atom.index()] == 1
            {
                // The helper's rules become those of its user.
                self.gone[only.atom.index()] = true;
                grown.extend(self.take_bodies(only.atom.index()));
                has_grown = true;
                continue;
            }
            self.bodies[rule] = self.expand(body);
        }
        if has_grown {
            // Empty bodies are rules that a helper's rules have replaced.
            grown.extend(
                self.take_bodies(atom)
                    .into_iter()
                    .filter(|body| !body.is_empty()),
            );
            self.replaced[atom] = Some(grown);
        }
        Ok(())
    }

    /// Replaces helpers in a body by the bodies of their only rules, where that is smaller.
    fn expand(&mut self, body: Body) -> Body {
        let mut expanded: Vec<GroundLiteral> = Vec::with_capacity(body.len() + 2);
        for literal in body {
            let atom = literal.atom.index();
            let meaning = match (self.helper[atom], self.bodies_of(atom)) {
                (true, [only]) => Some(only),
                _ => None,
            };
            match meaning.map(|m| &**m) {
                Some([other]) => {
                    expanded.push(GroundLiteral {
                        atom: other.atom,
                        negated: other.negated != literal.negated,
                    });
                    self.gone[atom] = true;
                }
                Some(several) if !literal.negated && self.uses[atom] == 1 => {
                    expanded.extend_from_slice(several);
                    self.gone[atom] = true;
                }
                _ => expanded.push(literal),
            }
        }
        expanded.sort_unstable();
        expanded.dedup();
        expanded.into()
    }

    /// Writes the rules back, without contradictions, duplicates and unused helpers.
    fn write(
        mut self,
        game: &mut GroundGame,
        watch: &mut dyn FnMut() -> Result<(), GroundError>,
    ) -> Result<(), GroundError> {
        let count = game.atoms.len();
        let mut ids = vec![AtomId(0); count];
        let mut kept = 0u32;
        for (atom, id) in ids.iter_mut().enumerate() {
            *id = AtomId(kept);
            kept += u32::from(!self.gone[atom]);
        }
        let mut at = 0;
        game.atoms.retain(|_| {
            at += 1;
            !self.gone[at - 1]
        });
        at = 0;
        game.view_names.retain(|_| {
            at += 1;
            !self.gone[at - 1]
        });
        let mut rules = Vec::with_capacity(game.rules.len());
        for head in 0..count {
            if self.gone[head] {
                continue;
            }
            watch()?;
            let mut bodies = self.take_bodies(head);
            bodies.retain(|body| !body.windows(2).any(|pair| pair[0].atom == pair[1].atom));
            bodies.sort_unstable();
            bodies.dedup();
            for mut body in bodies {
                for literal in &mut body {
                    literal.atom = ids[literal.atom.index()];
                }
                rules.push(GroundRule {
                    head: ids[head],
                    body,
                });
            }
        }
        game.rules = rules;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::AtomKind;

    /// A game with `atoms` atoms and rules `head <= body`, where a negative number negates.
    fn inlined(atoms: u32, helpers: &[u32], rules: &[(u32, &[i32])]) -> Vec<(u32, Vec<i32>)> {
        let mut game = GroundGame {
            atoms: vec![AtomKind::View; atoms as usize],
            view_names: (0..atoms).map(|atom| atom.to_string()).collect(),
            rules: rules
                .iter()
                .map(|(head, body)| GroundRule {
                    head: AtomId(*head),
                    body: body
                        .iter()
                        .map(|&code| GroundLiteral {
                            atom: AtomId(code.unsigned_abs()),
                            negated: code < 0,
                        })
                        .collect(),
                })
                .collect(),
            ..GroundGame::default()
        };
        let helper: Vec<bool> = (0..atoms).map(|atom| helpers.contains(&atom)).collect();
        assert!(inline(&mut game, &helper, &mut || Ok(())).is_ok());
        // Restores the original numbers of the atoms.
        let name = |atom: AtomId| game.view_names[atom.index()].parse::<i32>();
        let rule = |rule: &GroundRule| {
            let body = rule.body.iter().map(|literal| {
                let atom = name(literal.atom).expect("names are numbers");
                if literal.negated { -atom } else { atom }
            });
            let head = name(rule.head).expect("names are numbers");
            (head as u32, body.collect())
        };
        game.rules.iter().map(rule).collect()
    }

    #[test]
    fn a_helper_used_once_is_inlined() {
        let rules: &[(u32, &[i32])] = &[(1, &[2, 5]), (5, &[3, -4])];
        assert_eq!(inlined(6, &[5], rules), [(1, vec![2, 3, -4])]);
    }

    #[test]
    fn a_helper_for_one_literal_is_inlined_even_where_it_is_negated() {
        let rules: &[(u32, &[i32])] = &[(1, &[2, -5]), (2, &[5]), (5, &[-3])];
        assert_eq!(inlined(6, &[5], rules), [(1, vec![2, 3]), (2, vec![-3])]);
    }

    #[test]
    fn the_rules_of_a_helper_become_those_of_its_only_user() {
        let rules: &[(u32, &[i32])] =
            &[(1, &[2]), (1, &[5]), (5, &[3, 4]), (5, &[6]), (6, &[7, 8])];
        let expected = [(1, vec![2]), (1, vec![3, 4]), (1, vec![7, 8])];
        assert_eq!(inlined(9, &[5, 6], rules), expected);
    }

    #[test]
    fn a_helper_that_saves_literals_stays() {
        let rules: &[(u32, &[i32])] = &[
            (1, &[2, 5]),
            (2, &[3, 5]),
            (3, &[4, -6]),
            (5, &[7]),
            (5, &[8]),
            (6, &[7, 8]),
        ];
        let as_before: Vec<(u32, Vec<i32>)> = rules
            .iter()
            .map(|(head, body)| (*head, body.to_vec()))
            .collect();
        assert_eq!(inlined(9, &[5, 6], rules), as_before);
    }

    #[test]
    fn contradictory_rules_are_dropped() {
        let rules: &[(u32, &[i32])] = &[(1, &[3, 5]), (1, &[2, 3]), (5, &[-3])];
        assert_eq!(inlined(6, &[5], rules), [(1, vec![2, 3])]);
    }
}
