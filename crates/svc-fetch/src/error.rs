//! Why something could not be fetched, in words that may be shown to readers: they name hosts, but
//! never a path, a query or a header, which may hold secrets.

use std::net::IpAddr;

/// Why something could not be fetched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The address is none that can be fetched.
    #[error("the address cannot be used: {0}")]
    InvalidUrl(&'static str),
    /// The port belongs to another protocol.
    #[error("port {0} belongs to another protocol than HTTP")]
    BadPort(u16),
    /// The host stands where only this machine or its network can reach it.
    #[error("{}; the operator has not allowed it", describe_host(host, *addr, why))]
    NotPublic {
        /// The host as the address names it.
        host: String,
        /// Where it stands.
        addr: IpAddr,
        /// What is special about that: `a private network`.
        why: &'static str,
    },
    /// The name leads nowhere.
    #[error("the name `{0}` is not known")]
    UnknownHost(String),
    /// No connection.
    #[error("`{host}` cannot be reached: {why}")]
    Unreachable {
        /// The host.
        host: String,
        /// `connection refused`.
        why: String,
    },
    /// No encrypted connection.
    #[error("the encryption of `{host}` cannot be trusted: {why}")]
    Tls {
        /// The host.
        host: String,
        /// What the library says of the certificate or handshake.
        why: String,
    },
    /// It took too long.
    #[error("`{host}` took too long to {what}")]
    Timeout {
        /// The host.
        host: String,
        /// `answer`.
        what: &'static str,
    },
    /// The body is larger than the limit.
    #[error("the response of `{host}` is larger than {max} bytes")]
    TooLarge {
        /// The host.
        host: String,
        /// The limit.
        max: u64,
    },
    /// A redirect after the last one that is followed.
    #[error("`{0}` redirects too often")]
    TooManyRedirects(String),
    /// A redirect from `https` to `http`.
    #[error("`{0}` redirects from an encrypted address to one that is not")]
    Downgrade(String),
    /// The answer is not HTTP.
    #[error("`{0}` does not answer in HTTP")]
    InvalidHttp(String),
    /// The connection broke while the body came.
    #[error("the response of `{0}` broke off")]
    IncompleteResponse(String),
    /// The body is not compressed in the way its head says.
    #[error("the response of `{0}` cannot be decompressed")]
    Compression(String),
    /// The body that was to be sent broke off.
    #[error("the body of the request broke off")]
    RequestBody,
}

/// What is special about the address of a host; a host that is an address has no other one.
fn describe_host(host: &str, address: IpAddr, why: &str) -> String {
    let literal = host.trim_matches(['[', ']']).parse::<IpAddr>();
    let is = match why.ends_with("network") {
        true => "belongs to",
        false => "is",
    };
    match literal {
        Ok(_) => format!("`{host}` {is} {why}"),
        Err(_) => format!("`{host}` is at {address}, which {is} {why}"),
    }
}

impl FetchError {
    /// Whether time ran out.
    pub const fn is_timeout(&self) -> bool {
        matches!(self, Self::Timeout { .. })
    }

    /// Whether the address was refused before anything was sent.
    pub const fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::InvalidUrl(_) | Self::BadPort(_) | Self::NotPublic { .. } | Self::Downgrade(_)
        )
    }
}
