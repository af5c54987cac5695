//! From rules to an optimised network.

use crate::{NoRules, Stage};
use budget::{Budget, Exhausted};
use datalog::Program;
use grounding::GroundError;
use netlist::LowerError;
use propnet::{BuildError, Network, passes};

/// A network and the record of how it was built.
pub struct BuiltNetwork {
    /// The network after all passes that the budget allowed.
    pub network: Network,
    /// What each pass removed.
    pub removed: Vec<passes::Removed>,
    /// What grounding cost.
    pub grounding: grounding::Report,
    /// The stages in order.
    pub stages: Vec<Stage>,
    /// Ground rules that the network was built from.
    pub ground_rules: usize,
}

/// Why rules could not be compiled.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// There are no rules.
    #[error(transparent)]
    NoRules(#[from] NoRules),
    /// Grounding failed.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// No network could be built from the ground rules.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The network could not be lowered to a netlist.
    #[error(transparent)]
    Lower(#[from] LowerError),
}

impl CompileError {
    /// Whether more time or memory might have helped.
    pub fn is_exhausted(&self) -> bool {
        self.cause().is_some()
    }

    /// What ran out, if something did.
    pub fn cause(&self) -> Option<Exhausted> {
        match self {
            CompileError::Ground(GroundError::Budget { cause, .. }) => Some(*cause),
            CompileError::Build(BuildError::Exhausted { why, .. }) => Some(*why),
            CompileError::Lower(LowerError::Exhausted(why)) => Some(*why),
            _ => None,
        }
    }
}

/// Grounds the rules, builds the network and optimises it.
///
/// # Errors
/// If the rules cannot be grounded or have no network, or not within the budget. Unfinished
/// optimisation is no error.
pub fn build_network(program: &Program, budget: &Budget) -> Result<BuiltNetwork, CompileError> {
    let clock = budget.clock().clone();
    let mut stages = Vec::new();
    let mut since = clock.now();
    let mut stage = |name, outcome: String| {
        let now = clock.now();
        stages.push(Stage {
            name,
            time: now.saturating_sub(since),
            outcome,
        });
        since = now;
    };
    budget.begins("grounding");
    let grounding::Grounding { game, report } = grounding::ground(program, budget)?;
    stage(
        "ground",
        format!("{} atoms, {} rules", game.atoms.len(), game.rules.len()),
    );
    let ground_rules = game.rules.len();
    budget.begins("building the network");
    let mut network = Network::build(game, budget)?;
    let graph = network.graph();
    stage(
        "network",
        format!("{} nodes, {} edges", graph.node_count(), graph.edge_count()),
    );
    budget.begins("optimising the network");
    let removed = passes::optimise(&mut network, budget);
    let graph = network.graph();
    stage(
        "optimise",
        format!("{} nodes, {} edges", graph.node_count(), graph.edge_count()),
    );
    Ok(BuiltNetwork {
        network,
        removed,
        grounding: report,
        stages,
        ground_rules,
    })
}
