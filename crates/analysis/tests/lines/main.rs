//! Lines that goals ask for: which there are, and that going from state to state counts them as anew.

#[path = "../shared/mod.rs"]
mod shared;
#[path = "../shared/states.rs"]
mod states;

use analysis::lines::Progress;
use budget::Budget;
use invariants::{Groups, Play};
use netlist::GameLogic;
use shared::{build, scrambled, sheet};
use states::states;

fn find(logic: &GameLogic) -> Option<Progress> {
    let budget = Budget::system();
    let groups = Groups::find(logic, 1, &budget);
    Progress::find(logic, &groups, &budget)
}

/// For each role, how many lines are open of which 1, 2, 3 and 4 facts are missing, up to 8.
fn counts(progress: &mut Progress, state: &[u64], roles: usize) -> Vec<[u32; 4]> {
    let mut words = vec![7];
    progress.add(state, &mut words);
    assert_eq!(words.remove(0), 7, "what was there stays");
    let field = |at: usize| (words[at / 8] >> (8 * (at % 8)) & 0xff).count_ones();
    (0..roles)
        .map(|role| [0, 1, 2, 3].map(|missing| field(4 * role + missing)))
        .collect()
}

#[test]
fn lines_of_a_board_are_counted_as_they_are_filled_and_closed() {
    for rules in [
        sheet("tic_tac_toe"),
        scrambled(&sheet("tic_tac_toe"), 1).sheet,
    ] {
        let (_, logic) = build(&rules).unwrap();
        let mut progress = find(&logic).unwrap();
        let mut play = Play::new(&logic, 3);
        let first = states(&logic, &play).swap_remove(0);
        // Three rows, three columns and two diagonals, for each role.
        assert_eq!(counts(&mut progress, &first, 2), [[0, 0, 8, 0]; 2]);
        play.results();
        play.step();
        let mut seen = std::collections::BTreeSet::new();
        for state in states(&logic, &play) {
            seen.insert(counts(&mut progress, &state, 2));
        }
        // Whoever moves has begun two lines from an edge, three from a corner and four from the middle, which the
        // other one cannot fill any more.
        let one = |lines: u32| [[0, lines, 8 - lines, 0], [0, 0, 8 - lines, 0]];
        let expected = [2, 3, 4].map(one);
        let turned = seen.iter().map(|both| match both[0][1] {
            0 => [both[1], both[0]],
            _ => [both[0], both[1]],
        });
        let turned: std::collections::BTreeSet<_> = turned.collect();
        assert_eq!(turned, expected.into_iter().collect());
    }
}

#[test]
fn from_state_to_state_lines_are_counted_as_from_nothing() {
    for name in [
        "connect_four_small",
        "pentago_small",
        "nine_board_tic_tac_toe",
    ] {
        let (_, logic) = build(&sheet(name)).unwrap();
        let fresh = find(&logic).unwrap();
        let (mut along, mut most) = (fresh.clone(), 0);
        let mut play = Play::new(&logic, 5);
        for _ in 0..30 {
            for state in states(&logic, &play) {
                let told = counts(&mut along, &state, 2);
                assert_eq!(told, counts(&mut fresh.clone(), &state, 2), "{name}");
                most = most.max(told[0][0]);
            }
            play.results();
            play.step();
        }
        assert!(most > 0, "{name}: no line was ever all but full");
    }
}

#[test]
fn goals_of_single_facts_or_of_sums_have_no_lines() {
    for name in ["breakthrough_small", "kalaha", "nim"] {
        let (_, logic) = build(&sheet(name)).unwrap();
        assert!(find(&logic).is_none(), "{name}");
    }
}
