//! `rocinante table`: games in a browser.

use crate::{interrupt, options, source, wall};
use anyhow::{Context, bail};
use budget::Stop;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::ExitCode;

/// The least length of a token that is given.
const TOKEN: usize = 8;

/// Arguments of `rocinante table`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folders of rulesheets, also in the layout of the public repository, and of tournaments
    #[arg(value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Port to listen on; 0 is any that is free
    #[arg(long, default_value_t = 9148)]
    port: u16,
    /// Address to listen on; others than this machine can reach any but the default, so that
    /// --token is needed too
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// What visitors must know, at least 8 letters or digits; it is part of the address that is
    /// printed
    #[arg(long, value_name = "TOKEN", value_parser = token)]
    token: Option<String>,
    /// Folder in which tables are kept, to be found again after a restart
    #[arg(long, value_name = "DIR", default_value = "rocinante-tables")]
    tables: PathBuf,
    /// Search threads of each player [default: one for each core]
    #[arg(long, value_name = "N", value_parser = options::threads)]
    threads: Option<usize>,
    /// Memory limit of each player's search, in MiB
    #[arg(long, value_name = "MIB", default_value_t = options::mib(256), value_parser = options::memory)]
    memory_mib: usize,
}

/// Serves the table until ctrl-C.
///
/// # Errors
/// Fails if a folder is missing, the port is taken, or the server would be open to others without
/// a token.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    if !args.bind.is_loopback() && args.token.is_none() {
        bail!(
            "others can reach {}; say with --token what visitors must know",
            args.bind
        );
    }
    if let Some(missing) = args.folders.iter().find(|folder| !folder.is_dir()) {
        bail!("{} is no folder", missing.display());
    }
    let stop = Stop::default();
    interrupt::stop_on_interrupt(&stop)?;
    let address = SocketAddr::new(args.bind, args.port);
    let listener = TcpListener::bind(address)
        .with_context(|| format!("cannot listen on {address}; --port takes another"))?;
    let address = listener.local_addr()?;
    let token = args
        .token
        .as_ref()
        .map_or(String::new(), |token| format!("?token={token}"));
    source::print(&format!(
        "The table is open at http://{address}/{token}\nCtrl-C ends it.\n"
    ))?;
    let settings = table::Settings {
        folders: args.folders,
        store: args.tables,
        threads: args.threads.unwrap_or_else(wall::cores),
        memory: args.memory_mib << 20,
        token: args.token,
    };
    table::serve(listener, settings, &stop)?;
    Ok(ExitCode::SUCCESS)
}

/// Parses a token, which stands in addresses and cookies.
fn token(text: &str) -> Result<String, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match plain && text.len() >= TOKEN {
        true => Ok(text.to_owned()),
        false => Err(format!("it must be at least {TOKEN} letters or digits")),
    }
}
