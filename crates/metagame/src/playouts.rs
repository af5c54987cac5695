//! Playouts in lanes: how they are made, and whether they are used.

use crate::Switches;
use crate::timetable::{Stage, StartClock};
use budget::Budget;
use compile::Proved;
use game::{Engine, Playouts, Start, State};
use prepare::{Effort, Settings, lanes_beside};
use std::time::Duration;

/// Transitions in a playout after which it is cut.
///
/// A well-formed game ends by itself, so this only guards against those that do not.
pub(crate) const MAX_STEPS: usize = 5_000;

/// The most time for measuring a kind of playouts.
const TRIAL: Duration = Duration::from_millis(20);

/// Decisive moves are left out if they make playouts slower by more than this factor and have
/// little effect.
const DEAR: f64 = 2.0;

/// Decisive moves have little effect if they change the length of playouts by no more than this
/// part.
///
/// Then there are no wins one move away before the end.
const HARDLY: f64 = 0.05;

/// Playouts in lanes are used if a leaf takes no longer than this many times as long as with a
/// single playout.
const PATIENCE: f64 = 4.0;

/// The most time for playouts from all leaves of a batch.
///
/// With a second for a move, the results of one batch should influence many others. Where a
/// batch takes longer, it gets fewer leaves.
const LONGEST: Duration = Duration::from_millis(50);

/// The same bound where a leaf takes less time than with a single playout.
///
/// There single playouts would evaluate no more leaves in that time.
const LONGEST_IF_FASTER: Duration = Duration::from_millis(100);

/// A batch may take as long as this many single playouts, if a leaf takes less time than with one.
///
/// Where a single playout takes long, a move has time for a few of them only, and a batch
/// evaluates many leaves in the time of these.
const PLAYOUTS: f64 = 16.0;

/// Decisive moves are tried only where this many times the time of making playouts without them
/// is left: every move is looked at then.
const LOOKS: u32 = 8;

/// Playouts side by side are not begun where less time than this is left for each gate of a step.
///
/// Making them took two to four times as long on the machines that were measured, so they could
/// not be ready.
const GATE: Duration = Duration::from_micros(1);

/// The longest wait for one batch while measuring.
const WAIT: Duration = Duration::from_secs(1);

/// A batch is halved only if it then takes less than this part of the time.
///
/// Otherwise nothing is gained: a few lanes take as long as all.
const SHORTER: f64 = 0.8;

/// Playouts in lanes that are used.
pub(crate) struct SideBySide {
    pub playouts: Box<dyn Playouts>,
    /// The leaves of a batch, no more than the profile allows.
    pub leaves: u32,
    /// Whether roles play decisive moves.
    pub decisive: bool,
}

/// A kind of playouts.
struct Kind {
    playouts: Box<dyn Playouts>,
    takes: Measured,
    decisive: bool,
}

/// The cost of playouts from one of many leaves.
#[derive(Debug, Clone, Copy)]
struct Measured {
    /// Seconds per leaf.
    each: f64,
    /// The mean number of steps of a playout.
    length: f64,
}

/// Playouts in lanes, if they can be made and are fast enough.
///
/// They have decisive moves if `decisive` is set and these are not too expensive.
pub(crate) fn beside(
    engine: &dyn Engine,
    proved: &Proved,
    plain: &mut dyn Playouts,
    seed: u64,
    profile: &Switches,
    decisive: bool,
    clock: &mut StartClock,
) -> Option<SideBySide> {
    clock.begin(Stage::Playouts);
    let budget = clock.budget().clone();
    let making = Making {
        engine,
        proved,
        initial: engine.initial(),
        seed,
        profile,
        budget: &budget,
        least: least(proved),
    };
    let alone = leaf(plain, &making.initial, 1, 1, &budget)?.each;
    plain.reseed(seed);
    let Some(mut best) = making.best(decisive, clock) else {
        clock.decide(Stage::Playouts, "one at a time", "no others can be made");
        return None;
    };
    let longest = match best.takes.each <= alone {
        true => LONGEST_IF_FASTER.as_secs_f64().max(PLAYOUTS * alone),
        false => LONGEST.as_secs_f64(),
    };
    let (leaves, each) = fitting(profile.leaves, best.takes.each, longest, |leaves| {
        Some(making.measure(&mut *best.playouts, leaves)?.each)
    });
    best.playouts.reseed(seed);
    let worth = each <= PATIENCE * alone && each * f64::from(leaves) <= longest;
    let decided = match worth {
        true => "side by side",
        false => "one at a time",
    };
    let [one, many] = [alone, each].map(|seconds| seconds * 1e6);
    let why = format!(
        "each of {leaves} leaves takes {many:.1} µs with {} playouts side by side{}, {one:.1} µs with one by itself",
        profile.per_leaf,
        if best.decisive { ", wins taken" } else { "" }
    );
    let numbers = [("beside_us", many), ("alone_us", one)];
    clock.measured(Stage::Playouts, decided, why, numbers);
    worth.then_some(SideBySide {
        playouts: best.playouts,
        leaves,
        decisive: best.decisive,
    })
}

