//! The time for each analysis.

use crate::{Progress, Stage};
use budget::{Budget, Exhausted};

/// The analyses in order, with their shares of the time.
const WEIGHTS: [(&str, u32); 11] = [
    ("groups", 4),
    ("structure", 2),
    ("play", 2),
    ("numbers", 2),
    ("latches", 5),
    ("goals", 6),
    ("factors", 3),
    ("boards", 2),
    ("symmetries", 2),
    ("distances", 3),
    ("moves", 1),
];

/// The way in which an analysis ended.
#[derive(Clone, Copy)]
pub(super) struct End {
    cut: Option<Exhausted>,
    bounded: bool,
}

impl End {
    pub fn new(cut: Option<Exhausted>, bounded: bool) -> Self {
        End { cut, bounded }
    }
}

impl From<Option<Exhausted>> for End {
    fn from(cut: Option<Exhausted>) -> Self {
        End::new(cut, false)
    }
}

/// Distributes the time.
pub(super) struct Shares<'a> {
    budget: &'a Budget,
    watch: &'a mut dyn FnMut(Progress<'_>),
    pub stages: Vec<Stage>,
}

impl<'a> Shares<'a> {
    pub fn new(budget: &'a Budget, watch: &'a mut dyn FnMut(Progress<'_>)) -> Self {
        Shares {
            budget,
            watch,
            stages: Vec::new(),
        }
    }

    /// Runs an analysis within its share of the time left. The analysis returns its result, and
    /// how it ended.
    pub fn spend<T>(
        &mut self,
        name: &'static str,
        analysis: impl FnOnce(&Budget) -> (T, End),
    ) -> T {
        (self.watch)(Progress::Begun(name));
        let clock = self.budget.clock();
        let begun = clock.now();
        let (found, end) = analysis(&self.share(name));
        let stage = Stage {
            name,
            time: clock.now().saturating_sub(begun),
            cut: end.cut,
            bounded: end.bounded,
        };
        (self.watch)(Progress::Ended(&stage));
        self.stages.push(stage);
        found
    }

    fn share(&self, name: &str) -> Budget {
        let rest = WEIGHTS.iter().skip_while(|stage| stage.0 != name);
        let mut weights = rest.map(|stage| stage.1);
        let own = weights.next().unwrap_or(1);
        let all = own + weights.sum::<u32>();
        match self.budget.remaining() {
            Some(left) => self.budget.clone().with_timeout(left * own / all),
            None => self.budget.clone(),
        }
    }
}
