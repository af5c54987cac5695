//! Comparison of profiles with the results of another program for the same games.
//!
//! Sancho's analysis is a table of the corpus: `baselines/sancho-analysis.csv`. Two of its
//! columns come from short samples of play (the largest number of moves, and whether the length
//! is fixed), so they can be wrong. A count of 0 factors means that Sancho reported none. Where
//! a profile differs, its own evidence is the reason; without evidence, the difference is
//! unexplained.

use analysis::Evidence;
use analysis::factors::Sharing;
use anyhow::Context;
use profile::Profile;
use profile::structure::Order;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The other program's results for a game.
#[derive(Debug, Clone, Default, Deserialize)]
struct Row {
    game: String,
    num_roles: usize,
    /// Several roles have a choice in the same state.
    pseudo_simultaneous: bool,
    /// The successor also depends on the choices of all of them.
    simultaneous: bool,
    iterated: bool,
    /// 0 if unknown.
    num_factors: usize,
    moves_in_multiple_factors: bool,
    max_branching_factor: u32,
    fixed_length: bool,
}

/// A column of a game in which a profile differs.
#[derive(Debug)]
struct Difference {
    game: String,
    column: &'static str,
    ours: String,
    theirs: String,
    /// Why our value is right, or at least better supported; `None` if unknown.
    reason: Option<String>,
}

/// The agreements and differences so far.
#[derive(Debug, Default)]
pub struct Comparison {
    rows: BTreeMap<String, Row>,
    /// For each column, the number of games compared and of games that agree.
    columns: BTreeMap<&'static str, (usize, usize)>,
    differences: Vec<Difference>,
}

