//! Speculation rules: pages that a browser may prerender before the reader opens them (HTML,
//! "Speculative loading").

use serde_json::json;

/// Path of the rules relative to the base path.
pub(crate) const PATH: &str = "/_svc/speculation.json";
/// Header of a page that links to the rules.
pub(crate) const HEADER: &str = "speculation-rules";
/// Media type of the rules, required by browsers.
pub(crate) const CONTENT_TYPE: &str = "application/speculationrules+json";

/// Rules of a site with the base path `base`: a page is prerendered when a reader is likely to
/// follow a link to it. Files and internal paths are excluded.
pub(crate) fn rules(base: &str) -> String {
    let pages = json!({ "and": [
        { "href_matches": format!("{base}/*") },
        { "not": { "href_matches": format!("{base}/_svc/*") } },
        { "not": { "href_matches": "/*.*" } },
        { "not": { "selector_matches": "[download], [target], [rel~=nofollow]" } },
    ] });
    let rule = json!({ "where": pages, "eagerness": "moderate" });
    json!({ "prerender": [rule] }).to_string()
}
