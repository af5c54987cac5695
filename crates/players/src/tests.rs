//! Tests of all players.

use crate::by_parts::Apart;
use crate::{BestMove, FEATURES, PROFILES, Player, PlayerError, Setup, by_name};
use budget::Budget;
use compile::{Playable, Proved};
use factored::Parts;
use game::{Engine, MoveId, RoleId, State};
use mcts::Limits;
use metagame::Divided;
use prepare::{EngineChoice, Options, prepare};
use std::time::Duration;
use testkit::toys::{Matrix, TakeAway};

/// The rules of a fixture.
fn rules(name: &str) -> String {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    std::fs::read_to_string(path).expect("it is there")
}

/// The game on the given engine.
fn playable(rules: &str, engine: EngineChoice) -> Playable {
    let options = Options {
        engine,
        ..Options::default()
    };
    let prepared = prepare(rules, &options, &Budget::system());
    prepared.expect("it plays").playable
}

/// A fixture on the scalar engine.
pub(crate) fn scalar(name: &str) -> Playable {
    playable(&rules(name), EngineChoice::Scalar)
}

/// The setup of a player in that role.
pub(crate) fn setup(playable: &Playable, role: usize, seed: u64) -> Setup {
    Setup {
        playable: playable.fork(),
        role: RoleId(role),
        seed,
        threads: 1,
        memory: 128 << 20,
    }
}

/// A game written in Rust.
fn toy(game: &dyn Engine) -> Playable {
    game.fork().into()
}

/// A fixture whose parts are searched, without playouts in lanes.
pub(crate) fn apart(name: &str, role: usize, seed: u64, limits: Limits) -> Option<Apart> {
    let playable = scalar(name);
    let budget = Budget::system();
    let proved = Proved::find(playable.compiled.clone()?, seed, &budget);
    let parts = Parts::find(&proved, seed, &budget)?;
    let mut profile = crate::default::default();
    profile.lanes = false;
    let divided = Divided::find(parts, &setup(&playable, role, seed), &profile, &budget)?;
    Some(Apart::new(divided, limits))
}

/// A budget of this many milliseconds from now on.
fn millis(time: u64) -> Budget {
    Budget::system().with_timeout(Duration::from_millis(time))
}

#[test]
fn every_profile_plays_legal_moves_and_publishes_them() {
    let game = TakeAway::new(2, 21, 3);
    for profile in PROFILES {
        let budget = || millis(5);
        let mut player = by_name(profile).expect("it is listed");
        assert_eq!(player.name(), *profile);
        let best = BestMove::default();
        let early = player.choose(&game.initial(), &best, &budget());
        assert_eq!(early, Err(PlayerError::NotStarted));
        let setup = setup(&toy(&game), 1, 3);
        player.start(setup, &budget()).expect("it starts");
        for tokens in 1..=21 {
            let state = game.state(tokens, RoleId(1));
            let mv = player
                .choose(&state, &best, &budget())
                .expect("there are moves");
            assert!((1..=3.min(tokens)).contains(&u64::from(mv.0)), "{profile}");
            assert_eq!(best.get(), Some(mv), "{profile}");
        }
        let over = player.choose(&game.state(0, RoleId(1)), &best, &budget());
        assert_eq!(over, Err(PlayerError::NoLegalMove));
    }
}

/// A player that has been started on the game, in that role.
fn started(spec: &str, game: &Playable, role: usize, seed: u64) -> Box<dyn Player> {
    let mut player = by_name(spec).expect(spec);
    let setup = setup(game, role, seed);
    player.start(setup, &Budget::system()).expect("it starts");
    player
}

/// A player of the first role that had this many milliseconds of start clock.
fn started_within(time: u64, spec: &str, game: &Playable) -> Box<dyn Player> {
    let mut player = by_name(spec).expect(spec);
    let setup = setup(game, 0, 1);
    player.start(setup, &millis(time)).expect("it starts");
    player
}

/// The number before a word in a player's explanation of its last choice.
fn said(player: &dyn Player, word: &str) -> u64 {
    let text = player.explain().expect("it searched");
    let words: Vec<&str> = text.split([' ', ',', ';']).collect();
    let at = words.iter().position(|found| *found == word).expect(word);
    words[at - 1].parse().expect("a number")
}

