//! Structures with known answers.

use crate::common::fixture;
use analysis::Evidence;
use budget::Budget;
use netlist::GameLogic;
use profile::structure::{Iterated, Order, ReadBy, Structure, Sum};

fn names(logic: &GameLogic, facts: &[u32]) -> Vec<String> {
    let names = facts
        .iter()
        .map(|&fact| logic.words.facts[fact as usize].to_string());
    names.collect()
}

fn order(name: &str) -> (Order, Evidence) {
    let turns = fixture(name).1.turns;
    (turns.order, turns.evidence)
}

#[test]
fn turn_facts_are_periodic() {
    let (logic, found) = fixture("tic_tac_toe");
    let [chain] = &found.control.chains[..] else {
        panic!("{:?}", found.control.chains);
    };
    assert!(chain.round && found.control.counter().is_none());
    let first = &logic.words.initial;
    assert!(first.contains(&chain.facts[0]) && !first.contains(&chain.facts[1]));
    let read_by = ReadBy {
        legal: true,
        ..ReadBy::default()
    };
    assert_eq!(chain.read_by, read_by);
    assert_eq!(
        (found.ends.fixed, found.ends.evidence),
        (None, Evidence::Proved)
    );
}

#[test]
fn a_step_counter_is_a_chain_that_only_terminal_reads() {
    let (logic, found) = fixture("gold_digger");
    let counter = found.control.counter().unwrap();
    let expected: Vec<String> = (0..=10).map(|n| format!("(time {n})")).collect();
    assert_eq!(names(&logic, &counter.facts), expected);
    let read_by = ReadBy {
        terminal: true,
        ..ReadBy::default()
    };
    assert_eq!(counter.read_by, read_by);
    // It is not idle: without it, the time left is unknown.
    assert!(found.control.idle().is_empty());
    assert_eq!(
        (found.ends.fixed, found.ends.evidence),
        (Some(10), Evidence::Proved)
    );
}

#[test]
fn a_counter_that_nothing_reads_is_idle() {
    let rules = "(role robot) (init (hour 1)) (succ 1 2) (succ 2 3) (succ 3 1)
        (legal robot wait) (legal robot stop)
        (<= (next (hour ?n)) (true (hour ?m)) (succ ?m ?n))
        (<= (next over) (does robot stop)) (<= terminal (true over))
        (<= (goal robot 100) (true over)) (<= (goal robot 0) (not (true over)))
        (<= (base (hour ?n)) (succ ?m ?n)) (base over) (input robot wait) (input robot stop)";
    let sheet = gdl_parse::parse(rules, &Default::default()).sheet;
    let (_, logic) = crate::shared::build(&sheet).unwrap();
    let found = crate::common::find(&logic, std::time::Duration::from_secs(60));
    // The compiler may have found that nothing needs the hours, and removed them.
    let idle = names(&logic, &found.control.idle());
    assert!(idle.len() == 3 || logic.facts.len() == 1, "{idle:?}");
}

#[test]
fn known_games_have_known_turns() {
    let proved = |order| (order, Evidence::Proved);
    for name in [
        "reversi",
        "pentago",
        "hex_pie",
        "sheep_and_wolf",
        "dots_and_boxes",
        "three_player_free_for_all",
    ] {
        assert_eq!(order(name), proved(Order::Alternating), "{name}");
    }
    for name in [
        "bidding_tic_tac_toe",
        "blocker",
        "light_cycles",
        "rock_paper_scissors_repeated",
    ] {
        assert_eq!(order(name), proved(Order::Simultaneous), "{name}");
    }
    assert_eq!(
        order("connect_four_simultaneous"),
        proved(Order::PseudoSimultaneous)
    );
    assert_eq!(order("sudoku_small"), proved(Order::SinglePlayer));
}

#[test]
fn repeated_stages_are_counted() {
    let found: Structure = fixture("rock_paper_scissors_repeated").1;
    let expected = Iterated {
        period: 1,
        stages: 10,
    };
    assert_eq!(found.turns.iterated, Some(expected));
    for name in ["blocker", "tic_tac_toe", "three_player_free_for_all"] {
        assert_eq!(fixture(name).1.turns.iterated, None, "{name}");
    }
}

#[test]
fn a_full_board_ends_the_game() {
    // Only the moves imply it, so it is only observed.
    let (_, found) = fixture("dots_and_boxes");
    assert_eq!(found.ends.fixed, Some(60));
    assert!(matches!(
        found.ends.evidence,
        Evidence::Observed { samples: 100.. }
    ));
    let (_, found) = fixture("eight_puzzle");
    assert_eq!((found.ends.least, found.ends.most), (0, Some(40)));
    // No random playout solves it, which does not prove that it cannot be solved.
    assert_eq!(
        (found.ends.fixed, found.ends.evidence),
        (None, Evidence::Unknown)
    );
}

