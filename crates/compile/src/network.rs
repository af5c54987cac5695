//! From rules to an optimised network.

use crate::{NoRules, Stage};
use budget::{Budget, Clock, Exhausted};
use datalog::Program;
use grounding::GroundError;
use netlist::LowerError;
use propnet::{BuildError, Network, passes};
use std::sync::Arc;
use std::time::Duration;

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

/// Ground rules, and the record of how they were made.
pub struct Grounded {
    game: grounding::GroundGame,
    report: grounding::Report,
    stages: Stages,
}

/// The stages so far.
struct Stages {
    clock: Arc<dyn Clock>,
    since: Duration,
    all: Vec<Stage>,
}

impl Stages {
    fn add(&mut self, name: &'static str, outcome: String) {
        let now = self.clock.now();
        self.all.push(Stage {
            name,
            time: now.saturating_sub(self.since),
            outcome,
        });
        self.since = now;
    }
}

/// Grounds the rules.
///
/// # Errors
/// If the rules cannot be grounded, or not within the budget.
pub fn ground(program: &Program, budget: &Budget) -> Result<Grounded, CompileError> {
    let clock = budget.clock().clone();
    let mut stages = Stages {
        since: clock.now(),
        clock,
        all: Vec::new(),
    };
    budget.begins("grounding");
    let grounding::Grounding { game, report } = grounding::ground(program, budget)?;
    let (atoms, rules) = (game.atoms.len(), game.rules.len());
    stages.add("ground", format!("{atoms} atoms, {rules} rules"));
    Ok(Grounded {
        game,
        report,
        stages,
    })
}

impl Grounded {
    /// The number of ground rules.
    pub fn rules(&self) -> usize {
        self.game.rules.len()
    }

    /// The stages so far.
    pub fn stages(&self) -> &[Stage] {
        &self.stages.all
    }

    /// Builds the network and optimises it.
    ///
    /// # Errors
    /// If the rules have no network, or not within the budget. Unfinished optimisation is no error.
    pub fn network(self, budget: &Budget) -> Result<BuiltNetwork, CompileError> {
        let ground_rules = self.rules();
        let Grounded {
            game,
            report,
            mut stages,
        } = self;
        let sizes = |network: &Network| {
            let graph = network.graph();
            format!("{} nodes, {} edges", graph.node_count(), graph.edge_count())
        };
        budget.begins("building the network");
        let mut network = Network::build(game, budget)?;
        stages.add("network", sizes(&network));
        budget.begins("optimising the network");
        let removed = passes::optimise(&mut network, budget);
        stages.add("optimise", sizes(&network));
        Ok(BuiltNetwork {
            network,
            removed,
            grounding: report,
            stages: stages.all,
            ground_rules,
        })
    }
}

/// Grounds the rules, builds the network and optimises it.
///
/// # Errors
/// If the rules cannot be grounded or have no network, or not within the budget. Unfinished
/// optimisation is no error.
pub fn build_network(program: &Program, budget: &Budget) -> Result<BuiltNetwork, CompileError> {
    ground(program, budget)?.network(budget)
}
