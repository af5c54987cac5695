//! `rocinante serve`: the player as an HTTP service.

use crate::config::{Config, Settings};
use crate::interrupt::on_interrupt;
use crate::{archive, logging, source};
use ::serve::{Margin, Options, RecordFolder, RulesPreparer, Server, ServerLimits, Service};
use anyhow::{Context, ensure};
use budget::{Clock, Stop, SystemClock};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tracing::{info, warn};

/// Arguments of `rocinante serve`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Read settings from this file, `-` for the standard input; flags override it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print all settings as a commented file, and exit
    #[arg(long)]
    print_config: bool,
    /// Exit when the standard input ends: for a parent process that may itself be killed at any
    /// time
    #[arg(long)]
    while_stdin: bool,
    /// Keep a record of every match in this folder, written anew after each joint move;
    /// `rocinante replay` shows it
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
}

/// Serves until it is interrupted.
///
/// # Errors
/// Fails if the settings are invalid or the address cannot be bound.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let both = args.while_stdin && args.config.as_deref().is_some_and(source::is_standard);
    ensure!(
        !both,
        "--config - reads the standard input, and so does --while-stdin"
    );
    let file = match &args.config {
        Some(path) => Settings::read(path)?,
        None => Settings::default(),
    };
    let config = Config::new(args.settings.over(file))?;
    if args.print_config {
        source::print(&config.to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    logging::init(&config.log)?;
    let clock = SystemClock::default();
    let records = args.records.map(|folder| records(folder, &clock));
    let records = records.transpose()?;
    let stop = Stop::default();
    let interrupted = stop.clone();
    on_interrupt(move || interrupted.stop())?;
    if args.while_stdin {
        let stop = stop.clone();
        std::thread::spawn(move || {
            // An error ends the input too.
            let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
            stop.stop();
        });
    }
    let address = SocketAddr::new(config.bind, config.port);
    let server = Server::bind(
        address,
        Arc::new(service(&config, records, clock)?),
        ServerLimits::default(),
    )
    .with_context(|| format!("cannot listen on {address}"))?;
    // Scripts read the address from the standard output. Everything else goes to the standard
    // error.
    match source::print(&format!("listening on {}\n", server.address())) {
        Err(error) if !error.is::<source::Closed>() => return Err(error),
        // Nobody needs to read it.
        _ => {}
    }
    info!(
        profile = %config.profile,
        threads = config.threads,
        "listening on {}",
        server.address()
    );
    server.run(&stop).context("cannot serve")?;
    info!("stopped");
    Ok(ExitCode::SUCCESS)
}

/// The time of day.
fn unix_time() -> Duration {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.unwrap_or_default()
}

/// The place of records: a folder, which is created if it is not there.
fn records(folder: PathBuf, clock: &SystemClock) -> anyhow::Result<RecordFolder> {
    let name = folder.display().to_string();
    std::fs::create_dir_all(&folder)
        .and_then(|()| atomic_file::check(&folder.join("record.json")))
        .with_context(|| format!("cannot keep records in {name}"))?;
    Ok(RecordFolder {
        folder,
        origin: unix_time().saturating_sub(clock.now()),
    })
}

/// The service that `config` describes.
fn service(
    config: &Config,
    records: Option<RecordFolder>,
    clock: SystemClock,
) -> anyhow::Result<Service> {
    let mut player = config.profile.clone();
    let mut store = config.store.as_deref();
    if config.no_learning {
        (player, store) = (player.without_knowledge(), None);
    }
    let archive = archive::open(store, |text| warn!("{text}"))?;
    let seed = config.seed.unwrap_or_else(|| unix_time().as_nanos() as u64);
    let options = Options {
        name: config.name.clone(),
        player: Arc::new(move || player.build_with(archive.clone())),
        threads: config.threads,
        memory: config.memory_mib << 20,
        margin: Margin {
            time: Duration::from_millis(config.margin_ms),
            percent: config.margin_percent,
        },
        ponder: config.ponder,
        seed,
        records,
    };
    let preparer = RulesPreparer {
        options: prepare::Options {
            engine: config.engine,
            fold_case: config.fold_case,
        },
    };
    Ok(Service::new(options, Arc::new(preparer), Arc::new(clock)))
}
