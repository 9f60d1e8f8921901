//! `llms.txt` and `llms-full.txt`.

use std::fmt::Write as _;

use svc_nav::Route;

use super::markdown;
use crate::Site;

/// Maximum length of `llms.txt`.
const MAX_LIST_CHARS: usize = 100_000;
/// Maximum number of characters of a description.
const MAX_DESCRIPTION_CHARS: usize = 300;
/// Maximum length of `llms-full.txt` in bytes.
const MAX_FULL_BYTES: usize = 32 << 20;

pub(super) fn llms(site: &Site) -> String {
    let routes = ordered_routes(site);
    let text = write_list(site, &routes, MAX_DESCRIPTION_CHARS);
    if text.len() <= MAX_LIST_CHARS {
        return text;
    }
    let text = write_list(site, &routes, 0);
    if text.len() <= MAX_LIST_CHARS {
        return text;
    }
    let end = text[..text.floor_char_boundary(MAX_LIST_CHARS - 100)]
        .rfind('\n')
        .unwrap_or(0);
    format!(
        "{}\n\n(The list is cut here; sitemap.xml has all pages.)\n",
        &text[..end]
    )
}

/// Pages in the order of the navigation, then the others by path; in the default language and
/// version.
fn ordered_routes(site: &Site) -> Vec<&Route> {
    let first = site.map.first_page().and_then(|path| site.map.route(path));
    let language = first.and_then(|route| route.language.as_deref());
    let version = first.and_then(|route| route.version.as_deref());
    let fits = |value: Option<&str>, expected: Option<&str>| {
        value.is_none() || expected.is_none() || value == expected
    };
    let mut routes: Vec<&Route> = site
        .map
        .listed_routes(|visibility| visibility.llms)
        .filter(|route| fits(route.language.as_deref(), language))
        .filter(|route| !route.in_navigation || fits(route.version.as_deref(), version))
        .collect();
    let start = routes
        .iter()
        .position(|route| !route.in_navigation)
        .unwrap_or(routes.len());
    routes[start..].sort_by_key(|route| (route.in_navigation, &route.path));
    routes
}

fn write_list(site: &Site, routes: &[&Route], description: usize) -> String {
    let mut out = format!("# {}\n", line(&site.config.name));
    if let Some(text) = &site.config.description {
        // Writing to a String cannot fail.
        let _ = write!(out, "\n> {}\n", line(text));
    }
    if !site.config.markdown.instructions.is_empty() {
        out.push_str("\n## Agent Instructions\n\n");
        for text in &site.config.markdown.instructions {
            let _ = writeln!(out, "- {}", line(text));
        }
    }
    out.push_str("\n## Docs\n\n");
    for route in routes {
        let title = line(&route.title).replace(['[', ']'], "");
        let _ = write!(
            out,
            "- [{title}]({})",
            site.public("", &markdown::path(route))
        );
        let text = svc_render::summary(route).unwrap_or_default();
        let text = line(text.trim().split("\n\n").next().unwrap_or(""));
        if !text.is_empty() && description > 0 {
            let end = text
                .char_indices()
                .nth(description)
                .map_or(text.len(), |(at, _)| at);
            let _ = write!(out, ": {}", &text[..end]);
        }
        out.push('\n');
    }
    let documents: Vec<_> = site.open_documents().collect();
    if !documents.is_empty() {
        out.push_str("\n## OpenAPI Specs\n\n");
        for document in documents {
            let title = line(&document.title).replace(['[', ']'], "");
            let path = format!("/{}", document.path.trim_start_matches('/'));
            if document.is_remote() {
                let _ = writeln!(out, "- [{title}]({})", document.path);
            } else if site.asset(&path).is_some() {
                let _ = writeln!(
                    out,
                    "- [{title}]({})",
                    site.public("", &svc_source::encoded_path(&path))
                );
            }
        }
    }
    let links: Vec<_> = site
        .map
        .global
        .iter()
        .filter(|link| link.href.starts_with("http"))
        .collect();
    if !links.is_empty() {
        out.push_str("\n## Optional\n\n");
        for link in links {
            let _ = writeln!(out, "- [{}]({})", line(&link.name), link.href);
        }
    }
    out
}

pub(super) fn llms_full(site: &Site) -> String {
    let mut out = String::new();
    for route in ordered_routes(site) {
        if out.len() >= MAX_FULL_BYTES {
            out.push_str("(The file is cut here; llms.txt lists all pages.)\n");
            break;
        }
        let _ = write!(out, "{}", markdown::page(site, route, true));
        out.push_str("\n\n");
    }
    out
}

/// Collapses whitespace to single spaces.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
