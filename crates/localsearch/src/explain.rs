//! Explanations: the cube in which the proof of a state still holds.

use crate::children::Children;
use crate::circuit::Ternary;
use crate::closure::Facts;
use crate::cube::{Claim, Cube};
use crate::game::Game;
use crate::justify::Justifier;
use netlist::Lit;
use std::sync::Arc;

/// A state among the children of another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The phase of the state.
    pub phase: usize,
    /// The children among which it is.
    pub among: &'a Children,
    /// Its number there.
    pub child: usize,
}

/// How play is over, or that it need not be looked at further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Over, with the result.
    Won,
    /// Over, without it.
    Lost,
    /// No moves are left to search: it is enough that the result is not there.
    Horizon,
}

/// Makes cubes. Keeps its memory.
#[derive(Debug, Default)]
pub(crate) struct Explainer {
    justifier: Justifier,
    known: Ternary,
    scratch: Facts,
    unknown: Vec<u32>,
    used: Vec<Arc<Cube>>,
    /// Cubes that fix every fact of the state, which says nothing of others.
    pub whole: u64,
}

impl Explainer {
    /// Why this is an end.
    pub fn end(&mut self, game: &Game, place: Place<'_>, end: End) -> Cube {
        let circuit = game.circuit(place.phase);
        self.justifier.begin(&game.closure);
        let (lit, claim) = match end {
            End::Won => (circuit.won, Claim::Wins(0)),
            End::Lost => (circuit.lost, Claim::Fails(crate::FOREVER)),
            End::Horizon => (circuit.won, Claim::Fails(0)),
        };
        self.justifier.keep(circuit, lit);
        self.settle(game, place);
        self.cube(game, place.phase, claim)
    }

    /// Why a move decides: it is legal, and leads into a cube with the claim that its role
    /// wants.
    pub fn one(
        &mut self,
        game: &Game,
        place: Place<'_>,
        children: &Children,
        child: usize,
        to: &Cube,
    ) -> Cube {
        let circuit = game.circuit(place.phase);
        self.begin(game, place, children, to.claim.wins());
        let legal = circuit.legal[children.chooser][children.moves[child] as usize];
        self.justifier.keep(circuit, legal);
        self.settle(game, place);
        self.preimage(game, place, children, child, to);
        self.cube(game, place.phase, longer(to.claim))
    }

    /// Why no move decides: each leads into a cube with the other claim, or is not legal.
    ///
    /// What every child leads into is in `children`.
    pub fn all(&mut self, game: &Game, place: Place<'_>, children: &Children) -> Option<Cube> {
        self.used.clear();
        for proof in &children.proofs {
            let proof = proof.as_ref()?;
            if !self.used.iter().any(|used| Arc::ptr_eq(used, proof)) {
                self.used.push(proof.clone());
            }
        }
        let claims = self.used.iter().map(|cube| cube.claim);
        let claim = longer(claims.reduce(weaker)?);
        self.begin(game, place, children, claim.wins());
        self.settle(game, place);
        for (child, proof) in children.proofs.iter().enumerate() {
            if let Some(to) = proof {
                self.preimage(game, place, children, child, to);
            }
        }
        self.cover(game, place, children);
        Some(self.cube(game, place.phase, claim))
    }

    /// Keeps what every state of a cube must have: play has not ended with the other result, and
    /// the roles that did not choose still do not.
    fn begin(&mut self, game: &Game, place: Place<'_>, children: &Children, wins: bool) {
        let circuit = game.circuit(place.phase);
        self.justifier.begin(&game.closure);
        let other = if wins { circuit.lost } else { circuit.won };
        self.justifier.keep(circuit, other);
        for &(role, only) in &children.forced {
            for (mv, &legal) in circuit.legal[role].iter().enumerate() {
                if mv as u32 != only && legal != Lit::FALSE {
                    self.justifier.keep(circuit, legal);
                }
            }
        }
    }

    /// Explains what was kept of the state itself.
    fn settle(&mut self, game: &Game, place: Place<'_>) {
        let (chunk, lane) = place.among.place(place.child);
        let circuit = game.circuit(place.phase);
        self.justifier
            .run(circuit, &game.closure, &chunk.state, lane);
    }

    /// Keeps that a move leads into a cube.
    fn preimage(
        &mut self,
        game: &Game,
        place: Place<'_>,
        children: &Children,
        child: usize,
        to: &Cube,
    ) {
        let circuit = game.circuit(place.phase);
        for literal in &to.literals {
            self.justifier
                .keep(circuit, circuit.next[literal.fact() as usize]);
        }
        let (chunk, lane) = children.place(child);
        self.justifier
            .run(circuit, &game.closure, &chunk.step, lane);
    }

    /// Looks at all moves that are not legal in the state, but may be in others of the cube.
    /// Those that may leave all cubes are kept illegal.
    fn cover(&mut self, game: &Game, place: Place<'_>, children: &Children) {
        let circuit = game.circuit(place.phase);
        load(&mut self.known, circuit, &self.justifier.known);
        circuit.know_state(&mut self.known);
        let legal = &circuit.legal[children.chooser];
        let mut listed = children.moves.iter().peekable();
        self.unknown.clear();
        for (mv, &lit) in legal.iter().enumerate() {
            let is_legal = listed.next_if(|&&listed| listed as usize == mv).is_some();
            if !is_legal && self.known.is_one(!lit) == 0 {
                self.unknown.push(mv as u32);
            }
        }
        let mut kept = false;
        for moves in self.unknown.chunks(64) {
            load(&mut self.known, circuit, &self.justifier.known);
            let played = (children.chooser, moves);
            circuit.know_step(&children.forced, played, &mut self.known);
            let mut open = u64::MAX >> (64 - moves.len());
            for cube in &self.used {
                let into = cube.literals.iter().fold(open, |lanes, literal| {
                    let next = circuit.next[literal.fact() as usize];
                    lanes & self.known.is_one(next ^ !literal.holds())
                });
                open &= !into;
            }
            for lane in crate::table::ones(open) {
                self.justifier.keep(circuit, legal[moves[lane] as usize]);
                kept = true;
            }
        }
        if kept {
            self.settle(game, place);
        }
    }

    fn cube(&mut self, game: &Game, phase: usize, claim: Claim) -> Cube {
        let kept = &self.justifier.kept;
        let literals = game.closure.reduced(kept, &mut self.scratch);
        let phase = phase % game.circuits.len();
        let read = game.circuit(phase).facts.iter().flatten().count();
        self.whole += u64::from(kept.len() >= read);
        Cube {
            phase,
            literals,
            claim,
        }
    }
}

/// Begins with what is known of the facts, the same in all lanes.
fn load(known: &mut Ternary, circuit: &crate::circuit::Circuit, facts: &Facts) {
    known.clear(circuit.nodes());
    for literal in facts.iter() {
        if let Some(node) = circuit.facts[literal.fact() as usize] {
            let all = |is: bool| 0u64.wrapping_sub(is.into());
            known.set(node as usize, all(literal.holds()), all(!literal.holds()));
        }
    }
}

/// The claim one joint move earlier.
fn longer(claim: Claim) -> Claim {
    match claim {
        Claim::Wins(plies) => Claim::Wins(plies.saturating_add(1)),
        Claim::Fails(plies) => Claim::Fails(plies.saturating_add(1)),
    }
}

/// What holds where one of two claims of the same kind does.
fn weaker(a: Claim, b: Claim) -> Claim {
    match (a, b) {
        (Claim::Wins(a), Claim::Wins(b)) => Claim::Wins(a.max(b)),
        (a, b) => Claim::Fails(a.plies().min(b.plies())),
    }
}
