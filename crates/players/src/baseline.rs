//! The yardstick: plain UCT with its parameters frozen.

use crate::tree_player::Profile;
use yardstick::Config;

/// The profile `baseline`: Monte-Carlo tree search with [`yardstick::Config::default`], which stays as it
/// is so that later profiles can be measured against it. What searches learn later is off in that
/// default.
///
/// It searches through the whole start clock, keeps its tree from move to move, and answers at
/// once where it has no choice.
pub(crate) fn baseline() -> Profile {
    Profile {
        config: Config::default(),
        prepare: true,
    }
}
