//! From states to nodes.

use crate::fan_cache::FanCache;
use crate::node::{ByRole, Kind, Node, RoleStats};
use crate::pays::Pays;
use crate::simultaneous::Mixed;
use crate::{Bounds, Config, Prospects};
use game::{Engine, EngineError, Fans, MoveId, RoleId, State};
use smallvec::smallvec;
use std::sync::Arc;

/// What a state offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    /// Play is over.
    Over,
    /// Not over, but it cannot go on: some role has no legal move, or all have only one for ever.
    Stuck,
    /// Every role has exactly one move.
    Forced,
    /// Some role has a choice.
    Choice,
}

/// Makes moves, and nodes of the states that they lead to.
pub(crate) struct Expander {
    engine: Box<dyn Engine>,
    here: State,
    there: State,
    /// The legal moves in `here`, for every role.
    options: Vec<Vec<MoveId>>,
    joint: Vec<MoveId>,
    status: Status,
    /// What was seen of many moves together.
    fan_cache: FanCache,
    /// Whether the words of states are their facts.
    plain: bool,
    /// If not, those of the state that was last asked about, and that state.
    bits: State,
    asked: State,
    /// What facts alone prove of results.
    prospects: Option<Arc<dyn Prospects>>,
    /// What that is in the state that was last asked about, for each role.
    bounds: Vec<Bounds>,
    /// What it is in the one that moves are looked at from.
    before: Vec<Bounds>,
    /// Whether it is asked for of all that moves lead to: it is worth something if results are certain there.
    of_moves: Pays,
    /// Whether it is asked for of nodes: it is worth something if that differs from what it was of the first.
    of_nodes: Pays,
    first: Option<Vec<Bounds>>,
    /// Whether it is asked for of the node that is made next.
    asks: bool,
    /// Transitions made.
    pub steps: u64,
}

impl Expander {
    pub fn new(engine: Box<dyn Engine>, config: &Config) -> Expander {
        let roles = engine.roles().len();
        Expander {
            plain: engine.is_plain(),
            engine,
            here: State::default(),
            there: State::default(),
            options: vec![Vec::new(); roles],
            joint: Vec::with_capacity(roles),
            status: Status::Over,
            fan_cache: FanCache::default(),
            bits: State::default(),
            asked: State::default(),
            prospects: None,
            bounds: vec![Bounds::OPEN; roles],
            before: vec![Bounds::OPEN; roles],
            of_moves: Pays::new(config.static_bounds),
            of_nodes: Pays::new(config.static_bounds),
            first: None,
            asks: true,
            steps: 0,
        }
    }

    /// Uses what facts alone prove of results, from now on.
    pub fn expect(&mut self, prospects: Arc<dyn Prospects>) {
        self.prospects = Some(prospects);
    }

    /// Looks at many moves together, from now on.
    pub fn fan_out(&mut self, fans: Box<dyn Fans>, foresee: bool) {
        self.fan_cache = FanCache::by(fans, foresee);
    }

    pub fn engine(&mut self) -> &mut dyn Engine {
        &mut *self.engine
    }

    /// Goes to a state, or with `skip` to the first one from it where there is something to decide,
    /// or where play ends.
    pub fn enter(&mut self, state: &State, skip: bool, config: &Config) -> Result<(), EngineError> {
        self.here.clone_from(state);
        self.asks = true;
        self.look()?;
        match skip {
            true => self.skip(config),
            false => Ok(()),
        }
    }

    /// Goes on from a state by a joint move, to where there is something to decide, or to the end.
    pub fn follow(
        &mut self,
        state: &State,
        joint: &[MoveId],
        config: &Config,
    ) -> Result<(), EngineError> {
        match self.fan_cache.place(state, joint) {
            Some(place) => self.here.clone_from(self.fan_cache.seen(place).0),
            None => self.engine.next(state, joint, &mut self.here)?,
        }
        self.steps += 1;
        self.asks = self.prospects.is_some() && self.of_nodes.asks();
        self.look()?;
        self.skip(config)
    }

