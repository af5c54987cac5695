//! The payoff matrix of two roles, and an equilibrium of it.

use super::arm::guaranteed;
use super::joint_stats::JointStats;
use crate::graph::Graph;
use crate::node::Node;
use crate::{Config, Forecast, Simultaneous};

/// The payoff matrix.
struct Payoffs {
    /// The two roles.
    roles: [usize; 2],
    /// The indices of their moves that are in the matrix.
    support: [Vec<usize>; 2],
    /// For each move of the first role, and each of the second, the values for both, 0 to 1.
    rows: Vec<Vec<[f64; 2]>>,
}

impl Payoffs {
    /// Replaces payoffs by those against a forecast of the role that is not `own`, in proportion
    /// to its trust.
    fn apply_forecast(&mut self, joint_stats: &JointStats, own: usize, forecast: &Forecast) {
        let arms = joint_stats.arms(self.roles[1 - own]);
        let places = self.support[1 - own].iter();
        let chances: Vec<f64> = places
            .map(|&place| {
                let mut moves = forecast.moves.iter();
                let found = moves.find(|&&(mv, _)| mv == arms[place].mv);
                found.map_or(0.0, |found| found.1)
            })
            .collect();
        // The part of the forecast on moves outside the matrix counts as not trusted.
        let known: f64 = chances.iter().sum();
        if known <= 0.0 {
            return;
        }
        let trust = forecast.trust * known.min(1.0);
        for mine in 0..self.support[own].len() {
            let cell = |other: usize| {
                if own == 0 {
                    (mine, other)
                } else {
                    (other, mine)
                }
            };
            let expected = chances.iter().enumerate().map(|(other, chance)| {
                let (row, column) = cell(other);
                chance / known * self.rows[row][column][own]
            });
            let expected: f64 = expected.sum();
            for other in 0..chances.len() {
                let (row, column) = cell(other);
                let payoff = &mut self.rows[row][column][own];
                *payoff = (1.0 - trust) * *payoff + trust * expected;
            }
        }
    }
}

/// The mixed strategy of a role, where two choose at once; `None` if too little is known of the
/// joint moves.
///
/// With a forecast of the other role, it is the best strategy if the forecast is right with the
/// chance of its trust, and the other role plays its best against it otherwise ("restricted Nash
/// response": Johanson, Zinkevich and Bowling, "Computing Robust Counter-Strategies", 2007).
pub(crate) fn equilibrium(
    graph: &Graph,
    joint_stats: &JointStats,
    role: usize,
    forecast: Option<&Forecast>,
    config: &Config,
) -> Option<Vec<f64>> {
    let mut payoffs = payoff_matrix(graph, joint_stats, &config.simultaneous)?;
    let own = usize::from(role == payoffs.roles[1]);
    if let Some(forecast) = forecast.filter(|it| it.role.0 == payoffs.roles[1 - own]) {
        payoffs.apply_forecast(joint_stats, own, forecast);
    }
    let found = super::matrix::solve(&payoffs.rows, &config.simultaneous);
    let mut chances = vec![0.0; joint_stats.arms(role).len()];
    for (&arm, &chance) in payoffs.support[own].iter().zip(&found[own]) {
        chances[arm] = chance;
    }
    Some(chances)
}

/// The payoff matrix of moves with many visits; `None` if the number of roles that choose is not
/// two, or too little is known.
fn payoff_matrix(
    graph: &Graph,
    joint_stats: &JointStats,
    config: &Simultaneous,
) -> Option<Payoffs> {
    let roles = joint_stats.roles().enumerate();
    let deciders = roles.filter(|(_, arms)| arms.len() > 1);
    let deciders: Vec<usize> = deciders.map(|(role, _)| role).collect();
    let &[first, second] = &deciders[..] else {
        return None;
    };
    let often = |role: usize| -> Vec<usize> {
        let arms = joint_stats.arms(role);
        let most = arms.iter().map(|arm| arm.visits).max().unwrap_or(0);
        let (least, guaranteed) = (config.payoff_part * f64::from(most), guaranteed(arms));
        (0..arms.len())
            .filter(|&arm| {
                f64::from(arms[arm].visits) >= least && arms[arm].is_undominated(guaranteed)
            })
            .collect()
    };
    let support = [often(first), often(second)];
    let mut choices = vec![0u32; joint_stats.roles().count()];
    let mut rows = Vec::new();
    for &a in &support[0] {
        let mut row = Vec::new();
        for &b in &support[1] {
            (choices[first], choices[second]) = (a as u32, b as u32);
            let edge = joint_stats.edge(&choices)?;
            let child = graph.get(edge.child?)?;
            if edge.visits < config.payoff_visits && !child.is_solved() {
                return None;
            }
            row.push([child_value(&child, first)?, child_value(&child, second)?]);
        }
        rows.push(row);
    }
    Some(Payoffs {
        roles: [first, second],
        support,
        rows,
    })
}

/// The value of a child for a role, 0 to 1; `None` if it has no samples and no proved result.
pub(crate) fn child_value(child: &Node, role: usize) -> Option<f64> {
    let known = child.samples > 0 || child.stats[role].bounds.is_exact();
    known.then(|| child.stats[role].value(child.samples))
}
