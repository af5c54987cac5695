//! What every move of a position is worth, proved by long proof searches.

use super::four;
use super::games::playable;
use crate::stage::Conditions;
use analysis::sums::proved_sum;
use budget::Budget;
use compile::{Playable, Proved};
use exhaustive::{Limits, Reading, Solver};
use features::Kinds;
use game::{Fans, MoveId, RoleId, State};
use heuristics::Value;
use provers::{Answer, Maker, ProofMethod, ProofSearch, Results};
use std::time::{Duration, Instant};
use tactics::{Scene, Sheet};

/// Bytes of the table of each role.
const MEMORY: usize = 128 << 20;

/// Time for proofs about the game itself.
const FACTS: Duration = Duration::from_secs(5);

/// Own moves within which nothing may be decided: with the answer in between, three plies.
const SHALLOW: u32 = 2;

/// States between two looks at the clock.
const SLICE: u64 = 1 << 16;

/// Positions between two looks at the clock, of a solver that keeps what it found.
const VISITS: u64 = 1 << 24;

/// The moves of a position, by what they are worth.
pub struct Split {
    /// The result that the role can force.
    pub value: u8,
    pub right: Vec<MoveId>,
    pub wrong: Vec<MoveId>,
    /// States that the proofs took.
    pub states: u64,
}

/// Why there is no question in a position.
pub enum Seen {
    /// Nothing was proved in time.
    Open,
    /// It is too easy, or there is nothing to lose.
    Nothing,
    Question(Split),
}

/// A game with all that makes proofs fast.
pub struct Game {
    playable: Playable,
    fans: Option<Box<dyn Fans>>,
    sum: Option<u32>,
    proved: Option<Proved>,
}

impl Game {
    /// Proves what is needed about a game.
    pub fn new(playable: &Playable) -> Game {
        let engine = &*playable.engine;
        let budget = Budget::system().with_timeout(FACTS);
        let compiled = playable.compiled.as_ref();
        let fans = compiled.and_then(|compiled| {
            let made = prepare::fans_beside(engine, compiled, 1, true, &budget.share(2));
            Some(made?.fans)
        });
        let proved = compiled.map(|compiled| Proved::find(compiled.clone(), 1, &budget));
        let sum = proved.as_ref().and_then(|proved| {
            let logic = &proved.compiled.logic;
            proved_sum(logic, &proved.groups, 1, &budget)
        });
        Game {
            playable: playable.fork(),
            fans,
            sum,
            proved,
        }
    }

    /// What states are worth, learnt for so long; `None` if the game cannot be learnt.
    pub fn learn(&self, time: Duration) -> Option<Value> {
        let (proved, engine) = (self.proved.as_ref()?, &*self.playable.engine);
        let budget = Budget::system().with_timeout(time);
        let (kinds, config) = (Kinds::default(), selfplay::Config::default());
        let opposed = self.sum == Some(100);
        let made = prepare::learner(engine, proved, opposed, kinds, config, 1, &budget);
        let mut made = made.ok()?;
        made.learner.learn(u64::MAX, &budget).ok()?;
        Some(made.learner.value().reordered(&made.order))
    }

    /// A proof search for a role.
    pub fn prover(&self, method: ProofMethod, role: RoleId, memory: usize) -> Box<dyn ProofSearch> {
        self.maker(role).make(method, memory)
    }

    /// What makes proof searches for a role.
    pub fn maker(&self, role: RoleId) -> Maker<'_> {
        Maker {
            engine: &*self.playable.engine,
            role,
            missing: 0,
            fans: self.fans.as_deref(),
            foresees: true,
            sum: self.sum.and_then(|sum| u16::try_from(sum).ok()),
            results: match &self.playable.compiled {
                Some(compiled) => compiled.logic.results(role.0).chain([0]).collect(),
                None => Results::ALL,
            },
            value: None,
        }
    }
}

/// Proves what moves are worth in one game.
pub struct Judge {
    playable: Playable,
    provers: Vec<Box<dyn ProofSearch>>,
    /// The solver of the game, if it has one of its own.
    four: Option<four::Solver>,
}

impl Judge {
    /// Prepares for a game.
    pub fn new(name: &str, playable: &Playable) -> Judge {
        let game = Game::new(playable);
        let roles = (0..playable.engine.roles().len()).map(RoleId);
        Judge {
            provers: roles
                .map(|role| game.prover(ProofMethod::Batched, role, MEMORY))
                .collect(),
            four: four::Solver::of_game(name),
            playable: game.playable,
        }
    }

    /// The states or positions that all proofs took.
    fn states(&self) -> u64 {
        let of_provers: u64 = self.provers.iter().map(|prover| prover.states()).sum();
        of_provers + self.four.as_ref().map_or(0, |solver| solver.visited)
    }

