//! The semantics of rules, tested on rulesheets of a few lines.

use budget::{Budget, Clock};
use game::{Engine, EngineError, MoveId, RoleId, State};
use reasoner::Reasoner;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A game of one role, `a`, whose only move is `go`, with `rules` added.
fn engine(rules: &str) -> Reasoner {
    let source = format!("(role a) (legal a go) {rules}");
    let sheet = gdl_parse::parse(&source, &Default::default()).sheet;
    Reasoner::new(&sheet, &Budget::system()).unwrap()
}

/// The facts after one move.
fn next(engine: &mut Reasoner) -> String {
    let mut state = State::default();
    let go = engine.find_move(RoleId(0), &"go".parse().unwrap()).unwrap();
    engine.next(&engine.initial(), &[go], &mut state).unwrap();
    text(engine, &state)
}

fn text(engine: &mut Reasoner, state: &State) -> String {
    let facts: Vec<String> = engine
        .facts(state)
        .iter()
        .map(ToString::to_string)
        .collect();
    facts.join(" ")
}

fn goal(engine: &mut Reasoner) -> Option<u8> {
    engine.goal(&engine.initial(), RoleId(0)).unwrap()
}

#[test]
fn left_recursion_reaches_everything() {
    let mut engine = engine(
        "(edge 1 2) (edge 2 3) (edge 3 1) (edge 4 1)
         (<= (path ?x ?y) (edge ?x ?y))
         (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))
         (<= (next (from ?y)) (path 1 ?y))
         (<= (next (to ?x)) (path ?x 1))",
    );
    assert_eq!(
        next(&mut engine),
        "(from 1) (from 2) (from 3) (to 1) (to 2) (to 3) (to 4)"
    );
}

#[test]
fn mutual_recursion_through_function_terms() {
    let mut engine = engine(
        "(<= (even zero)) (<= (even (s ?x)) (odd ?x)) (<= (odd (s ?x)) (even ?x))
         (init (n (s (s (s zero)))))
         (<= (next is_odd) (true (n ?x)) (odd ?x))
         (<= (next is_even) (true (n ?x)) (even ?x))",
    );
    assert_eq!(next(&mut engine), "is_odd");
}

#[test]
fn recursion_over_the_state_in_both_directions() {
    // A ring of cells, all but one of one colour. All cells of that colour are connected.
    let mut engine = engine(
        "(ring 1 2) (ring 2 3) (ring 3 4) (ring 4 5) (ring 5 1)
         (init (cell 1 w)) (init (cell 2 w)) (init (cell 3 b)) (init (cell 4 w)) (init (cell 5 w))
         (<= (adjacent ?x ?y) (ring ?x ?y)) (<= (adjacent ?x ?y) (ring ?y ?x))
         (<= (connected ?x ?x) (true (cell ?x w)))
         (<= (connected ?x ?z) (connected ?x ?y) (adjacent ?y ?z) (true (cell ?z w)))
         (<= (next (group ?x)) (connected 4 ?x))",
    );
    assert_eq!(next(&mut engine), "(group 1) (group 2) (group 4) (group 5)");
}

#[test]
fn a_variable_of_one_negation_is_existential_there() {
    let mut engine = engine(
        "(init (p 1)) (p 1) (p 2) (q 1 x)
         (<= (next (lonely ?x)) (p ?x) (not (q ?x ?anything)))
         (<= (next none_at_all) (not (true (r ?anything))))",
    );
    assert_eq!(next(&mut engine), "(lonely 2) none_at_all");
}

#[test]
fn a_negated_conjunction_with_a_local_variable() {
    let mut engine = engine(
        "(p 1) (p 2) (q 1 x) (q 2 y) (r x)
         (<= (next (ok ?n)) (p ?n) (not (and (q ?n ?z) (r ?z))))",
    );
    assert_eq!(next(&mut engine), "(ok 2)");
}

