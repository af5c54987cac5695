//! Grounds every rulesheet in a folder (or those whose names contain one of the words given) and
//! prints what it took: `ground_all FOLDER [SECONDS] [WORD ...]`.

use budget::Budget;
use std::path::Path;
use std::time::{Duration, Instant};

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = args.next().unwrap_or_else(|| "../shared/games".into());
    let seconds: f64 = args.next().and_then(|s| s.parse().ok()).unwrap_or(10.0);
    let words: Vec<String> = args.collect();
    let mut paths: Vec<_> = testkit::files(Path::new(&folder), "kif");
    paths.extend(testkit::files(Path::new(&folder), "gdl"));
    println!(
        "{:32} {:>9} {:>9} {:>9} {:>9} {:>9} {:>10} {:>8} {:>8}  stages",
        "game", "facts", "moves", "atoms", "rules", "instances", "steps", "seconds", "MiB"
    );
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if !words.is_empty() && !words.iter().any(|w| name.contains(w.as_str())) {
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else {
            println!("{name:32} unreadable");
            continue;
        };
        let start = Instant::now();
        let parsed = gdl_parse::parse_bytes(&bytes, &Default::default());
        let program = datalog::Program::from_sheet(&parsed.sheet);
        let lowered = start.elapsed();
        let budget = Budget::system()
            .with_timeout(Duration::from_secs_f64(seconds))
            .with_memory(2 << 30);
        let result = grounding::ground(&program, &budget);
        let took = start.elapsed().as_secs_f64();
        match result {
            Ok(grounding) => {
                let (game, report) = (&grounding.game, &grounding.report);
                let moves: usize = game.moves.iter().map(Vec::len).sum();
                print!(
                    "{name:32} {:9} {moves:9} {:9} {:9} {:9} {:10} {took:8.3} {:8.1}  lower {:.3}",
                    game.facts.len(),
                    game.atoms.len(),
                    game.rules.len(),
                    report.instances,
                    report.steps,
                    report.peak_bytes as f64 / (1 << 20) as f64,
                    lowered.as_secs_f64(),
                );
                for (_, time) in &report.timings {
                    print!(" {:.3}", time.as_secs_f64());
                }
                println!();
            }
            Err(error) => println!("{name:32} FAILED after {took:.3} s: {error}"),
        }
    }
}
