//! The dependency rules between crates: one ordered table of floors, which are layers of
//! crates.

use anyhow::{Context, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A layer of crates that may use the same layers below.
struct Floor {
    name: &'static str,
    /// The crates, from the bottom up.
    crates: &'static [&'static str],
    /// The floors that they may use, all of them further down.
    sees: &'static [&'static str],
    /// Whether a crate may also use the crates of its own floor that are listed before it.
    inside: bool,
    /// The purpose of the floor, which is the reason for its limits.
    why: &'static str,
}

/// All floors, from the bottom up. A crate in none of them is a problem.
const FLOORS: &[Floor] = &[
    Floor {
        name: "base",
        crates: &[
            "budget",
            "atomic-file",
            "prefetch",
            "gdl-parse",
            "rating",
            "chart",
            "heuristics",
        ],
        sees: &[],
        inside: false,
        why: "values in, values out, whatever they are for",
    },
    Floor {
        name: "text",
        crates: &["gdl-check", "gdl-scramble", "show", "protocol"],
        sees: &["base"],
        inside: false,
        why: "rulesheets and messages are handled without knowing how games are played",
    },
    Floor {
        name: "game",
        crates: &["game", "datalog"],
        sees: &["base"],
        inside: false,
        why: "the interface of engines, and the normal form of rules",
    },
    Floor {
        name: "search",
        crates: &[
            "dfpn",
            "pnsearch",
            "alphabeta",
            "provers",
            "exhaustive",
            "yardstick",
            "mcts",
            "bestfirst",
        ],
        sees: &["base", "game"],
        inside: true,
        why: "searches see engines through `game` alone",
    },
    Floor {
        name: "rules",
        crates: &["reasoner", "grounding"],
        sees: &["base", "game"],
        inside: false,
        why: "rules are evaluated, or grounded",
    },
    Floor {
        name: "network",
        crates: &["propnet", "netlist"],
        sees: &["base", "game", "rules"],
        inside: true,
        why: "ground rules become a network, and the network becomes logic",
    },
    Floor {
        name: "programs",
        crates: &[
            "bitcode",
            "wordcode",
            "x86",
            "bitcode-native",
            "wordcode-native",
        ],
        sees: &["base", "network"],
        inside: true,
        why: "logic becomes programs, whatever they compute",
    },
    Floor {
        name: "compile",
        crates: &["invariants", "compile"],
        sees: &["base", "game", "rules", "network"],
        inside: true,
        why: "a game is compiled, and proved about, once",
    },
    Floor {
        name: "engines",
        crates: &["stategraph", "scalar", "lanes"],
        sees: &["base", "game", "network", "programs"],
        inside: false,
        why: "engines and playouts are made from logic",
    },
    Floor {
        name: "analysis",
        crates: &[
            "analysis",
            "profile",
            "features",
            "localsearch",
            "profile-report",
        ],
        sees: &["base", "game", "network", "compile"],
        inside: true,
        why: "facts about a game, whoever searches with them",
    },
    Floor {
        name: "prepare",
        crates: &["selfplay", "prepare"],
        sees: &[
            "base", "game", "rules", "network", "programs", "compile", "engines", "analysis",
        ],
        inside: true,
        why: "`prepare` is the one place that knows all engines",
    },
    Floor {
        name: "insight",
        crates: &["insight", "insight-report"],
        sees: &["base", "game", "network", "compile", "analysis", "prepare"],
        inside: true,
        why: "what was learnt is told to people; no player reads it",
    },
    Floor {
        name: "play",
        crates: &["factored", "puzzle", "metagame", "players"],
        sees: &[
            "base", "game", "search", "network", "compile", "engines", "analysis", "prepare",
        ],
        inside: true,
        why: "moves are chosen, whoever asks for them and however",
    },
    Floor {
        name: "matches",
        crates: &["records", "store", "tactics", "serve", "matches", "arena"],
        sees: &[
            "base", "text", "game", "search", "compile", "prepare", "play",
        ],
        inside: true,
        why: "clocks, connections and records",
    },
    Floor {
        name: "examination",
        crates: &["rehearsal", "doctor"],
        sees: &["base", "game", "rules", "prepare"],
        inside: false,
        why: "rulesheets and machines are tried out before they are relied on",
    },
    Floor {
        name: "pages",
        crates: &["table"],
        sees: &[
            "base", "text", "game", "compile", "analysis", "prepare", "insight", "play", "matches",
        ],
        inside: false,
        why: "what others know is put on pages, and nothing is found out there",
    },
    Floor {
        name: "facade",
        crates: &["rocinante"],
        sees: &[
            "base", "game", "compile", "analysis", "prepare", "play", "matches",
        ],
        inside: false,
        why: "what a program needs that uses the project as a library",
    },
    Floor {
        name: "tests",
        crates: &["testkit", "perft"],
        sees: &["base", "game", "network", "programs"],
        inside: false,
        why: "what tests of other crates are made with",
    },
    Floor {
        name: "fuzzing",
        crates: &["fuzz-targets"],
        sees: &[
            "base", "text", "game", "rules", "compile", "prepare", "play", "matches", "tests",
        ],
        inside: false,
        why: "everything that reads bytes from outside is fuzzed in one place",
    },
];

