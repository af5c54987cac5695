//! The legal moves of a turn as a person sees and writes them.

use game::GroundTerm;

/// The width of lists in columns.
const WIDTH: usize = 78;
/// The most lines of one page of moves.
const LINES: usize = 20;
/// The most moves that are named in a message.
const NAMED: usize = 5;
/// The least likeness, 0 to 1, of a move that is offered in place of what was typed.
const LIKE: f64 = 0.4;

/// The legal moves of a turn.
pub struct Choices<'a> {
    terms: Vec<&'a GroundTerm>,
    /// What people type for each: without outer parentheses, in lower case.
    plain: Vec<String>,
}

/// What a line says.
#[derive(Debug, PartialEq)]
pub enum Found<'a> {
    /// One move.
    Move(&'a GroundTerm),
    /// No move, or not which; in words.
    Unclear(String),
}

impl<'a> Choices<'a> {
    /// The choices among these moves.
    pub fn new(terms: impl IntoIterator<Item = &'a GroundTerm>) -> Self {
        let terms: Vec<&GroundTerm> = terms.into_iter().collect();
        let plain = terms.iter().map(|term| plain(&term.to_string())).collect();
        Choices { terms, plain }
    }

    /// What can be typed for each move.
    pub fn texts(&self) -> &[String] {
        &self.plain
    }

    /// The move that a line spells out, with or without outer parentheses.
    pub fn exact(&self, line: &str) -> Option<&'a GroundTerm> {
        let line = line.trim();
        let same = |term: &&&GroundTerm| {
            let text = term.to_string();
            text == line
                || text
                    .strip_prefix('(')
                    .and_then(|text| text.strip_suffix(')'))
                    == Some(line)
        };
        let wanted = plain(line);
        let mut alike = self.plain.iter().zip(&self.terms);
        let by_case = self.terms.iter().find(same).copied();
        by_case.or_else(|| {
            alike
                .find(|(plain, _)| **plain == wanted)
                .map(|(_, term)| *term)
        })
    }

    /// The move that a line selects: by its text, its number, or the beginning of its text.
    pub fn find(&self, line: &str) -> Found<'a> {
        // A move whose text is a number takes precedence over the move with that number.
        if let Some(term) = self.exact(line) {
            return Found::Move(term);
        }
        let count = self.terms.len();
        match line.trim().parse::<usize>() {
            Ok(number) if (1..=count).contains(&number) => {
                return Found::Move(self.terms[number - 1]);
            }
            Ok(_) => return Found::Unclear(format!("there are moves 1 to {count}")),
            Err(_) => {}
        }
        match &self.beginning_with(line)[..] {
            &[one] => Found::Move(self.terms[one]),
            [] => Found::Unclear(self.nearest(line)),
            several => {
                let named = several.iter().take(NAMED).map(|&at| self.numbered(at));
                let more = match several.len().saturating_sub(NAMED) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let named = named.collect::<Vec<_>>().join(", ");
                Found::Unclear(format!("which one? {named}{more}"))
            }
        }
    }

    /// The moves whose text begins so; all of them for an empty beginning.
    pub fn beginning_with(&self, beginning: &str) -> Vec<usize> {
        let beginning = plain(beginning);
        let begins = |at: &usize| self.plain[*at].starts_with(&beginning);
        (0..self.terms.len()).filter(begins).collect()
    }

    fn numbered(&self, at: usize) -> String {
        format!("{} {}", at + 1, self.terms[at])
    }

    /// What to say about a line that is no move: the moves that are most like it.
    fn nearest(&self, line: &str) -> String {
        let wanted = plain(line);
        let like = |at: usize| strsim::normalized_damerau_levenshtein(&wanted, &self.plain[at]);
        let mut likest: Vec<(f64, usize)> = (0..self.terms.len())
            .map(|at| (like(at), at))
            .filter(|(like, _)| *like >= LIKE)
            .collect();
        likest.sort_by(|a, b| b.0.total_cmp(&a.0));
        let named = likest.iter().take(3).map(|&(_, at)| self.numbered(at));
        let named = named.collect::<Vec<_>>().join(", ");
        let what = format!("{:?} is none of the moves", line.trim());
        match named.is_empty() {
            true => format!("{what}; `moves` lists them"),
            false => format!("{what}; near it: {named}"),
        }
    }

    /// A page of these moves with their numbers, in columns. Returns the number of moves on it.
    pub fn page(&self, these: &[usize]) -> (String, usize) {
        let digits = self.terms.len().to_string().len();
        let text = |&at: &usize| format!("{:>digits$} {}", at + 1, self.terms[at]);
        let mut texts: Vec<String> = these.iter().take(WIDTH * LINES).map(text).collect();
        // Wide moves leave room for fewer columns, and so for fewer moves.
        let mut columns = WIDTH;
        loop {
            texts.truncate(columns * LINES);
            let width = texts
                .iter()
                .map(|text| text.chars().count())
                .max()
                .unwrap_or(0)
                + 3;
            let fit = (WIDTH / width).max(1);
            if fit >= columns || columns == 1 {
                break;
            }
            columns = fit;
        }
        let width = texts
            .iter()
            .map(|text| text.chars().count())
            .max()
            .unwrap_or(0)
            + 3;
        let mut page = String::new();
        for row in texts.chunks(columns) {
            let line: String = row.iter().map(|text| format!("{text:<width$}")).collect();
            page += line.trim_end();
            page.push('\n');
        }
        (page, texts.len())
    }
}

