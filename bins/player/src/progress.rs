//! Shows what a command is doing while one waits: on the standard error, on terminals only.

use budget::{Budget, Watch};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::time::Duration;

/// What takes less time than this is not shown.
const PATIENCE: Duration = Duration::from_millis(500);
/// The time between two pictures.
const TICK: Duration = Duration::from_millis(100);

/// A line that shows what is going on, until it is dropped.
pub struct Working {
    bar: ProgressBar,
}

impl Working {
    /// Shows that `what` is being done, and of the work on the returned budget which step it has
    /// reached, how long it has taken, and how long it may take.
    pub fn on(what: impl Into<String>, budget: &Budget) -> (Working, Budget) {
        let watch = Watch::default();
        let most = budget.remaining();
        let (what, seen) = (what.into(), watch.clone());
        let line = move |state: &ProgressState, out: &mut dyn Write| {
            let time = state.elapsed();
            if time >= PATIENCE {
                // A terminal that cannot be written to shows nothing.
                let _ = out.write_str(&step(&what, seen.step(), time, most));
            }
        };
        let style = ProgressStyle::with_template("{line}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        let bar = ProgressBar::new_spinner().with_style(style.with_key("line", line));
        bar.enable_steady_tick(TICK);
        (Working { bar }, budget.clone().with_watch(watch))
    }

    /// Shows a text, cut to the width of the terminal, which [`Working::say`] replaces.
    pub fn line(text: String) -> Working {
        let style = ProgressStyle::with_template("{spinner} {wide_msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        let bar = ProgressBar::new_spinner()
            .with_style(style)
            .with_message(text);
        bar.enable_steady_tick(TICK);
        Working { bar }
    }

    /// Replaces the text.
    pub fn say(&self, text: String) {
        self.bar.set_message(text);
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// What is being done and since when: `chess.gdl: grounding, 3 s of at most 10 s`.
fn step(what: &str, step: &str, time: Duration, most: Option<Duration>) -> String {
    let mut text = what.to_owned();
    if !step.is_empty() {
        let _ = write!(text, ": {step}");
    }
    let _ = write!(text, ", {} s", time.as_secs());
    if let Some(most) = most {
        let _ = write!(text, " of at most {:.0} s", most.as_secs_f64());
    }
    text + " (Ctrl-C to stop)"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_shown_with_its_time() {
        let seconds = Duration::from_secs;
        assert_eq!(
            step("chess.gdl", "grounding", seconds(3), Some(seconds(10))),
            "chess.gdl: grounding, 3 s of at most 10 s (Ctrl-C to stop)"
        );
        assert_eq!(
            step("a.gdl", "", seconds(1), None),
            "a.gdl, 1 s (Ctrl-C to stop)"
        );
    }

    #[test]
    fn the_work_tells_its_steps_through_the_budget() {
        let (_working, budget) = Working::on("a.gdl", &Budget::system());
        budget.begins("grounding");
        assert!(budget.check().is_ok());
    }
}
