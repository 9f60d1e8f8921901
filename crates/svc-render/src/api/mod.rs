//! Pages of OpenAPI operations, webhooks and data models.

mod callbacks;
mod document_info;
mod endpoint;
mod examples;
mod json;
mod links;
pub(crate) mod mdx_endpoint;
mod media;
mod parameters;
pub(crate) mod playground;
mod schema;
mod schema_budget;
mod schema_fragment;
pub(crate) mod script;
mod security;
mod servers;
mod spec;
mod truncate;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use svc_config::ParamsExpanded;
use svc_nav::{OperationRef, Route};
use svc_openapi::{ApiDocument, Direction, Operation, SchemaPath, SchemaView};

use schema::FieldListContext;
use schema_budget::SchemaBudget;

pub use spec::{Endpoint, endpoint_of, playground_spec};

use crate::article::TocItem;
use crate::ctx::Ctx;
use crate::html::Html;
use crate::i18n::Messages;
use crate::markdown::{document_markdown, document_text, plain_text};
use crate::ui::fragment;
use playground::EndpointBar;

/// Style sheets of API pages.
pub(crate) const CSS: &[&str] = &[
    include_str!("api.css"),
    include_str!("schema_fragment/part.css"),
];

/// Scripts of API pages.
pub(crate) const JS: &[&str] = &[include_str!("schema_fragment/part.js")];

pub use schema_fragment::{FragmentLink, SchemaFragment, render_schema_fragment};

/// Renders the description after its lead paragraph. Method and path are rendered above the
/// article; data models have none.
pub(crate) fn title(cx: &mut Ctx<'_>, route: &Route) -> Html {
    let mut out = Html::new();
    cx.endpoint_bar = endpoint_bar(cx, route);
    let (_, rest) = description(cx.texts, route);
    if !rest.is_blank() {
        out.lit("<div class=\"svc-api-description\">")
            .add(&rest)
            .lit("</div>\n");
    }
    out
}

fn endpoint_bar(cx: &mut Ctx<'_>, route: &Route) -> Html {
    let Some(operation) = &route.operation else {
        return Html::new();
    };
    let catalog = cx.site.catalog;
    let document = |at: &usize| catalog.documents.get(*at);
    match operation {
        OperationRef::Operation {
            document: at,
            method,
            path,
        } => {
            let found =
                document(at).and_then(|known| Some((known, known.operation(method, path)?)));
            let servers = found.map(|(known, operation)| known.servers_of(operation));
            let is_choice = servers.is_some_and(|servers| servers.len() > 1);
            let server = servers.and_then(|servers| servers.first());
            let server = server.map(svc_openapi::Server::default_url);
            let endpoint = EndpointBar {
                method,
                path,
                server: server.as_deref(),
                full: is_choice || cx.site.config.api.url_full,
                callable: server.is_some(),
                expand: found.is_some_and(|(known, operation)| expands(known, operation)),
            };
            playground::bar(cx, route, &endpoint)
        }
        OperationRef::Webhook { name, .. } => endpoint::plain("webhook", name),
        OperationRef::Schema { .. } => Html::new(),
    }
}

/// Whether the playground is expanded by default (`x-svc.playground.expand`).
fn expands(document: &ApiDocument, operation: &Operation) -> bool {
    let node = document.node(&operation.source);
    let own = |name: &str| node?.get(name)?.get("playground")?.get("expand")?.as_bool();
    own("x-svc").or_else(|| own("x-mint")).unwrap_or(false)
}

/// Renders the endpoint bar of a page that describes an endpoint in MDX: `POST /v1/things`, or with
/// a full URL.
pub(crate) fn mdx_endpoint_bar(cx: &mut Ctx<'_>, route: &Route, written: &str) {
    let Some((method, target)) = written.trim().split_once(char::is_whitespace) else {
        return;
    };
    let servers = &cx.site.config.api.mdx_servers;
    let absolute = target.contains("://");
    let server = servers.first().filter(|_| !absolute);
    let endpoint = EndpointBar {
        method: &method.to_ascii_lowercase(),
        path: target.trim(),
        server: server.map(String::as_str),
        full: servers.len() > 1 || cx.site.config.api.url_full,
        callable: absolute || server.is_some(),
        expand: false,
    };
    cx.endpoint_bar = playground::bar(cx, route, &endpoint);
}

