//! Games in lockstep, and what is learnt from them.

use crate::Config;
use crate::alarm::{Alarm, Health};
use crate::game::{Game, Record};
use budget::Budget;
use game::{EngineError, MoveId, State};
use heuristics::{
    CERTAIN, Evaluator, Features, Outputs, Reference, Value, Weights, logistic, to_logits,
    to_target,
};
use lanes::{Ask, AskGoals, Children, Expander, Pair};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// What a learner has done so far.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Progress {
    /// Games that were learnt from.
    pub games: u64,
    /// Games that were cut, because they were too long or a role had no move.
    pub cut: u64,
    /// States that were learnt.
    pub examples: u64,
    /// Successors that were evaluated.
    pub successors: u64,
    /// The mean result of the first role in late games, 0 to 1.
    pub result: f64,
    /// How often weights diverged, and the last sound ones were taken instead.
    pub alarms: u32,
}

/// A game of the learner that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// The states in which somebody chose, in order. The random plies that the game began with
    /// are left out.
    pub states: Vec<State>,
    /// The result of each role, if it has one.
    pub goals: Vec<Option<u8>>,
}

/// Learns by playing against itself.
pub struct Learner {
    config: Config,
    outputs: Outputs,
    weights: Weights,
    evaluator: Evaluator,
    expander: Expander<4>,
    initial: State,
    games: Vec<Game>,
    rng: Xoshiro256PlusPlus,
    alarm: Alarm,
    progress: Progress,
    /// The reference of states that are learnt.
    reference: Reference,
    tries: Tries,
    /// The games that have ended since they were last taken, if they are kept.
    ended: Option<Vec<Ended>>,
    /// Scratch space.
    looks: Children,
    children: Children,
    values: Vec<f32>,
}

/// What is tried in one round: joint moves of all games, in order.
#[derive(Default)]
struct Tries {
    /// The joint moves, one after the other.
    joints: Vec<MoveId>,
    /// The game of each joint move.
    game: Vec<usize>,
    /// What each game tries.
    plans: Vec<Plan>,
}

/// What a game tries in a round.
#[derive(Debug, Clone, PartialEq)]
enum Plan {
    /// Nothing: it has just ended.
    Wait,
    /// One joint move, whatever it is worth.
    Play { first: usize },
    /// The moves of one role.
    Turn {
        role: usize,
        first: usize,
        count: usize,
    },
    /// For each role the moves that it tries, each with some joint moves of the others.
    Together { roles: Vec<Row> },
}

/// The moves of a role where several choose: `count` moves, `replies` joint moves for each.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    first: usize,
    count: usize,
    replies: usize,
}

impl Learner {
    /// A learner that has learnt nothing. `expander` makes the moves, `initial` is the initial
    /// state as a bit for each fact.
    pub fn new(
        expander: Expander<4>,
        initial: State,
        features: Arc<Features>,
        outputs: Outputs,
        seed: u64,
        config: Config,
    ) -> Learner {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut games: Vec<Game> = Vec::new();
        games.resize_with(config.games.max(1), || Game::new(&features));
        for game in &mut games {
            game.restart(&initial, rng.random_range(0..=config.opening));
        }
        Learner {
            weights: Weights::new(&features, outputs.count()),
            reference: Reference::new(&features),
            evaluator: Evaluator::new(features),
            alarm: Alarm::default(),
            progress: Progress::default(),
            tries: Tries::default(),
            ended: None,
            looks: Children::default(),
            children: Children::default(),
            values: Vec::new(),
            config,
            outputs,
            expander,
            initial,
            games,
            rng,
        }
    }

    /// Continues from weights that were learnt before, of the same features and outputs.
    pub fn resume(&mut self, weights: Weights) {
        if weights.outputs() == self.weights.outputs() {
            self.weights = weights;
        }
    }

