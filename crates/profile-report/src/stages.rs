//! What each analysis took.

use crate::page::Page;
use analysis::profile::Profile;
use serde_json::{Value, json};
use std::time::Duration;

pub fn text(profile: &Profile, page: &mut Page) {
    page.begin("time");
    let total: Duration = profile.stages.iter().map(|stage| stage.time).sum();
    let stages = profile.stages.iter().map(|stage| {
        let cut = stage.cut.map_or(String::new(), |why| format!(" ({why})"));
        format!("{} {:.3} s{cut}", stage.name, stage.time.as_secs_f64())
    });
    page.line(stages.collect::<Vec<_>>().join(", "));
    page.line(format!("together {:.3} s", total.as_secs_f64()));
}

pub fn json(profile: &Profile) -> Value {
    let stages = profile.stages.iter().map(|stage| {
        json!({
            "name": stage.name,
            "seconds": stage.time.as_secs_f64(),
            "cut": stage.cut.map(|why| why.to_string()),
        })
    });
    Value::Array(stages.collect())
}
