//! `svc migrate`.

mod convert;
mod mintlify;
mod source;

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::exit::Exit;

/// Convert the documentation of another generator, or older Mintlify names.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 converted, 1 errors were found or the folder is in use, 2 a file cannot be read or written."
)]
pub(crate) struct Arguments {
    /// Folder of the old site
    #[arg(default_value = ".", value_name = "FOLDER")]
    dir: PathBuf,
    /// Folder for the new site; created if it does not exist. Not used for Mintlify
    #[arg(long, value_name = "FOLDER")]
    to: Option<PathBuf>,
    /// Generator of the old site. Default: detected by its configuration file
    #[arg(long, value_enum)]
    from: Option<Generator>,
    /// Write into a folder that is not empty
    #[arg(long, requires = "to")]
    force: bool,
    /// Output format of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Human)]
    format: ReportFormat,
    /// Mintlify: write the changes instead of printing them
    #[arg(long, conflicts_with = "to")]
    write: bool,
}

/// Format of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// Text with source lines
    Human,
    /// JSON object
    Json,
}

/// A generator of documentation sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Generator {
    /// mint.json or docs.json
    Mintlify,
    /// MkDocs, with or without Material for MkDocs
    Mkdocs,
    /// Docusaurus 2 and 3
    Docusaurus,
    /// Starlight
    Starlight,
    /// VitePress
    Vitepress,
    /// mdBook
    Mdbook,
    /// GitBook
    Gitbook,
    /// ReadMe
    Readme,
}

impl Generator {
    fn format(self) -> Option<svc_migrate::Format> {
        match self {
            Self::Mintlify => None,
            Self::Mkdocs => Some(svc_migrate::Format::Mkdocs),
            Self::Docusaurus => Some(svc_migrate::Format::Docusaurus),
            Self::Starlight => Some(svc_migrate::Format::Starlight),
            Self::Vitepress => Some(svc_migrate::Format::Vitepress),
            Self::Mdbook => Some(svc_migrate::Format::Mdbook),
            Self::Gitbook => Some(svc_migrate::Format::Gitbook),
            Self::Readme => Some(svc_migrate::Format::Readme),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let has_config = |name: &str| arguments.dir.join(name).is_file();
    let is_mintlify = match arguments.from {
        Some(generator) => generator == Generator::Mintlify,
        None => arguments.to.is_none() && (has_config("docs.json") || has_config("mint.json")),
    };
    if is_mintlify {
        return mintlify::run(&arguments.dir, arguments.write);
    }
    let format = arguments.from.and_then(Generator::format);
    convert::run(arguments, format)
}
