//! Findings about places, neighbours, lines, moves, quantities and wins, a sentence each.

use crate::words::{judged, subject};
use insight::{Finding, Insight, Subject};
use profile_report::page::Page;

/// Sentences of a section, at most.
const MOST: usize = 6;

/// The section of a finding; `None` for those that are told with the pieces.
fn heading(finding: &Finding) -> Option<&'static str> {
    Some(match finding.subject {
        Subject::Piece { .. } => return None,
        Subject::Place { .. } | Subject::Along { .. } | Subject::Kept { .. } => "places",
        Subject::Pair { .. } => "neighbours",
        Subject::Line { .. } => "lines",
        Subject::Choices { .. } => "mobility",
        Subject::Near { .. } | Subject::Now { .. } => "wins",
        Subject::Quantity(_) => "quantities",
        Subject::Fact(_) => "facts",
    })
}

/// The sections in order.
const SECTIONS: [&str; 7] = [
    "places",
    "neighbours",
    "lines",
    "mobility",
    "wins",
    "quantities",
    "facts",
];

pub fn text(insight: &Insight, page: &mut Page) {
    for section in SECTIONS {
        let these = insight.findings.iter();
        let these = these.filter(|finding| heading(finding) == Some(section));
        let these: Vec<&Finding> = these.collect();
        if these.is_empty() {
            continue;
        }
        page.begin(section);
        for finding in these.iter().take(MOST) {
            page.line(format!(
                "{}: {}",
                subject(insight, &finding.subject),
                judged(insight, finding)
            ));
        }
        if these.len() > MOST {
            page.line(format!("and {} more", these.len() - MOST));
        }
    }
}
