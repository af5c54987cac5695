//! The gain from factors: states needed to solve games, as a whole and by their factors.
//!
//! `cargo test -p analysis --test factors gain -- --nocapture` prints the figures.

use crate::common::{find, fixture, logic};
use analysis::factors::{Factor, Factors, Input};
use netlist::{GameLogic, Source};
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

type State = Vec<u64>;

/// Play on a logic, one state at a time.
struct Rules<'l>(&'l GameLogic);

impl Rules<'_> {
    fn values(&self, state: &State, made: &[u32]) -> Vec<u64> {
        let value = |source: &Source| match *source {
            Source::Fact(fact) => state[fact as usize / 64] >> (fact % 64) & 1,
            Source::Does { role, mv } => u64::from(made.get(usize::from(role)) == Some(&mv)),
            Source::Fix(_) => 0,
        };
        let inputs: Vec<u64> = self.0.sources.iter().map(value).collect();
        self.0.net.evaluate(&inputs)
    }

    fn holds(values: &[u64], lit: netlist::Lit) -> bool {
        netlist::word(values, lit) & 1 == 1
    }

    fn state(&self, facts: impl Iterator<Item = u32>) -> State {
        let mut state = vec![0; self.0.facts.len().div_ceil(64)];
        facts.for_each(|fact| state[fact as usize / 64] |= 1 << (fact % 64));
        state
    }

    fn initial(&self) -> State {
        self.state(self.0.words.initial.iter().copied())
    }

    fn next(&self, state: &State, made: &[u32]) -> State {
        let values = self.values(state, made);
        let next = (0..).zip(&self.0.next);
        self.state(
            next.filter(|next| Self::holds(&values, *next.1))
                .map(|next| next.0),
        )
    }

    /// The result of the first role if play has ended.
    fn result(&self, values: &[u64]) -> Option<u8> {
        let mut goals = self.0.goals[0].iter();
        let goal = goals.find(|goal| Self::holds(values, goal.1));
        Self::holds(values, self.0.terminal).then(|| goal.map_or(0, |goal| goal.0))
    }

    fn legal(&self, values: &[u64], role: usize) -> Vec<u32> {
        let legal = (0..).zip(&self.0.legal[role]);
        legal
            .filter(|mv| Self::holds(values, *mv.1))
            .map(|mv| mv.0)
            .collect()
    }

    /// A shortest sequence of `useful` moves with which a single role gets 100, and the number
    /// of states examined; no sequence if there are more than `most` states.
    fn way(&self, useful: impl Fn(u32) -> bool, most: usize) -> (Option<Vec<u32>>, usize) {
        let mut from: HashMap<State, Option<(State, u32)>> = HashMap::new();
        let mut queue = VecDeque::from([self.initial()]);
        from.insert(self.initial(), None);
        let mut looked = 0;
        while let Some(state) = queue.pop_front() {
            looked += 1;
            let values = self.values(&state, &[]);
            match self.result(&values) {
                Some(100) => {
                    let (mut way, mut at) = (Vec::new(), &state);
                    while let Some((before, mv)) = &from[at] {
                        way.push(*mv);
                        at = before;
                    }
                    way.reverse();
                    return (Some(way), looked);
                }
                Some(_) => continue,
                None => {}
            }
            if from.len() > most {
                return (None, looked);
            }
            for mv in self.legal(&values, 0).into_iter().filter(|&mv| useful(mv)) {
                let next = self.next(&state, &[mv]);
                if !from.contains_key(&next) {
                    from.insert(next.clone(), Some((state.clone(), mv)));
                    queue.push_back(next);
                }
            }
        }
        (None, looked)
    }

    /// Solves a game of two roles who move in turn; the first tries to reach 100, the second 0.
    ///
    /// Returns the result and the number of steps, where the winner plays the fastest win and
    /// the loser delays. If no role can move, the result is 50.
    fn solved(&self, state: &State, known: &mut HashMap<State, (u8, u32)>) -> (u8, u32) {
        if let Some(&value) = known.get(state) {
            return value;
        }
        let values = self.values(state, &[]);
        let (first, second) = (self.legal(&values, 0), self.legal(&values, 1));
        let maximise = first.len() > 1 || second.len() == 1;
        let rate = |(result, steps): (u8, u32)| match result {
            100 => 10_000 - i64::from(steps),
            50 => 0,
            _ => i64::from(steps) - 10_000,
        };
        let mut best: Option<(u8, u32)> = self.result(&values).map(|result| (result, 0));
        if best.is_none() {
            for &one in &first {
                for &other in &second {
                    let (result, steps) = self.solved(&self.next(state, &[one, other]), known);
                    let value = (result, steps + 1);
                    let better = |best| (rate(value) > rate(best)) == maximise;
                    if best.is_none_or(better) {
                        best = Some(value);
                    }
                }
            }
        }
        let best = best.unwrap_or((50, 1000));
        known.insert(state.clone(), best);
        best
    }
}