/// The inputs from which playouts are made.
struct Making<'a> {
    engine: &'a dyn Engine,
    proved: &'a Proved,
    initial: State,
    seed: u64,
    profile: &'a Switches,
    budget: &'a Budget,
    /// The least time that making them takes.
    least: Duration,
}

impl Making<'_> {
    /// The fastest of the wanted kinds.
    ///
    /// The kinds without proofs are made first: where proofs take most of the time, none may be
    /// left to build good programs with them.
    fn best(&self, decisive: bool, clock: &mut StartClock) -> Option<Kind> {
        let at_once = Effort::AtOnce(&self.proved.compiled);
        let since = self.budget.clock().now();
        let mut best = self.kind(false, false, at_once);
        let took = self.budget.clock().now().saturating_sub(since);
        let lasts = |time| {
            let left = Stage::Playouts.share(self.budget).remaining();
            left.is_none_or(|left| left >= time)
        };
        if decisive && lasts(LOOKS * took) {
            best = self.taking(best, at_once, clock);
        } else if decisive {
            let decided = "wins are not taken in them";
            clock.decide(Stage::Playouts, decided, "that would take too long");
        }
        let decisive = best.as_ref().map_or(decisive, |best| best.decisive);
        // Proofs do not make it shorter to build them.
        if !lasts(took) {
            return best;
        }
        match (
            best,
            self.kind(decisive, decisive, Effort::Thorough(self.proved)),
        ) {
            (Some(best), Some(better)) if better.takes.each >= best.takes.each => Some(best),
            (best, better) => better.or(best),
        }
    }

    /// Playouts with decisive moves, or those `without` them where decisive moves are expensive
    /// and have little effect.
    fn taking(
        &self,
        without: Option<Kind>,
        effort: Effort<'_>,
        clock: &mut StartClock,
    ) -> Option<Kind> {
        let taking = self.kind(true, true, effort);
        let Some(without) = without else {
            return taking;
        };
        let Some(taking) = taking else {
            let decided = "wins are not taken in them";
            clock.decide(Stage::Playouts, decided, "that takes too long");
            return Some(without);
        };
        let dear = is_dear(without.takes, taking.takes)
            && is_alike(without.takes, self.unprevented(&taking, effort));
        if !dear {
            return Some(taking);
        }
        let times = taking.takes.each / without.takes.each;
        let why = format!("they change little, and playouts would take {times:.1} times as long");
        clock.decide(Stage::Playouts, "wins are not taken in them", why);
        Some(without)
    }

    /// The cost of playouts with decisive moves but without moves that prevent wins, or that of
    /// `taking` if these cannot be made.
    ///
    /// Prevented wins can make playouts as long again as without decisive moves, which would
    /// hide the effect.
    fn unprevented(&self, taking: &Kind, effort: Effort<'_>) -> Measured {
        let others = self.profile.anti_decisive || self.profile.careful;
        let alone = others.then(|| self.kind(true, false, effort));
        alone.flatten().map_or(taking.takes, |alone| alone.takes)
    }

    /// Playouts of one kind: with decisive moves or without, and with wins prevented as far as
    /// the profile says.
    fn kind(&self, decisive: bool, prevented: bool, effort: Effort<'_>) -> Option<Kind> {
        self.budget.check().ok()?;
        let settings = Settings {
            seed: self.seed,
            max_steps: MAX_STEPS,
            decisive,
            anti_decisive: prevented && self.profile.anti_decisive,
            careful: prevented && self.profile.careful,
            ..Settings::default()
        };
        let share = Stage::Playouts.share(self.budget);
        if share.remaining().is_some_and(|left| left < self.least) {
            return None;
        }
        let (mut playouts, _) = lanes_beside(self.engine, effort, &settings, &share);
        let takes = self.measure(&mut *playouts, self.profile.leaves)?;
        Some(Kind {
            playouts,
            takes,
            decisive,
        })
    }

    fn measure(&self, playouts: &mut dyn Playouts, leaves: u32) -> Option<Measured> {
        let budget = self.budget.clone().with_timeout(WAIT);
        leaf(
            playouts,
            &self.initial,
            leaves,
            self.profile.per_leaf,
            &budget,
        )
    }
}

