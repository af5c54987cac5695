//! Checks ground rules against golden traces: `golden_all CORPUS [SECONDS] [STATES] [WORD ...]`.

#[path = "../tests/support/mod.rs"]
mod support;

use budget::Budget;
use std::path::Path;
use std::time::Duration;

fn main() {
    let mut args = std::env::args().skip(1);
    let corpus = args.next().unwrap_or_else(|| "../shared".into());
    let corpus = Path::new(&corpus);
    let seconds: f64 = args.next().and_then(|s| s.parse().ok()).unwrap_or(10.0);
    let states: usize = args.next().and_then(|s| s.parse().ok()).unwrap_or(30);
    let words: Vec<String> = args.collect();
    let (mut passed, mut failed) = (0, 0);
    for path in testkit::files(&corpus.join("games"), "kif") {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if !words.is_empty() && !words.iter().any(|w| name.contains(w.as_str())) {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap_or_default();
        let parsed = gdl_parse::parse_bytes(&bytes, &Default::default());
        let program = datalog::Program::from_sheet(&parsed.sheet);
        let budget = Budget::system()
            .with_timeout(Duration::from_secs_f64(seconds))
            .with_memory(2 << 30);
        let outcome = grounding::ground(&program, &budget)
            .map_err(|e| e.to_string())
            .and_then(|grounding| {
                let trace = corpus.join(format!("golden/{name}.jsonl.gz"));
                support::replay(&grounding.game, &trace, states)
            });
        match outcome {
            Ok(_) => passed += 1,
            Err(problem) => {
                failed += 1;
                let short: String = problem.chars().take(600).collect();
                println!("{name}: {short}");
            }
        }
    }
    println!("{passed} passed, {failed} failed");
}
