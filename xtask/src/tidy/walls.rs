//! Which crates may know which.

use anyhow::{Context, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The workspace's packages and what each depends on, tests aside.
pub(super) struct Workspace {
    packages: BTreeMap<String, Package>,
}

struct Package {
    /// Its folder, relative to the workspace's root.
    folder: PathBuf,
    depends_on: BTreeSet<String>,
}

/// Whom a wall keeps in.
enum Who {
    These(&'static [&'static str]),
    /// All packages in that folder.
    In(&'static str),
}

/// Whom a wall keeps out.
enum From {
    These(&'static [&'static str]),
    /// All packages of the workspace.
    Ours,
    /// All packages of the workspace in that folder.
    OursIn(&'static str),
}

struct Wall {
    who: Who,
    from: From,
    why: &'static str,
}

const WALLS: &[Wall] = &[
    Wall {
        who: Who::These(&["gdl-parse", "budget"]),
        from: From::Ours,
        why: "everything depends on it",
    },
    Wall {
        who: Who::These(&["rating", "chart", "heuristics"]),
        from: From::Ours,
        why: "numbers go in and numbers come out, whatever they are about",
    },
    Wall {
        who: Who::These(&["gdl-check", "gdl-scramble"]),
        from: From::These(&[
            "game",
            "datalog",
            "reasoner",
            "grounding",
            "propnet",
            "mcts",
            "uct",
        ]),
        why: "rulesheets are read without knowing how games are played",
    },
    Wall {
        who: Who::These(&[
            "datalog",
            "reasoner",
            "grounding",
            "propnet",
            "wordcode",
            "scalar",
        ]),
        from: From::These(&[
            "mcts", "uct", "players", "prepare", "protocol", "serve", "matches",
        ]),
        why: "engines know nothing of search and servers",
    },
    Wall {
        who: Who::These(&["mcts", "uct"]),
        from: From::These(&["reasoner", "propnet", "scalar", "grounding", "prepare"]),
        why: "search sees engines through `game` alone",
    },
    Wall {
        who: Who::These(&["metagame"]),
        from: From::These(&[
            "reasoner",
            "propnet",
            "scalar",
            "grounding",
            "prepare",
            "analysis",
            "players",
        ]),
        why: "a plan is about searches, whoever plays and however playouts are made",
    },
    Wall {
        who: Who::These(&["factored"]),
        from: From::These(&["reasoner", "scalar", "prepare", "players"]),
        why: "the parts of a game are found on its logic, and ways are tried on any engine",
    },
    Wall {
        who: Who::These(&["mcts", "uct", "metagame", "players", "factored"]),
        from: From::These(&["protocol", "serve", "matches", "httparse"]),
        why: "whoever chooses moves knows nothing of HTTP",
    },
    Wall {
        who: Who::These(&["analysis"]),
        from: From::These(&[
            "mcts", "uct", "players", "prepare", "solver", "tactics", "protocol", "serve",
            "matches",
        ]),
        why: "facts about a game are found from its network, whoever searches with them",
    },
    Wall {
        who: Who::These(&["solver"]),
        from: From::These(&["mcts", "uct", "players", "lanes", "stategraph", "prepare"]),
        why: "what searches are tested with shares nothing with them",
    },
    Wall {
        who: Who::These(&["proofs"]),
        from: From::These(&[
            "mcts",
            "uct",
            "players",
            "lanes",
            "reasoner",
            "propnet",
            "scalar",
            "grounding",
            "prepare",
        ]),
        why: "what is forced is proved over any engine, for any search",
    },
    Wall {
        who: Who::These(&["protocol"]),
        from: From::These(&["game", "players", "prepare", "serve", "matches"]),
        why: "the protocol is text, whoever plays",
    },
    Wall {
        who: Who::In("crates"),
        from: From::OursIn("bins"),
        why: "libraries do not know the programs that use them",
    },
    Wall {
        who: Who::In("crates"),
        from: From::These(&[
            "clap",
            "anyhow",
            "indicatif",
            "ctrlc",
            "tracing-subscriber",
            "xtask",
        ]),
        why: "command lines, their errors and their output belong to binaries",
    },
    Wall {
        who: Who::In("bins"),
        from: From::These(&["testkit", "proptest", "insta", "xtask"]),
        why: "what is for tests does not ship",
    },
];

impl Workspace {
    /// Asks cargo.
    ///
    /// # Errors
    /// If cargo cannot be run, or says something unexpected.
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

    /// The packages that `who` names.
    fn members<'a>(&'a self, who: &'a Who) -> impl Iterator<Item = &'a str> {
        let named = move |name: &str, package: &Package| match who {
            Who::These(names) => names.contains(&name),
            Who::In(folder) => package.folder.starts_with(folder),
        };
        let packages = self.packages.iter();
        packages
            .filter(move |(name, package)| named(name, package))
            .map(|(name, _)| name.as_str())
    }

    fn keeps_out(&self, from: &From, name: &str) -> bool {
        let ours = self.packages.get(name);
        match from {
            From::These(names) => names.contains(&name),
            From::Ours => ours.is_some(),
            From::OursIn(folder) => ours.is_some_and(|package| package.folder.starts_with(folder)),
        }
    }

    /// How `name` comes to depend on somebody that the wall keeps out: the chain of packages.
    fn breach<'a>(&'a self, name: &'a str, from: &From) -> Option<Vec<&'a str>> {
        let mut known = BTreeSet::from([name]);
        let mut chains = vec![vec![name]];
        while let Some(chain) = chains.pop() {
            let last = self.packages.get(chain[chain.len() - 1]);
            for next in last.into_iter().flat_map(|package| &package.depends_on) {
                let longer = [&chain[..], &[next]].concat();
                if self.keeps_out(from, next) {
                    return Some(longer);
                }
                if known.insert(next) {
                    chains.push(longer);
                }
            }
        }
        None
    }
}

/// The walls that are breached, and packages whose folder has another name.
pub(super) fn check(workspace: &Workspace) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, package) in &workspace.packages {
        if package
            .folder
            .file_name()
            .is_none_or(|folder| folder != name.as_str())
        {
            problems.push(format!(
                "{}: the package is called {name}; give both the same name",
                package.folder.display()
            ));
        }
    }
    for wall in WALLS {
        for name in workspace.members(&wall.who) {
            if let Some(chain) = workspace.breach(name, &wall.from) {
                let last = chain[chain.len() - 1];
                problems.push(format!(
                    "{name} must not depend on {last} ({}): {}",
                    wall.why,
                    chain.join(" -> ")
                ));
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
    fn finds_breaches_near_and_far() {
        let found = check(&workspace(&[
            ("gdl-parse", "crates/gdl-parse", &["nom", "dev:testkit"]),
            ("mcts", "crates/mcts", &["game", "helper"]),
            ("helper", "crates/helper", &["protocol"]),
            ("protocol", "crates/protocol", &["httparse", "gdl-parse"]),
            ("game", "crates/game", &["gdl-parse", "anyhow"]),
            ("testkit", "crates/testkit", &[]),
            ("player", "bins/player", &["clap", "dev:testkit"]),
        ]));
        let expected = [
            "mcts must not depend on protocol (whoever chooses moves knows nothing of HTTP): mcts -> helper -> protocol",
            "game must not depend on anyhow (command lines, their errors and their output belong to binaries): game -> anyhow",
            "mcts must not depend on anyhow (command lines, their errors and their output belong to binaries): mcts -> game -> anyhow",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn folders_are_called_like_their_packages() {
        let found = check(&workspace(&[("gdl-parse", "crates/parser", &[])]));
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("crates/parser: the package is called gdl-parse"));
    }
}