/// The least time that making playouts of a game takes.
fn least(proved: &Proved) -> Duration {
    let logics = proved.compiled.phased.logics.iter();
    let gates: usize = logics.map(|logic| logic.sizes().step).sum();
    GATE.saturating_mul(u32::try_from(gates).unwrap_or(u32::MAX))
}

/// Whether decisive moves make playouts expensive.
fn is_dear(without: Measured, taking: Measured) -> bool {
    taking.each > DEAR * without.each
}

/// Whether playouts with decisive moves are about as long as those without.
fn is_alike(without: Measured, taking: Measured) -> bool {
    (taking.length / without.length - 1.0).abs() <= HARDLY
}

/// The number of leaves of a batch that takes no longer than `longest` seconds, and the seconds
/// for each leaf.
///
/// It begins with `leaves` leaves that take `each` seconds, and halves them while `measure`
/// shows a gain.
fn fitting(
    mut leaves: u32,
    mut each: f64,
    longest: f64,
    mut measure: impl FnMut(u32) -> Option<f64>,
) -> (u32, f64) {
    while leaves > 1 && each * f64::from(leaves) > longest {
        let fewer = leaves / 2;
        // Halving must make the batch shorter.
        let less = SHORTER * each * f64::from(leaves) / f64::from(fewer);
        let Some(measured) = measure(fewer).filter(|&measured| measured < less) else {
            break;
        };
        (leaves, each) = (fewer, measured);
    }
    (leaves, each)
}

/// Measures playouts from this many leaves.
fn leaf(
    playouts: &mut dyn Playouts,
    state: &State,
    leaves: u32,
    per_leaf: u32,
    budget: &Budget,
) -> Option<Measured> {
    let clock = budget.clock().clone();
    let start = Start {
        state,
        playouts: u64::from(per_leaf),
    };
    let starts = vec![start; leaves as usize];
    let mut tallies = Vec::new();
    let (begin, mut calls, mut steps) = (clock.now(), 0u32, 0);
    loop {
        playouts.run(&starts, &mut tallies, budget).ok()?;
        calls += 1;
        steps += tallies.iter().map(|tally| tally.steps).sum::<u64>();
        let spent = clock.now().saturating_sub(begin);
        if spent >= TRIAL || calls == 1000 {
            let made = f64::from(calls) * f64::from(leaves);
            return Some(Measured {
                each: spent.as_secs_f64() / made,
                length: steps as f64 / (made * f64::from(per_leaf)),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_has_few_enough_leaves_to_be_short() {
        let each = |seconds: f64| move |_: u32| Some(seconds);
        assert_eq!(fitting(64, 5e-4, 0.05, each(5e-4)), (64, 5e-4));
        assert_eq!(fitting(64, 2e-3, 0.05, each(2e-3)), (16, 2e-3));
        // Half a batch may take more than half as long.
        let batch = |leaves: u32| Some(0.02 / f64::from(leaves) + 5e-4);
        assert_eq!(fitting(64, 0.052 / 64.0, 0.05, batch).0, 32);
        // Half a batch may take as long as all of it.
        let batch = |leaves: u32| Some(0.1 / f64::from(leaves));
        assert_eq!(fitting(64, 0.1 / 64.0, 0.05, batch), (64, 0.1 / 64.0));
        // A single leaf may take too long, and time may end before anything fits.
        assert_eq!(fitting(64, 1.0, 0.05, each(1.0)), (1, 1.0));
        assert_eq!(fitting(64, 1.0, 0.05, |_| None), (64, 1.0));
    }

    #[test]
    fn cost_and_effect_of_decisive_moves_have_thresholds() {
        let takes = |each, length| Measured { each, length };
        assert!(is_dear(takes(1.0, 70.0), takes(3.8, 71.0)));
        assert!(!is_dear(takes(1.0, 70.0), takes(1.2, 71.0)));
        assert!(is_alike(takes(1.0, 70.0), takes(3.8, 71.0)));
        assert!(!is_alike(takes(1.0, 29.0), takes(3.8, 18.0)));
        assert!(!is_alike(takes(1.0, 28.0), takes(3.8, 33.0)));
    }
}
