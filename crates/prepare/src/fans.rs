//! Evaluating the moves of a role side by side, where that is faster than one by one.

use crate::in_lanes::native;
use bitcode::Code;
use budget::Budget;
use compile::Compiled;
use game::{Engine, EngineError, Fan, Fans, MoveId, RoleId, State};
use lanes::{Expander, LaneFans, Order};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::time::Duration;

/// The most states of random play that are measured, and the longest measurement of each
/// variant.
const STATES: usize = 64;
const TRIAL: Duration = Duration::from_millis(8);

/// The most plies of random play.
const PLIES: usize = 500;

/// An evaluator of moves side by side, and its measured times.
pub struct MadeFans {
    /// The evaluator.
    pub fans: Box<dyn Fans>,
    /// Seconds for all moves of a state.
    pub together: f64,
    /// Seconds for all moves of a state including the outlooks of its successors, if it has
    /// outlooks.
    pub ahead: Option<f64>,
    /// Seconds for each move with the engine.
    pub one: f64,
}

/// A decision in random play.
struct Decision {
    state: State,
    joint: Vec<MoveId>,
    role: RoleId,
    moves: Vec<MoveId>,
}

/// Evaluates the moves of a role in states of `engine` side by side.
///
/// It is used from that number of moves on from which it is faster. `None` if the engine is not
/// one of the compiled game, no role ever chooses alone, the budget ends, or it is never faster
/// and has no outlooks.
///
/// With `foresee` it computes outlooks, wins that are one move away, if it can.
pub fn fans_beside(
    engine: &dyn Engine,
    compiled: &Compiled,
    seed: u64,
    foresee: bool,
    budget: &Budget,
) -> Option<MadeFans> {
    let order = Order::of(engine, compiled.logic.next.len())?;
    let mut engine = engine.fork();
    let decisions = decisions(&mut *engine, seed, budget).ok()?;
    if decisions.is_empty() {
        return None;
    }
    budget.check().ok()?;
    let compile = |code: &Code| native::<4>(code, budget);
    let ahead = foresee.then_some(budget);
    let fans = LaneFans::new(
        Expander::in_order(&compiled.phased, order, compile, ahead),
        0,
    );
    let (mut fan, mut next, mut legal) = (Fan::default(), State::default(), Vec::new());
    let mut seconds_of = |fans: &mut dyn Fans| {
        seconds(&decisions, budget, |decision| {
            let Decision {
                state,
                joint,
                role,
                moves,
            } = decision;
            fans.fan(state, joint, *role, moves, &mut fan)
        })
    };
    let together = seconds_of(&mut *fans.fork())?;
    let mut foreseeing = fans.fork();
    let ahead = match foreseeing.foresee() {
        true => Some(seconds_of(&mut *foreseeing)?),
        false => None,
    };
    let count: usize = decisions.iter().map(|decision| decision.moves.len()).sum();
    let all = seconds(&decisions, budget, |decision| {
        let mut joint = decision.joint.clone();
        for &mv in &decision.moves {
            joint[decision.role.0] = mv;
            engine.next(&decision.state, &joint, &mut next)?;
            if !engine.terminal(&next)? {
                engine.legal(&next, decision.role, &mut legal)?;
            }
        }
        Ok(())
    })?;
    let one = all * decisions.len() as f64 / count as f64;
    let least = (together / one).ceil() as usize;
    let most = decisions.iter().map(|decision| decision.moves.len()).max();
    (ahead.is_some() || most? >= least).then(|| MadeFans {
        fans: Box::new(fans.with_least(least.max(2))),
        together,
        ahead,
        one,
    })
}