/// External crates that libraries must not use.
const FOR_BINARIES: &[&str] = &[
    "clap",
    "anyhow",
    "indicatif",
    "ctrlc",
    "tracing-subscriber",
    "xtask",
    "player",
];

/// Crates that programs must not depend on.
const FOR_TESTS: &[&str] = &["testkit", "fuzz-targets", "proptest", "insta", "xtask"];

/// The packages of the workspace and their dependencies, without those of tests.
pub(super) struct Workspace {
    packages: BTreeMap<String, Package>,
}

struct Package {
    /// The folder, relative to the workspace's root.
    folder: PathBuf,
    depends_on: BTreeSet<String>,
}

impl Workspace {
    /// Reads the packages from cargo.
    ///
    /// # Errors
    /// Fails if cargo cannot be run, or if its output is unexpected.
    pub(super) fn read(root: &Path) -> anyhow::Result<Self> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args([
                "metadata",
                "--format-version",
                "1",
                "--no-deps",
                "--offline",
            ])
            .current_dir(root)
            .output()
            .context("cannot run cargo metadata")?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "cargo metadata failed: {errors}");
        Workspace::parse(&serde_json::from_slice(&output.stdout)?).context("cargo metadata is odd")
    }

    fn parse(metadata: &Value) -> Option<Self> {
        let root = Path::new(metadata["workspace_root"].as_str()?);
        let mut packages = BTreeMap::new();
        for package in metadata["packages"].as_array()? {
            let manifest = Path::new(package["manifest_path"].as_str()?);
            let shipped = |dependency: &&Value| dependency["kind"] != "dev";
            let depends_on = package["dependencies"].as_array()?.iter().filter(shipped);
            packages.insert(
                package["name"].as_str()?.to_owned(),
                Package {
                    folder: manifest.strip_prefix(root).ok()?.parent()?.to_owned(),
                    depends_on: depends_on
                        .map(|dependency| Some(dependency["name"].as_str()?.to_owned()))
                        .collect::<Option<_>>()?,
                },
            );
        }
        Some(Workspace { packages })
    }
}

/// The floor of a crate, counted from the bottom, and its index there.
fn place(name: &str) -> Option<(usize, usize)> {
    (0..).zip(FLOORS).find_map(|(at, floor)| {
        let place = floor.crates.iter().position(|one| *one == name)?;
        Some((at, place))
    })
}

