//! Tools without limits, in the shape that most documentation servers have: a search that returns
//! the sections that it found as a whole, and a tool that returns a whole page. They use the same
//! search, so that only the shape differs.

use std::fmt::Write as _;

use svc_search::Query;
use svc_site::Site;

use crate::agent::{ResultHead, Tools};

/// Number of results.
const LIMIT: usize = 10;

/// Searches and reads without limits.
#[derive(Debug)]
pub(crate) struct WholeTools<'a> {
    site: &'a Site,
}

impl<'a> WholeTools<'a> {
    pub(crate) const fn new(site: &'a Site) -> Self {
        Self { site }
    }
}

impl Tools for WholeTools<'_> {
    fn search(&self, query: &str, offset: usize, _max_tokens: usize) -> String {
        let query = format!("{query} ");
        let results = self.site.search(&Query {
            limit: LIMIT,
            offset,
            ..Query::new(&query)
        });
        let next = offset + results.pages.len();
        let mut out = String::new();
        for result in &results.pages {
            let title = &result.document.title;
            // Writing to a String cannot fail.
            let _ = writeln!(out, "Title: {title}\nLink: {}", result.href());
            for found in &result.sections {
                let section = found.section;
                let heading = section.headings.join(" > ");
                let _ = writeln!(out, "{heading}\n{}\n{}", section.text, section.code);
            }
        }
        if next < results.total {
            let _ = writeln!(out, "Next: {next}");
        }
        out
    }

    fn results(&self, text: &str) -> Vec<ResultHead> {
        let links = text.lines().filter_map(|line| line.strip_prefix("Link: "));
        links
            .map(|link| ResultHead {
                address: link.to_owned(),
                is_whole: false,
            })
            .collect()
    }

    fn next_offset(&self, text: &str) -> Option<usize> {
        let (_, next) = text.rsplit_once("Next: ")?;
        next.trim().parse().ok()
    }

    fn read(&self, address: &str, _max_tokens: usize) -> String {
        let path = address.split('#').next().unwrap_or_default();
        let route = self.site.map.route(path);
        let text = route.and_then(|route| self.site.compressed_markdown(route, ""));
        text.map(|text| String::from_utf8_lossy(&text.bytes).into_owned())
            .unwrap_or_default()
    }
}
