//! `svc dev`.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::Args;
use svc_server::{AudienceArgs, HostArgs, Limits, LogOptions, NetworkArgs, RunOptions, dates};
use svc_site::{LoadOptions, SiteOptions};

use crate::exit::Exit;

/// Number of ports that are tried after the first one.
const MAX_PORT_TRIES: u16 = 20;

/// Preview the site and reload it when files change.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Folder with docs.json
    #[arg(default_value = ".", value_name = "FOLDER")]
    dir: PathBuf,
    /// Port to listen on; falls back to the next free port
    #[arg(long, default_value_t = 3000)]
    port: u16,
    /// Address to listen on
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    host: IpAddr,
    /// Open the site in a browser
    #[arg(long, overrides_with = "no_open")]
    open: bool,
    /// Do not open a browser, which is the default; for compatibility with other tools
    #[arg(long, hide = true)]
    no_open: bool,
    /// Load the services of `integrations`, which count your own visits then
    #[arg(long)]
    integrations: bool,
    #[command(flatten)]
    audience: AudienceArgs,
    #[command(flatten)]
    hosts: HostArgs,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    log: LogOptions,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let data = super::site::data_dir(&arguments.dir);
    let options = RunOptions {
        root: arguments.dir.clone(),
        load: LoadOptions {
            site: SiteOptions {
                dev: true,
                audience: arguments.audience.audience(),
                integrations: arguments.integrations,
                ..SiteOptions::default()
            },
            last_modified: dates(&arguments.dir, data.as_deref()),
            ..LoadOptions::default()
        },
        limits: Limits::of_this_process(),
        hosts: arguments.hosts.hosts(""),
        watch: true,
        relay: arguments.network.relay(),
        github: arguments.network.github(None),
        remote_documents: arguments.network.remote_documents(data.as_deref()),
    };
    let last = if arguments.port == 0 {
        0
    } else {
        arguments.port.saturating_add(MAX_PORT_TRIES)
    };
    let addrs: Vec<SocketAddr> = (arguments.port..=last)
        .map(|port| SocketAddr::new(arguments.host, port))
        .collect();
    let show = arguments.open && !arguments.no_open;
    super::serve_loop::run(options, &arguments.log, &addrs, true, |url, summary| {
        if show && let Err(error) = open::that_detached(url) {
            super::output::eprint_escaped(&format!(
                "svc: the browser could not be opened: {error}\n"
            ));
        }
        format!(
            "Your site is at {url} ({summary})\nPages reload when you save; press Ctrl-C to stop.\n"
        )
    })
}
