//! Response headers in the formats of hosts: where clients discover what the site has for them.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::generated::file::GeneratedFile;
use crate::{DiscoveryFile, Site};

/// Headers of the files whose path begins with a path, or of the file at it.
pub(super) struct HeaderRule {
    /// URL path with base path.
    path: String,
    /// Whether the rule applies to all files below.
    is_prefix: bool,
    headers: Vec<(&'static str, String)>,
}

/// The rules of a site. `base` is the prefix of its paths.
pub(super) fn rules(site: &Site, base: &str) -> Vec<HeaderRule> {
    let links = site.discovery_links(false);
    // In an export with relative URLs the paths begin at the root of the host.
    let links = match base {
        "" => links.replace(&format!("<{}", site.base_path()), "<"),
        _ => links.to_owned(),
    };
    let mut headers = vec![("Link", links)];
    if site.offers(GeneratedFile::Llms) {
        headers.push(("X-Llms-Txt", format!("{base}/llms.txt")));
    }
    let mut rules = vec![HeaderRule {
        path: format!("{base}/"),
        is_prefix: true,
        headers,
    }];
    // The name of this file does not tell its type.
    let path = "/.well-known/api-catalog";
    if let Some(file @ DiscoveryFile::ApiCatalog) = site.find_discovery_file(path) {
        let headers = vec![("Content-Type", file.content_type().to_owned())];
        rules.push(HeaderRule {
            path: format!("{base}{path}"),
            is_prefix: false,
            headers,
        });
    }
    rules
}

/// The rules as `_headers` for Netlify and Cloudflare Pages.
pub(super) fn list(rules: &[HeaderRule]) -> String {
    let mut out = String::new();
    for rule in rules {
        let star = if rule.is_prefix { "*" } else { "" };
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{}{star}", rule.path);
        for (name, value) in &rule.headers {
            let _ = writeln!(out, "  {name}: {value}");
        }
    }
    out
}

/// The rules as the value of `headers` in `vercel.json`.
pub(super) fn vercel(rules: &[HeaderRule]) -> Value {
    let entry = |rule: &HeaderRule| {
        let pair = |(name, value): &(&str, String)| json!({ "key": name, "value": value });
        let headers: Vec<Value> = rule.headers.iter().map(pair).collect();
        let rest = if rule.is_prefix { "(.*)" } else { "" };
        // A dot is a literal in the syntax of path-to-regexp.
        json!({ "source": format!("{}{rest}", rule.path), "headers": headers })
    };
    rules.iter().map(entry).collect()
}
