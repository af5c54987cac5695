//! Policies choose the moves that the reasoner says they should.

mod common;

use budget::Budget;
use common::walker::{LANES, Walker};
use common::{Game, deviation};
use compile::Compiled;
use game::{Engine, MoveId, RoleId, State};
use lanes::{Applied, Choice, Declined, Guided, Policy};
use netlist::{Phased, Phases};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::fmt::Write;
use std::time::Duration;

/// Statistics beyond this many standard deviations fail. Some thousand are checked, and the
/// seeds are fixed.
const FAR: f64 = 5.0;

/// A move, as numbered by lanes and by the reasoner.
type Move = (MoveId, MoveId);

/// A state, and the reasoner's answers for it.
struct Here<'g> {
    game: &'g mut Game,
    there: State,
    legal: Vec<Vec<Move>>,
}

/// The successor under a move: the state, whether it is terminal, and a role's result.
struct After {
    state: State,
    over: bool,
    goal: Option<u8>,
}

impl<'g> Here<'g> {
    fn new(game: &'g mut Game, state: &'g State) -> Self {
        let there = game.there(state);
        let mut moves = Vec::new();
        let mut legal = Vec::new();
        for role in (0..game.roles()).map(RoleId) {
            game.oracle.legal(&there, role, &mut moves).unwrap();
            let both = moves.iter().map(|&mv| {
                let term = game.oracle.move_term(role, mv);
                (game.engine.find_move(role, &term).expect("a move"), mv)
            });
            let mut row: Vec<Move> = both.collect();
            row.sort_unstable();
            legal.push(row);
        }
        Here { game, there, legal }
    }

    /// Whether a role is the only one that has a choice.
    fn alone(&self, role: usize) -> bool {
        let mut rows = self.legal.iter().enumerate();
        rows.all(|(other, row)| (row.len() > 1) == (other == role))
    }

    /// The successor under a joint move, with the result of a role.
    fn after(&mut self, joint: &[Move], role: usize) -> After {
        let joint: Vec<MoveId> = joint.iter().map(|&(_, mv)| mv).collect();
        let (oracle, mut next) = (&mut self.game.oracle, State::default());
        oracle.next(&self.there, &joint, &mut next).unwrap();
        After {
            over: oracle.terminal(&next).unwrap(),
            goal: oracle.goal(&next, RoleId(role)).unwrap(),
            state: self.game.engine.state_of(&oracle.facts(&next)).unwrap(),
        }
    }

    /// The successor under a role's move where the others have no choice.
    fn after_alone(&mut self, role: usize, mv: Move) -> After {
        let only = self.legal.iter().map(|row| row[0]);
        let mut joint: Vec<Move> = only.collect();
        joint[role] = mv;
        self.after(&joint, role)
    }

    /// The moves that win at once for a role that chooses alone.
    fn wins(&mut self, role: usize) -> Vec<Move> {
        let mut wins = self.legal[role].clone();
        wins.retain(|&mv| {
            let after = self.after_alone(role, mv);
            after.over && after.goal == Some(100)
        });
        wins
    }

    /// The moves that block all wins which the role that chooses next would have if it chose in
    /// this state.
    ///
    /// `turned` is the state with the turn passed on.
    fn parries(&mut self, role: usize, turned: &State) -> Vec<Move> {
        let mut turned = Here::new(self.game, turned);
        let mut others = (0..turned.legal.len()).filter(|&other| other != role);
        let Some(other) = others.find(|&other| turned.legal[other].len() > 1) else {
            return Vec::new();
        };
        let threats = turned.wins(other);
        let mut parries = self.legal[role].clone();
        parries.retain(|&mv| {
            let after = self.after_alone(role, mv).state;
            let then = Here::new(self.game, &after).legal;
            let name = self.game.oracle.move_term(RoleId(role), mv.1);
            !threats.is_empty()
                && threats.iter().all(|threat| {
                    let same = self.game.oracle.move_term(RoleId(other), threat.1) == name;
                    same || !then[other].contains(threat)
                })
        });
        parries
    }