/// A shortest sequence of moves through a factor, without idle ones, and the number of states
/// examined.
fn way_of(factor: &Factor) -> (Vec<u32>, usize) {
    let useful = |mv: u32| !factor.actions[0][mv as usize].idle;
    let (way, looked) = Rules(&factor.logic).way(useful, usize::MAX);
    (way.unwrap(), looked)
}

/// Whether these moves win the whole game.
fn wins(rules: &Rules<'_>, way: impl Iterator<Item = u32>) -> bool {
    let mut state = rules.initial();
    for mv in way {
        let values = rules.values(&state, &[]);
        assert!(rules.result(&values).is_none() && rules.legal(&values, 0).contains(&mv));
        state = rules.next(&state, &[mv]);
    }
    rules.result(&rules.values(&state, &[])) == Some(100)
}

fn factors(logic: &GameLogic) -> Factors {
    find(logic, Duration::from_secs(20))
}

#[test]
fn panels_are_solved_one_by_one() {
    for (name, least) in [
        ("joint_buttons_and_lights", 30),
        ("multiple_buttons_and_lights", 10),
    ] {
        let (_, logic) = logic(&fixture(name)).unwrap();
        let rules = Rules(&logic);
        let (way, whole) = rules.way(|_| true, usize::MAX);
        let factors = factors(&logic);
        let relevant = factors.factors.iter().filter(|factor| factor.relevant);
        let mut together = Vec::new();
        let mut parts = 0;
        for factor in relevant {
            let (way, looked) = way_of(factor);
            // The first move of each action stands for it.
            together.extend(
                way.iter()
                    .map(|&mv| factor.actions[0][mv as usize].moves[0]),
            );
            parts += looked;
        }
        assert_eq!(together.len(), way.unwrap().len());
        assert!(wins(&rules, together.into_iter()), "{name}");
        println!(
            "{name}: {whole} states, by factors {parts}: {:.0}x",
            whole as f64 / parts as f64
        );
        assert!(whole > least * parts, "{name}: {whole}, {parts}");
    }
}

#[test]
fn solving_one_of_the_simultaneous_panels_is_enough() {
    let (_, logic) = logic(&fixture("lights_on_parallel")).unwrap();
    let rules = Rules(&logic);
    let most = 20_000;
    let (none, whole) = rules.way(|_| true, most);
    assert!(none.is_none());
    let factors = factors(&logic);
    let (way, parts) = way_of(&factors.factors[0]);
    let others = way.iter().map(|&action| {
        let mut actions = vec![0; factors.factors.len()];
        actions[0] = action;
        factors.joined(0, &actions).unwrap()
    });
    assert!(wins(&rules, others));
    println!(
        "lights_on_parallel: not won within {most} states ({whole} of them looked into), by a factor {parts}"
    );
    assert!(parts < 1000, "{parts}");
}

