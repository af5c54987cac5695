//! A naive player of ground games, and its comparison with golden traces.
//!
//! It evaluates all rules of a ground game in every state, slowly and simply.
#![allow(dead_code)]

use budget::Budget;
use game::{Engine, MoveId, RoleId, State};
use gdl_parse::GroundTerm;
use grounding::{AtomKind, GroundGame};
use petgraph::graph::{DiGraph, NodeIndex};
use proptest::prelude::TestCaseError;
use reasoner::Reasoner;
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// A ground game with its atoms in order of evaluation.
pub struct Evaluator<'a> {
    pub game: &'a GroundGame,
    /// The strongly connected components of the atoms, dependencies first.
    components: Vec<Vec<usize>>,
    rules_of: Vec<Vec<usize>>,
    fact_of: HashMap<&'a GroundTerm, usize>,
    move_of: Vec<HashMap<&'a GroundTerm, usize>>,
}

/// Everything that holds in a state.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    pub legals: Vec<Vec<String>>,
    pub next: Vec<String>,
    pub terminal: bool,
    pub goals: Vec<Vec<u8>>,
}

impl<'a> Evaluator<'a> {
    pub fn new(game: &'a GroundGame) -> Self {
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        for _ in &game.atoms {
            graph.add_node(());
        }
        let mut rules_of = vec![Vec::new(); game.atoms.len()];
        for (number, rule) in game.rules.iter().enumerate() {
            rules_of[rule.head.index()].push(number);
            for literal in &rule.body {
                graph.add_edge(
                    NodeIndex::new(rule.head.index()),
                    NodeIndex::new(literal.atom.index()),
                    (),
                );
            }
        }
        let components = petgraph::algo::kosaraju_scc(&graph)
            .into_iter()
            .map(|c| c.into_iter().map(NodeIndex::index).collect())
            .collect();
        Evaluator {
            game,
            components,
            rules_of,
            fact_of: game.facts.iter().zip(0..).collect(),
            move_of: game
                .moves
                .iter()
                .map(|moves| moves.iter().zip(0..).collect())
                .collect(),
        }
    }

    /// Evaluates a state, given its facts and moves as positions.
    pub fn outcome(&self, facts: &[usize], moves: &[Option<usize>]) -> Outcome {
        let game = self.game;
        let mut holds = vec![false; game.atoms.len()];
        for component in &self.components {
            loop {
                let mut changed = false;
                for &atom in component {
                    if holds[atom] {
                        continue;
                    }
                    let now = match game.atoms[atom] {
                        AtomKind::True { fact } => facts.contains(&(fact as usize)),
                        AtomKind::Does { role, mv } => {
                            moves.get(role as usize) == Some(&Some(mv as usize))
                        }
                        _ => self.rules_of[atom].iter().any(|&rule| {
                            let body = &game.rules[rule].body;
                            body.iter().all(|l| holds[l.atom.index()] != l.negated)
                        }),
                    };
                    holds[atom] = now;
                    changed |= now;
                }
                if !changed || component.len() == 1 {
                    break;
                }
            }
        }
        let mut outcome = Outcome {
            legals: vec![Vec::new(); game.roles.len()],
            next: Vec::new(),
            terminal: false,
            goals: vec![Vec::new(); game.roles.len()],
        };
        for (atom, kind) in game.atoms.iter().enumerate() {
            if !holds[atom] {
                continue;
            }
            match *kind {
                AtomKind::Legal { role, mv } => {
                    let text = game.moves[role as usize][mv as usize].to_string();
                    outcome.legals[role as usize].push(text);
                }
                AtomKind::Next { fact } => outcome.next.push(game.facts[fact as usize].to_string()),
                AtomKind::Terminal => outcome.terminal = true,
                AtomKind::Goal { role, value } => outcome.goals[role as usize].push(value),
                _ => {}
            }
        }
        outcome.legals.iter_mut().for_each(|l| l.sort());
        outcome.next.sort();
        outcome.goals.iter_mut().for_each(|g| g.sort_unstable());
        outcome
    }

