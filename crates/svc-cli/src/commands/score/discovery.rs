//! Which pages a site has, from its lists and sitemaps.

use std::collections::BTreeSet;

use svc_fetch::Url;

use super::markdown;
use super::response::{Response, is_same_site};

/// Maximum number of URLs of all sitemaps.
const MAX_SITEMAP_URLS: usize = 50_000;
/// Endings of paths of pages and of their Markdown versions.
const PAGE_EXTENSIONS: &[&str] = &["htm", "html", "md", "mdx"];

/// Where `llms.txt` can be, without duplicates.
pub(super) fn llms_candidates(base: &Url) -> Vec<Url> {
    let mut urls: Vec<Url> = Vec::new();
    let below_base = below(base, "llms.txt");
    let at_root = base.join("/llms.txt").ok();
    let in_docs = base.join("/docs/llms.txt").ok();
    for url in [Some(below_base), at_root, in_docs].into_iter().flatten() {
        if !urls.contains(&url) {
            urls.push(url);
        }
    }
    urls
}

/// The URL of a path below the base URL.
pub(super) fn below(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    let base_path = base.path().trim_end_matches('/');
    url.set_path(&format!("{base_path}/{path}"));
    url.set_query(None);
    url
}

/// The links of a list, resolved; links to other sites are included.
pub(super) fn list_links(list: &Response) -> Vec<Url> {
    let links = markdown::parse(&list.body).links;
    let links = links.iter().filter_map(|link| {
        let mut url = list.final_url.join(&link.url).ok()?;
        url.set_fragment(None);
        matches!(url.scheme(), "http" | "https").then_some(url)
    });
    links.collect()
}

/// The lists of sections that a list names.
pub(super) fn section_lists(base: &Url, links: &[Url]) -> Vec<Url> {
    let is_list = |url: &&Url| {
        let name = url.path().rsplit('/').next().unwrap_or_default();
        name.ends_with(".txt") && !name.contains("full") && is_same_site(url, base)
    };
    links.iter().filter(is_list).cloned().collect()
}

/// The page of a link: a Markdown version becomes the page itself. `None` if the link is not a page
/// of the site below its base path.
pub(super) fn page_of(base: &Url, link: &Url) -> Option<Url> {
    if !is_same_site(base, link) {
        return None;
    }
    let mut url = link.clone();
    url.set_fragment(None);
    url.set_query(None);
    let path = link.path().to_owned();
    let name = path.rsplit('/').next().unwrap_or_default();
    if let Some((_, extension)) = name.rsplit_once('.') {
        let has_letter = extension.bytes().any(|byte| byte.is_ascii_alphabetic());
        if has_letter && !PAGE_EXTENSIONS.contains(&extension) {
            return None;
        }
    }
    if let Some(stem) = path.strip_suffix(".md").or(path.strip_suffix(".mdx")) {
        let stem = stem.strip_suffix("/index").map_or(stem, |dir| match dir {
            "" => "/",
            dir => dir,
        });
        url.set_path(stem);
    }
    let base_path = base.path().trim_end_matches('/');
    let rest = url.path().strip_prefix(base_path)?;
    (rest.is_empty() || rest.starts_with('/')).then_some(url)
}

/// A path for comparing URLs of the same page.
pub(super) fn page_key(url: &Url) -> String {
    let path = url.path().to_ascii_lowercase();
    let path = path.trim_end_matches('/');
    let path = PAGE_EXTENSIONS
        .iter()
        .find_map(|extension| {
            let stem = path.strip_suffix(extension)?;
            stem.strip_suffix('.')
        })
        .unwrap_or(path);
    path.strip_suffix("/index").unwrap_or(path).to_owned()
}

/// The Markdown version of a page, by appending `.md`.
pub(super) fn markdown_url(page: &Url) -> Url {
    let mut url = page.clone();
    let path = page.path().trim_end_matches('/');
    let path = path.strip_suffix(".html").unwrap_or(path);
    let path = match path {
        "" => "/index.md".to_owned(),
        path => format!("{path}.md"),
    };
    url.set_path(&path);
    url
}

