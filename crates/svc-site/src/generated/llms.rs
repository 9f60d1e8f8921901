//! `llms.txt` and `llms-full.txt`, for the site and for each section.

use std::fmt::Write as _;

use svc_nav::Route;

use super::file::GeneratedFile;
use super::sections::{FileKind, NAMES, Section, SectionFile};
use super::text::{label, line};
use super::{api_catalog, markdown};
use crate::Site;
use crate::parallel::{in_parallel, threads};

/// Maximum number of characters of a description.
const MAX_DESCRIPTION_CHARS: usize = 300;
/// Maximum length of `llms-full.txt` in bytes.
const MAX_FULL_BYTES: usize = 32 << 20;

/// A page in a list for language models.
#[derive(Debug, Clone)]
pub(super) struct ListedPage {
    /// Path of the page.
    pub(super) path: String,
    /// Path of the Markdown version.
    markdown: String,
    title: String,
    description: String,
}

impl ListedPage {
    fn new(route: &Route) -> Self {
        let text = svc_render::summary(route).unwrap_or_default();
        let text = line(text.trim().split("\n\n").next().unwrap_or(""));
        let end = text.char_indices().nth(MAX_DESCRIPTION_CHARS);
        let end = end.map_or(text.len(), |(at, _)| at);
        Self {
            path: route.path.clone(),
            markdown: markdown::path(route),
            title: label(&route.title),
            description: text[..end].to_owned(),
        }
    }

    /// Number of characters of the line without the origin of the URL.
    pub(super) fn chars(&self) -> usize {
        let texts = [&self.title, &self.markdown, &self.description];
        texts.iter().map(|text| text.chars().count()).sum::<usize>() + 30
    }

    /// Estimated tokens of the Markdown version, which the first call renders.
    fn tokens(&self, site: &Site) -> usize {
        let route = site.map.route(&self.path);
        route.map_or(0, |route| site.markdown_tokens(route))
    }

    fn write(&self, site: &Site, origin: &str, out: &mut String) {
        let tokens = self.tokens(site);
        let url = site.public_url(origin, &self.markdown);
        // Writing to a String cannot fail.
        let _ = write!(out, "- [{}]({url}): ", self.title);
        let _ = match self.description.is_empty() {
            true => writeln!(out, "{tokens} tokens"),
            false => writeln!(out, "{} ({tokens} tokens)", self.description),
        };
    }
}

