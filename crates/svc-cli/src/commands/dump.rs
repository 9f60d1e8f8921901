//! `svc dump`.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use svc_site::Stage;

use super::{loading, open, print};
use crate::exit::Exit;

/// Print what a stage makes of the files.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Which stage
    #[arg(value_enum)]
    stage: Name,
    /// The folder that holds docs.json; for `mdx` a page file
    #[arg(default_value = ".")]
    path: PathBuf,
    /// The address of the page, for `page`
    #[arg(default_value = "/")]
    address: String,
    /// For `mdx`: the plain form that other parsers print too
    #[arg(long)]
    reference: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Name {
    /// The files that were read
    Source,
    /// docs.json with its references
    Config,
    /// The navigation
    Nav,
    /// All addresses
    Routes,
    /// The operations of all OpenAPI documents
    Openapi,
    /// The syntax tree of a page file
    Mdx,
    /// One page as HTML
    Page,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let stage = match arguments.stage {
        Name::Source => Stage::Source,
        Name::Config => Stage::Config,
        Name::Nav => Stage::Nav,
        Name::Routes => Stage::Routes,
        Name::Openapi => Stage::Openapi,
        Name::Page => Stage::Page,
        Name::Mdx => return mdx(arguments),
    };
    let site = match open(&arguments.path, &loading(&arguments.path))? {
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
    Ok(Exit::Good)
}

fn mdx(arguments: &Arguments) -> io::Result<Exit> {
    let path = &arguments.path;
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(named)?;
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
    Ok(Exit::Good)
}