    /// The positions of a state's facts. An error if some are unreachable or exclude each other.
    pub fn facts(&self, texts: &[String]) -> Result<Vec<usize>, String> {
        let facts = texts.iter().map(|text| {
            let term: GroundTerm = text.parse().map_err(|e| format!("{text}: {e}"))?;
            let fact = self.fact_of.get(&term);
            fact.copied().ok_or(format!("unreachable fact {text}"))
        });
        let facts: Vec<usize> = facts.collect::<Result<_, String>>()?;
        let mut holds = vec![false; self.game.facts.len()];
        facts.iter().for_each(|&fact| holds[fact] = true);
        for set in &self.game.exclusive {
            let held = set.iter().filter(|&&fact| holds[fact as usize]);
            let held: Vec<_> = held.map(|&fact| &self.game.facts[fact as usize]).collect();
            if let [first, second, ..] = held[..] {
                return Err(format!("{first} and {second} do not exclude each other"));
            }
        }
        Ok(facts)
    }

    pub fn joint_move(&self, texts: &[String]) -> Result<Vec<Option<usize>>, String> {
        texts
            .iter()
            .zip(&self.move_of)
            .map(|(text, moves)| {
                let term: GroundTerm = text.parse().map_err(|e| format!("{text}: {e}"))?;
                let mv = moves.get(&term).copied();
                mv.map(Some).ok_or(format!("unreachable move {text}"))
            })
            .collect()
    }
}

/// The terms of a list, sorted and printed as we print them (a trace may write `(f)` for `f`).
fn sorted(value: &serde_json::Value) -> Vec<String> {
    let mut texts: Vec<String> = strings(value)
        .iter()
        .map(|text| {
            let term = text.parse::<GroundTerm>();
            term.map_or_else(|_| text.clone(), |term| term.to_string())
        })
        .collect();
    texts.sort();
    texts
}

fn strings(value: &serde_json::Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items
        .map(|v| v.as_str().unwrap_or_default().to_owned())
        .collect()
}

/// Replays at most `limit` states of the trace. Returns the number of states compared.
pub fn replay(game: &GroundGame, trace: &Path, limit: usize) -> Result<usize, String> {
    let file = std::fs::File::open(trace).map_err(|e| e.to_string())?;
    let mut text = String::new();
    flate2::read::GzDecoder::new(file)
        .read_to_string(&mut text)
        .map_err(|e| e.to_string())?;
    let evaluator = Evaluator::new(game);
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).map_err(|e| e.to_string()))
        .collect::<Result<_, _>>()?;
    let roles: Vec<String> = game.roles.iter().map(ToString::to_string).collect();
    if strings(&lines[0]["roles"]) != roles {
        return Err(format!("roles are {roles:?}"));
    }
    let initial: Vec<usize> = game.initial.iter().map(|&f| f as usize).collect();
    let mut compared = 0;
    for (number, line) in lines.iter().enumerate().skip(1) {
        let Some(state) = line.get("state").map(strings) else {
            continue;
        };
        let at = |what: &str| format!("line {number}: {what}");
        let mut facts = evaluator.facts(&state).map_err(|e| at(&e))?;
        facts.sort_unstable();
        if line["ply"] == 0 && facts != initial {
            return Err(at("the initial state differs"));
        }
        if compared >= limit {
            continue;
        }
        compared += 1;
        let moves = match line.get("moves") {
            Some(moves) => evaluator.joint_move(&strings(moves)).map_err(|e| at(&e))?,
            None => Vec::new(),
        };
        let outcome = evaluator.outcome(&facts, &moves);
        if Some(outcome.terminal) != line["terminal"].as_bool() {
            return Err(at("terminality differs"));
        }
        if outcome.terminal {
            for (role, goal) in line["goals"].as_array().into_iter().flatten().enumerate() {
                let ours = &outcome.goals[role];
                if let Some(goal) = goal.as_u64()
                    && *ours != [goal as u8]
                {
                    return Err(at(&format!("goals are {ours:?}, not {goal}")));
                }
                if goal.is_null() && ours.len() == 1 {
                    return Err(at(&format!("goals are {ours:?}, not none or several")));
                }
            }
            continue;
        }
        for (role, legals) in line["legals"].as_array().into_iter().flatten().enumerate() {
            let expected = sorted(legals);
            if outcome.legals[role] != expected {
                return Err(at(&format!(
                    "legal moves of role {role} are {:?}, not {expected:?}",
                    outcome.legals[role]
                )));
            }
        }
        if let Some(next) = lines.get(number + 1).and_then(|l| l.get("state")) {
            let expected = sorted(next);
            if !moves.is_empty() && outcome.next != expected {
                return Err(at(&format!(
                    "the next state is {:?}, not {expected:?}",
                    outcome.next
                )));
            }
        }
    }
    Ok(compared)
}

