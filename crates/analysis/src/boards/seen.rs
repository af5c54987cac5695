//! Samples of random play: states, and transitions with the facts that changed.

use budget::Budget;
use invariants::Play;
use netlist::GameLogic;
use std::time::Duration;

/// Maximum time for random play.
const TIME: Duration = Duration::from_millis(80);
/// Steps of 64 games: the minimum, if the budget allows, and the maximum.
const STEPS: std::ops::Range<usize> = 32..200;
/// Memory for the states, in bytes.
const BYTES: usize = 32 << 20;
/// Maximum number of transitions that are kept, and of changed facts in them.
const TRANSITIONS: usize = 12_000;
const CHANGES: usize = 400_000;

/// One transition of one game.
#[derive(Debug)]
pub(super) struct Transition {
    /// The move of each role that had a choice.
    pub moves: Vec<Option<u32>>,
    /// Facts that became false.
    pub gone: Vec<u32>,
    /// Facts that became true.
    pub came: Vec<u32>,
}

/// Samples of random play.
#[derive(Debug)]
pub(super) struct Seen {
    /// For each step of 64 games, the words of all facts.
    pub states: Vec<Vec<u64>>,
    /// The transitions.
    pub transitions: Vec<Transition>,
}

impl Seen {
    /// Plays at random.
    pub fn new(logic: &GameLogic, seed: u64, budget: &Budget) -> Seen {
        let facts = logic.facts.len();
        let most = (BYTES / 8 / facts.max(1)).clamp(2, STEPS.end);
        let short = budget.clone().with_timeout(TIME);
        let mut play = Play::new(logic, seed);
        let row = |play: &Play<'_>| -> Vec<u64> {
            logic.facts.iter().map(|&lit| play.word(lit)).collect()
        };
        let mut seen = Seen {
            states: vec![row(&play)],
            transitions: Vec::new(),
        };
        let mut changes = 0;
        while seen.states.len() < most && budget.check().is_ok() {
            if seen.states.len() >= STEPS.start && short.check().is_err() {
                break;
            }
            let (going, free) = choices(logic, &play);
            play.step();
            let new = row(&play);
            if seen.transitions.len() < TRANSITIONS && changes < CHANGES {
                let old = seen.states.last().map_or(&new, |old| old);
                let mut lanes: Vec<Transition> = (0..64)
                    .map(|_| Transition {
                        moves: vec![None; logic.roles()],
                        gone: Vec::new(),
                        came: Vec::new(),
                    })
                    .collect();
                for (fact, (old, new)) in old.iter().zip(&new).enumerate() {
                    let changed = (old ^ new) & going;
                    changes += changed.count_ones() as usize;
                    each_bit(changed, |lane| {
                        let into = &mut lanes[lane];
                        let into = match new >> lane & 1 {
                            1 => &mut into.came,
                            _ => &mut into.gone,
                        };
                        into.push(fact as u32);
                    });
                }
                for (role, does) in logic.does.iter().enumerate() {
                    for (mv, &lit) in (0..).zip(does) {
                        let made = play.word(lit) & going & free[role];
                        each_bit(made, |lane| lanes[lane].moves[role] = Some(mv));
                    }
                }
                let kept = (0..64)
                    .zip(lanes)
                    .filter(|(lane, _)| going >> lane & 1 == 1);
                seen.transitions.extend(kept.map(|(_, lane)| lane));
            }
            seen.states.push(new);
        }
        seen
    }
}

/// The lanes whose game continues with the next step, and for each role the lanes in which it
/// has more than one move.
fn choices(logic: &GameLogic, play: &Play<'_>) -> (u64, Vec<u64>) {
    let mut going = !play.word(logic.terminal);
    let mut free = Vec::new();
    for legal in &logic.legal {
        let (mut one, mut two) = (0u64, 0u64);
        for &lit in legal {
            let word = play.word(lit);
            two |= one & word;
            one |= word;
        }
        going &= one;
        free.push(two);
    }
    (going, free)
}

fn each_bit(mut word: u64, mut visit: impl FnMut(usize)) {
    while word != 0 {
        visit(word.trailing_zeros() as usize);
        word &= word - 1;
    }
}