/// Renders the samples of an endpoint that is described in MDX, before the examples of the page.
pub(crate) fn mdx_samples(cx: &mut Ctx<'_>) {
    let document = cx.endpoint.as_deref().and_then(mdx_endpoint::from_openapi);
    let Some(document) = document else { return };
    let Some(operation) = document.operations.first() else {
        return;
    };
    let mut samples = examples::aside(cx, &document, operation);
    samples.add(&cx.aside);
    cx.aside = samples;
}

/// Renders the reference of a route's target. `at` is the index of the document in the catalog.
pub(crate) fn reference(
    cx: &mut Ctx<'_>,
    (document, at): (&ApiDocument, usize),
    route: &Route,
) -> Html {
    let Some(target) = &route.operation else {
        return Html::new();
    };
    match target {
        OperationRef::Operation { method, path, .. } => document
            .operation(method, path)
            .map(|operation| operation_page(cx, (document, at), operation, route))
            .unwrap_or_default(),
        OperationRef::Webhook { name, .. } => document
            .webhook(name)
            .map(|operation| operation_page(cx, (document, at), operation, route))
            .unwrap_or_default(),
        OperationRef::Schema { name, .. } => schema_page(cx, (document, at), name),
    }
}

fn operation_page(
    cx: &mut Ctx<'_>,
    (document, at): (&ApiDocument, usize),
    operation: &Operation,
    route: &Route,
) -> Html {
    let mut out = Html::new();
    if let Some((content, _)) = &operation.content {
        // Content of remote documents is never evaluated.
        let above = if document.is_remote() {
            document_markdown(content, cx.texts)
        } else {
            crate::article::mdx(cx, content, &document.file)
        };
        out.add(&above);
    }
    // The reader receives webhooks, so their schemas are read like those of a response.
    let sent = match operation.kind {
        svc_openapi::OperationKind::Path => Direction::Request,
        svc_openapi::OperationKind::Webhook => Direction::Response,
    };
    let mut sheet = SchemaBudget::new(document, at, sent);
    sheet.route = Some(route);
    out.add(&servers::list(cx, document, operation));
    out.add(&security::authorization(cx, document, operation));
    let sections = parameters::sections(cx, &mut sheet, &operation.parameters);
    out.add(&sections);
    sheet.direction = sent;
    let body = operation.request_body.as_ref();
    out.add(&parameters::body(cx, &mut sheet, body, "body"));
    out.add(&callbacks::list(cx, &mut sheet, &operation.callbacks));
    let responses = &operation.responses;
    out.add(&parameters::responses(
        cx, &mut sheet, responses, "response",
    ));
    out.add(&document_info::external_docs(
        cx,
        document.node(&operation.source),
    ));
    out.add(&document_info::document_info(
        cx,
        (document, at),
        operation,
        route,
    ));
    let beside = examples::aside(cx, document, operation);
    cx.aside.add(&beside);
    out
}

fn schema_page(cx: &mut Ctx<'_>, (document, at): (&ApiDocument, usize), name: &str) -> Html {
    let path = SchemaPath::component(name);
    let example = path.parts().first();
    let example = example.and_then(|at| svc_openapi::example_at(document, at, Direction::Response));
    let Some(example) = example else {
        return Html::new();
    };
    let mut sheet = SchemaBudget::new(document, at, Direction::Response);
    let spot = FieldListContext {
        prefix: name,
        depth: 0,
    };
    let out = parameters::top(cx, &mut sheet, &path, spot, ("", true));
    let beside = examples::json_block(cx, name, &example);
    cx.aside.add(&beside);
    out
}

/// The badges after a name: those of the document, then the keys of `api.params.post`, then those
/// of the schema.
fn badges(cx: &Ctx<'_>, view: &SchemaView, keys: &[String], own: &[String]) -> Vec<String> {
    let mut badges = Vec::new();
    if view.read_only {
        badges.push(cx.texts.read_only.to_owned());
    }
    if view.write_only {
        badges.push(cx.texts.write_only.to_owned());
    }
    badges.extend(keys.iter().chain(own).cloned());
    badges
}

