//! Several threads at one question.
//!
//! All of them begin at the same state, and share a table. So that they search different states,
//! each makes known which states are on its path, and a child with another thread below counts as
//! less promising: by virtual numbers, as in T. Kaneko, "Parallel depth first proof number search",
//! 2010. There these lie in the table; here each thread has a list of its own, so that nothing is
//! left behind when an entry is replaced.

use crate::children::Family;
use crate::descend::DEEPEST;
use crate::prover::Prover;
use crate::table::Name;
use crate::{Answer, Numbers, ProofSearch};
use budget::Budget;
use game::{EngineError, MoveId, RoleId, State};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Provers that answer each question together.
pub struct Team(Vec<Prover>);

impl Team {
    /// A team of [`Prover::several`].
    ///
    /// # Panics
    /// If there are none.
    pub fn new(mut provers: Vec<Prover>) -> Team {
        assert!(!provers.is_empty(), "a team has at least one prover");
        let paths: Arc<[Path]> = provers.iter().map(|_| Path::default()).collect();
        for (own, prover) in provers.iter_mut().enumerate() {
            prover.team = Some(Member::new(paths.clone(), own));
        }
        Team(provers)
    }
}

impl ProofSearch for Team {
    fn role(&self) -> RoleId {
        self.0[0].role()
    }

    fn states(&self) -> u64 {
        self.0.iter().map(Prover::states).sum()
    }

    fn next_turn(&mut self) {
        self.0.iter_mut().for_each(Prover::next_turn);
    }

