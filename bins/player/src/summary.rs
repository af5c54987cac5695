//! The summary of several matches.

use crate::who::player_of;
use matches::Outcome;

/// The summary of several matches, by player.
pub struct Summary {
    matches: usize,
    players: Vec<Line>,
}

/// The summary of one player.
#[derive(Clone, Default)]
struct Line {
    name: String,
    /// The sum of its goal values; a match without one adds 0.
    points: u64,
    replaced: usize,
}

impl Summary {
    /// The summary of no matches between `players` players.
    pub fn new(players: usize) -> Self {
        Summary {
            matches: 0,
            players: vec![Line::default(); players],
        }
    }

    /// Adds a match in which the players were rotated by `shift` roles.
    pub fn add(&mut self, shift: usize, outcome: &Outcome) {
        self.matches += 1;
        let roles = self.players.len();
        for (role, name) in outcome.record.player_names_from_host.iter().enumerate() {
            let line = &mut self.players[player_of(role, shift, roles)];
            line.name.clone_from(name);
            line.points += u64::from(outcome.goals[role].unwrap_or(0));
            line.replaced += outcome.counts[role].replaced();
        }
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&match self.matches {
            1 => "1 match".to_owned(),
            matches => format!("{matches} matches"),
        })?;
        for (at, line) in self.players.iter().enumerate() {
            let mean = line.points as f64 / self.matches.max(1) as f64;
            let replaced = match line.replaced {
                0 => String::new(),
                1 => ", 1 move replaced".into(),
                many => format!(", {many} moves replaced"),
            };
            let number = at + 1;
            write!(
                f,
                "\n{mean:>5.1}  player {number} ({}{replaced})",
                line.name
            )?;
        }
        Ok(())
    }
}
