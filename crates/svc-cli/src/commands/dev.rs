//! `svc dev`.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::Args;
use svc_server::{HostArgs, Limits, NetworkArgs, RunOptions, dates};
use svc_site::LoadOptions;

use crate::exit::Exit;

/// Ports that are tried after the first one.
const MAX_PORT_TRIES: u16 = 20;

/// Show the site while you write it.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The folder that holds docs.json
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// Port; when it is taken, the next free one
    #[arg(long, default_value_t = 3000)]
    port: u16,
    /// Address to listen on
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    host: IpAddr,
    /// Show the site in a browser
    #[arg(long, overrides_with = "no_open")]
    open: bool,
    /// Leave the browser alone, as is usual; other tools need to be told
    #[arg(long, hide = true)]
    no_open: bool,
    #[command(flatten)]
    hosts: HostArgs,
    #[command(flatten)]
    network: NetworkArgs,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let data = super::data_dir(&arguments.folder);
    let options = RunOptions {
        root: arguments.folder.clone(),
        load: LoadOptions {
            dev: true,
            last_modified: dates(&arguments.folder, data.as_deref()),
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
    let addresses: Vec<SocketAddr> = (arguments.port..=last)
        .map(|port| SocketAddr::new(arguments.host, port))
        .collect();
    let show = arguments.open && !arguments.no_open;
    super::serve_loop::run(options, &addresses, true, |address, summary| {
        if show && let Err(error) = open::that_detached(address) {
            super::eprint_escaped(&format!("svc: no browser could be opened: {error}\n"));
        }
        format!(
            "Your site is at {address} ({summary})\nPages follow what you save; Ctrl-C ends it.\n"
        )
    })
}