    /// The moves after which another role, which is then the only one to choose, could win at
    /// once.
    fn careless(&mut self, role: usize) -> Vec<Move> {
        let mut careless = self.legal[role].clone();
        careless.retain(|&mv| {
            let after = self.after_alone(role, mv);
            let mut then = Here::new(self.game, &after.state);
            let free = |rows: &[Vec<Move>], role: usize| {
                let mut rows = rows.iter().enumerate();
                rows.all(|(other, row)| other == role || row.len() == 1)
            };
            let others = (0..then.legal.len()).filter(|&other| other != role);
            let others: Vec<usize> = others.filter(|&other| free(&then.legal, other)).collect();
            !after.over && others.iter().any(|&other| !then.wins(other).is_empty())
        });
        careless
    }

    /// The moves of each role that a policy should keep, given the parts of it that were
    /// applied.
    fn left(
        &mut self,
        policy: &Policy,
        turned: &State,
        applied: &[Applied],
        seen: &mut Seen,
    ) -> Vec<Vec<Move>> {
        let mut left = self.legal.clone();
        let looks = |role: usize| {
            let mut parts = applied.iter().filter(|applied| applied.role == role);
            parts.any(|applied| applied.part == "careful" && applied.outcome.is_ok())
        };
        let anti = policy.anti_decisive.iter().filter(|&&role| !looks(role));
        let parts = policy.careful.iter().chain(anti).chain(&policy.decisive);
        for (&role, applied) in parts.zip(applied) {
            assert_eq!(role, applied.role);
            if applied.part == "careful" {
                if applied.outcome.is_ok() && self.alone(role) {
                    let careless = self.careless(role);
                    let mut good = left[role].clone();
                    good.retain(|mv| !careless.contains(mv));
                    if !good.is_empty() && good.len() < left[role].len() {
                        *seen.entry(applied.part).or_default() += 1;
                        left[role] = good;
                    }
                }
                continue;
            }
            if applied.part == "anti-decisive" {
                if applied.outcome.is_ok() && self.alone(role) {
                    let parries = self.parries(role, turned);
                    let mut good = left[role].clone();
                    good.retain(|mv| parries.contains(mv));
                    if !good.is_empty() {
                        *seen.entry(applied.part).or_default() += 1;
                        left[role] = good;
                    }
                }
                continue;
            }
            match applied.outcome {
                Err(Declined::NoChoice) => assert_eq!(self.legal[role].len(), 1),
                Ok(_) | Err(Declined::Never) if self.legal[role].len() > 1 => {
                    if !self.alone(role) {
                        // The rules have no such result at all.
                        assert_eq!(applied.outcome, Err(Declined::Never));
                        continue;
                    }
                    let wins = self.wins(role);
                    if applied.outcome.is_err() {
                        assert!(wins.is_empty(), "said that there are none");
                    } else if wins.is_empty() {
                        *seen.entry("neither").or_default() += 1;
                    } else {
                        *seen.entry(applied.part).or_default() += 1;
                        left[role] = wins;
                    }
                }
                _ => *seen.entry("left out").or_default() += 1,
            }
        }
        left
    }
}

/// The logic of a game, and its choices.
type Form = (Phased, Vec<Choice>);

/// The form without proofs and optimisation.
fn plain(game: &Game) -> Form {
    (Phased::new(&game.logic), Choice::plain(&game.logic))
}

/// The form with all proofs and optimisations.
fn optimised(game: &Game) -> Form {
    let budget = Budget::system().with_timeout(Duration::from_millis(400));
    let compiled = Compiled::of_logic(game.logic.clone()).into();
    let proved = prepare::proved(compiled, 1, &budget);
    let (phased, _) = prepare::shrunk(&proved, None, &budget);
    (phased, prepare::choices(&proved))
}

/// Cases that must occur in many states.
const PARTS: [&str; 5] = ["decisive", "anti-decisive", "careful", "neither", "listed"];

/// The number of states in which each part of a policy made a difference.
type Seen = HashMap<&'static str, usize>;

