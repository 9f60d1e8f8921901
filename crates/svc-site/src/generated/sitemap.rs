//! `sitemap.xml` (sitemaps.org protocol 0.9), with the language versions of each page.
//!
//! A sitemap that exceeds the limits of the protocol is split into `/sitemap-1.xml` and so on, and
//! `/sitemap.xml` is an index of these.

use std::fmt::Write as _;

use svc_nav::Route;

use crate::Site;

const XMLNS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const XHTML: &str = "http://www.w3.org/1999/xhtml";
const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// Maximum length of a URL in the protocol.
const MAX_URL_BYTES: usize = 2048;

/// Limits of one file.
#[derive(Debug, Clone, Copy)]
pub(super) struct SitemapLimits {
    /// Maximum number of entries.
    pub(super) entries: usize,
    /// Maximum size in bytes.
    pub(super) bytes: usize,
}

impl SitemapLimits {
    /// The limits of the protocol.
    pub(super) const PROTOCOL: Self = Self {
        entries: 50_000,
        bytes: 50 << 20,
    };
}

/// A file with entries.
struct SitemapPart {
    text: String,
    entries: usize,
    /// The latest date of the entries.
    modified: Option<String>,
}

/// Text of `/sitemap.xml`: the entries, or an index of files with entries.
pub(super) fn sitemap(site: &Site, origin: &str, limits: SitemapLimits) -> String {
    let mut parts = parts(site, origin, limits);
    if parts.len() == 1 {
        return parts.remove(0).text;
    }
    let mut out = format!("{DECLARATION}<sitemapindex xmlns=\"{XMLNS}\">\n");
    for (at, part) in parts.iter().enumerate() {
        let url = site.public_url(origin, &path(at + 1));
        // Writing to a String cannot fail.
        let _ = write!(out, "<sitemap><loc>{}</loc>", escape(&url));
        push_date(&mut out, part.modified.as_deref());
        out.push_str("</sitemap>\n");
    }
    out.push_str("</sitemapindex>\n");
    out
}

/// Text of the file with this number, starting with 1. `None` if there is none, also if the
/// sitemap is not split.
pub(super) fn part(
    site: &Site,
    origin: &str,
    number: usize,
    limits: SitemapLimits,
) -> Option<String> {
    let mut parts = parts(site, origin, limits);
    if parts.len() == 1 {
        return None;
    }
    let at = number.checked_sub(1).filter(|at| *at < parts.len())?;
    Some(parts.swap_remove(at).text)
}

/// The number of files into which the sitemap is split; 0 if it is not split.
pub(super) fn part_count(site: &Site, origin: &str, limits: SitemapLimits) -> usize {
    match parts(site, origin, limits).len() {
        1 => 0,
        count => count,
    }
}

/// URL path of a file with entries.
pub(super) fn path(number: usize) -> String {
    format!("/sitemap-{number}.xml")
}

/// The number in a URL path such as `/sitemap-2.xml`.
pub(super) fn number_of(path: &str) -> Option<usize> {
    let digits = path.strip_prefix("/sitemap-")?.strip_suffix(".xml")?;
    let number = digits.parse().ok().filter(|number| *number > 0)?;
    (digits == usize::to_string(&number)).then_some(number)
}

/// All files with entries, at least one.
fn parts(site: &Site, origin: &str, limits: SitemapLimits) -> Vec<SitemapPart> {
    const END: &str = "</urlset>\n";
    let new_part = || SitemapPart {
        text: format!("{DECLARATION}<urlset xmlns=\"{XMLNS}\" xmlns:xhtml=\"{XHTML}\">\n"),
        entries: 0,
        modified: None,
    };
    let cx = site.context();
    let mut parts = Vec::new();
    let mut current = new_part();
    for route in site
        .map
        .routes
        .values()
        .filter(|route| has_entry(site, route))
    {
        let path = svc_render::printed_path(&site.config, &route.path);
        if site.public_url(origin, &path).len() > MAX_URL_BYTES {
            continue;
        }
        let date = svc_render::last_modified(&cx, route);
        let entry = entry(site, origin, route, date.as_deref());
        let is_full = current.entries >= limits.entries
            || current.text.len() + entry.len() + END.len() > limits.bytes;
        if is_full && current.entries > 0 {
            parts.push(std::mem::replace(&mut current, new_part()));
        }
        current.text.push_str(&entry);
        current.entries += 1;
        // Dates in this format compare like texts.
        current.modified = current.modified.max(date);
    }
    parts.push(current);
    for part in &mut parts {
        part.text.push_str(END);
    }
    parts
}

