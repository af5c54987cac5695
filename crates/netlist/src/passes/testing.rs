//! Small games for tests of passes.

use crate::{GameLogic, Lit, Netlist, Source};

/// A game of one role that has no goals and does not end. `build` receives the netlist, the facts
/// and the moves, and returns the legality of the moves and the next facts.
pub fn game(
    facts: u32,
    moves: u32,
    build: impl Fn(&mut Netlist, &[Lit], &[Lit]) -> (Vec<Lit>, Vec<Lit>),
) -> GameLogic {
    let mut net = Netlist::new();
    let does = (0..moves).map(|mv| Source::Does { role: 0, mv });
    let sources = (0..facts).map(Source::Fact).chain(does).collect();
    let facts: Vec<Lit> = (0..facts).map(|_| net.input()).collect();
    let does: Vec<Lit> = (0..moves).map(|_| net.input()).collect();
    let (legal, next) = build(&mut net, &facts, &does);
    GameLogic {
        sources,
        facts,
        does: vec![does],
        legal: vec![legal],
        next,
        goals: vec![Vec::new()],
        terminal: Lit::FALSE,
        fixes: Vec::new(),
        words: Default::default(),
        net,
    }
}
