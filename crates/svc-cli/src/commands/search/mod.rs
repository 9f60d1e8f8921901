//! `svc search`.

mod test;

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};
use svc_search::Query;
use svc_site::{LoadOptions, SearchResults, Site};

use super::output::print;
use super::progress::Progress;
use super::site::{load_options, load_site};
use crate::exit::Exit;

/// Search the pages of a site.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<SearchCommand>,
    #[command(flatten)]
    search: SearchArguments,
}

#[derive(Debug, Subcommand)]
enum SearchCommand {
    /// Measure the quality of the search on labeled queries
    Test(test::Arguments),
}

#[derive(Debug, Args)]
struct SearchArguments {
    /// Folder with docs.json
    #[arg(value_name = "FOLDER", required = true)]
    dir: Option<PathBuf>,
    /// Words to search for; words in double quotes must follow each other, which needs single quotes
    /// around them in a shell
    #[arg(value_name = "QUERY", required = true)]
    query: Vec<String>,
    /// Maximum number of pages
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    limit: u16,
    /// Only pages with this value, such as version=v2; may be repeated
    #[arg(long = "filter", value_name = "NAME=VALUE", value_parser = filter)]
    filters: Vec<(String, String)>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// Path, title and text of each page
    Text,
    /// JSON array of objects with path, title, section and snippet
    Json,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    match &arguments.command {
        Some(SearchCommand::Test(arguments)) => test::run(arguments),
        None => search(&arguments.search),
    }
}

fn search(arguments: &SearchArguments) -> io::Result<Exit> {
    let dir = arguments.dir.as_deref().unwrap_or(Path::new("."));
    let text = arguments.query.join(" ");
    let site = match load(dir)? {
        Ok(site) => site,
        Err(exit) => return Ok(exit),
    };
    let filters = arguments.filters.iter();
    let filters: Vec<(&str, &str)> = filters.map(|(name, value)| (&**name, &**value)).collect();
    let results = site.search(&Query {
        limit: arguments.limit.into(),
        filters: &filters,
        ..Query::new(&text)
    });
    print(&match arguments.format {
        Format::Json => format!("{:#}\n", json(&results)),
        Format::Text => lines(&results),
    })?;
    Ok(Exit::Success)
}

/// Loads a site without what search does not need.
fn load(dir: &Path) -> io::Result<Result<Site, Exit>> {
    let options = load_options(dir);
    let options = LoadOptions::without_dates(&options);
    let loaded = load_site(dir, &options, &mut Progress::start())?;
    Ok(loaded.map(|(site, _)| site))
}

/// Parses `name=value`.
fn filter(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("write it as NAME=VALUE, such as version=v2")?;
    if !svc_site::SEARCH_FACETS.contains(&name) {
        let names = svc_site::SEARCH_FACETS.join(", ");
        return Err(format!("`{name}` is not a filter; filters are {names}"));
    }
    Ok((name.to_owned(), value.to_owned()))
}

fn json(results: &SearchResults<'_>) -> Value {
    let pages = results.pages.iter().filter_map(|page| {
        let best = page.sections.first()?;
        Some(json!({
            "path": page.href(),
            "title": page.document.title,
            "section": best.section.headings.join(" › "),
            "snippet": best.snippet.text,
        }))
    });
    pages.collect()
}

fn lines(results: &SearchResults<'_>) -> String {
    let mut out = String::new();
    if let Some(correction) = &results.correction {
        out.push_str(&format!("Did you mean: {correction}\n\n"));
    }
    for page in &results.pages {
        let Some(best) = page.sections.first() else {
            continue;
        };
        let headings = best.section.headings.iter().map(String::as_str);
        let titles: Vec<&str> = std::iter::once(&*page.document.title)
            .chain(headings)
            .collect();
        let (path, titles) = (page.href(), titles.join(" › "));
        out.push_str(&format!("{path}\n  {titles}\n  {}\n\n", best.snippet.text));
    }
    out.push_str(&match results.total {
        0 => "No page matches.\n".to_owned(),
        total => format!("{} of {total} pages\n", results.pages.len()),
    });
    svc_diagnostics::escape_control_chars(&out)
}
