//! Legality, goals and termination are evaluated with no move made.
//!
//! A view may depend on moves and be read both by `next` and by `legal`, `goal` or `terminal`.
//! For `next` it is evaluated with the moves of all roles, for the others with none: `does` is
//! false there. Such views are split in two, one for each use, so that what legality, goals and
//! termination read depends on the state alone.

use crate::error::GroundError;
use crate::ground::{AtomId, AtomKind, GroundGame, GroundLiteral, GroundRule};

/// Splits the views. Rules must be grouped by head, in ascending order of heads; they are so
/// afterwards. `watch` is called at every step. If it fails, the work ends with its error.
pub(crate) fn split(
    game: &mut GroundGame,
    watch: &mut dyn FnMut() -> Result<(), GroundError>,
) -> Result<(), GroundError> {
    let count = game.atoms.len();
    let mut start = vec![0u32; count + 1];
    for rule in &game.rules {
        start[rule.head.index() + 1] += 1;
    }
    for atom in 0..count {
        start[atom + 1] += start[atom];
    }
    let rules = |atom: usize| start[atom] as usize..start[atom + 1] as usize;
    // What legality, goals and termination read, at any distance.
    let is_root = |kind: AtomKind| {
        matches!(
            kind,
            AtomKind::Legal { .. } | AtomKind::Goal { .. } | AtomKind::Terminal
        )
    };
    let mut stack: Vec<usize> = (0..count).filter(|&at| is_root(game.atoms[at])).collect();
    let mut read = vec![false; count];
    stack.iter().for_each(|&root| read[root] = true);
    let mut moved: Vec<usize> = Vec::new();
    while let Some(atom) = stack.pop() {
        watch()?;
        if matches!(game.atoms[atom], AtomKind::Does { .. }) {
            moved.push(atom);
        }
        for rule in &game.rules[rules(atom)] {
            for literal in &rule.body {
                if !std::mem::replace(&mut read[literal.atom.index()], true) {
                    stack.push(literal.atom.index());
                }
            }
        }
    }
    if moved.is_empty() {
        return Ok(());
    }
    let copies = copies(game, &read, moved, watch)?;
    let mut added: Vec<GroundRule> = Vec::new();
    for (atom, copy) in (0..count).filter_map(|at| Some((at, copies[at]?))) {
        for rule in &game.rules[rules(atom)] {
            watch()?;
            added.extend(without_moves(game, rule, copy, &copies));
        }
        let name = match game.atoms[atom] {
            AtomKind::View => format!("{} with no move", game.view_names[atom]),
            _ => String::new(),
        };
        // The question that is asked of a state is the one without moves. Rules for the next state
        // may still read what it is with them.
        let kind = match game.atoms[atom] {
            kind if is_root(kind) => std::mem::replace(&mut game.atoms[atom], AtomKind::View),
            _ => AtomKind::View,
        };
        game.atoms.push(kind);
        game.view_names.push(name);
    }
    game.rules.extend(added);
    Ok(())
}

/// For each atom among those that are `read` and depend on the moves in `moved`, at any distance,
/// the atom that will be its copy.
fn copies(
    game: &GroundGame,
    read: &[bool],
    moved: Vec<usize>,
    watch: &mut dyn FnMut() -> Result<(), GroundError>,
) -> Result<Vec<Option<AtomId>>, GroundError> {
    let count = game.atoms.len();
    let mut readers: Vec<Vec<u32>> = vec![Vec::new(); count];
    for rule in game.rules.iter().filter(|rule| read[rule.head.index()]) {
        watch()?;
        for literal in &rule.body {
            readers[literal.atom.index()].push(rule.head.0);
        }
    }
    let mut depends = vec![false; count];
    let mut stack = moved;
    while let Some(atom) = stack.pop() {
        watch()?;
        for &reader in &readers[atom] {
            if !std::mem::replace(&mut depends[reader as usize], true) {
                stack.push(reader as usize);
            }
        }
    }
    let mut next = count as u32;
    let copy = |depends: bool| {
        depends.then(|| {
            next += 1;
            AtomId(next - 1)
        })
    };
    Ok(depends.into_iter().map(copy).collect())
}

/// The rule with no move made, with another head; `None` if its body cannot hold then.
fn without_moves(
    game: &GroundGame,
    rule: &GroundRule,
    head: AtomId,
    copies: &[Option<AtomId>],
) -> Option<GroundRule> {
    let mut body: Vec<GroundLiteral> = Vec::with_capacity(rule.body.len());
    for literal in &rule.body {
        match game.atoms[literal.atom.index()] {
            AtomKind::Does { .. } if literal.negated => {}
            AtomKind::Does { .. } => return None,
            _ => body.push(GroundLiteral {
                atom: copies[literal.atom.index()].unwrap_or(literal.atom),
                ..*literal
            }),
        }
    }
    body.sort_unstable();
    Some(GroundRule {
        head,
        body: body.into(),
    })
}
