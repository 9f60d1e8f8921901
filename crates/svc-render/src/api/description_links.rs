//! Links in the descriptions of OpenAPI documents.

use svc_diagnostics::{SourceFile, Span};
use svc_openapi::ApiDocument;

use crate::ctx::{Ctx, PageLink, RenderContext};
use crate::html::Html;
use crate::markdown::{SiteLink, document_markdown, site_link};
use crate::url::resolve_url;

/// Attributes with URLs that descriptions can have.
const ATTRIBUTES: [&str; 2] = [" href=\"", " src=\""];

/// A link of a description.
#[derive(Debug)]
pub(crate) struct DescriptionLink {
    /// The URL as the document writes it.
    written: String,
    /// As in [`PageLink::href`].
    href: String,
}

/// Renders a description as blocks, and records its links for the link checks.
pub(super) fn described_blocks(cx: &mut Ctx<'_>, text: &str) -> Html {
    let html = document_markdown(text, cx.texts);
    let (html, links) = resolve_links(cx.input, cx.page.document, &cx.page.path, html);
    record(cx, text, links);
    html
}

/// Lets the links and images of a description lead to pages and files of this site, as those of
/// pages do. `document` and `page` contain the description.
pub(super) fn resolve_links(
    input: &RenderContext<'_>,
    document: Option<usize>,
    page: &str,
    html: Html,
) -> (Html, Vec<DescriptionLink>) {
    let files = files(input, document, page);
    let (mut out, mut links) = (Html::new(), Vec::new());
    let mut rest = html.as_str();
    // Only attributes contain quotes, because the markup is sanitized.
    while let Some((start, name)) = ATTRIBUTES
        .iter()
        .filter_map(|name| Some((rest.find(name)?, name)))
        .min()
    {
        let (before, after) = rest.split_at(start + name.len());
        let Some((value, after)) = after.split_once('"') else {
            break;
        };
        let written = Html::trusted(value.to_owned()).to_text();
        out.add(&Html::trusted(before.to_owned()));
        rest = after;
        let link = site_link(input, &files, &written);
        out.esc(link.as_ref().map_or(&written, |link| &link.href));
        out.lit("\"");
        if let Some(href) = checked_href(link.as_ref(), &written) {
            links.push(DescriptionLink { written, href });
        }
    }
    if links.is_empty() {
        return (html, links);
    }
    out.add(&Html::trusted(rest.to_owned()));
    (out, links)
}

/// The URL of a field of the document, which is recorded for the link checks.
pub(super) fn resolved_url(cx: &mut Ctx<'_>, written: &str, span: Span) -> String {
    let written = written.trim();
    let files = files(cx.input, cx.page.document, &cx.page.path);
    let link = site_link(cx.input, &files, written);
    if let Some(document) = document(cx.input, cx.page.document)
        && let Some(href) = checked_href(link.as_ref(), written)
    {
        let file = document.file.clone();
        cx.out.links.push(PageLink { href, span, file });
    }
    match link {
        Some(link) => link.href,
        None => resolve_url(&cx.input.options.site.base_path, written),
    }
}

fn document<'i>(input: &RenderContext<'i>, index: Option<usize>) -> Option<&'i ApiDocument> {
    input.catalog.documents.get(index?)
}

/// The files that relative paths can refer to: a document, unless it is remote, and the page.
fn files<'f>(input: &RenderContext<'f>, document: Option<usize>, page: &'f str) -> [&'f str; 2] {
    let document = self::document(input, document).filter(|document| !document.is_remote());
    let path = document.map_or("", |document| &document.path);
    [path, page.trim_start_matches('/')]
}

/// What the link checks look at, as in [`PageLink::href`]. `None` for URLs that they cannot request.
fn checked_href(link: Option<&SiteLink>, written: &str) -> Option<String> {
    let is_web = written.starts_with("https://") || written.starts_with("http://");
    match link {
        Some(link) => Some(link.path.clone()),
        None => is_web.then(|| written.to_owned()),
    }
}

/// Records the links of a description, `text`.
pub(super) fn record(cx: &mut Ctx<'_>, text: &str, links: Vec<DescriptionLink>) {
    let document = document(cx.input, cx.page.document);
    let Some(document) = document.filter(|_| !links.is_empty()) else {
        return;
    };
    let file = SourceFile::new(document.file.path().clone(), text);
    for DescriptionLink { written, href } in links {
        let start = text.find(&*written).unwrap_or(0);
        let span = Span::from_range(start..(start + written.len()).min(text.len()));
        let file = file.clone();
        cx.out.links.push(PageLink { href, span, file });
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::site_at;

    const SITE: &str = r##"//- /specs/api.json
{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "https://a.test"}],
 "paths": {"/pets": {"get": {"summary": "List", "tags": ["Pets"],
  "description": "A\n\n[abs](/guide#x) [root](guide) [near](more) ![i](dot.png) [sister](add) [own](#y) [base](/docs/guide) [none](/nope?a=1&b) [lost](lost) [web](https://w.test/a) [other](//o.test) [q](?z)",
  "parameters": [{"name": "limit", "in": "query", "description": "<a href='/guide.mdx'>of `<b href=\"/x\">`</a>", "schema": {"type": "integer"}}],
  "responses": {"200": {"description": "ok"}}},
  "post": {"summary": "Add", "tags": ["Pets"], "responses": {"200": {"description": "ok"}}}}}}
//- /specs/more.mdx
# More
//- /specs/dot.png
x
//- /guide.mdx
# Guide
//- /docs.json
{"theme": "svc", "name": "T", "colors": {"primary": "#112233"}, "navigation": {"groups": [{"group": "G", "pages": ["guide", "specs/more"]}, {"group": "API", "openapi": "specs/api.json"}]}}
"##;

    #[test]
    fn links_lead_to_pages_and_files_below_the_base_path() {
        let page = site_at(SITE, "/api-reference/pets/list", "/docs");
        for part in [
            "<a href=\"/docs/guide#x\">abs",
            "<a href=\"/docs/guide\">root",
            "<a href=\"/docs/specs/more\">near",
            "<img src=\"/docs/specs/dot.png\"",
            "<a href=\"/docs/api-reference/pets/add\">sister",
            "<a href=\"#y\">own",
            "<a href=\"/docs/guide\">base",
            "<a href=\"/docs/nope?a=1&amp;b\">none",
            "<a href=\"/docs/api-reference/pets/lost\">lost",
            "<a href=\"https://w.test/a\">web",
            "<a href=\"//o.test\">other",
            "<a href=\"?z\">q",
            "<a href=\"/docs/guide\">of <code>&lt;b href=&quot;/x&quot;&gt;</code>",
        ] {
            assert!(page.html.contains(part), "{part} is not in\n{}", page.html);
        }
        let links = page.article.links.iter().map(|link| &*link.href);
        let links: Vec<&str> = links.collect();
        let expected = [
            "/guide#x",
            "/guide",
            "/specs/more",
            "/specs/dot.png",
            "/api-reference/pets/add",
            "#y",
            "/guide",
            "/nope?a=1&b",
            "/api-reference/pets/lost",
            "https://w.test/a",
            "/guide",
        ];
        assert_eq!(links, expected);
    }
}
