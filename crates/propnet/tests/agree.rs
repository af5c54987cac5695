//! On all fixtures, the network as built and as optimised plays as the reasoner does.

use budget::Budget;
use game::Engine;
use grounding::GroundError;
use propnet::{Network, PropnetEngine, passes};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use reasoner::Reasoner;
use testkit::agreement::same_playout;

#[test]
fn the_network_agrees_with_the_reasoner_on_fixtures() {
    let mut built = 0;
    let paths = testkit::fixtures();
    for path in &paths {
        let name = path.display();
        let source = std::fs::read_to_string(path).expect("a fixture");
        let sheet = gdl_parse::parse(&source, &Default::default()).sheet;
        let program = datalog::Program::from_sheet(&sheet);
        let budget = Budget::system().with_memory(128 << 20);
        let game = match grounding::ground(&program, &budget) {
            Ok(grounding) => grounding.game,
            // Some rules have too many instances to be grounded. Such games have no network.
            Err(GroundError::Budget { .. }) => continue,
            Err(error) => panic!("{name}: {error}"),
        };
        let mut network = Network::build(game, &budget).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut oracle = Reasoner::from_program(&program, &budget).expect("a reasoner");
        for optimised in [false, true] {
            if optimised {
                passes::optimise(&mut network, &budget);
            }
            let mut engine = PropnetEngine::new(&network, &budget).expect("an engine");
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
            for steps in [1000, 30, 30] {
                same_playout(&mut oracle, &mut engine, &mut rng, steps)
                    .unwrap_or_else(|e| panic!("{name}: {e:?}"));
            }
        }
        built += 1;
    }
    assert!(
        built > 0 && built + 2 >= paths.len(),
        "{built} of {} have a network",
        paths.len()
    );
}

/// Roles that rules derive have no order in the text, but every engine gives them the same
/// numbers.
#[test]
fn roles_by_rule_have_the_order_of_the_reasoner() {
    let source = "(p x) (p y) (p w) (role c) (<= (role ?r) (p ?r)) (role a)
        (<= (legal ?r go) (role ?r)) (init (n 0)) (<= (next (n 1)) (does x go))
        (<= terminal (true (n 1))) (<= (goal ?r 50) (role ?r))";
    let sheet = gdl_parse::parse(source, &Default::default()).sheet;
    let program = datalog::Program::from_sheet(&sheet);
    let budget = Budget::system();
    let game = grounding::ground(&program, &budget).expect("a game").game;
    let network = Network::build(game, &budget).expect("a network");
    let engine = PropnetEngine::new(&network, &budget).expect("an engine");
    let oracle = Reasoner::from_program(&program, &budget).expect("a reasoner");
    let roles: Vec<String> = engine.roles().iter().map(ToString::to_string).collect();
    assert_eq!(roles, ["c", "a", "w", "x", "y"]);
    assert_eq!(engine.roles(), oracle.roles());
}
