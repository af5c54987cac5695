//! Small rulesheets and their ground rules.

mod support;

use budget::{Budget, Exhausted};
use grounding::{AtomKind, GroundError, GroundGame, Stage};
use support::Evaluator;

fn try_ground(text: &str, budget: &Budget) -> Result<GroundGame, GroundError> {
    let parsed = gdl_parse::parse(text, &Default::default());
    let program = datalog::Program::from_sheet(&parsed.sheet);
    grounding::ground(&program, budget).map(|grounding| grounding.game)
}

fn ground(text: &str) -> GroundGame {
    try_ground(text, &Budget::system()).expect("the rules can be grounded")
}

fn facts(game: &GroundGame) -> Vec<String> {
    game.facts.iter().map(ToString::to_string).collect()
}

/// The second state, if every role that has moves plays its first one.
fn second_state(game: &GroundGame) -> Vec<String> {
    let initial: Vec<usize> = game.initial.iter().map(|&f| f as usize).collect();
    let moves: Vec<Option<usize>> = game
        .moves
        .iter()
        .map(|m| (!m.is_empty()).then_some(0))
        .collect();
    Evaluator::new(game).outcome(&initial, &moves).next
}

#[test]
fn only_reachable_facts_and_moves_are_kept() {
    let game = ground(
        "(role r) (init (at 1)) (succ 1 2) (succ 2 3) (succ 7 8)
         (base (at 9)) (input r fly)
         (<= (legal r (go ?y)) (true (at ?x)) (succ ?x ?y))
         (<= (next (at ?y)) (does r (go ?y)))
         (<= (goal r 100) (true (at 3)))
         (<= terminal (true (at 3)))",
    );
    assert_eq!(facts(&game), ["(at 1)", "(at 2)", "(at 3)"]);
    assert_eq!(game.moves[0].len(), 2);
    assert_eq!(second_state(&game), ["(at 2)"]);
    // Static relations are evaluated away: every rule mentions only state and moves.
    assert!(game.rules.iter().all(|rule| rule.body.len() <= 1));
}

#[test]
fn negations_of_state_stay_and_negations_of_static_relations_are_evaluated() {
    let game = ground(
        "(role r) (init (p a)) (init (p b)) (blocked a)
         (<= (next (q ?x)) (true (p ?x)) (not (blocked ?x)) (not (true (p c))))
         (<= (next (z ?x)) (true (p ?x)) (not (true (q ?x))))",
    );
    assert_eq!(facts(&game), ["(p a)", "(p b)", "(q b)", "(z a)", "(z b)"]);
    // `p c` and `q a` cannot hold, so their negations are dropped. `q b` can hold.
    let negated = game
        .rules
        .iter()
        .flat_map(|r| &r.body)
        .filter(|l| l.negated);
    assert_eq!(negated.count(), 1);
    assert_eq!(second_state(&game), ["(q b)", "(z a)", "(z b)"]);
}

#[test]
fn variables_inside_a_negation_are_existential() {
    let game = ground(
        "(role r) (init (p a 1)) (init (c a)) (init (c b))
         (<= (next (free ?x)) (true (c ?x)) (not (true (p ?x ?y))))
         (<= (next empty) (not (true (p ?x ?y))))
         (<= (next (p b ?n)) (true (p a ?n)))",
    );
    assert_eq!(second_state(&game), ["(free b)", "(p b 1)"]);
}

#[test]
fn distinct_compares_compound_terms() {
    let game = ground(
        "(role r) (init (p (f a))) (init (p (f b))) (init (p a))
         (<= (next (q ?x)) (true (p ?x)) (distinct ?x (f a)))
         (<= (next (s ?x ?y)) (true (p (f ?x))) (true (p (f ?y))) (distinct (f ?x) (f ?y)))
         (<= (next (t ?x ?y)) (true (p ?x)) (true (p (f ?y))) (distinct ?x (f ?y)) (distinct ?x a))",
    );
    assert_eq!(
        second_state(&game),
        [
            "(q (f b))",
            "(q a)",
            "(s a b)",
            "(s b a)",
            "(t (f a) b)",
            "(t (f b) a)"
        ]
    );
}

