//! The time of each analysis.

use crate::page::Page;
use profile::Profile;
use serde_json::{Value, json};
use std::time::Duration;

pub fn text(profile: &Profile, page: &mut Page) {
    page.begin("time");
    let total: Duration = profile.stages.iter().map(|stage| stage.time).sum();
    let stages = profile.stages.iter().map(|stage| {
        let note = match (stage.cut, stage.bounded) {
            (Some(why), _) => format!(" ({why})"),
            (None, true) => " (what takes more effort was not tried)".to_string(),
            (None, false) => String::new(),
        };
        format!("{} {:.3} s{note}", stage.name, stage.time.as_secs_f64())
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
            "bounded": stage.bounded,
        })
    });
    Value::Array(stages.collect())
}