/// Two boards of three by three, three in a row, played in turn.
const TWO_BOARDS: &str = "
    (role red) (role yellow) (turns red left yellow left) (turns yellow left red right)
    (turns red right yellow right) (turns yellow right red left)
    (board left) (board right) (index 1) (index 2) (index 3) (below 1 2) (below 2 3)
    (init (turn red left))
    (<= (legal ?r (drop ?b ?x)) (true (turn ?r ?b)) (index ?x) (not (taken ?b ?x 3)))
    (<= (legal ?r pass) (role ?r) (true (turn ?o ?b)) (distinct ?r ?o))
    (<= (next (turn ?r ?b)) (true (turn ?q ?a)) (turns ?q ?a ?r ?b))
    (<= (next (cell ?b ?x ?y ?r)) (true (cell ?b ?x ?y ?r)))
    (<= (next (cell ?b ?x ?y ?r)) (does ?r (drop ?b ?x)) (free ?b ?x ?y))
    (<= (taken ?b ?x ?y) (true (cell ?b ?x ?y ?r)))
    (<= (free ?b ?x 1) (board ?b) (index ?x) (not (taken ?b ?x 1)))
    (<= (free ?b ?x ?y) (taken ?b ?x ?z) (below ?z ?y) (not (taken ?b ?x ?y)))
    (three 1 1 2 1 3 1) (three 1 2 2 2 3 2) (three 1 3 2 3 3 3) (three 1 1 1 2 1 3)
    (three 2 1 2 2 2 3) (three 3 1 3 2 3 3) (three 1 1 2 2 3 3) (three 1 3 2 2 3 1)
    (<= (line ?r) (three ?a ?b ?c ?d ?e ?f) (true (cell ?o ?a ?b ?r)) (true (cell ?o ?c ?d ?r))
        (true (cell ?o ?e ?f ?r)))
    (<= (open ?b) (board ?b) (index ?x) (not (taken ?b ?x 3)))
    (<= terminal (line ?r)) (<= terminal (not (open right)))
    (<= (goal ?r 100) (line ?r)) (<= (goal ?r 0) (role ?r) (line ?o) (distinct ?r ?o))
    (<= (goal ?r 50) (role ?r) (not (line red)) (not (line yellow)))";

#[test]
fn races_on_two_boards_are_solved_board_by_board() {
    let sheet = gdl_parse::parse(TWO_BOARDS, &gdl_parse::ParseOptions::default()).sheet;
    let (_, logic) = logic(&sheet).unwrap();
    let factors = factors(&logic);
    assert_eq!(factors.count(), 2);
    let (mut parts, mut decisions) = (0, Vec::new());
    for factor in &factors.factors {
        let rules = Rules(&factor.logic);
        let mut known = HashMap::new();
        let (result, steps) = rules.solved(&rules.initial(), &mut known);
        parts += known.len();
        decisions.extend((result != 50).then_some((steps, result)));
    }
    let combined = decisions.into_iter().min().map_or(50, |(_, result)| result);
    let rules = Rules(&logic);
    let mut known = HashMap::new();
    let (result, _) = rules.solved(&rules.initial(), &mut known);
    assert_eq!(combined, result);
    let whole = known.len();
    println!(
        "two boards: {whole} states, by factors {parts}: {:.0}x",
        whole as f64 / parts as f64
    );
    assert!(whole > 20 * parts, "{whole}, {parts}");
}

