//! From rules to engines, as the service needs it.

use budget::Budget;
use game::Engine;

/// Makes engines of rules.
pub trait Preparer: Send + Sync {
    /// An engine that is there almost at once and always right.
    ///
    /// # Errors
    /// Why the rules cannot be played, for the log.
    fn quick(&self, rules: &str, budget: &Budget) -> Result<Box<dyn Engine>, String>;

    /// The best engine that the budget allows.
    ///
    /// # Errors
    /// Why there is none, for the log.
    fn best(&self, rules: &str, budget: &Budget) -> Result<Box<dyn Engine>, String>;
}
