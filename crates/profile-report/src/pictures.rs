//! Pictures of a profile.

use crate::words;
use analysis::boards::{Board, Piece};
use analysis::distances::{Condition, Distances};
use game::RoleId;
use profile::Profile;
use profile::pictures::{self, FactorLink, FactorNode};

/// A picture in the SVG format, with a file name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The file name, with its extension.
    pub file: String,
    /// The SVG text.
    pub svg: String,
}

/// Each board with its initial contents, the distances of its cells from winning, and the
/// factors of the game. What was not found has no picture.
pub fn pictures(profile: &Profile) -> Vec<Picture> {
    let words = &profile.compiled.logic.words;
    let mut all = Vec::new();
    for (number, board) in (1..).zip(&profile.boards.boards) {
        all.push(Picture {
            file: format!("board-{number}.svg"),
            svg: pictures::board(&format!("board {number}"), board, words),
        });
        let distances = profile.distances.iter();
        all.extend(distances.flat_map(|distances| heats(profile, number, board, distances)));
    }
    if !profile.factors.factors.is_empty() {
        all.push(factors(profile));
    }
    all
}

/// For each role, the distances from the cells of its first piece to its best result.
fn heats(profile: &Profile, number: usize, board: &Board, distances: &Distances) -> Vec<Picture> {
    let words = &profile.compiled.logic.words;
    let best = |role: usize| {
        let goals = distances
            .conditions()
            .filter_map(|condition| match condition {
                Condition::Goal { role: whose, value } if whose == RoleId(role) => Some(value),
                _ => None,
            });
        goals.max()
    };
    let picture = |role: usize| {
        let piece: &Piece = board.of_role(role as u16).find(|piece| !piece.blank)?;
        let wanted = Condition::Goal {
            role: RoleId(role),
            value: best(role)?,
        };
        let near = pictures::near(board, piece, distances, wanted);
        let title = format!(
            "from {} at a place to {}",
            piece.content.join(" "),
            words::condition(words, wanted)
        );
        // Roles are numbered in file names, since their names may contain any character.
        Some(Picture {
            file: format!("distance-{number}-{}.svg", role + 1),
            svg: pictures::heat(&title, board, &near),
        })
    };
    (0..words.roles.len()).filter_map(picture).collect()
}

/// The factors, around the facts that belong to all of them.
fn factors(profile: &Profile) -> Picture {
    let factors = &profile.factors;
    let parts = (1..).zip(&factors.factors);
    let mut nodes: Vec<FactorNode> = parts
        .map(|(number, factor)| FactorNode {
            name: format!("part {number}"),
            facts: factor.facts.len(),
            moves: crate::factors::actions(factor),
        })
        .collect();
    let mut links = Vec::new();
    if !factors.control.is_empty() {
        links.extend((0..nodes.len()).map(|part| FactorLink {
            between: [part, nodes.len()],
            label: String::new(),
        }));
        nodes.push(FactorNode {
            name: "control".to_string(),
            facts: factors.control.len(),
            moves: 0,
        });
    }
    Picture {
        file: "factors.svg".to_string(),
        svg: pictures::factors("parts of the game", &nodes, &links),
    }
}
