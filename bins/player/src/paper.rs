//! What the shell and the manual know of this program: completions and the manual page.

use crate::{Cli, source};
use clap::CommandFactory;
use clap_complete::Shell;
use std::process::ExitCode;

/// Arguments of `rocinante completions`.
#[derive(Debug, clap::Args)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints a script with which the shell completes commands and options.
///
/// # Errors
/// Fails if it cannot be written.
pub fn completions(args: &Completions) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "rocinante", &mut script);
    source::print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the manual: one page that has all commands.
///
/// # Errors
/// Fails if it cannot be written.
pub fn man() -> anyhow::Result<ExitCode> {
    source::print(&String::from_utf8_lossy(&manual()?))?;
    Ok(ExitCode::SUCCESS)
}

fn manual() -> std::io::Result<Vec<u8>> {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    let man = clap_mangen::Man::new(command.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    for subcommand in command.get_subcommands().filter(|one| !one.is_hide_set()) {
        let name = subcommand.get_name().to_uppercase();
        page.extend(format!(".SH {name}\n").into_bytes());
        let man = clap_mangen::Man::new(subcommand.clone());
        man.render_description_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_options_section(&mut page)?;
    }
    man.render_extra_section(&mut page)?;
    man.render_version_section(&mut page)?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_has_every_command() {
        let page = String::from_utf8(manual().unwrap()).unwrap();
        for command in Cli::command().get_subcommands() {
            let name = command.get_name().to_uppercase();
            assert!(page.contains(&format!(".SH {name}\n")), "{name}");
        }
        assert!(page.contains("Exit codes"), "{page}");
        assert!(page.contains("\\-\\-play\\-clock"), "{page}");
    }
}
