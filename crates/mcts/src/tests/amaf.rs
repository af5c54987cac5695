//! Priors from final states of playouts, in a game where nothing else is known of moves.

use super::{MEMORY, choose, seeded};
use crate::graph::bytes_of;
use crate::{Config, Report, Search};
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, ScalarPlayouts, State};

/// A game of two roles that take one thing each in turn until none is left. The greater sum of
/// values wins.
///
/// The values depend on the first thing that was taken. So learnt values of states predict
/// little, and the final states that a node has counted predict much. The first word of a state
/// has a bit for each thing of the first role, the second word one for each thing of the second
/// role, the third word the bit of the thing that was taken first.
#[derive(Clone)]
struct Draft {
    roles: Vec<GroundTerm>,
    /// Whether all things have the same value.
    dull: bool,
}

const THINGS: u32 = 40;

impl Draft {
    fn new(dull: bool) -> Draft {
        Draft {
            roles: ["a", "b"].map(GroundTerm::constant).into(),
            dull,
        }
    }

    fn taken(&self, state: &State) -> u64 {
        state.words()[0] | state.words()[1]
    }

    fn turn(&self, state: &State) -> usize {
        self.taken(state).count_ones() as usize % 2
    }

    fn sum(&self, things: u64, first: u64) -> u32 {
        if self.dull {
            return things.count_ones();
        }
        let times = 7 * (1 + first.trailing_zeros());
        let worth = (0..THINGS).filter(|thing| things >> thing & 1 == 1);
        worth.map(|thing| (1 + thing) * times % 41).sum()
    }
}

impl Engine for Draft {
    fn name(&self) -> &'static str {
        "draft"
    }

    fn roles(&self) -> &[GroundTerm] {
        &self.roles
    }

    fn initial(&self) -> State {
        State::from_words(vec![0, 0, 0])
    }

    fn terminal(&mut self, state: &State) -> Result<bool, EngineError> {
        Ok(self.taken(state).count_ones() == THINGS)
    }

    fn legal(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), EngineError> {
        moves.clear();
        if role.0 != self.turn(state) {
            moves.push(MoveId(THINGS));
            return Ok(());
        }
        let taken = self.taken(state);
        let free = (0..THINGS).filter(|thing| taken >> thing & 1 == 0);
        moves.extend(free.map(MoveId));
        Ok(())
    }

    fn next(
        &mut self,
        state: &State,
        joint: &[MoveId],
        next: &mut State,
    ) -> Result<(), EngineError> {
        let turn = self.turn(state);
        next.clone_from(state);
        let thing = 1 << joint[turn].0;
        if self.taken(state) == 0 {
            next.words_mut()[2] = thing;
        }
        next.words_mut()[turn] |= thing;
        Ok(())
    }

    fn goal(&mut self, state: &State, role: RoleId) -> Result<Option<u8>, EngineError> {
        let [one, two, first] = *state.words() else {
            return Ok(None);
        };
        let sums = [one, two].map(|things| self.sum(things, first));
        let (own, other) = (sums[role.0], sums[1 - role.0]);
        Ok(Some(match own.cmp(&other) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 50,
            std::cmp::Ordering::Greater => 100,
        }))
    }

    fn facts(&mut self, _: &State) -> Vec<GroundTerm> {
        Vec::new()
    }

    fn state_of(&mut self, _: &[GroundTerm]) -> Result<State, EngineError> {
        Err(EngineError::Rules("nobody asks".into()))
    }

    fn move_term(&mut self, _: RoleId, _: MoveId) -> GroundTerm {
        GroundTerm::constant("take")
    }

    fn find_move(&mut self, _: RoleId, _: &GroundTerm) -> Option<MoveId> {
        None
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }

    fn bits(&self, state: &State, bits: &mut State) -> bool {
        bits.clone_from(state);
        true
    }
}

/// A search that learns, and its report on the initial state.
fn draft(memory: usize, playouts: u64, config: Config) -> (Report, Search) {
    search(Draft::new(false), memory, playouts, config)
}

fn search(game: Draft, memory: usize, playouts: u64, mut config: Config) -> (Report, Search) {
    config.learning.visits = 4.0;
    let initial = game.initial();
    let plain = ScalarPlayouts::new(game.fork(), 3, 1000);
    let search = seeded(game.fork(), Box::new(plain), memory);
    let mut search = search.config(config).build();
    let report = choose(&mut search, &initial, playouts);
    (report, search)
}

fn with_amaf() -> Config {
    let mut config = super::batches();
    config.amaf.on = true;
    config
}

#[test]
fn final_states_predict_what_moves_change() {
    let (report, search) = draft(MEMORY, 200_000, with_amaf());
    let added = report.by_ends.expect("there were many");
    // Two searches, one with and one without, would predict other moves.
    assert!(added > 0.05, "{added}");
    let (graph, root) = search.root().expect("there is a root");
    let root = graph.get(root).expect("it is there");
    let ends = root.tally.as_deref().expect("it had many playouts");
    assert!(ends.finished > 10_000);
    // Every thing is taken in the end.
    let counts = &ends.ends.counts;
    for thing in 0..THINGS as usize {
        assert_eq!(u64::from(counts[thing] + counts[64 + thing]), ends.finished);
    }
    let (report, search) = draft(MEMORY, 200_000, super::batches());
    assert_eq!(report.by_ends, Some(0.0));
    let (graph, root) = search.root().expect("there is a root");
    assert!(graph.get(root).expect("it is there").tally.is_none());
}

#[test]
fn useless_final_states_are_soon_ignored() {
    let (report, search) = search(Draft::new(true), MEMORY, 200_000, with_amaf());
    let (graph, root) = search.root().expect("there is a root");
    let root = graph.get(root).expect("it is there");
    let ends = root.tally.as_deref().expect("they were asked for at first");
    assert!(ends.finished * 2 < report.playouts, "{}", ends.finished);
}

#[test]
fn statistics_of_final_states_count_as_memory() {
    let memory = 1 << 20;
    let (_, search) = draft(memory, 100_000, with_amaf());
    let (graph, _) = search.root().expect("there is a root");
    let (mut sum, mut ends) = (0, 0);
    for node in graph.all() {
        sum += bytes_of(&node);
        ends += usize::from(node.tally.is_some());
    }
    assert!(ends > 10, "{ends}");
    assert_eq!(sum, graph.bytes());
    assert!(sum <= memory, "{sum}");
}
