//! Which squares a move is played with: from–to, placement, or none.
//!
//! Neither the names nor the order of a move's arguments say which of them are squares. So some
//! moves of each relation are tried out, and the arguments are taken for squares in the way that
//! hits most of what they change on the board.

use game::GroundTerm;
use show::{Names, Scene, Square};
use std::collections::BTreeMap;

/// The most moves of a relation that are tried out to learn what its arguments mean.
pub(crate) const SAMPLE: usize = 48;
/// The most moves that are tried out, one by one, where arguments name no squares.
const ONE_BY_ONE: usize = 400;
/// The most arguments that are looked at.
const ARGUMENTS: usize = 9;

/// How a move is played on the board.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Click {
    /// The squares in the order in which they are clicked; none if the move is in the list only.
    pub squares: Vec<Square>,
    /// Whether any square of the column will do, as where discs fall down.
    pub column: bool,
}

/// What a move changes: the scene after it, or `None` if it could not be tried out.
pub(crate) type Try<'a> = dyn FnMut(usize) -> Option<Scene> + 'a;

/// For each move, how it is played in a state that is drawn as `now`.
pub(crate) fn clicks(moves: &[GroundTerm], now: &Scene, try_out: &mut Try<'_>) -> Vec<Click> {
    let mut clicks = vec![Click::default(); moves.len()];
    let args = moves.iter().map(|mv| constants(mv, &now.names));
    let args: Vec<Vec<&str>> = args.collect();
    let mut relations: BTreeMap<(&str, usize), Vec<usize>> = BTreeMap::new();
    for (at, mv) in moves.iter().enumerate() {
        relations
            .entry((name(mv), args[at].len()))
            .or_default()
            .push(at);
    }
    let mut left = ONE_BY_ONE;
    for group in relations.values() {
        // Evenly spread, since neighbours in the list are alike.
        let step = group.len().div_ceil(SAMPLE);
        let sample: Vec<(usize, Vec<Square>)> = group
            .iter()
            .step_by(step)
            .filter_map(|&at| Some((at, changed(now, &try_out(at)?))))
            .collect();
        if let Some(pattern) = best(&sample, &args, now) {
            for &at in group {
                clicks[at].squares = pattern.squares(&args[at], now).unwrap_or_default();
            }
        } else if group.len() <= left {
            left -= group.len();
            for &at in group {
                let known = sample.iter().find(|(other, _)| *other == at);
                let changed = match known {
                    Some((_, squares)) => Some((squares.clone(), None)),
                    None => try_out(at).map(|after| (changed(now, &after), Some(after))),
                };
                if let Some((squares, after)) = changed {
                    clicks[at].squares = by_effect(now, squares, || after.or_else(|| try_out(at)));
                }
            }
            columns(group, &args, now, &mut clicks);
        }
    }
    clicks
}

/// The squares whose contents differ.
pub(crate) fn changed(before: &Scene, after: &Scene) -> Vec<Square> {
    let mut squares = Vec::new();
    for (old, new) in before.grids.iter().zip(&after.grids) {
        let both = old.things.keys().chain(new.things.keys());
        let differ = |square: &&Square| {
            old.things.get(square).cloned().flatten() != new.things.get(square).cloned().flatten()
        };
        squares.extend(both.filter(differ).copied());
    }
    squares.sort_unstable();
    squares.dedup();
    squares
}

/// The squares that something left and reached, if one thing alone did so.
pub(crate) fn moved(before: &Scene, after: &Scene) -> Option<(Square, Square)> {
    let thing = |scene: &Scene, square: &Square| {
        let things = &scene.grids[square.grid].things;
        things.get(square).cloned().flatten()
    };
    let changed = changed(before, after);
    let mut pairs = changed.iter().flat_map(|from| {
        let (after, before, changed) = (after, before, &changed);
        changed.iter().filter_map(move |to| {
            let gone = thing(before, from)?;
            let same = thing(after, to).as_ref() == Some(&gone);
            (from != to && same && thing(after, from).as_ref() != Some(&gone))
                .then_some((*from, *to))
        })
    });
    match (pairs.next(), pairs.next()) {
        (Some(pair), None) => Some(pair),
        _ => None,
    }
}