/// The name of a column, our value, their value, and the reason for ours.
type Column = (&'static str, String, String, Option<String>);

impl Comparison {
    /// Reads a table.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not such a table.
    pub fn read(path: &Path) -> anyhow::Result<Comparison> {
        let text = std::fs::read_to_string(path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let mut comparison = Comparison::default();
        for row in reader.deserialize() {
            let row: Row = row.with_context(|| path.display().to_string())?;
            // A game without roles is one that the other program could not read.
            if row.num_roles > 0 {
                comparison.rows.insert(row.game.clone(), row);
            }
        }
        Ok(comparison)
    }

    /// Whether the table contains the game.
    pub fn has(&self, game: &str) -> bool {
        self.rows.contains_key(game)
    }

    /// Compares a profile with the row of its game, if there is one.
    pub fn add(&mut self, game: &str, profile: &Profile) {
        let Some(row) = self.rows.get(game) else {
            return;
        };
        for (column, ours, theirs, reason) in columns(row, profile) {
            let count = self.columns.entry(column).or_default();
            count.0 += 1;
            if ours == theirs {
                count.1 += 1;
                continue;
            }
            self.differences.push(Difference {
                game: game.to_owned(),
                column,
                ours,
                theirs,
                reason,
            });
        }
    }

    /// Whether every difference has a reason.
    pub fn is_explained(&self) -> bool {
        let mut differences = self.differences.iter();
        differences.all(|difference| difference.reason.is_some())
    }

    /// The counts of agreements, and every difference with its reason.
    pub fn text(&self) -> String {
        let mut text = String::from("\ncolumn                      games  agree\n");
        for (column, (games, agree)) in &self.columns {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{column:<26} {games:>6} {agree:>6}");
        }
        text.push('\n');
        let mut differences: Vec<&Difference> = self.differences.iter().collect();
        differences.sort_by_key(|difference| difference.column);
        for difference in differences {
            let _ = writeln!(
                text,
                "{}: {} {}, there {}: {}",
                difference.game,
                difference.column,
                difference.ours,
                difference.theirs,
                difference.reason.as_deref().unwrap_or("open")
            );
        }
        text
    }
}

fn columns(row: &Row, profile: &Profile) -> Vec<Column> {
    let structure = &profile.structure;
    let turns = &structure.turns;
    let same = |ours: bool, theirs: bool| (ours.to_string(), theirs.to_string());
    let mut columns: Vec<Column> = Vec::new();
    let (ours, theirs) = (
        profile.compiled.logic.roles().to_string(),
        row.num_roles.to_string(),
    );
    columns.push(("num_roles", ours, theirs, None));
    let sure = (turns.evidence == Evidence::Proved).then(|| "proved".to_string());
    let (ours, theirs) = same(turns.order == Order::Simultaneous, row.simultaneous);
    columns.push(("simultaneous", ours, theirs, sure));
    let (ours, theirs) = same(turns.at_once > 0, row.pseudo_simultaneous);
    let seen = format!(
        "several roles had a choice in {} of {} states",
        turns.at_once, turns.states
    );
    let seen = (turns.at_once > 0).then_some(seen);
    columns.push(("pseudo_simultaneous", ours, theirs, seen));
    let (ours, theirs) = same(turns.iterated.is_some(), row.iterated);
    columns.push(("iterated", ours, theirs, None));
    columns.push(fixed_length(row, profile));
    columns.push(branching(row, profile));
    columns.extend(factors(row, profile));
    columns
}

fn fixed_length(row: &Row, profile: &Profile) -> Column {
    let (ends, lengths) = (profile.structure.ends, &profile.play.lengths);
    let reason = match (ends.fixed, ends.evidence) {
        (Some(length), Evidence::Proved) => Some(format!("proved to be {length}")),
        (Some(length), _) => (profile.play.playouts > 0 && lengths.min == lengths.max).then(|| {
            let playouts = profile.play.playouts;
            format!("{length} in all of {playouts} playouts; not proved")
        }),
        (None, _) if lengths.min < lengths.max => Some(format!(
            "playouts of {} and of {} steps were seen",
            lengths.min, lengths.max
        )),
        (None, Evidence::Proved) => Some("two lengths were seen".to_string()),
        (None, _) => None,
    };
    let (ours, theirs) = (ends.fixed.is_some(), row.fixed_length);
    ("fixed_length", ours.to_string(), theirs.to_string(), reason)
}

fn branching(row: &Row, profile: &Profile) -> Column {
    let largest = profile
        .structure
        .turns
        .roles
        .iter()
        .map(|role| role.largest);
    let in_play = profile.play.roles.iter().map(|role| role.branching.max);
    let ours = largest.chain(in_play).max().unwrap_or(0);
    let theirs = row.max_branching_factor;
    let reason = match ours > theirs {
        true => format!("a state with {ours} was reached"),
        false => format!(
            "no more in {} states of random play; neither is a bound",
            profile.structure.turns.states + profile.play.report.states
        ),
    };
    (
        "max_branching_factor",
        ours.to_string(),
        theirs.to_string(),
        Some(reason),
    )
}

/// The number of factors, and whether moves concern several of them.
fn factors(row: &Row, profile: &Profile) -> Vec<Column> {
    let factors = &profile.factors;
    let count = factors.count();
    let several = factors.choices.iter().any(|&choice| choice != Sharing::One);
    let reason = match factors.evidence {
        _ if row.num_factors == 0 => Some("there was no count".to_string()),
        Evidence::Proved if count > 1 => Some(format!(
            "the parts are proved to make the whole; {} steps of play were compared besides",
            factors.report.samples
        )),
        Evidence::Observed { samples } if count > 1 => Some(format!(
            "the parts made the whole in {samples} steps of play"
        )),
        _ => None,
    };
    let mut columns = vec![(
        "num_factors",
        count.to_string(),
        row.num_factors.to_string(),
        reason.clone(),
    )];
    // The column is comparable only if both have the same number of factors.
    if count > 1 && count == row.num_factors {
        columns.push((
            "moves_in_multiple_factors",
            several.to_string(),
            row.moves_in_multiple_factors.to_string(),
            reason,
        ));
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use budget::Budget;

    const RULES: &str = "(role robot) (init (step 1)) (succ 1 2) (succ 2 3)
        (legal robot a) (legal robot b)
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= (next won) (does robot a)) (<= (next won) (true won))
        (<= terminal (true (step 3)))
        (<= (goal robot 100) (true won)) (<= (goal robot 0) (not (true won)))";

    fn compared(row: Row) -> Comparison {
        let sheet = gdl_parse::parse(RULES, &gdl_parse::ParseOptions::default()).sheet;
        let program = datalog::Program::from_sheet(&sheet);
        let budget = Budget::system();
        let compiled = compile::Compiled::of_program(&program, &budget).unwrap();
        let profile = Profile::find(compiled, 1, &budget, &mut |_| {});
        let mut comparison = Comparison::default();
        comparison.rows.insert("two steps".to_string(), row);
        comparison.add("two steps", &profile);
        comparison.add("another", &profile);
        comparison
    }

    fn right() -> Row {
        Row {
            num_roles: 1,
            num_factors: 1,
            max_branching_factor: 2,
            fixed_length: true,
            ..Row::default()
        }
    }

    #[test]
    fn agreements_are_counted() {
        let comparison = compared(right());
        assert!(comparison.differences.is_empty(), "{}", comparison.text());
        assert!(comparison.columns.values().all(|&count| count == (1, 1)));
    }

    #[test]
    fn differences_have_reasons() {
        let wrong = Row {
            num_roles: 2,
            max_branching_factor: 1,
            fixed_length: false,
            ..right()
        };
        let text = compared(wrong).text();
        for line in [
            "two steps: fixed_length true, there false: proved to be 2",
            "two steps: max_branching_factor 2, there 1: a state with 2 was reached",
            "two steps: num_roles 1, there 2: open",
        ] {
            assert!(text.lines().any(|other| other == line), "{text}");
        }
    }
}
