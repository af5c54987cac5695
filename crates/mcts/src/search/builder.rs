//! Building a search from its parts.

use super::Search;
use super::worker::Worker;
use crate::graph::Graph;
use crate::{Config, Prospects};
use game::{Engine, Fans, Playouts, RoleId, State};
use heuristics::{StateValue, Value};
use provers::{Helper, Maker, ProofMethod, ProofSearch};
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
    guide: Option<Value>,
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
            guide: None,
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

    /// The same, to guide proof searches: where states are worth proving they search first.
    /// `[default: None]`
    pub fn guide(mut self, value: Option<Value>) -> Self {
        self.guide = value;
        self
    }

    /// Builds the search.
    pub fn build(mut self) -> Search {
        let batch = self.config.batch.max(1);
        self.config.children = self.config.children.clamp(1, batch);
        let roles = self.engine.roles().len();
        let tells_facts = self.adapt_to_facts();
        let uses = Uses::of(&self.config, roles);
        let shares = Shares::of(self.memory, &self.config, uses);
        let expanders = forks(self.engine, self.playouts, self.seed, self.threads);
        let equipment = Equipment {
            role: self.role,
            uses,
            of_proofs: shares.of_proofs,
            for_questions: shares.for_questions,
            graph: Graph::new(
                shares.of_nodes,
                self.config.transpositions,
                self.config.memory,
            ),
            fans: self.fans,
            prospects: self.prospects.filter(|_| tells_facts),
            helper: self.helper,
            value: self.value.filter(|_| tells_facts),
            guide: self.guide,
            config: self.config,
        };
        let mut provers = equipment.provers(&*expanders[0].0, expanders.len());
        let mut workers = Vec::new();
        for ((engine, playouts), seed) in expanders.into_iter().zip(self.seed..) {
            let is_first = workers.is_empty();
            let mut worker = equipment.worker(engine, playouts, seed, is_first);
            worker.prover = provers.pop();
            workers.push(worker);
        }
        Search {
            role: self.role,
            forecast: None,
            workers,
            config: equipment.config,
        }
    }

    /// Turns off what the states of this game do not allow. Returns whether the engine reports
    /// the facts of its states.
    fn adapt_to_facts(&mut self) -> bool {
        let mut facts = State::default();
        let tells_facts = self.engine.bits(&self.engine.initial(), &mut facts);
        let config = &mut self.config;
        if !tells_facts {
            // Without facts there is nothing to learn from.
            config.learning.visits = 0.0;
        }
        let few = 64 * facts.words().len() <= config.amaf.max_facts;
        config.amaf.on =
            config.amaf.on && config.learning.visits > 0.0 && few && self.playouts.watch(true);
        tells_facts
    }
}

/// The proof searches that a search uses.
#[derive(Clone, Copy)]
struct Uses {
    /// Whether any is used.
    proofs: bool,
    /// Whether questions about the root have one of their own.
    asker: bool,
}

impl Uses {
    fn of(config: &Config, roles: usize) -> Uses {
        let asks = config.proofs.states > 0.0 || config.questions.time > 0.0;
        let proofs = asks && config.solve && roles > 1;
        let asker = proofs && config.questions.time > 0.0 && config.questions.batched;
        Uses { proofs, asker }
    }
}

/// The bytes of each part of a search.
struct Shares {
    of_nodes: usize,
    /// For the proof searches of all threads together.
    of_proofs: usize,
    for_questions: usize,
}

impl Shares {
    fn of(memory: usize, config: &Config, uses: Uses) -> Shares {
        let share = |used: bool, sixteenths: usize| match used {
            true => memory / 16 * sixteenths,
            false => 0,
        };
        let for_questions = share(uses.asker, config.memory.question_sixteenths);
        let of_nodes = share(true, config.memory.node_sixteenths);
        Shares {
            of_nodes: of_nodes.saturating_sub(for_questions),
            of_proofs: share(uses.proofs, config.memory.proof_sixteenths),
            for_questions,
        }
    }
}

/// The engine and the playouts of each thread, as far as the playouts can be forked.
fn forks(
    engine: Box<dyn Engine>,
    playouts: Box<dyn Playouts>,
    seed: u64,
    threads: usize,
) -> Vec<(Box<dyn Engine>, Box<dyn Playouts>)> {
    let mut forks = vec![(engine, playouts)];
    for number in 1..threads.max(1) as u64 {
        let fork = forks[0].1.fork(seed.wrapping_add(number << 32));
        let Some(playouts) = fork else { break };
        let engine = forks[0].0.fork();
        forks.push((engine, playouts));
    }
    forks
}

/// What each thread gets besides its engine and playouts.
struct Equipment {
    role: RoleId,
    uses: Uses,
    /// Bytes of the proof searches of all threads together.
    of_proofs: usize,
    /// Bytes of the proof search for questions about the root.
    for_questions: usize,
    graph: Graph,
    fans: Option<Box<dyn Fans>>,
    prospects: Option<Arc<dyn Prospects>>,
    helper: Option<Arc<dyn Helper>>,
    value: Option<Value>,
    guide: Option<Value>,
    config: Config,
}

impl Equipment {
    fn worker(
        &self,
        engine: Box<dyn Engine>,
        playouts: Box<dyn Playouts>,
        seed: u64,
        is_first: bool,
    ) -> Worker {
        // Only the first thread asks.
        let asks = self.uses.asker && is_first;
        let ask = || {
            self.maker(&*engine)
                .make(ProofMethod::Batched, self.for_questions)
        };
        let asker = asks.then(ask);
        let known = self.value.clone().map(StateValue::known);
        let graph = self.graph.handle();
        let mut worker = Worker::new(engine, playouts, seed, graph, known, &self.config);
        if let Some(prospects) = &self.prospects {
            worker.expander.set_prospects(prospects.clone());
        }
        if let Some(fans) = &self.fans {
            worker.expander.set_fans(fans.fork(), self.foresees());
        }
        worker.asker = asker;
        worker
    }

    /// The proof searches of all threads, each with its helper if there is one; none if there
    /// are no proofs.
    fn provers(&self, engine: &dyn Engine, threads: usize) -> Vec<Box<dyn ProofSearch>> {
        if !self.uses.proofs {
            return Vec::new();
        }
        let of_helpers = match self.helper {
            Some(_) => self.of_proofs / 4,
            None => 0,
        };
        let (maker, method) = (self.maker(engine), self.config.proofs.method);
        let provers = maker.make_several(method, self.of_proofs - of_helpers, threads);
        let help = |numbers| match &self.helper {
            Some(helper) => helper.help(numbers, engine, of_helpers / threads.max(1)),
            None => numbers,
        };
        provers.into_iter().map(help).collect()
    }

    fn maker<'a>(&'a self, engine: &'a dyn Engine) -> Maker<'a> {
        Maker {
            engine,
            role: self.role,
            missing: self.config.missing_goal,
            fans: self.fans.as_deref(),
            foresees: self.foresees(),
            sum: self.config.sum,
            results: self.config.results,
            value: self.guide.as_ref(),
        }
    }

    /// Whether wins that are one move away are used.
    fn foresees(&self) -> bool {
        self.config.foresight && self.config.solve
    }
}