#[test]
fn searchers_win_and_say_why() {
    let game = TakeAway::new(2, 21, 3);
    for (spec, least) in [
        ("baseline:playouts=2000", 1000),
        ("default:no-solve,nodes=20000", 1000),
        ("default", 1),
    ] {
        let mut player = started(spec, &toy(&game), 0, 3);
        let state = game.state(7, RoleId(0));
        let mv = player.choose(&state, &BestMove::default(), &Budget::system());
        assert_eq!(mv.map(|mv| mv.0), Ok(3));
        assert!(
            said(&*player, "playouts") >= least,
            "{:?}",
            player.explain()
        );
    }
}

/// Plays a match of a player against itself. Returns its explanation of each choice.
fn match_with_itself(spec: &str, game: &mut Playable, seed: u64, most: usize) -> Vec<String> {
    let fork = game.fork();
    let engine = &mut *game.engine;
    let roles = engine.roles().len();
    let mut players: Vec<Box<dyn Player>> = (0..roles)
        .map(|role| started(spec, &fork, role, seed))
        .collect();
    let (mut state, mut told) = (engine.initial(), Vec::new());
    while !engine.terminal(&state).expect("it is known") && told.len() < most {
        let mut joint = Vec::new();
        for player in &mut players {
            let best = BestMove::default();
            let mv = player.choose(&state, &best, &Budget::system());
            joint.push(mv.expect("a move"));
        }
        let why: Vec<_> = players.iter().map(|player| player.explain()).collect();
        let moves: Vec<String> = (0..roles)
            .map(|role| engine.move_term(RoleId(role), joint[role]).to_string())
            .collect();
        told.push(format!("{moves:?} {why:?}"));
        let mut next = State::default();
        engine.next(&state, &joint, &mut next).expect("it is known");
        state = next;
    }
    told
}

#[test]
fn with_a_budget_of_playouts_or_nodes_everything_repeats() {
    let mut seeds_matter = 0;
    for (name, budgets) in [
        ("tic_tac_toe", ["playouts=60", "nodes=400"]),
        ("buttons_and_lights", ["playouts=40", "nodes=200"]),
        ("rock_paper_scissors_repeated", ["playouts=30", "nodes=300"]),
        ("bidding_tic_tac_toe", ["playouts=20", "nodes=200"]),
        ("three_player_free_for_all", ["playouts=4", "nodes=60"]),
        ("breakthrough_small", ["playouts=4", "nodes=100"]),
    ] {
        let rules = rules(name);
        for choice in [EngineChoice::Reasoner, EngineChoice::Propnet] {
            // Each run begins with the text of the rules, so that nothing is shared.
            let tell =
                |spec: &str, seed| match_with_itself(spec, &mut playable(&rules, choice), seed, 12);
            for profile in ["baseline", "default"] {
                for budget in budgets {
                    let spec = format!("{profile}:{budget}");
                    let first = tell(&spec, 5);
                    assert!(first.len() > 3, "{name}: {first:?}");
                    assert_eq!(first, tell(&spec, 5), "{name}, {choice:?}, {spec}");
                }
            }
            let spec = format!("default:{}", budgets[0]);
            seeds_matter += usize::from(tell(&spec, 5) != tell(&spec, 6));
        }
    }
    assert!(seeds_matter >= 10, "of 12: {seeds_matter}");
}

#[test]
fn learning_with_a_number_of_games_repeats_and_is_told() {
    for method in ["best-first", "mixed"] {
        let game = || playable(&rules("connect_four_small"), EngineChoice::Scalar);
        let spec = format!("default:{method},learn-games=40,playouts=300");
        let tell = || match_with_itself(&spec, &mut game(), 5, 6);
        let first = tell();
        assert!(first.len() > 3, "{first:?}");
        assert_eq!(first, tell(), "{spec}");
        let of_stage = |spec: &str| {
            let player = started(spec, &game(), 0, 5);
            let decisions = &player.plan().expect("there is a plan").decisions;
            let learn = decisions.iter().find(|one| one.stage == "learn");
            learn.map(|one| format!("{}: {}", one.decided, one.why))
        };
        let learnt = of_stage(&spec).expect("it learns");
        assert!(
            learnt.starts_with("4") && learnt.contains(" games"),
            "{learnt}"
        );
        assert_eq!(of_stage("default:no-knowledge,playouts=300"), None);
    }
}

