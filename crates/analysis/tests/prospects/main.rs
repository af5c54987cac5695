//! Bounds on reachable results on real games: they are sound, and the tests report how tight
//! they are.

#[path = "../shared/mod.rs"]
mod shared;
#[path = "../shared/states.rs"]
mod states;

use analysis::prospects::Prospects;
use budget::Budget;
use game::Engine;
use gdl_parse::{ParseOptions, Rulesheet, parse};
use invariants::{Groups, Play};
use netlist::GameLogic;
use shared::{build, scrambled, sheet};
use states::states;
use std::time::Duration;

/// Counts in random play.
#[derive(Debug, Default)]
struct Seen {
    /// States in which play continued.
    going: u64,
    /// Those of them with narrower bounds than the first state.
    narrower: u64,
    /// Those in which the results of all roles were certain.
    certain: u64,
    /// Terminal states.
    ends: u64,
}

/// Finds groups, then bounds, with `time` for each.
fn find(logic: &GameLogic, time: Duration) -> Option<Prospects> {
    let budget = || Budget::system().with_timeout(time);
    let groups = Groups::find(logic, 1, &budget());
    Prospects::find(logic, &groups, 1, &budget())
}

/// Plays 64 random games in lockstep and checks that bounds never widen and play ends within
/// them.
fn ends_within(logic: &GameLogic, found: &Prospects, steps: usize, seed: u64, what: &str) -> Seen {
    let roles = logic.roles();
    let mut play = Play::new(logic, seed);
    let first = states(logic, &play).swap_remove(0);
    let bounds = |state: &[u64], role| found.of(state, role);
    let open: Vec<_> = (0..roles).map(|role| bounds(&first, role)).collect();
    let mut given = vec![open.clone(); 64];
    let mut seen = Seen::default();
    for _ in 0..steps {
        play.results();
        let terminal = play.word(logic.terminal);
        let stuck = logic.legal.iter().fold(0, |stuck, row| {
            stuck | !row.iter().fold(0, |any, &lit| any | play.word(lit))
        });
        for (lane, state) in states(logic, &play).iter().enumerate() {
            let now: Vec<_> = (0..roles).map(|role| bounds(state, role)).collect();
            for (role, before) in given[lane].iter().enumerate() {
                let next = before.map(|before| found.of_next(state, role, before));
                assert!(
                    next.is_none_or(|next| next == now[role]),
                    "{what}: role {role}"
                );
            }
            for (role, (before, now)) in given[lane].iter().zip(&now).enumerate() {
                let within = match (before, now) {
                    (Some(before), Some(now)) => before.0 <= now.0 && now.1 <= before.1,
                    (None, Some(_)) => false,
                    (_, None) => true,
                };
                assert!(within, "{what}: role {role}, {before:?}, {now:?}");
            }
            let over = terminal >> lane & 1 == 1;
            if over {
                seen.ends += 1;
                for (role, goals) in logic.goals.iter().enumerate() {
                    let mut any = false;
                    for &(value, lit) in goals {
                        if play.word(lit) >> lane & 1 == 1 {
                            any = true;
                            let within = now[role].is_some_and(|(a, b)| a <= value && value <= b);
                            assert!(within, "{what}: role {role}, {value} in {:?}", now[role]);
                        }
                    }
                    assert!(
                        any || !found.always(role),
                        "{what}: role {role} has no result"
                    );
                }
            } else {
                let certain = |bounds: &Option<(u8, u8)>| bounds.is_some_and(|(a, b)| a == b);
                seen.going += 1;
                seen.narrower += u64::from(now != open);
                seen.certain += u64::from(now.iter().all(certain));
            }
            given[lane] = match over || stuck >> lane & 1 == 1 {
                true => open.clone(),
                false => now,
            };
        }
        play.step();
    }
    seen
}

fn read(rules: &str) -> Rulesheet {
    parse(rules, &ParseOptions::default()).sheet
}

