//! The corpus, beside what another program found there by sampling.

use crate::common::{corpus, groups};
use crate::shared::build;
use analysis::Evidence;
use analysis::structure::{Order, Structure};
use budget::Budget;
use gdl_parse::{ParseOptions, parse};
use std::collections::HashMap;
use std::time::{Duration, Instant};

#[test]
fn the_corpus_is_as_the_baseline_says() {
    let games = corpus();
    let Some(root) = games.first().and_then(|_| testkit::corpus()) else {
        return;
    };
    let text = std::fs::read_to_string(root.join("baselines/sancho-analysis.csv")).unwrap();
    let mut rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = rows.next().unwrap();
    let rows: HashMap<&str, Vec<&str>> = rows.map(|row| (row[0], row)).collect();
    let mut agreed: HashMap<&str, (u32, u32)> = HashMap::new();
    let mut times = Vec::new();
    for path in games {
        let name = path.file_stem().unwrap().to_string_lossy().to_string();
        let rules = std::fs::read_to_string(&path).unwrap();
        let sheet = parse(&rules, &ParseOptions::default()).sheet;
        let Some((_, logic)) = build(&sheet) else {
            println!("{name}: no network");
            continue;
        };
        let groups = groups(&logic, Duration::from_secs(1));
        let begun = Instant::now();
        let budget = Budget::system().with_timeout(Duration::from_secs(3));
        let found = Structure::find(&logic, &groups, 1, &budget);
        times.push((begun.elapsed(), name.clone()));
        let turns = &found.turns;
        println!(
            "{name}: {:?} {:?} fixed {:?} {:?} ({}..{:?}) iterated {:?} control {} chains {:?} {:?} {:?} {:.0?}",
            turns.order,
            turns.evidence,
            found.ends.fixed,
            found.ends.evidence,
            found.ends.least,
            found.ends.most,
            turns.iterated,
            found.control.facts.len(),
            found
                .control
                .chains
                .iter()
                .map(|c| (c.facts.len(), c.round))
                .collect::<Vec<_>>(),
            found.goals.sum,
            found.goals.evidence,
            begun.elapsed(),
        );
        if begun.elapsed() > Duration::from_millis(500) {
            println!("SLOW {name} {:.0?}", found.report);
        }
        let Some(row) = rows.get(name.as_str()) else {
            continue;
        };
        let simultaneous = turns.order == Order::Simultaneous;
        let largest = turns.roles.iter().map(|role| role.largest).max();
        let ours = [
            ("num_roles", logic.roles().to_string()),
            ("simultaneous", simultaneous.to_string()),
            ("pseudo_simultaneous", (turns.at_once > 0).to_string()),
            ("iterated", turns.iterated.is_some().to_string()),
            ("fixed_length", found.ends.fixed.is_some().to_string()),
            ("max_branching_factor", largest.unwrap_or(0).to_string()),
        ];
        for (column, ours) in ours {
            let theirs = row[names.iter().position(|&other| other == column).unwrap()];
            let count = agreed.entry(column).or_default();
            count.1 += 1;
            if theirs == ours {
                count.0 += 1;
            } else {
                let sure = match column {
                    "fixed_length" => found.ends.evidence,
                    _ => Evidence::Proved,
                };
                println!("DIFFERS {name} {column}: {ours} ({sure:?}), there {theirs}");
            }
        }
    }
    times.sort();
    println!("{agreed:?}");
    println!(
        "median {:.0?}, most {:.0?}",
        times[times.len() / 2],
        times.last()
    );
}