    /// Before [`Expander::ends`] is asked of moves from a state.
    pub fn begin(&mut self, state: &State, config: &Config) {
        self.before.fill(Bounds::OPEN);
        if self.prospects.is_some() && self.of_moves.pays() {
            self.here.clone_from(state);
            self.bound(false, config);
            self.before.clone_from(&self.bounds);
        }
    }

    /// Looks at what these moves of a role lead to all together, if that is faster; [`Expander::ends`] may be asked of each
    /// by its place, then.
    pub fn fan(&mut self, state: &State, joint: &[MoveId], role: usize, moves: &[MoveId]) -> bool {
        self.fan_cache.look(state, joint, role, moves)
    }

    /// Who is foreseen to win where the move of a place among these leads to, and within how many joint moves.
    pub fn winner(&self, place: usize) -> Option<(usize, u16)> {
        let (winner, plies) = self.fan_cache.winner(place)?;
        Some((winner.0, plies))
    }

    /// Whether play ends with a joint move, which was looked at with others if it has a place among them, or it is seen
    /// that nothing can change its results any more. If so, [`Expander::node`] has them.
    pub fn ends(
        &mut self,
        state: &State,
        joint: &[MoveId],
        fanned: Option<usize>,
        config: &Config,
    ) -> Result<bool, EngineError> {
        let over = match fanned {
            Some(place) => {
                let (state, over) = self.fan_cache.seen(place);
                self.here.clone_from(state);
                over
            }
            None => {
                self.engine.next(state, joint, &mut self.here)?;
                self.engine.terminal(&self.here)?
            }
        };
        self.steps += 1;
        self.status = Status::Over;
        if over {
            return Ok(true);
        }
        if self.prospects.is_none() || !self.of_moves.asks() {
            return Ok(false);
        }
        self.bound(true, config);
        let certain = self.bounds.iter().all(|bounds| bounds.is_exact());
        self.of_moves.note(certain);
        if certain {
            self.asks = true;
            self.look()?;
            self.skip(config)?;
        }
        Ok(certain)
    }

    /// Finds out what is proved of the results in the state of a node, if that is asked for.
    fn expect_of_node(&mut self, config: &Config) {
        if !self.asks {
            self.bounds.fill(Bounds::OPEN);
            return;
        }
        self.bound(false, config);
        let first = self.first.get_or_insert_with(|| self.bounds.clone());
        self.of_nodes.note(*first != self.bounds);
    }

    /// Finds out what is proved of the results by the facts that hold, in any state or in one that comes `after` that
    /// which moves are looked at from.
    fn bound(&mut self, after: bool, config: &Config) {
        let Some(prospects) = self.prospects.as_ref().filter(|_| config.solve) else {
            self.bounds.fill(Bounds::OPEN);
            return;
        };
        // Their order is that of the network, whatever the engine's own is.
        let asked = &mut self.asked;
        let bits = facts(&*self.engine, &self.here, asked, &mut self.bits);
        for (role, bounds) in self.bounds.iter_mut().enumerate() {
            let within = if after {
                self.before[role]
            } else {
                Bounds::OPEN
            };
            *bounds = prospects.bounds(bits, RoleId(role), within);
        }
        if let (Some(sum), [one, two]) = (config.sum, &mut self.bounds[..]) {
            (*one, *two) = (one.meet(two.rest(sum)), two.meet(one.rest(sum)));
        }
        // What contradicts itself comes from rules that give no result, or more than one.
        if self.bounds.iter().any(|bounds| bounds.low > bounds.high) {
            self.bounds.fill(Bounds::OPEN);
        }
    }

    /// The facts that hold in the state that it went to, bit by bit; none if the engine cannot tell.
    pub fn bits(&mut self) -> &[u64] {
        match self.plain {
            true => self.here.words(),
            false => self.facts(),
        }
    }

    /// The same in the order of the network, whatever the engine's own is.
    pub fn facts(&mut self) -> &[u64] {
        let asked = &mut self.asked;
        facts(&*self.engine, &self.here, asked, &mut self.bits)
    }

