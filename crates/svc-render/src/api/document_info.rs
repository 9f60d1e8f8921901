//! Information about a document and its tags (`info`, `tags`, `externalDocs`). It is shown at the
//! end of the first page of each, because there is no separate page for it.

use svc_data::Node;
use svc_diagnostics::Span;
use svc_nav::{OperationRef, Route};
use svc_openapi::{ApiDocument, Operation};

use super::description_links::resolved_url;
use super::parts::{described, section};
use crate::ctx::Ctx;
use crate::html::Html;

/// Renders the links and descriptions for the page of an operation.
pub(super) fn document_info(
    cx: &mut Ctx<'_>,
    (document, at): (&ApiDocument, usize),
    operation: &Operation,
    route: &Route,
) -> Html {
    let mut out = Html::new();
    let tag = document
        .tag_of(operation)
        .and_then(|name| document.tag(name));
    if let Some(tag) = tag
        && is_first(cx, (document, at), route, Some(&tag.name))
    {
        let mut body = described(cx, tag.description.as_deref());
        body.add(&tag_docs(cx, document, &tag.name));
        let label = document.label_of(&tag.name);
        out.add(&section(cx, (label, "about-tag"), None, &body));
    }
    if is_first(cx, (document, at), route, None) {
        let body = info(cx, document);
        out.add(&section(cx, (&document.title, "about"), None, &body));
    }
    out
}

/// A link to external documentation (`externalDocs`).
pub(super) fn external_docs(cx: &mut Ctx<'_>, object: Option<&Node>) -> Html {
    let docs = object.and_then(|object| object.get("externalDocs"));
    let url = url(docs, "url");
    link(
        cx,
        url,
        docs.and_then(|docs| docs.get("description")?.as_str()),
    )
}

/// The URL under a key of an object, and its place in the document.
fn url<'n>(object: Option<&'n Node>, key: &str) -> Option<(&'n str, Span)> {
    let node = object?.get(key)?;
    Some((node.as_str()?, node.span))
}

fn tag_docs(cx: &mut Ctx<'_>, document: &ApiDocument, name: &str) -> Html {
    let tags = document.root.get("tags").and_then(Node::as_array);
    let is_own = |node: &&Node| node.get("name").and_then(Node::as_str) == Some(name);
    external_docs(cx, tags.unwrap_or_default().iter().find(is_own))
}

fn info(cx: &mut Ctx<'_>, document: &ApiDocument) -> Html {
    let mut out = described(cx, Some(&document.description));
    out.add(&external_docs(cx, Some(&document.root)));
    let info = document.root.get("info");
    let text = |part: &str, key: &str| info?.get(part)?.get(key)?.as_str();
    let mail = text("contact", "email").map(|mail| format!("mailto:{mail}"));
    let of = |part: &str| url(info?.get(part), "url");
    let mail = mail.as_deref().map(|mail| (mail, Span::default()));
    let contact = of("contact").or(mail);
    let name = text("contact", "name").or_else(|| text("contact", "email"));
    out.add(&link(cx, contact, name));
    let license = of("license");
    let name = text("license", "name").or_else(|| text("license", "identifier"));
    out.add(&link(cx, license, name));
    if license.is_none()
        && let Some(name) = name
    {
        out.lit("<p class=\"svc-api-also\">").esc(name).lit("</p>");
    }
    out.add(&link(cx, url(info, "termsOfService"), None));
    out
}

fn link(cx: &mut Ctx<'_>, url: Option<(&str, Span)>, text: Option<&str>) -> Html {
    let mut out = Html::new();
    let Some((url, span)) = url.filter(|(url, _)| !url.trim().is_empty()) else {
        return out;
    };
    let href = resolved_url(cx, url, span);
    out.lit("<p class=\"svc-api-also\"><a").attr("href", &href);
    if href.contains("://") {
        out.lit(" target=\"_blank\" rel=\"noopener noreferrer\"");
    }
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    out.lit(">").esc(text.unwrap_or(url)).lit("</a></p>");
    out
}

/// Whether the page is the first one of its document, or of one of its tags, in its version and
/// language.
fn is_first(
    cx: &Ctx<'_>,
    (document, at): (&ApiDocument, usize),
    route: &Route,
    tag: Option<&str>,
) -> bool {
    let near =
        |other: &&Route| (&other.version, &other.language) == (&route.version, &route.language);
    let operation = |other: &Route| match other.operation.as_ref()? {
        OperationRef::Operation { method, path, .. } => document.operation(method, path),
        OperationRef::Webhook { name, .. } => document.webhook(name),
        OperationRef::Schema { .. } | OperationRef::Tool { .. } => None,
    };
    let fits = |other: &&Route| {
        let own = other
            .operation
            .as_ref()
            .is_some_and(|own| own.document() == at);
        own && operation(other)
            .is_some_and(|operation| tag.is_none() || document.tag_of(operation) == tag)
    };
    let mut routes = cx.input.site_map.routes.values();
    let first = routes
        .find(|other| other.in_navigation == route.in_navigation && near(other) && fits(other));
    first.is_some_and(|first| first.path == route.path)
}

#[cfg(test)]
mod tests {
    use crate::testing::site;

    const FILES: &str = r##"//- /pets.json
{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1", "description": "All *about* pets.", "termsOfService": "https://pets.test/terms",
  "contact": {"name": "Us", "email": "us@pets.test"}, "license": {"name": "MIT", "url": "javascript:alert(1)"}},
 "externalDocs": {"url": "https://pets.test/guide", "description": "Guide"},
 "tags": [{"name": "dogs", "x-displayName": "Dogs", "description": "They bark."}],
 "paths": {"/a": {"get": {"summary": "One", "responses": {}, "externalDocs": {"url": "https://pets.test/one"}}},
  "/b": {"get": {"summary": "Two", "tags": ["dogs"], "responses": {}}},
  "/c": {"get": {"summary": "Three", "tags": ["dogs"], "responses": {}}}}}
//- /docs.json
{"theme": "svc", "name": "T", "colors": {"primary": "#112233"}, "navigation": {"groups": [{"group": "G", "openapi": "pets.json"}, {"group": "H", "pages": ["lost"]}]}}
//- /lost.mdx
---
openapi: GET /nowhere
---
"##;

    #[test]
    fn the_first_page_shows_the_document_and_the_tag() {
        let one = site(FILES, "/api-reference/one").html.as_str().to_owned();
        for part in [
            "All <em>about</em> pets.",
            "href=\"https://pets.test/guide\"",
            ">Guide<",
            "href=\"mailto:us@pets.test\">Us<",
            ">MIT<",
            "https://pets.test/terms",
            "https://pets.test/one",
        ] {
            assert!(one.contains(part), "{part}: {one}");
        }
        assert!(!one.contains("javascript:") && !one.contains("They bark."));
        let two = site(FILES, "/api-reference/dogs/two")
            .html
            .as_str()
            .to_owned();
        assert!(
            two.contains("They bark.") && two.contains("<a href=\"#about-tag\">Dogs</a></h2>"),
            "{two}"
        );
        assert!(!two.contains("pets.test"), "{two}");
        let three = site(FILES, "/api-reference/dogs/three")
            .html
            .as_str()
            .to_owned();
        assert!(!three.contains("They bark."), "{three}");
    }

    #[test]
    fn a_page_without_its_operation_shows_a_notice() {
        let lost = site(FILES, "/lost").html.as_str().to_owned();
        assert!(
            lost.contains("The API reference of this page is not available."),
            "{lost}"
        );
    }
}
