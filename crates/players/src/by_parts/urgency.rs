//! The choice of the part to move in, where a role moves in one of several.
//!
//! A good move in a part is no reason to play it now, if it can be played later as well. What
//! counts is how much worse passing there would be. Weighing moves against passing at the root
//! is an idea of Sancho's. Here the two are compared as odds, because the evidence of several
//! independent parts for one result adds up in the logarithms of odds.

/// The value of a part for the role, 0 to 100.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Worth {
    /// After the best move there.
    pub moved: f64,
    /// After a pass there; `None` if there is no other move.
    pub passed: Option<f64>,
}

/// The limit for the probability of a certain win; that of a certain loss is one minus it.
const SURE: f64 = 0.99;

/// The gain of moving in a part over passing, in logarithms of odds. Infinite where there is no
/// other move.
pub(super) fn urgency(worth: Worth) -> f64 {
    let odds = |value: f64| {
        let chance = (value / 100.0).clamp(1.0 - SURE, SURE);
        (chance / (1.0 - chance)).ln()
    };
    match worth.passed {
        Some(passed) => odds(worth.moved) - odds(passed),
        None => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(moved: f64, passed: f64) -> f64 {
        let passed = Some(passed);
        urgency(Worth { moved, passed })
    }

    #[test]
    fn certain_parts_are_less_urgent() {
        // A part that is won anyway against one that is undecided.
        assert!(of(100.0, 99.0) < of(60.0, 40.0));
        // Losing a win and averting a loss are more urgent than small gains.
        assert!(of(100.0, 50.0) > of(60.0, 40.0));
        assert!(of(50.0, 0.0) > of(60.0, 40.0));
        assert_eq!(of(30.0, 30.0), 0.0);
    }

    #[test]
    fn a_part_with_the_only_move_is_most_urgent() {
        let only = Worth {
            moved: 0.0,
            passed: None,
        };
        assert!(urgency(only) > of(100.0, 0.0));
    }
}