#[test]
fn a_negated_disjunction_of_many_conjunctions() {
    // Twelve of them have 4096 alternatives when expanded.
    let items: Vec<String> = (0..12)
        .map(|i| format!("(and (p ?x a{i}) (p ?x b{i}))"))
        .collect();
    let mut engine = engine(&format!(
        "(n 1) (n 2) (n 3) (p 1 a4) (p 1 b4) (p 2 a4) (p 2 b5)
         (<= (next (ok ?x)) (n ?x) (not (or {})))",
        items.join(" ")
    ));
    assert_eq!(next(&mut engine), "(ok 2) (ok 3)");
}

#[test]
fn disjunctions_and_equalities() {
    let mut engine = engine(
        "(n 1) (n 2) (n 3)
         (<= (next (low ?x)) (n ?x) (or (not (distinct ?x 1)) (not (distinct ?x 2))))
         (<= (next (pair ?x ?y)) (n ?x) (n ?y) (distinct ?x ?y) (not (distinct ?y 3)))",
    );
    assert_eq!(next(&mut engine), "(low 1) (low 2) (pair 1 3) (pair 2 3)");
}

#[test]
fn rules_that_are_safe_only_when_called() {
    let mut engine = engine(
        "(n 1) (n 2)
         (<= (different ?x ?y) (distinct ?x ?y))
         (<= (apart ?x ?y) (different ?x ?y))
         (<= (next (pair ?x ?y)) (n ?x) (n ?y) (apart ?x ?y))
         (<= (next (same ?x ?y)) (n ?x) (n ?y) (not (apart ?x ?y)))",
    );
    assert_eq!(
        next(&mut engine),
        "(pair 1 2) (pair 2 1) (same 1 1) (same 2 2)"
    );
}

#[test]
fn whole_facts_in_variables() {
    let mut engine =
        engine("(init (p 1)) (init q) (keeps (p 1)) (<= (next ?f) (true ?f) (keeps ?f))");
    assert_eq!(next(&mut engine), "(p 1)");
}

#[test]
fn goals_are_a_unique_number_up_to_100_or_none() {
    assert_eq!(goal(&mut engine("(goal a 70)")), Some(70));
    assert_eq!(
        goal(&mut engine("(goal a 70) (<= (goal a 70) (not (true x)))")),
        Some(70)
    );
    assert_eq!(goal(&mut engine("(goal a 70) (goal a 30)")), None);
    assert_eq!(goal(&mut engine("(goal a 101)")), None);
    assert_eq!(goal(&mut engine("(goal a lots)")), None);
    assert_eq!(goal(&mut engine("(goal a (f 70))")), None);
    assert_eq!(goal(&mut engine("")), None);
}

#[test]
fn invalid_goal_values_are_ignored() {
    assert_eq!(goal(&mut engine("(goal a 70) (goal a 101)")), Some(70));
    assert_eq!(goal(&mut engine("(goal a lots) (goal a 70)")), Some(70));
    assert_eq!(goal(&mut engine("(goal a (f 70)) (goal a 70)")), Some(70));
    assert_eq!(goal(&mut engine("(goal a 070) (goal a 70)")), Some(70));
    let several = "(goal a 070) (goal a 70) (goal a 101) (goal a 30)";
    assert_eq!(goal(&mut engine(several)), None);
}

#[test]
fn foreign_roles_moves_and_states_are_errors() {
    let mut engine = engine("(init x)");
    let (mut moves, mut next) = (Vec::new(), State::default());
    let start = engine.initial();
    for role in [RoleId(1), RoleId(usize::MAX)] {
        assert!(engine.legal(&start, role, &mut moves).is_err());
        assert!(engine.goal(&start, role).is_err());
    }
    let unknown = MoveId(u32::MAX);
    assert_eq!(engine.move_term(RoleId(0), unknown).to_string(), "?");
    engine.legal(&start, RoleId(0), &mut moves).unwrap();
    for joint in [&[][..], &[unknown], &[moves[0]; 2]] {
        assert!(engine.next(&start, joint, &mut next).is_err(), "{joint:?}");
    }
    let nowhere = State::from_words(vec![1 << 31]);
    assert!(engine.terminal(&nowhere).is_err());
    assert!(engine.facts(&nowhere).is_empty());
    // The errors have left no trace.
    assert!(!engine.terminal(&start).unwrap());
    engine.next(&start, &moves, &mut next).unwrap();
    assert_eq!(text(&mut engine, &start), "x");
}

