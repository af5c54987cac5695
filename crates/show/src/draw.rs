//! Draws boards and lists as text.

use crate::scene::{Grid, List, Scene, Square};
use std::collections::BTreeSet;

/// The maximum line width in columns.
const WIDTH: usize = 78;
/// Maximum number of facts of one relation that are listed. The rest is counted.
const LISTED: usize = 24;

/// Draws all facts: those of a board there, the others in lists.
pub(crate) fn draw(scene: &Scene) -> String {
    let mut text = String::new();
    for (number, grid) in scene.grids.iter().enumerate() {
        if scene.grids.len() > 1 {
            text += &format!("{}\n", grid.shapes.join(", "));
        }
        text += &squares(number, grid);
    }
    text + &lists(&scene.lists)
}

/// All boards of one kind, side by side as far as there is room, and a legend of the letters.
fn squares(number: usize, board: &Grid) -> String {
    let cells = &board.things;
    let label = |thing: &Option<String>| -> String {
        let Some(thing) = thing else {
            return ".".to_owned();
        };
        board.labels.get(thing).unwrap_or(thing).clone()
    };
    // If a blank is a thing of its own, a place without any fact is not part of the board.
    let nothing = if board.marked { " " } else { "." };
    let [across, up] = &board.sides;
    let labels = cells.values().map(|thing| len(&label(thing)));
    let width = labels.chain(across.iter().map(|name| len(name))).max();
    let width = width.unwrap_or(1);
    let margin = up.iter().map(|name| len(name)).max().unwrap_or(1);
    let drawn = |(at, name): (usize, &Vec<String>)| -> Vec<String> {
        let mut lines = Vec::new();
        if !name.is_empty() {
            lines.push(name.join(" "));
        }
        for (y, row) in up.iter().enumerate().rev() {
            let mut line = format!("{row:>margin$} ");
            for x in 0..across.len() {
                let square = Square {
                    grid: number,
                    board: at,
                    x,
                    y,
                };
                let thing = cells.get(&square);
                let label = thing.map_or_else(|| nothing.to_owned(), label);
                line += &format!(" {label:>width$}");
            }
            lines.push(line);
        }
        let mut line = " ".repeat(margin + 1);
        for x in across {
            line += &format!(" {x:>width$}");
        }
        lines.push(line);
        lines
    };
    let all: Vec<Vec<String>> = board.names.iter().enumerate().map(drawn).collect();
    let mut text = side_by_side(&all);
    let seen: BTreeSet<&String> = cells.values().flatten().collect();
    let legend = seen.into_iter().filter_map(|thing| {
        let label = board.labels.get(thing)?;
        (label != thing).then(|| format!("{label} {thing}"))
    });
    let legend = wrapped(&legend.collect::<Vec<_>>());
    text += &legend;
    text
}

/// Phrases with commas between them, in lines that are not too long.
fn wrapped(phrases: &[String]) -> String {
    let mut text = String::new();
    let mut line = String::new();
    for (at, phrase) in phrases.iter().enumerate() {
        let comma = if at + 1 < phrases.len() { "," } else { "" };
        if !line.is_empty() && len(&line) + len(phrase) + 2 > WIDTH {
            text += &format!("{line}\n");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += &format!("{phrase}{comma}");
    }
    match line.is_empty() {
        true => text,
        false => format!("{text}{line}\n"),
    }
}

/// Arranges blocks of equally many lines in rows, each row as long as there is room.
fn side_by_side(blocks: &[Vec<String>]) -> String {
    let width = blocks.iter().flatten().map(|line| len(line)).max();
    let width = width.unwrap_or(0) + 3;
    let most = (WIDTH / width).max(1);
    // Rows of equal length look better than one long row and a short one. Use a square if
    // possible.
    let root = (1..=blocks.len()).find(|n| n * n >= blocks.len());
    let root = root.filter(|n| n * n == blocks.len() && blocks.len() > 2);
    let per_row = root.map_or(most, |root| root.min(most));
    let mut text = String::new();
    for row in blocks.chunks(per_row) {
        for at in 0..row.first().map_or(0, Vec::len) {
            let line: String = row
                .iter()
                .map(|block| format!("{:<width$}", block[at]))
                .collect();
            text += line.trim_end();
            text.push('\n');
        }
    }
    text
}

/// Lists every relation on a line of its own.
fn lists(relations: &[List]) -> String {
    let mut text = String::new();
    for List { relation, facts } in relations {
        let rest = facts.len().saturating_sub(LISTED);
        let mut line = relation.clone();
        for (at, fact) in facts.iter().take(LISTED).enumerate() {
            let piece = if fact.is_empty() {
                continue;
            } else if at == 0 {
                format!(" {fact}")
            } else {
                format!(", {fact}")
            };
            if len(&line) + len(&piece) > WIDTH && len(&line) > 4 {
                text += line.trim_end();
                text += if at == 0 { "\n" } else { ",\n" };
                line = format!("    {fact}");
            } else {
                line += &piece;
            }
        }
        if rest > 0 {
            line += &format!(" and {rest} more");
        }
        text += &line;
        text.push('\n');
    }
    text
}

fn len(text: &str) -> usize {
    text.chars().count()
}
