//! `svc score`: checks how well agents can read a site.

mod check;
mod checks;
mod crawl;
mod discovery;
mod fetcher;
mod html;
mod local_site;
mod markdown;
mod mcp;
mod report;
mod response;

use std::io;
use std::path::Path;
use std::time::Duration;

use clap::{Args, ValueEnum};
use svc_fetch::Url;

use self::check::Status;
use self::fetcher::{Fetcher, RunLimits};
use self::local_site::LocalSite;
use self::report::Report;
use super::output::{eprint_escaped, print};
use crate::exit::Exit;

/// Check how well agents can read a site.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 no check failed, or the score is at least that of --min-score; 1 otherwise; 2 the site cannot be read."
)]
pub(crate) struct Arguments {
    /// Folder with docs.json, or URL of a site
    #[arg(default_value = ".", value_name = "FOLDER_OR_URL")]
    target: String,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Fail if the score is less than this, instead of if a check failed
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(u32).range(0..=100))]
    min_score: Option<u32>,
    /// Maximum number of pages to check
    #[arg(long, value_name = "NUMBER", default_value_t = 50, value_parser = parse_positive)]
    pages: usize,
    /// Maximum number of requests at the same time
    #[arg(long, value_name = "NUMBER", default_value_t = 4, value_parser = parse_positive)]
    concurrency: usize,
    /// Maximum time for all requests
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    timeout: u64,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// Text for people
    Text,
    /// JSON object
    Json,
}

/// Maximum value of the numbers on the command line.
const MAX_NUMBER: usize = 1000;

fn parse_positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=MAX_NUMBER) => Ok(number),
        _ => Err(format!("must be a number from 1 to {MAX_NUMBER}")),
    }
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // Pages are rendered and parsed on these threads, with deep recursion.
        .thread_stack_size(8 << 20)
        .build()?;
    let report = runtime.block_on(check(arguments));
    runtime.shutdown_timeout(svc_server::program::SHUTDOWN_TIMEOUT);
    let report = match report? {
        Ok(report) => report,
        Err(problems) => {
            eprint_escaped(&problems);
            return Ok(Exit::Problems);
        }
    };
    match arguments.format {
        Format::Text => print(&report.text())?,
        Format::Json => print(&format!("{:#}\n", report.json()))?,
    }
    let is_good = match arguments.min_score {
        Some(min) => report.score() >= min,
        None => report.count(Status::Failure) == 0,
    };
    Ok(match is_good {
        true => Exit::Success,
        false => Exit::Problems,
    })
}

async fn check(arguments: &Arguments) -> io::Result<Result<Report, String>> {
    let limits = RunLimits {
        pages: arguments.pages,
        concurrency: arguments.concurrency,
        timeout: Duration::from_secs(arguments.timeout),
    };
    let target = &arguments.target;
    if target.starts_with("http://") || target.starts_with("https://") {
        let mut url = svc_fetch::parse_url(target).map_err(io::Error::other)?;
        url.set_query(None);
        return Ok(Ok(check_url(target, url, limits).await?));
    }
    let site = match LocalSite::start(Path::new(target)).await? {
        Ok(site) => site,
        Err(problems) => return Ok(Err(problems)),
    };
    let report = check_url(target, site.url.clone(), limits).await;
    site.stop().await;
    Ok(Ok(report?))
}

/// # Errors
/// If the site does not respond.
async fn check_url(target: &str, url: Url, limits: RunLimits) -> io::Result<Report> {
    let fetcher = Fetcher::new(&url, limits).map_err(io::Error::other)?;
    let first = fetcher.send(fetcher::Query::get(url.clone())).await;
    if let Some(error) = first.error {
        return Err(io::Error::other(error));
    }
    let crawl = crawl::crawl(&fetcher, url, limits).await;
    Ok(Report::new(target.to_owned(), &crawl))
}