/// Pawns on two halves of a small board with a wall between them, pawns two ranks apart. A
/// player wins by breaking through on either half, or by taking all pawns on both.
const TWO_HALVES: &str = "
    (role white) (role black) (half left) (half right) (file 1) (file 2)
    (rank 1) (rank 2) (rank 3) (rank 4) (up 1 2) (up 2 3) (up 3 4) (beside 1 2) (beside 2 1)
    (last white 4) (last black 1) (home white 1) (home black 4)
    (<= (init (pawn ?r ?h ?x ?y)) (home ?r ?y) (half ?h) (file ?x)) (init (turn white))
    (<= (on ?r ?y ?z) (role ?r) (same ?r white) (up ?y ?z))
    (<= (on ?r ?y ?z) (role ?r) (same ?r black) (up ?z ?y))
    (<= (same ?r ?r) (role ?r))
    (<= (man ?h ?x ?y) (true (pawn ?r ?h ?x ?y)))
    (<= (legal ?r (go ?h ?x ?y ?x ?z)) (true (turn ?r)) (true (pawn ?r ?h ?x ?y)) (on ?r ?y ?z)
        (not (man ?h ?x ?z)))
    (<= (legal ?r (go ?h ?x ?y ?v ?z)) (true (turn ?r)) (true (pawn ?r ?h ?x ?y)) (on ?r ?y ?z)
        (beside ?x ?v) (not (true (pawn ?r ?h ?v ?z))))
    (<= (legal ?r pass) (role ?r) (not (true (turn ?r))))
    (<= (next (turn white)) (true (turn black))) (<= (next (turn black)) (true (turn white)))
    (<= (next (pawn ?r ?h ?v ?z)) (does ?r (go ?h ?x ?y ?v ?z)))
    (<= (next (pawn ?r ?h ?x ?y)) (true (pawn ?r ?h ?x ?y)) (not (left ?h ?x ?y))
        (not (met ?h ?x ?y)))
    (<= (left ?h ?x ?y) (does ?r (go ?h ?x ?y ?v ?z)))
    (<= (met ?h ?v ?z) (does ?r (go ?h ?x ?y ?v ?z)))
    (<= (through ?r) (last ?r ?y) (true (pawn ?r ?h ?x ?y)))
    (<= (some ?r) (true (pawn ?r ?h ?x ?y)))
    (<= (won ?r) (through ?r)) (<= (won white) (not (some black)))
    (<= (won black) (not (some white)))
    (<= terminal (won ?r)) (<= (goal ?r 100) (won ?r))
    (<= (goal ?r 0) (role ?r) (not (won ?r)))";

/// An equivalence class of positions of a factor: the outputs, and for each role the classes of
/// positions that its moves lead to.
type Class = (Vec<bool>, Vec<Vec<usize>>);

/// The positions of a factor of a game of turns, grouped into equivalence classes.
struct Sorted<'f> {
    factor: &'f Factor,
    classes: Vec<Class>,
    of_class: HashMap<Class, usize>,
    of_position: HashMap<State, usize>,
}

impl<'f> Sorted<'f> {
    /// The class of a position. `turns` gives for each role the control facts when it is the
    /// role's turn; the position has none of these.
    fn class(&mut self, position: &State, turns: &[State]) -> usize {
        if let Some(&class) = self.of_position.get(position) {
            return class;
        }
        let rules = Rules(&self.factor.logic);
        let with = |turn: &State| position.iter().zip(turn).map(|(a, b)| a | b).collect();
        let values = rules.values(&with(&turns[0]), &[]);
        let outputs = self.factor.outputs.iter();
        let outputs = outputs.map(|&lit| Rules::holds(&values, lit)).collect();
        let over = Rules::holds(&values, self.factor.logic.terminal);
        let mut successors = vec![Vec::new(); turns.len()];
        for (role, turn) in turns.iter().enumerate().filter(|_| !over) {
            let state: State = with(turn);
            let values = rules.values(&state, &[]);
            let mut made: Vec<u32> = (0..turns.len())
                .map(|role| rules.legal(&values, role)[0])
                .collect();
            for mv in rules.legal(&values, role) {
                if self.factor.actions[role][mv as usize].idle {
                    continue;
                }
                made[role] = mv;
                let mut next = rules.next(&state, &made);
                let all = turns.iter().flat_map(|turn| turn.iter().enumerate());
                all.for_each(|(at, word)| next[at] &= !word);
                successors[role].push(self.class(&next, turns));
            }
            successors[role].sort_unstable();
            successors[role].dedup();
        }
        let class = (outputs, successors);
        let number = *self.of_class.entry(class.clone()).or_insert_with(|| {
            self.classes.push(class);
            self.classes.len() - 1
        });
        self.of_position.insert(position.clone(), number);
        number
    }
}

