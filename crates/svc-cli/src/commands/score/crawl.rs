//! Everything that is fetched of a site before it is checked.

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use svc_fetch::Url;

use super::discovery;
use super::fetcher::{Fetcher, Query, RunLimits};
use super::html::{self, HtmlPage};
use super::markdown::{self, MarkdownPage};
use super::mcp::{self, McpEndpoint};
use super::response::{Response, is_same_site};

/// Maximum number of lists of sections.
const MAX_SECTIONS: usize = 200;
/// Maximum number of further sitemaps of an index.
const MAX_SITEMAPS: usize = 20;
/// Maximum number of links that are requested, for lists and for Markdown versions.
const MAX_LINKS: usize = 50;
/// A path that no site has.
const MISSING_SUFFIX: &str = "-svc-score-missing-7d41";
/// Where server cards are.
const SERVER_CARDS: &[&str] = &[
    ".well-known/mcp/server-card.json",
    ".well-known/mcp.json",
    ".well-known/mcp",
];

/// The responses of a site. It does not change afterwards: checks are functions of it.
#[derive(Debug)]
pub(super) struct Crawl {
    /// URL of the site.
    pub(super) base: Url,
    /// The `llms.txt` nearest to the base URL, or the first failed response.
    pub(super) llms: Response,
    /// Whether `llms.txt` was found.
    pub(super) has_llms: bool,
    /// The lists of sections that `llms.txt` names.
    pub(super) sections: Vec<Response>,
    /// All links of `llms.txt` and of the lists of sections.
    pub(super) llms_links: Vec<Url>,
    /// `robots.txt`.
    pub(super) robots: Response,
    /// The sitemaps that were found or, if there are none, the failed responses.
    pub(super) sitemaps: Vec<Response>,
    /// URLs of the sitemaps.
    pub(super) sitemap_urls: Vec<Url>,
    /// The sampled pages.
    pub(super) pages: Vec<SampledPage>,
    /// Number of pages of which the sample was taken.
    pub(super) total_pages: usize,
    /// Responses to sampled links of the lists.
    pub(super) checked_llms_links: Vec<Response>,
    /// Responses to sampled links of Markdown versions.
    pub(super) checked_markdown_links: Vec<Response>,
    /// The MCP endpoint.
    pub(super) mcp: McpEndpoint,
    /// The server card or, if there is none, the last failed response.
    pub(super) server_card: Response,
    /// Whether a limit of the run was reached.
    pub(super) is_partial: bool,
}

/// The versions of a sampled page.
#[derive(Debug)]
pub(super) struct SampledPage {
    /// URL of the page.
    pub(super) url: Url,
    /// The page.
    pub(super) html: Response,
    /// The parsed page.
    pub(super) content: HtmlPage,
    /// The first response, if it is a redirect.
    pub(super) redirect: Option<Response>,
    /// The Markdown version at its own URL.
    pub(super) markdown: Response,
    /// The parsed Markdown version: of `markdown`, or of `negotiated`.
    pub(super) text: Option<MarkdownPage>,
    /// The page, requested with `Accept: text/markdown`.
    pub(super) negotiated: Response,
    /// A page next to it that does not exist.
    pub(super) missing: Response,
}

impl SampledPage {
    /// The Markdown version; `None` if the page has none.
    pub(super) fn markdown_version(&self) -> Option<&Response> {
        [&self.markdown, &self.negotiated]
            .into_iter()
            .find(|response| response.is_markdown())
    }
}

impl Crawl {
    /// The sampled pages that have a Markdown version, with it.
    pub(super) fn markdown_versions(
        &self,
    ) -> impl Iterator<Item = (&SampledPage, &Response, &MarkdownPage)> {
        self.pages
            .iter()
            .filter_map(|page| Some((page, page.markdown_version()?, page.text.as_ref()?)))
    }

    /// The sampled pages that are HTML.
    pub(super) fn html_pages(&self) -> impl Iterator<Item = &SampledPage> {
        let is_page = |page: &&SampledPage| page.html.is_success() && page.html.is_html();
        self.pages.iter().filter(is_page)
    }
}

/// Fetches what the checks need.
pub(super) async fn crawl(fetcher: &Fetcher, base: Url, limits: RunLimits) -> Crawl {
    let (llms, has_llms) = first_list(fetcher, &base).await;
    let root_links = match has_llms {
        true => discovery::list_links(&llms),
        false => Vec::new(),
    };
    let mut lists = discovery::section_lists(&base, &root_links);
    lists.retain(|url| *url != llms.final_url);
    lists.truncate(MAX_SECTIONS);
    let lists: Vec<Query> = lists.into_iter().map(Query::get).collect();
    let sections = fetcher.send_all(lists).await;
    let mut llms_links = root_links;
    for section in sections.iter().filter(|section| section.is_plain_text()) {
        llms_links.extend(discovery::list_links(section));
    }
    let robots = match base.join("/robots.txt") {
        Ok(url) => fetcher.send(Query::get(url)).await,
        Err(_) => Response::failed(base.clone(), "there is no such URL".to_owned()),
    };
    let (sitemaps, sitemap_urls) = sitemaps(fetcher, &base, &robots).await;

    let mut found = BTreeMap::new();
    for url in llms_links.iter().chain(&sitemap_urls) {
        if let Some(page) = discovery::page_of(&base, url) {
            found.entry(discovery::page_key(&page)).or_insert(page);
        }
    }
    let mut found: BTreeSet<Url> = found.into_values().collect();
    if found.is_empty() {
        found.insert(base.clone());
    }
    let chosen = discovery::sample(&found, limits.pages);
    let pages = pages(fetcher, chosen).await;
    let checked_llms_links = check_links(fetcher, same_site(&base, &llms_links)).await;
    let links = markdown_links(&pages);
    let checked_markdown_links = check_links(fetcher, same_site(&base, &links)).await;
    let endpoint = discovery::below(&base, "mcp");
    let mcp = mcp::list_tools(fetcher, &endpoint).await;
    let server_card = server_card(fetcher, &base).await;
    Crawl {
        is_partial: fetcher.is_exhausted(),
        total_pages: found.len(),
        base,
        llms,
        has_llms,
        sections,
        llms_links,
        robots,
        sitemaps,
        sitemap_urls,
        pages,
        checked_llms_links,
        checked_markdown_links,
        mcp,
        server_card,
    }
}