/// Whether a page is listed: it is visible, has content and a canonical URL of its own, and search
/// engines may index it.
fn has_entry(site: &Site, route: &Route) -> bool {
    route.visibility.sitemap
        && route.url.is_none()
        && !is_excluded_by_meta(site, route)
        // The canonical URL of an equal page in an old version is that of the default one.
        && svc_render::default_version_path(&site.context(), route).is_none()
}

/// Whether the meta tag `robots` of the page, of its directory or of the site excludes it from
/// search engines.
fn is_excluded_by_meta(site: &Site, route: &Route) -> bool {
    let page = site.page_of(route);
    if let Some(robots) = page.and_then(|page| page.front_matter.robots.as_deref()) {
        return svc_config::excludes(robots);
    }
    let path = route.path.trim_start_matches('/');
    let contains_page = |dir: &str| {
        path.strip_prefix(dir)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let robots = |tags: &[(String, String)]| {
        let tag = tags.iter().find(|(name, _)| name == "robots");
        tag.map(|(_, content)| svc_config::excludes(content))
    };
    let seo = &site.config.seo;
    let dirs = seo.paths.iter().filter(|dir| contains_page(&dir.path));
    let nearest = dirs
        .filter_map(|dir| Some((dir.path.len(), robots(&dir.metatags)?)))
        .max_by_key(|(length, _)| *length);
    nearest.map_or_else(|| seo.is_noindex(), |(_, excluded)| excluded)
}

fn entry(site: &Site, origin: &str, route: &Route, date: Option<&str>) -> String {
    let url = |path: &str| {
        let path = svc_render::printed_path(&site.config, path);
        escape(&site.public_url(origin, &path))
    };
    let mut out = format!("<url><loc>{}</loc>", url(&route.path));
    push_date(&mut out, date);
    for alternate in svc_render::language_alternates(&site.map, route) {
        let is_listed = |other: &Route| has_entry(site, other);
        if !site.map.route(alternate.path).is_some_and(is_listed) {
            continue;
        }
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            "\n<xhtml:link rel=\"alternate\" hreflang=\"{}\" href=\"{}\"/>",
            escape(alternate.language),
            url(alternate.path)
        );
    }
    out.push_str("</url>\n");
    out
}

fn push_date(out: &mut String, date: Option<&str>) {
    if let Some(date) = date {
        // Writing to a String cannot fail.
        let _ = write!(out, "<lastmod>{}</lastmod>", escape(date));
    }
}

