//! Speculation rules: which pages a browser may render before the reader opens them (HTML, "Speculative
//! loading").

use serde_json::json;

/// Path of the rules below the base path.
pub(crate) const PATH: &str = "/_svc/speculation.json";
/// The header of a page that names its rules.
pub(crate) const HEADER: &str = "speculation-rules";
/// Media type of the rules; browsers take no other.
pub(crate) const CONTENT_TYPE: &str = "application/speculationrules+json";

/// The rules of a site below `base`: a page is rendered when a reader is about to follow a link to it.
/// Files, and what is the program's own, are none.
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
