//! Mining of positions: plays weak games and searches them for critical states with the solver.

use crate::position::{Moves, Place, Position};
use budget::Budget;
use exhaustive::{Answer, Limits, Outcome, Reading, Solver, Verdict};
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State, playout};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::HashSet;
use std::time::Duration;

/// Parameters of a [`Miner`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// The random seed of the games.
    pub seed: u64,
    /// Playouts per legal move with which the games choose moves; with 0 all moves are random.
    pub playouts: u64,
    /// Per cent of the moves that are random nevertheless.
    pub noise: u32,
    /// The maximum number of states that the solver may visit for each question.
    pub states: u64,
    /// The time limit for each state of a game and role.
    pub patience: Duration,
    /// The maximum number of joint moves of a game. Longer games are dropped.
    pub steps: usize,
    /// The maximum share of right moves, in per cent of the legal moves.
    pub share: usize,
    /// The minimum number of own moves that the fastest right move needs.
    pub depth: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seed: 1,
            playouts: 4,
            noise: 10,
            states: 30_000,
            patience: Duration::from_secs(1),
            steps: 1000,
            share: 50,
            depth: 2,
        }
    }
}

/// A position that was found, and measures of its quality.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The position. Its proof fits within its limit of states.
    pub position: Position,
    /// The number of legal moves.
    pub moves: usize,
    /// The number of right moves.
    pub right: usize,
    /// The number of own moves that the fastest right move needs.
    pub fastest: u32,
    /// The depth, in own moves, of the refutation of the last wrong move.
    pub refuted: u32,
    /// How often, 0 to 1, a comparison of the moves by random playouts chooses a wrong one.
    pub misleading: f64,
}

/// The number of shallow comparisons of a position, and the playouts per move of each.
const VIEWS: usize = 10;
const VIEW: usize = 20;

/// The number of unproved states in a row after which a game is abandoned.
const GIVE_UP: usize = 2;

/// Finds positions of one game.
pub struct Miner {
    engine: Box<dyn Engine>,
    settings: Settings,
    rng: Xoshiro256PlusPlus,
    games: u64,
    /// States that were examined, since games share states.
    seen: HashSet<State>,
}

/// A state of a game, and the number of choices before it.
struct Step {
    state: State,
    choices: usize,
}

impl Miner {
    /// A miner of the game that `engine` knows.
    pub fn new(engine: Box<dyn Engine>, settings: Settings) -> Self {
        Miner {
            engine,
            settings,
            rng: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
            games: 0,
            seen: HashSet::new(),
        }
    }

