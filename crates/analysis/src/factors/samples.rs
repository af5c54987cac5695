//! Sampled states of random play, and invented states, with the moves played in them.

use super::control::Control;
use super::relieved::Relieved;
use budget::{Budget, Exhausted};
use invariants::Play;
use netlist::{GameLogic, Gate, Netlist, Source};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// 64 states: for each input of the netlist, the states in which it is true.
pub(super) type Snapshot = Vec<u64>;

/// Steps of random play after which its states are sampled.
const STEPS: [usize; 6] = [0, 2, 5, 9, 20, 40];
/// Number of snapshots of states that need not be reachable.
const INVENTED: usize = 2;
/// Number of snapshots of both kinds.
pub(super) const SNAPSHOTS: usize = STEPS.len() + INVENTED;

/// Samples 64 states each at several depths of random play.
pub(super) fn reached(
    logic: &GameLogic,
    game: &Relieved,
    seed: u64,
    budget: &Budget,
) -> Result<Vec<Snapshot>, Exhausted> {
    let mut play = Play::new(logic, seed);
    let mut snapshots = Vec::new();
    for step in 0..=STEPS[STEPS.len() - 1] {
        budget.check()?;
        let wanted = STEPS.contains(&step);
        if !wanted {
            play.step();
            continue;
        }
        let mut words = vec![0; game.logic.net.inputs()];
        for (number, source) in game.logic.sources.iter().enumerate() {
            match *source {
                Source::Fact(fact) => words[number] = play.word(logic.facts[fact as usize]),
                Source::Fix(fix) => words[number] = play.word(logic.fixes[fix as usize].input),
                Source::Does { .. } => {}
            }
        }
        play.step();
        for (number, source) in game.logic.sources.iter().enumerate() {
            if let Source::Does { role, mv } = *source {
                words[number] = play.word(logic.does[usize::from(role)][mv as usize]);
            }
        }
        snapshots.push(words);
    }
    Ok(snapshots)
}

/// Adds invented snapshots, in which the facts that moves change are random. This covers
/// situations that are rare in play.
///
/// The control facts run through their states, one state per lane. In play, all lanes are at the
/// same step, so the effects of a move at steps between the sampled ones would be missed. Every
/// second snapshot complements the random facts of the one before it, so that each fact has both
/// values at each step. That shows effects such as a move that sets a fact that may already be
/// true.
pub(super) fn with_invented(
    mut reached: Vec<Snapshot>,
    game: &Relieved,
    control: Option<&Control>,
    seed: u64,
) -> Vec<Snapshot> {
    let control = control.map(|control| (control, control.telling(game)));
    for at in 0..INVENTED {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(at as u64 / 2));
        let contrary = if at % 2 == 1 { u64::MAX } else { 0 };
        let mut words = reached[at].clone();
        for (number, (word, source)) in words.iter_mut().zip(&game.logic.sources).enumerate() {
            match (*source, &control) {
                (Source::Fact(fact), _) if game.moved[fact as usize] => {
                    *word = rng.random::<u64>() ^ contrary;
                }
                (Source::Fact(_), Some((control, states))) => {
                    *word = states.iter().rev().fold(0, |word, &state| {
                        word << 1 | u64::from(control.holds(number, state))
                    });
                }
                _ => {}
            }
        }
        reached.push(words);
    }
    reached
}

/// Evaluates the marked nodes.
pub(super) fn evaluate(net: &Netlist, inputs: &[u64], marked: &[bool]) -> Vec<u64> {
    let mut values = vec![0; net.len()];
    for (node, &gate) in net.gates().iter().enumerate() {
        values[node] = match gate {
            Gate::Input(number) => inputs[number as usize],
            Gate::And(a, b) if marked[node] => {
                netlist::word(&values, a) & netlist::word(&values, b)
            }
            Gate::Xor(a, b) if marked[node] => {
                netlist::word(&values, a) ^ netlist::word(&values, b)
            }
            _ => 0,
        };
    }
    values
}
