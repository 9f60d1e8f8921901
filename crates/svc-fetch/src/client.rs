//! The client: sends a request and follows redirects.

use std::sync::Arc;

use http::header::{self, HeaderName};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_rustls::rustls::pki_types::CertificateDer;
use url::Url;

use crate::body::{BodyParams, Progress, ProgressBody, ResponseBody};
use crate::connect::{self, Connection, OutgoingBody};
use crate::decode::ContentEncoding;
use crate::request::check_url;
use crate::tls::Tls;
use crate::{
    FetchCounters, FetchError, FetchLimits, Policy, Request, RequestBody, Resolver, SystemResolver,
};

/// A guarded HTTP client. Clones share the policy, the limits, the TLS configuration and the
/// counters.
#[derive(Debug, Clone)]
pub struct Client {
    inner: Arc<Inner>,
    counters: Arc<FetchCounters>,
}

#[derive(Debug)]
struct Inner {
    policy: Policy,
    limits: FetchLimits,
    resolver: Box<dyn Resolver>,
    tls: Arc<Tls>,
}

/// A response. Its body has not been read yet.
#[derive(Debug)]
pub struct Response {
    /// Status code.
    pub status: StatusCode,
    /// Headers as sent by the server, although the body is decompressed.
    pub headers: HeaderMap,
    /// URL of the response, after redirects.
    pub url: Url,
    /// Decompressed body.
    pub body: ResponseBody,
}

