//! The games that are measured.

use std::path::{Path, PathBuf};

/// A game and its name in tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// The name. Our fixtures have the prefix `fixtures/`, because some have the name of a game
    /// of the corpus whose rulesheet differs.
    pub name: String,
    /// The path of the rulesheet.
    pub path: PathBuf,
}

/// The rulesheets of these folders, or of fixtures and corpus if there are none.
pub fn all(folders: &[PathBuf]) -> Vec<Game> {
    let corpus = testkit::corpus();
    let mut games = Vec::new();
    if folders.is_empty() {
        for path in testkit::fixtures() {
            let name = format!("fixtures/{}", stem(&path));
            games.push(Game { name, path });
        }
    }
    let of_corpus = corpus.map(|corpus| corpus.join("games"));
    let folders = match folders {
        [] => of_corpus.as_slice(),
        folders => folders,
    };
    for folder in folders {
        let mut paths = testkit::files(folder, "kif");
        paths.extend(testkit::files(folder, "gdl"));
        games.extend(paths.into_iter().map(|path| Game {
            name: stem(&path),
            path,
        }));
    }
    games
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

impl Game {
    /// Whether `name` on the command line means this game.
    pub fn is(&self, name: &str) -> bool {
        self.name == name || stem(&self.path) == name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixtures_are_distinct_from_games_of_the_same_name() {
        let games = all(&[]);
        let fixture = games
            .iter()
            .find(|game| game.name == "fixtures/tic_tac_toe");
        let fixture = fixture.expect("it is a fixture");
        assert!(fixture.is("tic_tac_toe") && fixture.is("fixtures/tic_tac_toe"));
        assert!(!fixture.is("tic_tac"));
    }

    #[test]
    fn given_folders_replace_the_default_ones() {
        let folder = testkit::root().join("fixtures/games");
        let games = all(std::slice::from_ref(&folder));
        assert_eq!(games.len(), testkit::fixtures().len());
        assert!(games.iter().any(|game| game.name == "tic_tac_toe"));
    }
}
