//! Statistics of random play.

use crate::page::{Page, some};
use crate::words;
use profile::Profile;
use serde_json::{Value, json};

pub fn text(profile: &Profile, page: &mut Page) {
    let (play, words) = (&profile.play, &profile.compiled.logic.words);
    page.begin("play");
    let lengths = play.lengths;
    page.line(format!(
        "{} random playouts of {} to {} steps, {:.1} in the mean; {} cut",
        play.playouts, lengths.min, lengths.max, lengths.mean, play.cut
    ));
    if play.stuck > 0 {
        page.line(format!(
            "{} came to a state without a legal move that is not terminal",
            play.stuck
        ));
    }
    for (number, role) in play.roles.iter().enumerate() {
        let results = role.results.values.iter();
        let all: u64 = role.results.values.iter().map(|&(_, count)| count).sum();
        let results = results.map(|&(value, count)| {
            format!(
                "{value} in {:.0} %",
                count as f64 * 100.0 / all.max(1) as f64
            )
        });
        page.line(format!(
            "  {}: {:.1} moves where there is a choice; result {:.1} in the mean, {}",
            words::role(words, number),
            role.branching.mean_choice,
            role.results.mean,
            some(results)
        ));
    }
    if let Some(first) = play.first {
        page.line(format!(
            "{}, who chooses first, gets {:+.1} ± {:.1} more than the others",
            words::role(words, first.role.into()),
            first.advantage,
            first.error
        ));
    }
    for (role, row) in play.correlation.iter().enumerate() {
        for (other, value) in row.iter().enumerate().skip(role + 1) {
            if let Some(value) = value {
                page.line(format!(
                    "correlation of the results of {} and {}: {value:+.2}",
                    words::role(words, role),
                    words::role(words, other)
                ));
            }
        }
    }
    let decisive = play.decisive.states.iter().zip(&play.decisive.decided);
    let decisive: Vec<String> = decisive
        .enumerate()
        .filter(|(_, (states, _))| **states > 0)
        .map(|(role, (&states, &decided))| {
            let share = decided as f64 * 100.0 / states as f64;
            format!("{} {share:.1} %", words::role(words, role))
        })
        .collect();
    if !decisive.is_empty() {
        page.line(format!(
            "a single move wins, of states with a choice: {}",
            some(decisive.into_iter())
        ));
    }
}

pub fn json(profile: &Profile) -> Value {
    let play = &profile.play;
    let roles = play.roles.iter().map(|role| {
        json!({
            "branching": {
                "mean": role.branching.mean,
                "max": role.branching.max,
                "choosing": role.branching.choosing,
                "mean_choice": role.branching.mean_choice,
            },
            "results": {
                "values": role.results.values,
                "undefined": role.results.undefined,
                "mean": role.results.mean,
                "deviation": role.results.deviation,
            },
        })
    });
    let depths = play.depths.iter().map(|depth| [depth.reached, depth.ended]);
    let lengths = play.lengths;
    json!({
        "playouts": play.playouts,
        "cut": play.cut,
        "stuck": play.stuck,
        "lengths": {
            "mean": lengths.mean,
            "min": lengths.min,
            "max": lengths.max,
            "quantiles": lengths.quantiles,
        },
        "roles": roles.collect::<Vec<_>>(),
        "correlation": play.correlation,
        "first": play.first.map(|first| json!({
            "role": first.role,
            "advantage": first.advantage,
            "error": first.error,
        })),
        "decisive": { "states": play.decisive.states, "decided": play.decisive.decided },
        "reached_and_ended_by_step": depths.collect::<Vec<_>>(),
    })
}