/// Draws from states again and again and compares with what a policy should do.
///
/// Guided roles follow `list`.
fn check(
    game: &mut Game,
    (logic, choices): &Form,
    policy: &Policy,
    list: &[u32],
    states: &[State],
    seen: &mut Seen,
) {
    let name = game.name.clone();
    let mut walker = Walker::new(game, logic, choices, policy, 3);
    walker.list = list.to_vec();
    for state in states {
        let words = state.words();
        let holds = |fact: u32| words[fact as usize / 64] >> (fact % 64) & 1 == 1;
        walker.phase = logic.phases.of(holds).expect("play has reached it");
        let applied = walker.machines[walker.phase].0.applied.clone();
        let mut here = Here::new(game, state);
        let mut left = here.left(policy, &turned(&logic.phases, state), &applied, seen);
        for guided in &policy.guided {
            let row = &mut left[guided.role];
            let mut list = list.iter().map(|&mv| MoveId(mv));
            let listed = list.find_map(|mv| row.iter().copied().find(|&(known, _)| known == mv));
            if let Some(listed) = listed.filter(|_| row.len() > 1) {
                *row = vec![listed];
                *seen.entry("listed").or_default() += 1;
            }
        }
        let mut joints = vec![Vec::new()];
        for row in &left {
            let longer = joints.iter().flat_map(|joint| {
                row.iter().map(move |&mv| {
                    let mut joint: Vec<Move> = joint.clone();
                    joint.push(mv);
                    joint
                })
            });
            joints = longer.collect();
        }
        let mut ends: HashMap<Vec<u64>, (f64, u64)> = HashMap::new();
        for joint in &joints {
            let end = here.after(joint, 0).state;
            ends.entry(end.words().to_vec()).or_default().0 += 1.0 / joints.len() as f64;
        }
        let draws = (16 * joints.len()).div_ceil(LANES);
        walker.put(|_| state);
        let mut next = Vec::new();
        for _ in 0..draws {
            walker.look();
            walker.make();
            for lane in 0..LANES {
                walker.next(lane, &mut next);
                let end = ends.get_mut(&next);
                end.unwrap_or_else(|| panic!("{name}: {policy:?}")).1 += 1;
            }
        }
        if ends.len() > 1 {
            let all = (draws * LANES) as f64;
            let terms = ends.values().map(|&(share, count)| {
                let expected = share * all;
                (count as f64 - expected).powi(2) / expected
            });
            let far = deviation(terms.sum(), ends.len() as f64 - 1.0);
            assert!(far < FAR, "{name}: {far} {ends:?}");
        }
    }
}

/// The same state with the turn passed on.
fn turned(phases: &Phases, state: &State) -> State {
    let words = state.words();
    let phase = phases.of(|fact| words[fact as usize / 64] >> (fact % 64) & 1 == 1);
    let next = (phase.expect("play has reached it") + 1) % phases.period();
    let mut words = words.to_vec();
    for (&fact, &holds) in phases.facts.iter().zip(&phases.values[next]) {
        let (word, bit) = (&mut words[fact as usize / 64], 1 << (fact % 64));
        *word = if holds { *word | bit } else { *word & !bit };
    }
    State::from_words(words)
}

/// All roles play decisive moves.
fn decisive(game: &Game) -> Policy {
    Policy {
        decisive: (0..game.roles()).collect(),
        ..Policy::default()
    }
}

/// States of random play, those first in which a role can win, as far as there are any.
fn interesting(game: &mut Game, seed: u64, among: usize, most: usize) -> Vec<State> {
    let mut states = game.states(seed, among);
    states.sort_by_cached_key(|state| {
        let mut here = Here::new(game, state);
        let mut roles = 0..here.legal.len();
        !roles.any(|role| here.alone(role) && !here.wins(role).is_empty())
    });
    // Some of the others, too.
    let end = states.len();
    let others = end
        .saturating_sub(most / 3)
        .max(most.min(end) - most.min(end) / 3);
    states.drain((most - most / 3).min(others)..others);
    states
}