/// Where in the arguments of a relation squares are.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pattern {
    grid: usize,
    /// The positions of the first of two coordinates each.
    pairs: Vec<usize>,
    /// Whether the vertical coordinate comes first.
    swapped: bool,
}

impl Pattern {
    /// The squares that the arguments name; `None` if they name none.
    fn squares(&self, args: &[&str], now: &Scene) -> Option<Vec<Square>> {
        let grid = &now.grids[self.grid];
        let square = |&at: &usize| {
            let (first, second) = (*args.get(at)?, *args.get(at + 1)?);
            let (across, up) = match self.swapped {
                false => (first, second),
                true => (second, first),
            };
            let before = &args[..at];
            let named = |name: &Vec<String>| {
                before.ends_with(&name.iter().map(|w| &**w).collect::<Vec<_>>())
            };
            Some(Square {
                grid: self.grid,
                board: grid.names.iter().position(named)?,
                x: grid.sides[0].iter().position(|value| value == across)?,
                y: grid.sides[1].iter().position(|value| value == up)?,
            })
        };
        self.pairs.iter().map(square).collect()
    }

    /// How well it tells what moves change; `None` if some arguments are no squares at all.
    fn score(
        &self,
        sample: &[(usize, Vec<Square>)],
        args: &[Vec<&str>],
        now: &Scene,
    ) -> Option<i64> {
        let mut score = 0;
        for (at, changed) in sample {
            for square in self.squares(&args[*at], now)? {
                score += if changed.contains(&square) { 3 } else { -1 };
            }
        }
        Some(score)
    }
}

/// The pattern that tells best what the moves change, if any tells something.
fn best(sample: &[(usize, Vec<Square>)], args: &[Vec<&str>], now: &Scene) -> Option<Pattern> {
    let arity = args[sample.first()?.0].len().min(ARGUMENTS);
    let mut best: Option<(i64, Pattern)> = None;
    for pairs in pairings(0, arity) {
        for (grid, swapped) in (0..now.grids.len()).flat_map(|grid| [(grid, false), (grid, true)]) {
            let pairs = pairs.clone();
            let pattern = Pattern {
                grid,
                pairs,
                swapped,
            };
            let score = pattern.score(sample, args, now).unwrap_or(0);
            if score > best.as_ref().map_or(0, |(most, _)| *most) {
                best = Some((score, pattern));
            }
        }
    }
    best.map(|(_, pattern)| pattern)
}

/// All ways to take pairs of neighbours out of the positions from `from` to `arity`.
fn pairings(from: usize, arity: usize) -> Vec<Vec<usize>> {
    if from + 1 >= arity {
        return vec![Vec::new()];
    }
    let with = pairings(from + 2, arity).into_iter().map(|mut rest| {
        rest.insert(0, from);
        rest
    });
    with.chain(pairings(from + 1, arity)).collect()
}

/// The squares of a move whose arguments name none: the one that it changes, or the two between
/// which it moves something.
fn by_effect(
    now: &Scene,
    changed: Vec<Square>,
    after: impl FnOnce() -> Option<Scene>,
) -> Vec<Square> {
    match changed.len() {
        1 => changed,
        0 => Vec::new(),
        _ => after()
            .and_then(|after| moved(now, &after))
            .map_or_else(Vec::new, |(from, to)| vec![from, to]),
    }
}

/// Lets a whole column stand for a move if the moves name columns and each changes one square.
fn columns(group: &[usize], args: &[Vec<&str>], now: &Scene, clicks: &mut [Click]) {
    let mut seen = Vec::new();
    for &at in group {
        let [square] = clicks[at].squares[..] else {
            return;
        };
        let column = &now.grids[square.grid].sides[0][square.x];
        let place = (square.grid, square.board, square.x);
        if !args[at].iter().any(|arg| arg == column) || seen.contains(&place) {
            return;
        }
        seen.push(place);
    }
    for &at in group {
        clicks[at].column = true;
    }
}