#[test]
fn a_role_left_unbound_in_legal_and_goal() {
    let sheet = gdl_parse::parse(
        "(role a) (role b) (init (turn a)) (<= (legal ?p wait) (not (true (turn ?p))))
         (<= (legal ?p go) (true (turn ?p))) (<= (goal ?p 10) (distinct ?p b))",
        &Default::default(),
    )
    .sheet;
    let mut engine = Reasoner::new(&sheet, &Budget::system()).unwrap();
    let start = engine.initial();
    let mut moves = Vec::new();
    engine.legal(&start, RoleId(1), &mut moves).unwrap();
    assert_eq!(moves.len(), 1);
    assert_eq!(engine.move_term(RoleId(1), moves[0]).to_string(), "wait");
    assert_eq!(engine.goal(&start, RoleId(0)).unwrap(), Some(10));
    assert_eq!(engine.goal(&start, RoleId(1)).unwrap(), None);
}

#[test]
fn the_empty_state_holds_nothing() {
    let mut engine = engine("(<= terminal (true done)) (<= (next done) (does a go))");
    let empty = engine.initial();
    assert_eq!(text(&mut engine, &empty), "");
    assert!(!engine.terminal(&empty).unwrap());
    assert_eq!(next(&mut engine), "done");
    assert!(!engine.fork().terminal(&empty).unwrap());
}

#[test]
fn rules_without_a_role_are_rejected() {
    let sheet = gdl_parse::parse("(init p)", &Default::default()).sheet;
    let refused = Reasoner::new(&sheet, &Budget::system()).err();
    assert!(
        matches!(refused, Some(EngineError::Rules(_))),
        "{refused:?}"
    );
}

#[test]
fn endless_derivation_fails_at_the_memory_bound_and_the_engine_stays_usable() {
    let source = "(role a) (legal a go) (init p)
                  (num zero) (<= (num (s ?x)) (num ?x))
                  (<= (goal a 0) (num never))
                  (<= (next endless) (does a go) (num ?x))";
    let sheet = gdl_parse::parse(source, &Default::default()).sheet;
    let budget = Budget::system().with_memory(8 << 20);
    let mut engine = Reasoner::new(&sheet, &budget).unwrap();
    let start = engine.initial();
    let go = engine.find_move(RoleId(0), &"go".parse().unwrap()).unwrap();
    let failed = engine.next(&start, &[go], &mut State::default());
    assert!(
        matches!(failed, Err(EngineError::Exhausted(_))),
        "{failed:?}"
    );
    let mut moves = Vec::new();
    engine.legal(&start, RoleId(0), &mut moves).unwrap();
    assert_eq!(moves, [go]);
    assert_eq!(text(&mut engine, &start), "p");
}

#[test]
fn endlessly_nested_calls_fail_at_the_memory_bound() {
    // A query of (w b ?y) leads to a query of (w b (f ?y)), and so on.
    let source = "(role a) (legal a go) (init (p b)) (w c c)
                  (<= (w ?y ?x) (true (p ?y)) (w ?y (f ?x)))
                  (<= (next reached) (does a go) (w b b))";
    let sheet = gdl_parse::parse(source, &Default::default()).sheet;
    let budget = Budget::system().with_memory(16 << 20);
    let mut engine = Reasoner::new(&sheet, &budget).unwrap();
    let start = engine.initial();
    let go = engine.find_move(RoleId(0), &"go".parse().unwrap()).unwrap();
    let failed = engine.next(&start, &[go], &mut State::default());
    assert!(
        matches!(failed, Err(EngineError::Exhausted(_))),
        "{failed:?}"
    );
    assert!(!engine.terminal(&start).unwrap());
}

#[test]
fn a_chain_of_calls_as_deep_as_the_data_does_not_overflow_the_stack() {
    const LENGTH: usize = 20_000;
    let mut rules = String::from("(<= (reaches ?x) (step ?x ?y) (reaches ?y)) (reaches end)");
    for i in 0..LENGTH {
        rules.push_str(&format!(" (step {i} {})", i + 1));
    }
    rules.push_str(&format!(" (step {LENGTH} end) (<= (next far) (reaches 0))"));
    // The thread has a small stack. The segments that recursion needs are allocated on demand.
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let handle = small.spawn(move || next(&mut engine(&rules))).unwrap();
    assert_eq!(handle.join().unwrap(), "far");
}

