//! Moves with the same effect.

use crate::common::{corpus, find, fixture};
use crate::shared::{build, scrambled, sheet};
use analysis::Evidence;
use budget::Budget;
use gdl_parse::{ParseOptions, parse};
use invariants::{Groups, Play};
use netlist::{GameLogic, Lit};
use profile::structure::{Class, Structure};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

fn found(rules: &str) -> (GameLogic, Structure) {
    let sheet = parse(rules, &ParseOptions::default()).sheet;
    let (_, logic) = build(&sheet).unwrap();
    let structure = find(&logic, Duration::from_secs(20));
    (logic, structure)
}

/// A walk of five steps with several moves for a step, and a short cut.
const WALK: &str = "(role robot) (init (at 0)) (init (day 0))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
    (legal robot walk) (legal robot wait)
    (<= (next (at ?n)) steps (true (at ?m)) (succ ?m ?n))
    (<= (next (at ?n)) (true (at ?n)) (not steps))
    (<= (next (day ?n)) (true (day ?m)) (succ ?m ?n))
    (<= steps (does robot walk))
    (<= terminal (true (at 5))) (<= terminal (true (day 7)))
    (<= (goal robot 100) (true (at 5))) (<= (goal robot 0) (not (true (at 5))))
    (<= even (true (day 0))) (<= even (true (day 2))) (<= even (true (day 4))) (<= even (true (day 6)))
    ";

/// Other moves on the way, so that stepping is not simply the absence of another move.
const TURNS: &str = "
    (legal robot (turn left)) (legal robot (turn right)) (legal robot (turn back))
    (<= turns (does robot (turn ?to)))
    (<= (next (facing ?to)) (does robot (turn ?to)))
    (<= (next (facing ?to)) (true (facing ?to)) (not turns))
    (<= (goal robot 30) (true (facing left))) (<= (goal robot 20) (true (facing right)))
    (<= (goal robot 10) (true (facing back)))
    ";

fn name(logic: &GameLogic, mv: u32) -> String {
    logic.words.moves[0][mv as usize].to_string()
}

fn names(logic: &GameLogic, class: &Class) -> BTreeSet<String> {
    class.moves.iter().map(|&mv| name(logic, mv)).collect()
}

/// The only class of the only role; checks that it is proved.
fn only(structure: &Structure) -> &Class {
    let [classes] = &structure.duplicates.classes[..] else {
        panic!("{:?}", structure.duplicates);
    };
    let [class] = &classes[..] else {
        panic!("{classes:?}");
    };
    assert_eq!(class.evidence, Evidence::Proved);
    class
}

/// The moves that are legal in the initial state of a game without duplicates.
fn first_legal(logic: &GameLogic) -> BTreeSet<String> {
    let play = Play::new(logic, 1);
    let legal = logic.legal[0].iter().enumerate();
    legal
        .filter(|(_, lit)| play.word(**lit) & 1 == 1)
        .map(|(mv, _)| name(logic, mv as u32))
        .collect()
}

#[test]
fn moves_with_the_same_effect_are_found() {
    let rules = format!("{WALK} {TURNS} (legal robot stride) (<= steps (does robot stride))");
    let (logic, structure) = found(&rules);
    let class = only(&structure);
    let expected = ["stride", "walk"].map(str::to_owned);
    assert_eq!(names(&logic, class), expected.into());
    let [covered] = &class.covered[..] else {
        panic!("{class:?}");
    };
    assert_eq!((covered.same, covered.evidence), (true, Evidence::Proved));
    let smaller = structure.duplicates.drop(&logic);
    assert_eq!(first_legal(&smaller).len(), 5);
    assert_eq!(structure.duplicates.class(0, covered.mv), Some(class));
}

#[test]
fn moves_legal_less_often_are_covered() {
    let rules = format!("{WALK} {TURNS} (<= (legal robot hop) even) (<= steps (does robot hop))");
    let (logic, structure) = found(&rules);
    let class = only(&structure);
    let [covered] = &class.covered[..] else {
        panic!("{class:?}");
    };
    assert_eq!(name(&logic, covered.mv), "hop");
    assert_eq!(name(&logic, covered.by), "walk");
    assert_eq!((covered.same, covered.evidence), (false, Evidence::Proved));
    let smaller = structure.duplicates.drop(&logic);
    assert_eq!(smaller.legal[0][covered.mv as usize], Lit::FALSE);
}

