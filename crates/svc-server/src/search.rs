//! The search of a site: `GET /_svc/search?q=` as JSON, and `/search?q=` as a page.

use std::sync::Arc;

use http::request::Parts;
use http::{StatusCode, header};
use hyper::body::Bytes;
use serde_json::json;
use svc_search::Query;
use svc_site::{SEARCH_FACETS, SearchPageRequest, Site};
use url::form_urlencoded;

use crate::document_policy;
use crate::encoding::copy;
use crate::reply::{self, Content, Entity};
use crate::service::Reply;

/// Path of the JSON results relative to the base path.
pub(crate) const PATH: &str = "/_svc/search";
/// Path of the page with results, unless the site has a page at this path.
pub(crate) const PAGE_PATH: &str = "/search";
/// Maximum number of results in a response.
const MAX_LIMIT: usize = 50;
/// Maximum number of results before those of a response.
const MAX_OFFSET: usize = 1_000;

/// Parameters of a search.
#[derive(Debug, PartialEq, Eq)]
struct SearchParameters {
    text: String,
    limit: usize,
    offset: usize,
    /// Names and values of facets.
    filters: Vec<(String, String)>,
}

impl SearchParameters {
    /// Parses the query of a URL.
    ///
    /// # Errors
    /// With a sentence for the client if a parameter is unknown or has an invalid value.
    fn parse(query: &str) -> Result<Self, String> {
        let mut out = Self {
            text: String::new(),
            limit: 10,
            offset: 0,
            filters: Vec::new(),
        };
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match name.as_ref() {
                "q" => out.text = value.into_owned(),
                "limit" => {
                    let limit = value.parse().ok();
                    let limit = limit.filter(|limit| (1..=MAX_LIMIT).contains(limit));
                    out.limit = limit
                        .ok_or_else(|| format!("`limit` must be a number from 1 to {MAX_LIMIT}"))?;
                }
                "cursor" => {
                    let offset = value.parse().ok();
                    let offset = offset.filter(|offset| *offset <= MAX_OFFSET);
                    out.offset = offset.ok_or("`cursor` must be that of another response")?;
                }
                name if SEARCH_FACETS.contains(&name) => {
                    // The form of the page sends empty values for "all".
                    if !value.is_empty() {
                        out.filters.push((name.to_owned(), value.into_owned()));
                    }
                }
                name => {
                    let filters = SEARCH_FACETS.join("`, `");
                    return Err(format!(
                        "`{name}` is not a parameter; parameters are `q`, `limit`, `cursor`, `{filters}`"
                    ));
                }
            }
        }
        Ok(out)
    }

    fn filters(&self) -> Vec<(&str, &str)> {
        let filters = self.filters.iter();
        filters.map(|(name, value)| (&**name, &**value)).collect()
    }

    fn query<'q>(&'q self, filters: &'q [(&'q str, &'q str)]) -> Query<'q> {
        Query {
            limit: self.limit,
            offset: self.offset,
            filters,
            ..Query::new(&self.text)
        }
    }

    /// The cursor of the next results.
    fn next(&self, total: usize) -> Option<usize> {
        let next = self.offset + self.limit;
        (next < total && next <= MAX_OFFSET).then_some(next)
    }
}

/// Responds with results as JSON.
pub(crate) fn results(site: &Arc<Site>, parts: &Parts) -> Reply {
    let parameters = match SearchParameters::parse(parts.uri.query().unwrap_or("")) {
        Ok(parameters) => parameters,
        Err(message) => {
            let error = json!({ "error": message });
            return Reply::Ready(reply::json(StatusCode::BAD_REQUEST, &error));
        }
    };
    let (site, parts) = (Arc::clone(site), copy(parts));
    Reply::Blocking(Box::new(move || {
        let filters = parameters.filters();
        let results = site.search(&parameters.query(&filters));
        let pages = results.pages.iter();
        let next = parameters.next(results.total);
        let body = json!({
            "query": parameters.text,
            "total": results.total,
            "correction": results.correction,
            "cursor": next.map(|next| next.to_string()),
            "filters": site.search_filters(),
            "results": pages.map(|page| page.to_json(site.base_path())).collect::<Vec<_>>(),
        });
        let content = Content::Bytes(Bytes::from(body.to_string()));
        uncached(Entity::new(content, "application/json")).into_response(&parts)
    }))
}

/// Responds with a page of results, which requires no scripts.
pub(crate) fn page(site: &Arc<Site>, parts: &Parts) -> Reply {
    let parameters = match SearchParameters::parse(parts.uri.query().unwrap_or("")) {
        Ok(parameters) => parameters,
        // Links to the page may have parameters for analytics.
        Err(_) => SearchParameters {
            text: text_of(parts),
            limit: 10,
            offset: 0,
            filters: Vec::new(),
        },
    };
    let (site, parts) = (Arc::clone(site), copy(parts));
    Reply::Blocking(Box::new(move || {
        let filters = parameters.filters();
        let page = site.search_page(&SearchPageRequest {
            query: parameters.query(&filters),
            path: PAGE_PATH,
            max_offset: MAX_OFFSET,
        });
        let content = Content::Bytes(Bytes::from(page));
        let policy = document_policy::of_page(&[], site.notice_digests(), &[]);
        uncached(Entity::new(content, "text/html; charset=utf-8"))
            .with(header::CONTENT_SECURITY_POLICY, policy)
            .into_response(&parts)
    }))
}

fn text_of(parts: &Parts) -> String {
    let mut pairs = form_urlencoded::parse(parts.uri.query().unwrap_or("").as_bytes());
    let text = pairs.find(|(name, _)| name == "q");
    text.map(|(_, text)| text.into_owned()).unwrap_or_default()
}

fn uncached(entity: Entity) -> Entity {
    entity
        .with(header::CACHE_CONTROL, "no-cache")
        .with(header::HeaderName::from_static("x-robots-tag"), "noindex")
}

#[cfg(test)]
mod tests {
    use super::SearchParameters;

    #[test]
    fn parameters_are_checked() {
        let parse = SearchParameters::parse;
        let parameters = parse("q=a+b&limit=5&cursor=10&version=v2&version=v3&tag=").unwrap();
        assert_eq!(
            (&*parameters.text, parameters.limit, parameters.offset),
            ("a b", 5, 10)
        );
        assert_eq!(parameters.filters(), [("version", "v2"), ("version", "v3")]);
        assert_eq!((parameters.next(16), parameters.next(15)), (Some(15), None));
        for (query, message) in [
            ("limit=0", "`limit` must be a number from 1 to 50"),
            ("limit=51", "`limit` must be a number from 1 to 50"),
            ("cursor=x", "`cursor` must be that of another response"),
            ("cursor=1001", "`cursor` must be that of another response"),
        ] {
            assert_eq!(parse(query).unwrap_err(), message);
        }
        assert!(
            parse("query=a")
                .unwrap_err()
                .starts_with("`query` is not a parameter; ")
        );
    }
}
