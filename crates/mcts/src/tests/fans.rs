//! Moves that are looked at together.

use super::{choose, search_with};
use crate::Config;
use game::{Engine, EngineError, Fan, Fans, MoveId, RoleId, State};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::toys::TakeAway;

/// Asks the engine move by move, and counts how often it was asked.
struct OneByOne {
    engine: Box<dyn Engine>,
    asked: Arc<AtomicUsize>,
}

impl Fans for OneByOne {
    fn least(&self) -> usize {
        2
    }

    fn fan(
        &mut self,
        state: &State,
        joint: &[MoveId],
        role: RoleId,
        moves: &[MoveId],
        fan: &mut Fan,
    ) -> Result<(), EngineError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        fan.reset(joint.len(), moves.len());
        let (mut joint, mut legal) = (joint.to_vec(), Vec::new());
        for (at, &mv) in moves.iter().enumerate() {
            joint[role.0] = mv;
            self.engine.next(state, &joint, fan.state_mut(at))?;
            let next = fan.state(at).clone();
            if self.engine.terminal(&next)? {
                fan.end(at);
            }
            for role in 0..joint.len() {
                self.engine.legal(&next, RoleId(role), &mut legal)?;
                fan.choices_mut(at)[role] = legal.len() as u32;
            }
        }
        Ok(())
    }

    fn fork(&self) -> Box<dyn Fans> {
        Box::new(OneByOne {
            engine: self.engine.fork(),
            asked: self.asked.clone(),
        })
    }
}

#[test]
fn moves_that_are_looked_at_together_change_nothing() {
    let game = TakeAway::new(2, 101, 5);
    for proofs in [0.0, 1.0] {
        let config = Config {
            sum: Some(100),
            proofs,
            ..Config::default()
        };
        let asked = Arc::new(AtomicUsize::new(0));
        let fans = OneByOne {
            engine: game.fork(),
            asked: asked.clone(),
        };
        let mut without = search_with(game.clone(), 0, config.clone());
        let mut with = search_with(game.clone(), 0, config).with_fans(&fans);
        for tokens in [101, 95, 90] {
            let state = game.state(tokens, RoleId(0));
            let [one, other] = [&mut without, &mut with].map(|search| choose(search, &state, 600));
            assert_eq!(one, other);
        }
        assert!(asked.load(Ordering::Relaxed) > 100);
    }
}
