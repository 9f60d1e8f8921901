//! Encryption: whom to trust, and the handshake.

use std::sync::{Arc, OnceLock};

use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::FetchError;
use crate::policy::trim_trailing_dot;

/// The name of HTTP/2 in the handshake.
pub(crate) const ALPN_H2: &[u8] = b"h2";

/// The certificates that are trusted; read when the first encrypted connection is made.
#[derive(Debug)]
pub(crate) struct Tls {
    /// Trusted besides those of the system.
    roots: Vec<CertificateDer<'static>>,
    config: OnceLock<Result<Arc<ClientConfig>, String>>,
}

impl Tls {
    /// Trusts the system and some more.
    pub(crate) const fn with_roots(roots: Vec<CertificateDer<'static>>) -> Self {
        Self {
            roots,
            config: OnceLock::new(),
        }
    }

    /// Touches the disk the first time.
    pub(crate) fn config(&self) -> Result<Arc<ClientConfig>, String> {
        self.config.get_or_init(|| build(&self.roots)).clone()
    }
}

fn build(own: &[CertificateDer<'static>]) -> Result<Arc<ClientConfig>, String> {
    let mut roots = RootCertStore::empty();
    // The system knows the authority of a company; what it cannot read of its own is not missed.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        // A bare container has no certificates.
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    roots.add_parsable_certificates(own.iter().cloned());
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![ALPN_H2.to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// The encrypted form of a connection. `host` is a name, or an address without brackets.
pub(crate) async fn encrypt(
    config: Arc<ClientConfig>,
    host: &str,
    socket: TcpStream,
) -> Result<TlsStream<TcpStream>, FetchError> {
    let failed = |why: String| FetchError::Tls {
        host: host.to_owned(),
        why,
    };
    let name = ServerName::try_from(trim_trailing_dot(host).to_owned())
        .map_err(|_| failed("no certificate can name this host".to_owned()))?;
    let connector = TlsConnector::from(config);
    let connected = connector.connect(name, socket).await;
    connected.map_err(|error| failed(error.to_string()))
}