/// A game of marking squares in turns.
///
/// A role with all of a line wins. A line may count for both roles or end the game as a draw,
/// and marking a square may remove the mark of its neighbour.
fn lines(seed: u64) -> String {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let squares = rng.random_range(4..8);
    let mut rules = String::from(
        "(role x) (role o) (init (turn x)) (opponent x o) (opponent o x)
        (<= (legal ?r (mark ?s)) (true (turn ?r)) (square ?s) (not (marked ?s)))
        (<= (legal ?r noop) (true (turn ?q)) (opponent ?q ?r))
        (<= (marked ?s) (true (has ?r ?s)))
        (<= (next (turn ?r)) (true (turn ?q)) (opponent ?q ?r))
        (<= (next (has ?r ?s)) (does ?r (mark ?s)))
        (<= (next (has ?r ?s)) (true (has ?r ?s)) (not (robbed ?s)))
        (<= (robbed ?s) (does ?r (mark ?t)) (robs ?t ?s))
        (robs none none)
        (<= open (square ?s) (not (marked ?s)))
        (<= terminal (not open))
        (<= terminal (line ?r))
        (<= (goal ?r 100) (line ?r) (not drawn))
        (<= (goal ?r 50) (role ?r) drawn)
        (<= (goal ?r 50) (role ?r) (not (line x)) (not (line o)) (not drawn))
        (<= (goal ?r 0) (line ?q) (opponent ?q ?r) (not (line ?r)) (not drawn))
        (<= drawn (true (has x none)))\n",
    );
    for square in 0..squares {
        let _ = writeln!(rules, "(square {square})");
        if rng.random_range(0..6) == 0 {
            let other = (square + rng.random_range(1..squares)) % squares;
            let _ = writeln!(rules, "(robs {square} {other})");
        }
        if rng.random_range(0..6) == 0 {
            let other = (square + rng.random_range(1..squares)) % squares;
            let _ = writeln!(
                rules,
                "(<= drawn (true (has ?r {square})) (true (has ?r {other})))"
            );
        }
    }
    for _ in 0..rng.random_range(2..6) {
        let role = ["x", "o", "?r"][rng.random_range(0..3)];
        let _ = write!(rules, "(<= (line {role}) (role {role})");
        for _ in 0..rng.random_range(1..4) {
            let square = rng.random_range(0..squares);
            let _ = write!(rules, " (true (has {role} {square}))");
        }
        rules.push_str(")\n");
    }
    rules
}

/// Checks all policies and some combinations of them.
fn check_all(game: &mut Game, form: &Form, seed: u64, states: &[State], seen: &mut Seen) {
    let most = game.logic.does.iter().map(Vec::len).max().unwrap_or(0) as u32;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut list: Vec<u32> = (0..most).collect();
    for i in 1..list.len() {
        list.swap(i, rng.random_range(0..=i));
    }
    let guided = |mixed| {
        let roles = 0..game.roles();
        roles.map(|role| Guided { role, mixed }).collect::<Vec<_>>()
    };
    let listed = Policy {
        guided: guided(false),
        ..Policy::default()
    };
    let wary = Policy {
        anti_decisive: (0..game.roles()).collect(),
        ..decisive(game)
    };
    let careful = Policy {
        careful: (0..game.roles()).collect(),
        ..wary.clone()
    };
    let careful_alone = Policy {
        careful: (0..game.roles()).collect(),
        ..Policy::default()
    };
    let heedful = Policy {
        anti_decisive: (0..game.roles()).collect(),
        ..Policy::default()
    };
    let some_listed = Policy {
        guided: guided(true),
        ..decisive(game)
    };
    let half = &list[..list.len() / 2];
    let cases: [(&Policy, &[u32]); 6] = [
        (&wary, &[]),
        (&careful_alone, &[]),
        (&careful, &[]),
        (&heedful, &[]),
        (&listed, &list),
        (&some_listed, half),
    ];
    for (policy, list) in cases {
        check(game, form, policy, list, states, seen);
    }
}

#[test]
fn policies_in_fixtures_choose_as_they_should() {
    let all = testkit::on_all_cores(Game::fixtures(), |mut game| {
        let mut seen = Seen::new();
        let slow = game.logic.net.len() > 5_000;
        let (among, most) = if slow { (4, 1) } else { (40, 3) };
        let states = interesting(&mut game, 1, among, most);
        let form = optimised(&game);
        let policy = decisive(&game);
        check(&mut game, &form, &policy, &[], &states, &mut seen);
        if !slow {
            check_all(&mut game, &form, 7, &states, &mut seen);
        }
        seen
    });
    for part in PARTS {
        let seen: usize = all.iter().filter_map(|seen| seen.get(part)).sum();
        assert!(seen > 10, "{part}: {seen}");
    }
}

#[test]
fn policies_in_random_games_choose_as_they_should() {
    let mut seen = Seen::new();
    for seed in 0..40 {
        let sources = [lines(seed), testkit::games::random_game(seed)];
        for (source, name) in sources.iter().zip(["lines", "random"]) {
            let mut game = Game::new(&format!("{name} {seed}"), source);
            let states = interesting(&mut game, seed, 12, 4);
            for form in [plain(&game), optimised(&game)] {
                check_all(&mut game, &form, seed, &states, &mut seen);
            }
        }
    }
    for part in PARTS {
        assert!(seen[part] > 100, "{seen:?}");
    }
}