/// The yardstick of all strength work, which must not change.
///
/// If this snapshot changes, so did `baseline`, and with it the meaning of every earlier
/// result.
#[test]
fn baseline_is_frozen() {
    let mut told = String::new();
    for name in [
        "tic_tac_toe",
        "nim",
        "breakthrough_small",
        "bidding_tic_tac_toe",
        "three_player_free_for_all",
    ] {
        let mut game = playable(&rules(name), EngineChoice::Propnet);
        told += &format!("{name}\n");
        for line in match_with_itself("baseline:playouts=60", &mut game, 7, 6) {
            told += &format!("  {line}\n");
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn every_feature_is_tested_here() {
    let names: Vec<&str> = FEATURES.iter().map(|feature| feature.name).collect();
    assert_eq!(
        names,
        [
            "reuse",
            "prepare",
            "ponder",
            "lanes",
            "children",
            "fans",
            "foresight",
            "decisive",
            "anti-decisive",
            "careful",
            "knowledge",
            "puzzles",
            "factors",
            "sum",
            "ranges",
            "solve",
            "proofs",
            "provers",
            "questions",
            "transpositions",
            "look-ahead",
            "learning",
            "amaf",
            "regret",
            "equilibrium",
            "habits",
            "mixing",
            "known"
        ]
    );
}

#[test]
fn moves_are_evaluated_side_by_side_where_faster() {
    let decided = |game: &str, spec: &str| {
        let game = scalar(game);
        let mut player = started_within(2000, spec, &game);
        let decisions = &player.plan().expect("there is a plan").decisions;
        let moves = decisions.iter().find(|decision| decision.stage == "moves");
        let decided = moves.map(|decision| decision.decided.clone());
        let state = game.engine.initial();
        let mv = player.choose(&state, &BestMove::default(), &millis(50));
        assert!(mv.is_ok());
        decided
    };
    // With sixty moves it is faster on any machine.
    let with = decided("hex", "default").expect("it was tried");
    assert!(with.starts_with("looked at together, from"), "{with}");
    assert_eq!(decided("hex", "default:no-fans"), None);
    // Outlooks detect lines, at any number of moves.
    let foreseen = decided("connect_four", "default").expect("it was tried");
    assert!(foreseen.contains("foreseen"), "{foreseen}");
    let without = decided("connect_four", "default:no-foresight").expect("it was tried");
    assert!(!without.contains("foreseen"), "{without}");
}

/// The visits known of a state in which a player answers, if it may ponder for a while after
/// its previous answer.
fn known_after_pondering(spec: &str, first: u64) -> u64 {
    let game = TakeAway::new(2, 60, 3);
    let mut player = started(&format!("{spec},no-prepare,no-solve"), &toy(&game), 0, 3);
    let best = BestMove::default();
    let state = game.state(60, RoleId(0));
    let own = player
        .choose(&state, &best, &millis(first))
        .expect("a move");
    player.ponder(&state, Some(own), &millis(400));
    let after = game.state(60 - u64::from(own.0), RoleId(1));
    player.ponder(&after, Some(MoveId(0)), &millis(400));
    let next = game.state(60 - u64::from(own.0) - 1, RoleId(0));
    player.choose(&next, &best, &millis(20)).expect("a move");
    let text = player.explain().expect("it searched");
    let known = text.split(" visits known before").next();
    let known = known.and_then(|text| text.rsplit(' ').next());
    known.and_then(|text| text.parse().ok()).unwrap_or(0)
}

#[test]
fn players_ponder_unless_they_must_repeat() {
    // Without time for the first answer, everything known comes from pondering.
    let with = known_after_pondering("default:no-lanes", 0);
    let without = known_after_pondering("default:no-lanes,no-ponder", 0);
    assert!(with > 0 && without == 0, "{with} and {without}");
    // These are bounded by playouts, not by time.
    let repeats = |spec| known_after_pondering(&format!("default:playouts=300{spec}"), 60_000);
    assert_eq!(repeats(""), repeats(",no-ponder"));
}

#[test]
fn an_unassailable_move_is_answered_early_if_wanted() {
    // Two tokens: taking both wins. Without proofs only visits show that.
    let early = |spec: &str, time| {
        let game = TakeAway::new(2, 2, 3);
        let mut player = started_within(20, spec, &toy(&game));
        let all = Duration::from_millis(time);
        let budget = Budget::system().with_timeout(all);
        let since = budget.clock().now();
        let state = game.state(2, RoleId(0));
        let mv = player.choose(&state, &BestMove::default(), &budget);
        assert_eq!(mv.map(|mv| mv.0), Ok(2));
        budget.clock().now().saturating_sub(since) < all
    };
    assert!(early("default:no-solve,early=100", 1000));
    assert!(!early("default:no-solve", 100));
}

#[test]
fn without_reuse_the_second_search_starts_empty() {
    let game = TakeAway::new(2, 2000, 3);
    let nodes = |spec| {
        let mut player = started(spec, &toy(&game), 0, 3);
        let mut choose = || {
            let state = game.state(1999, RoleId(0));
            let mv = player.choose(&state, &BestMove::default(), &Budget::system());
            mv.expect("a move");
            said(&*player, "nodes")
        };
        choose();
        choose()
    };
    let with = nodes("default:playouts=400");
    let without = nodes("default:no-reuse,playouts=400");
    assert!(without > 0 && 2 * with > 3 * without, "{with}, {without}");
}

#[test]
fn without_preparing_the_first_search_starts_empty() {
    let game = TakeAway::new(2, 2000, 3);
    let nodes = |spec| {
        let mut player = started(spec, &toy(&game), 0, 3);
        let mv = player.choose(&game.initial(), &BestMove::default(), &Budget::system());
        mv.expect("a move");
        said(&*player, "nodes")
    };
    let with = nodes("default:playouts=400");
    let without = nodes("default:no-prepare,playouts=400");
    assert!(without > 0 && 2 * with > 3 * without, "{with}, {without}");
}

#[test]
fn questions_about_the_root_are_asked_and_told() {
    let game = TakeAway::new(2, 61, 3);
    let thought = |spec| {
        let mut player = started(spec, &toy(&game), 0, 3);
        let mv = player.choose(&game.initial(), &BestMove::default(), &Budget::system());
        mv.expect("a move");
        player.thought().cloned().expect("it searched")
    };
    let with = thought("default:no-prepare,no-proofs,playouts=1000");
    let of_state = with.asked.iter().filter(|asked| asked.mv.is_none());
    assert!(
        of_state.map(|asked| asked.states).sum::<u64>() > 0,
        "{with:?}"
    );
    let without = thought("default:no-prepare,no-proofs,no-questions,playouts=1000");
    assert!(without.asked.is_empty());
}

#[test]
fn without_solving_there_are_no_proofs_and_no_early_answers() {
    let game = TakeAway::new(2, 21, 3);
    let told = |spec| {
        let mut player = started(spec, &toy(&game), 0, 3);
        let state = game.state(7, RoleId(0));
        let mv = player.choose(&state, &BestMove::default(), &Budget::system());
        assert_eq!(mv.map(|mv| mv.0), Ok(3));
        (
            player.explain().expect("it searched"),
            said(&*player, "playouts"),
        )
    };
    let (with, few) = told("default:playouts=2000");
    assert!(with.starts_with("100 proved") && few < 200, "{with}");
    let (without, all) = told("default:no-solve,playouts=2000");
    assert!(without.starts_with("value") && all == 2000, "{without}");
}

#[test]
fn without_transpositions_there_are_more_nodes() {
    let game = TakeAway::new(2, 60, 3);
    let nodes = |spec| {
        let mut player = started(spec, &toy(&game), 0, 3);
        let mv = player.choose(&game.initial(), &BestMove::default(), &Budget::system());
        mv.expect("a move");
        said(&*player, "nodes")
    };
    let with = nodes("default:no-solve,playouts=2000");
    let without = nodes("default:no-solve,no-transpositions,playouts=2000");
    assert!(3 * with < without, "{with}, {without}");
}

#[test]
fn without_looking_ahead_a_win_takes_longer_to_see() {
    let game = TakeAway::new(2, 2000, 40);
    let playouts = |spec| {
        let mut player = started(spec, &toy(&game), 0, 3);
        let state = game.state(40, RoleId(0));
        let mv = player.choose(&state, &BestMove::default(), &Budget::system());
        assert_eq!(mv.map(|mv| mv.0), Ok(40));
        said(&*player, "playouts")
    };
    let with = playouts("default:no-prepare,playouts=2000");
    let without = playouts("default:no-prepare,no-look-ahead,playouts=2000");
    assert!(with <= 2 && without > with, "{with}, {without}");
}

/// Without mixing, a move that looked bad at first is tried again only by chance.
#[test]
fn without_mixing_some_moves_are_never_tried_again() {
    // Cooperation is better, but only if both cooperate, in each of three rounds.
    let payoff = |played: &[u64], _: RoleId| {
        let round = |round: &[u64]| match (round[0], round[1]) {
            (0, 0) => 33,
            (1, 1) => 17,
            _ => 0,
        };
        Some(played.chunks(2).map(round).sum::<u32>() as u8)
    };
    let game = Matrix::new(2, 2, 3, payoff);
    // The number of seeds that find cooperation in the first round.
    let found = |spec: &str| {
        let cooperates = |seed: &u64| {
            let mut player = started(spec, &toy(&game), 0, *seed);
            let best = BestMove::default();
            let mv = player.choose(&game.initial(), &best, &Budget::system());
            mv.expect("a move") == MoveId(0)
        };
        (0..40).filter(cooperates).count()
    };
    let with = found("default:playouts=300");
    let without = found("default:no-mixing,playouts=300");
    assert!(with > without, "{with} and {without} of 40");
}

#[test]
fn without_known_results_every_visit_takes_a_descent() {
    // Play ends with the first joint move, and only a mixed strategy is optimal.
    let game = Matrix::new(2, 2, 1, |played, role| {
        let same = played[0] == played[1];
        Some(if same == (role.0 == 0) { 100 } else { 0 })
    });
    let visits = |spec| {
        let mut player = started(spec, &toy(&game), 0, 3);
        let mv = player.choose(&game.initial(), &BestMove::default(), &Budget::system());
        mv.expect("a move");
        said(&*player, "visits")
    };
    let with = visits("default:no-prepare,playouts=300");
    let without = visits("default:no-prepare,no-known,playouts=300");
    assert!(without <= 300 && with > 5 * without, "{with}, {without}");
}

#[test]
fn playouts_run_in_lanes_where_possible() {
    let game = scalar("connect_four");
    let engine = game.engine.fork();
    let visits_and_playouts = |spec| {
        let mut player = started_within(300, spec, &game);
        let choice = player.choose(&engine.initial(), &BestMove::default(), &millis(300));
        choice.expect("there are moves");
        (said(&*player, "visits"), said(&*player, "playouts"))
    };
    // One of seven moves has at least a seventh of the visits. With eight playouts for each
    // visit, except for those of the few solved states, none can have a seventh of the
    // playouts.
    let (visits, playouts) = visits_and_playouts("default:no-learning,no-prepare,per-leaf=8");
    assert!(
        playouts > 7 * visits,
        "{playouts} playouts, {visits} visits"
    );
    let (visits, playouts) = visits_and_playouts("default:no-lanes,no-learning,no-prepare");
    assert!(
        playouts <= 7 * visits,
        "{playouts} playouts, {visits} visits"
    );
}

#[test]
fn without_factors_a_puzzle_is_searched_as_a_whole() {
    let game = scalar("joint_buttons_and_lights");
    let mut engine = game.engine.fork();
    let mut player = started_within(4_000, "default:no-puzzles,no-lanes", &game);
    let (mut state, mut why) = (engine.initial(), Vec::new());
    while !engine.terminal(&state).expect("it plays") {
        let mv = player.choose(&state, &BestMove::default(), &Budget::system());
        why.push(player.explain().expect("it says why"));
        let mut next = State::default();
        let joint = [mv.expect("there are moves")];
        engine.next(&state, &joint, &mut next).expect("it plays");
        state = next;
    }
    assert_eq!(engine.goal(&state, RoleId(0)), Ok(Some(100)));
    assert_eq!(why.len(), 18);
    assert!(why.iter().all(|why| why.contains("parts")), "{why:?}");
    let spec = "default:no-puzzles,no-factors,no-prepare,no-lanes";
    let mut player = started_within(4_000, spec, &game);
    let mv = player.choose(&engine.initial(), &BestMove::default(), &millis(50));
    mv.expect("there are moves");
    let why = player.explain().expect("it searched");
    assert!(why.contains("playouts") && !why.contains("parts"), "{why}");
}

#[test]
fn without_puzzles_a_game_of_one_role_is_searched() {
    let game = scalar("queens");
    let mut engine = game.engine.fork();
    let mut player = started_within(20_000, "default", &game);
    let (mut state, mut why) = (engine.initial(), Vec::new());
    while !engine.terminal(&state).expect("it plays") {
        let mv = player.choose(&state, &BestMove::default(), &millis(2_000));
        why.push(player.explain().expect("it says why"));
        let mut next = State::default();
        let joint = [mv.expect("there are moves")];
        engine.next(&state, &joint, &mut next).expect("it plays");
        state = next;
    }
    assert_eq!(engine.goal(&state, RoleId(0)), Ok(Some(100)));
    assert!(
        why.iter().all(|why| why.contains("a line found by")),
        "{why:?}"
    );
    let spec = "default:no-puzzles,no-prepare,no-lanes,no-proofs,no-knowledge";
    let mut player = started_within(4_000, spec, &game);
    let mv = player.choose(&engine.initial(), &BestMove::default(), &millis(50));
    mv.expect("there are moves");
    let why = player.explain().expect("it searched");
    assert!(!why.contains("a line found by"), "{why}");
}

#[test]
fn without_factors_boards_side_by_side_are_one_game() {
    let game = scalar("dual_connect_four");
    let mut engine = game.engine.fork();
    let told = |spec: &str| {
        let mut player = started_within(8_000, spec, &game);
        let mv = player.choose(&engine.initial(), &BestMove::default(), &millis(50));
        mv.expect("there are moves");
        player.explain().expect("it searched")
    };
    let with = told("default:no-lanes,no-prepare");
    assert!(with.starts_with("part 1 of 2: "), "{with}");
    let without = told("default:no-factors,no-lanes,no-prepare");
    assert!(!without.contains("part "), "{without}");

    // Red has moved on the left board, yellow has followed, and red is to move on the right
    // one.
    let mut player = started_within(8_000, "default:no-lanes,no-prepare", &game);
    let (mut state, best) = (engine.initial(), BestMove::default());
    for _ in 0..2 {
        let mv = player.choose(&state, &best, &millis(50));
        let mv = mv.expect("there are moves");
        player.ponder(&state, Some(mv), &millis(300));
        for red in [Some(mv), None] {
            let (mut joint, mut moves) = (Vec::new(), Vec::new());
            for role in 0..2 {
                let role = RoleId(role);
                engine.legal(&state, role, &mut moves).expect("it plays");
                joint.push(moves[0]);
            }
            joint[0] = red.unwrap_or(joint[0]);
            let mut next = State::default();
            engine.next(&state, &joint, &mut next).expect("it plays");
            state = next;
        }
    }
    let why = player.explain().expect("it searched");
    assert!(why.starts_with("part 2 of 2: "), "{why}");
    assert!(why.contains("visits known before"), "{why}");
}

#[test]
fn proofs_use_a_proved_sum() {
    let game = scalar("connect_four_small");
    let engine = game.engine.fork();
    let playouts = |spec| {
        let mut player = started(spec, &game, 0, 1);
        let choice = player.choose(&engine.initial(), &BestMove::default(), &millis(60_000));
        choice.expect("there are moves");
        player.work().expect("it searched").playouts
    };
    // The state is solved, and nothing else ends a search before its time.
    let with = playouts("default:no-lanes,no-prepare");
    let without = playouts("default:no-lanes,no-prepare,no-sum");
    assert!(with < without * 2 / 3, "{with} and {without}");
}
