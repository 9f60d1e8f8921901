//! `svc serve`.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use svc_server::{
    HostArgs, Limits, LogOptions, NetworkArgs, RunOptions, SiteArgs, VariantArgs, VariantCache,
    dates,
};
use svc_site::{LoadOptions, SiteOptions};

use crate::exit::Exit;

/// Serve the site.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Folder with docs.json
    #[arg(default_value = ".", value_name = "FOLDER")]
    dir: PathBuf,
    /// Address and port to listen on; port 0 selects a free port
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    listen: SocketAddr,
    #[command(flatten)]
    site: SiteArgs,
    #[command(flatten)]
    hosts: HostArgs,
    #[command(flatten)]
    variants: VariantArgs,
    /// Reload the site when its files change
    #[arg(long)]
    watch: bool,
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
                image_variants: arguments.variants.is_enabled(),
                ..arguments.site.options()
            },
            last_modified: dates(&arguments.dir, data.as_deref()),
            variant_store: Some(Arc::new(VariantCache::new(data.as_deref()))),
            ..LoadOptions::default()
        },
        limits: Limits::of_this_process(),
        hosts: arguments.hosts.hosts(arguments.site.origin()),
        watch: arguments.watch,
        relay: arguments.network.relay(),
        github: arguments.network.github(None),
        remote_documents: arguments.network.remote_documents(data.as_deref()),
        editor_url: None,
    };
    super::serve_loop::run(
        options,
        &arguments.log,
        &[arguments.listen],
        false,
        |url, summary| format!("{url} ({summary})\n"),
    )
}
