//! Whether a player did what its connection allowed.

use super::proxy::Sent;
use super::trouble::{Loss, Trouble};
use std::collections::BTreeMap;
use std::fmt;

/// The outcome of the messages of one kind of trouble.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// The messages.
    pub messages: usize,
    /// Those without a fault of the player.
    pub answered: usize,
    /// Those with a fault that this trouble explains.
    pub lost: usize,
    /// Those with a fault that an earlier trouble explains: the player did not know the match,
    /// or not what had been played.
    pub astray: usize,
    /// Those with a fault that nothing explains.
    pub wrong: usize,
}

/// The outcomes of all messages, by the trouble that they had.
#[derive(Debug, Default)]
pub struct Tally {
    /// By trouble.
    pub counts: BTreeMap<Trouble, Count>,
    /// What nothing explains, by the code of the fault: `TO`, `IL`, `CE`, or a problem that the
    /// proxy saw.
    pub wrong: BTreeMap<String, usize>,
}

/// What a player knows of the match.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Knows {
    Everything,
    /// It plays, but a message with moves did not reach it in time.
    NotAllMoves,
    /// It never heard of the match, or has forgotten it.
    Nothing,
}

impl Tally {
    /// Judges a player in one match. `sent` is what happened to its messages: START, and one
    /// PLAY for each joint move. `faults` holds the codes of its faults in the record, empty
    /// where there is none. Returns a sentence for each fault that nothing explains.
    pub fn judge(&mut self, sent: &[Sent], faults: &[&str]) -> Vec<String> {
        let mut knows = Knows::Everything;
        let mut wrong = Vec::new();
        for (number, (sent, fault)) in sent.iter().zip(faults).enumerate() {
            let count = self.counts.entry(sent.trouble).or_default();
            count.messages += 1;
            let loss = sent.trouble.loss();
            let code = fault.split(' ').next().unwrap_or_default();
            let mut unexplained = |code: &str, what: &str| {
                *self.wrong.entry(code.to_owned()).or_default() += 1;
                wrong.push(format!("message {number}, {}: {what}", sent.trouble));
            };
            match &sent.problem {
                Some(problem) if knows == Knows::Everything => {
                    unexplained("contradiction", problem)
                }
                _ => {}
            }
            match (code, loss, knows) {
                ("", ..) => count.answered += 1,
                (_, Loss::Answer | Loss::Message | Loss::Player, _) => count.lost += 1,
                (_, _, Knows::Nothing) if sent.early => count.lost += 1,
                ("IL", _, Knows::NotAllMoves | Knows::Nothing) => count.astray += 1,
                _ => {
                    count.wrong += 1;
                    unexplained(code, fault);
                }
            }
            knows = match (loss, number) {
                (Loss::Player, _) | (Loss::Message, 0) => Knows::Nothing,
                (Loss::Message, _) if knows == Knows::Everything => Knows::NotAllMoves,
                _ => knows,
            };
        }
        wrong
    }

    /// The messages that nothing explains.
    pub fn is_fine(&self) -> bool {
        self.wrong.is_empty()
    }
}

impl fmt::Display for Tally {
    /// A table, one line for each kind of trouble.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<24} {:>9} {:>9} {:>9} {:>9} {:>9}",
            "message", "count", "answered", "lost", "astray", "wrong"
        )?;
        for (trouble, count) in &self.counts {
            writeln!(
                f,
                "{:<24} {:>9} {:>9} {:>9} {:>9} {:>9}",
                trouble.to_string(),
                count.messages,
                count.answered,
                count.lost,
                count.astray,
                count.wrong
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(troubles: &[Trouble], faults: &[&str]) -> (Tally, usize) {
        let sent: Vec<Sent> = troubles
            .iter()
            .map(|&trouble| Sent {
                trouble,
                problem: None,
                early: false,
            })
            .collect();
        let mut tally = Tally::default();
        let wrong = tally.judge(&sent, faults).len();
        (tally, wrong)
    }

    #[test]
    fn only_what_was_lost_is_excused() {
        use Trouble::{Calm, Cut, CutReply, Delay, Kill};
        for (troubles, faults, wrong) in [
            (&[Calm, Delay, Calm][..], &["", "", ""][..], 0),
            (&[Calm, Delay, Calm], &["", "TO", ""], 1),
            (&[Calm, Calm], &["", "IL (take 9)"], 1),
            // The player must follow the move that was played instead of its answer.
            (&[Calm, CutReply, Calm], &["", "CE", "IL x"], 1),
            (&[Calm, CutReply, Calm], &["", "CE", ""], 0),
            // What it never heard of it cannot follow, but it answers.
            (&[Calm, Cut, Calm], &["", "CE", "IL x"], 0),
            (&[Calm, Cut, Calm], &["", "CE", "TO"], 1),
            (&[Cut, Calm, Calm], &["CE", "IL busy", "IL busy"], 0),
            (&[Calm, Kill, Calm], &["", "CE", "IL busy"], 0),
            (&[Calm, Kill, Calm], &["", "CE", "CE"], 1),
        ] {
            assert_eq!(judged(troubles, faults).1, wrong, "{troubles:?} {faults:?}");
        }
        let (tally, _) = judged(&[Calm, Delay, Delay], &["", "TO", ""]);
        let expected = Count {
            messages: 2,
            answered: 1,
            wrong: 1,
            ..Count::default()
        };
        assert_eq!(tally.counts[&Delay], expected);
        assert_eq!(tally.wrong["TO"], 1);
        assert!(!tally.is_fine());
    }

    #[test]
    fn a_player_that_is_being_started_is_excused() {
        let sent = |trouble, early| Sent {
            trouble,
            problem: None,
            early,
        };
        for (early, wrong) in [(true, 0), (false, 1)] {
            let sent = [sent(Trouble::Kill, false), sent(Trouble::Calm, early)];
            assert_eq!(Tally::default().judge(&sent, &["CE", "TO"]).len(), wrong);
        }
    }

    #[test]
    fn a_contradiction_is_wrong() {
        let sent = Sent {
            trouble: Trouble::Twice,
            problem: Some("it answered a and b".into()),
            early: false,
        };
        let mut tally = Tally::default();
        assert_eq!(tally.judge(&[sent], &[""]).len(), 1);
        assert_eq!(tally.wrong["contradiction"], 1);
    }
}