#[test]
fn overlapping_moves_do_not_cover_each_other() {
    // Two moves are legal in two halves of the week that overlap in one day.
    let rules = format!(
        "{WALK} (<= (legal robot hop) (true (day ?n)) (early ?n))
         (<= (legal robot skip) (true (day ?n)) (late ?n))
         (early 0) (early 1) (early 2) (early 3) (late 3) (late 4) (late 5) (late 6)
         (<= jumps (does robot hop)) (<= jumps (does robot skip))
         (<= (next jumped) jumps) (<= (next jumped) (true jumped))
         (<= (goal robot 50) (true jumped))"
    );
    let (logic, structure) = found(&rules);
    let class = only(&structure);
    let expected = ["hop", "skip"].map(str::to_owned);
    assert_eq!(names(&logic, class), expected.into());
    assert!(class.covered.is_empty(), "{class:?}");
    // Every day: never both, and one whenever there was one.
    let smaller = structure.duplicates.drop(&logic);
    let number = |wanted: &str| {
        let mut moves = logic.words.moves[0].iter();
        moves.position(|mv| mv.to_string() == wanted).unwrap()
    };
    let (hop, skip) = (number("hop"), number("skip"));
    let (mut whole, mut part) = (Play::new(&logic, 3), Play::new(&smaller, 3));
    let mut met = 0;
    for _ in 0..20 {
        let was = [hop, skip].map(|mv| whole.word(logic.legal[0][mv]));
        part.enter(|fact| whole.word(logic.facts[fact as usize]));
        let is = [hop, skip].map(|mv| part.word(smaller.legal[0][mv]));
        assert_eq!((is[0] | is[1], is[0] & is[1]), (was[0] | was[1], 0));
        met |= was[0] & was[1];
        whole.step();
    }
    assert_ne!(met, 0);
}

#[test]
fn moves_may_be_equal_only_when_both_are_legal() {
    // The back door leads on only from where it is open, and it is legal only there.
    let rules = format!(
        "{WALK} (<= (legal robot sneak) (true (at 1))) (<= (legal robot sneak) (true (at 3)))
         (<= (next (at 2)) (does robot sneak) (true (at 1)))
         (<= (next (at 4)) (does robot sneak) (true (at 3)))
         (<= steps (does robot sneak) (true (at 0)))
         (<= stays (does robot sneak) (true (at 1))) (<= stays (does robot sneak) (true (at 3)))
         (<= (next (at ?n)) (true (at ?n)) (does robot sneak) (not stays))"
    )
    .replace(
        "(<= (next (at ?n)) (true (at ?n)) (not steps))",
        "(<= (next (at ?n)) (true (at ?n)) (does robot wait))",
    );
    let (logic, structure) = found(&rules);
    let class = only(&structure);
    let expected = ["sneak", "walk"].map(str::to_owned);
    assert_eq!(names(&logic, class), expected.into());
    let [covered] = &class.covered[..] else {
        panic!("{class:?}");
    };
    assert_eq!(name(&logic, covered.mv), "sneak");
    assert_eq!((covered.same, covered.evidence), (false, Evidence::Proved));
}

#[test]
fn most_games_have_no_duplicates() {
    for name in ["tic_tac_toe", "breakthrough", "connect_four"] {
        let (_, structure) = fixture(name);
        let duplicates = &structure.duplicates;
        assert!(duplicates.is_empty(), "{name}: {duplicates:?}");
    }
}

/// Checks in states of random play, with the same moves of other roles: moves of a class have
/// the same effect on relevant facts, covered moves are legal only when their cover is, and the
/// game without duplicates has a move whenever there was one, and only one of each class.
fn they_do_the_same(logic: &GameLogic, structure: &Structure, steps: usize, what: &str) {
    let idle = &structure.relevance.idle;
    let relevant: Vec<u32> = (0..logic.facts.len() as u32)
        .filter(|fact| idle.binary_search(fact).is_err())
        .collect();
    let smaller = structure.duplicates.drop(logic);
    let (mut play, mut other) = (Play::new(logic, 5), Play::new(logic, 5));
    let mut part = Play::new(&smaller, 5);
    let proved = |class: &&Class| class.evidence == Evidence::Proved;
    let mut turn = 0;
    for _ in 0..steps {
        let state: Vec<u64> = logic.facts.iter().map(|&lit| play.word(lit)).collect();
        part.enter(|fact| state[fact as usize]);
        let mut going = !play.word(logic.terminal);
        let mut legal = Vec::new();
        for (role, row) in logic.legal.iter().enumerate() {
            let words: Vec<u64> = row.iter().map(|&lit| play.word(lit)).collect();
            let some = words.iter().fold(0, |any, word| any | word);
            let kept = smaller.legal[role].iter();
            let kept = kept.fold(0, |any, &lit| any | part.word(lit));
            assert_eq!(kept, some, "{what}: a move of {role}");
            going &= some;
            legal.push(words);
        }
        play.step();
        let does = logic.does.iter();
        let does: Vec<Vec<u64>> = does
            .map(|row| row.iter().map(|&lit| play.word(lit)).collect())
            .collect();
        for (role, classes) in structure.duplicates.classes.iter().enumerate() {
            for class in classes.iter().filter(proved) {
                let legal = &legal[role];
                for covered in &class.covered {
                    let (one, by) = (legal[covered.mv as usize], legal[covered.by as usize]);
                    if covered.evidence == Evidence::Proved {
                        assert_eq!(one & !by & going, 0, "{what}: {covered:?}");
                        assert!(
                            !covered.same || (one ^ by) & going == 0,
                            "{what}: {covered:?}"
                        );
                    }
                }
                let mut once = 0u64;
                for &mv in &class.moves {
                    let word = part.word(smaller.legal[role][mv as usize]);
                    assert_eq!(once & word, 0, "{what}: two of {class:?}");
                    once |= word;
                }
                // Other pairs of the class in every state.
                turn += 1;
                let at = |place: usize| class.moves[place % class.moves.len()] as usize;
                let (one, two) = (at(turn), at(turn + 1 + turn / class.moves.len()));
                let lanes = going & legal[one] & legal[two];
                if one == two || lanes == 0 {
                    continue;
                }
                let [first, second] = [one, two].map(|made| {
                    other.enter(|fact| state[fact as usize]);
                    other.make(|of, mv| match of == role {
                        true => lanes * u64::from(mv == made),
                        false => does[of][mv],
                    });
                    let facts = relevant.iter().map(|&fact| logic.facts[fact as usize]);
                    facts.map(|lit| other.word(lit) & lanes).collect::<Vec<_>>()
                });
                assert!(first == second, "{what}: {one} and {two} of {class:?}");
            }
        }
    }
}

