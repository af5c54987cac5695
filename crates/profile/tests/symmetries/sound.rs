//! Symmetries are compatible with play: legal moves, terminality, results and next states.

use crate::common::{Found, read};
use analysis::Evidence;
use analysis::boards::Boards;
use budget::Budget;
use game::{Engine, GroundTerm, MoveId, RoleId, State};
use profile::symmetries::{Symmetries, Symmetry};
use propnet::PropnetEngine;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

/// The engine's states as facts, and moves as terms, so that nothing depends on its numbers.
struct Table<'f> {
    found: &'f Found,
    engine: PropnetEngine,
    facts: HashMap<GroundTerm, usize>,
    moves: Vec<HashMap<GroundTerm, usize>>,
}

impl<'f> Table<'f> {
    fn new(found: &'f Found) -> Option<Table<'f>> {
        let words = &found.logic.words;
        let numbers = |terms: &[GroundTerm]| terms.iter().cloned().zip(0..).collect();
        Some(Table {
            engine: PropnetEngine::new(&found.network, &Budget::system()).ok()?,
            facts: numbers(&words.facts),
            moves: words.moves.iter().map(|moves| numbers(moves)).collect(),
            found,
        })
    }

    /// The image of a state, computed from its facts.
    fn image(&mut self, state: &State, symmetry: &Symmetry) -> State {
        let words = &self.found.logic.words;
        let facts = self.engine.facts(state);
        let images = facts
            .iter()
            .map(|fact| words.facts[symmetry.facts[self.facts[fact]] as usize].clone());
        let images: Vec<GroundTerm> = images.collect();
        self.engine.state_of(&images).unwrap()
    }

    /// The legal moves of a role, by the numbers of the vocabulary.
    fn legal(&mut self, state: &State, role: usize) -> BTreeSet<usize> {
        let mut moves = Vec::new();
        self.engine.legal(state, RoleId(role), &mut moves).unwrap();
        let term = |&mv: &MoveId| self.engine.move_term(RoleId(role), mv);
        let terms: Vec<GroundTerm> = moves.iter().map(term).collect();
        terms.iter().map(|term| self.moves[role][term]).collect()
    }

    /// The engine's number of a move.
    fn number(&mut self, state: &State, role: usize, mv: usize) -> MoveId {
        let mut moves = Vec::new();
        self.engine.legal(state, RoleId(role), &mut moves).unwrap();
        let wanted = &self.found.logic.words.moves[role][mv];
        let is = |&&other: &&MoveId| self.engine.move_term(RoleId(role), other) == *wanted;
        *moves.iter().find(is).unwrap()
    }

    /// Plays at random beside the image under a symmetry. Returns an error where they differ.
    fn plays_alike(&mut self, symmetry: &Symmetry, steps: usize, seed: u64) -> Result<(), String> {
        let same = |same: bool, step: usize, what: &str| match same {
            true => Ok(()),
            false => Err(format!("{what} differ at step {step}")),
        };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let roles = self.found.logic.roles();
        let mut state = self.engine.initial();
        for step in 0..steps {
            let image = self.image(&state, symmetry);
            let ended = self.engine.terminal(&state).unwrap();
            same(ended == self.engine.terminal(&image).unwrap(), step, "ends")?;
            let mut joint = Vec::new();
            for role in 0..roles {
                let other = usize::from(symmetry.roles[role]);
                let goal = self.engine.goal(&state, RoleId(role)).unwrap();
                let there = self.engine.goal(&image, RoleId(other)).unwrap();
                same(goal == there, step, "results")?;
                let legal = self.legal(&state, role);
                let images = legal.iter().map(|&mv| symmetry.moves[role][mv] as usize);
                let images: BTreeSet<usize> = images.collect();
                same(images == self.legal(&image, other), step, "legal moves")?;
                let legal: Vec<usize> = legal.into_iter().collect();
                if !legal.is_empty() {
                    joint.push(legal[rng.random_range(0..legal.len())]);
                }
            }
            if ended || joint.len() < roles {
                state = self.engine.initial();
                continue;
            }
            let mut here = Vec::new();
            let mut there = vec![MoveId(0); roles];
            for (role, &mv) in joint.iter().enumerate() {
                here.push(self.number(&state, role, mv));
                let to = symmetry.moves[role][mv] as usize;
                let other = usize::from(symmetry.roles[role]);
                there[other] = self.number(&image, other, to);
            }
            let (mut next, mut mirrored) = (State::default(), State::default());
            self.engine.next(&state, &here, &mut next).unwrap();
            self.engine.next(&image, &there, &mut mirrored).unwrap();
            same(self.image(&next, symmetry) == mirrored, step, "next states")?;
            state = next;
        }
        Ok(())
    }
}

/// Checks that facts, moves and roles are permuted, and that all generators and some products
/// are compatible with play.
fn sound(found: &Found, steps: usize, what: &str) -> usize {
    let Some(mut table) = Table::new(found) else {
        return 0;
    };
    let mut all: Vec<Symmetry> = found
        .symmetries
        .generators
        .iter()
        .take(6)
        .cloned()
        .collect();
    if let [first, .., last] = &all[..] {
        all.push(first.then(last));
    }
    for (seed, symmetry) in (0..).zip(&all) {
        let facts: BTreeSet<u32> = symmetry.facts.iter().copied().collect();
        assert_eq!(facts.len(), found.logic.facts.len(), "{what}");
        let alike = table.plays_alike(symmetry, steps, seed);
        alike.unwrap_or_else(|why| panic!("{what}: {why}"));
    }
    count_fixing(found, what);
    all.len()
}

/// Checks that the symmetries that fix the initial state are marked correctly, and form a
/// subgroup.
fn count_fixing(found: &Found, what: &str) {
    let initial: BTreeSet<u32> = found.logic.words.initial.iter().copied().collect();
    let elements = found.symmetries.elements(48).unwrap_or_default();
    for symmetry in &elements {
        let images = initial.iter().map(|&fact| symmetry.facts[fact as usize]);
        let fixes = images.collect::<BTreeSet<u32>>() == initial;
        assert_eq!(symmetry.fixes_initial, fixes, "{what}");
    }
    if let (false, Some(fixing)) = (elements.is_empty(), found.symmetries.fixing_initial) {
        assert_eq!(elements.len() as u128 % fixing, 0, "{what}");
    }
}

#[test]
fn symmetries_of_all_fixtures_are_compatible_with_play() {
    let mut checked = 0;
    for path in testkit::fixtures() {
        let what = path.display().to_string();
        if let Some(found) = Found::of(&read(&path), Duration::from_secs(2)) {
            checked += sound(&found, 12, &what);
        }
    }
    assert!(checked > 80, "{checked}");
}

#[test]
fn other_permutations_are_not_compatible_with_play() {
    let mut found = Found::fixture("connect_four");
    let mut wrong = found.symmetries.generators.remove(0);
    wrong.moves[0].swap(0, 1);
    let mut table = Table::new(&found).unwrap();
    let differs = table.plays_alike(&wrong, 60, 1).unwrap_err();
    assert!(differs.contains("next states"), "{differs}");
}

#[test]
fn a_deadline_returns_partial_results() {
    let found = Found::fixture("tic_tac_toe");
    let clock = std::sync::Arc::new(budget::ManualClock::default());
    let over = Budget::unlimited(clock).with_timeout(Duration::ZERO);
    let none = Boards::default();
    let cut = Symmetries::find(&found.network, &found.logic, &none, 1, &over);
    assert!(cut.report.exhausted.is_some());
    assert_eq!((cut.order, cut.generators.len()), (1, 0));
}

/// The same over the whole corpus; prints the results. Takes minutes.
#[test]
fn symmetries_of_the_corpus_are_compatible_with_play() {
    if std::env::var_os("ROCINANTE_LONG_TESTS").is_none() {
        return;
    }
    let Some(corpus) = testkit::corpus() else {
        return;
    };
    let (mut games, mut with, mut times) = (0, 0, Vec::new());
    for path in testkit::files(&corpus.join("games"), "kif") {
        let what = path.display().to_string();
        let Some(found) = Found::of(&read(&path), Duration::from_secs(10)) else {
            continue;
        };
        let all = &found.symmetries;
        let observed = all.generators.iter();
        let observed = observed
            .filter(|one| one.agrees != Evidence::Proved)
            .count();
        println!(
            "{what}: {:?}, {observed} observed, {:?}",
            found.counts(),
            all.report
        );
        games += 1;
        with += usize::from(all.order > 1);
        times.push(all.report.time);
        sound(&found, 60, &what);
    }
    times.sort();
    let (median, most) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{with} of {games} games with symmetries; time: median {median:?}, most {most:?}");
}

/// Measures the cost of canonical states in random play.
#[test]
fn cost_of_canonical_states() {
    if std::env::var_os("ROCINANTE_LONG_TESTS").is_none() {
        return;
    }
    for name in [
        "tic_tac_toe",
        "connect_four",
        "breakthrough",
        "reversi",
        "pentago",
        "speed_chess",
    ] {
        let found = Found::fixture(name);
        let table = found.symmetries.canonical(16, Symmetry::fixes_roles);
        let mut play = invariants::Play::new(&found.logic, 1);
        (0..20).for_each(|_| play.step());
        let mut states = vec![vec![0u64; found.logic.facts.len().div_ceil(64)]; 64];
        for (fact, &lit) in found.logic.facts.iter().enumerate() {
            let word = play.word(lit);
            for (lane, state) in states.iter_mut().enumerate() {
                state[fact / 64] |= (word >> lane & 1) << (fact % 64);
            }
        }
        let clock = Budget::system().clock().clone();
        let begun = clock.now();
        let mut changed = 0;
        for _ in 0..1000 {
            changed += states
                .iter()
                .filter(|state| table.of(state).1.is_some())
                .count();
        }
        let each = (clock.now() - begun) / 64_000;
        let count = table.symmetries().len();
        println!("{name}: {count} symmetries besides the identity, {each:?} a state, {changed}");
        assert!(changed > 0 || count == 0);
    }
}
