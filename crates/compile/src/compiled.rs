//! A game as network, logic and phases.

use crate::{CompileError, Report, Rules, build_network};
use budget::Budget;
use datalog::Program;
use netlist::{GameLogic, LowerError, Phased};
use propnet::Network;
use std::sync::Arc;

/// A game, or a part of one, compiled.
///
/// Facts and moves are numbered as in the vocabulary of the network, which the logic shares.
pub struct Compiled {
    /// The network. `None` for a part of a game.
    pub network: Option<Network>,
    /// The logic as it was lowered. It is not optimised yet, so that proofs about it are short.
    pub logic: Arc<GameLogic>,
    /// The same logic for each phase of the game.
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
            Ok(logic) => Ok(Compiled {
                network: Some(network),
                ..Compiled::of_logic(logic)
            }),
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

/// Compiles the text of a rulesheet.
///
/// # Errors
/// If the text holds no rules, if the rules have no network, or if the budget runs out.
pub fn compile(rules: &str, budget: &Budget) -> Result<Compiled, CompileError> {
    let rules = Rules::read(rules, false, &mut Report::new(budget))?;
    Compiled::of_program(&rules.program, budget)
}
