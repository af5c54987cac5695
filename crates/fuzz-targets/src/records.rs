//! Match record → replay by the rules.

use crate::limits;
use matches::{Record, validate};
use prepare::{EngineChoice, Options, prepare};

/// A record is read and replayed, or refused with an error. Written again, it is the same.
pub(crate) fn check(data: &[u8]) {
    let Ok(record) = Record::from_json(&String::from_utf8_lossy(data)) else {
        return;
    };
    let again = Record::from_json(&record.to_json());
    assert_eq!(
        again.as_ref(),
        Ok(&record),
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