#[test]
fn tables_beyond_the_memory_bound_are_dropped_without_changing_answers() {
    let corpus: Vec<_> = testkit::fixtures();
    let path = corpus
        .iter()
        .find(|path| path.ends_with("connect_four.gdl"))
        .unwrap();
    let source = std::fs::read_to_string(path).unwrap();
    let sheet = gdl_parse::parse(&source, &Default::default()).sheet;
    let roomy = Reasoner::new(&sheet, &Budget::system()).unwrap();
    let tight = Reasoner::new(&sheet, &Budget::system().with_memory(200 << 10)).unwrap();
    let play = |mut engine: Reasoner| {
        let (mut state, mut next) = (engine.initial(), State::default());
        let mut story = Vec::new();
        for ply in 0..12 {
            let mut joint = Vec::new();
            for role in 0..2 {
                let mut moves = Vec::new();
                engine.legal(&state, RoleId(role), &mut moves).unwrap();
                moves.sort_by_cached_key(|&mv| engine.move_term(RoleId(role), mv).to_string());
                story.push(moves.len().to_string());
                joint.push(moves[ply % moves.len()]);
            }
            engine.next(&state, &joint, &mut next).unwrap();
            std::mem::swap(&mut state, &mut next);
            story.push(text(&mut engine, &state));
        }
        story
    };
    assert_eq!(play(roomy), play(tight));
}

#[test]
fn forks_agree_on_states_and_moves_that_only_one_has_seen() {
    let mut first = engine("(init (n zero)) (<= (next (n (s ?x))) (true (n ?x)))");
    let mut second = first.fork();
    let go = first.find_move(RoleId(0), &"go".parse().unwrap()).unwrap();
    let (mut state, mut far) = (first.initial(), State::default());
    for _ in 0..5 {
        first.next(&state, &[go], &mut far).unwrap();
        std::mem::swap(&mut state, &mut far);
    }
    let facts = second.facts(&state);
    assert_eq!(facts[0].to_string(), "(n (s (s (s (s (s zero))))))");
    assert_eq!(second.state_of(&facts).unwrap(), state);
    let mut theirs = State::default();
    second.next(&state, &[MoveId(go.0)], &mut theirs).unwrap();
    first.next(&state, &[go], &mut far).unwrap();
    assert_eq!(theirs, far);
}

/// A role that may set `dials` dials to one of three positions each, all of them at once.
fn dials(dials: usize) -> String {
    let names: String = (0..dials).map(|dial| format!(" ?d{dial}")).collect();
    let positions: String = (0..dials).map(|dial| format!(" (pos ?d{dial})")).collect();
    format!(
        "(role turner) (role other) (pos 0) (pos 1) (pos 2) (init p)
         (<= (legal turner (dial{names})) {positions})
         (<= (next (seen ?m)) (does turner ?m))
         (<= terminal (true (seen ?m))) (goal turner 100)"
    )
}

#[test]
fn some_legal_move_is_found_where_no_list_of_all_is_possible() {
    // More than 10^15 moves.
    let mut engine = engine(&dials(32));
    let start = engine.initial();
    let mv = engine.some_legal(&start, RoleId(1)).unwrap().unwrap();
    assert_eq!(engine.some_legal(&start, RoleId(2)).unwrap(), None);
    let mut next = State::default();
    engine.next(&start, &[mv; 3], &mut next).unwrap();
    assert!(engine.terminal(&next).unwrap());
}

#[test]
fn some_legal_move_is_one_of_the_list_and_changes_no_later_answer() {
    let mut engine = engine(&dials(3));
    let start = engine.initial();
    let mut list = Vec::new();
    let mut listed = |engine: &mut Reasoner| {
        engine.legal(&start, RoleId(1), &mut list).unwrap();
        list.clone()
    };
    let some = engine.some_legal(&start, RoleId(1)).unwrap().unwrap();
    let all = listed(&mut engine);
    assert_eq!(all.len(), 27);
    assert!(all.contains(&some));
    // Now that the list is known, too.
    let again = engine.some_legal(&start, RoleId(1)).unwrap().unwrap();
    assert!(all.contains(&again));
    assert_eq!(listed(&mut engine), all);
}

