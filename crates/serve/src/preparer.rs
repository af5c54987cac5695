//! Making engines from rules, as the service needs it.

use budget::Budget;
use compile::Playable;
use gdl_parse::LineColumn;
use prepare::{EngineChoice, Prepared};
use tracing::{debug, info};

/// Makes engines from rules.
pub trait Preparer: Send + Sync {
    /// An engine that is available almost at once and always right.
    ///
    /// # Errors
    /// Why the rules cannot be played, for the log.
    fn quick(&self, rules: &str, budget: &Budget) -> Result<Playable, String>;

    /// Makes better engines, each passed to `put` as soon as it is ready and better than those
    /// before.
    ///
    /// # Errors
    /// Why the best of them is missing, for the log.
    fn better(
        &self,
        rules: &str,
        budget: &Budget,
        put: &mut dyn FnMut(Playable),
    ) -> Result<(), String>;

    /// The text of the rules with the names that the engines use, for records.
    fn rulesheet(&self, rules: &str) -> String {
        rules.to_string()
    }
}

/// Makes engines with the `prepare` crate.
#[derive(Debug, Clone, Default)]
pub struct RulesPreparer {
    /// How to read rules, and which engine to aim for.
    pub options: prepare::Options,
}

impl RulesPreparer {
    fn prepare(
        &self,
        rules: &str,
        engine: EngineChoice,
        budget: &Budget,
    ) -> Result<Prepared, String> {
        let options = prepare::Options {
            engine,
            ..self.options.clone()
        };
        let prepared =
            prepare::prepare(rules, &options, budget).map_err(|error| error.to_string())?;
        info!("{}", prepared.report);
        for finding in &prepared.diagnostics {
            let at = LineColumn::of(rules, finding.span.start);
            debug!("line {} column {}: {}", at.line, at.column, finding.message);
        }
        Ok(prepared)
    }
}

impl Preparer for RulesPreparer {
    fn quick(&self, rules: &str, budget: &Budget) -> Result<Playable, String> {
        let made = self.prepare(rules, EngineChoice::QuickReasoner, budget);
        made.map(|made| made.playable)
    }

    fn better(
        &self,
        rules: &str,
        budget: &Budget,
        put: &mut dyn FnMut(Playable),
    ) -> Result<(), String> {
        // The full reasoner takes a moment of sampling, and the network may take long or be
        // impossible.
        let reasoner = self.prepare(rules, EngineChoice::Reasoner, budget)?;
        let plays = reasoner.report.engine;
        put(reasoner.playable);
        if self.options.engine == EngineChoice::Reasoner {
            return Ok(());
        }
        let best = self.prepare(rules, EngineChoice::Auto, budget)?;
        // Where the reasoner outruns the network, it plays already.
        if best.report.engine != plays {
            put(best.playable);
        }
        best.report.fallback.map_or(Ok(()), Err)
    }

    fn rulesheet(&self, rules: &str) -> String {
        match self.options.fold_case {
            true => rules.to_ascii_lowercase(),
            false => rules.to_string(),
        }
    }
}