/// The list of all pages or, if that is too long, of the sections.
pub(super) fn llms(site: &Site, origin: &str) -> String {
    let sections = site.sections();
    count_tokens(site, &sections.pages);
    let mut out = head(site, None, sections.pages.len());
    if !site.config.markdown.instructions.is_empty() {
        out.push_str("\n## Agent Instructions\n\n");
        for text in &site.config.markdown.instructions {
            let _ = writeln!(out, "- {}", line(text));
        }
    }
    if !sections.is_nested() {
        out.push_str("\n## Docs\n\n");
        for page in &sections.pages {
            page.write(site, origin, &mut out);
        }
    }
    if !sections.sections.is_empty() {
        out.push_str("\n## Sections\n\nEach section has a list of its pages, and their full text at the same address with `llms-full.txt`.\n\n");
        for section in &sections.sections {
            let tokens: usize = section.pages.iter().map(|page| page.tokens(site)).sum();
            let _ = writeln!(
                out,
                "- [{}]({}): {} pages, {tokens} tokens",
                label(&section.title),
                site.public_url(origin, &section.path(NAMES[0])),
                section.pages.len()
            );
        }
    }
    if !sections.variants.is_empty() {
        out.push_str("\n## Other versions and languages\n\n");
        // Their tokens are not counted: all their pages would have to be rendered for this file.
        for section in &sections.variants {
            let _ = writeln!(
                out,
                "- [{}]({}): {} pages",
                label(&section.title),
                site.public_url(origin, &section.path(NAMES[0])),
                section.pages.len()
            );
        }
    }
    if let Some(file) = site.api_list() {
        let texts = site.api_texts().documents();
        let titles = api_catalog::documents(site, origin).map(|(document, _)| &*document.title);
        let mut titles: Vec<String> = titles
            .chain(texts.iter().map(|text| &*text.title))
            .map(label)
            .collect();
        titles.sort();
        titles.dedup();
        let _ = write!(
            out,
            "\n## OpenAPI specifications\n\n- [OpenAPI documents]({}): {}",
            site.public_url(origin, &file.path()),
            titles.join(", ")
        );
        let tokens: usize = texts.iter().map(|text| text.tokens).sum();
        let _ = match texts.is_empty() {
            true => writeln!(out),
            false => writeln!(out, "; also as compact text, {tokens} tokens"),
        };
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

/// The list of the pages of a section, or their texts.
pub(super) fn section(site: &Site, file: &SectionFile<'_>, origin: &str) -> String {
    match file.kind {
        FileKind::List(section) => section_list(site, section, origin),
        FileKind::FullText(section) => full_text(site, &section.pages, origin),
        FileKind::Apis => api_list(site, origin),
    }
}

/// The list of the OpenAPI documents and of their compact texts.
fn api_list(site: &Site, origin: &str) -> String {
    let mut out = format!(
        "# {}: OpenAPI documents\n\n> The OpenAPI documents of this site. The compact texts say the same in fewer tokens, one file per tag.\n",
        line(&site.config.name)
    );
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "\nAll pages: {}\n",
        site.public_url(origin, GeneratedFile::Llms.path())
    );
    let mut documents = api_catalog::documents(site, origin).peekable();
    if documents.peek().is_some() {
        out.push_str("\n## Documents\n\n");
    }
    for (document, url) in documents {
        let _ = writeln!(out, "- [{}]({url})", label(&document.title));
    }
    let texts = site.api_texts().documents();
    if !texts.is_empty() {
        out.push_str("\n## Compact texts\n\n");
    }
    for text in texts {
        let _ = writeln!(
            out,
            "- [{}]({}): {} operations, {} tokens",
            label(&text.title),
            site.public_url(origin, &svc_source::encoded_path(&text.path)),
            text.operations,
            text.tokens
        );
    }
    out
}

/// Counts the tokens of pages on all processors, because their Markdown has to be rendered for it.
fn count_tokens(site: &Site, pages: &[ListedPage]) {
    let count = |at: usize| pages.get(at).map(|page| page.tokens(site));
    in_parallel(pages.len(), threads(), count);
}

fn section_list(site: &Site, section: &Section, origin: &str) -> String {
    count_tokens(site, &section.pages);
    let mut out = head(site, Some(&section.title), section.pages.len());
    let _ = write!(
        out,
        "\nAll sections: {}\n\n## Docs\n\n",
        site.public_url(origin, GeneratedFile::Llms.path())
    );
    for page in &section.pages {
        page.write(site, origin, &mut out);
    }
    out
}

/// The title and the summary; sites without a description get one.
fn head(site: &Site, section: Option<&str>, pages: usize) -> String {
    let name = line(&site.config.name);
    let mut out = format!("# {name}");
    if let Some(section) = section {
        let _ = write!(out, ": {}", line(section));
    }
    out.push('\n');
    let description = site.config.description.as_deref().map(line);
    let description = description.filter(|text| !text.is_empty());
    let number = match pages {
        1 => "1 page".to_owned(),
        count => format!("{count} pages"),
    };
    let summary = description.unwrap_or_else(|| format!("Documentation of {name}: {number}."));
    let _ = write!(out, "\n> {summary}\n");
    out
}

/// The texts of pages one after the other.
fn full_text(site: &Site, pages: &[ListedPage], origin: &str) -> String {
    let mut out = String::new();
    for route in pages.iter().filter_map(|page| site.map.route(&page.path)) {
        if out.len() >= MAX_FULL_BYTES {
            out.push_str("(The file is cut here; llms.txt lists all pages.)\n");
            break;
        }
        let text = markdown::page(site, route, origin);
        let (title, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let url = markdown::url(site, route, origin);
        let _ = write!(out, "{title}\nSource: {url}\n{rest}\n\n");
    }
    out
}

pub(super) fn llms_full(site: &Site, origin: &str) -> String {
    full_text(site, &site.sections().pages, origin)
}

/// The pages that language models may know in the order of the navigation, then those that are not
/// part of it by path. First those in the default language and version, then all others.
pub(super) fn listed_pages(site: &Site) -> [Vec<ListedPage>; 2] {
    let routes = ordered_routes(site);
    routes.map(|routes| routes.into_iter().map(ListedPage::new).collect())
}

fn ordered_routes(site: &Site) -> [Vec<&Route>; 2] {
    let first = site.map.first_page().and_then(|path| site.map.route(path));
    let language = first.and_then(|route| route.language.as_deref());
    let version = first.and_then(|route| route.version.as_deref());
    let fits = |value: Option<&str>, expected: Option<&str>| {
        value.is_none() || expected.is_none() || value == expected
    };
    let is_default = |route: &&Route| {
        fits(route.language.as_deref(), language)
            && (!route.in_navigation || fits(route.version.as_deref(), version))
    };
    let (mut routes, variants): (Vec<&Route>, Vec<&Route>) = site
        .map
        .listed_routes(|visibility| visibility.llms)
        .partition(is_default);
    let start = routes
        .iter()
        .position(|route| !route.in_navigation)
        .unwrap_or(routes.len());
    routes[start..].sort_by_key(|route| (route.in_navigation, &route.path));
    [routes, variants]
}
