//! The client: one request, its redirects, its answer.

use std::sync::Arc;

use http::header::{self, HeaderName};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_rustls::rustls::pki_types::CertificateDer;
use url::Url;

use crate::body::{Progress, ResponseBody, Terms, Watched};
use crate::connect::{self, Connection, Outgoing};
use crate::decode::Coding;
use crate::request::checked;
use crate::tls::Tls;
use crate::{FetchError, Limits, Policy, Request, RequestBody, Resolver, SystemResolver};

/// A guarded HTTP client. Copies share everything.
#[derive(Debug, Clone)]
pub struct Client(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    policy: Policy,
    limits: Limits,
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
static OWN: [HeaderName; 10] = [
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
static HARMLESS: [HeaderName; 4] = [
    header::ACCEPT,
    header::ACCEPT_ENCODING,
    header::ACCEPT_LANGUAGE,
    header::USER_AGENT,
];

impl Client {
    /// A client with the resolver and the certificates of the system.
    pub fn new(policy: Policy, limits: Limits) -> Self {
        Self::with(policy, limits, SystemResolver, Vec::new())
    }

    /// A client with a resolver of its own that trusts further certificates (DER).
    pub fn with(
        policy: Policy,
        limits: Limits,
        resolver: impl Resolver + 'static,
        roots: Vec<Vec<u8>>,
    ) -> Self {
        let tls = Tls::trusting(roots.into_iter().map(CertificateDer::from).collect());
        Self(Arc::new(Inner {
            policy,
            limits,
            resolver: Box::new(resolver),
            tls: Arc::new(tls),
        }))
    }

    /// The limits of every request.
    pub fn limits(&self) -> &Limits {
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
            follow,
        } = request;
        let mut url = checked(url)?;
        let end = Instant::now() + self.0.limits.total;
        for hop in 0..=self.0.limits.redirects {
            let (sent, again) = body.take();
            let answer = self
                .once(method.clone(), &url, headers.clone(), sent, end)
                .await?;
            let Some(to) = follow.then(|| redirect(&answer)).flatten() else {
                return Ok(answer);
            };
            if hop == self.0.limits.redirects {
                break;
            }
            let to = checked(to)?;
            if url.scheme() == "https" && to.scheme() != "https" {
                return Err(FetchError::Downgrade(host_of(&url)));
            }
            if to.origin() != url.origin() {
                headers = harmless(&headers);
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

    async fn once(
        &self,
        method: Method,
        url: &Url,
        headers: HeaderMap,
        body: Outgoing,
        end: Instant,
    ) -> Result<Response, FetchError> {
        let Inner {
            policy,
            limits,
            resolver,
            tls,
        } = &*self.0;
        let slow = |what| FetchError::TooSlow {
            host: host_of(url),
            what,
        };
        let connected = async {
            let addresses = connect::addresses(url, policy, &**resolver).await?;
            connect::connect(url, &addresses, limits, tls).await
        };
        let until = end.min(Instant::now() + limits.connect);
        let connected = timeout_at(until, connected).await;
        let mut connection = connected.map_err(|_| slow("take a connection"))??;
        let progress = Progress::default();
        let watched = Watched {
            inner: body,
            progress: progress.clone(),
        };
        let request = message(method, url, headers, watched, connection.is_http_2())?;
        let answer = wait(&mut connection, request, &progress, limits, end);
        let answer = answer.await.map_err(|wrong| match wrong {
            Wrong::TooSlow => slow("answer"),
            Wrong::Failed(_) if progress.has_failed() => FetchError::RequestBody,
            Wrong::Failed(error) if error.is_parse() => FetchError::NotHttp(host_of(url)),
            Wrong::Failed(_) => FetchError::BrokenOff(host_of(url)),
        })?;
        let (parts, body) = answer.into_parts();
        let terms = Terms {
            host: host_of(url),
            coding: coding(&parts.headers).map_err(|()| FetchError::Compression(host_of(url)))?,
            most: limits.body_bytes,
            pause: limits.pause,
            end,
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

enum Wrong {
    TooSlow,
    Failed(hyper::Error),
}

/// Waits for the head of the answer. The time begins anew as long as the request's body moves.
async fn wait(
    connection: &mut Connection,
    request: http::Request<Outgoing>,
    progress: &Progress,
    limits: &Limits,
    end: Instant,
) -> Result<http::Response<Incoming>, Wrong> {
    let mut answer = std::pin::pin!(connection.send(request));
    loop {
        let sent = progress.sent();
        let patience = limits.first_byte.min(end - Instant::now().min(end));
        match timeout(patience, &mut answer).await {
            Ok(answer) => return answer.map_err(Wrong::Failed),
            Err(_) if progress.sent() != sent && Instant::now() < end => {}
            Err(_) => return Err(Wrong::TooSlow),
        }
    }
}

/// The request as it goes over the wire.
fn message(
    method: Method,
    url: &Url,
    mut headers: HeaderMap,
    body: Watched,
    http_2: bool,
) -> Result<http::Request<Outgoing>, FetchError> {
    let malformed = |_| FetchError::Address("it is not well formed");
    let named: Vec<HeaderName> = headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in OWN.iter().chain(&named) {
        headers.remove(name);
    }
    let accepted = HeaderValue::from_static(Coding::ACCEPTED);
    headers.entry(header::ACCEPT_ENCODING).or_insert(accepted);
    let target = if http_2 {
        url.as_str()
    } else {
        let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
        let host = HeaderValue::from_str(host);
        headers.insert(
            header::HOST,
            host.map_err(|_| FetchError::Address("its host is not a name"))?,
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
fn redirect(answer: &Response) -> Option<Url> {
    if !matches!(answer.status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let to = answer.headers.get(header::LOCATION)?.to_str().ok()?;
    answer.url.join(to).ok()
}

/// What may be told to another host.
fn harmless(headers: &HeaderMap) -> HeaderMap {
    let mut kept = HeaderMap::new();
    for name in &HARMLESS {
        if let Some(value) = headers.get(name) {
            kept.insert(name, value.clone());
        }
    }
    kept
}

fn coding(headers: &HeaderMap) -> Result<Option<Coding>, ()> {
    let mut named = headers.get_all(header::CONTENT_ENCODING).iter();
    let (first, second) = (named.next(), named.next());
    let Some(first) = first else { return Ok(None) };
    if second.is_some() {
        return Err(());
    }
    Coding::named(first.to_str().map_err(|_| ())?).transpose()
}

fn host_of(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}