    /// Plays one game and returns the positions in it that no earlier game contained, the last
    /// first.
    ///
    /// # Errors
    /// Fails if the engine could not evaluate the rules.
    pub fn game(&mut self, budget: &Budget) -> Result<Vec<Candidate>, EngineError> {
        self.games += 1;
        let mut found = Vec::new();
        let Some((steps, choices)) = self.play()? else {
            return Ok(found);
        };
        let mut open = 0;
        for step in steps.iter().rev() {
            if budget.check().is_err() || open >= GIVE_UP {
                break;
            }
            if !self.seen.insert(step.state.clone()) {
                continue;
            }
            for role in (0..self.engine.roles().len()).map(RoleId) {
                let budget = budget.clone().with_timeout(self.settings.patience);
                match self.look(&step.state, role, &choices[..step.choices], &budget)? {
                    Seen::Open => open += 1,
                    Seen::Nothing => open = 0,
                    Seen::Question(candidate) => {
                        open = 0;
                        found.push(*candidate);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Plays one game. Returns the states in which a role has a choice, and the choices made;
    /// `None` if the game did not end.
    #[expect(clippy::type_complexity, reason = "two plain lists")]
    fn play(&mut self) -> Result<Option<(Vec<Step>, Vec<GroundTerm>)>, EngineError> {
        let roles = self.engine.roles().len();
        let mut state = self.engine.initial();
        let (mut steps, mut choices) = (Vec::new(), Vec::new());
        let mut moves = Vec::new();
        for _ in 0..self.settings.steps {
            if self.engine.terminal(&state)? {
                return Ok(Some((steps, choices)));
            }
            let before = choices.len();
            let mut joint = Vec::new();
            for role in (0..roles).map(RoleId) {
                self.engine.legal(&state, role, &mut moves)?;
                let mv = match moves[..] {
                    [] => return Ok(None),
                    [only] => only,
                    _ if self.rng.random_range(0..100) < self.settings.noise => {
                        moves[self.rng.random_range(0..moves.len())]
                    }
                    _ => self.shallow(&state, role, &moves, self.settings.playouts as usize)?,
                };
                joint.push(mv);
                if moves.len() > 1 {
                    choices.push(self.engine.move_term(role, mv));
                }
            }
            let mut next = State::default();
            self.engine.next(&state, &joint, &mut next)?;
            if choices.len() > before {
                let choices = before;
                steps.push(Step { state, choices });
            }
            state = next;
        }
        Ok(None)
    }

    /// The move with the best random playouts, which follow the move and random moves of the
    /// others. Ties are broken at random.
    fn shallow(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &[MoveId],
        playouts: usize,
    ) -> Result<MoveId, EngineError> {
        let mut best = (0, Vec::new());
        let mut next = State::default();
        for &mv in moves {
            let mut sum = 0;
            for _ in 0..playouts {
                let mut joint = Vec::new();
                for other in (0..self.engine.roles().len()).map(RoleId) {
                    let random = self.rng.random();
                    let mut scratch = Vec::new();
                    let picked = self.engine.pick(state, other, random, &mut scratch)?;
                    joint.push(if other == role {
                        mv
                    } else {
                        picked.unwrap_or(mv)
                    });
                }
                self.engine.next(state, &joint, &mut next)?;
                let end = playout(&mut *self.engine, &next, &mut self.rng, self.settings.steps)?;
                sum += usize::from(end.goals[role.0].unwrap_or(0));
            }
            if sum > best.0 || best.1.is_empty() {
                best = (sum, vec![mv]);
            } else if sum == best.0 {
                best.1.push(mv);
            }
        }
        Ok(best.1[self.rng.random_range(0..best.1.len())])
    }

    /// Examines a state for one role.
    fn look(
        &mut self,
        state: &State,
        role: RoleId,
        choices: &[GroundTerm],
        budget: &Budget,
    ) -> Result<Seen, EngineError> {
        let mut moves = Vec::new();
        self.engine.legal(state, role, &mut moves)?;
        if moves.len() < 2 {
            return Ok(Seen::Nothing);
        }
        let limits = Limits {
            states: self.settings.states,
            ..Limits::default()
        };
        let mut solver = Solver::new(&mut *self.engine, role, limits);
        let split = match split(&mut solver, state, budget)? {
            Ok(split) => split,
            Err(seen) => return Ok(seen),
        };
        let fastest = split.right.iter().map(|answer| answer.own_moves).min();
        let fastest = fastest.unwrap_or(0);
        let share = 100 * split.right.len() / moves.len();
        if fastest < self.settings.depth || share > self.settings.share {
            return Ok(Seen::Nothing);
        }
        let mut wrong = 0;
        for _ in 0..VIEWS {
            let mv = self.shallow(state, role, &moves, VIEW)?;
            wrong += usize::from(!split.right.iter().any(|answer| answer.mv == mv));
        }
        let mut terms = |answers: &[Answer]| {
            let term = |answer: &Answer| self.engine.move_term(role, answer.mv);
            answers.iter().map(term).collect::<Vec<_>>()
        };
        let named = match split.right.len() <= split.wrong.len() {
            true => Moves::Best(terms(&split.right)),
            false => Moves::Avoid(terms(&split.wrong)),
        };
        let slowest = split.right.iter().map(|answer| answer.own_moves).max();
        let refuted = split.wrong.iter().map(|answer| answer.own_moves).max();
        let refuted = refuted.unwrap_or(0);
        let roles = self.engine.roles();
        let class = match (roles.len(), split.simultaneous) {
            (1, _) => "puzzle".to_owned(),
            (3.., _) => "many-players".to_owned(),
            (_, true) => "simultaneous".to_owned(),
            _ if split.value < 100 || (refuted <= 1 && fastest > 1) => "defence".to_owned(),
            _ if fastest <= 3 => format!("win-in-{fastest}"),
            _ => "long-win".to_owned(),
        };
        let (seed, game, at) = (self.settings.seed, self.games, choices.len());
        Ok(Seen::Question(Box::new(Candidate {
            moves: moves.len(),
            right: split.right.len(),
            fastest,
            refuted,
            misleading: wrong as f64 / VIEWS as f64,
            position: Position {
                name: format!("seed-{seed}-game-{game}-choice-{at}"),
                about: String::new(),
                class,
                role: roles[role.0].clone(),
                place: Place::Play(choices.to_vec()),
                moves: named,
                forces: split.value,
                within: slowest,
                // The proof depends on the move order of the engine, so the limit has a reserve
                // of factor 4.
                states: (split.states * 4).max(1000).next_multiple_of(1000),
                playouts: None,
                seconds: None,
            },
        })))
    }
}

/// The result of examining a state for a role.
enum Seen {
    /// The limits were too small for a proof.
    Open,
    /// The moves give no question: too many are right, or the solution is too short.
    Nothing,
    Question(Box<Candidate>),
}

/// The moves of a state that force a value, and those that miss it.
struct Split {
    value: u8,
    right: Vec<Answer>,
    wrong: Vec<Answer>,
    states: u64,
    simultaneous: bool,
}

/// Divides the moves at the highest value that one of them forces.
fn split(
    solver: &mut Solver<'_>,
    state: &State,
    budget: &Budget,
) -> Result<Result<Split, Seen>, EngineError> {
    let mut value = 100;
    let upper = loop {
        let upper = solver.at_least(state, value, Reading::Conceded, budget)?;
        if open(&upper) {
            return Ok(Err(Seen::Open));
        }
        let bound = |answer: &Answer| match answer.verdict {
            Verdict::No(bound) => Some(bound),
            _ => None,
        };
        let bounds: Option<Vec<u8>> = upper.answers.iter().map(bound).collect();
        match bounds.and_then(|bounds| bounds.into_iter().max()) {
            Some(0) => return Ok(Err(Seen::Nothing)),
            Some(bound) => value = bound,
            None => break upper,
        }
    };
    let lower = match upper.simultaneous {
        true => solver.at_least(state, value, Reading::Guaranteed, budget)?,
        false => upper.clone(),
    };
    let right: Vec<Answer> = lower
        .answers
        .iter()
        .copied()
        .filter(|a| a.verdict.is_yes())
        .collect();
    let wrong: Vec<Answer> = upper
        .answers
        .iter()
        .copied()
        .filter(|a| a.verdict.is_no())
        .collect();
    if right.is_empty() || wrong.is_empty() || right.len() + wrong.len() < upper.answers.len() {
        return Ok(Err(Seen::Nothing));
    }
    Ok(Ok(Split {
        value,
        right,
        wrong,
        states: upper.states.max(lower.states),
        simultaneous: upper.simultaneous,
    }))
}

/// Whether a move is left unproved.
fn open(outcome: &Outcome) -> bool {
    let unknown = |answer: &Answer| answer.verdict == Verdict::Unknown;
    outcome.answers.is_empty() || outcome.answers.iter().any(unknown)
}
