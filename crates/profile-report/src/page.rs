//! Lines under headings, for all reports.

/// A text under construction: headings in the margin, lines beside them.
#[derive(Default)]
pub struct Page {
    text: String,
    heading: Option<&'static str>,
}

/// The width of the margin.
const MARGIN: usize = 12;

impl Page {
    /// Starts a section with this heading.
    pub fn begin(&mut self, heading: &'static str) {
        self.heading = Some(heading);
    }

    /// Adds a line; the first one of a section is beside its heading.
    pub fn line(&mut self, line: impl AsRef<str>) {
        let heading = self.heading.take().unwrap_or("");
        if !heading.is_empty() && !self.text.is_empty() {
            self.text.push('\n');
        }
        let line = format!("{heading:<MARGIN$}{}", line.as_ref());
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// The text.
    pub fn finish(self) -> String {
        self.text
    }
}

/// `1 fact`, `2 facts`.
pub fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// Some of the items, and the number of the others.
pub fn some(items: impl ExactSizeIterator<Item = String>) -> String {
    const FEW: usize = 6;
    let more = items.len().saturating_sub(FEW);
    let mut text = items.take(FEW).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}
