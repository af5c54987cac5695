//! The frequency of moves that end the game with the best result.

use analysis::sampling::{LANES, lanes};
use budget::Budget;
use fixedbitset::FixedBitSet;
use invariants::Play;
use netlist::{GameLogic, Lit};

/// The frequency with which a role has a decisive move: one after which play is over and the
/// role has its best goal value.
///
/// This is a sample: the other roles play random legal moves at the same time, different ones in
/// each try.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Decisive {
    /// For each role, the number of states examined in which it has a choice.
    pub states: Vec<u64>,
    /// For each role, the number of these in which one of its moves was decisive.
    pub decided: Vec<u64>,
}

impl Decisive {
    /// The share of the states with a choice in which a role has a decisive move; `None` if
    /// there were none.
    pub fn share(&self, role: usize) -> Option<f64> {
        let (states, decided) = (*self.states.get(role)?, *self.decided.get(role)?);
        (states > 0).then(|| decided as f64 / states as f64)
    }
}

/// Examines as many of the states as the work allows.
pub(super) fn decisive(
    logic: &GameLogic,
    play: &mut Play<'_>,
    states: &[FixedBitSet],
    work: u64,
    budget: &Budget,
) -> Decisive {
    let best: Vec<Option<Lit>> = logic.goals.iter().map(|goals| best(goals)).collect();
    let mut found = Decisive {
        states: vec![0; logic.roles()],
        decided: vec![0; logic.roles()],
    };
    let mut left = work / super::cost(logic);
    for state in states {
        if left == 0 || budget.check().is_err() {
            break;
        }
        enter(play, state);
        left = left.saturating_sub(1);
        let legal: Vec<Vec<usize>> = logic.legal.iter().map(|row| ones(play, row)).collect();
        for (role, moves) in legal.iter().enumerate() {
            let Some(goal) = best[role].filter(|_| moves.len() > 1) else {
                continue;
            };
            found.states[role] += 1;
            let decided = moves.chunks(LANES).any(|chunk| {
                left = left.saturating_sub(2);
                enter(play, state);
                wins(logic, play, role, chunk, &legal, goal)
            });
            found.decided[role] += u64::from(decided);
        }
    }
    found
}

/// The goal of the greatest value that is not constantly false.
fn best(goals: &[(u8, Lit)]) -> Option<Lit> {
    let possible = goals.iter().filter(|goal| goal.1 != Lit::FALSE);
    possible.max_by_key(|goal| goal.0).map(|goal| goal.1)
}

/// Sets all lanes to one state.
fn enter(play: &mut Play<'_>, state: &FixedBitSet) {
    play.enter(|fact| 0u64.wrapping_sub(state.contains(fact as usize).into()));
}

/// The signals that are true in the first lane.
fn ones(play: &Play<'_>, lits: &[Lit]) -> Vec<usize> {
    let all = lits.iter().enumerate();
    let some = all.filter(|(_, lit)| play.word(**lit) & 1 == 1);
    some.map(|(at, _)| at).collect()
}

/// Whether one of these moves, each in its own lane, wins at once.
fn wins(
    logic: &GameLogic,
    play: &mut Play<'_>,
    role: usize,
    moves: &[usize],
    legal: &[Vec<usize>],
    goal: Lit,
) -> bool {
    let mut made: Vec<Vec<u64>> = logic.does.iter().map(|row| vec![0; row.len()]).collect();
    for (lane, &mv) in moves.iter().enumerate() {
        made[role][mv] |= 1 << lane;
    }
    for (other, moves) in legal.iter().enumerate().filter(|(other, _)| *other != role) {
        for lane in 0..LANES {
            // An odd stride through the list, so that every move takes part if there are few of
            // them.
            if let Some(&mv) = moves.get((lane * 37 + other) % moves.len().max(1)) {
                made[other][mv] |= 1 << lane;
            }
        }
    }
    play.make(|role, mv| made[role][mv]);
    play.results();
    play.word(logic.terminal) & play.word(goal) & lanes(|lane| lane < moves.len()) != 0
}
