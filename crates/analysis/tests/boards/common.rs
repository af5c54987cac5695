//! Games and their boards, for tests.

use analysis::boards::{Board, Boards};
use budget::Budget;
use datalog::Program;
use gdl_parse::{ParseOptions, Rulesheet, parse};
use invariants::Groups;
use netlist::{GameLogic, lower};
use std::path::Path;
use std::time::Duration;

/// A game and its boards.
pub struct Found {
    pub logic: GameLogic,
    pub boards: Boards,
}

impl Found {
    /// Finds the boards of a game; `None` if it has no logic within 20 seconds.
    pub fn of(sheet: &Rulesheet) -> Option<Found> {
        let program = Program::from_sheet(sheet);
        let budget = Budget::system().with_timeout(Duration::from_secs(20));
        let network = compile::build_network(&program, &budget).ok()?.network;
        let logic = lower(&network, &budget).ok()?;
        let groups = Groups::find(
            &logic,
            1,
            &Budget::system().with_timeout(Duration::from_millis(500)),
        );
        let budget = Budget::system().with_timeout(Duration::from_secs(10));
        let boards = Boards::find(&logic, &groups, 1, &budget);
        Some(Found { logic, boards })
    }

    /// A fixture.
    pub fn fixture(name: &str) -> Found {
        Found::of(&sheet(name)).unwrap()
    }

    /// The only board.
    pub fn board(&self) -> &Board {
        assert_eq!(self.boards.boards.len(), 1, "{:?}", self.boards.boards);
        &self.boards.boards[0]
    }
}

/// A fixture.
pub fn sheet(name: &str) -> Rulesheet {
    read(&testkit::root().join(format!("fixtures/games/{name}.gdl")))
}

/// Parses a rulesheet.
pub fn read(path: &Path) -> Rulesheet {
    let text = std::fs::read(path).unwrap();
    parse(&String::from_utf8_lossy(&text), &ParseOptions::default()).sheet
}

/// A description of the boards.
pub fn described(found: &Found) -> String {
    let mut text = String::new();
    for board in &found.boards.boards {
        text += &format!("{board}\n");
        for axis in &board.axes {
            text += &format!("  {:?}: {}\n", axis.order, axis.values.join(" "));
        }
        for layer in &board.layers {
            text += &format!(
                "  {} board {:?} place {:?} content {:?} owner {:?} {:?} unique {:?}\n",
                layer.shape,
                layer.board,
                layer.place,
                layer.content,
                layer.owner,
                layer.exclusive,
                layer.unique
            );
        }
        for piece in &board.pieces {
            let owner = piece
                .owner
                .map(|owner| found.logic.words.roles[usize::from(owner.role)].to_string());
            let marks = [(piece.blank, " blank"), (piece.moves, " moves")];
            let marks: String = marks.iter().filter(|m| m.0).map(|m| m.1).collect();
            text += &format!(
                "    {}: {} {}{marks}\n",
                piece.content.join(" "),
                piece.facts.len(),
                owner.unwrap_or_default()
            );
        }
        text += &format!(
            "  {} links, {} with moves; advance {:?}\n",
            board.links.len(),
            board.links.iter().filter(|link| link.moves > 0).count(),
            board.advance
        );
    }
    for (role, row) in found.boards.moves.iter().enumerate() {
        let mut kinds = std::collections::BTreeMap::new();
        for form in row {
            use analysis::Evidence;
            use analysis::boards::Form;
            let kind = match form.form {
                None => "nothing".to_string(),
                Some(Form::Relocation { board, from, to }) => {
                    format!("relocation {board} {} {}", from.is_some(), to.is_some())
                }
                Some(Form::Placement { board, at }) => {
                    format!("placement {board} {}", at.is_some())
                }
            };
            let entry: &mut (u32, u32) = kinds.entry(kind).or_default();
            entry.0 += 1;
            entry.1 += u32::from(form.evidence != Evidence::Unknown);
        }
        text += &format!("  moves of {role}: {kinds:?}\n");
    }
    text
}