/// Whether the role to move wins from a pair of classes.
fn wins_from(
    factors: &Factors,
    sorted: &[Sorted<'_>],
    at: [usize; 2],
    role: usize,
    known: &mut HashMap<([usize; 2], usize), bool>,
) -> bool {
    if let Some(&wins) = known.get(&(at, role)) {
        return wins;
    }
    let combination = &factors.combination;
    let values = combination.evaluate(|input| match input {
        Input::Output { factor, output } => u64::from(sorted[factor].classes[at[factor]].0[output]),
        // Neither terminality nor results depend on whose turn it is.
        Input::Control(_) => 0,
    });
    let wins = if Rules::holds(&values, combination.terminal) {
        let mut goals = combination.goals[role].iter();
        goals.any(|goal| goal.0 == 100 && Rules::holds(&values, goal.1))
    } else {
        let moves = [0, 1].map(|factor| sorted[factor].classes[at[factor]].1[role].clone());
        assert!(moves.iter().any(|moves| !moves.is_empty()));
        moves.into_iter().enumerate().any(|(factor, moves)| {
            moves.into_iter().any(|to| {
                let mut next = at;
                next[factor] = to;
                !wins_from(factors, sorted, next, 1 - role, known)
            })
        })
    };
    known.insert((at, role), wins);
    wins
}

/// If each turn is a move in one of two factors, equivalent positions of a factor can be merged,
/// and the pairs of classes are fewer than the states.
#[test]
fn halves_of_a_board_are_reduced_separately() {
    let sheet = gdl_parse::parse(TWO_HALVES, &gdl_parse::ParseOptions::default()).sheet;
    let (_, logic) = logic(&sheet).unwrap();
    let factors = factors(&logic);
    assert_eq!((factors.count(), factors.factors.len()), (2, 2));
    assert!(factors.are_pseudo());
    let (mut sorted, mut begin) = (Vec::new(), [0; 2]);
    for (factor, begin) in factors.factors.iter().zip(&mut begin) {
        let rules = Rules(&factor.logic);
        let control = |state: State| -> (State, State) {
            let own =
                rules.state((0u32..).zip(&factor.context).filter_map(|(at, fact)| {
                    factor.facts.binary_search(fact).is_ok().then_some(at)
                }));
            let both = state.iter().zip(&own);
            both.map(|(word, own)| (word & own, word & !own)).unzip()
        };
        let (position, first) = control(rules.initial());
        let values = rules.values(&rules.initial(), &[]);
        let made: Vec<u32> = (0..2).map(|role| rules.legal(&values, role)[0]).collect();
        let (_, second) = control(rules.next(&rules.initial(), &made));
        let mut all = Sorted {
            factor,
            classes: Vec::new(),
            of_class: HashMap::new(),
            of_position: HashMap::new(),
        };
        *begin = all.class(&position, &[first, second]);
        sorted.push(all);
    }
    let mut pairs = HashMap::new();
    let first_wins = wins_from(&factors, &sorted, begin, 0, &mut pairs);
    let positions: usize = sorted.iter().map(|all| all.of_position.len()).sum();
    let classes: usize = sorted.iter().map(|all| all.classes.len()).sum();
    let rules = Rules(&logic);
    let mut known = HashMap::new();
    let (result, _) = rules.solved(&rules.initial(), &mut known);
    assert_eq!(result, if first_wins { 100 } else { 0 });
    let (whole, parts) = (known.len(), positions + pairs.len());
    println!(
        "two halves: {whole} states; by factors {positions} positions of {classes} kinds and {} \
         pairs: {:.1}x",
        pairs.len(),
        whole as f64 / parts as f64
    );
    assert!(whole > 2 * parts, "{whole}, {parts}");
}
