//! `svc build`.

use std::io;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use svc_diagnostics::human;
use svc_server::{Asking, HostedFlags};
use svc_site::{ExportOptions, LoadOptions};

use super::{complain, count, hosted, number, open, print};
use crate::exit::Exit;

/// Write the site as files for any web server.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The folder that holds docs.json
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// The folder to write to; files that are there already stay unless they are written anew
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Path before all addresses, `/docs`
    #[arg(long, default_value = "", value_name = "PATH")]
    base_path: String,
    /// Where the site will stand, `https://docs.example.com`; for the sitemap,
    /// canonical addresses and pictures of shared links
    #[arg(long, default_value = "", value_name = "URL")]
    origin: String,
    /// Leave out the scripts and style sheets of the repository and run none of its components
    #[arg(long)]
    without_scripts: bool,
    /// Load no fonts from the public catalogue of web fonts
    #[arg(long)]
    without_web_fonts: bool,
    /// Write `a.html` instead of `a/index.html`
    #[arg(long)]
    flat: bool,
    /// Ask no server for hosted OpenAPI documents; use the copies of the last time
    #[arg(long)]
    offline: bool,
    #[command(flatten)]
    hosted: HostedFlags,
    /// Print every problem, not only their number
    #[arg(long)]
    verbose: bool,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let start = Instant::now();
    let load = LoadOptions {
        base_path: arguments.base_path.clone(),
        origin: arguments.origin.clone(),
        export: true,
        without_scripts: arguments.without_scripts,
        without_web_fonts: arguments.without_web_fonts,
        hosted: hosted(
            &arguments.hosted,
            &arguments.folder,
            arguments.offline,
            Asking::All,
        ),
        ..LoadOptions::default()
    };
    let (site, mut diagnostics) = match open(&arguments.folder, &load)? {
        Ok(opened) => opened,
        Err(exit) => return Ok(exit),
    };
    let options = ExportOptions {
        flat: arguments.flat,
        origin: arguments.origin.trim_end_matches('/').to_owned(),
        ..ExportOptions::default()
    };
    let report = svc_site::export(&site, &arguments.out, &options)?;
    diagnostics.extend(report.diagnostics);
    if arguments.verbose {
        complain(&human(&diagnostics, &|path| site.text_of(path)));
    }
    print(&format!(
        "{} in {}: {}, {:.1} MB in {:.2} s ({})\n",
        number(report.pages, "page"),
        arguments.out.display(),
        number(report.files, "file"),
        report.bytes as f64 / 1e6,
        start.elapsed().as_secs_f64(),
        count(&diagnostics),
    ))?;
    if report.broken > 0 {
        complain(&format!(
            "svc: {} could not be drawn\n",
            number(report.broken, "page")
        ));
        return Ok(Exit::Problems);
    }
    Ok(Exit::Good)
}