/// The sitemaps that `robots.txt` names, or those at the usual paths.
pub(super) fn sitemap_urls(base: &Url, robots: &Response) -> Vec<Url> {
    let mut urls: Vec<Url> = Vec::new();
    if robots.is_plain_text() {
        let lines = robots.body.lines().filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            let value = value.trim();
            name.trim()
                .eq_ignore_ascii_case("sitemap")
                .then(|| base.join(value).ok())?
        });
        urls.extend(lines);
    }
    if urls.is_empty() {
        urls.push(below(base, "sitemap.xml"));
        urls.extend(base.join("/sitemap.xml").ok());
    }
    urls.dedup();
    urls
}

/// The URLs in a sitemap, and those of further sitemaps.
pub(super) fn sitemap_entries(sitemap: &Response) -> (Vec<Url>, Vec<Url>) {
    let is_index = sitemap.body.contains("<sitemapindex");
    let mut urls = Vec::new();
    for part in sitemap.body.split("<loc>").skip(1).take(MAX_SITEMAP_URLS) {
        let text = part.split("</loc>").next().unwrap_or_default();
        let text = text.trim().replace("&amp;", "&");
        urls.extend(Url::parse(&text));
    }
    match is_index {
        true => (Vec::new(), urls),
        false => (urls, Vec::new()),
    }
}

/// Chooses `max` pages at equal distances, or all of fewer pages; the result is deterministic.
pub(super) fn sample(pages: &BTreeSet<Url>, max: usize) -> Vec<Url> {
    let (total, count) = (pages.len(), pages.len().min(max));
    let is_chosen = |at: usize| (at + 1) * count / total.max(1) > at * count / total.max(1);
    let pages = pages.iter().enumerate();
    let chosen = pages.filter(|(at, _)| is_chosen(*at));
    chosen.map(|(_, page)| page.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("a URL")
    }

    #[test]
    fn a_markdown_version_is_its_page() {
        let base = url("https://a.test/docs");
        let page = |link: &str| page_of(&base, &url(link)).map(|url| url.path().to_owned());
        for (link, expected) in [
            ("https://a.test/docs/x.md", Some("/docs/x")),
            ("https://www.a.test/docs/x/index.md", Some("/docs/x")),
            ("https://a.test/docs/v1.2", Some("/docs/v1.2")),
            ("https://a.test/docs", Some("/docs")),
            ("https://a.test/docsx", None),
            ("https://a.test/docs/openapi.json", None),
            ("https://b.test/docs/x", None),
        ] {
            assert_eq!(page(link).as_deref(), expected, "{link}");
        }
        let root = url("https://a.test/");
        let home = page_of(&root, &url("https://a.test/index.md"));
        assert_eq!(home.map(|url| url.path().to_owned()).as_deref(), Some("/"));
    }

    #[test]
    fn urls_of_one_page_have_one_key() {
        for link in ["/a/", "/a", "/A.md", "/a.html", "/a/index.html"] {
            assert_eq!(
                page_key(&url("https://a.test").join(link).expect("a URL")),
                "/a"
            );
        }
        assert_eq!(page_key(&url("https://a.test/")), "");
        assert_eq!(page_key(&url("https://a.test/index.md")), "");
    }

    #[test]
    fn candidates_have_no_duplicates() {
        let at = |base: &str| llms_candidates(&url(base)).len();
        assert_eq!(at("https://a.test"), 2);
        assert_eq!(at("https://a.test/docs"), 2);
        assert_eq!(at("https://a.test/help"), 3);
    }

    #[test]
    fn a_sample_is_spread_and_bounded() {
        let pages: BTreeSet<Url> = (0..95)
            .map(|n| url(&format!("https://a.test/{n}")))
            .collect();
        assert_eq!(sample(&pages, 10).len(), 10);
        assert_eq!(sample(&pages, 60).len(), 60);
        assert_eq!(sample(&BTreeSet::new(), 10).len(), 0);
        assert_eq!(sample(&pages, 100).len(), 95);
    }
}
