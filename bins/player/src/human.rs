//! Humans as players, at the terminal.

use budget::Stop;
use game::GroundTerm;
use matches::{Answer, Fault, Opening, Participant, Turn};
use std::io::{BufRead, Write};

/// The human at the keyboard, without a time limit.
pub struct Human {
    stop: Stop,
    role: String,
}

impl Human {
    /// A human. If the input ends or is `quit`, the match is called off through `stop`.
    pub fn new(stop: Stop) -> Self {
        Human {
            stop,
            role: String::new(),
        }
    }
}

impl Participant for Human {
    fn name(&self) -> String {
        "human".into()
    }

    fn is_human(&self) -> bool {
        true
    }

    fn start(&mut self, opening: &Opening<'_>) -> Result<(), Fault> {
        self.role = opening.roles[opening.role.0].to_string();
        Ok(())
    }

    fn play(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let terms: Vec<&GroundTerm> = turn.legal.iter().map(|(_, term)| term).collect();
        let mut out = std::io::stdout();
        let _ = write!(out, "{}", menu(&terms));
        let mut lines = std::io::stdin().lock().lines();
        loop {
            let _ = write!(out, "{}, your move (a number or a move; quit): ", self.role);
            let _ = out.flush();
            let Some(Ok(line)) = lines.next() else {
                let _ = writeln!(out);
                self.stop.stop();
                return Err(Fault::Late);
            };
            if line.trim() == "quit" {
                self.stop.stop();
                return Err(Fault::Late);
            }
            match pick(&line, &terms) {
                Ok(mv) => {
                    return Ok(Answer {
                        mv: mv.clone(),
                        note: None,
                    });
                }
                Err(why) => {
                    let _ = writeln!(out, "{why}");
                }
            }
        }
    }
}

/// The moves with their numbers, in columns.
fn menu(terms: &[&GroundTerm]) -> String {
    const WIDTH: usize = 78;
    let number = terms.len().to_string().len();
    let texts: Vec<String> = terms
        .iter()
        .enumerate()
        .map(|(at, term)| format!("{:>number$} {term}", at + 1))
        .collect();
    let width = texts.iter().map(String::len).max().unwrap_or(0) + 3;
    let columns = (WIDTH / width).max(1);
    let mut menu = String::new();
    for row in texts.chunks(columns) {
        let line: String = row.iter().map(|text| format!("{text:<width$}")).collect();
        menu += line.trim_end();
        menu.push('\n');
    }
    menu
}

/// The move that a line selects: by number, by text, or by text without the outer parentheses.
fn pick<'a>(line: &str, terms: &[&'a GroundTerm]) -> Result<&'a GroundTerm, String> {
    let line = line.trim();
    let same = |term: &&&GroundTerm| {
        let wanted = [line.to_string(), format!("({line})")];
        wanted
            .iter()
            .filter_map(|text| text.parse::<GroundTerm>().ok())
            .any(|wanted| wanted.eq_ignore_case(term))
    };
    // A move whose text is a number takes precedence over the move with that number.
    if let Some(term) = terms.iter().find(same) {
        return Ok(term);
    }
    match line.parse::<usize>() {
        Ok(number) if (1..=terms.len()).contains(&number) => Ok(terms[number - 1]),
        Ok(_) => Err(format!("there are moves 1 to {}", terms.len())),
        Err(_) => Err(format!("{line:?} is none of the moves")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_picked_by_number_or_text() {
        let owned: Vec<GroundTerm> = ["noop", "(mark 1 2)", "(Mark 2 1)"]
            .map(|text| text.parse().expect("a term"))
            .to_vec();
        let terms: Vec<&GroundTerm> = owned.iter().collect();
        for (line, wanted) in [
            ("1", 0),
            (" 3\n", 2),
            ("noop", 0),
            ("(mark 1 2)", 1),
            ("mark  2 1", 2),
        ] {
            assert_eq!(pick(line, &terms), Ok(&owned[wanted]), "{line}");
        }
        for line in ["0", "4", "mark", "(", ""] {
            assert!(pick(line, &terms).is_err(), "{line}");
        }
        assert_eq!(menu(&terms), "1 noop         2 (mark 1 2)   3 (Mark 2 1)\n");
    }
}
