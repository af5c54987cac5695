//! Builds the fuzzers.

use anyhow::{Context, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the compiler adds to the programs, so that the fuzzer sees which code an input reaches
/// and what it is compared with.
const COVERAGE: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg=fuzzing",
];

/// Builds the fuzzers. Returns the folder of the programs.
///
/// # Errors
/// Fails if they cannot be built.
pub fn build() -> anyhow::Result<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/Cargo.toml");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let target = Path::new(&target).join("fuzzers");
    let triple = triple()?;
    let status = Command::new(cargo)
        .args(["build", "--release", "--quiet", "--target", &triple])
        .arg("--manifest-path")
        .arg(&manifest)
        .arg("--target-dir")
        .arg(&target)
        .env("RUSTFLAGS", COVERAGE.join(" "))
        .status()
        .context("cannot run cargo")?;
    ensure!(
        status.success(),
        "the fuzzers could not be built; they need a compiler for C++"
    );
    Ok(target.join(triple).join("release"))
}

/// The target of the compiler. It is named explicitly, so that build scripts and macros are
/// built as usual.
fn triple() -> anyhow::Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .arg("-vV")
        .output()
        .context("cannot run rustc")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.context("rustc does not tell its host")?.to_owned())
}