/// The states of random play in which exactly one role chooses.
fn decisions(
    engine: &mut dyn Engine,
    seed: u64,
    budget: &Budget,
) -> Result<Vec<Decision>, EngineError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut found, mut next) = (Vec::new(), State::default());
    let mut state = engine.initial();
    for _ in 0..PLIES {
        budget.check()?;
        let (mut options, mut joint) = (Vec::new(), Vec::new());
        for role in 0..engine.roles().len() {
            let mut moves = Vec::new();
            engine.legal(&state, RoleId(role), &mut moves)?;
            let any = moves.len().max(1);
            joint.extend(moves.get(rng.random_range(0..any)));
            options.push(moves);
        }
        if engine.terminal(&state)? || joint.len() < options.len() {
            if found.len() >= STATES {
                break;
            }
            state = engine.initial();
            continue;
        }
        let mut choosing = (0..).zip(options).filter(|(_, moves)| moves.len() > 1);
        if let (Some((role, moves)), None) = (choosing.next(), choosing.next()) {
            found.push(Decision {
                state: state.clone(),
                joint: joint.clone(),
                role: RoleId(role),
                moves,
            });
        }
        engine.next(&state, &joint, &mut next)?;
        std::mem::swap(&mut state, &mut next);
    }
    // Spread from the beginning to the end of play.
    let step = found.len().div_ceil(STATES).max(1);
    Ok(found.into_iter().step_by(step).collect())
}