/// The `llms.txt` nearest to the base URL, and whether there is one.
async fn first_list(fetcher: &Fetcher, base: &Url) -> (Response, bool) {
    let candidates = discovery::llms_candidates(base).into_iter();
    let mut lists = fetcher.send_all(candidates.map(Query::get).collect()).await;
    let found = lists.iter().position(Response::is_plain_text);
    let list = lists.swap_remove(found.unwrap_or(0));
    (list, found.is_some())
}

async fn sitemaps(fetcher: &Fetcher, base: &Url, robots: &Response) -> (Vec<Response>, Vec<Url>) {
    let named = discovery::sitemap_urls(base, robots);
    let mut all = fetcher
        .send_all(named.into_iter().map(Query::get).collect())
        .await;
    if all.iter().any(Response::is_success) {
        all.retain(Response::is_success);
    }
    let mut urls = Vec::new();
    let mut further = Vec::new();
    for sitemap in all.iter().filter(|sitemap| sitemap.is_success()) {
        let (pages, sitemaps) = discovery::sitemap_entries(sitemap);
        urls.extend(pages);
        further.extend(sitemaps);
    }
    further.retain(|url| is_same_site(url, base));
    further.truncate(MAX_SITEMAPS);
    let further = fetcher
        .send_all(further.into_iter().map(Query::get).collect())
        .await;
    for sitemap in &further {
        urls.extend(discovery::sitemap_entries(sitemap).0);
    }
    all.extend(further);
    (all, urls)
}

async fn pages(fetcher: &Fetcher, urls: Vec<Url>) -> Vec<SampledPage> {
    let queries = urls.iter().flat_map(|url| {
        let mut missing = url.clone();
        missing.set_path(&format!(
            "{}{MISSING_SUFFIX}",
            url.path().trim_end_matches('/')
        ));
        if missing.path() == MISSING_SUFFIX {
            missing.set_path(&format!("/{MISSING_SUFFIX}"));
        }
        [
            Query::get(url.clone()).accept("text/html"),
            Query::get(discovery::markdown_url(url)),
            Query::get(url.clone()).accept("text/markdown"),
            Query::get(missing).accept("text/html"),
        ]
    });
    let mut responses = fetcher.send_all(queries.collect()).await.into_iter();
    let mut pages = Vec::with_capacity(urls.len());
    for url in urls {
        let (Some(html), Some(markdown), Some(negotiated), Some(missing)) = (
            responses.next(),
            responses.next(),
            responses.next(),
            responses.next(),
        ) else {
            break;
        };
        let redirect = match html.final_url == html.url {
            true => None,
            false => {
                let query = Query::get(url.clone()).accept("text/html");
                Some(fetcher.send(query.without_redirects()).await)
            }
        };
        let content = match html.is_html() {
            true => html::parse(&html.body),
            false => HtmlPage::default(),
        };
        let mut page = SampledPage {
            url,
            html,
            content,
            redirect,
            markdown,
            text: None,
            negotiated,
            missing,
        };
        page.text = page
            .markdown_version()
            .map(|text| markdown::parse(&text.body));
        pages.push(page);
    }
    pages
}

fn markdown_links(pages: &[SampledPage]) -> Vec<Url> {
    let links = pages.iter().flat_map(|page| {
        let base = page.markdown_version().map(|text| &text.final_url);
        let links = page.text.iter().flat_map(|text| &text.links);
        links.filter_map(move |link| base?.join(&link.url).ok())
    });
    links.collect()
}

/// The links to the same site without fragments and duplicates, at most [`MAX_LINKS`] of them.
fn same_site(base: &Url, links: &[Url]) -> Vec<Url> {
    let unique: BTreeSet<Url> = links
        .iter()
        .filter(|url| is_same_site(url, base))
        .map(|url| {
            let mut url = url.clone();
            url.set_fragment(None);
            url
        })
        .collect();
    discovery::sample(&unique, MAX_LINKS)
}

/// Requests links with `HEAD`, and with `GET` if the site does not allow that.
async fn check_links(fetcher: &Fetcher, links: Vec<Url>) -> Vec<Response> {
    let mut responses = fetcher
        .send_all(links.into_iter().map(Query::head).collect())
        .await;
    let is_refused = |response: &Response| matches!(response.status, 405 | 501);
    let again: Vec<usize> = (0..responses.len())
        .filter(|at| responses.get(*at).is_some_and(is_refused))
        .collect();
    for at in again {
        if let Some(response) = responses.get_mut(at) {
            *response = fetcher.send(Query::get(response.url.clone())).await;
        }
    }
    responses
}

async fn server_card(fetcher: &Fetcher, base: &Url) -> Response {
    let mut last = Response::failed(base.clone(), Method::GET.to_string());
    for path in SERVER_CARDS {
        for url in [
            Some(discovery::below(base, path)),
            base.join(&format!("/{path}")).ok(),
        ] {
            let Some(url) = url else { continue };
            last = fetcher.send(Query::get(url)).await;
            if last.is_success() && last.body.trim_start().starts_with('{') {
                return last;
            }
        }
    }
    last
}
