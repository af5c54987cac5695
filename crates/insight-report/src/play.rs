//! What was played, learnt and tested.

use crate::words::games;
use insight::{Insight, LEVEL, Told};
use profile_report::page::{Page, count};

pub fn text(insight: &Insight, page: &mut Page) {
    page.begin("learnt");
    let judged = match &insight.learnt {
        Told::Value { progress, judged } => {
            page.line(format!(
                "{} against itself, {} states; the first role got {:.0} % of late ones",
                games(progress.games),
                progress.examples,
                100.0 * progress.result
            ));
            if progress.alarms > 0 {
                let times = count(progress.alarms as usize, "time");
                page.line(format!("weights diverged {times} and were taken back"));
            }
            format!(" and {} of learnt play", games((*judged).into()))
        }
        Told::TooFew { progress } => {
            page.line(format!(
                "{} against itself: too few, so that results of random play stand for the value",
                games(progress.games)
            ));
            String::new()
        }
        Told::Nothing { why } => {
            page.line(format!(
                "nothing: {why}; results of random play stand for the value"
            ));
            String::new()
        }
    };
    page.begin("judged by");
    page.line(format!(
        "{} of random play{judged}",
        games(insight.random.into())
    ));
    page.line(format!(
        "{} in {}; a finding is reported if chance would show it with a probability",
        count(insight.subjects, "subject"),
        count(insight.tests as usize, "test"),
    ));
    page.line(format!(
        "below {:.1e}, so that chance shows any in {} % of all reports at most (Bonferroni)",
        insight.most(),
        100.0 * LEVEL
    ));
    page.line("all figures are points of a role's result, 0 to 100, for each one more");
    if let Some(why) = insight.exhausted {
        page.line(format!("not all was judged: {why}"));
    }
    if insight.findings.is_empty() {
        page.begin("findings");
        page.line(match (insight.tests, insight.exhausted) {
            (0, Some(_)) => "none: there was no time to judge; more --seconds may help",
            _ => "nothing is beyond chance",
        });
    }
}
