//! Accumulates the statistics of playouts.

use super::{Branching, Depth, First, Lengths, Report, Results, Role, Statistics};
use analysis::sampling::{LANES, Look, each};
use fixedbitset::FixedBitSet;
use invariants::Play;
use netlist::GameLogic;

/// Maximum number of states kept for closer examination.
const STATES: u64 = 256;

/// Counts of a role's choices so far.
#[derive(Default, Clone)]
struct Moves {
    sum: u64,
    max: u32,
    choosing: u64,
    choices: u64,
}

/// The statistics so far.
pub(super) struct Tally {
    roles: Vec<Moves>,
    states: u64,
    /// Length and results of the playouts that reached a terminal state.
    ended: Vec<(u32, Vec<Option<u8>>)>,
    cut: u64,
    stuck: u64,
    /// Steps of the playouts that did not.
    others: Vec<u32>,
    /// The role that chose first in the playout of each lane, and in all playouts: the inner
    /// `None` means several roles.
    now: [Option<Option<u16>>; LANES],
    first: Option<Option<u16>>,
    sample: Vec<FixedBitSet>,
    random: u64,
}

impl Tally {
    pub fn new(logic: &GameLogic, seed: u64) -> Self {
        Tally {
            roles: vec![Moves::default(); logic.roles()],
            states: 0,
            ended: Vec::new(),
            cut: 0,
            stuck: 0,
            others: Vec::new(),
            now: [None; LANES],
            first: None,
            sample: Vec::new(),
            random: seed,
        }
    }

    /// A number below `count`, from a separate small generator, splitmix64 (Steele, Lea and
    /// Flood, 2014), so that the sample does not change play.
    fn draw(&mut self, count: u64) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.random;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        game::share(word ^ word >> 31, count as usize) as u64
    }

    /// Adds one step of all lanes.
    pub fn look(&mut self, logic: &GameLogic, play: &mut Play<'_>, look: &Look) {
        for (moves, legal) in self.roles.iter_mut().zip(&look.legal) {
            let choosing = look.going & legal.several();
            moves.sum += legal.sum(look.going);
            moves.max = moves.max.max(legal.most(look.going));
            moves.choosing += u64::from(choosing.count_ones());
            moves.choices += legal.sum(choosing);
        }
        self.choosing(look);
        self.keep(logic, play, look);
        if look.over != 0 {
            play.results();
        }
        for lane in each(look.over) {
            let of = |row: &Vec<(u8, netlist::Lit)>| {
                let mut holds = row.iter().filter(|goal| play.word(goal.1) >> lane & 1 == 1);
                let one = holds.next().map(|goal| goal.0);
                one.filter(|_| holds.next().is_none())
            };
            let results = logic.goals.iter().map(of).collect();
            self.ended.push((look.age[lane], results));
        }
        self.cut += u64::from(look.cut.count_ones());
        self.stuck += u64::from(look.stuck.count_ones());
        for lane in each(look.cut | look.stuck) {
            self.others.push(look.age[lane]);
        }
    }

    /// Records which role chooses first.
    fn choosing(&mut self, look: &Look) {
        for lane in each(look.live()) {
            if look.age[lane] == 0 {
                self.now[lane] = None;
            }
        }
        let all = look.legal.iter().map(|legal| legal.several());
        let any = look.going & all.fold(0, |any, word| any | word);
        for lane in each(any) {
            if self.now[lane].is_some() {
                continue;
            }
            let choose = |role: &usize| look.legal[*role].several() >> lane & 1 == 1;
            let mut who = (0..look.legal.len()).filter(choose);
            let one = who.next().map(|role| role as u16);
            let one = one.filter(|_| who.next().is_none());
            self.now[lane] = Some(one);
            self.first = match self.first {
                Some(other) if other != one => Some(None),
                _ => Some(one),
            };
        }
    }

    /// Keeps some of the states in which moves are played, all with equal probability (Vitter's
    /// algorithm R, 1985).
    fn keep(&mut self, logic: &GameLogic, play: &Play<'_>, look: &Look) {
        for lane in each(look.going) {
            self.states += 1;
            let at = match self.states {
                count if count <= STATES => self.sample.len() as u64,
                count => self.draw(count),
            };
            if at >= STATES {
                continue;
            }
            let facts = logic.facts.iter().enumerate();
            let holds = facts.filter(|(_, lit)| play.word(**lit) >> lane & 1 == 1);
            let state: FixedBitSet = holds.map(|(fact, _)| fact).collect();
            match self.sample.get_mut(at as usize) {
                Some(place) => *place = state,
                None => self.sample.push(state),
            }
        }
    }

    /// The sampled states, each as the set of its facts.
    pub fn states(&self) -> &[FixedBitSet] {
        &self.sample
    }

    /// The final statistics.
    pub fn done(self) -> Statistics {
        let mut lengths: Vec<u32> = self.ended.iter().map(|playout| playout.0).collect();
        lengths.sort_unstable();
        let states = self.states.max(1) as f64;
        let role = |(role, moves): (usize, &Moves)| Role {
            branching: Branching {
                mean: moves.sum as f64 / states,
                max: moves.max,
                choosing: moves.choosing as f64 / states,
                mean_choice: moves.choices as f64 / moves.choosing.max(1) as f64,
            },
            results: results(self.ended.iter().map(|playout| playout.1[role])),
        };
        let roles: Vec<Role> = self.roles.iter().enumerate().map(role).collect();
        let first = self.first.flatten().and_then(|role| self.advantage(role));
        let pairs = |a: usize| (0..roles.len()).map(move |b| (a, b));
        let correlation = (0..roles.len()).map(|a| pairs(a).map(|(a, b)| self.correlation(a, b)));
        Statistics {
            playouts: self.ended.len() as u64,
            cut: self.cut,
            stuck: self.stuck,
            lengths: spread(&lengths),
            correlation: correlation.map(Iterator::collect).collect(),
            first,
            depths: depths(&lengths, &self.others),
            roles,
            decisive: Default::default(),
            report: Report {
                states: self.states,
                ..Report::default()
            },
        }
    }

    /// The correlation of the results of two roles.
    fn correlation(&self, a: usize, b: usize) -> Option<f64> {
        let both = |playout: &(u32, Vec<Option<u8>>)| Some((playout.1[a]?, playout.1[b]?));
        let pairs = self.ended.iter().filter_map(both);
        let pairs: Vec<(f64, f64)> = pairs.map(|(x, y)| (x.into(), y.into())).collect();
        let (x, y) = (
            mean(pairs.iter().map(|p| p.0)),
            mean(pairs.iter().map(|p| p.1)),
        );
        let sum =
            |of: fn(f64, f64) -> f64| -> f64 { pairs.iter().map(|p| of(p.0 - x, p.1 - y)).sum() };
        let scale = (sum(|x, _| x * x) * sum(|_, y| y * y)).sqrt();
        (scale > 0.0).then(|| sum(|x, y| x * y) / scale)
    }

    /// The mean difference between this role's result and those of the others.
    fn advantage(&self, role: u16) -> Option<First> {
        let others = self.roles.len() - 1;
        let difference = |playout: &(u32, Vec<Option<u8>>)| {
            let values: Option<Vec<f64>> = playout.1.iter().map(|v| v.map(f64::from)).collect();
            let values = values?;
            let own = values[usize::from(role)];
            let rest = values.iter().sum::<f64>() - own;
            (others > 0).then(|| own - rest / others as f64)
        };
        let differences: Vec<f64> = self.ended.iter().filter_map(difference).collect();
        let advantage = mean(differences.iter().copied());
        let count = differences.len() as f64;
        let squares = mean(
            differences
                .iter()
                .map(|d| (d - advantage) * (d - advantage)),
        );
        (count > 0.0).then(|| First {
            role,
            advantage,
            error: (squares / count).sqrt(),
        })
    }
}

