//! Content of the pages of operations, webhooks, data models and tools.

use svc_nav::{OperationRef, Route};
use svc_openapi::{ApiDocument, Direction, Operation, SchemaPath};

use super::description_links::{described_blocks, record};
use super::endpoint::{self, EndpointBar};
use super::parts::FieldListContext;
use super::schema_budget::SchemaBudget;
use super::summary::description;
use super::{
    callbacks, document_info, examples, mdx_endpoint, parameters, playground, schema, security,
    servers, tool,
};
use crate::ctx::{Ctx, Reader};
use crate::html::Html;
use crate::markdown::document_text;

/// Renders the description after its lead paragraph. Method and path are rendered above the
/// article; data models have none.
pub(crate) fn title(cx: &mut Ctx<'_>, route: &Route) -> Html {
    let mut out = Html::new();
    cx.out.endpoint_bar = endpoint_bar(cx, route);
    identify(cx, route);
    let text = route.description.as_deref().unwrap_or_default();
    cx.out.text.push_line(&document_text(text));
    let (lead, mut rest, links) = description(cx.input, cx.texts, route);
    record(cx, text, links);
    if cx.input.reader != Reader::Human {
        // The article of an agent or a book has all of the description.
        let mut all = lead;
        all.add(&rest);
        // A page can replace the description of its operation, which still explains the parameters.
        let own = own_description(cx, route).filter(|own| own.trim() != text.trim());
        if let Some(own) = own {
            all.add(&described_blocks(cx, own));
        }
        rest = all;
    }
    if !rest.is_blank() {
        out.lit("<div class=\"svc-api-description\">")
            .add(&rest)
            .lit("</div>\n");
    }
    out
}

/// The description of the operation, webhook or tool of a route in its document.
fn own_description<'a>(cx: &Ctx<'a>, route: &Route) -> Option<&'a str> {
    let target = route.operation.as_ref()?;
    let document = cx.input.catalog.documents.get(target.document())?;
    let description = match target {
        OperationRef::Operation { method, path, .. } => {
            &document.operation(method, path)?.description
        }
        OperationRef::Webhook { name, .. } => &document.webhook(name)?.description,
        OperationRef::Tool { name, .. } => &document.tool(name)?.description,
        OperationRef::Schema { .. } => return None,
    };
    description.as_deref()
}

/// Adds the names of the operation to the search text.
fn identify(cx: &mut Ctx<'_>, route: &Route) {
    let Some(target) = &route.operation else {
        return;
    };
    let document = cx.input.catalog.documents.get(target.document());
    let names = match target {
        OperationRef::Operation { method, path, .. } => {
            let operation = document.and_then(|document| document.operation(method, path));
            let id = operation.and_then(|operation| operation.operation_id.as_deref());
            [Some(method.as_str()), Some(path), id]
        }
        OperationRef::Webhook { name, .. }
        | OperationRef::Schema { name, .. }
        | OperationRef::Tool { name, .. } => [Some(name.as_str()), None, None],
    };
    let text = &mut cx.out.text;
    let names = names.into_iter().flatten();
    names.for_each(|name| text.push_identifier(name));
}

fn endpoint_bar(cx: &mut Ctx<'_>, route: &Route) -> Html {
    let Some(operation) = &route.operation else {
        return Html::new();
    };
    let catalog = cx.input.catalog;
    let document = |at: &usize| catalog.documents.get(*at);
    match operation {
        OperationRef::Operation {
            document: at,
            method,
            path,
        } => {
            let operation =
                document(at).and_then(|known| Some((known, known.operation(method, path)?)));
            let servers = operation.map(|(known, operation)| known.servers_of(operation));
            let is_choice = servers.is_some_and(|servers| servers.len() > 1);
            let server = servers.and_then(|servers| servers.first());
            let server = server.map(svc_openapi::Server::default_url);
            let endpoint = EndpointBar {
                method,
                path,
                server: server.as_deref(),
                full: is_choice || cx.input.config.api.url_full,
                callable: server.is_some(),
                expand: operation.is_some_and(|(known, operation)| expands(known, operation)),
            };
            playground::bar(cx, route, &endpoint)
        }
        OperationRef::Webhook { name, .. } => endpoint::plain("webhook", name),
        OperationRef::Tool { name, .. } => endpoint::plain("tool", name),
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
pub(crate) fn mdx_endpoint_bar(cx: &mut Ctx<'_>, route: &Route, text: &str) {
    let Some((method, target)) = text.trim().split_once(char::is_whitespace) else {
        return;
    };
    cx.out.text.push_identifier(method);
    cx.out.text.push_identifier(target.trim());
    let servers = &cx.input.config.api.mdx_servers;
    let absolute = target.contains("://");
    let server = servers.first().filter(|_| !absolute);
    let endpoint = EndpointBar {
        method: &method.to_ascii_lowercase(),
        path: target.trim(),
        server: server.map(String::as_str),
        full: servers.len() > 1 || cx.input.config.api.url_full,
        callable: absolute || server.is_some(),
        expand: false,
    };
    cx.out.endpoint_bar = playground::bar(cx, route, &endpoint);
}

/// Renders the samples of an endpoint that is described in MDX, before the examples of the page.
pub(crate) fn mdx_samples(cx: &mut Ctx<'_>) {
    let document = cx
        .out
        .endpoint
        .as_deref()
        .and_then(mdx_endpoint::from_openapi);
    let Some(document) = document else { return };
    let Some(operation) = document.operations.first() else {
        return;
    };
    let mut samples = examples::aside(cx, &document, operation);
    samples.add(&cx.out.aside);
    cx.out.aside = samples;
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
        OperationRef::Tool { name, .. } => document
            .tool(name)
            .map(|tool| tool::page(cx, (document, at), tool))
            .unwrap_or_default(),
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
            described_blocks(cx, content)
        } else {
            cx.mdx(content, &document.file)
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
    let node = document.node(&operation.source);
    out.add(&document_info::external_docs(cx, node));
    out.add(&document_info::document_info(
        cx,
        (document, at),
        operation,
        route,
    ));
    let examples = examples::aside(cx, document, operation);
    cx.out.aside.add(&examples);
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
    let out = schema::top(cx, &mut sheet, &path, spot, ("", true));
    let examples = examples::json_block(cx, name, &example);
    cx.out.aside.add(&examples);
    out
}