fn texts(terms: impl IntoIterator<Item = impl ToString>) -> Vec<String> {
    let mut texts: Vec<String> = terms.into_iter().map(|t| t.to_string()).collect();
    texts.sort();
    texts
}

/// One of the two ways to ground a program.
pub type Ground =
    fn(&datalog::Program, &Budget) -> Result<grounding::Grounding, grounding::GroundError>;

/// Plays some steps of a game, one for each choice, and compares everything with the reasoner.
pub fn compare(text: &str, choices: &[u32], ground: Ground) -> Result<(), TestCaseError> {
    let fail = |what: String| TestCaseError::fail(format!("{what}\n{text}"));
    let parsed = gdl_parse::parse(text, &Default::default());
    let program = datalog::Program::from_sheet(&parsed.sheet);
    // Ample for games of this size. A run that needs more is a failure, not a hang.
    let budget = Budget::system()
        .with_memory(64 << 20)
        .with_timeout(Duration::from_secs(20));
    let grounding = ground(&program, &budget).map_err(|e| fail(e.to_string()))?;
    let evaluator = Evaluator::new(&grounding.game);
    let mut reasoner =
        Reasoner::from_program(&program, &budget).map_err(|e| fail(e.to_string()))?;
    let mut state = reasoner.initial();
    let mut next = State::default();
    for (step, &choice) in choices.iter().enumerate() {
        let facts = evaluator
            .facts(&texts(reasoner.facts(&state)))
            .map_err(|e| fail(format!("step {step}: {e}")))?;
        let mut joint: Vec<MoveId> = Vec::new();
        let mut legals = Vec::new();
        let mut goals = Vec::new();
        let error = |e: game::EngineError| fail(format!("step {step}: {e}"));
        for role in [RoleId(0), RoleId(1)] {
            let mut moves = Vec::new();
            reasoner.legal(&state, role, &mut moves).map_err(error)?;
            joint.push(moves[(choice as usize >> role.0) % moves.len()]);
            legals.push(texts(moves.iter().map(|&mv| reasoner.move_term(role, mv))));
            goals.push(reasoner.goal(&state, role).map_err(error)?);
        }
        let moves: Vec<String> = (0..2)
            .map(|role| reasoner.move_term(RoleId(role), joint[role]).to_string())
            .collect();
        let moves = evaluator
            .joint_move(&moves)
            .map_err(|e| fail(format!("step {step}: {e}")))?;
        let outcome = evaluator.outcome(&facts, &moves);
        reasoner.next(&state, &joint, &mut next).map_err(error)?;
        let single = |goals: &Vec<u8>| (goals.len() == 1).then(|| goals[0]);
        let ours = (
            outcome.terminal,
            outcome.legals,
            outcome.goals.iter().map(single).collect::<Vec<_>>(),
            outcome.next,
        );
        let terminal = reasoner.terminal(&state).map_err(error)?;
        let theirs = (terminal, legals, goals, texts(reasoner.facts(&next)));
        if ours != theirs {
            return Err(fail(format!(
                "step {step}:\n{ours:?}\nagainst the reasoner's\n{theirs:?}"
            )));
        }
        std::mem::swap(&mut state, &mut next);
    }
    Ok(())
}

/// Both ways to ground the rules agree with the reasoner. Returns the number of instances when
/// rules are looked at closely.
pub fn instances(text: &str) -> usize {
    let choices: Vec<u32> = (0..14).map(|step| step * 7 + step / 3).collect();
    for ground in [grounding::ground, grounding::ground_closely] {
        if let Err(problem) = compare(text, &choices, ground) {
            panic!("{problem}");
        }
    }
    let parsed = gdl_parse::parse(text, &Default::default());
    let program = datalog::Program::from_sheet(&parsed.sheet);
    let grounding = grounding::ground_closely(&program, &Budget::system());
    grounding
        .expect("the rules can be grounded")
        .report
        .instances
}