/// A move as people type it: single spaces, no outer parentheses, lower case. What is not yet
/// complete may lack its closing parentheses.
fn plain(text: &str) -> String {
    let words = text.replace('(', " ( ").replace(')', " ) ");
    let mut plain = String::new();
    for word in words.split_whitespace() {
        let joined = plain.is_empty() || plain.ends_with('(') || word == ")";
        if !joined {
            plain.push(' ');
        }
        plain += &word.to_lowercase();
    }
    let Some(inner) = plain.strip_prefix('(') else {
        return plain;
    };
    let count = |c| inner.matches(c).count();
    match inner.strip_suffix(')') {
        Some(closed) if count(')') > count('(') => closed.to_owned(),
        _ => inner.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(texts: &[&str]) -> Vec<GroundTerm> {
        let parsed = texts.iter().map(|text| text.parse().expect("a term"));
        parsed.collect()
    }

    #[test]
    fn moves_are_found_by_text_number_and_beginning() {
        let owned = terms(&["noop", "(mark 1 2)", "(Mark 2 1)", "(to (sq a 1))", "7"]);
        let choices = Choices::new(&owned);
        for (line, wanted) in [
            ("1", 0),
            (" 3\n", 2),
            ("noop", 0),
            ("no", 0),
            ("(mark 1 2)", 1),
            ("MARK  1 2", 1),
            ("mark 2", 2),
            ("( mark 2", 2),
            ("to (sq", 3),
            ("(to ( sq a 1 ) )", 3),
            // The text goes before the number.
            ("7", 4),
        ] {
            assert_eq!(choices.find(line), Found::Move(&owned[wanted]), "{line}");
        }
    }

    #[test]
    fn what_is_unclear_names_what_may_be_meant() {
        let owned = terms(&["noop", "(mark 1 2)", "(mark 2 1)"]);
        let choices = Choices::new(&owned);
        for (line, said) in [
            ("4", "there are moves 1 to 3"),
            ("0", "there are moves 1 to 3"),
            ("mark", "which one? 2 (mark 1 2), 3 (mark 2 1)"),
            (
                "(mark 1 1)",
                "\"(mark 1 1)\" is none of the moves; near it: 2 (mark 1 2), 3 (mark 2 1)",
            ),
            ("nop", "\"nop\" is none of the moves; near it: 1 noop"),
            ("xyz", "\"xyz\" is none of the moves; `moves` lists them"),
        ] {
            assert_eq!(choices.find(line), Found::Unclear(said.into()), "{line}");
        }
        let many: Vec<String> = (0..2_000).map(|n| format!("(put {n})")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let owned = terms(&many);
        let choices = Choices::new(&owned);
        let said = "which one? 1 (put 0), 2 (put 1), 3 (put 2), 4 (put 3), 5 (put 4) and 1995 more";
        assert_eq!(choices.find("pu"), Found::Unclear(said.into()));
        assert_eq!(choices.beginning_with("put 123").len(), 11);
        assert_eq!(choices.find("put 1999"), Found::Move(&owned[1_999]));
    }

    #[test]
    fn names_that_differ_in_case_are_told_apart() {
        let owned = terms(&["(mark a)", "(mark A)"]);
        let choices = Choices::new(&owned);
        assert_eq!(choices.find("mark A"), Found::Move(&owned[1]));
        assert_eq!(choices.find("mark a"), Found::Move(&owned[0]));
    }

    #[test]
    fn pages_have_columns_and_an_end() {
        let owned = terms(&["noop", "(mark 1 2)", "(Mark 2 1)"]);
        let (page, shown) = Choices::new(&owned).page(&[0, 1, 2]);
        assert_eq!(page, "1 noop         2 (mark 1 2)   3 (Mark 2 1)\n");
        assert_eq!(shown, 3);
        let many: Vec<String> = (0..2000).map(|n| format!("(put {n})")).collect();
        let owned = terms(&many.iter().map(String::as_str).collect::<Vec<_>>());
        let choices = Choices::new(&owned);
        let all = choices.beginning_with("");
        let (page, shown) = choices.page(&all);
        assert_eq!(page.lines().count(), LINES);
        assert!(page.lines().all(|line| line.len() <= WIDTH), "{page}");
        let (next, _) = choices.page(&all[shown..]);
        assert!(
            next.starts_with(&format!("{:>4} (put {shown})", shown + 1)),
            "{next}"
        );
        let wide = "x".repeat(100);
        let wide = terms(&[&wide, "short"]);
        assert_eq!(Choices::new(&wide).page(&[0, 1]).1, 2);
    }
}