#[test]
fn random_play_of_all_fixtures_ends_within_bounds() {
    let (mut found, mut certain) = (0, 0);
    for path in testkit::fixtures() {
        let Some((_, logic)) = build(&read(&std::fs::read_to_string(&path).unwrap())) else {
            continue;
        };
        let what = path.file_stem().unwrap().to_string_lossy().into_owned();
        // The short budget cuts some searches; the results must still be sound.
        let Some(prospects) = find(&logic, Duration::from_millis(300)) else {
            println!("{what}: nothing");
            continue;
        };
        let seen = ends_within(&logic, &prospects, 100, 5, &what);
        println!("{what}: {seen:?}");
        found += 1;
        certain += usize::from(seen.certain > 0);
    }
    assert!(found > 10 && certain > 3, "{found} {certain}");
}

/// The same over the corpus, with counts of what is found: with `ROCINANTE_LONG_TESTS=1`.
#[test]
fn random_play_of_the_corpus_ends_within_bounds() {
    let long = std::env::var_os("ROCINANTE_LONG_TESTS").is_some();
    let (true, Some(corpus)) = (long, testkit::corpus()) else {
        return;
    };
    let (mut games, mut found) = (0, 0);
    for path in testkit::files(&corpus.join("games"), "kif") {
        let rules = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let Some((_, logic)) = build(&read(&rules)) else {
            continue;
        };
        games += 1;
        let what = path.file_stem().unwrap().to_string_lossy().into_owned();
        let Some(prospects) = find(&logic, Duration::from_millis(300)) else {
            continue;
        };
        let seen = ends_within(&logic, &prospects, 60, 5, &what);
        if seen.narrower > 0 {
            println!("{what}: {seen:?}");
            found += 1;
        }
    }
    println!("bounds become narrower in {found} of {games} games");
    assert!(found > 40);
}

/// The bounds of all roles after joint moves, given by their names.
fn after(name: &str, joints: &[&[&str]]) -> Vec<Option<(u8, u8)>> {
    let (network, logic) = build(&sheet(name)).unwrap();
    let prospects = find(&logic, Duration::from_secs(60)).unwrap();
    let mut engine = propnet::PropnetEngine::new(&network, &Budget::system()).unwrap();
    let engine: &mut dyn Engine = &mut engine;
    let (mut here, mut there) = (engine.initial(), engine.initial());
    for joint in joints {
        let moves: Vec<_> = joint
            .iter()
            .enumerate()
            .map(|(role, name)| {
                let mut legal = Vec::new();
                let role = game::RoleId(role);
                engine.legal(&here, role, &mut legal).unwrap();
                let named = |mv: &&game::MoveId| engine.move_term(role, **mv).to_string() == *name;
                *legal.iter().find(named).unwrap()
            })
            .collect();
        engine.next(&here, &moves, &mut there).unwrap();
        std::mem::swap(&mut here, &mut there);
    }
    let mut bits = vec![0u64; logic.facts.len().div_ceil(64)];
    for fact in engine.facts(&here) {
        let at = logic.words.facts.iter().position(|one| *one == fact);
        bits[at.unwrap() / 64] |= 1 << (at.unwrap() % 64);
    }
    (0..logic.roles())
        .map(|role| prospects.of(&bits, role))
        .collect()
}

#[test]
fn a_board_without_an_open_line_is_drawn() {
    let all: &[&[&str]] = &[
        &["(mark 1 1)", "noop"],
        &["noop", "(mark 2 2)"],
        &["(mark 2 3)", "noop"],
        &["noop", "(mark 3 1)"],
        &["(mark 1 3)", "noop"],
        &["noop", "(mark 3 3)"],
        &["(mark 3 2)", "noop"],
        &["noop", "(mark 1 2)"],
    ];
    let open = Some((0, 100));
    assert_eq!(after("tic_tac_toe", &all[..4]), [open, open]);
    // One square is left, and no line can be completed there.
    assert_eq!(after("tic_tac_toe", all), [Some((50, 50)); 2]);
}

#[test]
fn bounds_narrow_in_scrambled_rules_too() {
    for name in ["tic_tac_toe", "max_knights"] {
        let plain = sheet(name);
        for sheet in [scrambled(&plain, 1).sheet, plain] {
            let (_, logic) = build(&sheet).unwrap();
            let prospects = find(&logic, Duration::from_secs(60)).unwrap();
            let seen = ends_within(&logic, &prospects, 60, 5, name);
            assert!(seen.narrower > 0, "{name}: {seen:?}");
        }
    }
}
