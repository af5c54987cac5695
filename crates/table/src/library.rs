//! The rulesheets that the lobby offers: our own, those of folders, and those that were pasted.

use include_dir::{Dir, include_dir};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Our own games, with their style files.
static FIXTURES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../fixtures/games");

/// The largest rulesheet that is read, in bytes.
pub(crate) const LARGEST: u64 = 4 << 20;

/// The most folders below a given one that are looked into.
const DEEPEST: usize = 3;

/// The extensions of rulesheets.
const EXTENSIONS: [&str; 2] = ["gdl", "kif"];

/// A rulesheet that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// What addresses call it; unique.
    pub key: String,
    /// Its name for people.
    pub title: String,
    /// What its folder says of it, if anything.
    pub about: String,
    source: Source,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    Own(&'static str),
    File(PathBuf),
}

/// A group of rulesheets: our own, or those of a folder.
#[derive(Debug, Clone)]
pub(crate) struct Shelf {
    /// The heading.
    pub title: String,
    /// The rulesheets by name.
    pub entries: Vec<Entry>,
}

/// The text of a rulesheet, with the style that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sheet {
    /// What addresses call it; empty if it is not in the library.
    pub key: String,
    /// Its name for people.
    pub title: String,
    /// The rules.
    pub text: String,
    /// The text of its style file, if there is one.
    pub style: Option<String>,
}

/// All rulesheets that are on offer. Folders are read anew each time, so that files may come and
/// go; `pasted` is the folder of rulesheets that were pasted.
pub(crate) fn shelves(folders: &[PathBuf], pasted: &Path) -> Vec<Shelf> {
    let mut shelves = vec![Shelf {
        title: "Games of this project".into(),
        entries: own(),
    }];
    for (number, folder) in folders.iter().enumerate() {
        let mut entries = Vec::new();
        collect(folder, folder, &format!("folder{number}"), 0, &mut entries);
        entries.sort_by_key(|entry| entry.title.to_lowercase());
        shelves.push(Shelf {
            title: folder.display().to_string(),
            entries,
        });
    }
    let mut entries = Vec::new();
    collect(pasted, pasted, "pasted", 0, &mut entries);
    if !entries.is_empty() {
        shelves.push(Shelf {
            title: "Pasted".into(),
            entries,
        });
    }
    shelves
}

/// The rulesheet with a key; `None` if there is none, or it cannot be read.
pub(crate) fn find(folders: &[PathBuf], pasted: &Path, key: &str) -> Option<Sheet> {
    let shelves = shelves(folders, pasted);
    let mut entries = shelves.iter().flat_map(|shelf| &shelf.entries);
    let entry = entries.find(|entry| entry.key == key)?;
    let (text, style) = match &entry.source {
        Source::Own(name) => {
            let file = |extension: &str| {
                let file = FIXTURES.get_file(format!("{name}.{extension}"))?;
                file.contents_utf8().map(str::to_owned)
            };
            (file("gdl")?, file("style.toml"))
        }
        Source::File(path) => {
            let style = read(&path.with_extension("style.toml"));
            (read(path)?, style)
        }
    };
    Some(Sheet {
        key: key.to_owned(),
        title: entry.title.clone(),
        text,
        style,
    })
}

/// Reads a text that is not too large. What is not UTF-8 is replaced.
pub(crate) fn read(path: &Path) -> Option<String> {
    let size = fs::metadata(path).ok()?;
    let bytes = (size.is_file() && size.len() <= LARGEST).then(|| fs::read(path).ok())??;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn own() -> Vec<Entry> {
    let names = FIXTURES.files().filter_map(|file| {
        let path = file.path();
        let is_game = path.extension().is_some_and(|extension| extension == "gdl");
        path.file_stem()?.to_str().filter(|_| is_game)
    });
    let entry = |name: &'static str| Entry {
        key: format!("own/{name}"),
        title: name.replace('_', " "),
        about: String::new(),
        source: Source::Own(name),
    };
    names.map(entry).collect()
}