    /// Those of another state, in the order of the network.
    pub fn facts_of(&mut self, state: &State) -> &[u64] {
        facts(&*self.engine, state, &mut self.asked, &mut self.bits)
    }

    /// Those of another state.
    pub fn bits_of<'a>(&'a mut self, state: &'a State) -> &'a [u64] {
        match self.plain {
            true => state.words(),
            false => self.facts_of(state),
        }
    }

    /// The state that it went to.
    pub fn state(&self) -> &State {
        &self.here
    }

    /// A node for it.
    pub fn node(&mut self, config: &Config) -> Result<Node, EngineError> {
        let roles = self.options.len();
        if self.status != Status::Over {
            self.expect_of_node(config);
        }
        let mut stats: ByRole<RoleStats> = smallvec![RoleStats::NEW; roles];
        let kind = match self.status {
            Status::Over | Status::Stuck => {
                let missing = match self.status {
                    Status::Over => config.missing_goal,
                    _ => (100.0 * config.unknown) as u8,
                };
                for (role, role_stats) in stats.iter_mut().enumerate() {
                    let goal = self.engine.goal(&self.here, RoleId(role))?;
                    let mut goal = goal.unwrap_or(missing).min(100);
                    if self.status == Status::Stuck {
                        let bounds = self.bounds[role];
                        goal = goal.max(bounds.low).min(bounds.high);
                    }
                    role_stats.mean = f32::from(goal) / 100.0;
                    role_stats.square = role_stats.mean * role_stats.mean;
                    role_stats.bounds = Bounds::exactly(goal);
                }
                Kind::End
            }
            Status::Forced | Status::Choice => {
                for (role_stats, &bounds) in stats.iter_mut().zip(&self.bounds) {
                    role_stats.bounds = bounds;
                }
                let mut choosing = (0..roles).filter(|&role| self.options[role].len() > 1);
                match (choosing.next(), choosing.next()) {
                    (Some(_), Some(_)) => Kind::Several(Box::new(Mixed::new(&self.options))),
                    (one, _) => {
                        let role = one.unwrap_or(0);
                        let moves = self.options[role].clone().into_boxed_slice();
                        let joint = self.options.iter().map(|moves| moves[0]);
                        Kind::One {
                            role: role as u16,
                            edges: Box::default(),
                            moves,
                            joint: joint.collect(),
                        }
                    }
                }
            }
        };
        Ok(Node::new(self.here.clone(), kind, stats))
    }

    fn skip(&mut self, config: &Config) -> Result<(), EngineError> {
        let mut left = config.max_forced;
        while self.status == Status::Forced {
            if left == 0 {
                self.status = Status::Stuck;
                break;
            }
            left -= 1;
            self.joint.clear();
            self.joint.extend(self.options.iter().map(|moves| moves[0]));
            self.engine.next(&self.here, &self.joint, &mut self.there)?;
            std::mem::swap(&mut self.here, &mut self.there);
            self.steps += 1;
            self.look()?;
        }
        Ok(())
    }

    /// Finds out what there is to do.
    fn look(&mut self) -> Result<(), EngineError> {
        self.status = Status::Over;
        if self.engine.terminal(&self.here)? {
            return Ok(());
        }
        self.status = Status::Forced;
        for (role, moves) in self.options.iter_mut().enumerate() {
            self.engine.legal(&self.here, RoleId(role), moves)?;
            match moves.len() {
                0 => {
                    self.status = Status::Stuck;
                    return Ok(());
                }
                1 => {}
                _ => self.status = Status::Choice,
            }
        }
        Ok(())
    }
}

/// The facts of a state in `bits`, where those of `asked` are: states that are asked about one after the other are
/// much alike.
fn facts<'a>(
    engine: &dyn Engine,
    state: &State,
    asked: &mut State,
    bits: &'a mut State,
) -> &'a [u64] {
    if asked != state {
        if !engine.bits_since(asked, state, bits) {
            bits.words_mut().clear();
        }
        asked.clone_from(state);
    }
    bits.words()
}
