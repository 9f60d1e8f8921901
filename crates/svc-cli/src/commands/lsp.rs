//! `svc lsp`.

use std::io::{self, BufReader};
use std::path::Path;

use clap::Args;
use svc_server::{FetchPolicy, RemoteDocumentArgs};
use svc_site::LoadOptions;

use super::site::remote_documents;
use crate::exit::Exit;

/// Start the language server for editors.
#[derive(Debug, Args)]
#[command(
    after_help = "Editors start it and talk to it over standard input and output. Exit status: 0 after `shutdown`, 1 without it, 2 error."
)]
pub(crate) struct Arguments {
    /// Standard input and output, the only transport; editors may pass this option
    #[arg(long, hide = true)]
    stdio: bool,
    /// Do not fetch remote OpenAPI documents; use cached copies
    #[arg(long)]
    offline: bool,
    #[command(flatten)]
    remote_documents: RemoteDocumentArgs,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    tracing::debug!(stdio = arguments.stdio, "starts");
    let (flags, offline) = (arguments.remote_documents.clone(), arguments.offline);
    let load = move |root: &Path| LoadOptions {
        remote: remote_documents(&flags, root, offline, FetchPolicy::Missing),
        ..LoadOptions::default()
    };
    let options = svc_lsp::Options {
        version: svc_server::VERSION.clone(),
        load: Box::new(load),
    };
    let input = BufReader::new(io::stdin());
    let mut output = io::stdout().lock();
    Ok(match svc_lsp::run(input, &mut output, options)? {
        true => Exit::Success,
        false => Exit::Problems,
    })
}
