//! Learns a game in two ways, and lets what was learnt play against each other:
//! `compare FILE SECONDS SEEDS MATCHES WAY WAY`, a way being `default` or a list of kinds of
//! features to leave out and of settings, such as `no-symmetric,lambda=0.9`.
//!
//! For each seed both learn for so many seconds, in turns, and play so many matches that look one
//! ply ahead, in both seats after random openings. The games have two roles that take turns.
//! Prints a line: game, seconds, both ways, learners, the percent of the points that the first
//! way makes, their standard error over learners, and the games of self-play of both.

use analysis::boards::Boards;
use analysis::sums::proved_sum;
use budget::Budget;
use compile::Proved;
use features::Kinds;
use game::{MoveId, State};
use heuristics::{Evaluator, Reference, Value, to_logits};
use lanes::{Ask, AskGoals, Children, Expander};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use selfplay::{Config, Learner};
use std::time::Duration;

type Failed = Box<dyn std::error::Error>;

/// Parts of the time that the two learn in turns.
const TURNS: u32 = 10;
/// Random plies before a match, at least and at most; the part of random moves after them.
const OPENING: [u32; 2] = [2, 7];
const RANDOM: f32 = 0.03;
/// Plies after which a match is a draw.
const LENGTH: usize = 600;

/// The features and the settings of a way to learn.
fn way(text: &str) -> Result<(Kinds, Config), Failed> {
    let (mut kinds, mut config) = (Kinds::default(), Config::default());
    for word in text.split(',') {
        match word.split_once('=') {
            Some(("lambda", value)) => config.lambda = value.parse()?,
            Some(("alpha", value)) => config.alpha = value.parse()?,
            Some(("exploration", value)) => config.exploration = value.parse()?,
            Some(("opening", value)) => config.opening = value.parse()?,
            Some(("games", value)) => config.games = value.parse()?,
            None if word == "default" => {}
            None if word == "no-pairs" => kinds.pairs = false,
            None if word == "no-local" => kinds.local = false,
            None if word == "no-shapes" => kinds.shapes = false,
            None if word == "no-symmetric" => kinds.symmetric = false,
            _ => return Err(format!("there is no {word}").into()),
        }
    }
    Ok((kinds, config))
}

fn main() -> Result<(), Failed> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, file, seconds, seeds, matches, one, other] = &arguments[..] else {
        return Err("usage: compare FILE SECONDS SEEDS MATCHES WAY WAY".into());
    };
    let (seconds, seeds, matches): (f64, u64, u32) =
        (seconds.parse()?, seeds.parse()?, matches.parse()?);
    let budget = Budget::system();
    let compiled = compile::compile(&std::fs::read_to_string(file)?, &budget)?;
    let within = budget.clone().with_timeout(Duration::from_secs(5));
    let proved = Proved::find(compiled.into(), 1, &within);
    let logic = &proved.compiled.logic;
    let within = budget.clone().with_timeout(Duration::from_secs(5));
    let boards = Boards::find(logic, &proved.groups, 1, &within);
    let opposed = proved_sum(logic, &proved.groups, 1, &within) == Some(100);
    let mut initial = vec![0; logic.facts.len().div_ceil(64)];
    for &fact in &logic.words.initial {
        initial[fact as usize / 64] |= 1 << (fact % 64);
    }
    let mut arena = Arena {
        expander: prepare::expander(&proved, &budget),
        initial: State::from_words(initial),
        joints: Vec::new(),
        children: Children::default(),
    };
    let (mut scores, mut games) = (Vec::new(), [0; 2]);
    for seed in 1..=seeds {
        let mut learners: Vec<Learner> = Vec::new();
        for (kinds, config) in [way(one)?, way(other)?] {
            let within = budget.clone().with_timeout(Duration::from_secs(20));
            let made =
                prepare::learner_on(&proved, &boards, opposed, kinds, config, seed, &within)?;
            learners.push(made.0);
        }
        for _ in 0..TURNS {
            for learner in &mut learners {
                let turn = Duration::from_secs_f64(seconds) / TURNS;
                learner.learn(u64::MAX, &budget.clone().with_timeout(turn))?;
            }
        }
        for (games, learner) in games.iter_mut().zip(&learners) {
            *games += learner.progress().games;
        }
        let mut players: Vec<Player> = learners.iter().map(Player::new).collect();
        scores.push(arena.matches(&mut players, matches.div_ceil(2), seed)?);
    }
    let count = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / count;
    let squares = scores.iter().map(|score| (score - mean).powi(2));
    let error = (squares.sum::<f64>() / (count * (count - 1.0))).sqrt();
    let name = file.rsplit('/').next().unwrap_or(file);
    println!(
        "{name},{seconds},{one},{other},{seeds},{:.1},{:.1},{},{}",
        100.0 * mean,
        100.0 * error,
        games[0],
        games[1]
    );
    Ok(())
}

