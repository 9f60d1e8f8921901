//! `svc dev`.

use std::io::{self, IsTerminal as _};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::Args;
use svc_server::{AudienceArgs, HostArgs, Limits, LogOptions, NetworkArgs, RunOptions, dates};
use svc_site::{LoadOptions, SiteOptions};

use super::editor::Editor;
use super::network_url::{network_addr, qr_code};
use super::output::eprint_escaped;
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
    /// Editor that the links of problems open. Default: the one of the terminal, or of `VISUAL` or
    /// `EDITOR`
    #[arg(long, value_name = "EDITOR")]
    editor: Option<Editor>,
    /// Accepted for compatibility with other tools: API pages are made when they are opened
    #[arg(long, hide = true)]
    disable_openapi: bool,
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
    let variable = |name: &str| std::env::var(name).ok();
    let editor = arguments
        .editor
        .unwrap_or_else(|| Editor::of_environment(variable));
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
        editor_url: editor.url_template(&arguments.dir),
    };
    if arguments.disable_openapi {
        eprint_escaped(
            "svc: `--disable-openapi` has no effect: an API page is only made when it is opened\n",
        );
    }
    let last = if arguments.port == 0 {
        0
    } else {
        arguments.port.saturating_add(MAX_PORT_TRIES)
    };
    let addrs: Vec<SocketAddr> = (arguments.port..=last)
        .map(|port| SocketAddr::new(arguments.host, port))
        .collect();
    let show = arguments.open && !arguments.no_open;
    let is_public = arguments.host.is_unspecified();
    super::serve_loop::run(options, &arguments.log, &addrs, true, |url, summary| {
        // Browsers do not open the address of all interfaces.
        let at = |host: &str| url.replacen(&authority(arguments.host), host, 1);
        let local = if is_public {
            at("localhost")
        } else {
            url.to_owned()
        };
        if show && let Err(error) = open::that_detached(&local) {
            eprint_escaped(&format!("svc: the browser could not be opened: {error}\n"));
        }
        let network = network_addr().filter(|_| is_public);
        let network = network.map(|addr| network_lines(&at(&authority(addr))));
        format!(
            "Your site is at {local} ({summary})\n{}Pages reload when you save; press Ctrl-C to stop.\n",
            network.unwrap_or_default()
        )
    })
}

/// An address as the host of a URL.
fn authority(addr: IpAddr) -> String {
    match addr {
        IpAddr::V4(addr) => addr.to_string(),
        IpAddr::V6(addr) => format!("[{addr}]"),
    }
}

/// What other devices open; with a QR code for phones if somebody reads the output.
fn network_lines(url: &str) -> String {
    let code = match io::stdout().is_terminal() {
        true => qr_code(url),
        false => None,
    };
    let code = code.map(|code| format!("{code}\n")).unwrap_or_default();
    format!("In your network it is at {url}\n{code}")
}
