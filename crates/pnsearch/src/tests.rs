//! The tests of `dfpn` on this prover, full graphs, and both provers on the same questions.

#[path = "../../dfpn/src/tests.rs"]
mod as_dfpn;

use crate::{Answer, ProofSearch};
use as_dfpn::{fixture, foreseeing, played, prover};
use budget::Budget;
use game::{Engine, RoleId};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use testkit::fans::OneByOne;

#[test]
fn a_full_graph_forgets_and_still_answers() {
    let game = fixture("tic_tac_toe");
    let state = game.initial();
    for (role, asked) in [(0, 100), (0, 50), (1, 1), (1, 50)] {
        // More states are needed than there is room for.
        let mut small = prover(&game, role, 0);
        let mut large = prover(&game, role, 1 << 24);
        let [one, other] = [&mut small, &mut large].map(|prover| {
            let answer = prover.ask(&state, asked, 1_000_000, &Budget::system());
            answer.expect("the rules can be evaluated")
        });
        assert!(small.graph.nodes.len() <= small.graph.most);
        let verdict = |answer| match answer {
            Answer::Yes { .. } => Some(true),
            Answer::No { .. } => Some(false),
            Answer::Open => None,
        };
        assert_eq!(verdict(one), verdict(other));
        assert_ne!(verdict(one), None);
    }
}

#[test]
fn both_proof_searches_agree() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut engine = fixture("connect_four_small");
    let mut answered = 0;
    for _ in 0..6 {
        let state = played(&mut engine, 6, &mut rng);
        let role = rng.random_range(0..2);
        let mut new = foreseeing(&engine, role, 1 << 22, Some(100));
        let mut old = dfpn::Prover::new(engine.fork(), RoleId(role), 1 << 22, 0);
        old.fan_out(Box::new(OneByOne::of(&engine)));
        old.foresee(Some(100));
        for asked in [1, 50, 100] {
            let budget = Budget::system();
            let one = new.ask(&state, asked, 5_000, &budget).unwrap();
            let other = old.ask(&state, asked, 5_000, &budget).unwrap();
            match (one, other) {
                (Answer::Open, _) | (_, Answer::Open) => continue,
                (Answer::Yes { .. }, Answer::Yes { .. }) => {}
                (Answer::No { .. }, Answer::No { .. }) => {}
                _ => panic!("{one:?} {other:?}"),
            }
            answered += 1;
        }
    }
    assert!(answered >= 6, "{answered} of 18");
}