fn name(term: &GroundTerm) -> &str {
    match term {
        GroundTerm::Constant(name) | GroundTerm::Compound(name, _) => name,
    }
}

/// The constants of a move in the order in which they are written, but for its name. Names of
/// squares are two.
fn constants<'a>(term: &'a GroundTerm, names: &Names) -> Vec<&'a str> {
    fn collect<'a>(args: &'a [GroundTerm], names: &Names, all: &mut Vec<&'a str>) {
        for arg in args {
            match arg {
                GroundTerm::Constant(name) => match names.parts(name) {
                    Some((column, row)) => all.extend([column, row]),
                    None => all.push(name),
                },
                GroundTerm::Compound(_, args) => collect(args, names, all),
            }
        }
    }
    let mut all = Vec::new();
    if let GroundTerm::Compound(_, args) = term {
        collect(args, names, &mut all);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use show::Viewer;

    fn terms(text: &str) -> Vec<GroundTerm> {
        text.lines()
            .map(|line| line.trim().parse().expect("a term"))
            .collect()
    }

    /// The clicks of moves, each with the facts after it, as `x,y` of their squares.
    fn told(now: &str, moves: &[(&str, &str)]) -> Vec<String> {
        let viewer = Viewer::new(&[], &[terms(now)]);
        let scene = viewer.scene(&terms(now));
        let all: Vec<GroundTerm> = moves
            .iter()
            .map(|(mv, _)| mv.parse().expect("a move"))
            .collect();
        let mut try_out = |at: usize| Some(viewer.scene(&terms(moves[at].1)));
        let clicks = clicks(&all, &scene, &mut try_out);
        let text = |click: &Click| {
            let squares = click
                .squares
                .iter()
                .map(|square| format!("{},{}", square.x, square.y));
            let column = if click.column { " column" } else { "" };
            squares.collect::<Vec<_>>().join(" ") + column
        };
        clicks.iter().map(text).collect()
    }

    const EMPTY: &str = "(c 1 1 b)\n(c 1 2 b)\n(c 1 3 b)\n(c 2 1 b)\n(c 2 2 b)\n(c 2 3 b)";

    #[test]
    fn arguments_name_squares_in_any_order() {
        let rook = EMPTY.replace("(c 1 1 b)", "(c 1 1 r)");
        let there = EMPTY.replace("(c 2 3 b)", "(c 2 3 r)");
        assert_eq!(told(&rook, &[("(go 1 1 2 3)", &there)]), ["0,0 1,2"]);
        assert_eq!(
            told(&rook, &[("(go r (at 1 1) (at 3 2))", &there)]),
            [""; 1].map(|_| "0,0 1,2")
        );
        assert_eq!(told(EMPTY, &[("(put 2 3)", &there)]), ["1,2"]);
        // The value comes first, and could be a coordinate.
        let two = EMPTY.replace("(c 1 3 b)", "(c 1 3 r)");
        assert_eq!(told(EMPTY, &[("(put 2 1 3)", &two)]), ["0,2"]);
        assert_eq!(told(EMPTY, &[("pass", EMPTY)]), [""]);
    }

    #[test]
    fn discs_that_fall_are_played_by_columns() {
        let one = EMPTY.replace("(c 1 1 b)", "(c 1 1 r)");
        let two = EMPTY.replace("(c 2 1 b)", "(c 2 1 r)");
        let told = told(EMPTY, &[("(drop 1)", &one), ("(drop 2)", &two)]);
        assert_eq!(told, ["0,0 column", "1,0 column"]);
    }

    #[test]
    fn what_names_no_square_is_played_by_what_it_changes() {
        let rook = EMPTY.replace("(c 1 1 b)", "(c 1 1 r)");
        let right = EMPTY.replace("(c 2 1 b)", "(c 2 1 r)");
        assert_eq!(told(&rook, &[("east", &right)]), ["0,0 1,0"]);
    }
}
