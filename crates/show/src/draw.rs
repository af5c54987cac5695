//! Draws boards and lists as text.

use crate::layout::{Fact, Layout};
use gdl_parse::GroundTerm;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum line width in columns.
const WIDTH: usize = 78;
/// Maximum number of facts of one relation that are listed. The rest is counted.
const LISTED: usize = 24;

/// Draws all facts: those of a layout on its boards, the others in lists.
pub(crate) fn draw(layouts: &[Layout], facts: &[GroundTerm]) -> String {
    let mut text = String::new();
    let mut left: Vec<Fact<'_>> = facts.iter().map(Fact::from).collect();
    for layout in layouts {
        let (mine, others): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|fact| fits(layout, fact));
        left = others;
        if layouts.len() > 1 {
            text += &format!("{}\n", layout.shape);
        }
        text += &boards(layout, &mine);
    }
    text + &lists(&left)
}

fn fits(layout: &Layout, fact: &Fact<'_>) -> bool {
    layout.shape == fact.shape
        && layout
            .grid
            .iter()
            .zip(&layout.sides)
            .all(|(&position, side)| side.contains(&fact.args[position]))
        && layout.names.contains(&board_of(layout, &fact.args))
}

fn board_of(layout: &Layout, args: &[String]) -> Vec<String> {
    let name = layout.boards.iter().map(|&position| args[position].clone());
    name.collect()
}

/// All boards of one relation, side by side as far as there is room, and a legend of the
/// letters.
fn boards(layout: &Layout, facts: &[Fact<'_>]) -> String {
    let mut label_of = layout.labels.clone();
    let mut cells: BTreeMap<(Vec<String>, &str, &str), String> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for Fact { args, .. } in facts {
        let label = match layout.content.map(|position| &args[position]) {
            None => "#".to_string(),
            Some(thing) if layout.blank.as_ref() == Some(thing) => ".".to_string(),
            Some(thing) => {
                seen.insert(thing.clone());
                let label = label_of.entry(thing.clone());
                label.or_insert_with(|| thing.clone()).clone()
            }
        };
        let place = (
            board_of(layout, args),
            &*args[layout.grid[0]],
            &*args[layout.grid[1]],
        );
        cells.insert(place, label);
    }
    // If a blank is a thing of its own, a place without any fact is not part of the board.
    let nothing = if layout.blank.is_some() { " " } else { "." };
    let [across, up] = &layout.sides;
    let labels = cells.values().map(String::as_str);
    let width = labels
        .chain(across.iter().map(String::as_str))
        .map(len)
        .max();
    let width = width.unwrap_or(1);
    let margin = up.iter().map(|name| len(name)).max().unwrap_or(1);
    let board = |name: &Vec<String>| -> Vec<String> {
        let mut lines = Vec::new();
        if !name.is_empty() {
            lines.push(name.join(" "));
        }
        for y in up.iter().rev() {
            let mut line = format!("{y:>margin$} ");
            for x in across {
                let label = cells.get(&(name.clone(), x.as_str(), y.as_str()));
                line += &format!(" {:>width$}", label.map_or(nothing, String::as_str));
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
    let all: Vec<Vec<String>> = layout.names.iter().map(board).collect();
    let mut text = side_by_side(&all);
    let legend: Vec<String> = seen
        .iter()
        .filter_map(|thing| {
            let label = label_of.get(thing)?;
            (label != thing).then(|| format!("{label} {thing}"))
        })
        .collect();
    if !legend.is_empty() {
        text += &format!("{}\n", legend.join(", "));
    }
    text
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
fn lists(facts: &[Fact<'_>]) -> String {
    let mut relations: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for fact in facts {
        let (name, args) = match fact.term {
            GroundTerm::Constant(name) => (name, &[][..]),
            GroundTerm::Compound(name, args) => (name, args.as_slice()),
        };
        let args: Vec<String> = args.iter().map(ToString::to_string).collect();
        relations.entry(name).or_default().push(args.join(" "));
    }
    let mut text = String::new();
    for (name, facts) in relations {
        let rest = facts.len().saturating_sub(LISTED);
        let mut line = name.to_string();
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
