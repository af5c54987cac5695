//! A game as network, logic and phases.

use crate::{CompileError, Report, Rules, build_network};
use budget::Budget;
use datalog::Program;
use netlist::passes::observed;
use netlist::{GameLogic, Known, LowerError, Phased};
use propnet::Network;
use std::sync::Arc;

/// Logic with this many gates or more is simplified before anything is made from it.
const LARGE: usize = 50_000;

/// A game, or a part of one, compiled.
///
/// Facts and moves are numbered as in the vocabulary of the network, which the logic shares.
pub struct Compiled {
    /// The network. `None` for a part of a game.
    pub network: Option<Network>,
    /// The logic as it was lowered. It is not optimised yet, so that proofs about it are short.
    pub logic: Arc<GameLogic>,
    /// The same logic for each phase of the game. Where it is large, it is without conditions that
    /// hold wherever they are observed.
    pub phased: Phased,
}

impl Compiled {
    /// Lowers a network to its logic and finds the phases.
    ///
    /// # Errors
    /// If the network cannot be lowered, or not within the budget. The error returns the
    /// network to the caller.
    pub fn of_network(
        network: Network,
        budget: &Budget,
    ) -> Result<Compiled, (Network, LowerError)> {
        match netlist::lower(&network, budget) {
            Ok(logic) => {
                let mut compiled = Compiled::of_logic(logic);
                compiled.network = Some(network);
                lighten(&mut compiled.phased, budget);
                Ok(compiled)
            }
            Err(error) => Err((network, error)),
        }
    }

    /// Grounds a program, builds its network and lowers it.
    ///
    /// # Errors
    /// If the rules have no network or no logic, or not within the budget.
    pub fn of_program(program: &Program, budget: &Budget) -> Result<Compiled, CompileError> {
        let built = build_network(program, budget)?;
        Compiled::of_network(built.network, budget).map_err(|(_, error)| error.into())
    }

    /// A game of which only the logic is known, such as a part of another game.
    pub fn of_logic(logic: GameLogic) -> Compiled {
        Compiled {
            network: None,
            phased: Phased::new(&logic),
            logic: Arc::new(logic),
        }
    }
}

/// Removes what is redundant in large logic, so that what follows takes less time.
fn lighten(phased: &mut Phased, budget: &Budget) {
    let large = |logic: &&mut GameLogic| logic.net.len() >= LARGE;
    for logic in phased.logics.iter_mut().filter(large) {
        if let Ok(lighter) = observed::run(logic, &Known::default(), budget) {
            *logic = lighter;
        }
    }
}

/// Compiles the text of a rulesheet.
///
/// # Errors
/// If the text holds no rules, if the rules have no network, or if the budget runs out.
pub fn compile(rules: &str, budget: &Budget) -> Result<Compiled, CompileError> {
    let rules = Rules::read(rules, false, &mut Report::new(budget))?;
    Compiled::of_program(&rules.program, budget)
}
