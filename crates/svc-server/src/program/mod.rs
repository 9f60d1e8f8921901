//! The program `svc-server`: serves one folder, or the projects of a settings file.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program speaks to its user"
)]

mod accounts;
mod backup;
mod health;
mod missing_dir;
mod multi_project;
mod readers;
mod runtime;

use std::future::Future;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use crate::notify::{ServiceState, notify};
use crate::run::prepare_at;
use crate::{
    CertificateFiles, CompletionsArgs, HostArgs, InheritedSockets, LONG_VERSION, Limits,
    LogOptions, ManArgs, Metrics, NetworkArgs, RunOptions, SingleSiteAdmin, SiteArgs, Tls,
    TlsSettings, VERSION, VariantArgs, VariantCache, check_dir, data_dir, dates, permissions,
    run_site, second_stop_signal, stop_signal, summary,
};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use tokio::sync::watch;
use tracing::warn;

pub use runtime::SHUTDOWN_TIMEOUT;

/// Serve a documentation repository, or several with `--config`.
#[derive(Debug, Parser)]
#[command(
    name = "svc-server",
    version = VERSION.as_str(),
    long_version = LONG_VERSION.as_str(),
    override_usage = "svc-server FOLDER [OPTIONS]\n       svc-server [--check] --config FILE\n       svc-server COMMAND",
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Folder that contains `docs.json`.
    #[arg(value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// Serve the projects of a settings file, `server.toml`. Excludes all other options except
    /// `--check`.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Check the settings file and exit.
    #[arg(long, requires = "config")]
    check: bool,
    /// Address and port to listen on. Port 0 selects a free port.
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    listen: SocketAddr,
    /// Certificate in PEM format, followed by those of the intermediate authorities. The server then
    /// accepts only HTTPS. Loaded again when the file changes.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Private key of --tls-cert in PEM format, without a passphrase.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    #[command(flatten)]
    site: SiteArgs,
    #[command(flatten)]
    hosts: HostArgs,
    #[command(flatten)]
    variants: VariantArgs,
    /// Folder for data, with one subfolder for each site; created if it does not exist. Default:
    /// `svc` in the user's XDG state folder.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Reload the site when its files change.
    #[arg(long)]
    watch: bool,
    /// Enable the Admin API and the dashboard at this address and port. Default without a value:
    /// 127.0.0.1:8081.
    #[arg(
        long,
        value_name = "ADDRESS",
        num_args = 0..=1,
        default_missing_value = "127.0.0.1:8081"
    )]
    admin_listen: Option<SocketAddr>,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    log: LogOptions,
    /// Print all problems of the site instead of their number.
    #[arg(long)]
    verbose: bool,
}

/// Subcommands besides serving.
#[derive(Debug, Subcommand)]
enum Command {
    /// Manage accounts of the dashboard.
    #[command(subcommand)]
    Admin(accounts::Accounts),
    /// Print lines for the files of readers who sign in.
    #[command(subcommand)]
    Reader(readers::ReaderCommand),
    /// Write everything that a server stores to one file, while it runs.
    ///
    /// The file is a tar archive with checksums. It has the store of the administration, the
    /// deployments and their files, but neither the settings nor repositories.
    Backup(backup::BackupArgs),
    /// Check that a backup is complete and that its files are those that were written.
    Verify(backup::VerifyArgs),
    /// Restore a backup into the data folder of a server that is stopped.
    ///
    /// The backup is checked before anything is changed. If the command is interrupted, run it
    /// again.
    Restore(backup::BackupArgs),
    /// Check that a server on this machine responds.
    ///
    /// Sends one request and waits at most 3 seconds. Exits with 0 if the response has status 200,
    /// else with 1. The certificate of the server is not verified.
    Health(health::HealthArgs),
    /// Print a script that completes commands and options in a shell.
    Completions(CompletionsArgs),
    /// Print the manual page, or write one for each command.
    Man(ManArgs),
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    if let Some(code) = svc_site::worker::run_if_child() {
        return code;
    }
    svc_site::worker::start();
    let matches = Arguments::command().get_matches();
    let arguments = match Arguments::from_arg_matches(&matches) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    permissions::set_private_umask();
    match &arguments.command {
        Some(Command::Admin(command)) => return accounts::run(command),
        Some(Command::Reader(command)) => return readers::run(command),
        Some(Command::Backup(arguments)) => return backup::back_up(arguments),
        Some(Command::Verify(arguments)) => return backup::verify(arguments),
        Some(Command::Restore(arguments)) => return backup::restore(arguments),
        Some(Command::Health(arguments)) => return health::run(arguments),
        Some(Command::Completions(arguments)) => return exit_code(arguments.run(command())),
        Some(Command::Man(arguments)) => return exit_code(arguments.run(command())),
        None => {}
    }
    if let Some(config) = &arguments.config {
        if let Some(sentence) = multi_project::conflicting_options(&matches) {
            eprint!("svc-server: {sentence}");
            return ExitCode::from(2);
        }
        if arguments.check {
            return multi_project::check(config);
        }
        return multi_project::serve(config);
    }
    let Some(dir) = arguments.dir.clone() else {
        eprint!("svc-server: {}", missing_dir::message(Path::new(".")));
        return ExitCode::from(2);
    };
    if let Err(sentence) = check_dir(&dir) {
        eprintln!("svc-server: {sentence}");
        return ExitCode::from(2);
    }
    let data = data_dir(arguments.data.as_deref(), &dir, |name| {
        std::env::var_os(name).map(PathBuf::from)
    });
    if let Some(data) = &data
        && let Err(error) = permissions::create_private_dir(data)
    {
        eprintln!("svc-server: {}: {error}", data.display());
        // An explicit data directory must be usable; the default one is optional.
        if arguments.data.is_some() {
            return ExitCode::from(2);
        }
    }
    if arguments.admin_listen.is_some() && data.is_none() {
        eprintln!("svc-server: --admin-listen requires a data folder; add --data FOLDER");
        return ExitCode::from(2);
    }
    let outcome = runtime::start().and_then(|runtime| {
        let served = runtime.block_on(serve(&arguments, dir, data.as_deref()));
        runtime::stop(runtime);
        served
    });
    match outcome {
        Ok(code) => code,
        Err(error) => {
            eprintln!("svc-server: {error}");
            ExitCode::FAILURE
        }
    }
}