/// Renders the button that expands all sections, in the first section that has collapsible content.
/// A script makes it visible.
fn expander(cx: &mut Ctx<'_>, body: &Html) -> Html {
    let mut out = Html::new();
    let has_folds = [
        "<details class=\"svc-api-nested",
        "<details class=\"svc-variant",
    ]
    .iter()
    .any(|fold| body.as_str().contains(fold));
    if cx.toc_off == 0 && !cx.has_expander && has_folds {
        cx.has_expander = true;
        out.lit("<button type=\"button\" class=\"svc-api-expand\"")
            .attr("data-other", cx.texts.collapse_all)
            .flag("data-open", opens(cx))
            .lit(" hidden>")
            .esc(cx.texts.expand_all)
            .lit("</button>");
    }
    out
}

/// Renders a section with a linkable heading that has an entry in the table of contents.
fn section(cx: &mut Ctx<'_>, (title, id): (&str, &str), note: Option<&str>, body: &Html) -> Html {
    let mut out = Html::new();
    if body.is_blank() {
        return out;
    }
    let id = cx.unique_field_id(id);
    if cx.toc_off == 0 && !cx.plain_headings {
        cx.toc.push(TocItem {
            depth: 2,
            id: id.clone(),
            text: title.to_owned(),
            is_section: true,
        });
    }
    out.lit("<section class=\"svc-api-section api-section\"><div class=\"svc-api-heading\">");
    out.lit("<h2 class=\"api-section-heading\"")
        .attr("id", &id)
        .lit("><a")
        .attr("href", &format!("#{}", fragment(&id)))
        .lit(">")
        .esc(title)
        .lit("</a></h2>");
    if let Some(note) = note {
        out.lit("<span class=\"svc-api-note\">")
            .esc(note)
            .lit("</span>");
    }
    let expander = expander(cx, body);
    out.add(&expander);
    out.lit("</div>").add(body).lit("</section>\n");
    out
}

/// Whether sections are expanded by default.
fn opens(cx: &Ctx<'_>) -> bool {
    cx.site.config.api.params_expanded == ParamsExpanded::All
}

/// Converts a name to a part of an id.
fn slug(title: &str) -> String {
    let letter = |c: char| if c.is_alphanumeric() { c } else { '-' };
    let slug: String = title.chars().take(100).map(letter).collect();
    slug.trim_matches('-').to_lowercase()
}

/// Renders a description and adds it to the search text.
fn described(cx: &mut Ctx<'_>, text: Option<&str>) -> Html {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
        return Html::new();
    };
    let html = document_markdown(text, cx.texts);
    cx.push_search_text(&plain_text(&html));
    html
}

/// Renders the description of a route's operation in two parts: the lead paragraph below the title,
/// and the rest after the endpoint bar. A long first paragraph is not used as the lead.
pub(crate) fn description(texts: &'static Messages, route: &Route) -> (Html, Html) {
    let text = route.description.as_deref().unwrap_or_default();
    let html = document_markdown(text, texts).into_string();
    let end = html.find("</p>").map_or(0, |end| end + "</p>".len());
    let (lead, rest) = html.split_at(end);
    let lead = Html::trusted(lead.to_owned());
    if lead.as_str().starts_with("<p>") && plain_text(&lead).chars().count() <= MAX_LEAD {
        return (lead, Html::trusted(rest.to_owned()));
    }
    (Html::new(), Html::trusted(html))
}

/// Maximum length of the lead paragraph in characters.
const MAX_LEAD: usize = 400;
/// Maximum length of a summary in characters.
const MAX_SUMMARY: usize = 300;

/// Returns the description of a route as one line of plain text, for metadata and lists. Markdown
/// and HTML are removed and long text is cut. `None` if the route has no description.
pub fn summary(route: &Route) -> Option<Cow<'_, str>> {
    let text = route.description.as_deref()?;
    if route.operation.is_none() {
        return Some(Cow::Borrowed(text));
    }
    let mut text = document_text(text);
    if let Some((end, _)) = text.char_indices().nth(MAX_SUMMARY) {
        let end = text
            .get(..end)
            .and_then(|text| text.rfind(' '))
            .unwrap_or(end);
        text.truncate(end);
        text.push('…');
    }
    Some(Cow::Owned(text))
}
