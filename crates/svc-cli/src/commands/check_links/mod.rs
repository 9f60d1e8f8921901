//! `svc check-links`.

mod cache;
mod external;

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use svc_diagnostics::{Diagnostic, Severity};

use self::cache::LinkCache;
pub use self::external::CODES;
use self::external::LinkPolicy;
use super::output::with_path;
use super::progress::Progress;
use super::report::{Format, Report};
use super::site::{check_options, check_site_dir, data_dir};
use super::store_cli;
use crate::exit::Exit;

/// Whether a code is about links; others are those of `svc validate`.
fn is_link_code(id: &str) -> bool {
    svc_site::LINK_CODES.contains(&id) || CODES.iter().any(|code| code.id == id)
}

/// Check links, anchors, images, redirects and snippets.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 all links lead somewhere, 1 broken links were found, 2 the folder cannot be read."
)]
pub(crate) struct Arguments {
    /// Folder that contains `docs.json`
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Request the links to other sites too
    #[arg(long, alias = "check-external")]
    external: bool,
    /// Time after which a link that was found is requested again, for example `1d`; `0s` for always
    #[arg(long, value_name = "TIME", default_value = "7d", value_parser = store_cli::parse_duration, requires = "external")]
    max_age: Duration,
    /// Time for the response of a site
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = store_cli::parse_duration, requires = "external")]
    timeout: Duration,
    /// Number of requests at the same time; each host gets two at most
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 16,
        requires = "external"
    )]
    concurrency: usize,
    /// Request links to this host or network too, although it is not on the public internet. May be
    /// given several times
    #[arg(long, value_name = "HOST_OR_NETWORK", requires = "external")]
    allow: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Anchors, redirects and snippets are always checked
    #[arg(long = "check-anchors", hide = true)]
    _anchors: bool,
    #[arg(long = "check-redirects", hide = true)]
    _redirects: bool,
    #[arg(long = "check-snippets", hide = true)]
    _snippets: bool,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let start = Instant::now();
    let dir = &arguments.dir;
    check_site_dir(dir)?;
    let mut load = check_options(dir);
    load.site.links_only = true;
    let progress = Progress::start();
    let validated = svc_site::validate(dir, &load).map_err(|error| with_path(dir, &error))?;
    let mut diagnostics: Vec<Diagnostic> = validated.diagnostics.clone();
    if arguments.external {
        let policy = LinkPolicy {
            timeout: arguments.timeout,
            concurrency: arguments.concurrency.max(1),
            allow: &arguments.allow,
        };
        let cache = LinkCache::open(data_dir(dir).as_deref(), arguments.max_age);
        let links = validated.external_links();
        diagnostics.extend(external::check(links, &policy, cache)?);
    }
    drop(progress);
    diagnostics.retain(|diagnostic| {
        let is_fatal = diagnostic.severity == Severity::Fatal;
        is_fatal || is_link_code(diagnostic.code.id)
    });
    diagnostics.sort_by(|a, b| a.location.cmp(&b.location));
    let report = Report {
        start,
        fix_command: None,
        diagnostics: &diagnostics,
        pages: validated.pages,
        dir,
        text: &|| validated.render(&diagnostics),
    };
    report.print(arguments.format)?;
    // A link that does not work is an error here, whatever it is for `svc validate`.
    let is_broken = diagnostics
        .iter()
        .any(|one| one.severity >= Severity::Warning);
    Ok(if is_broken {
        Exit::Problems
    } else {
        Exit::Success
    })
}
