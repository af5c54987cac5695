//! Match record → replay by the rules.

use crate::limits;
use prepare::{EngineChoice, Options, prepare};
use records::{Record, validate};

/// A record is read and replayed, or refused with an error. Written again, it is the same.
pub(crate) fn check(data: &[u8]) {
    let Ok(record) = Record::parse(&String::from_utf8_lossy(data)) else {
        return;
    };
    let again = Record::parse(&record.to_json());
    assert!(
        again.is_ok_and(|again| again == record),
        "written as {}",
        record.to_json()
    );
    let budget = limits::budget();
    let options = Options {
        engine: EngineChoice::Reasoner,
        ..Options::default()
    };
    let Ok(made) = prepare(&record.rulesheet, &options, &budget) else {
        return;
    };
    let mut engine = made.playable.engine;
    engine.set_budget(&budget);
    if let Err(violation) = validate(&record, &mut *engine) {
        assert!(!violation.to_string().is_empty());
    }
}