#[test]
fn recursion_static_and_through_the_state() {
    let game = ground(
        "(role r) (edge a b) (edge b c) (edge c a) (edge d a)
         (<= (path ?x ?y) (edge ?x ?y))
         (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))
         (init (open a b)) (init (open b c)) (init (open d d))
         (<= (way ?x ?y) (true (open ?x ?y)))
         (<= (way ?x ?z) (way ?x ?y) (way ?y ?z))
         (<= (next (reach ?y)) (way a ?y))
         (<= (next (cyclic ?x)) (path ?x ?x))",
    );
    assert_eq!(
        second_state(&game),
        [
            "(cyclic a)",
            "(cyclic b)",
            "(cyclic c)",
            "(reach b)",
            "(reach c)"
        ]
    );
}

#[test]
fn closures_composed_with_themselves_mean_what_they_say() {
    // Facts of the closed relation, calls that give one end or the other, more than two arguments.
    let game = ground(
        "(role r) (colour red) (colour blue)
         (init (step red a b)) (init (step red b c)) (init (step blue c d)) (init (step blue d a))
         (path red c d)
         (<= (path ?k ?x ?y) (true (step ?k ?x ?y)))
         (<= (path ?k ?x ?z) (path ?k ?y ?z) (path ?k ?x ?y))
         (<= (next (from a ?k ?y)) (path ?k a ?y))
         (<= (next (to d ?k ?x)) (path ?k ?x d))
         (<= (next (apart ?k)) (colour ?k) (not (path ?k a d)))
         (link 1 2) (link 2 3) (link 3 4)
         (<= (linked ?x ?y) (link ?x ?y))
         (<= (linked ?x ?z) (linked ?x ?y) (linked ?y ?z))
         (<= (next (before 4 ?x)) (linked ?x 4))",
    );
    assert_eq!(
        second_state(&game),
        [
            "(apart blue)",
            "(before 4 1)",
            "(before 4 2)",
            "(before 4 3)",
            "(from a red b)",
            "(from a red c)",
            "(from a red d)",
            "(to d blue c)",
            "(to d red a)",
            "(to d red b)",
            "(to d red c)"
        ]
    );
}

#[test]
fn mutual_recursion_through_function_terms() {
    let game = ground(
        "(role r) (init (top (s (s (s z)))))
         (even z)
         (<= (odd (s ?x)) (even ?x) (part ?y (s ?x)))
         (<= (even (s ?x)) (odd ?x) (part ?y (s ?x)))
         (<= (part ?y ?y) (true (top ?y)))
         (<= (part ?y ?x) (part ?y (s ?x)))
         (<= (next (top ?x)) (true (top (s ?x))))
         (<= (next even) (true (top ?x)) (even ?x))
         (<= (next odd) (true (top ?x)) (odd ?x))",
    );
    assert_eq!(second_state(&game), ["(top (s (s z)))", "odd"]);
    assert!(facts(&game).contains(&"(top z)".to_owned()));
}

#[test]
fn disjunctions_share_a_head() {
    let game = ground(
        "(role r) (init p)
         (<= (next q) (or (true p) (true q) (and (true nothing) (true p))))",
    );
    assert_eq!(game.rules.len(), 2);
    assert_eq!(second_state(&game), ["q"]);
}

#[test]
fn conditions_that_always_hold_are_dropped() {
    let game = ground(
        "(role r) (init (step 1)) (init board)
         (<= (next board))
         (<= idle (true board))
         (<= (legal r noop) idle)
         (<= (legal r never) (not idle))
         (<= (next (step 2)) (does r noop) idle (true board) (not (true (step 2))))",
    );
    assert_eq!(game.moves[0].len(), 1);
    assert!(!game.atoms.contains(&AtomKind::View));
    assert_eq!(second_state(&game), ["(step 2)", "board"]);
    for rule in &game.rules {
        match game.atoms[rule.head.index()] {
            AtomKind::Legal { .. } => assert!(rule.body.is_empty()),
            AtomKind::Next { fact } if facts(&game)[fact as usize] == "(step 2)" => {
                // The only possible move needs no condition.
                assert_eq!(rule.body.len(), 1);
            }
            _ => {}
        }
    }
}

