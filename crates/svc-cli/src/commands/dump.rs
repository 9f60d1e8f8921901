//! `svc dump`.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use svc_site::Stage;

use super::output::{print, with_path};
use super::progress::Progress;
use super::site::{load_options, load_site};
use crate::exit::Exit;

/// Print the result of a pipeline stage.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Stage to print
    #[arg(value_enum)]
    stage: StageArg,
    /// Folder with docs.json; for `mdx`, a page file
    #[arg(default_value = ".")]
    path: PathBuf,
    /// Path of the page, for `page`
    #[arg(default_value = "/")]
    address: String,
    /// For `mdx`: print the tree in the form of mdast
    #[arg(long)]
    reference: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum StageArg {
    /// Loaded files
    Source,
    /// docs.json with resolved references
    Config,
    /// Navigation
    Nav,
    /// All routes
    Routes,
    /// Operations of all OpenAPI documents
    Openapi,
    /// Syntax tree of a page file
    Mdx,
    /// A page as HTML
    Page,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let stage = match arguments.stage {
        StageArg::Source => Stage::Source,
        StageArg::Config => Stage::Config,
        StageArg::Nav => Stage::Nav,
        StageArg::Routes => Stage::Routes,
        StageArg::Openapi => Stage::Openapi,
        StageArg::Page => Stage::Page,
        StageArg::Mdx => return mdx(arguments),
    };
    let load = load_options(&arguments.path);
    let site = match load_site(&arguments.path, &load, &mut Progress::start())? {
        Ok((site, _)) => site,
        Err(exit) => return Ok(exit),
    };
    match svc_site::dump(&site, stage, &arguments.address) {
        Some(text) => print(&text)?,
        None => {
            return Err(io::Error::other(format!(
                "there is no page `{}`",
                arguments.address
            )));
        }
    }
    Ok(Exit::Success)
}

fn mdx(arguments: &Arguments) -> io::Result<Exit> {
    let path = &arguments.path;
    let text = std::fs::read_to_string(path).map_err(|error| with_path(path, &error))?;
    let options = if arguments.reference {
        svc_mdx::Options::mdx_js()
    } else {
        svc_mdx::Options::default()
    };
    let document = svc_mdx::parse(&text, &options).value;
    let dump = svc_mdx::mdast_dump(&document);
    let newline = if dump.ends_with('\n') || arguments.reference {
        ""
    } else {
        "\n"
    };
    print(&format!("{dump}{newline}"))?;
    Ok(Exit::Success)
}