/// The mean; 0 of nothing.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0u32, 0.0), |(count, sum), value| (count + 1, sum + value));
    sum / f64::from(count.max(1))
}

/// The distribution of lengths in ascending order.
fn spread(lengths: &[u32]) -> Lengths {
    let (Some(&min), Some(&max)) = (lengths.first(), lengths.last()) else {
        return Lengths::default();
    };
    // The least length that `of` percent do not exceed.
    let quantile = |of: usize| lengths[(lengths.len() * of).div_ceil(100).max(1) - 1];
    Lengths {
        mean: mean(lengths.iter().map(|&length| length.into())),
        min,
        max,
        quantiles: [5, 25, 50, 75, 95].map(quantile),
    }
}

/// The number of playouts at each depth.
fn depths(lengths: &[u32], others: &[u32]) -> Vec<Depth> {
    let longest = lengths.iter().chain(others).max();
    let mut depths = vec![Depth::default(); longest.map_or(0, |&most| most as usize + 1)];
    for &length in lengths {
        depths[length as usize].ended += 1;
    }
    for &length in lengths.iter().chain(others) {
        depths[length as usize].reached += 1;
    }
    for depth in (1..depths.len()).rev() {
        depths[depth - 1].reached += depths[depth].reached;
    }
    depths
}

/// The results of one role.
fn results(of: impl Iterator<Item = Option<u8>>) -> Results {
    let mut counts = [0u64; 256];
    let mut results = Results::default();
    for value in of {
        match value {
            Some(value) => counts[usize::from(value)] += 1,
            None => results.undefined += 1,
        }
    }
    let values = (0..=255u8).filter(|&value| counts[usize::from(value)] > 0);
    results.values = values
        .map(|value| (value, counts[usize::from(value)]))
        .collect();
    let total = results.values.iter().map(|v| v.1).sum::<u64>().max(1) as f64;
    let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
        let values = results.values.iter();
        values
            .map(|&(value, count)| count as f64 * of(value.into()))
            .sum()
    };
    let mean = sum(&|value| value) / total;
    let variance = sum(&|value| (value - mean) * (value - mean)) / total;
    (results.mean, results.deviation) = (mean, variance.sqrt());
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_observed_lengths() {
        assert_eq!(spread(&[]), Lengths::default());
        assert_eq!(spread(&[3]).quantiles, [3; 5]);
        let hundred: Vec<u32> = (1..=100).collect();
        assert_eq!(spread(&hundred).quantiles, [5, 25, 50, 75, 95]);
        assert_eq!(spread(&hundred).mean, 50.5);
    }

    #[test]
    fn depths_count_playouts_that_reached_them() {
        let depths = depths(&[0, 2, 2], &[1]);
        let pairs: Vec<(u64, u64)> = depths.iter().map(|d| (d.reached, d.ended)).collect();
        assert_eq!(pairs, [(4, 1), (3, 0), (2, 2)]);
    }

    #[test]
    fn results_have_mean_and_deviation() {
        let seen = [Some(0), Some(100), None, Some(100), Some(0)];
        let results = results(seen.into_iter());
        assert_eq!(results.values, [(0, 2), (100, 2)]);
        assert_eq!(
            (results.undefined, results.mean, results.deviation),
            (1, 50.0, 50.0)
        );
    }
}