#[test]
fn only_roles_have_moves_and_goals_and_goals_are_at_most_100() {
    let game = ground(
        "(role white) (<= (role ?x) (also ?x)) (also black) (thing stone)
         (<= (legal ?x wait) (thing ?x)) (<= (legal ?x wait) (role ?x))
         (goal white 100) (goal white 1000) (goal white much) (goal stone 50) (goal black 50)",
    );
    let roles: Vec<String> = game.roles.iter().map(ToString::to_string).collect();
    assert_eq!(roles, ["white", "black"]);
    let goals: Vec<(u32, u8)> = game
        .atoms
        .iter()
        .filter_map(|atom| match *atom {
            AtomKind::Goal { role, value } => Some((role, value)),
            _ => None,
        })
        .collect();
    assert_eq!(goals, [(0, 100), (1, 50)]);
    assert_eq!(game.moves.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn a_goal_value_written_in_two_ways_is_one_atom() {
    for (one, other) in [("50", "050"), ("050", "50")] {
        let game = ground(&format!(
            "(role r) (init p) (legal r go) (<= (next q) (true p)) (<= (next p) (true q))
             (<= fine (true p)) (<= fine (not (true p)))
             (<= (goal r {one}) always) (<= always (not (true never)))
             (<= (goal r {other}) (true q) fine)",
        ));
        let goal = AtomKind::Goal { role: 0, value: 50 };
        let atom = game.atoms.iter().position(|&kind| kind == goal).unwrap();
        let rules = game.rules.iter().filter(|rule| rule.head.index() == atom);
        let bodies: Vec<usize> = rules.map(|rule| rule.body.len()).collect();
        assert_eq!(bodies, [0], "{one} always holds");
    }
}

#[test]
fn rules_for_roles_and_init_see_neither_state_nor_moves() {
    let game = ground(
        "(role r) (init p) (<= (init q) (true p)) (<= (role s) (not (true q)))
         (<= open (not (true closed))) (<= (init door) open) (<= (init gate) (not open))
         (<= (legal r go) (true p)) (<= (init ready) (not (legal r go)))
         (<= (init (n ?x)) (num ?x) (distinct ?x 2)) (num 1) (num 2)",
    );
    assert_eq!(facts(&game), ["door", "(n 1)", "p", "ready"]);
    assert_eq!(game.roles.len(), 2);
}

#[test]
fn facts_are_sorted_by_structure_with_numbers_by_value() {
    let game =
        ground("(role r) (init (c 10 b)) (init (c 9 a)) (init (c 9 b)) (init (b 11)) (init 3)");
    assert_eq!(
        facts(&game),
        ["3", "(b 11)", "(c 9 a)", "(c 9 b)", "(c 10 b)"]
    );
    assert_eq!(game.initial, [0, 1, 2, 3, 4]);
}

#[test]
fn an_unsafe_rule_is_an_error_where_it_applies() {
    let unsafe_rule = "(role r) (init p) (<= (next (q ?x)) (true p))";
    match try_ground(unsafe_rule, &Budget::system()) {
        Err(GroundError::Unsafe { relation, span }) => {
            assert_eq!(relation, "next");
            assert_eq!(span.text(unsafe_rule), "(<= (next (q ?x)) (true p))");
        }
        other => panic!("{other:?}"),
    }
    let never = ground("(role r) (init p) (<= (next (q ?x)) (true nothing))");
    assert_eq!(facts(&never), ["p"]);
}

#[test]
fn a_static_relation_that_negates_itself_is_an_error() {
    let text = "(role r) (n 1) (<= (p ?x) (n ?x) (not (p ?x))) (<= (next (q ?x)) (p ?x))";
    let error = try_ground(text, &Budget::system()).expect_err("not stratified");
    assert_eq!(error.to_string(), "`p` depends on its own negation");
}

#[test]
fn endless_terms_exhaust_the_budget() {
    let text = "(role r) (init (n z)) (<= (next (n (s ?x))) (true (n ?x)))";
    let budget = Budget::system().with_memory(1 << 20);
    match try_ground(text, &budget) {
        Err(GroundError::Budget { cause, report }) => {
            assert_eq!(cause, Exhausted::Memory);
            assert_eq!(report.stage, Stage::Reachability);
            assert!(report.derived > 1000);
            assert!(report.peak_bytes > 1 << 20);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn lists_without_end_are_given_up_long_before_the_budget_ends() {
    let lists = "(role r) (card a) (card b) (card c) (init (hand nil))
        (<= (next (hand (cons ?c ?l))) (true (hand ?l)) (card ?c))";
    match try_ground(lists, &Budget::system()) {
        Err(GroundError::Growing { terms, levels }) => {
            assert!(terms > 1_000_000 && levels < 8, "{terms} {levels}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn rules_whose_instances_would_multiply_are_split() {
    let numbers: String = (0..20).map(|n| format!("(num {n})")).collect();
    let game = ground(&format!(
        "(role r) (role s) {numbers} (init (cell 0))
         (<= (legal ?r (go ?x ?y)) (role ?r) (num ?x) (num ?y))
         (<= (next (cell ?c)) (num ?c)
             (does r (go ?a ?b)) (distinct ?a ?c)
             (does s (go ?d ?e)) (distinct ?d ?c))"
    ));
    // One instance for each joint move and cell would make 20^5 instances.
    assert!(game.rules.len() < 4000, "{}", game.rules.len());
    let moves: Vec<String> = game.moves[0].iter().map(ToString::to_string).collect();
    let at = |text: &str| moves.iter().position(|m| m == text);
    let joint = [at("(go 3 7)"), at("(go 5 0)")];
    let next = Evaluator::new(&game).outcome(&[0], &joint).next;
    assert_eq!(next.len(), 18);
    assert!(!next.contains(&"(cell 3)".to_owned()) && !next.contains(&"(cell 5)".to_owned()));
}

#[test]
fn splits_without_gain_are_undone() {
    let game = ground(
        "(role r) (init (cell 1 x)) (init (cell 2 x)) (init (cell 3 x)) (init (cell 4 o))
         (succ 1 2) (succ 2 3) (succ 3 4)
         (<= (next (line ?p)) (true (cell ?a ?p)) (succ ?a ?b) (true (cell ?b ?p))
             (succ ?b ?c) (true (cell ?c ?p)))",
    );
    assert!(!game.atoms.contains(&AtomKind::View));
    assert_eq!(game.rules.len(), 1);
    assert_eq!(game.rules[0].body.len(), 3);
    assert_eq!(second_state(&game), ["(line x)"]);
}

#[test]
fn a_split_includes_the_literals_that_bind_its_tests() {
    let game = ground(
        "(role r) (init (p a 1)) (init (p a 2)) (init (p b 1)) (init (q u)) (init (q v))
         (<= (next (two ?x ?y)) (true (p ?x ?m)) (true (p ?x ?n)) (distinct ?m ?n)
             (not (true (gone ?m ?n))) (true (q ?y)))
         (<= (next (gone 9 9)) (true (q w)))",
    );
    assert_eq!(second_state(&game), ["(two a u)", "(two a v)"]);
}

#[test]
fn static_relations_that_tie_variables_together_are_unfolded() {
    // Each of four places holds any of twelve things. The rules ask for four things that share
    // a mark.
    let facts: String = (0..12)
        .map(|n| format!("(thing {n}) (mark {n} {}) (mark {n} {})", n % 2, 2 + n % 3))
        .collect();
    let game = ground(&format!(
        "(role r) {facts} (spot a) (spot b) (spot c) (spot d)
         (init (at a 0)) (init (at b 2)) (init (at c 4)) (init (at d 8))
         (<= (legal r (put ?s ?t)) (spot ?s) (thing ?t))
         (<= (next (at ?s ?t)) (does r (put ?s ?t)))
         (<= (next (at ?s ?t)) (true (at ?s ?t)) (does r (put ?u ?v)) (distinct ?s ?u))
         (<= (alike ?p ?q ?r ?s) (mark ?p ?m) (mark ?q ?m) (mark ?r ?m) (mark ?s ?m))
         (<= terminal (true (at a ?p)) (true (at b ?q)) (true (at c ?r)) (true (at d ?s))
             (alike ?p ?q ?r ?s))"
    ));
    // One rule for each four things that share a mark would make more than 2000.
    assert!(game.rules.len() < 400, "{}", game.rules.len());
    let evaluator = Evaluator::new(&game);
    let terminal = |things: [u32; 4]| {
        let facts = ["a", "b", "c", "d"].iter().zip(things);
        let facts: Vec<String> = facts.map(|(s, t)| format!("(at {s} {t})")).collect();
        let facts = evaluator.facts(&facts).expect("they are reachable");
        evaluator.outcome(&facts, &[Some(0)]).terminal
    };
    assert!(terminal([0, 2, 4, 8]) && terminal([1, 4, 7, 10]) && terminal([3, 3, 9, 0]));
    assert!(!terminal([0, 2, 4, 7]) && !terminal([1, 4, 7, 9]));
}

#[test]
fn frame_rules_are_written_once_for_each_place() {
    // There are nine places with six possible contents each. A move touches two places.
    let places: String = (0..9)
        .map(|n| format!("(place {n}) (init (at {n} c))"))
        .collect();
    let text = format!(
        "(role r) (role s) {places} (content a) (content b) (content c) (content d)
         (<= (legal ?r (move ?p ?q)) (role ?r) (place ?p) (place ?q) (distinct ?p ?q))
         (<= (legal ?r (paint ?p ?x)) (role ?r) (place ?p) (content ?x))
         (<= (next (at ?p ?x)) (does r (paint ?p ?x)))
         (<= (next (at ?p ?x)) (true (at ?p ?x))
             (does r (move ?a ?b)) (distinct ?p ?a) (distinct ?p ?b))"
    );
    // Each place with each move that does not touch it, and little else.
    assert!(instances(&text) < 9 * 56 + 400, "{}", instances(&text));
    let game = ground(&text);
    let literals: usize = game.rules.iter().map(|rule| rule.body.len()).sum();
    // Each place is touched by sixteen moves and by the paint moves.
    assert!(literals < 9 * 16 + 9 * 36 + 300, "{literals}");
    let at = |text: &str| game.moves[0].iter().position(|mv| mv.to_string() == text);
    let evaluator = Evaluator::new(&game);
    let initial: Vec<usize> = game.initial.iter().map(|&fact| fact as usize).collect();
    let next = evaluator
        .outcome(&initial, &[at("(move 3 5)"), Some(0)])
        .next;
    assert_eq!(next.len(), 7);
    assert!(!next.contains(&"(at 3 c)".to_owned()) && !next.contains(&"(at 5 c)".to_owned()));
    let painted = evaluator
        .outcome(&initial, &[at("(paint 3 a)"), Some(0)])
        .next;
    assert_eq!(painted, ["(at 3 a)"]);
}

/// The number of rule instances found, before simplification.
fn instances(text: &str) -> usize {
    let parsed = gdl_parse::parse(text, &Default::default());
    let program = datalog::Program::from_sheet(&parsed.sheet);
    let grounding = grounding::ground(&program, &Budget::system());
    grounding
        .expect("the rules can be grounded")
        .report
        .instances
}

#[test]
fn only_atoms_that_are_asked_for_are_derived() {
    let cells: String = (0..30).map(|n| format!("(init (cell c{n}))")).collect();
    let rules = "(role r)
         (<= (next (same ?x)) (count c0 c1 c2 ?x))
         (<= (next (cell ?x)) (true (cell ?x)))
         (<= (count ?x ?y ?z three) (true (cell ?x)) (true (cell ?y)) (true (cell ?z)))
         (<= (count ?x ?y ?z two) (true (cell ?x)) (true (cell ?y)) (not (true (cell ?z))))";
    assert!(instances(&format!("{rules} {cells}")) < 60);
    let game = ground(&format!("{rules} {cells}"));
    let next = second_state(&game);
    assert!(next.contains(&"(same three)".to_owned()));
    assert!(!next.contains(&"(same two)".to_owned()));
}

#[test]
fn demand_covers_compound_terms_and_negations() {
    let game = ground(
        "(role r) (init (p (f a))) (init (p (f b))) (init (p c)) (init (q a))
         (<= (wrapped ?x) (true (p (f ?x))))
         (<= (wrapped (g ?x)) (true (p ?x)))
         (<= (next (in ?x)) (true (p (f ?x))) (wrapped ?x) (not (wrapped (f ?x))))
         (<= (next (out ?x)) (true (p (f ?x))) (not (wrapped (g (f ?x)))))
         (<= (next (pair ?x)) (true (p ?x)) (wrapped (g ?x)) (not (inner (f ?y) ?x)))
         (<= (inner ?x ?x) (true (p ?x)) (not (true (p c))))",
    );
    assert_eq!(
        second_state(&game),
        [
            "(in a)",
            "(in b)",
            "(pair (f a))",
            "(pair (f b))",
            "(pair c)"
        ]
    );
}

/// A board of eight places, of which it is over if each value is on exactly one. The condition is
/// a relation of nine arguments that nobody can list.
fn all_different(values: [u32; 8]) -> String {
    let vars = ["?a", "?b", "?c", "?d", "?e", "?f", "?g", "?h"];
    let init: String = (1..)
        .zip(values)
        .map(|(at, n)| format!("(init (at {at} {n}))"))
        .collect();
    let index: String = (1..9).map(|n| format!("(value {n})")).collect();
    let alone = |at: usize| {
        let others = vars.iter().enumerate().filter(|&(other, _)| other != at);
        let others: String = others
            .map(|(_, var)| format!("(value {var}) (distinct {var} ?z)"))
            .collect();
        let args: Vec<&str> = (0..8)
            .map(|i| if i == at { "?z" } else { vars[i] })
            .collect();
        format!("(<= (once ?z {}) (value ?z) {others})", args.join(" "))
    };
    let alone: String = (0..8).map(alone).collect();
    let cells: String = (1..)
        .zip(vars)
        .map(|(at, var)| format!("(true (at {at} {var}))"))
        .collect();
    let once: String = (1..9)
        .map(|n| format!("(once {n} {})", vars.join(" ")))
        .collect();
    format!(
        "(role r) {index} {init} {alone}
         (<= (legal r (put ?s ?t)) (value ?s) (value ?t))
         (<= (next (at ?s ?t)) (does r (put ?s ?t)))
         (<= (next (at ?s ?t)) (true (at ?s ?t)) (does r (put ?u ?v)) (distinct ?s ?u))
         (<= terminal {cells} {once})"
    )
}

#[test]
fn a_wide_static_condition_is_read_value_by_value() {
    let over = |values| {
        let budget = Budget::system().with_memory(64 << 20);
        let game = try_ground(&all_different(values), &budget).expect("it can be grounded");
        assert!(game.rules.len() < 5_000, "{} rules", game.rules.len());
        let initial: Vec<usize> = game.initial.iter().map(|&fact| fact as usize).collect();
        Evaluator::new(&game).outcome(&initial, &[Some(0)]).terminal
    };
    assert!(over([3, 1, 4, 8, 5, 2, 6, 7]));
    assert!(!over([3, 1, 4, 1, 5, 2, 6, 7]));
}

/// Eight places in a row, of which some conditions ask for what all hold, each for three of them.
fn asked_together(values: [u32; 8]) -> String {
    let vars = ["?a", "?b", "?c", "?d", "?e", "?f", "?g", "?h"];
    let all = vars.join(" ");
    let init: String = (1..)
        .zip(values)
        .map(|(at, n)| format!("(init (at {at} {n}))"))
        .collect();
    let numbers: String = (1..9).map(|n| format!("(value {n})")).collect();
    let after: String = (1..8).map(|n| format!("(after {n} {})", n + 1)).collect();
    let cells: String = (1..)
        .zip(vars)
        .map(|(at, var)| format!("(true (at {at} {var}))"))
        .collect();
    format!(
        "(role r) {numbers} {after} {init}
         (<= (all {all}) {cells})
         (<= (legal r (put ?s ?t)) (value ?s) (value ?t))
         (<= (next (at ?s ?t)) (does r (put ?s ?t)))
         (<= (next (at ?s ?t)) (true (at ?s ?t)) (does r (put ?u ?v)) (distinct ?s ?u))
         (<= rising (all {all}) (after ?a ?b) (after ?b ?c))
         (<= rising (all {all}) (after ?f ?g) (after ?g ?h))
         (<= terminal (all {all}) (after ?a ?b) (after ?c ?d) (after ?e ?f) (after ?g ?h))
         (<= (goal r 100) rising)
         (<= (goal r 0) (not rising))"
    )
}

#[test]
fn a_wide_conjunction_of_the_state_is_unfolded_where_it_is_asked() {
    let outcome = |values| {
        let budget = Budget::system().with_memory(64 << 20);
        let game = try_ground(&asked_together(values), &budget).expect("it can be grounded");
        assert!(game.rules.len() < 5_000, "{} rules", game.rules.len());
        let initial: Vec<usize> = game.initial.iter().map(|&fact| fact as usize).collect();
        let outcome = Evaluator::new(&game).outcome(&initial, &[Some(0)]);
        (outcome.terminal, outcome.goals)
    };
    assert_eq!(outcome([1, 2, 5, 6, 3, 4, 7, 8]), (true, vec![vec![0]]));
    assert_eq!(outcome([1, 2, 3, 6, 3, 4, 7, 8]), (false, vec![vec![100]]));
    assert_eq!(outcome([1, 3, 3, 6, 3, 6, 7, 8]), (false, vec![vec![100]]));
    assert_eq!(outcome([1, 3, 3, 6, 3, 6, 6, 8]), (false, vec![vec![0]]));
}

#[test]
fn rules_get_the_values_that_they_need_from_their_callers() {
    // Nothing bounds the arguments of `member`, `same` and `either` but those who ask.
    let game = ground(
        "(role r) (init (stock (cons a (cons b nil))))
         (<= (member ?x (cons ?x ?rest)))
         (<= (member ?x (cons ?y ?rest)) (member ?x ?rest))
         (<= (same ?z ?z))
         (<= (either ?x ?y) (same ?x ?y))
         (<= (either ?x ?y) (distinct ?x ?y) (same ?y b))
         (<= (legal r (take ?x)) (true (stock ?list)) (member ?x ?list))
         (<= (next (stock ?rest)) (true (stock (cons ?x ?rest))))
         (<= (next (got ?y)) (does r (take ?x)) (same ?x ?y))
         (<= (next (other ?y)) (does r (take ?x)) (true (stock (cons ?y ?l))) (either ?x ?y))
         (<= (next (late ?x)) (does r (take ?x)) (true (stock ?list)) (not (member c ?list)))",
    );
    assert_eq!(game.moves[0].len(), 2);
    let second = ["(got a)", "(late a)", "(other a)", "(stock (cons b nil))"];
    assert_eq!(second_state(&game), second);
}

#[test]
fn rules_that_nobody_gives_values_to_are_an_error() {
    let text =
        "(role r) (init (p a)) (<= (same ?z ?z)) (<= (next (q ?x)) (true (p ?y)) (same ?x ?z))";
    let error = try_ground(text, &Budget::system()).expect_err("nothing binds ?x");
    assert!(matches!(error, GroundError::Unsafe { .. }), "{error}");
}

/// A game of two roles that go up and down a chain from 0 to 60, with these rules beside it. The
/// rules for the next place do not say where a role must stay.
fn climbers(rules: &str) -> String {
    let chain: String = (0..60).map(|n| format!("(succ {n} {})", n + 1)).collect();
    format!(
        "(role a) (role b) (init (at a 0)) (init (at b 3)) {chain}
         (<= (legal ?r down) (true (at ?r ?x)) (succ ?y ?x))
         (legal a stay) (legal b stay)
         (<= (next (at ?r ?y)) (does ?r up) (true (at ?r ?x)) (succ ?x ?y))
         (<= (next (at ?r ?y)) (does ?r down) (true (at ?r ?x)) (succ ?y ?x))
         (<= (next (at ?r ?x)) (does ?r stay) (true (at ?r ?x)))
         (<= terminal (true (at a 5))) (<= (goal ?r 100) (true (at ?r 5)))
         {rules}"
    )
}

#[test]
fn what_makes_a_move_legal_bounds_what_comes_next() {
    let places = |rules: &str| facts(&ground(&climbers(rules))).len();
    let low = "(low 0) (low 1) (low 2) (low 3) (low 4) (low 5)";
    let relation = format!("{low} (<= (legal ?r up) (true (at ?r ?x)) (succ ?x ?y) (low ?y))");
    assert_eq!(places(&relation), 2 * 6);
    let not_there = "(<= (legal ?r up) (true (at ?r ?x)) (distinct ?x 5))";
    assert_eq!(places(not_there), 2 * 6);
    let negated = "(<= (legal ?r up) (role ?r) (not (there ?r)))
         (<= (there ?r) (true (at ?r ?x)) (top ?x)) (top 5)";
    assert_eq!(places(negated), 2 * 6);
    // Legal for one of two reasons.
    let either = format!(
        "{low} (<= (legal ?r up) (true (at ?r ?x)) (low ?x))
         (<= (legal ?r up) (true (at ?r ?x)) (distinct ?x 7))"
    );
    assert_eq!(places(&either), 2 * 8);
    let free = "(<= (legal ?r up) (true (at ?r ?x)) (succ ?x ?y))";
    assert_eq!(places(free), 2 * 61);
}

#[test]
fn a_role_with_two_places_is_not_bounded_by_one_of_them() {
    let low = "(low 0) (low 1) (low 2) (low 3) (low 4) (low 5)
         (<= (legal ?r up) (true (at ?r ?x)) (succ ?x ?y) (low ?y))";
    let places = |rules: &str| {
        let game = ground(&climbers(&format!("{low} {rules}")));
        facts(&game)
            .iter()
            .filter(|fact| fact.starts_with("(at a"))
            .count()
    };
    assert_eq!(places("(init (at a 9))"), 61);
    // They meet, and one is sent to both places.
    assert_eq!(places("(<= (next (at a ?x)) (true (at b ?x)))"), 61);
    // One of the two roles stands still, so that it is nowhere else.
    assert_eq!(
        places("(<= (next (at b ?x)) (does b stay) (true (at b ?x)))"),
        6
    );
}

#[test]
fn comparing_rules_has_an_end() {
    // Whether twelve places are where none of the others is: twenty conditions to the power of
    // twelve.
    let asked: String = (0..12).map(|n| format!("(true (at ?p ?{n}))")).collect();
    let held: String = (0..20).map(|n| format!("(true (at ?r {n}))")).collect();
    let game = ground(&climbers(&format!(
        "(<= (spread ?p) {asked} (true (lost ?0 ?11)))
         (<= (legal ?r up) {held} (not (spread ?r)))
         (<= (next (lost ?x ?x)) (does ?r up) (true (at ?r ?x)))"
    )));
    assert!(!game.facts.is_empty());
}

#[test]
fn rules_of_many_variables_are_not_compared() {
    let many: String = (0..600).map(|n| format!("(one ?x{n})")).collect();
    let game = ground(&climbers(&format!(
        "(one 1) (<= (legal ?r up) (role ?r) {many})"
    )));
    assert_eq!(facts(&game).len(), 2 * 61);
    assert!(game.exclusive.is_empty());
}

#[test]
fn facts_that_agree_in_a_key_exclude_each_other() {
    let game = ground(&climbers("(<= (legal ?r up) (true (at ?r ?x)))"));
    let words = |set: &Vec<u32>| {
        let facts = set
            .iter()
            .map(|&fact| game.facts[fact as usize].to_string());
        facts.collect::<Vec<String>>()
    };
    let sets: Vec<Vec<String>> = game.exclusive.iter().map(words).collect();
    assert_eq!(sets.len(), 2);
    for (set, role) in sets.iter().zip(["a", "b"]) {
        assert_eq!(set.len(), 61);
        assert!(
            set.iter()
                .all(|fact| fact.starts_with(&format!("(at {role}")))
        );
    }
    // One of them may be at two places. The other one is alone all the same.
    let game = ground(&climbers("(<= (next (at a ?x)) (true (at b ?x)))"));
    assert_eq!(game.exclusive.len(), 1);
    let alone = game.exclusive[0].iter();
    let alone: Vec<String> = alone
        .map(|&fact| game.facts[fact as usize].to_string())
        .collect();
    assert!(
        alone.iter().all(|fact| fact.starts_with("(at b")),
        "{alone:?}"
    );
}
