//! How near moves are to a result, by the distances of `analysis`.

use analysis::distances::{Condition, Distances, Met, NEVER, Origin};
use budget::Budget;
use compile::Compiled;
use game::{MoveId, RoleId};
use std::time::Duration;

/// The most time for distances.
const TIME: Duration = Duration::from_millis(300);

/// For each move of a role, the transitions from it to the nearest way to `at_least` or more.
///
/// A way that all moves are equally near to, but for those that never lead there, tells nothing
/// and does not count: that the other role has no piece left, say. Without distances, all moves
/// are equally near.
pub(crate) fn near(compiled: &Compiled, role: usize, at_least: u8, budget: &Budget) -> Vec<u8> {
    let role = RoleId(role);
    let mut near = vec![NEVER; compiled.logic.legal[role.0].len()];
    let budget = budget.share(4).with_timeout(TIME);
    let network = compiled.network.as_ref();
    let Some(distances) = network.and_then(|network| Distances::of(network, &budget).ok()) else {
        return near;
    };
    let moves = 0..near.len() as u32;
    let column = |mv| distances.columns().column(Met::Move(role, MoveId(mv)));
    let columns: Vec<Option<usize>> = moves.map(column).collect();
    let mut row = Vec::new();
    for (at, disjunct) in distances.disjuncts().enumerate() {
        let is_way = matches!(disjunct.of, Condition::Goal { role: of, value }
            if of == role && value >= at_least);
        let origin = Origin::Disjunct(at);
        if !is_way || distances.row(origin, &mut row).is_none() || budget.check().is_err() {
            continue;
        }
        let to: Vec<u8> = columns
            .iter()
            .map(|column| column.map_or(NEVER, |column| row[column]))
            .collect();
        let some = || to.iter().filter(|&&to| to != NEVER);
        if some().min() != some().max() {
            near.iter_mut()
                .zip(to)
                .for_each(|(near, to)| *near = to.min(*near));
        }
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_on_a_track_are_nearer_the_further_they_are() {
        let rules = "
            (role runner) (init (at 1)) (next_to 1 2) (next_to 2 3) (next_to 3 4)
            (<= (legal runner (step ?m ?n)) (true (at ?m)) (next_to ?m ?n))
            (<= (legal runner rest) (not (true (at 4))))
            (<= (next (at ?n)) (does runner (step ?m ?n)))
            (<= (next (at ?n)) (true (at ?n)) (does runner rest))
            (<= terminal (true (at 4)))
            (<= (goal runner 100) (true (at 4)))
            (<= (goal runner 0) (not (true (at 4))))";
        let budget = Budget::system();
        let compiled = compile::compile(rules, &budget).unwrap();
        let near = near(&compiled, 0, 100, &budget);
        let moves = compiled.logic.words.moves[0]
            .iter()
            .map(|mv| mv.to_string());
        let steps: Vec<(String, u8)> = moves.zip(near).collect();
        let far = |name: &str| steps.iter().find(|step| step.0 == name).unwrap().1;
        assert_eq!(
            ["(step 3 4)", "(step 2 3)", "(step 1 2)"].map(far),
            [1, 2, 3]
        );
    }
}
