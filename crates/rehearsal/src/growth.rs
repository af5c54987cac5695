//! Whether the states of a playout without an end grow and grow.

use game::{Engine, EngineError, GroundTerm, RoleId, State};

/// The parts of a playout whose ends are compared.
const PARTS: usize = 4;

/// The size of a state: its facts, and the symbols of its largest fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub facts: usize,
    pub symbols: usize,
}

/// The sizes at the end of each part of a playout, if facts or symbols have become more in every
/// part.
///
/// # Errors
/// If the rules could not be evaluated.
pub(crate) fn growth(
    engine: &mut dyn Engine,
    moves: &[Vec<GroundTerm>],
) -> Result<Option<[Size; PARTS]>, EngineError> {
    let mut sizes = [Size {
        facts: 0,
        symbols: 0,
    }; PARTS];
    let part = moves.len() / PARTS;
    if part == 0 {
        return Ok(None);
    }
    let (mut state, mut next) = (engine.initial(), State::default());
    for (number, terms) in moves.iter().enumerate() {
        let joint = terms.iter().enumerate();
        let joint: Option<Vec<_>> = joint
            .map(|(role, term)| engine.find_move(RoleId(role), term))
            .collect();
        let Some(joint) = joint else {
            return Ok(None);
        };
        engine.next(&state, &joint, &mut next)?;
        std::mem::swap(&mut state, &mut next);
        if (number + 1) % part == 0 && (number + 1) / part <= PARTS {
            let facts = engine.facts(&state);
            sizes[(number + 1) / part - 1] = Size {
                facts: facts.len(),
                symbols: facts.iter().map(symbols).max().unwrap_or(0),
            };
        }
    }
    let grows = |size: fn(&Size) -> usize| sizes.is_sorted_by(|a, b| size(a) < size(b));
    let grown = grows(|size| size.facts) || grows(|size| size.symbols);
    Ok(grown.then_some(sizes))
}

/// The number of symbols of a term.
fn symbols(term: &GroundTerm) -> usize {
    match term {
        GroundTerm::Constant(_) => 1,
        GroundTerm::Compound(_, args) => 1 + args.iter().map(symbols).sum::<usize>(),
    }
}
