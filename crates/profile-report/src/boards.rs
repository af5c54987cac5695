//! Boards, pieces, and the effects of moves.

use crate::page::{Page, count, some};
use crate::words;
use analysis::boards::{Board, Form, Order, Piece};
use profile::Profile;
use serde_json::{Value, json};

pub fn text(profile: &Profile, page: &mut Page) {
    page.begin("boards");
    if profile.boards.boards.is_empty() {
        page.line("none found");
    }
    for (number, board) in profile.boards.boards.iter().enumerate() {
        let size = board.axes.iter().map(|axis| axis.values.len().to_string());
        let size = size.collect::<Vec<_>>().join(" by ");
        let several = match board.grids.len() {
            0 | 1 => String::new(),
            grids => format!("{grids} boards of "),
        };
        page.line(format!(
            "{several}{size} places, {} in all",
            count(board.cells.len(), "cell")
        ));
        let pieces = board.pieces.iter().map(|piece| named(profile, piece));
        page.line(format!("  on it: {}", some(pieces)));
        let (from_to, placed) = forms(profile, number);
        if from_to + placed > 0 {
            page.line(format!(
                "  moves: {from_to} from one cell to another, {placed} placements"
            ));
        }
    }
}

/// Formats a piece: `1 w (white's, moves)`.
fn named(profile: &Profile, piece: &Piece) -> String {
    let name = match piece.content.is_empty() {
        true => "something".to_string(),
        false => piece.content.join(" "),
    };
    let mut notes = Vec::new();
    if let Some(owner) = piece.owner {
        let role = words::role(&profile.compiled.logic.words, owner.role.into());
        notes.push(format!("{role}'s"));
    }
    if piece.blank {
        notes.push("nothing".to_string());
    }
    if piece.moves {
        notes.push("moves".to_string());
    }
    match notes.is_empty() {
        true => name,
        false => format!("{name} ({})", notes.join(", ")),
    }
}

/// The numbers of relocations and of placements on a board.
fn forms(profile: &Profile, number: usize) -> (usize, usize) {
    let moves = profile.boards.moves.iter().flatten();
    moves.fold((0, 0), |(relocations, placements), mv| match mv.form {
        Some(Form::Relocation { board, .. }) if board == number => (relocations + 1, placements),
        Some(Form::Placement { board, .. }) if board == number => (relocations, placements + 1),
        _ => (relocations, placements),
    })
}

pub fn json(profile: &Profile) -> Value {
    let boards = profile.boards.boards.iter();
    let words = &profile.compiled.logic.words;
    let moves = profile
        .boards
        .moves
        .iter()
        .enumerate()
        .map(|(role, moves)| {
            let moves = moves.iter().zip(0..);
            let moves = moves.filter_map(|(one, number)| {
                Some(json!({
                    "move": words::mv(words, role, number),
                    "form": form(profile, one.form?),
                    "sure": words::evidence_json(one.evidence),
                }))
            });
            moves.collect::<Vec<_>>()
        });
    json!({
        "boards": boards.map(|board| board_json(profile, board)).collect::<Vec<_>>(),
        "moves": moves.collect::<Vec<_>>(),
    })
}

fn form(profile: &Profile, form: Form) -> Value {
    let cell = |board: usize, cell: Option<u32>| {
        let board = profile.boards.boards.get(board);
        board.zip(cell).map(|(board, cell)| board.name(cell))
    };
    match form {
        Form::Relocation { board, from, to } => json!({
            "board": board,
            "from": cell(board, from),
            "to": cell(board, to),
        }),
        Form::Placement { board, at } => json!({ "board": board, "at": cell(board, at) }),
    }
}

fn board_json(profile: &Profile, board: &Board) -> Value {
    let words = &profile.compiled.logic.words;
    let axes = board.axes.iter().map(|axis| {
        let values: Vec<&str> = axis.values.iter().map(|value| &**value).collect();
        let order = match axis.order {
            Order::Geometry => "geometry",
            Order::Integers => "integers",
            Order::None => "none",
        };
        json!({ "values": values, "order": order })
    });
    let layers = board.layers.iter().map(|layer| {
        json!({
            "shape": layer.shape,
            "board": layer.board,
            "place": layer.place,
            "content": layer.content,
            "owner": layer.owner,
            "exclusive": words::evidence_json(layer.exclusive),
            "unique": layer.unique.map(words::evidence_json),
        })
    });
    let pieces = board.pieces.iter().map(|piece| {
        let content: Vec<&str> = piece.content.iter().map(|name| &**name).collect();
        json!({
            "content": content,
            "owner": piece.owner.map(|owner| words::role(words, owner.role.into())),
            "blank": piece.blank,
            "moves": piece.moves,
            "facts": piece.facts.len(),
        })
    });
    let links = board
        .ways()
        .map(|link| link.cells.map(|cell| board.name(cell)));
    json!({
        "grids": board.grids.iter().map(|grid| grid.join(" ")).collect::<Vec<_>>(),
        "axes": axes.collect::<Vec<_>>(),
        "layers": layers.collect::<Vec<_>>(),
        "pieces": pieces.collect::<Vec<_>>(),
        "links": links.collect::<Vec<_>>(),
        "advance": board.advance,
    })
}