pub(super) fn escape(text: &str) -> String {
    let text = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    text.replace('\'', "&apos;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use svc_source::SourceTree;

    use super::*;
    use crate::{LoadOptions, assemble};

    const ORIGIN: &str = "https://docs.dev";

    fn site(config: &str, files: &[(&str, &str)]) -> Site {
        let config = format!(
            r##"{{"theme": "svc", "name": "A", "colors": {{"primary": "#112233"}}, {config}}}"##
        );
        let files = files
            .iter()
            .copied()
            .chain([("docs.json", config.as_str())]);
        assemble(SourceTree::from_files(files), &LoadOptions::default())
            .unwrap()
            .value
    }

    fn many(count: usize) -> Site {
        let mut names = String::new();
        let mut files = Vec::new();
        for at in 0..count {
            let _ = write!(names, "{}\"p{at}\"", if at > 0 { ", " } else { "" });
            files.push((
                format!("p{at}.mdx"),
                format!("---\nlastUpdatedDate: 2026-01-{:02}\n---\n", at + 1),
            ));
        }
        let files: Vec<_> = files
            .iter()
            .map(|(path, text)| (&**path, &**text))
            .collect();
        site(&format!(r#""navigation": {{"pages": [{names}]}}"#), &files)
    }

    #[test]
    fn a_sitemap_above_the_limit_of_entries_is_split() {
        let site = many(7);
        let limits = SitemapLimits {
            entries: 3,
            ..SitemapLimits::PROTOCOL
        };
        let index = sitemap(&site, ORIGIN, limits);
        assert!(index.contains("<sitemapindex "), "{index}");
        let expected = [
            ("1", "2026-01-03", 3),
            ("2", "2026-01-06", 3),
            ("3", "2026-01-07", 1),
        ];
        let mut all = String::new();
        for (number, date, count) in expected {
            let line = format!(
                "<sitemap><loc>https://docs.dev/sitemap-{number}.xml</loc><lastmod>{date}</lastmod></sitemap>"
            );
            assert!(index.contains(&line), "{line}\n{index}");
            let text = part(&site, ORIGIN, number.parse().unwrap(), limits).unwrap();
            assert_eq!(text.matches("<url>").count(), count);
            all.push_str(&text);
        }
        for at in 0..7 {
            let line = format!("<loc>{ORIGIN}/p{at}</loc>");
            assert_eq!(all.matches(&line).count(), 1, "{line}");
        }
        assert_eq!(part_count(&site, ORIGIN, limits), 3);
        assert!(part(&site, ORIGIN, 4, limits).is_none());
        assert!(part(&site, ORIGIN, 0, limits).is_none());
    }

    #[test]
    fn no_file_exceeds_the_limit_of_bytes() {
        let site = many(20);
        let limits = SitemapLimits {
            bytes: 600,
            ..SitemapLimits::PROTOCOL
        };
        let count = part_count(&site, ORIGIN, limits);
        assert!(count > 2, "{count}");
        let mut entries = 0;
        for number in 1..=count {
            let text = part(&site, ORIGIN, number, limits).unwrap();
            assert!(text.len() <= limits.bytes, "{}", text.len());
            entries += text.matches("<url>").count();
        }
        assert_eq!(entries, 20);
    }

    #[test]
    fn a_sitemap_within_the_limits_is_one_file() {
        let site = many(2);
        let text = sitemap(&site, ORIGIN, SitemapLimits::PROTOCOL);
        assert!(text.contains("<urlset ") && text.ends_with("</urlset>\n"));
        assert_eq!(part_count(&site, ORIGIN, SitemapLimits::PROTOCOL), 0);
        assert!(part(&site, ORIGIN, 1, SitemapLimits::PROTOCOL).is_none());
    }

    #[test]
    fn an_entry_names_the_versions_in_other_languages() {
        let navigation = r#""navigation": {"languages": [
            {"language": "en", "pages": ["start", "only"]},
            {"language": "cn", "pages": ["cn/start", "cn/hidden"]},
            {"language": "de", "pages": ["de/start"]}]}"#;
        let files = [
            ("start.mdx", ""),
            ("only.mdx", ""),
            ("cn/start.mdx", ""),
            ("cn/hidden.mdx", ""),
            ("de/start.mdx", "---\nnoindex: true\n---\n"),
        ];
        let text = sitemap(&site(navigation, &files), ORIGIN, SitemapLimits::PROTOCOL);
        let links = "<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://docs.dev/start\"/>\n\
                     <xhtml:link rel=\"alternate\" hreflang=\"zh\" href=\"https://docs.dev/cn/start\"/>\n\
                     <xhtml:link rel=\"alternate\" hreflang=\"x-default\" href=\"https://docs.dev/start\"/>";
        for path in ["/start", "/cn/start"] {
            let entry = format!("<url><loc>{ORIGIN}{path}</loc>\n{links}</url>");
            assert!(text.contains(&entry), "{entry}\n{text}");
        }
        assert!(text.contains("<url><loc>https://docs.dev/only</loc></url>"));
        assert!(!text.contains("de/start"), "{text}");
    }

    #[test]
    fn pages_that_their_meta_tags_exclude_are_not_listed() {
        let config = r#""seo": {"metatags": {"robots": "noindex"}, "paths": [{"path": "open", "metatags": {"robots": "all"}}]},
            "navigation": {"pages": ["a", "open/b", "open/c", "d"]}"#;
        let files = [
            ("a.mdx", ""),
            ("open/b.mdx", ""),
            ("open/c.mdx", "---\nrobots: none\n---\n"),
            ("d.mdx", "---\nrobots: index\n---\n"),
        ];
        let text = sitemap(&site(config, &files), ORIGIN, SitemapLimits::PROTOCOL);
        let has = |path: &str| text.contains(&format!("<loc>{ORIGIN}{path}</loc>"));
        assert!(
            !has("/a") && has("/open/b") && !has("/open/c") && has("/d"),
            "{text}"
        );
    }

    #[test]
    fn only_canonical_numbers_are_paths_of_files() {
        assert_eq!(number_of("/sitemap-12.xml"), Some(12));
        for path in [
            "/sitemap-0.xml",
            "/sitemap-01.xml",
            "/sitemap-+1.xml",
            "/sitemap-.xml",
            "/sitemap.xml",
        ] {
            assert_eq!(number_of(path), None, "{path}");
        }
    }
}
