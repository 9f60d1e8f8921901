//! Requests to the checked site, within limits.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use svc_fetch::{Client, FetchLimits, Policy, Request, RequestBody, Url};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::response::Response;

/// Maximum size of a response in bytes.
const MAX_RESPONSE_BYTES: u64 = 20 << 20;
/// Maximum size of all responses in bytes.
const MAX_TOTAL_BYTES: u64 = 500 << 20;
/// Time for a single request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// Name that is sent to the site.
const USER_AGENT: &str = concat!("svc-score/", env!("CARGO_PKG_VERSION"));

/// Limits of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct RunLimits {
    /// Maximum number of sampled pages.
    pub(super) pages: usize,
    /// Maximum number of requests at the same time.
    pub(super) concurrency: usize,
    /// Time for all requests.
    pub(super) timeout: Duration,
}

/// A request.
#[derive(Debug, Clone)]
pub(super) struct Query {
    method: Method,
    url: Url,
    headers: HeaderMap,
    body: String,
    follow_redirects: bool,
}

impl Query {
    pub(super) fn get(url: Url) -> Self {
        Self {
            method: Method::GET,
            url,
            headers: HeaderMap::new(),
            body: String::new(),
            follow_redirects: true,
        }
    }

    pub(super) fn head(url: Url) -> Self {
        Self {
            method: Method::HEAD,
            ..Self::get(url)
        }
    }

    /// A `POST` of a JSON text.
    pub(super) fn post(url: Url, body: String) -> Self {
        let json = HeaderValue::from_static("application/json");
        let query = Self {
            method: Method::POST,
            body,
            ..Self::get(url)
        };
        query.with(CONTENT_TYPE, json)
    }

    pub(super) fn accept(self, value: &'static str) -> Self {
        self.with(ACCEPT, HeaderValue::from_static(value))
    }

    pub(super) fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Reports a redirect instead of following it.
    pub(super) fn without_redirects(self) -> Self {
        Self {
            follow_redirects: false,
            ..self
        }
    }
}

/// Sends requests within the limits of a run.
#[derive(Debug, Clone)]
pub(super) struct Fetcher {
    client: Client,
    permits: Arc<Semaphore>,
    deadline: Instant,
    bytes: Arc<AtomicU64>,
}

impl Fetcher {
    /// A client for the site at `url`, which may be private because the user named it.
    ///
    /// # Errors
    /// If the host of the URL is invalid.
    pub(super) fn new(url: &Url, limits: RunLimits) -> Result<Self, svc_fetch::ParsePolicyError> {
        let policy = Policy::from_rules([url.host_str().unwrap_or_default()])?;
        let fetch_limits = FetchLimits {
            max_body_bytes: MAX_RESPONSE_BYTES,
            total_timeout: REQUEST_TIMEOUT,
            ..FetchLimits::default()
        };
        Ok(Self {
            client: Client::new(policy, fetch_limits),
            permits: Arc::new(Semaphore::new(limits.concurrency.max(1))),
            deadline: Instant::now() + limits.timeout,
            bytes: Arc::default(),
        })
    }

    /// Whether a limit of the run was reached.
    pub(super) fn is_exhausted(&self) -> bool {
        Instant::now() >= self.deadline || self.bytes.load(Ordering::Relaxed) >= MAX_TOTAL_BYTES
    }

    /// Sends one request.
    pub(super) async fn send(&self, query: Query) -> Response {
        let url = query.url.clone();
        // The semaphore is never closed.
        let _permit = self.permits.acquire().await;
        if self.is_exhausted() {
            return Response::failed(
                url,
                "not requested: a limit of the run was reached".to_owned(),
            );
        }
        match tokio::time::timeout_at(self.deadline, self.exchange(query)).await {
            Ok(response) => response,
            Err(_) => Response::failed(url, "the time of the run is over".to_owned()),
        }
    }

    async fn exchange(&self, query: Query) -> Response {
        let start = Instant::now();
        let mut request = Request::get(query.url.clone());
        request.method = query.method;
        request.headers = query.headers;
        request.follow_redirects = query.follow_redirects;
        let agent = HeaderValue::from_static(USER_AGENT);
        request.headers.insert(http::header::USER_AGENT, agent);
        if !query.body.is_empty() {
            request.body = RequestBody::Bytes(query.body.into_bytes().into());
        }
        let result = async {
            let response = self.client.send(request).await?;
            let (status, headers, url) = (response.status, response.headers, response.url);
            Ok::<_, svc_fetch::FetchError>((status, headers, url, response.body.bytes().await?))
        };
        match result.await {
            Ok((status, headers, final_url, body)) => {
                self.bytes.fetch_add(body.len() as u64, Ordering::Relaxed);
                Response {
                    url: query.url,
                    final_url,
                    status: status.as_u16(),
                    headers,
                    body: String::from_utf8_lossy(&body).into_owned(),
                    elapsed: start.elapsed(),
                    error: None,
                }
            }
            Err(error) => Response::failed(query.url, error.to_string()),
        }
    }

    /// Sends requests concurrently. The responses are in the order of the requests.
    pub(super) async fn send_all(&self, queries: Vec<Query>) -> Vec<Response> {
        let mut urls: Vec<Url> = Vec::with_capacity(queries.len());
        let mut tasks = JoinSet::new();
        for (at, query) in queries.into_iter().enumerate() {
            urls.push(query.url.clone());
            let fetcher = self.clone();
            tasks.spawn(async move { (at, fetcher.send(query).await) });
        }
        let mut responses: HashMap<usize, Response> = HashMap::new();
        while let Some(result) = tasks.join_next().await {
            responses.extend(result);
        }
        let response = |(at, url)| {
            let missing = || Response::failed(url, "the request failed".to_owned());
            responses.remove(&at).unwrap_or_else(missing)
        };
        urls.into_iter().enumerate().map(response).collect()
    }
}