/// Seconds per decision, once everything is warm. `None` if it fails, or the budget ends before
/// it is measured.
fn seconds(
    decisions: &[Decision],
    budget: &Budget,
    mut what: impl FnMut(&Decision) -> Result<(), EngineError>,
) -> Option<f64> {
    let clock = budget.clock();
    let begin = clock.now();
    let mut shortest: Option<Duration> = None;
    while shortest.is_none() || clock.now().saturating_sub(begin) < TRIAL {
        let since = clock.now();
        for decision in decisions {
            budget.check().ok()?;
            what(decision).ok()?;
        }
        let took = clock.now().saturating_sub(since);
        shortest = Some(shortest.map_or(took, |shortest| shortest.min(took)));
        if took.is_zero() {
            return None;
        }
    }
    Some(shortest?.as_secs_f64() / decisions.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EngineChoice, Options, prepare};
    use game::{Outlook, Parent};
    use propnet::PropnetEngine;
    use testkit::fans::OneByOne;

    #[test]
    fn moves_side_by_side_have_the_same_successors_as_one_by_one() {
        let budget = Budget::system();
        let found = testkit::on_all_cores(testkit::fixtures(), |path| {
            let text = std::fs::read_to_string(&path).expect("it can be read");
            let options = Options {
                engine: EngineChoice::Scalar,
                ..Options::default()
            };
            let Ok(made) = prepare(&text, &options, &budget) else {
                return [[0, 0]; 2];
            };
            let name = path.display().to_string();
            // States of the two engines have their facts in different orders.
            let compiled = made.playable.compiled.expect("it is compiled");
            let network = compiled.network.as_ref().expect("it has one");
            let propnet = PropnetEngine::new(network, &budget).expect("it is well formed");
            [
                compare(Box::new(propnet), &compiled, &name),
                compare(made.playable.engine, &compiled, &name),
            ]
        });
        let count = |of: usize| found.iter().flatten().map(|found| found[of]).sum::<usize>();
        let counts = [count(0), count(1)];
        assert!(counts[0] > 6_000 && counts[1] > 150, "{counts:?}");
    }

    /// Checks an outlook against the naive one. Returns 1 if it predicts a winner, else 0.
    fn check_outlook(seen: Outlook, naive: Option<Outlook>, name: &str) -> usize {
        // With a single move the naive outlook does not identify the role that chooses.
        let Some(naive) = naive else { return 0 };
        assert_eq!((seen.role, seen.wins), (naive.role, naive.wins), "{name}");
        let Some((one, other)) = seen.careful.zip(naive.careful) else {
            return 0;
        };
        assert_eq!(one, other, "{name}");
        usize::from(naive.wins || other.1 == 0)
    }

    /// Compares moves in states of random play. Returns the numbers of moves and of predicted
    /// wins.
    fn compare(mut engine: Box<dyn Engine>, compiled: &Compiled, name: &str) -> [usize; 2] {
        let budget = Budget::system();
        let order = Order::of(&*engine, compiled.logic.next.len()).expect("bits are facts");
        let compile = |code: &Code| native::<4>(code, &budget);
        let expander = Expander::in_order(&compiled.phased, order, compile, Some(&budget));
        let mut fans = LaneFans::new(expander, 1);
        fans.foresee();
        let mut fans = fans.fork();
        let mut naive = OneByOne::of(&*engine);
        let (mut fan, mut next, mut legal) = (Fan::default(), State::default(), Vec::new());
        let decisions = decisions(&mut *engine, 5, &budget).expect("it is well formed");
        let (mut compared, mut foreseen) = (0, 0);
        for decision in decisions.iter().step_by(8) {
            let mut joint = decision.joint.clone();
            let (state, role) = (&decision.state, decision.role);
            let fanned = fans.fan(state, &joint, role, &decision.moves, &mut fan);
            fanned.expect("a state of this game");
            assert_eq!(fan.len(), decision.moves.len());
            for (at, &mv) in decision.moves.iter().enumerate() {
                joint[role.0] = mv;
                engine.next(state, &joint, &mut next).expect("sound");
                assert_eq!(fan.state(at), &next, "{name}");
                let over = engine.terminal(&next).expect("sound");
                assert_eq!(fan.is_over(at), over, "{name}");
                for (role, &count) in fan.choices(at).iter().enumerate().filter(|_| !over) {
                    engine
                        .legal(&next, RoleId(role), &mut legal)
                        .expect("sound");
                    assert_eq!(count as usize, legal.len(), "{name}");
                }
                if let (Some(seen), false) = (fan.outlook(at), over) {
                    foreseen += check_outlook(seen, naive.outlook(&next).expect("sound"), name);
                }
                compared += 1;
            }
        }
        let parents = decisions.iter().step_by(8).map(|decision| Parent {
            state: &decision.state,
            joint: &decision.joint,
            role: decision.role,
            moves: &decision.moves,
        });
        let parents: Vec<Parent<'_>> = parents.collect();
        compare_all(&mut *fans, &parents, name);
        [compared, foreseen]
    }

    /// The successors of many parents in one call are those of one parent after the other.
    fn compare_all(fans: &mut dyn Fans, parents: &[Parent<'_>], name: &str) {
        let (mut all, mut one, mut place) = (Fan::default(), Fan::default(), 0);
        fans.fan_all(parents, &mut all)
            .expect("states of this game");
        for &Parent {
            state,
            joint,
            role,
            moves,
        } in parents
        {
            fans.fan(state, joint, role, moves, &mut one)
                .expect("a state of this game");
            for at in 0..one.len() {
                assert_eq!(all.state(place), one.state(at), "{name}");
                assert_eq!(all.is_over(place), one.is_over(at), "{name}");
                assert_eq!(all.choices(place), one.choices(at), "{name}");
                assert_eq!(all.outlook(place), one.outlook(at), "{name}");
                place += 1;
            }
        }
        assert_eq!(place, all.len(), "{name}");
    }

    #[test]
    fn strange_states_and_moves_are_errors() {
        let fixtures = testkit::fixtures();
        let path = fixtures
            .iter()
            .find(|path| path.ends_with("tic_tac_toe.gdl"));
        let text = std::fs::read_to_string(path.expect("a fixture")).expect("it can be read");
        let budget = Budget::system();
        let options = Options {
            engine: EngineChoice::Scalar,
            ..Options::default()
        };
        let made = prepare(&text, &options, &budget).expect("it is well formed");
        let engine = made.playable.engine;
        let compiled = made.playable.compiled.expect("it is compiled");
        let order = Order::of(&*engine, compiled.logic.next.len()).expect("bits are facts");
        let compile = |code: &Code| native::<4>(code, &budget);
        let expander = Expander::in_order(&compiled.phased, order, compile, None);
        let mut fans = LaneFans::new(expander, 1);
        let (state, mut fan) = (engine.initial(), Fan::default());
        let (joint, none) = ([MoveId(0), MoveId(0)], State::default());
        let strange = MoveId(u32::MAX);
        assert!(
            fans.fan(&none, &joint, RoleId(0), &joint[..1], &mut fan)
                .is_err()
        );
        assert!(
            fans.fan(&state, &joint, RoleId(7), &joint[..1], &mut fan)
                .is_err()
        );
        assert!(
            fans.fan(&state, &joint, RoleId(0), &[strange], &mut fan)
                .is_err()
        );
    }
}
