//! Responds to `GET /metrics`.

use std::sync::Arc;

use http::request::Parts;
use http::{HeaderValue, Method, StatusCode, header};

use super::Metrics;
use crate::body::Body;
use crate::reply::{self, Response};
use crate::service::{BodyHandler, BodyRouter, Reply, Responder};

/// Path of the metrics.
const PATH: &str = "/metrics";
/// The text format of OpenMetrics, which Prometheus reads.
const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

impl Metrics {
    /// Router for a listener that also has other paths.
    pub(crate) fn body_router(&self) -> BodyRouter {
        let metrics = self.clone();
        Arc::new(move |parts: &Parts| {
            if parts.uri.path() != PATH || !is_read(parts) {
                return None;
            }
            let metrics = metrics.clone();
            let handler: BodyHandler = Box::new(move |parts, _| {
                Box::pin(async move {
                    let work = tokio::task::spawn_blocking(move || metrics.response(&parts));
                    work.await.unwrap_or_else(|_| reply::internal_error())
                })
            });
            Some(handler)
        })
    }

    /// Responder for a listener that only has metrics.
    pub(crate) fn responder(&self) -> Responder {
        let metrics = self.clone();
        Arc::new(move |parts: &Parts| {
            if parts.uri.path() != PATH {
                let text = "Not found. The metrics are at /metrics.";
                return Reply::Ready(reply::plain(StatusCode::NOT_FOUND, text));
            }
            let metrics = metrics.clone();
            Reply::Blocking(Box::new(move || metrics.text_response()))
        })
    }

    fn response(&self, parts: &Parts) -> Response {
        let mut response = self.text_response();
        if parts.method == Method::HEAD {
            *response.body_mut() = Body::empty();
        }
        response
    }

    fn text_response(&self) -> Response {
        let mut response = Response::new(Body::full(self.to_text()));
        for (name, value) in [
            (header::CONTENT_TYPE, CONTENT_TYPE),
            (header::CACHE_CONTROL, "no-store"),
        ] {
            let value = HeaderValue::from_static(value);
            response.headers_mut().insert(name, value);
        }
        response
    }
}

fn is_read(parts: &Parts) -> bool {
    matches!(parts.method, Method::GET | Method::HEAD)
}