    /// The answer to a question, if there is one in time.
    fn ask(
        &mut self,
        role: RoleId,
        state: &State,
        at_least: u8,
        budget: &Budget,
    ) -> Option<Answer> {
        if let Some(solver) = &mut self.four {
            let facts = self.playable.engine.facts(state);
            let board = solver.board(&facts)?;
            let value = loop {
                if budget.check().is_err() {
                    return None;
                }
                if let Some(value) = solver.value(board, VISITS) {
                    break value;
                }
            };
            // Red moves when there are as many discs of both.
            let value = match board.all.count_ones() % 2 == role.0 as u32 {
                true => value,
                false => value.of_other(),
            };
            let goal = match value {
                four::Value::Loss => 0,
                four::Value::Draw => 50,
                four::Value::Win => 100,
            };
            return Some(match goal >= at_least {
                true => Answer::Yes {
                    at_least: goal,
                    plies: 0,
                },
                false => Answer::No {
                    at_most: goal,
                    plies: 0,
                },
            });
        }
        while budget.check().is_ok() {
            let answer = self.provers[role.0]
                .ask(state, at_least, SLICE, budget)
                .ok()?;
            if answer != Answer::Open {
                return Some(answer);
            }
        }
        None
    }

    /// Divides the moves of a role that alone has a choice.
    ///
    /// `lenient` takes every position; otherwise only hard ones are questions.
    ///
    /// # Errors
    /// Fails if the engine does.
    pub fn split(
        &mut self,
        state: &State,
        role: RoleId,
        lenient: bool,
        budget: &Budget,
    ) -> anyhow::Result<Seen> {
        let before = self.states();
        self.provers[role.0].next_turn();
        let mut value = 100;
        loop {
            match self.ask(role, state, value, budget) {
                None => return Ok(Seen::Open),
                Some(Answer::No { at_most: 0, .. }) => return Ok(Seen::Nothing),
                Some(Answer::No { at_most, .. }) => value = at_most,
                Some(_) => break,
            }
        }
        let mut moves = Vec::new();
        let mut joint = Vec::new();
        for other in (0..self.provers.len()).map(RoleId) {
            let mut legal = Vec::new();
            self.playable.engine.legal(state, other, &mut legal)?;
            joint.push(legal[0]);
            if other == role {
                moves = legal;
            }
        }
        if !lenient && self.is_shallow(state, role, &moves, value, budget)? {
            return Ok(Seen::Nothing);
        }
        let (mut right, mut wrong) = (Vec::new(), Vec::new());
        let mut next = State::default();
        for &mv in &moves {
            joint[role.0] = mv;
            self.playable.engine.next(state, &joint, &mut next)?;
            match self.ask(role, &next, value, budget) {
                None => return Ok(Seen::Open),
                Some(Answer::Yes { .. }) => right.push(mv),
                Some(_) => wrong.push(mv),
            }
            if !lenient && 2 * right.len() > moves.len() {
                return Ok(Seen::Nothing);
            }
        }
        let states = self.states() - before;
        Ok(match wrong.is_empty() || right.is_empty() {
            true => Seen::Nothing,
            false => Seen::Question(Split {
                value,
                right,
                wrong,
                states,
            }),
        })
    }

    /// Whether a win is at hand, or the loss after more than half of the moves.
    fn is_shallow(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &[MoveId],
        value: u8,
        budget: &Budget,
    ) -> anyhow::Result<bool> {
        let limits = Limits {
            own_moves: SHALLOW,
            ..Limits::default()
        };
        let mut solver = Solver::new(&mut *self.playable.engine, role, limits);
        let outcome = solver.ask(state, moves, value, Reading::Guaranteed, budget)?;
        let wins = outcome.answers.iter().any(|answer| answer.verdict.is_yes());
        let losses = outcome
            .answers
            .iter()
            .filter(|answer| answer.verdict.is_no())
            .count();
        Ok(wins || 2 * losses > moves.len())
    }
}

/// Proves the claims of all sheets again, and prints what is wrong.
///
/// # Errors
/// Fails if a position is not one of its game.
pub fn check(sheets: &[Sheet], conditions: &Conditions) -> anyhow::Result<bool> {
    let mut all_right = true;
    for sheet in sheets {
        let mut playable = playable(&sheet.game)?;
        let mut judge = Judge::new(&sheet.game, &playable);
        let (mut proved, mut open, since) = (0, 0, Instant::now());
        for position in &sheet.positions {
            let scene = Scene::new(&mut *playable.engine, position)?;
            let budget = conditions.budget(60.0);
            match judge.split(&scene.state, scene.role, true, &budget)? {
                Seen::Open => open += 1,
                Seen::Question(split)
                    if split.value == position.forces && split.right == scene.right =>
                {
                    proved += 1;
                }
                _ => {
                    println!("{}/{} is WRONG", sheet.game, position.name);
                    all_right = false;
                }
            }
        }
        println!(
            "{:<24} {proved:>4} proved, {open:>3} open, {:.0} s",
            sheet.game,
            since.elapsed().as_secs_f64()
        );
    }
    Ok(all_right)
}
