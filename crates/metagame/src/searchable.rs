//! A game, or a part of one, that is ready to be searched.

use crate::cubes::Cubes;
use crate::knowledge;
use crate::moves::moves;
use crate::playouts::{MAX_STEPS, beside};
use crate::prover_race;
use crate::race::Searches;
use crate::results::{ranges, results, sum};
use crate::{Settings, Setup, StartClock, Switches};
use budget::Budget;
use compile::Proved;
use features::Kinds;
use game::{Engine, Fans, Playouts, RoleId, ScalarPlayouts, State};
use heuristics::Value;
use mcts::{Config, Helper, ProofSearch, Prospects, Search};
use prepare::{MadeLearner, NoLearner};
use provers::Maker;
use std::sync::Arc;

/// The part of a leaf's value that comes from what was learnt.
const MIXED: f64 = 0.5;

/// Proofs beside best-first search get 1 / `PROOFS` of its memory.
const PROOFS: usize = 4;

/// A search in a race of settings gets 1 / `TRIALS` of the memory.
const TRIALS: usize = 64;

/// Everything needed to create searches of a game.
pub struct Searchable {
    setup: Setup,
    /// What is proved of the game, if it is compiled.
    proved: Option<Proved>,
    /// One playout at a time.
    plain: Box<dyn Playouts>,
    /// Playouts in lanes, if they are used: without decisive moves, and with them. Play needs
    /// only one of the two.
    lanes: [Option<Box<dyn Playouts>>; 2],
    /// The most leaves whose playouts fit into the time of a batch.
    leaves: u32,
    config: Config,
    prospects: Option<Arc<dyn Prospects>>,
    /// The evaluator of all moves of a state side by side, if it is faster.
    fans: Option<Box<dyn Fans>>,
    /// What helps proof searches, if it proves more.
    helper: Option<Arc<dyn Helper>>,
    /// What was learnt, if it guides proof searches.
    guide: Option<Value>,
    /// The settings of new searches.
    settings: Settings,
}

impl Searchable {
    /// Runs the stages that make a game searchable: proofs about results, playouts, moves.
    pub(crate) fn prepare(
        setup: Setup,
        proved: Option<Proved>,
        profile: &Switches,
        clock: &mut StartClock,
    ) -> Searchable {
        let mut config = profile.config.clone();
        let (engine, seed) = (&*setup.playable.engine, setup.seed);
        let mut prospects = None;
        if let Some(proved) = &proved {
            let missing = config.missing_goal;
            config.results = results(&proved.compiled.logic, setup.role, missing);
            if profile.sum && engine.roles().len() == 2 {
                config.sum = sum(proved, seed, clock);
            }
            if profile.ranges && config.solve {
                prospects = ranges(proved, profile, seed, clock);
            }
        }
        let mut plain = plain(engine, seed);
        let mut settings = profile.settings();
        settings.lanes = false;
        let mut lanes = [None, None];
        if let Some(proved) = proved.as_ref().filter(|_| profile.lanes) {
            let decisive = profile.decisive;
            let made = beside(engine, proved, &mut *plain, seed, profile, decisive, clock);
            if let Some(made) = made {
                (settings.lanes, settings.decisive) = (true, made.decisive);
                settings.leaves = made.leaves;
                lanes[usize::from(made.decisive)] = Some(made.playouts);
            }
        }
        let fans = proved.as_ref().filter(|_| profile.fans).and_then(|proved| {
            let foresee = config.foresight && config.solve;
            moves(engine, &proved.compiled, seed, foresee, clock)
        });
        Searchable {
            setup,
            proved,
            plain,
            fans,
            leaves: settings.leaves,
            lanes,
            config,
            prospects,
            helper: None,
            guide: None,
            settings,
        }
    }

