//! The states of a puzzle, many at a time.

use crate::found::ROLE;
use budget::Budget;
use game::{Engine, EngineError, MoveId, State};
use lanes::{Ask, AskGoals, Children, Expander, Pair};

/// The children of some states.
#[derive(Default)]
pub(crate) struct Brood {
    words: usize,
    states: Vec<u64>,
    /// For each child, the position of its parent.
    pub parents: Vec<u32>,
    /// For each child, the move that leads to it.
    pub moves: Vec<MoveId>,
    /// For each child, whether play is over.
    pub over: Vec<bool>,
    /// For each child where play is over, its result.
    pub results: Vec<Option<u8>>,
}

impl Brood {
    fn clear(&mut self, words: usize) {
        self.words = words;
        self.states.clear();
        self.parents.clear();
        self.moves.clear();
        self.over.clear();
        self.results.clear();
    }

    /// The number of children.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// The words of a child.
    pub fn state(&self, child: usize) -> &[u64] {
        &self.states[child * self.words..][..self.words]
    }
}

/// Generates the children of states. States that are terminal have none.
pub(crate) trait Space: Send {
    /// Replaces `brood` by all children of the states, none of which is terminal.
    fn expand(
        &mut self,
        states: &[State],
        brood: &mut Brood,
        budget: &Budget,
    ) -> Result<(), EngineError>;

    /// A second space for another method.
    fn fork(&self) -> Box<dyn Space>;
}

/// The space of a compiled game, in lanes. A state has a bit for each fact, and a
/// move is its position in the vocabulary.
pub(crate) struct InLanes {
    expander: Expander<4>,
    looked: Children,
    made: Children,
}

impl InLanes {
    pub fn new(expander: Expander<4>) -> InLanes {
        InLanes {
            expander,
            looked: Children::default(),
            made: Children::default(),
        }
    }
}

impl Space for InLanes {
    fn expand(
        &mut self,
        states: &[State],
        brood: &mut Brood,
        budget: &Budget,
    ) -> Result<(), EngineError> {
        let words = states.first().map_or(0, |state| state.words().len());
        brood.clear(words);
        let all: Vec<&State> = states.iter().collect();
        let legal = Ask {
            legal: true,
            goals: AskGoals::Never,
        };
        (self.expander).examine(&all, legal, &mut self.looked, budget)?;
        for parent in 0..states.len() {
            for &mv in self.looked.legal(parent, ROLE.0) {
                brood.parents.push(parent as u32);
                brood.moves.push(mv);
            }
        }
        let both = brood.parents.iter().zip(&brood.moves);
        let pairs: Vec<Pair<'_>> = both
            .map(|(&parent, mv)| Pair {
                state: &states[parent as usize],
                joint: std::slice::from_ref(mv),
            })
            .collect();
        let ends = Ask {
            legal: false,
            goals: AskGoals::Terminal,
        };
        (self.expander).expand(&pairs, ends, &mut self.made, budget)?;
        for child in 0..brood.parents.len() {
            let over = self.made.terminal(child);
            brood.states.extend_from_slice(self.made.state(child));
            brood.over.push(over);
            let result = self.made.goals(child)[ROLE.0];
            brood.results.push(result.filter(|_| over));
        }
        Ok(())
    }

    fn fork(&self) -> Box<dyn Space> {
        Box::new(InLanes::new(self.expander.fork()))
    }
}

/// The space of a game that only an engine knows, in states and moves of the engine.
pub(crate) struct ByEngine {
    pub engine: Box<dyn Engine>,
}

impl Space for ByEngine {
    fn expand(
        &mut self,
        states: &[State],
        brood: &mut Brood,
        budget: &Budget,
    ) -> Result<(), EngineError> {
        brood.clear(states.first().map_or(0, |state| state.words().len()));
        self.engine.set_budget(budget);
        let (mut moves, mut next) = (Vec::new(), State::default());
        for (parent, state) in (0..).zip(states) {
            budget.check()?;
            self.engine.legal(state, ROLE, &mut moves)?;
            for &mv in &moves {
                self.engine.next(state, &[mv], &mut next)?;
                let over = self.engine.terminal(&next)?;
                let result = match over {
                    true => self.engine.goal(&next, ROLE)?,
                    false => None,
                };
                if next.words().len() != brood.words {
                    let why = "states of different sizes cannot be kept in one array";
                    return Err(EngineError::Rules(why.into()));
                }
                brood.states.extend_from_slice(next.words());
                brood.parents.push(parent);
                brood.moves.push(mv);
                brood.over.push(over);
                brood.results.push(result);
            }
        }
        Ok(())
    }

    fn fork(&self) -> Box<dyn Space> {
        Box::new(ByEngine {
            engine: self.engine.fork(),
        })
    }
}
