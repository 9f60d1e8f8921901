//! `svc-server`: one folder, one address.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program speaks to its user"
)]

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use svc_server::{
    Limits, Outside, RunOptions, check_folder, data_folder, prepare, run_site, stop_signal, summary,
};

/// Serves a documentation repository.
#[derive(Debug, Parser)]
#[command(name = "svc-server", version)]
struct Arguments {
    /// The folder that holds `docs.json`.
    folder: PathBuf,
    /// Address and port to listen on; port 0 takes any free one.
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    listen: SocketAddr,
    /// Path before all addresses, `/docs`.
    #[arg(long, default_value = "", value_name = "PATH")]
    base_path: String,
    /// Where readers find the site, `https://docs.example.com`: for canonical addresses, the sitemap
    /// and pictures of shared links. A canonical address in docs.json wins.
    #[arg(long, default_value = "", value_name = "URL")]
    origin: String,
    /// Leaves out the scripts and style sheets of the repository and runs none of its components.
    #[arg(long)]
    without_scripts: bool,
    /// Loads no fonts from the public catalogue of web fonts.
    #[arg(long)]
    without_web_fonts: bool,
    /// Folder for what the server keeps, one subfolder per site; made when it is not there. Without
    /// it: `svc` in the user's XDG state folder.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Loads the site again when its files change.
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    outside: Outside,
    /// Prints every problem of the site, not only their number.
    #[arg(long)]
    verbose: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Err(sentence) = check_folder(&arguments.folder) {
        eprintln!("svc-server: {sentence}");
        return ExitCode::from(2);
    }
    let data = data_folder(arguments.data.as_deref(), &arguments.folder, |name| {
        std::env::var_os(name).map(PathBuf::from)
    });
    if let Some(data) = &data
        && let Err(error) = std::fs::create_dir_all(data)
    {
        eprintln!("svc-server: {}: {error}", data.display());
        // A folder that was asked for has to be usable; the usual one may be missing.
        if arguments.data.is_some() {
            return ExitCode::from(2);
        }
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // Pages are drawn on these threads, and they nest.
        .thread_stack_size(8 << 20)
        .build();
    let outcome = runtime.and_then(|runtime| runtime.block_on(serve(&arguments, data.as_deref())));
    match outcome {
        Ok(code) => code,
        Err(error) => {
            eprintln!("svc-server: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(arguments: &Arguments, data: Option<&Path>) -> std::io::Result<ExitCode> {
    let options = RunOptions {
        root: arguments.folder.clone(),
        load: svc_site::LoadOptions {
            base_path: arguments.base_path.clone(),
            origin: arguments.origin.clone(),
            without_scripts: arguments.without_scripts,
            without_web_fonts: arguments.without_web_fonts,
            ..Default::default()
        },
        limits: Limits::default(),
        watch: arguments.watch,
        relay: arguments.outside.relay(),
        github: arguments.outside.github(data),
        hosted: arguments.outside.hosted(data),
    };
    let prepared = prepare(&options, &[arguments.listen]).await?;
    if prepared.is_fatal() {
        eprint!("{}", prepared.human());
        return Ok(ExitCode::FAILURE);
    }
    if arguments.verbose {
        eprint!("{}", prepared.human());
    }
    let line = summary(&prepared.site, &prepared.diagnostics);
    let address = prepared.server.address()?;
    println!(
        "svc-server listens on http://{address}{} ({line})",
        prepared.site.base_path()
    );
    run_site(prepared, options, stop_signal(), |line| eprintln!("{line}")).await;
    Ok(ExitCode::SUCCESS)
}