    fn ask(
        &mut self,
        state: &State,
        at_least: u8,
        states: u64,
        budget: &Budget,
    ) -> Result<Answer, EngineError> {
        let each = states.div_ceil(self.0.len() as u64);
        let ask = |prover: &mut Prover| prover.ask(state, at_least, each, budget);
        let answers: Vec<Result<Answer, EngineError>> = std::thread::scope(|scope| {
            let (first, others) = self.0.split_at_mut(1);
            let others = others.iter_mut();
            let others: Vec<_> = others.map(|one| scope.spawn(|| ask(one))).collect();
            let own = first.iter_mut().map(ask).collect::<Vec<_>>();
            let theirs = others.into_iter().map(|other| match other.join() {
                Ok(answer) => answer,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            own.into_iter().chain(theirs).collect()
        });
        let mut open = Ok(Answer::Open);
        for answer in answers {
            match answer {
                Ok(Answer::Open) => {}
                Ok(known) => return Ok(known),
                error => open = error,
            }
        }
        open
    }

    fn after(&mut self, state: &State, joint: &[MoveId]) -> Result<Answer, EngineError> {
        self.0[0].after(state, joint)
    }
}

/// States between two looks at whether another thread has decided a state on the own path.
const LOOK_UP_EVERY: u64 = 256;

/// What a thread of a team knows of the others.
pub(crate) struct Member {
    paths: Arc<[Path]>,
    own: usize,
    /// The states on the own path.
    names: Vec<Name>,
    /// The depth of the first of them that another thread has decided.
    decided: Option<usize>,
    /// The number of states at which the table is asked next.
    due: u64,
}

/// The checks of the states on the path of a thread, by depth; 0 beyond its end.
#[derive(Debug)]
#[repr(align(128))]
struct Path([AtomicU64; DEEPEST as usize + 2]);

impl Default for Path {
    fn default() -> Path {
        Path(std::array::from_fn(|_| AtomicU64::new(0)))
    }
}

impl Member {
    fn new(paths: Arc<[Path]>, own: usize) -> Member {
        Member {
            paths,
            own,
            names: Vec::new(),
            decided: None,
            due: 0,
        }
    }

    /// Begins a question. An engine that failed may have ended the last one below its root.
    pub fn begin(&mut self) {
        while !self.names.is_empty() {
            self.leave();
        }
        (self.decided, self.due) = (None, 0);
    }

    /// Goes to a state one deeper.
    pub fn enter(&mut self, name: Name) {
        let own = &self.paths[self.own].0[self.names.len()];
        own.store(name.check(), Ordering::Relaxed);
        self.names.push(name);
    }

    /// Goes back.
    pub fn leave(&mut self) {
        self.names.pop();
        let own = &self.paths[self.own].0[self.names.len()];
        own.store(0, Ordering::Relaxed);
    }

    /// The number of a child of the deepest state on the path: half as much again, and one more,
    /// for each other thread that is below this child.
    #[inline]
    pub fn virtually(&self, number: u32, child: Name) -> u32 {
        let depth = self.names.len();
        let paths = self.paths.iter().enumerate();
        let others = paths.filter(|(thread, path)| {
            let there = path.0[depth].load(Ordering::Relaxed);
            *thread != self.own && there == child.check()
        });
        let more = (number / 2 + 1).saturating_mul(others.count() as u32);
        number.saturating_add(more).min(Numbers::NEVER - 1)
    }
}

impl Prover {
    /// The numbers of the deepest state on the path, and the plies to the end of play, if another
    /// thread was found to have decided it.
    pub(crate) fn decided_by_others(&mut self, name: Name) -> Option<(Numbers, u16)> {
        let team = self.team.as_mut()?;
        if self.states >= team.due {
            team.due = self.states + LOOK_UP_EVERY;
            let known = |name: Name| self.table.get(name).filter(|found| found.0.is_known());
            team.decided = team.names.iter().position(|&name| known(name).is_some());
        }
        if team.decided? + 1 != team.names.len() {
            return None;
        }
        team.decided = None;
        self.table.get(name).filter(|found| found.0.is_known())
    }

    /// Whether another thread was found to have decided a state above the deepest one on the path.
    pub(crate) fn is_decided_above(&self) -> bool {
        let team = self.team.as_ref();
        team.is_some_and(|team| team.decided.is_some_and(|at| at + 1 < team.names.len()))
    }

    /// Takes over what other threads found out about the children of a state.
    pub(crate) fn refresh(&self, family: &mut Family) {
        for child in family.children_mut() {
            if !child.numbers.is_known()
                && let Some(found) = self.table.get(child.name)
            {
                (child.numbers, child.plies) = found;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Subject;
    use crate::tests::{agrees, fixture, played, prover, true_value};
    use game::Engine;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use testkit::layered::Layered;

    fn team(engine: &dyn Engine, role: usize, memory: usize, threads: usize) -> Team {
        let subject = Subject::new(engine.fork(), RoleId(role), 0);
        Team::new(Prover::several(subject, memory, threads))
    }

    fn verdict(answer: Answer) -> Option<bool> {
        match answer {
            Answer::Yes { .. } => Some(true),
            Answer::No { .. } => Some(false),
            Answer::Open => None,
        }
    }

    /// Asks a team and one prover, and compares the answers. Returns whether there were any.
    fn agree(engine: &dyn Engine, state: &State, asked: u8, threads: usize) -> bool {
        let budget = Budget::system();
        let alone = prover(engine, 0, 1 << 20).ask(state, asked, 200_000, &budget);
        // A table that forgets nearly everything takes longer but gives the same answer.
        let answers = [1 << 20, 1 << 10].map(|memory| {
            let mut team = team(engine, 0, memory, threads);
            let answer = team.ask(state, asked, 2_000_000, &budget).unwrap();
            assert_ne!(answer, Answer::Open);
            answer
        });
        let alone = verdict(alone.unwrap());
        let known = answers.map(verdict);
        assert!(
            alone.is_none() || known.iter().all(|&one| one == alone),
            "{alone:?} {known:?}"
        );
        alone.is_some()
    }

    #[test]
    fn a_team_gives_the_answers_of_one_prover() {
        let mut known = 0;
        for seed in 0..40 {
            let engine = Layered::new(2, seed, 8).in_turn();
            for asked in [26, 51, 100] {
                known += u32::from(agree(&engine, &engine.initial(), asked, 3));
            }
        }
        assert_eq!(known, 120);
    }

    #[test]
    fn what_one_proved_the_others_promise_no_better() {
        for seed in 0..40 {
            let mut engine = Layered::new(2, seed, 6).in_turn();
            let state = engine.initial();
            let value = true_value(&mut engine, &state, RoleId(0));
            let subject = Subject::new(engine.fork(), RoleId(0), 0);
            let mut provers = Prover::several(subject, 1 << 20, 3);
            for asked in [26, 51, 100] {
                let answers = provers.iter_mut().map(|prover| {
                    let before = prover.states();
                    let answer = prover.ask(&state, asked, 1_000_000, &Budget::system());
                    (answer.unwrap(), prover.states() - before)
                });
                let answers: Vec<(Answer, u64)> = answers.collect();
                // The others find the children in the table.
                assert!(answers[1].1 <= answers[0].1 && answers[2].1 <= answers[0].1);
                for (answer, _) in answers {
                    assert!(
                        agrees(answer, value, asked),
                        "{answer:?} of {value}, asked for {asked}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_team_answers_in_real_games() {
        let mut engine = fixture("connect_four_small");
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut known = 0;
        for asked in [50, 100, 50, 100, 50, 100] {
            let state = played(&mut engine, 6, &mut rng);
            known += u32::from(agree(&engine, &state, asked, 2));
        }
        assert!(known >= 5, "{known}");
    }

    #[test]
    fn nothing_stays_on_the_paths() {
        let engine = Layered::new(2, 3, 12).in_turn();
        let mut team = team(&engine, 0, 1 << 16, 2);
        for states in [10, 1_000, 100_000] {
            team.ask(&engine.initial(), 51, states, &Budget::system())
                .unwrap();
            for member in team.0.iter().filter_map(|one| one.team.as_ref()) {
                assert!(member.names.is_empty());
                let places = member.paths.iter().flat_map(|path| &path.0);
                assert!(
                    places
                        .into_iter()
                        .all(|place| place.load(Ordering::Relaxed) == 0)
                );
            }
        }
    }
}