/// Headers of the connection and the body, which the client sets itself.
static MANAGED_HEADERS: [HeaderName; 10] = [
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::EXPECT,
    header::HOST,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// Headers that are sent to another origin after a redirect; all others may hold secrets.
static CROSS_ORIGIN_HEADERS: [HeaderName; 4] = [
    header::ACCEPT,
    header::ACCEPT_ENCODING,
    header::ACCEPT_LANGUAGE,
    header::USER_AGENT,
];

impl Client {
    /// Creates a client with the resolver and the certificates of the operating system.
    pub fn new(policy: Policy, limits: FetchLimits) -> Self {
        Self::with_resolver(policy, limits, SystemResolver, Vec::new())
    }

    /// Creates a client with its own resolver that also trusts `roots` (DER certificates).
    pub fn with_resolver(
        policy: Policy,
        limits: FetchLimits,
        resolver: impl Resolver + 'static,
        roots: Vec<Vec<u8>>,
    ) -> Self {
        let tls = Tls::with_roots(roots.into_iter().map(CertificateDer::from).collect());
        let inner = Inner {
            policy,
            limits,
            resolver: Box::new(resolver),
            tls: Arc::new(tls),
        };
        Self {
            inner: Arc::new(inner),
            counters: Arc::default(),
        }
    }

    /// The same client with counters that it shares with others.
    #[must_use]
    pub fn counted_by(mut self, counters: Arc<FetchCounters>) -> Self {
        self.counters = counters;
        self
    }

    /// The limits of every request.
    pub fn limits(&self) -> &FetchLimits {
        &self.inner.limits
    }

    /// Sends a request and waits for the head of the response.
    ///
    /// # Errors
    /// When the URL is rejected or no response is received.
    pub async fn send(&self, request: Request) -> Result<Response, FetchError> {
        let result = self.send_following(request).await;
        let status = result.as_ref().ok().map(|response| response.status);
        self.counters.record(status);
        result
    }

    async fn send_following(&self, request: Request) -> Result<Response, FetchError> {
        let Request {
            mut method,
            url,
            mut headers,
            mut body,
            follow_redirects: follow,
        } = request;
        let mut url = check_url(url)?;
        let end = Instant::now() + self.inner.limits.total_timeout;
        for hop in 0..=self.inner.limits.max_redirects {
            let (current, replay) = body.take();
            let response = self
                .send_once(method.clone(), &url, headers.clone(), current, end)
                .await?;
            let Some(to) = follow.then(|| redirect_target(&response)).flatten() else {
                return Ok(response);
            };
            if hop == self.inner.limits.max_redirects {
                break;
            }
            let to = check_url(to)?;
            if url.scheme() == "https" && to.scheme() != "https" {
                return Err(FetchError::Downgrade(host_of(&url)));
            }
            if to.origin() != url.origin() {
                headers = cross_origin_headers(&headers);
            }
            let preserves_method = matches!(
                response.status,
                StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT
            );
            body = match replay {
                Some(body) if preserves_method => body,
                // A stream has been consumed and cannot be sent to the new URL.
                None if preserves_method => return Ok(response),
                _ => {
                    if method != Method::HEAD {
                        method = Method::GET;
                    }
                    headers.remove(header::CONTENT_TYPE);
                    RequestBody::Empty
                }
            };
            url = to;
        }
        Err(FetchError::TooManyRedirects(host_of(&url)))
    }

    async fn send_once(
        &self,
        method: Method,
        url: &Url,
        headers: HeaderMap,
        body: OutgoingBody,
        end: Instant,
    ) -> Result<Response, FetchError> {
        let Inner {
            policy,
            limits,
            resolver,
            tls,
        } = &*self.inner;
        let slow = |what| FetchError::Timeout {
            host: host_of(url),
            what,
        };
        let connected = async {
            let addrs = connect::resolve_addrs(url, policy, &**resolver).await?;
            connect::connect(url, &addrs, limits, tls).await
        };
        let until = end.min(Instant::now() + limits.connect_timeout);
        let connected = timeout_at(until, connected).await;
        let mut connection = connected.map_err(|_| slow("accept a connection"))??;
        let progress = Progress::default();
        let watched = ProgressBody {
            inner: body,
            progress: progress.clone(),
        };
        let request = build_request(method, url, headers, watched, connection.is_http_2())?;
        let response = wait_for_head(&mut connection, request, &progress, limits, end);
        let response = response.await.map_err(|wrong| match wrong {
            SendError::Timeout => slow("respond"),
            SendError::Failed(_) if progress.has_failed() => FetchError::RequestBody,
            SendError::Failed(error) if error.is_parse() => FetchError::InvalidHttp(host_of(url)),
            SendError::Failed(_) => FetchError::IncompleteResponse(host_of(url)),
        })?;
        let (parts, body) = response.into_parts();
        let terms = BodyParams {
            host: host_of(url),
            coding: content_encoding(&parts.headers)
                .map_err(|()| FetchError::Compression(host_of(url)))?,
            max: limits.max_body_bytes,
            idle_timeout: limits.idle_timeout,
            deadline: end,
            task: connection.task,
            counters: Arc::clone(&self.counters),
        };
        Ok(Response {
            status: parts.status,
            headers: parts.headers,
            url: url.clone(),
            body: ResponseBody::new(body, terms)?,
        })
    }
}

enum SendError {
    Timeout,
    Failed(hyper::Error),
}

/// Waits for the head of the response. The timeout restarts whenever a part of the request's body
/// is sent.
async fn wait_for_head(
    connection: &mut Connection,
    request: http::Request<OutgoingBody>,
    progress: &Progress,
    limits: &FetchLimits,
    end: Instant,
) -> Result<http::Response<Incoming>, SendError> {
    let mut response = std::pin::pin!(connection.send(request));
    loop {
        let count = progress.sent();
        let wait = limits.first_byte_timeout.min(end - Instant::now().min(end));
        match timeout(wait, &mut response).await {
            Ok(response) => return response.map_err(SendError::Failed),
            Err(_) if progress.sent() != count && Instant::now() < end => {}
            Err(_) => return Err(SendError::Timeout),
        }
    }
}

fn build_request(
    method: Method,
    url: &Url,
    mut headers: HeaderMap,
    body: ProgressBody,
    http_2: bool,
) -> Result<http::Request<OutgoingBody>, FetchError> {
    let malformed = |_| FetchError::InvalidUrl("it is malformed");
    let named: Vec<HeaderName> = headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in MANAGED_HEADERS.iter().chain(&named) {
        headers.remove(name);
    }
    let accepted = HeaderValue::from_static(ContentEncoding::ACCEPT_ENCODING);
    headers.entry(header::ACCEPT_ENCODING).or_insert(accepted);
    let target = if http_2 {
        url.as_str()
    } else {
        let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
        let host = HeaderValue::from_str(host);
        headers.insert(
            header::HOST,
            host.map_err(|_| FetchError::InvalidUrl("its host name is invalid"))?,
        );
        &url[url::Position::BeforePath..url::Position::AfterQuery]
    };
    let uri: Uri = target.parse().map_err(malformed)?;
    let mut request = http::Request::new(body.boxed_unsync());
    *request.method_mut() = method;
    *request.uri_mut() = uri;
    *request.headers_mut() = headers;
    Ok(request)
}

/// Target of a redirect; `None` if the response is not a redirect.
fn redirect_target(response: &Response) -> Option<Url> {
    if !matches!(response.status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let to = response.headers.get(header::LOCATION)?.to_str().ok()?;
    response.url.join(to).ok()
}

fn cross_origin_headers(headers: &HeaderMap) -> HeaderMap {
    let mut safe = HeaderMap::new();
    for name in &CROSS_ORIGIN_HEADERS {
        if let Some(value) = headers.get(name) {
            safe.insert(name, value.clone());
        }
    }
    safe
}

fn content_encoding(headers: &HeaderMap) -> Result<Option<ContentEncoding>, ()> {
    let mut named = headers.get_all(header::CONTENT_ENCODING).iter();
    let (first, second) = (named.next(), named.next());
    let Some(first) = first else { return Ok(None) };
    if second.is_some() {
        return Err(());
    }
    ContentEncoding::parse(first.to_str().map_err(|_| ())?).transpose()
}

fn host_of(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}