/// What was learnt, as a player.
struct Player {
    value: Value,
    evaluator: Evaluator,
    reference: Reference,
}

impl Player {
    fn new(learner: &Learner) -> Player {
        let value = learner.value();
        Player {
            evaluator: Evaluator::new(value.features.clone()),
            reference: Reference::new(&value.features),
            value,
        }
    }

    /// The child that is worth most for a role.
    fn choose(&mut self, state: &State, children: &Children, role: usize) -> usize {
        self.evaluator.set(&mut self.reference, state.words());
        let mut worths = (0..children.len()).map(|child| {
            let mut values = Vec::new();
            let outputs = self.value.outputs;
            if children.terminal(child) {
                outputs.targets(children.goals(child), &mut values);
                values.iter_mut().for_each(|one| *one = to_logits(*one));
            } else {
                let (reference, state) = (&mut self.reference, children.state(child));
                let weights = &self.value.weights;
                self.evaluator
                    .values(reference, weights, state, &mut values);
            }
            outputs.worth(&values, role)
        });
        let worths: Vec<f32> = worths.by_ref().collect();
        let best = (0..worths.len()).max_by(|&a, &b| worths[a].total_cmp(&worths[b]));
        best.unwrap_or(0)
    }
}

/// Where matches are played.
struct Arena {
    expander: Expander<4>,
    initial: State,
    joints: Vec<MoveId>,
    children: Children,
}

impl Arena {
    /// The part of the points that the first of two players makes, in so many pairs of matches.
    fn matches(&mut self, players: &mut [Player], pairs: u32, seed: u64) -> Result<f64, Failed> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut points = 0.0;
        for _ in 0..pairs {
            let opening: u64 = rng.random();
            for seat in 0..2 {
                points += self.play(players, seat, opening)? / 2.0;
            }
        }
        Ok(points / f64::from(pairs))
    }

    /// The points of the first player in one match, which has this seat.
    fn play(&mut self, players: &mut [Player], seat: usize, seed: u64) -> Result<f64, Failed> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut opening = rng.random_range(OPENING[0]..=OPENING[1]);
        let mut state = self.initial.clone();
        let ask = Ask {
            legal: false,
            goals: AskGoals::Terminal,
        };
        for _ in 0..LENGTH {
            let (joints, children) = (&mut self.joints, &mut self.children);
            self.expander
                .children(&state, ask, joints, children, &Budget::system())?;
            let count = children.len();
            let child = match count {
                0 => break,
                1 => 0,
                _ if opening > 0 || rng.random::<f32>() < RANDOM => {
                    opening = opening.saturating_sub(1);
                    rng.random_range(0..count)
                }
                _ => {
                    let role = usize::from(joints[0] == joints[2]);
                    players[usize::from(role != seat)].choose(&state, children, role)
                }
            };
            if children.terminal(child) {
                let [own, other] = [seat, 1 - seat].map(|role| children.goals(child)[role]);
                return Ok(match own.cmp(&other) {
                    std::cmp::Ordering::Greater => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Less => 0.0,
                });
            }
            state = State::from_words(children.state(child).to_vec());
        }
        Ok(0.5)
    }
}
