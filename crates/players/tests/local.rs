//! What local search brings to play: forced wins are played, and losing moves avoided.

use budget::Budget;
use game::{Engine, GroundTerm, RoleId, State};
use players::{BestMove, Player, Setup, by_name};
use prepare::{EngineChoice, Options, Prepared, prepare};

fn fixture(name: &str) -> Prepared {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    let rules = std::fs::read_to_string(path).unwrap();
    let options = Options {
        engine: EngineChoice::Scalar,
        ..Options::default()
    };
    prepare(&rules, &options, &Budget::system()).unwrap()
}

/// A state of small breakthrough: pawns as column, rank and role.
fn pawns(engine: &mut dyn Engine, to_move: &str, pawns: &[(u8, u8, &str)]) -> State {
    let cells = pawns
        .iter()
        .map(|(x, y, role)| format!("(cell {x} {y} {role})"));
    let text: Vec<String> = cells.chain([format!("(control {to_move})")]).collect();
    let text = text.join(" ");
    let facts = gdl_parse::read_all(&text, &gdl_parse::Limits::default()).0;
    let facts: Vec<GroundTerm> = facts
        .iter()
        .map(|fact| GroundTerm::from_sexpr(fact).unwrap())
        .collect();
    engine.state_of(&facts).unwrap()
}

fn started(spec: &str, game: &Prepared, role: usize, seed: u64) -> Box<dyn Player> {
    let mut player = by_name(spec).unwrap();
    let setup = Setup {
        playable: game.playable.fork(),
        role: RoleId(role),
        seed,
        threads: 1,
        memory: 64 << 20,
    };
    player.start(setup, &Budget::system()).unwrap();
    player
}

/// A search that proves nothing by itself.
const PLAIN: &str = "default:no-proofs,no-knowledge,no-look-ahead,no-foresight,playouts=1";

#[test]
fn a_forced_win_is_played_and_told() {
    let mut game = fixture("breakthrough_small");
    let far = [
        (1, 3, "white"),
        (6, 1, "white"),
        (5, 6, "black"),
        (6, 6, "black"),
    ];
    let state = pawns(&mut *game.playable.engine, "white", &far);
    let mut proved = |spec: &str| {
        let mut player = started(spec, &game, 0, 1);
        let mv = player
            .choose(&state, &BestMove::default(), &Budget::system())
            .unwrap();
        let thought = player.thought().unwrap();
        assert_eq!(thought.mv, game.playable.engine.move_term(RoleId(0), mv));
        (thought.is_proved(), thought.plies)
    };
    assert_eq!(proved(&format!("{PLAIN},local-search")), (true, Some(5)));
    assert_eq!(proved(PLAIN), (false, None));
}

#[test]
fn moves_that_lose_to_a_forced_win_are_avoided() {
    let mut game = fixture("breakthrough_small");
    let near = [
        (3, 4, "white"),
        (1, 1, "white"),
        (4, 5, "black"),
        (6, 6, "black"),
    ];
    let state = pawns(&mut *game.playable.engine, "black", &near);
    // Only the capture stops the pawn.
    let captures = |spec: &str| {
        let mut engine = game.playable.engine.fork();
        let capture = |seed: &u64| {
            let mut player = started(spec, &game, 1, *seed);
            let mv = player
                .choose(&state, &BestMove::default(), &Budget::system())
                .unwrap();
            engine.move_term(RoleId(1), mv).to_string() == "(move 4 5 3 4)"
        };
        (1..=6).filter(capture).count()
    };
    assert_eq!(captures(&format!("{PLAIN},local-search")), 6);
    assert!(captures(PLAIN) < 6);
}

#[test]
fn it_is_left_out_where_it_finds_nothing() {
    let decided = |name: &str| {
        let player = started(
            "default:local-search,no-knowledge,playouts=1",
            &fixture(name),
            0,
            1,
        );
        let decisions = &player.plan().unwrap().decisions;
        let local = decisions.iter().find(|decision| decision.stage == "local");
        local.unwrap().decided.clone()
    };
    assert_eq!(decided("breakthrough_small"), "used beside the search");
    assert_eq!(decided("eight_puzzle"), "left out");
    // Its rules are recursive.
    assert_eq!(decided("hex"), "left out");
}