#[test]
fn results_have_a_constant_sum() {
    let sum = |name: &str| {
        let goals = fixture(name).1.goals;
        (goals.sum, goals.evidence)
    };
    let of = |rules: &str| {
        let sheet = gdl_parse::parse(rules, &Default::default()).sheet;
        let (_, logic) = crate::shared::build(&sheet).unwrap();
        let goals = crate::common::find(&logic, std::time::Duration::from_secs(60)).goals;
        (goals.sum, goals.evidence)
    };
    for name in ["tic_tac_toe", "breakthrough", "connect_four_simultaneous"] {
        assert_eq!(sum(name), (Sum::Constant(100), Evidence::Proved), "{name}");
    }
    // On each of nine boards a line would end play, so the player with a line made the last
    // move. This is proved for each role alone, as there are too many pairs of lines.
    let nine = sum("nine_board_tic_tac_toe");
    assert_eq!(nine, (Sum::Constant(100), Evidence::Proved));
    // Results that do not hold at the end: before, both players have 0.
    let early = "(role a) (role b) (init (turn a)) (<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
        (<= (legal ?r (pick left)) (true (turn ?r))) (<= (legal ?r (pick right)) (true (turn ?r)))
        (<= (legal a wait) (true (turn b))) (<= (legal b wait) (true (turn a)))
        (<= (next (has ?r)) (does ?r (pick left))) (<= (next (has ?r)) (true (has ?r)))
        (<= terminal (true (has a))) (<= terminal (true (has b)))
        (<= (goal a 100) (true (has a))) (<= (goal b 100) (true (has b)))
        (<= (goal a 0) (true (has b))) (<= (goal b 0) (true (has a)))
        (<= (goal ?r 0) (role ?r) (not (true (has a))) (not (true (has b))))";
    assert_eq!(of(early), (Sum::Constant(100), Evidence::Proved));
    assert_eq!(sum("sudoku_small"), (Sum::Alone, Evidence::Proved));
    let partners = "(role a) (role b) (legal a wait) (legal b left) (legal b right)
        (<= (next (went ?m)) (does b ?m)) (<= terminal (true (went ?m)))
        (<= (goal a 100) (true (went left))) (<= (goal a 0) (not (true (went left))))
        (<= (goal b 100) (true (went left))) (<= (goal b 0) (not (true (went left))))";
    assert_eq!(of(partners), (Sum::Same, Evidence::Proved));
}

#[test]
fn two_of_hundreds_of_lines_are_never_complete_together() {
    let sheet = gdl_parse::parse(&five_in_a_row(15), &Default::default()).sheet;
    let (_, logic) = crate::shared::build(&sheet).unwrap();
    let groups = crate::common::groups(&logic, std::time::Duration::from_secs(30));
    let budget = Budget::system().with_timeout(std::time::Duration::from_secs(60));
    assert_eq!(
        analysis::sums::proved_sum(&logic, &groups, 1, &budget),
        Some(100)
    );
}

/// Rules in which two roles place pieces on a board of `size` rows and columns until one has
/// exactly five in a row: gomoku without captures.
fn five_in_a_row(size: usize) -> String {
    let mut rules = String::from(
        "(role x) (role o) (init (turn x)) (<= (next (turn o)) (true (turn x))) (<= (next (turn x)) (true (turn o)))
        (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
        (<= (legal ?r (put ?x ?y)) (true (turn ?r)) (empty ?x ?y))
        (<= (empty ?x ?y) (index ?x) (index ?y) (not (taken ?x ?y))) (<= (taken ?x ?y) (true (at ?x ?y ?r)))
        (<= (next (at ?x ?y ?r)) (true (at ?x ?y ?r))) (<= (next (at ?x ?y ?r)) (does ?r (put ?x ?y)))
        (<= room (empty ?x ?y)) (<= terminal (not room)) (<= terminal (line ?r))
        (other x o) (other o x) (<= (goal ?r 100) (line ?r)) (<= (goal ?r 0) (other ?r ?s) (line ?s))
        (<= (goal ?r 50) (role ?r) (not (line x)) (not (line o)))",
    );
    for at in 1..=size {
        rules += &format!(" (index {at})");
    }
    for at in 0..=size {
        rules += &format!(" (follows {at} {})", at + 1);
    }
    // Columns go up or stay; rows go up, stay or go down.
    for (columns, rows) in [("up", "stay"), ("stay", "up"), ("up", "up"), ("up", "down")] {
        rules += " (<= (line ?r)";
        for at in 0..7 {
            let place = |letter: &str, way: &str| match way {
                "stay" => format!("?{letter}"),
                _ => format!("?{letter}{at}"),
            };
            let (x, y) = (place("x", columns), place("y", rows));
            rules += &match at {
                0 | 6 => format!(" (not (true (at {x} {y} ?r)))"),
                _ => format!(" (true (at {x} {y} ?r))"),
            };
            for (letter, way) in [("x", columns), ("y", rows)] {
                rules += &match way {
                    _ if at == 0 => String::new(),
                    "up" => format!(" (follows ?{letter}{} ?{letter}{at})", at - 1),
                    "down" => format!(" (follows ?{letter}{at} ?{letter}{})", at - 1),
                    _ => String::new(),
                };
            }
        }
        rules += ")";
    }
    rules
}