/// Why a crate must not use another crate of the workspace; `None` if it may.
fn forbids(user: &str, used: &str) -> Option<String> {
    let Some((at, place_of_user)) = place(user) else {
        return Some("it is in no floor; add it to FLOORS".to_owned());
    };
    let (below, place_of_used) = place(used)?;
    let floor = &FLOORS[at];
    let allowed = match below == at {
        true => floor.inside && place_of_used < place_of_user,
        false => floor.sees.contains(&FLOORS[below].name),
    };
    (!allowed).then(|| format!("the floor `{}`: {}", floor.name, floor.why))
}

/// Dependencies that the floors forbid, and packages whose folder has another name.
pub(super) fn check(workspace: &Workspace) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, package) in &workspace.packages {
        let folder = package.folder.file_name();
        if folder.is_none_or(|folder| folder != name.as_str()) {
            problems.push(format!(
                "{}: the package is called {name}; give both the same name",
                package.folder.display()
            ));
        }
        let library = package.folder.starts_with("crates");
        if library && place(name).is_none() {
            problems.push(format!("{name} is in no floor; add it to FLOORS"));
            continue;
        }
        for used in &package.depends_on {
            let problem = match library {
                true if FOR_BINARIES.contains(&used.as_str()) => Some(
                    "command lines, their errors and their output belong to binaries".to_owned(),
                ),
                true => forbids(name, used),
                false
                    if package.folder.starts_with("bins") && FOR_TESTS.contains(&used.as_str()) =>
                {
                    Some("what is for tests does not ship".to_owned())
                }
                false => None,
            };
            if let Some(why) = problem {
                problems.push(format!("{name} must not depend on {used} ({why})"));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn workspace(packages: &[(&str, &str, &[&str])]) -> Workspace {
        let packages: Vec<Value> = packages
            .iter()
            .map(|(name, folder, depends_on)| {
                let depends_on: Vec<Value> = depends_on
                    .iter()
                    .map(|name| match name.strip_prefix("dev:") {
                        Some(name) => json!({"name": name, "kind": "dev"}),
                        None => json!({"name": name, "kind": null}),
                    })
                    .collect();
                json!({
                    "name": name,
                    "manifest_path": format!("/root/{folder}/Cargo.toml"),
                    "dependencies": depends_on,
                })
            })
            .collect();
        let metadata = json!({"workspace_root": "/root", "packages": packages});
        Workspace::parse(&metadata).unwrap()
    }

    #[test]
    fn floors_see_only_floors_below_them() {
        for (at, floor) in FLOORS.iter().enumerate() {
            for seen in floor.sees {
                let below = FLOORS[..at].iter().any(|floor| floor.name == *seen);
                assert!(below, "{} sees {seen}", floor.name);
            }
        }
        let all: Vec<&&str> = FLOORS.iter().flat_map(|floor| floor.crates).collect();
        let different: BTreeSet<&&&str> = all.iter().collect();
        assert_eq!(all.len(), different.len(), "a crate is in two floors");
    }

    #[test]
    fn forbidden_dependencies_are_found() {
        let found = check(&workspace(&[
            ("gdl-parse", "crates/gdl-parse", &["nom", "dev:testkit"]),
            ("game", "crates/game", &["gdl-parse", "anyhow"]),
            ("mcts", "crates/mcts", &["game", "dfpn", "prepare"]),
            ("dfpn", "crates/dfpn", &["mcts"]),
            ("helper", "crates/helper", &["protocol"]),
            ("player", "bins/player", &["clap", "testkit"]),
        ]));
        let begins = [
            "dfpn must not depend on mcts (the floor `search`",
            "game must not depend on anyhow (command lines",
            "helper is in no floor",
            "mcts must not depend on prepare (the floor `search`",
            "player must not depend on testkit (what is for tests",
        ];
        assert_eq!(found.len(), begins.len(), "{found:?}");
        for (problem, begin) in found.iter().zip(begins) {
            assert!(problem.starts_with(begin), "{problem}");
        }
    }

    #[test]
    fn folders_are_called_like_their_packages() {
        let found = check(&workspace(&[("gdl-parse", "crates/parser", &[])]));
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("crates/parser: the package is called gdl-parse"));
    }
}
