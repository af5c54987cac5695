//! The control facts, which no move changes, played by themselves.

use super::relieved::Relieved;
use super::samples::Snapshot;
use budget::{Budget, Exhausted};
use netlist::{Gate, Source};

/// The states of the control facts in order of play, from the initial state on.
///
/// They are stored in words of 64 states, one per input of the netlist. The sequence stops
/// before a state repeats, or after some hundreds.
pub(super) struct Control {
    /// The words, as one snapshot per 64 states.
    pub words: Vec<Snapshot>,
    /// The number of states.
    pub states: usize,
    /// Whether these are all states.
    pub complete: bool,
}

/// Maximum number of control states.
const CONTROL_STATES: usize = 512;

impl Control {
    /// Plays the control facts. `None` if they depend on recursive rules.
    pub fn new(game: &Relieved, budget: &Budget) -> Result<Option<Control>, Exhausted> {
        let logic = &game.logic;
        let fixed = || (0..logic.facts.len()).filter(|&fact| !game.moved[fact]);
        let (cone, recursive) = logic.reach(fixed().map(|fact| logic.next[fact]));
        if recursive {
            return Ok(None);
        }
        let mut now = vec![0u64; logic.net.inputs()];
        let mut input_of = vec![usize::MAX; logic.facts.len()];
        for (number, source) in logic.sources.iter().enumerate() {
            if let Source::Fact(fact) = *source {
                input_of[fact as usize] = number;
                let holds = logic.words.initial.binary_search(&fact).is_ok();
                now[number] = u64::from(holds && !game.moved[fact as usize]);
            }
        }
        let order: Vec<usize> = (0..logic.net.len()).filter(|&node| cone[node]).collect();
        let mut values = vec![0u64; logic.net.len()];
        let mut seen = rustc_hash::FxHashSet::default();
        let mut words: Vec<Snapshot> = Vec::new();
        let mut states = 0;
        while states < CONTROL_STATES && seen.insert(now.clone()) {
            budget.check()?;
            if states % 64 == 0 {
                words.push(vec![0; now.len()]);
            }
            if let Some(last) = words.last_mut() {
                for (word, &bit) in last.iter_mut().zip(&now) {
                    *word |= bit << (states % 64);
                }
            }
            states += 1;
            for &node in &order {
                values[node] = match logic.net.gate(node) {
                    Gate::False => 0,
                    Gate::Input(number) => now[number as usize],
                    Gate::And(a, b) => netlist::word(&values, a) & netlist::word(&values, b),
                    Gate::Xor(a, b) => netlist::word(&values, a) ^ netlist::word(&values, b),
                };
            }
            for fact in fixed() {
                if input_of[fact] != usize::MAX {
                    now[input_of[fact]] = netlist::word(&values, logic.next[fact]) & 1;
                }
            }
        }
        let complete = seen.contains(&now);
        Ok(Some(Control {
            words,
            states,
            complete,
        }))
    }

    /// Chooses 64 states, pairwise different if possible: states that differ in the inputs of
    /// legality and of the next state. There are hardly ever more. If there are, the choice is
    /// spread over all of them.
    pub fn telling(&self, game: &Relieved) -> [usize; 64] {
        let logic = &game.logic;
        let next = game.facts().map(|fact| logic.next[fact]);
        let (cone, _) = logic.reach(next.chain(logic.legal_roots()));
        let asked = (0..logic.net.len()).filter_map(|node| match logic.net.gate(node) {
            Gate::Input(number) if cone[node] => Some(number as usize),
            _ => None,
        });
        let asked: Vec<usize> = asked.collect();
        let mut seen = rustc_hash::FxHashSet::default();
        let different = (0..self.states).filter(|&state| {
            let said = asked.iter().map(|&number| self.holds(number, state));
            seen.insert(said.collect::<Vec<bool>>())
        });
        let different: Vec<usize> = different.collect();
        let step = match different.len() {
            0..=64 => 1,
            many => crate::couplings::coprime(many),
        };
        std::array::from_fn(|lane| different[lane * step % different.len()])
    }

    /// Whether an input holds in a state.
    pub fn holds(&self, number: usize, state: usize) -> bool {
        self.words[state / 64][number] >> (state % 64) & 1 == 1
    }
}
