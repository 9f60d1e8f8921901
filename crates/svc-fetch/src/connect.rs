//! Connecting to a host, and the HTTP handshake.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use url::{Host, Url};

use crate::request::BodyError;
use crate::tls::{self, ALPN_H2, Tls};
use crate::{FetchError, FetchLimits, Policy, Resolver};

/// Maximum number of IP addresses of a host that are checked.
const MAX_ADDRS: usize = 16;
/// Maximum number of IP addresses of a host to which a connection is attempted.
const MAX_ATTEMPTS: usize = 4;

pub(crate) type OutgoingBody = UnsyncBoxBody<Bytes, BodyError>;

/// A connection for a single request.
pub(crate) struct Connection {
    sender: Sender,
    /// Drives the connection; aborted when the connection is dropped.
    pub(crate) task: AbortOnDrop,
}

enum Sender {
    Http1(http1::SendRequest<OutgoingBody>),
    Http2(http2::SendRequest<OutgoingBody>),
}

/// A task that is aborted when its handle is dropped.
#[derive(Debug)]
pub(crate) struct AbortOnDrop(JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The addresses to which a connection may be made. Only this function of the crate resolves names,
/// and only [`connect`] connects.
pub(crate) async fn resolve_addrs(
    url: &Url,
    policy: &Policy,
    resolver: &dyn Resolver,
) -> Result<Vec<SocketAddr>, FetchError> {
    let shown = url.host_str().unwrap_or_default();
    let port = url.port_or_known_default().unwrap_or(0);
    let unknown = || FetchError::UnknownHost(shown.to_owned());
    let addrs: Vec<IpAddr> = match url.host() {
        Some(Host::Ipv4(addr)) => vec![addr.into()],
        Some(Host::Ipv6(addr)) => vec![addr.into()],
        Some(Host::Domain(name)) => {
            let addrs = resolver.resolve(name.to_owned()).await;
            addrs.map_err(|_| unknown())?
        }
        None => return Err(FetchError::InvalidUrl("its host is missing")),
    };
    let (mut open, mut refused) = (Vec::new(), None);
    for addr in addrs.into_iter().take(MAX_ADDRS) {
        match policy.check(shown, addr, port) {
            Ok(()) => open.push(SocketAddr::new(addr, port)),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    if open.is_empty() {
        return Err(refused.unwrap_or_else(unknown));
    }
    Ok(open)
}

/// Connects to the first address that accepts, and negotiates the version of HTTP.
pub(crate) async fn connect(
    url: &Url,
    addrs: &[SocketAddr],
    limits: &FetchLimits,
    tls: &Arc<Tls>,
) -> Result<Connection, FetchError> {
    let host = url.host_str().unwrap_or_default();
    let socket = dial(host, addrs, limits).await?;
    // Small requests are sent without delay.
    let _ = socket.set_nodelay(true);
    if url.scheme() != "https" {
        return handshake_http1(host, socket, limits).await;
    }
    let tls = Arc::clone(tls);
    // Loading the certificates of the system reads files.
    let config = tokio::task::spawn_blocking(move || tls.config()).await;
    let config = config.map_err(|error| error.to_string()).flatten();
    let config = config.map_err(|reason| FetchError::Tls {
        host: host.to_owned(),
        reason,
    })?;
    let name = host.trim_start_matches('[').trim_end_matches(']');
    let socket = tls::encrypt(config, name, socket).await?;
    if socket.get_ref().1.alpn_protocol() == Some(ALPN_H2) {
        handshake_http2(host, socket, limits).await
    } else {
        handshake_http1(host, socket, limits).await
    }
}

async fn dial(
    host: &str,
    addrs: &[SocketAddr],
    limits: &FetchLimits,
) -> Result<TcpStream, FetchError> {
    let tried = addrs.len().clamp(1, MAX_ATTEMPTS);
    let each = limits.connect_timeout / u32::try_from(tried).unwrap_or(1);
    let mut last = None;
    for addr in addrs.iter().take(tried) {
        match timeout(each, TcpStream::connect(addr)).await {
            Ok(Ok(socket)) => return Ok(socket),
            Ok(Err(error)) => last = Some(error),
            Err(_) => {}
        }
    }
    let host = host.to_owned();
    Err(match last {
        Some(error) => FetchError::Unreachable {
            host,
            reason: describe(&error),
        },
        None => FetchError::Timeout {
            host,
            what: "accept a connection",
        },
    })
}

fn describe(error: &io::Error) -> String {
    // The text of the kind is stable; that of the error depends on the system.
    error.kind().to_string()
}

async fn handshake_http1<S>(
    host: &str,
    socket: S,
    limits: &FetchLimits,
) -> Result<Connection, FetchError>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut builder = http1::Builder::new();
    builder.max_buf_size(limits.max_head_bytes.max(8192));
    let result = builder.handshake(TokioIo::new(socket)).await;
    let (sender, connection) = result.map_err(|_| FetchError::InvalidHttp(host.to_owned()))?;
    // Its errors are reported by the request or the body.
    let task = tokio::spawn(async move { drop(connection.await) });
    Ok(Connection {
        sender: Sender::Http1(sender),
        task: AbortOnDrop(task),
    })
}

async fn handshake_http2<S>(
    host: &str,
    socket: S,
    limits: &FetchLimits,
) -> Result<Connection, FetchError>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder.max_header_list_size(u32::try_from(limits.max_head_bytes).unwrap_or(u32::MAX));
    let result = builder.handshake(TokioIo::new(socket)).await;
    let (sender, connection) = result.map_err(|_| FetchError::InvalidHttp(host.to_owned()))?;
    let task = tokio::spawn(async move { drop(connection.await) });
    Ok(Connection {
        sender: Sender::Http2(sender),
        task: AbortOnDrop(task),
    })
}

impl Connection {
    /// Whether the connection uses HTTP/2, where the request target is an absolute URL.
    pub(crate) const fn is_http_2(&self) -> bool {
        matches!(self.sender, Sender::Http2(_))
    }

    /// Sends the only request of this connection.
    pub(crate) async fn send(
        &mut self,
        request: http::Request<OutgoingBody>,
    ) -> hyper::Result<http::Response<Incoming>> {
        match &mut self.sender {
            Sender::Http1(sender) => sender.send_request(request).await,
            Sender::Http2(sender) => sender.send_request(request).await,
        }
    }
}
