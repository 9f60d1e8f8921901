//! The client: one request, its redirects, its answer.

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
use crate::{FetchError, FetchLimits, Policy, Request, RequestBody, Resolver, SystemResolver};

/// A guarded HTTP client. Copies share everything.
#[derive(Debug, Clone)]
pub struct Client(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    policy: Policy,
    limits: FetchLimits,
    resolver: Box<dyn Resolver>,
    tls: Arc<Tls>,
}

/// An answer.
#[derive(Debug)]
pub struct Response {
    /// Status.
    pub status: StatusCode,
    /// Headers as they were sent; the body is decompressed nevertheless.
    pub headers: HeaderMap,
    /// Where it comes from, after redirects.
    pub url: Url,
    /// Body.
    pub body: ResponseBody,
}

/// What the client says about the connection and the body by itself.
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

/// What another host may be told after a redirect; everything else may be a secret.
static CROSS_ORIGIN_HEADERS: [HeaderName; 4] = [
    header::ACCEPT,
    header::ACCEPT_ENCODING,
    header::ACCEPT_LANGUAGE,
    header::USER_AGENT,
];

impl Client {
    /// A client with the resolver and the certificates of the system.
    pub fn new(policy: Policy, limits: FetchLimits) -> Self {
        Self::with_resolver(policy, limits, SystemResolver, Vec::new())
    }

    /// A client with a resolver of its own that trusts further certificates (DER).
    pub fn with_resolver(
        policy: Policy,
        limits: FetchLimits,
        resolver: impl Resolver + 'static,
        roots: Vec<Vec<u8>>,
    ) -> Self {
        let tls = Tls::with_roots(roots.into_iter().map(CertificateDer::from).collect());
        Self(Arc::new(Inner {
            policy,
            limits,
            resolver: Box::new(resolver),
            tls: Arc::new(tls),
        }))
    }

    /// The limits of every request.
    pub fn limits(&self) -> &FetchLimits {
        &self.0.limits
    }

    /// Sends a request and waits for the head of its answer.
    ///
    /// # Errors
    /// When the address is refused, or no answer comes.
    pub async fn send(&self, request: Request) -> Result<Response, FetchError> {
        let Request {
            mut method,
            url,
            mut headers,
            mut body,
            follow_redirects: follow,
        } = request;
        let mut url = check_url(url)?;
        let end = Instant::now() + self.0.limits.total_timeout;
        for hop in 0..=self.0.limits.max_redirects {
            let (sent, again) = body.take();
            let answer = self
                .send_once(method.clone(), &url, headers.clone(), sent, end)
                .await?;
            let Some(to) = follow.then(|| redirect_target(&answer)).flatten() else {
                return Ok(answer);
            };
            if hop == self.0.limits.max_redirects {
                break;
            }
            let to = check_url(to)?;
            if url.scheme() == "https" && to.scheme() != "https" {
                return Err(FetchError::Downgrade(host_of(&url)));
            }
            if to.origin() != url.origin() {
                headers = cross_origin_headers(&headers);
            }
            let keeps = matches!(
                answer.status,
                StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT
            );
            body = match again {
                Some(body) if keeps => body,
                // A stream has flown by.
                None if keeps => return Ok(answer),
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
        } = &*self.0;
        let slow = |what| FetchError::Timeout {
            host: host_of(url),
            what,
        };
        let connected = async {
            let addresses = connect::resolve_addrs(url, policy, &**resolver).await?;
            connect::connect(url, &addresses, limits, tls).await
        };
        let until = end.min(Instant::now() + limits.connect_timeout);
        let connected = timeout_at(until, connected).await;
        let mut connection = connected.map_err(|_| slow("take a connection"))??;
        let progress = Progress::default();
        let watched = ProgressBody {
            inner: body,
            progress: progress.clone(),
        };
        let request = build_request(method, url, headers, watched, connection.is_http_2())?;
        let answer = wait_for_head(&mut connection, request, &progress, limits, end);
        let answer = answer.await.map_err(|wrong| match wrong {
            SendError::Timeout => slow("answer"),
            SendError::Failed(_) if progress.has_failed() => FetchError::RequestBody,
            SendError::Failed(error) if error.is_parse() => FetchError::InvalidHttp(host_of(url)),
            SendError::Failed(_) => FetchError::IncompleteResponse(host_of(url)),
        })?;
        let (parts, body) = answer.into_parts();
        let terms = BodyParams {
            host: host_of(url),
            coding: content_encoding(&parts.headers)
                .map_err(|()| FetchError::Compression(host_of(url)))?,
            max: limits.max_body_bytes,
            idle_timeout: limits.idle_timeout,
            deadline: end,
            task: connection.task,
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

/// Waits for the head of the answer. The time begins anew as long as the request's body moves.
async fn wait_for_head(
    connection: &mut Connection,
    request: http::Request<OutgoingBody>,
    progress: &Progress,
    limits: &FetchLimits,
    end: Instant,
) -> Result<http::Response<Incoming>, SendError> {
    let mut answer = std::pin::pin!(connection.send(request));
    loop {
        let sent = progress.sent();
        let patience = limits.first_byte_timeout.min(end - Instant::now().min(end));
        match timeout(patience, &mut answer).await {
            Ok(answer) => return answer.map_err(SendError::Failed),
            Err(_) if progress.sent() != sent && Instant::now() < end => {}
            Err(_) => return Err(SendError::Timeout),
        }
    }
}

/// The request as it goes over the wire.
fn build_request(
    method: Method,
    url: &Url,
    mut headers: HeaderMap,
    body: ProgressBody,
    http_2: bool,
) -> Result<http::Request<OutgoingBody>, FetchError> {
    let malformed = |_| FetchError::InvalidUrl("it is not well formed");
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
            host.map_err(|_| FetchError::InvalidUrl("its host is not a name"))?,
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

/// Where an answer sends the client.
fn redirect_target(answer: &Response) -> Option<Url> {
    if !matches!(answer.status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let to = answer.headers.get(header::LOCATION)?.to_str().ok()?;
    answer.url.join(to).ok()
}

/// What may be told to another host.
fn cross_origin_headers(headers: &HeaderMap) -> HeaderMap {
    let mut kept = HeaderMap::new();
    for name in &CROSS_ORIGIN_HEADERS {
        if let Some(value) = headers.get(name) {
            kept.insert(name, value.clone());
        }
    }
    kept
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
