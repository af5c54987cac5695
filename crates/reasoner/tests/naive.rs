//! Compares the reasoner with a naive evaluator: all instances of all rules over all constants,
//! stratum by stratum, until nothing changes.

use budget::Budget;
use game::{Engine, RoleId, State};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Relations are `p0`, `p1`, ... with one or two arguments. A rule may negate only relations of
/// lower numbers and use any up to its own, so that every program is stratified.
const RELATIONS: usize = 5;
const CONSTANTS: [&str; 3] = ["a", "b", "c"];
const VARIABLES: [&str; 3] = ["?x", "?y", "?z"];

/// A relation's number and its arguments. Each argument is a constant or a variable.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Atom(usize, Vec<String>);

#[derive(Debug, Clone)]
enum Literal {
    Positive(Atom),
    Negative(Atom),
    Fact(Vec<String>),
    Distinct(String, String),
}

#[derive(Debug, Clone)]
struct Rule {
    head: Atom,
    body: Vec<Literal>,
}

fn arity(relation: usize) -> usize {
    1 + relation % 2
}

fn argument() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => prop::sample::select(&CONSTANTS[..]),
        3 => prop::sample::select(&VARIABLES[..]),
    ]
    .prop_map(str::to_owned)
}

fn arguments(count: usize) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(argument(), count)
}

fn atom(relations: std::ops::Range<usize>) -> impl Strategy<Value = Atom> {
    relations.prop_flat_map(|r| arguments(arity(r)).prop_map(move |args| Atom(r, args)))
}

fn rule() -> impl Strategy<Value = Rule> {
    (0..RELATIONS).prop_flat_map(|head| {
        let positive = prop::collection::vec(atom(0..head + 1).prop_map(Literal::Positive), 0..3);
        let facts = prop::collection::vec(arguments(2).prop_map(Literal::Fact), 0..2);
        let negative: BoxedStrategy<Vec<Literal>> = if head == 0 {
            Just(Vec::new()).boxed()
        } else {
            prop::collection::vec(atom(0..head).prop_map(Literal::Negative), 0..2).boxed()
        };
        let distinct = prop::collection::vec(
            (argument(), argument()).prop_map(|(a, b)| Literal::Distinct(a, b)),
            0..2,
        );
        (arguments(arity(head)), positive, facts, negative, distinct).prop_map(
            move |(args, positive, facts, negative, distinct)| {
                let body = [positive, facts, negative, distinct].concat();
                make_safe(Rule {
                    head: Atom(head, args),
                    body,
                })
            },
        )
    })
}

/// Replaces variables that no positive literal binds by a constant.
fn make_safe(mut rule: Rule) -> Rule {
    let mut bound = BTreeSet::new();
    for literal in &rule.body {
        if let Literal::Positive(Atom(_, args)) | Literal::Fact(args) = literal {
            bound.extend(args.iter().cloned());
        }
    }
    let fix = |arg: &mut String| {
        if arg.starts_with('?') && !bound.contains(arg) {
            *arg = "a".to_owned();
        }
    };
    rule.head.1.iter_mut().for_each(fix);
    for literal in &mut rule.body {
        match literal {
            Literal::Positive(Atom(_, args)) | Literal::Negative(Atom(_, args)) => {
                args.iter_mut().for_each(fix);
            }
            Literal::Fact(args) => args.iter_mut().for_each(fix),
            Literal::Distinct(a, b) => [a, b].into_iter().for_each(fix),
        }
    }
    rule
}

impl Atom {
    fn write(&self) -> String {
        format!("(p{} {})", self.0, self.1.join(" "))
    }
}