    /// What was learnt so far.
    pub fn value(&self) -> Value {
        Value {
            features: self.evaluator.features().clone(),
            weights: Arc::new(self.weights.clone()),
            outputs: self.outputs,
        }
    }

    /// The features.
    pub fn features(&self) -> &Arc<Features> {
        self.evaluator.features()
    }

    /// What was done so far.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Keeps the games that end from now on, until [`Learner::ended`] takes them.
    pub fn keep_games(&mut self) {
        self.ended = Some(Vec::new());
    }

    /// Takes the games that have ended and were kept.
    pub fn ended(&mut self) -> Vec<Ended> {
        self.ended.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Plays until there are `games` more games, or the budget ends. Games end in rounds, so that
    /// there may be some more, one less than are played in lockstep at most.
    ///
    /// # Errors
    /// If the rules could not be evaluated.
    pub fn learn(&mut self, games: u64, budget: &Budget) -> Result<Progress, EngineError> {
        let most = self.progress.games.saturating_add(games);
        while self.progress.games < most && budget.check().is_ok() {
            match self.round(budget) {
                Ok(()) => {}
                Err(EngineError::Exhausted(_)) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(self.progress)
    }

    /// Plays one ply of all games.
    fn round(&mut self, budget: &Budget) -> Result<(), EngineError> {
        let states: Vec<&State> = self.games.iter().map(|game| &game.state).collect();
        let ask = Ask {
            legal: true,
            goals: AskGoals::Terminal,
        };
        self.expander
            .examine(&states, ask, &mut self.looks, budget)?;
        self.plan();
        self.expand(budget)?;
        let mut together = Vec::new();
        for number in 0..self.games.len() {
            match self.tries.plans[number].clone() {
                Plan::Wait => {}
                Plan::Play { first } => self.advance(number, first),
                Plan::Turn { role, first, count } => self.turn(number, role, first, count),
                Plan::Together { roles } => together.push((number, self.choose(number, &roles))),
            }
        }
        if !together.is_empty() {
            self.play_together(&together, budget)?;
        }
        Ok(())
    }

    /// Learns from games that have ended, and plans what the others try.
    fn plan(&mut self) {
        self.tries.joints.clear();
        self.tries.game.clear();
        self.tries.plans.clear();
        for number in 0..self.games.len() {
            let plan = self.plan_of(number);
            self.tries.plans.push(plan);
        }
    }

    fn plan_of(&mut self, number: usize) -> Plan {
        if self.looks.terminal(number) {
            self.finish(number);
            return Plan::Wait;
        }
        let roles = self.looks.goals(number).len();
        let counts: Vec<usize> = (0..roles)
            .map(|role| self.looks.legal(number, role).len())
            .collect();
        let game = &mut self.games[number];
        if counts.contains(&0) || game.plies >= self.config.length {
            self.progress.cut += 1;
            self.restart(number);
            return Plan::Wait;
        }
        let choosing: Vec<usize> = (0..roles).filter(|&role| counts[role] > 1).collect();
        let first = self.tries.game.len();
        if game.opening > 0 || choosing.is_empty() {
            if !choosing.is_empty() {
                game.opening -= 1;
            }
            self.push_random(number, None);
            return Plan::Play { first };
        }
        if let [role] = choosing[..] {
            let moves = self.moves(number, role);
            let count = moves.len();
            for mv in moves {
                self.push_random(number, Some((role, mv)));
            }
            return Plan::Turn { role, first, count };
        }
        let mut rows = Vec::new();
        for role in 0..roles {
            let (first, moves) = (self.tries.game.len(), self.moves(number, role));
            let count = moves.len();
            let replies = if count > 1 {
                self.config.replies.max(1)
            } else {
                0
            };
            for &mv in &moves {
                for _ in 0..replies {
                    self.push_random(number, Some((role, mv)));
                }
            }
            rows.push(Row {
                first,
                count,
                replies,
            });
        }
        Plan::Together { roles: rows }
    }

    /// The moves of a role that are tried: all legal ones, or some if there are too many.
    fn moves(&mut self, number: usize, role: usize) -> Vec<MoveId> {
        let mut moves = self.looks.legal(number, role).to_vec();
        let most = self.config.moves.max(1);
        if moves.len() > most {
            for at in 0..most {
                let other = self.rng.random_range(at..moves.len());
                moves.swap(at, other);
            }
            moves.truncate(most);
        }
        moves
    }

    /// Adds a joint move: the given one of a role, random ones of the others.
    fn push_random(&mut self, number: usize, given: Option<(usize, MoveId)>) {
        for role in 0..self.looks.goals(number).len() {
            let mv = match given {
                Some((own, mv)) if own == role => mv,
                _ => match self.looks.legal(number, role) {
                    [only] => *only,
                    moves => moves[self.rng.random_range(0..moves.len())],
                },
            };
            self.tries.joints.push(mv);
        }
        self.tries.game.push(number);
    }

    /// Expands everything that is tried.
    fn expand(&mut self, budget: &Budget) -> Result<(), EngineError> {
        let roles = self.tries.joints.len() / self.tries.game.len().max(1);
        let joints = self.tries.joints.chunks(roles.max(1));
        let pairs = self.tries.game.iter().zip(joints);
        let pairs: Vec<Pair<'_>> = pairs
            .map(|(&game, joint)| Pair {
                state: &self.games[game].state,
                joint,
            })
            .collect();
        let ask = Ask {
            legal: false,
            goals: AskGoals::Terminal,
        };
        self.expander
            .expand(&pairs, ask, &mut self.children, budget)
    }

    /// Makes a child the state of a game.
    fn advance(&mut self, number: usize, child: usize) {
        let game = &mut self.games[number];
        let words = game.state.words_mut();
        words.clear();
        words.extend_from_slice(self.children.state(child));
        game.plies += 1;
    }

    /// The values of a child for all outputs, in logits, are added to `values`.
    fn evaluate(&mut self, number: usize, child: usize) {
        if self.children.terminal(child) {
            let begin = self.values.len();
            self.outputs
                .targets(self.children.goals(child), &mut self.values);
            self.values[begin..]
                .iter_mut()
                .for_each(|value| *value = to_logits(*value));
            return;
        }
        let reference = &mut self.games[number].reference;
        let state = self.children.state(child);
        self.evaluator
            .values(reference, &self.weights, state, &mut self.values);
    }

    /// Plays the best move of a role, or a random one now and then.
    fn turn(&mut self, number: usize, role: usize, first: usize, count: usize) {
        let outputs = self.outputs.count();
        let game = &mut self.games[number];
        self.evaluator.set(&mut game.reference, game.state.words());
        self.values.clear();
        let (mut best, mut most) = (0, f32::MIN);
        for at in 0..count {
            self.evaluate(number, first + at);
            let values = &self.values[at * outputs..];
            let worth = self.outputs.worth(values, role);
            if worth > most || worth == most && self.rng.random_bool(0.5) {
                (best, most) = (at, worth);
            }
        }
        self.progress.successors += count as u64;
        let mut chosen = best;
        let explores = self.rng.random::<f32>() < self.config.exploration;
        if explores && most < CERTAIN {
            chosen = self.rng.random_range(0..count);
        }
        let best_values = best * outputs..(best + 1) * outputs;
        self.record(number, best_values, chosen == best);
        self.advance(number, first + chosen);
    }

    /// Records the state of a game, with the values at `best` as its target.
    fn record(&mut self, number: usize, best: std::ops::Range<usize>, greedy: bool) {
        let game = &mut self.games[number];
        game.records.push(Record {
            state: game.state.clone(),
            greedy,
        });
        let values = self.values[best].iter();
        game.best.extend(values.map(|&value| to_target(value)));
    }

    /// Chooses a move of each role by the mean value over some moves of the others. Returns the
    /// joint move, and whether all of it is the best.
    fn choose(&mut self, number: usize, rows: &[Row]) -> (Vec<MoveId>, bool) {
        let (outputs, roles) = (self.outputs.count(), rows.len());
        let game = &mut self.games[number];
        self.evaluator.set(&mut game.reference, game.state.words());
        let (mut joint, mut greedy) = (Vec::with_capacity(roles), true);
        for (role, row) in rows.iter().enumerate() {
            if row.count == 1 {
                joint.push(self.looks.legal(number, role)[0]);
                continue;
            }
            let (mut best, mut most) = (0, f32::MIN);
            for at in 0..row.count {
                self.values.clear();
                for reply in 0..row.replies {
                    self.evaluate(number, row.first + at * row.replies + reply);
                }
                let replies = self.values.chunks(outputs);
                let worth: f32 = replies
                    .map(|values| logistic(self.outputs.worth(values, role)))
                    .sum();
                if worth > most || worth == most && self.rng.random_bool(0.5) {
                    (best, most) = (at, worth);
                }
            }
            self.progress.successors += (row.count * row.replies) as u64;
            let mut chosen = best;
            if self.rng.random::<f32>() < self.config.exploration {
                chosen = self.rng.random_range(0..row.count);
                greedy &= chosen == best;
            }
            let at = (row.first + chosen * row.replies) * roles + role;
            joint.push(self.tries.joints[at]);
        }
        (joint, greedy)
    }

    /// Plays the joint moves of games in which several roles chose.
    fn play_together(
        &mut self,
        chosen: &[(usize, (Vec<MoveId>, bool))],
        budget: &Budget,
    ) -> Result<(), EngineError> {
        self.tries.joints.clear();
        self.tries.game.clear();
        for (number, (joint, _)) in chosen {
            self.tries.game.push(*number);
            self.tries.joints.extend(joint);
        }
        self.expand(budget)?;
        for (child, (number, (_, greedy))) in chosen.iter().enumerate() {
            self.values.clear();
            self.evaluate(*number, child);
            self.record(*number, 0..self.outputs.count(), *greedy);
            self.advance(*number, child);
        }
        Ok(())
    }

    /// Learns from a game that has ended, and begins another one.
    fn finish(&mut self, number: usize) {
        let outputs = self.outputs.count();
        let mut targets = Vec::with_capacity(outputs);
        self.outputs.targets(self.looks.goals(number), &mut targets);
        let result = targets[0];
        let game = &self.games[number];
        for (at, record) in game.records.iter().enumerate().rev() {
            let best = &game.best[at * outputs..][..outputs];
            for (target, &best) in targets.iter_mut().zip(best) {
                let kept = if record.greedy {
                    self.config.lambda
                } else {
                    0.0
                };
                *target = best + kept * (*target - best);
            }
            let state = record.state.words();
            self.evaluator.set(&mut self.reference, state);
            let alpha = self.config.alpha;
            let error =
                self.weights
                    .learn(&mut self.evaluator, &mut self.reference, &targets, alpha);
            self.alarm.note(targets[0] - error, result);
        }
        if let Some(ended) = &mut self.ended {
            let states = game.records.iter().map(|record| record.state.clone());
            ended.push(Ended {
                states: states.collect(),
                goals: self.looks.goals(number).to_vec(),
            });
        }
        self.progress.games += 1;
        self.progress.examples += game.records.len() as u64;
        self.progress.result = self.alarm.end_of_game(result);
        self.restart(number);
        match self.alarm.check(&self.weights) {
            Health::Sound => {}
            Health::Diverged(weights) => {
                self.weights = weights;
                self.config.alpha /= 2.0;
                self.progress.alarms += 1;
            }
            Health::Collapsed => {
                self.config.opening = (self.config.opening * 2).min(32);
            }
        }
    }

    fn restart(&mut self, number: usize) {
        let opening = self.rng.random_range(0..=self.config.opening);
        self.games[number].restart(&self.initial, opening);
    }
}