/// Checks one game; how many classes of duplicates it has.
fn check(path: &Path, budget: &dyn Fn() -> Budget) -> usize {
    let rules = std::fs::read_to_string(path).unwrap();
    let sheet = parse(&rules, &ParseOptions::default()).sheet;
    let Some((_, logic)) = build(&sheet) else {
        return 0;
    };
    let groups = Groups::find(&logic, 1, &budget());
    let structure = Structure::find(&logic, &groups, 1, &budget());
    let what = path.file_stem().unwrap_or_default().display().to_string();
    let shown = structure.duplicates.classes.iter().flatten().map(|class| {
        let evidence = match class.evidence {
            Evidence::Proved => "proved",
            _ => "observed",
        };
        let covered = class.covered.len();
        format!("{}/{covered} {evidence}", class.moves.len())
    });
    let shown: Vec<String> = shown.collect();
    println!(
        "{what}: {:.1} ms, {} classes: {:?}",
        structure.report.duplicates.as_secs_f64() * 1e3,
        shown.len(),
        shown.iter().take(6).collect::<Vec<_>>()
    );
    they_do_the_same(&logic, &structure, 60, &what);
    shown.len()
}

#[test]
fn duplicates_have_the_same_effect_in_the_fixtures() {
    let budget = || testkit::steps(4_000);
    let fixtures = testkit::fixtures();
    let classes = fixtures.iter().map(|path| check(path, &budget));
    let classes: usize = classes.sum();
    // Invented games, below, have some.
    assert_eq!(classes, 0, "the fixtures have none");
}

#[test]
fn duplicates_have_the_same_effect_in_the_corpus() {
    for path in corpus() {
        check(&path, &|| {
            Budget::system().with_timeout(Duration::from_secs(2))
        });
    }
}

#[test]
fn an_exhausted_budget_gives_no_duplicates() {
    let (_, logic) = build(&sheet("joint_buttons_and_lights")).unwrap();
    let clock = std::sync::Arc::new(budget::ManualClock::default());
    let over = Budget::unlimited(clock).with_timeout(Duration::ZERO);
    let structure = Structure::find(&logic, &Default::default(), 1, &over);
    assert!(structure.duplicates.is_empty());
}

#[test]
fn scrambled_rules_have_the_same_duplicates() {
    let rules = format!(
        "{WALK} {TURNS} (legal robot stride) (<= steps (does robot stride))
         (<= (legal robot hop) even) (<= steps (does robot hop))"
    );
    let sheet = parse(&rules, &ParseOptions::default()).sheet;
    let (logic, structure) = found(&rules);
    let expected = names(&logic, only(&structure));
    assert_eq!(expected.len(), 3);
    for seed in 1..4 {
        let scrambled = scrambled(&sheet, seed);
        let (_, other) = build(&scrambled.sheet).unwrap();
        let structure = find(&other, Duration::from_secs(20));
        let class = only(&structure);
        let back = |&mv: &u32| {
            let word = &other.words.moves[0][mv as usize];
            scrambled.mapping.unscramble(word).to_string()
        };
        let names: BTreeSet<String> = class.moves.iter().map(back).collect();
        assert_eq!(names, expected);
        assert_eq!(class.covered.len(), 2);
    }
}

proptest::proptest! {
    #![proptest_config(testkit::rules::config())]

    #[test]
    fn duplicates_have_the_same_effect_in_random_games(seed in 0u64..1 << 32) {
        let rules = testkit::games::random_game(seed);
        let sheet = parse(&rules, &ParseOptions::default()).sheet;
        if let Some((_, logic)) = build(&sheet) {
            let structure = find(&logic, Duration::from_secs(1));
            they_do_the_same(&logic, &structure, 60, &rules);
        }
    }
}
