//! Results that facts put out of reach make proofs shorter.

mod common;

use budget::Budget;
use common::{fixture, profile, setup};
use game::{RoleId, State};
use mcts::{Limits, Report};
use metagame::{StartClock, prepare};

/// The reports of a search in some states on a line through a fixture, wherever the first role
/// has a choice.
fn searched(name: &str, ranges: bool) -> Vec<Report> {
    let playable = fixture(name);
    let mut engine = playable.engine.fork();
    let mut profile = profile();
    (profile.ranges, profile.lanes) = (ranges, false);
    // With proof search hardly a node is needed in either case.
    profile.config.proofs.states = 0.0;
    let budget = Budget::system();
    let made = prepare(
        setup(playable),
        &profile,
        None,
        &mut StartClock::new(&budget),
    );
    let limits = Limits {
        playouts: 12_000,
        ..Limits::default()
    };
    let (mut state, mut turn, mut reports) = (engine.initial(), 1u64, Vec::new());
    while !engine.terminal(&state).expect("it plays") {
        let mut joint = Vec::new();
        for role in 0..engine.roles().len() {
            let mut moves = Vec::new();
            engine
                .legal(&state, RoleId(role), &mut moves)
                .expect("it plays");
            turn += 1;
            joint.push(moves[(turn * turn * 7 % 11) as usize % moves.len()]);
            if role == 0 && moves.len() > 1 {
                let mut search = made.searchable.search(None);
                let report = search.choose(&state, limits, &budget, &|_| ());
                reports.push(report.expect("there are moves"));
            }
        }
        let mut next = State::default();
        engine.next(&state, &joint, &mut next).expect("it plays");
        state = next;
    }
    reports
}

#[test]
fn proofs_agree_and_are_shorter() {
    let mut all = [0, 0];
    for name in ["tic_tac_toe", "connect_four_small"] {
        let reports = [false, true].map(|ranges| searched(name, ranges));
        let known = |report: &Report| {
            let bounds = report.candidate.map(|candidate| candidate.bounds);
            bounds.filter(|bounds| report.solved && bounds.is_exact())
        };
        let (mut both, mut nodes) = (0, [0, 0]);
        for (without, with) in reports[0].iter().zip(&reports[1]) {
            if let (Some(one), Some(two)) = (known(without), known(with)) {
                assert_eq!(one, two, "{name}: {without:?} {with:?}");
                both += 1;
                nodes[0] += without.nodes;
                nodes[1] += with.nodes;
            }
        }
        println!(
            "{name}: {both} of {} solved, nodes {nodes:?}",
            reports[0].len()
        );
        assert!(both > 0, "{name}");
        all = [all[0] + nodes[0], all[1] + nodes[1]];
    }
    assert!(all[1] < all[0], "{all:?}");
}