    /// Finds out which proof search answers sooner, whether what was learnt guides it well, and
    /// whether cubes help it, where proofs are asked anything.
    pub(crate) fn choose_proofs(
        &mut self,
        value: Option<&Value>,
        profile: &Switches,
        clock: &mut StartClock,
    ) {
        let config = &self.config;
        let asks = config.proofs.states > 0.0 || config.questions.time > 0.0;
        let roles = self.setup.playable.engine.roles().len();
        if !asks || !config.solve || roles < 2 {
            return;
        }
        if profile.provers {
            let best = prover_race::race(self, value, clock);
            self.config.proofs.method = best.method;
            self.guide = value.filter(|_| best.guided).cloned();
        } else if profile.guided {
            self.guide = value.cloned();
        }
        if profile.cubes && self.proved.is_some() {
            let cubes = Cubes::find(self, clock);
            self.helper = cubes.map(|cubes| cubes as Arc<dyn Helper>);
        }
    }

    /// A proof search, as searches have it.
    pub(crate) fn prover(&self, memory: usize) -> Box<dyn ProofSearch> {
        let maker = self.maker(self.guide.as_ref());
        maker.make(self.config.proofs.method, memory)
    }

    /// What makes proof searches, guided by a value if there is one.
    pub(crate) fn maker<'a>(&'a self, value: Option<&'a Value>) -> Maker<'a> {
        Maker {
            engine: &*self.setup.playable.engine,
            role: self.role(),
            missing: self.config.missing_goal,
            fans: self.fans.as_deref(),
            foresees: self.config.foresight,
            sum: self.config.sum,
            results: self.config.results,
            value,
        }
    }

    /// A learner of the game, for the states of the engine.
    pub(crate) fn learner(&self, budget: &Budget) -> Result<MadeLearner, NoLearner> {
        let proved = self.proved.as_ref().ok_or(NoLearner::NotPlain)?;
        prepare::learner(
            &*self.setup.playable.engine,
            proved,
            self.config.sum == Some(100),
            Kinds::default(),
            selfplay::Config::default(),
            self.setup.seed,
            &budget.clone().with_memory(self.setup.memory),
        )
    }

    /// The same for a value that was learnt before, from so many games.
    pub(crate) fn learner_of(
        &self,
        value: &Value,
        games: u64,
        budget: &Budget,
    ) -> Result<MadeLearner, NoLearner> {
        let proved = self.proved.as_ref().ok_or(NoLearner::NotPlain)?;
        prepare::learner_of(
            &*self.setup.playable.engine,
            proved,
            value,
            selfplay::Config::default(),
            // The games before are not played again.
            self.setup.seed.wrapping_add(games),
            &budget.clone().with_memory(self.setup.memory),
        )
    }

    /// A best-first search with what was learnt, in 1 / `share` of the memory.
    pub fn best_first(&self, value: &Value, role: RoleId, share: usize) -> bestfirst::Search {
        let engine = self.setup.playable.engine.fork();
        let fans = self.fans.as_ref().map(|fans| fans.fork());
        let memory = self.setup.memory / share;
        let roles = engine.roles().len();
        let of_proofs = if roles > 1 { memory / PROOFS } else { 0 };
        let prover = (roles > 1).then(|| {
            let of_helper = if self.helper.is_some() {
                of_proofs / PROOFS
            } else {
                0
            };
            let prover = self.prover(of_proofs - of_helper);
            match &self.helper {
                Some(helper) => helper.help(prover, &*engine, of_helper),
                None => prover,
            }
        });
        bestfirst::Search::new(
            engine,
            fans,
            prover,
            value.clone(),
            role,
            memory - of_proofs,
        )
    }

    /// A search for a duel, with what was learnt or without.
    pub(crate) fn trial(&self, value: Option<&Value>, role: RoleId, seed: u64) -> Search {
        let memory = self.setup.memory / knowledge::SHARE;
        self.with(&self.settings, value, role, seed, 1, memory)
    }

    /// A second engine of the game.
    pub(crate) fn fork(&self) -> Box<dyn Engine> {
        self.setup.playable.engine.fork()
    }

