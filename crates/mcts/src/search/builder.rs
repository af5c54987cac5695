//! Building a search from its parts.

use super::Search;
use super::worker::Worker;
use crate::graph::Graph;
use crate::{Config, Prospects};
use dfpn::Helper;
use game::{Engine, Fans, Playouts, RoleId, State};
use heuristics::{StateValue, Value};
use pnsearch::Maker;
use std::sync::Arc;

/// Bytes of a search for which none were set.
const MEMORY: usize = 256 << 20;

/// The parts of a search. Only engine and playouts are needed; everything else has a default.
pub struct Builder {
    engine: Box<dyn Engine>,
    playouts: Box<dyn Playouts>,
    role: RoleId,
    seed: u64,
    threads: usize,
    memory: usize,
    config: Config,
    fans: Option<Box<dyn Fans>>,
    prospects: Option<Arc<dyn Prospects>>,
    helper: Option<Arc<dyn Helper>>,
    value: Option<Value>,
}

impl Builder {
    pub(super) fn new(engine: Box<dyn Engine>, playouts: Box<dyn Playouts>) -> Builder {
        Builder {
            engine,
            playouts,
            role: RoleId(0),
            seed: 0,
            threads: 1,
            memory: MEMORY,
            config: Config::default(),
            fans: None,
            prospects: None,
            helper: None,
            value: None,
        }
    }

    /// The role to play. `[default: the first]`
    pub fn role(mut self, role: RoleId) -> Self {
        self.role = role;
        self
    }

    /// The seed of everything random. With one thread and a limit on playouts alone, searches
    /// with equal seeds are equal. `[default: 0]`
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The number of threads, at most as many as the playouts can be forked. `[default: 1]`
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Bytes of the whole process. The graph takes a part of them ([`Memory`](crate::Memory)),
    /// such that the process, if it does nothing else, hardly ever takes more. `[default: 256
    /// MiB]`
    pub fn memory(mut self, memory: usize) -> Self {
        self.memory = memory;
        self
    }

    /// The parameters, instead of [`Config::default`].
    pub fn config(mut self, config: Config) -> Self {
        self.config = config;
        self
    }

    /// Evaluates many moves of a state together; it has to know the states of the engine. The
    /// search finds the same, unless wins are foreseen ([`Config::foresight`]): then it finds
    /// them sooner. `[default: None]`
    pub fn fans(mut self, fans: Option<&dyn Fans>) -> Self {
        self.fans = fans.map(Fans::fork);
        self
    }

    /// Static bounds of results. They are not used if the engine does not report the facts of its
    /// states. `[default: None]`
    pub fn prospects(mut self, prospects: Option<&Arc<dyn Prospects>>) -> Self {
        self.prospects = prospects.cloned();
        self
    }

    /// Helps the proof search by proof numbers. `[default: None]`
    pub fn helper(mut self, helper: Option<&Arc<dyn Helper>>) -> Self {
        self.helper = helper.cloned();
        self
    }

    /// What states are worth, learnt before the search, for states with bits in the order of the
    /// engine's words if these are plain ([`Engine::is_plain`]), else in the order of
    /// [`Engine::bits`]. It gives priors of untried moves, and a part of the value of leaves
    /// ([`Config::leaf_value`]). `[default: None]`
    pub fn value(mut self, value: Option<Value>) -> Self {
        self.value = value;
        self
    }

    /// Builds the search.
    pub fn build(self) -> Search {
        let Builder {
            engine,
            mut playouts,
            role,
            seed,
            threads,
            memory,
            mut config,
            fans,
            prospects,
            helper,
            value,
        } = self;
        let roles = engine.roles().len();
        let mut facts = State::default();
        let tells_facts = engine.bits(&engine.initial(), &mut facts);
        if !tells_facts {
            // Without facts there is nothing to learn from.
            config.learning.visits = 0.0;
        }
        let few = 64 * facts.words().len() <= config.amaf.max_facts;
        config.amaf.on =
            config.amaf.on && config.learning.visits > 0.0 && few && playouts.watch(true);
        let mut expanders = vec![(engine, playouts)];
        for number in 1..threads.max(1) as u64 {
            let fork = expanders[0].1.fork(seed.wrapping_add(number << 32));
            let Some(playouts) = fork else { break };
            let engine = expanders[0].0.fork();
            expanders.push((engine, playouts));
        }
        let asks = config.proofs.states > 0.0 || config.questions.time > 0.0;
        let proves = asks && config.solve && roles > 1;
        let table = if proves {
            memory / 16 * config.memory.proof_sixteenths
        } else {
            0
        };
        let batched = proves && config.questions.time > 0.0 && config.questions.batched;
        let for_questions = match batched {
            true => memory / 16 * config.memory.question_sixteenths,
            false => 0,
        };
        let of_nodes = memory / 16 * config.memory.node_sixteenths;
        let graph = Graph::new(
            of_nodes.saturating_sub(for_questions),
            config.transpositions,
            config.memory,
        );
        let of_each = table / expanders.len();
        let foresee = config.foresight && config.solve;
        let mut workers = Vec::new();
        for ((engine, playouts), seed) in expanders.into_iter().zip(seed..) {
            let helper = helper.as_ref();
            let of_helper = if helper.is_some() { of_each / 4 } else { 0 };
            let of_numbers = of_each - of_helper;
            let maker = Maker {
                engine: &*engine,
                role,
                missing: config.missing_goal,
                fans: fans.as_deref(),
                foresees: foresee,
                sum: config.sum,
            };
            let prover = proves.then(|| maker.make(config.proofs.batched, of_numbers));
            let prover = match (prover, helper) {
                (Some(prover), Some(helper)) => Some(helper.help(prover, &*engine, of_helper)),
                (prover, _) => prover,
            };
            // Only the first thread asks.
            let asker = (batched && workers.is_empty()).then(|| maker.make(true, for_questions));
            let mut worker = {
                let known = value.clone().filter(|_| tells_facts);
                let known = known.map(StateValue::known);
                Worker::new(engine, playouts, seed, graph.handle(), known, &config)
            };
            if let Some(prospects) = prospects.as_ref().filter(|_| tells_facts) {
                worker.expander.set_prospects(prospects.clone());
            }
            if let Some(fans) = &fans {
                worker.expander.set_fans(fans.fork(), foresee);
            }
            (worker.prover, worker.asker) = (prover, asker);
            workers.push(worker);
        }
        Search {
            role,
            forecast: None,
            workers,
            config,
        }
    }
}