/// A clock that stands still and counts how often it is looked at.
#[derive(Default)]
struct Watched(AtomicU64);

impl Clock for Watched {
    fn now(&self) -> Duration {
        self.0.fetch_add(1, Ordering::Relaxed);
        Duration::ZERO
    }
}

#[test]
fn the_budget_is_looked_at_while_clauses_are_tried_in_vain() {
    const MANY: usize = 1_500;
    let mut rules = String::from(
        "(role r) (init (p 0)) (succ 0 1)
        (<= (legal r ?c) (name ?c) (big ?c 0 ?y))
        (<= (next (p 0)) (true (p 0))) (<= terminal (true (p 1))) (goal r 100)",
    );
    for number in 0..MANY {
        rules += &format!("(name c{number}) (<= (big c{number} ?x ?y) (succ ?x ?y))");
    }
    let sheet = gdl_parse::parse(&rules, &Default::default()).sheet;
    let clock = Arc::new(Watched::default());
    let budget = Budget::unlimited(clock.clone()).with_timeout(Duration::from_secs(1));
    let mut reasoner = Reasoner::new(&sheet, &budget).expect("there is time");
    reasoner.set_budget(&budget);
    let before = clock.0.load(Ordering::Relaxed);
    let initial = reasoner.initial();
    let mut moves = Vec::new();
    reasoner
        .legal(&initial, RoleId(0), &mut moves)
        .expect("there is time");
    assert_eq!(moves.len(), MANY);
    // Each of as many calls tries as many clauses.
    let looks = clock.0.load(Ordering::Relaxed) - before;
    assert!(looks as usize > MANY * MANY / 40_000, "{looks}");
}

/// A move that only `does` of an earlier question would make legal.
#[test]
fn moves_of_earlier_questions_are_not_seen_by_legality() {
    let source = "(role a) (init (x 1)) (<= (legal a go)) (<= (legal a late) (does a go))
        (<= (next (x 2)) (does a go)) (<= terminal (does a go)) (<= (goal a 7) (does a go))";
    let sheet = gdl_parse::parse(source, &Default::default()).sheet;
    let mut engine = Reasoner::new(&sheet, &Budget::system()).unwrap();
    let (state, mut moves) = (engine.initial(), Vec::new());
    let go = engine.find_move(RoleId(0), &"go".parse().unwrap()).unwrap();
    engine.next(&state, &[go], &mut State::default()).unwrap();
    engine.legal(&state, RoleId(0), &mut moves).unwrap();
    assert_eq!(moves, [go]);
    assert!(!engine.terminal(&state).unwrap());
    assert_eq!(engine.goal(&state, RoleId(0)).unwrap(), None);
}

/// Forty variables that nothing else reads, with two values each.
#[test]
fn variables_that_nothing_reads_are_tested_for_existence_only() {
    let literals: String = (0..40)
        .map(|i| format!("(v ?x{i}) (true (f ?y{i}))"))
        .collect();
    let rules = format!(
        "(v 1) (v 2) (init (f 1)) (init (f 2)) (<= (next (n ?x0)) {literals})
         (<= (next (all ?x0 ?x39)) {literals})"
    );
    let mut engine = engine(&rules);
    assert_eq!(
        next(&mut engine),
        "(all 1 1) (all 1 2) (all 2 1) (all 2 2) (n 1) (n 2)"
    );
}

#[test]
fn roles_are_ordered_as_stated_and_then_by_name() {
    let source =
        "(p x) (p c) (p w) (role b) (<= (role ?x) (p ?x)) (role a) (<= (legal ?r go) (role ?r))";
    let sheet = gdl_parse::parse(source, &Default::default()).sheet;
    let engine = Reasoner::new(&sheet, &Budget::system()).unwrap();
    let roles: Vec<String> = engine.roles().iter().map(ToString::to_string).collect();
    assert_eq!(roles, ["b", "a", "c", "w", "x"]);
}