fn write(rules: &[Rule], state: &BTreeSet<Vec<String>>) -> String {
    let mut text = String::from("(role r) (legal r go) ");
    for fact in state {
        text += &format!("(init (f {})) ", fact.join(" "));
    }
    for rule in rules {
        text += &format!("(<= {}", rule.head.write());
        for literal in &rule.body {
            text += &match literal {
                Literal::Positive(atom) => format!(" {}", atom.write()),
                Literal::Negative(atom) => format!(" (not {})", atom.write()),
                Literal::Fact(args) => format!(" (true (f {}))", args.join(" ")),
                Literal::Distinct(a, b) => format!(" (distinct {a} {b})"),
            };
        }
        text += ") ";
    }
    // Copy derived atoms to the next state, where they are visible: whole relations, and single
    // calls with all arguments bound, which use other modes.
    for relation in 0..RELATIONS {
        let args = VARIABLES[..arity(relation)].join(" ");
        text += &format!("(<= (next (free p{relation} {args})) (p{relation} {args})) ");
        let consts = vec!["c"; arity(relation)].join(" ");
        text += &format!("(<= (next (bound p{relation})) (p{relation} {consts})) ");
        if arity(relation) == 2 {
            text += &format!("(<= (next (half p{relation} ?x)) (p{relation} b ?x)) ");
        }
    }
    text
}

/// All atoms that hold, by the definition of stratified semantics.
fn evaluate(rules: &[Rule], state: &BTreeSet<Vec<String>>) -> BTreeSet<Atom> {
    let mut holds: BTreeSet<Atom> = BTreeSet::new();
    for stratum in 0..RELATIONS {
        loop {
            let before = holds.len();
            for rule in rules.iter().filter(|rule| rule.head.0 == stratum) {
                for assignment in assignments() {
                    let value = |arg: &String| assignment.get(arg.as_str()).unwrap_or(arg).clone();
                    let ground = |Atom(r, args): &Atom| Atom(*r, args.iter().map(value).collect());
                    let satisfied = rule.body.iter().all(|literal| match literal {
                        Literal::Positive(atom) => holds.contains(&ground(atom)),
                        Literal::Negative(atom) => !holds.contains(&ground(atom)),
                        Literal::Fact(args) => {
                            state.contains(&args.iter().map(value).collect::<Vec<_>>())
                        }
                        Literal::Distinct(a, b) => value(a) != value(b),
                    });
                    if satisfied {
                        holds.insert(ground(&rule.head));
                    }
                }
            }
            if holds.len() == before {
                break;
            }
        }
    }
    holds
}

fn assignments() -> Vec<BTreeMap<&'static str, String>> {
    let mut all = vec![BTreeMap::new()];
    for variable in VARIABLES {
        all = all
            .into_iter()
            .flat_map(|assignment: BTreeMap<&'static str, String>| {
                CONSTANTS.map(|constant| {
                    let mut longer = assignment.clone();
                    longer.insert(variable, constant.to_owned());
                    longer
                })
            })
            .collect();
    }
    all
}

fn expected(rules: &[Rule], state: &BTreeSet<Vec<String>>) -> BTreeSet<String> {
    let mut facts = BTreeSet::new();
    for Atom(relation, args) in evaluate(rules, state) {
        facts.insert(format!("(free p{relation} {})", args.join(" ")));
        if args.iter().all(|arg| arg == "c") {
            facts.insert(format!("(bound p{relation})"));
        }
        if args.len() == 2 && args[0] == "b" {
            facts.insert(format!("(half p{relation} {})", args[1]));
        }
    }
    facts
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn the_reasoner_agrees_with_the_definition(
        rules in prop::collection::vec(rule(), 1..9),
        state in prop::collection::btree_set(
            prop::collection::vec(
                prop::sample::select(&CONSTANTS[..]).prop_map(str::to_owned),
                2,
            ),
            0..5,
        ),
    ) {
        let source = write(&rules, &state);
        let sheet = gdl_parse::parse(&source, &Default::default()).sheet;
        let mut engine = reasoner::Reasoner::new(&sheet, &Budget::system()).unwrap();
        let start = engine.initial();
        let mut moves = Vec::new();
        engine.legal(&start, RoleId(0), &mut moves).unwrap();
        let some = engine.some_legal(&start, RoleId(0)).unwrap();
        prop_assert!(some.is_some_and(|some| moves.contains(&some)));
        let mut next = State::default();
        engine.next(&start, &moves, &mut next).unwrap();
        let found: BTreeSet<String> =
            engine.facts(&next).iter().map(ToString::to_string).collect();
        prop_assert_eq!(found, expected(&rules, &state), "{}", source);
    }
}
