//! Headers of pages, most of which are the same for all pages of a site.

use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use svc_site::{GeneratedFile, PageOutput, Site};

use crate::{document_policy, reply, speculation};

/// Whether the server has an MCP endpoint.
pub(crate) const HAS_MCP: bool = true;
const SPECULATION_RULES: HeaderName = HeaderName::from_static(speculation::HEADER);

/// The headers of the pages of a site without scripts of the repository.
struct CommonHeaders(HeaderMap);

impl CommonHeaders {
    fn new(site: &Site) -> Self {
        let mut headers = HeaderMap::with_capacity(reply::EXPECTED_HEADERS);
        let mut add = |name: HeaderName, value: &str| {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(name, value);
            }
        };
        add(header::CONTENT_TYPE, "text/html; charset=utf-8");
        add(header::VARY, "Accept-Encoding, Accept");
        add(header::CACHE_CONTROL, "no-cache");
        let services = site.service_sources();
        let policy = document_policy::of_page(&[], &[], services);
        add(header::CONTENT_SECURITY_POLICY, &policy);
        if site.offers(GeneratedFile::Llms) {
            let name = HeaderName::from_static("x-llms-txt");
            add(name, &site.href("/llms.txt"));
        }
        // Services may count page views, which prerendering would distort.
        if services.is_empty() {
            let rules = format!("\"{}\"", site.href(speculation::PATH));
            add(SPECULATION_RULES, &rules);
        }
        reply::secure(&mut headers);
        Self(headers)
    }
}

/// The headers of a page that sends requests to the origins `plain`.
pub(crate) fn headers(site: &Site, page: &PageOutput, plain: &[String]) -> HeaderMap {
    let common = site.attachment(|| CommonHeaders::new(site));
    let mut headers = match common {
        Some(common) => common.0.clone(),
        None => CommonHeaders::new(site).0,
    };
    let is_common = plain.is_empty() && page.digests.is_empty() && !page.broken;
    if !is_common {
        let services = match page.broken {
            true => &[],
            false => site.service_sources(),
        };
        let policy = document_policy::of_page(plain, &page.digests, services);
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
    }
    // Scripts of the repository may count page views, too.
    if !page.digests.is_empty() {
        headers.remove(SPECULATION_RULES);
    }
    headers
}

/// The links of a page for machines.
pub(crate) fn links(site: &Site, path: &str) -> String {
    let twin = site.href(if path == "/" { "/index" } else { path });
    let links = site.discovery_links(HAS_MCP);
    [
        links,
        ", <",
        &twin,
        ".md>; rel=\"alternate\"; type=\"text/markdown\"",
    ]
    .concat()
}
