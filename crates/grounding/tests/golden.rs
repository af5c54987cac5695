//! Naive evaluation of the ground rules reproduces golden traces.

mod support;

use budget::Budget;

/// Number of states compared per game. The naive evaluator examines every rule for every state.
const STATES: usize = 8;

/// Games that need more memory are tested by the conformance run only.
const MAX_BYTES: usize = 4 << 20;

#[test]
fn golden_traces_are_reproduced() {
    let Some(corpus) = testkit::corpus() else {
        return;
    };
    let mut failures = Vec::new();
    let mut replayed = 0;
    for path in testkit::files(&corpus.join("games"), "kif") {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let bytes = std::fs::read(&path).expect("the rulesheet can be read");
        let parsed = gdl_parse::parse_bytes(&bytes, &Default::default());
        let program = datalog::Program::from_sheet(&parsed.sheet);
        let budget = Budget::system().with_memory(MAX_BYTES);
        let grounding = match grounding::ground(&program, &budget) {
            Ok(grounding) => grounding,
            Err(grounding::GroundError::Budget { .. }) => continue,
            Err(error) => {
                failures.push(format!("{name}: {error}"));
                continue;
            }
        };
        let trace = corpus.join(format!("golden/{name}.jsonl.gz"));
        match support::replay(&grounding.game, &trace, STATES) {
            Ok(states) => {
                assert!(states > 0, "{name}: the trace is empty");
                replayed += 1;
            }
            Err(problem) => failures.push(format!("{name}: {problem}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(replayed > 0);
}