impl Arguments {
    /// Encryption of the listener.
    fn tls(&self) -> std::io::Result<Option<Tls>> {
        let (Some(certificate), Some(key)) = (self.tls_cert.clone(), self.tls_key.clone()) else {
            return Ok(None);
        };
        let files = CertificateFiles { certificate, key };
        Tls::load(&TlsSettings::new(vec![files])).map(Some)
    }
}

/// Prints the sentence in which a command reports its result.
fn print_result(result: Result<String, String>) -> ExitCode {
    match result {
        Ok(sentence) => {
            println!("svc-server: {sentence}");
            ExitCode::SUCCESS
        }
        Err(sentence) => {
            eprintln!("svc-server: {sentence}");
            ExitCode::FAILURE
        }
    }
}

/// Reports an error of a command that only prints.
fn exit_code(result: std::io::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("svc-server: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Scheme of the URLs of a listener.
const fn scheme(is_encrypted: bool) -> &'static str {
    if is_encrypted { "https" } else { "http" }
}

/// The clap command, for generated documentation.
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Waits for a server to end; `false` if it was interrupted by a second signal.
async fn interruptible(serving: impl Future<Output = ()>) -> bool {
    let interrupted = second_stop_signal();
    tokio::select! {
        () = serving => true,
        () = interrupted => {
            warn!("ended at the second signal; running requests were interrupted");
            false
        }
    }
}

async fn serve(
    arguments: &Arguments,
    dir: PathBuf,
    data: Option<&Path>,
) -> std::io::Result<ExitCode> {
    let log = arguments.log.init(str::to_owned);
    let options = RunOptions {
        load: svc_site::LoadOptions {
            site: svc_site::SiteOptions {
                image_variants: arguments.variants.is_enabled(),
                ..arguments.site.options()
            },
            last_modified: dates(&dir, data),
            variant_store: Some(Arc::new(VariantCache::new(data))),
            ..svc_site::LoadOptions::default()
        },
        root: dir,
        limits: Limits::of_this_process(),
        hosts: arguments.hosts.hosts(arguments.site.origin()),
        watch: arguments.watch,
        relay: arguments.network.relay(),
        github: arguments.network.github(data),
        remote_documents: arguments.network.remote_documents(data),
        editor_url: None,
    };
    let tls = arguments.tls()?;
    let mut sockets = InheritedSockets::from_environment()?;
    let metrics = Metrics::default();
    let socket = sockets.sites.take();
    let prepared = prepare_at(&options, &[arguments.listen], socket).await?;
    let mut prepared = prepared.with_tls(tls.clone());
    prepared.server = prepared.server.with_metrics(metrics.sites());
    if let Some(tls) = tls.clone() {
        metrics.observe_certificates("sites", tls);
    }
    if prepared.is_fatal() {
        log.report(&prepared.render_text(), true);
        return Ok(ExitCode::FAILURE);
    }
    if arguments.verbose {
        log.report(&prepared.render_text(), false);
    } else if let Some(notice) = crate::protection_notice(&prepared.diagnostics) {
        log.report(&notice, false);
    }
    let line = summary(&prepared.site, &prepared.diagnostics);
    let addr = prepared.server.local_addr()?;
    let signalled = stop_signal();
    let base = prepared.site.base_path();
    log.announce(&format!(
        "svc-server listens on {}://{addr}{base} ({line})\n",
        scheme(tls.is_some())
    ));
    let administration = match (arguments.admin_listen, data) {
        (Some(listen), Some(data)) => {
            let (root, limits) = (&options.root, &options.limits);
            let listener = (sockets.admin.take(), limits, &metrics);
            Some(SingleSiteAdmin::start_at(root, listen, data, listener).await?)
        }
        _ => None,
    };
    if let Some(administration) = &administration
        && let Some(addr) = administration.local_addr()
    {
        let store = administration.store();
        log.announce(&format!(
            "svc-server serves the administration on http://{addr} (store {store})\n"
        ));
    }
    let (stopping, shutdown) = watch::channel(false);
    let administration = administration.map(|item| tokio::spawn(item.run(shutdown)));
    sockets.warn_unused();
    notify(ServiceState::Ready);
    let stop = async move {
        signalled.await;
        notify(ServiceState::Stopping);
        // Without an administration there is no receiver.
        let _ = stopping.send(true);
    };
    let serving = run_site(prepared, options, stop);
    if !interruptible(serving).await {
        return Ok(ExitCode::FAILURE);
    }
    if let Some(administration) = administration {
        let _ = administration.await;
    }
    Ok(ExitCode::SUCCESS)
}
