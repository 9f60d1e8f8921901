//! What a browser has to know to call the endpoint of a page.

use svc_nav::{OperationRef, Route};
use svc_openapi::{ApiDocument, Operation, PlaygroundOptions};

use super::{examples, mdx_endpoint};
use crate::article::Article;
use crate::ctx::RenderContext;

/// The endpoint of a page: one of a document, or one that the page describes by hand.
#[derive(Debug)]
pub enum Endpoint<'a> {
    /// An operation of a document of the site.
    Documented(&'a ApiDocument, &'a Operation),
    /// The one operation of a document that was made from the page.
    Mdx(Box<ApiDocument>),
}

impl Endpoint<'_> {
    /// The operation and its document.
    pub fn parts(&self) -> Option<(&ApiDocument, &Operation)> {
        match self {
            Self::Documented(document, operation) => Some((document, operation)),
            Self::Mdx(document) => Some((document, document.operations.first()?)),
        }
    }
}

/// The endpoint of a route. `article` is asked only where the page may describe one by hand.
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
        Some(OperationRef::Webhook { .. } | OperationRef::Schema { .. }) => None,
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

/// What a browser has to know to call an endpoint, as JSON.
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