    /// The memory of a search, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.setup.memory
    }

    /// What the results of two roles add up to, if that is proved.
    pub(crate) fn sum(&self) -> Option<u16> {
        self.config.sum
    }

    /// The seed of everything random.
    pub(crate) fn seed(&self) -> u64 {
        self.setup.seed
    }

    /// The role that is played.
    pub fn role(&self) -> RoleId {
        self.setup.role
    }

    /// The initial state.
    pub fn initial(&self) -> State {
        self.setup.playable.engine.initial()
    }

    /// The engine, for the caller's own questions.
    pub fn engine(&mut self) -> &mut dyn Engine {
        &mut *self.setup.playable.engine
    }

    /// What is proved of the game, if it is compiled.
    pub fn proved(&self) -> Option<&Proved> {
        self.proved.as_ref()
    }

    /// The settings of new searches.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets the settings of new searches, restricted to the available playouts.
    pub(crate) fn play_with(&mut self, settings: Settings) {
        self.settings = settings;
        self.settings.leaves = self.settings.leaves.min(self.leaves);
        self.settings.lanes &= self.lanes(&self.settings).is_some();
        // An earlier plan may ask for decisive moves that are too expensive now.
        self.settings.decisive &= !self.settings.lanes || self.lanes[1].is_some();
    }

    /// The playouts in lanes that fit the settings best.
    fn lanes(&self, settings: &Settings) -> Option<&dyn Playouts> {
        let [without, with] = &self.lanes;
        let best = match settings.decisive {
            true => with.as_ref().or(without.as_ref()),
            false => without.as_ref().or(with.as_ref()),
        };
        best.map(|lanes| &**lanes)
    }

    /// Prepares playouts without decisive moves for comparison, if the present ones have them.
    pub(crate) fn compare_playouts(&mut self, profile: &Switches, clock: &mut StartClock) {
        let compares = self.settings.lanes && self.settings.decisive;
        if let Some(proved) = self.proved.as_ref().filter(|_| compares) {
            let (engine, seed) = (&*self.setup.playable.engine, self.setup.seed);
            let plain = &mut *self.plain;
            let made = beside(engine, proved, plain, seed, profile, false, clock);
            if let Some(made) = made {
                self.leaves = self.leaves.min(made.leaves);
                self.lanes[0] = Some(made.playouts);
            }
        }
    }

    /// A new search, with what was learnt before.
    pub fn search(&self, value: Option<&Value>) -> Search {
        let Setup {
            role,
            seed,
            threads,
            memory,
            ..
        } = self.setup;
        self.with(&self.settings, value, role, seed, threads, memory)
    }

    fn with(
        &self,
        settings: &Settings,
        value: Option<&Value>,
        role: RoleId,
        seed: u64,
        threads: usize,
        memory: usize,
    ) -> Search {
        let engine = self.setup.playable.engine.fork();
        let lanes = self.lanes(settings).filter(|_| settings.lanes);
        let playouts = lanes.unwrap_or(&*self.plain).fork(seed);
        let playouts = playouts.unwrap_or_else(|| plain(&*engine, seed));
        let mut config = self.config.clone();
        settings.apply(&mut config);
        if value.is_some() {
            config.leaf_value = MIXED;
        }
        Search::builder(engine, playouts)
            .role(role)
            .seed(seed)
            .threads(threads)
            .memory(memory)
            .config(config)
            .fans(self.fans.as_deref())
            .prospects(self.prospects.as_ref())
            .helper(self.helper.as_ref())
            .value(value.cloned())
            .guide(self.guide.clone())
            .build()
    }
}

impl Searches for Searchable {
    fn engine(&mut self) -> &mut dyn Engine {
        Searchable::engine(self)
    }

    fn search(&mut self, settings: &Settings, role: RoleId, seed: u64) -> Search {
        self.with(settings, None, role, seed, 1, self.setup.memory / TRIALS)
    }
}

fn plain(engine: &dyn Engine, seed: u64) -> Box<dyn Playouts> {
    Box::new(ScalarPlayouts::new(engine.fork(), seed, MAX_STEPS))
}
