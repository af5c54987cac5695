//! Games in which a role chooses the part it moves in: their parts as games of their own.

use analysis::factors::Sharing;
use budget::Budget;
use compile::{Compiled, Proved};
use factored::Parts;
use game::{Engine, RoleId, State};
use prepare::{EngineChoice, Options, engine_of, prepare};

/// Two strips of two cells: a role with both cells of a strip wins, and the game is over when
/// all cells are taken.
const STRIPS: &str = "
    (role x) (role o) (other x o) (other o x)
    (strip a) (strip b) (place 1) (place 2)
    (<= (base (mark ?s ?p ?r)) (strip ?s) (place ?p) (role ?r))
    (<= (base (control ?r)) (role ?r))
    (<= (input ?r (take ?s ?p)) (role ?r) (strip ?s) (place ?p))
    (<= (input ?r noop) (role ?r))
    (init (control x))
    (<= (taken ?s ?p) (true (mark ?s ?p ?r)))
    (<= (legal ?r (take ?s ?p)) (true (control ?r)) (strip ?s) (place ?p) (not (taken ?s ?p)))
    (<= (legal ?r noop) (other ?r ?q) (true (control ?q)))
    (<= (next (mark ?s ?p ?r)) (does ?r (take ?s ?p)))
    (<= (next (mark ?s ?p ?r)) (true (mark ?s ?p ?r)))
    (<= (next (control ?q)) (other ?r ?q) (true (control ?r)))
    (<= (line ?r) (true (mark ?s 1 ?r)) (true (mark ?s 2 ?r)))
    (<= open (strip ?s) (place ?p) (not (taken ?s ?p)))
    (<= terminal (line ?r)) (<= terminal (not open))
    (<= (goal ?r 100) (line ?r))
    (<= (goal ?r 0) (other ?r ?q) (line ?q))
    (<= (goal ?r 50) (role ?r) (not (line x)) (not (line o)) (not open))";

fn parts(rules: &str) -> Parts {
    let options = Options {
        engine: EngineChoice::Scalar,
        ..Options::default()
    };
    let engine = prepare(rules, &options, &Budget::system());
    let playable = engine.expect("it is well formed").playable;
    let budget = Budget::system();
    let proved = Proved::find(playable.compiled.expect("it is compiled"), 1, &budget);
    Parts::find(&proved, 1, &budget).expect("it falls apart")
}

/// The state after the first legal moves of both roles.
fn after(engine: &mut dyn Engine, state: &State) -> State {
    let joint = (0..2).map(|role| {
        let mut legal = Vec::new();
        engine
            .legal(state, RoleId(role), &mut legal)
            .expect("it plays");
        legal[0]
    });
    let (joint, mut next) = (joint.collect::<Vec<_>>(), State::default());
    engine.next(state, &joint, &mut next).expect("it plays");
    next
}

#[test]
fn a_full_part_is_drawn_and_no_role_passes_before() {
    let parts = parts(STRIPS);
    assert_eq!(parts.searched(), Some(Sharing::Several));
    assert_eq!(parts.relevant().count(), 2);
    for (factor, _) in parts.relevant() {
        let mut engine = engine_of(&Compiled::of_logic(parts.game(factor)), &Budget::system())
            .expect("it plays");
        let mut state = engine.initial();
        for left in [2, 1] {
            assert_eq!(engine.terminal(&state), Ok(false));
            let mut options: Vec<usize> = Vec::new();
            for role in (0..2).map(RoleId) {
                let mut legal = Vec::new();
                engine.legal(&state, role, &mut legal).expect("it plays");
                options.push(legal.len());
            }
            options.sort_unstable();
            assert_eq!(options, [1, left]);
            state = after(&mut *engine, &state);
        }
        // The other strip is free, so the whole game would continue.
        assert_eq!(engine.terminal(&state), Ok(true));
        for role in (0..2).map(RoleId) {
            assert_eq!(engine.goal(&state, role), Ok(Some(50)));
        }
    }
}

/// The value of one heap of nim, or of one of five districts, depends on the others.
#[test]
fn parts_that_do_not_end_the_game_are_not_searched() {
    for name in ["nim", "districts"] {
        let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
        let rules = std::fs::read_to_string(path).expect("it is there");
        let parts = parts(&rules);
        assert_eq!(parts.factors.choices, [Sharing::Several; 2], "{name}");
        assert_eq!(parts.searched(), None, "{name}");
    }
}