/// Relations that only their callers bound, as in Prolog.
const LISTS: &str = "
    (<= (member ?x (cons ?x ?rest)))
    (<= (member ?x (cons ?y ?rest)) (member ?x ?rest))
    (<= (append nil ?l ?l))
    (<= (append (cons ?x ?a) ?b (cons ?x ?c)) (append ?a ?b ?c))
    (<= (missing ?x nil))
    (<= (missing ?x (cons ?y ?rest)) (distinct ?x ?y) (missing ?x ?rest))
    (<= (plus zero ?y ?y))
    (<= (plus (s ?x) ?y (s ?z)) (plus ?x ?y ?z))
    (low 1) (low 2) (low 3)
    (init (stock (cons 1 (cons 2 nil)))) (init (more (cons 4 nil)))
    (init (x (s (s zero)))) (init (y (s zero)))";

#[test]
fn a_recursive_relation_is_called_once_its_list_is_bound() {
    // However few tuples of `member` are known: without a list there are none to be found.
    for body in [
        "(true (stock ?l)) (member ?x ?l) (low ?x)",
        "(member ?x ?l) (true (stock ?l)) (low ?x)",
        "(low ?x) (member ?x ?l) (true (stock ?l))",
        "(on_stock ?x)",
    ] {
        let mut engine = engine(&format!(
            "{LISTS} (<= (on_stock ?x) (true (stock ?l)) (member ?x ?l))
             (<= (next (took ?x)) {body})"
        ));
        assert_eq!(next(&mut engine), "(took 1) (took 2)", "{body}");
    }
}

#[test]
fn calls_wait_for_what_their_rules_need() {
    for (rule, expected) in [
        // Split into every two parts, which needs only the whole list.
        (
            "(<= (next (parts ?a ?b)) (append ?a ?b ?l) (true (stock ?l)) (member ?x ?l) (low ?x)
                (distinct ?x 2))",
            "(parts (cons 1 (cons 2 nil)) nil) (parts (cons 1 nil) (cons 2 nil)) \
             (parts nil (cons 1 (cons 2 nil)))",
        ),
        (
            "(<= (next (all ?c)) (append ?a ?b ?c) (true (more ?b)) (true (stock ?a)))",
            "(all (cons 1 (cons 2 (cons 4 nil))))",
        ),
        (
            "(<= (next (free ?x)) (missing ?x ?l) (low ?x) (true (stock ?l)))",
            "(free 3)",
        ),
        (
            "(<= (next (free ?x)) (low ?x) (not (member ?x ?l)) (true (stock ?l)))",
            "(free 3)",
        ),
        // With the second summand alone, sums have no end.
        (
            "(<= (next (sum ?z)) (plus ?x ?y ?z) (true (y ?y)) (true (x ?x)))",
            "(sum (s (s (s zero))))",
        ),
        // The caller passes on what it is given.
        (
            "(<= (any ?l ?x) (member ?x ?l)) (<= (both ?x ?l ?m) (any ?l ?x) (any ?m ?x))
             (<= (next (twice ?x)) (both ?x ?l ?l) (true (stock ?l)))",
            "(twice 1) (twice 2)",
        ),
        // Two relations that call each other.
        (
            "(<= (odd_place ?x (cons ?x ?rest)))
             (<= (odd_place ?x (cons ?y ?rest)) (even_place ?x ?rest))
             (<= (even_place ?x (cons ?y ?rest)) (odd_place ?x ?rest))
             (<= (next (second ?x)) (even_place ?x ?l) (true (stock ?l)))",
            "(second 2)",
        ),
    ] {
        let mut engine = engine(&format!("{LISTS} {rule}"));
        assert_eq!(next(&mut engine), expected, "{rule}");
    }
}

#[test]
fn there_is_no_state_before_the_initial_one() {
    // The rules of GDL forbid such conditions. As there is nothing yet, `true` and `does` fail.
    let mut engine = engine(
        "(init (n 0)) (<= open (not (true (closed))))
         (<= (init early) open)
         (<= (init unmoved) (not (does a go)))
         (<= (init (may ?move)) (legal a ?move))
         (<= (init never) (true (n 0)))",
    );
    let start = engine.initial();
    assert_eq!(text(&mut engine, &start), "(may go) (n 0) early unmoved");
}
