//! Input of the playground for the endpoint of a page.

use svc_nav::{OperationRef, Route};
use svc_openapi::{ApiDocument, Operation, PlaygroundOptions};

use super::{examples, mdx_endpoint};
use crate::article::content::Article;
use crate::ctx::RenderContext;

/// The endpoint of a page: an OpenAPI operation, or an endpoint that is described in MDX.
#[derive(Debug)]
pub enum Endpoint<'a> {
    /// An operation of an OpenAPI document of the site.
    Documented(&'a ApiDocument, &'a Operation),
    /// The single operation of a document that was generated from MDX.
    Mdx(Box<ApiDocument>),
}

impl Endpoint<'_> {
    /// The document and the operation; `None` if the generated document has no operation.
    pub fn parts(&self) -> Option<(&ApiDocument, &Operation)> {
        match self {
            Self::Documented(document, operation) => Some((document, operation)),
            Self::Mdx(document) => Some((document, document.operations.first()?)),
        }
    }
}

/// The endpoint of a route; `None` if it has none. `article` is called only for pages that can
/// describe an endpoint in MDX.
pub fn endpoint_of<'a>(
    cx: &RenderContext<'a>,
    route: &'a Route,
    article: impl FnOnce() -> std::sync::Arc<Article>,
) -> Option<Endpoint<'a>> {
    match &route.operation {
        Some(OperationRef::Operation {
            document,
            method,
            path,
        }) => {
            let document = cx.catalog.documents.get(*document)?;
            let operation = document.operation(method, path)?;
            Some(Endpoint::Documented(document, operation))
        }
        Some(
            OperationRef::Webhook { .. } | OperationRef::Schema { .. } | OperationRef::Tool { .. },
        ) => None,
        None => {
            let svc_nav::RouteBody::Page { slug } = &route.body else {
                return None;
            };
            cx.pages.get(slug)?.front_matter.api.as_ref()?;
            let document = mdx_endpoint::from_openapi(article().endpoint.as_deref()?)?;
            Some(Endpoint::Mdx(Box::new(document)))
        }
    }
}

/// The input of the playground as JSON; `None` if the generated document has no operation.
pub fn playground_spec(cx: &RenderContext<'_>, endpoint: &Endpoint<'_>) -> Option<String> {
    let (document, operation) = endpoint.parts()?;
    let options = PlaygroundOptions {
        prefill: cx.config.api.examples.prefill,
        languages: examples::languages(cx)
            .iter()
            .map(|language| language.name.to_owned())
            .collect(),
    };
    Some(svc_openapi::playground_spec(document, operation, &options).to_string())
}
