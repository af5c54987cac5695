//! The yardstick: plain UCT with frozen parameters.

use crate::tree_player::Profile;
use yardstick::Config;

/// The profile `baseline`: Monte-Carlo tree search with [`yardstick::Config::default`].
///
/// That default stays as it is, so that later profiles can be measured against it. Later
/// features of the search are off in it.
///
/// The player searches until the start clock ends, keeps its tree from move to move, and
/// answers at once where it has no choice.
pub(crate) fn baseline() -> Profile {
    Profile {
        config: Config::default(),
        prepare: true,
    }
}
