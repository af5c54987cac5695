//! In which part to move, where a role moves in one of several.
//!
//! What a move in a part brings is no reason to make it there, if it can be made later as well: what counts
//! is by how much passing there would be worse. The idea of weighing moves against passing at the root is
//! Sancho's; here the two are compared as odds, because what several parts say about one result adds up in
//! the logarithms of odds, if they are independent of each other.

/// What a part is worth to the role, 0 to 100.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Worth {
    /// After the best move there.
    pub moved: f64,
    /// After a pass there; `None` if there is no other move.
    pub passed: Option<f64>,
}

/// Results that are taken for sure are as good as this, or as bad.
const SURE: f64 = 0.99;

/// What it brings to move in a part, in logarithms of odds; infinite where there is no other move.
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
    fn what_can_wait_waits() {
        // A part that is won anyway, against one that is open.
        assert!(of(100.0, 99.0) < of(60.0, 40.0));
        // A win that would be gone, and a loss that can be averted, come before what is small.
        assert!(of(100.0, 50.0) > of(60.0, 40.0));
        assert!(of(50.0, 0.0) > of(60.0, 40.0));
        assert_eq!(of(30.0, 30.0), 0.0);
    }

    #[test]
    fn where_there_is_nothing_else_a_move_is_made() {
        let only = Worth {
            moved: 0.0,
            passed: None,
        };
        assert!(urgency(only) > of(100.0, 0.0));
    }
}
