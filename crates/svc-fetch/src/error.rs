//! Errors of requests. Messages can be shown to readers: they name hosts, but never a path, a query
//! or a header, which may contain secrets.

use std::net::IpAddr;

/// Why a request failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The URL is invalid or cannot be fetched.
    #[error("invalid URL: {0}")]
    InvalidUrl(&'static str),
    /// The port is reserved for another protocol.
    #[error("port {0} is reserved for another protocol than HTTP")]
    BadPort(u16),
    /// The host is not public, and the policy does not allow it.
    #[error("{}; the operator has not allowed it", describe_host(host, *addr, reason))]
    NotPublic {
        /// The host as written in the URL.
        host: String,
        /// The IP address of the host.
        addr: IpAddr,
        /// Why the address is not public, for example `a private network`.
        reason: &'static str,
    },
    /// The host name cannot be resolved.
    #[error("host `{0}` cannot be resolved")]
    UnknownHost(String),
    /// No connection could be established.
    #[error("`{host}` cannot be reached: {reason}")]
    Unreachable {
        /// The host.
        host: String,
        /// The reason, for example `connection refused`.
        reason: String,
    },
    /// The TLS handshake failed.
    #[error("the TLS handshake with `{host}` failed: {reason}")]
    Tls {
        /// The host.
        host: String,
        /// The error of the TLS library.
        reason: String,
    },
    /// A timeout expired.
    #[error("`{host}` took too long to {what}")]
    Timeout {
        /// The host.
        host: String,
        /// The step that took too long, for example `respond`.
        what: &'static str,
    },
    /// The body exceeds the limit.
    #[error("the response of `{host}` is larger than {max} bytes")]
    TooLarge {
        /// The host.
        host: String,
        /// The limit in bytes.
        max: u64,
    },
    /// The limit of redirects is exceeded.
    #[error("too many redirects from `{0}`")]
    TooManyRedirects(String),
    /// A redirect from `https` to `http`.
    #[error("`{0}` redirects from `https` to `http`")]
    Downgrade(String),
    /// The response is not HTTP.
    #[error("`{0}` sent an invalid HTTP response")]
    InvalidHttp(String),
    /// The connection was closed before the end of the response.
    #[error("the response of `{0}` is incomplete")]
    IncompleteResponse(String),
    /// The body does not match its `Content-Encoding`, or the encoding is not supported.
    #[error("the response of `{0}` cannot be decompressed")]
    Compression(String),
    /// The source of the request body failed.
    #[error("the request body is incomplete")]
    RequestBody,
}

/// Describes why a host is not public. The IP address is omitted if the host is the address itself.
fn describe_host(host: &str, addr: IpAddr, reason: &str) -> String {
    let literal = host.trim_matches(['[', ']']).parse::<IpAddr>();
    let is = match reason.ends_with("network") {
        true => "belongs to",
        false => "is",
    };
    match literal {
        Ok(_) => format!("`{host}` {is} {reason}"),
        Err(_) => format!("`{host}` is at {addr}, which {is} {reason}"),
    }
}

impl FetchError {
    /// Whether a timeout expired.
    pub const fn is_timeout(&self) -> bool {
        matches!(self, Self::Timeout { .. })
    }

    /// Whether the URL was rejected before anything was sent to it.
    pub const fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::InvalidUrl(_) | Self::BadPort(_) | Self::NotPublic { .. } | Self::Downgrade(_)
        )
    }
}