/// The metadata of a game in the layout of the public repository.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Metadata {
    game_name: String,
    rulesheet: String,
    description: String,
}

/// Adds the rulesheets below `folder`. A folder with metadata is one game, whose rulesheet that
/// names.
fn collect(root: &Path, folder: &Path, key: &str, depth: usize, entries: &mut Vec<Entry>) {
    let Ok(listed) = fs::read_dir(folder) else {
        return;
    };
    if let Some(entry) = described(root, folder, key) {
        entries.push(entry);
        return;
    }
    for path in listed.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            if depth < DEEPEST {
                collect(root, &path, key, depth + 1, entries);
            }
            continue;
        }
        let known = |extension: &std::ffi::OsStr| EXTENSIONS.iter().any(|one| extension == *one);
        if path.extension().is_some_and(known) {
            let title = path.file_stem().map(|stem| stem.to_string_lossy());
            entries.extend(title.and_then(|title| {
                let title = title.into_owned();
                file_entry(root, &path, key, title, String::new())
            }));
        }
    }
}

fn described(root: &Path, folder: &Path, key: &str) -> Option<Entry> {
    let metadata: Metadata = serde_json::from_str(&read(&folder.join("METADATA"))?).ok()?;
    // The rulesheet is a file of this folder, whatever the metadata say.
    let file = Path::new(&metadata.rulesheet).file_name()?;
    let path = folder.join(file);
    let title = match metadata.game_name.is_empty() {
        true => folder.file_name()?.to_string_lossy().into_owned(),
        false => metadata.game_name,
    };
    path.is_file()
        .then(|| file_entry(root, &path, key, title, metadata.description))?
}

fn file_entry(root: &Path, path: &Path, key: &str, title: String, about: String) -> Option<Entry> {
    let inside = path.strip_prefix(root).ok()?;
    Some(Entry {
        key: format!("{key}/{}", inside.display()),
        title,
        about,
        source: Source::File(path.to_path_buf()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_games_are_in_the_program() {
        let sheet = find(&[], Path::new("/nowhere"), "own/tic_tac_toe").expect("it is there");
        assert_eq!(sheet.title, "tic tac toe");
        assert!(sheet.text.contains("(role"));
    }

    #[test]
    fn folders_hold_plain_files_and_games_with_metadata() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let game = root.join("games/chess/v1");
        fs::create_dir_all(&game).expect("a folder");
        fs::write(root.join("plain.kif"), "(role a)").expect("written");
        fs::write(root.join("plain.style.toml"), "").expect("written");
        fs::write(root.join("notes.txt"), "").expect("written");
        fs::write(game.join("rules.kif"), "(role b)").expect("written");
        let metadata = r#"{"gameName": "Chess", "rulesheet": "rules.kif", "user": "x"}"#;
        fs::write(game.join("METADATA"), metadata).expect("written");
        let folders = [root.to_path_buf()];
        let shelf = &shelves(&folders, Path::new("/nowhere"))[1];
        let titles: Vec<_> = shelf.entries.iter().map(|entry| &*entry.title).collect();
        assert_eq!(titles, ["Chess", "plain"]);
        let sheet = find(&folders, Path::new("/nowhere"), "folder0/plain.kif").expect("a sheet");
        assert_eq!(
            (&*sheet.text, sheet.style.as_deref()),
            ("(role a)", Some(""))
        );
        assert_eq!(
            find(&folders, Path::new("/nowhere"), "folder0/../plain.kif"),
            None
        );
    }

    #[test]
    fn metadata_cannot_name_a_file_elsewhere() {
        let folder = tempfile::tempdir().expect("a folder");
        let game = folder.path().join("game");
        fs::create_dir_all(&game).expect("a folder");
        fs::write(folder.path().join("secret"), "(role a)").expect("written");
        fs::write(game.join("METADATA"), r#"{"rulesheet": "../secret"}"#).expect("written");
        let folders = [folder.path().to_path_buf()];
        assert!(
            shelves(&folders, Path::new("/nowhere"))[1]
                .entries
                .is_empty()
        );
    }
}
