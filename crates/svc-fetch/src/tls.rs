//! TLS: trusted certificates, and the handshake.

use std::sync::{Arc, OnceLock};

use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::FetchError;
use crate::policy::trim_trailing_dot;

/// ALPN protocol name of HTTP/2.
pub(crate) const ALPN_H2: &[u8] = b"h2";

/// The TLS configuration, created with the first TLS connection.
#[derive(Debug)]
pub(crate) struct Tls {
    /// Trusted in addition to those of the system.
    roots: Vec<CertificateDer<'static>>,
    config: OnceLock<Result<Arc<ClientConfig>, String>>,
}

impl Tls {
    /// Trusts the certificates of the system and `roots`.
    pub(crate) const fn with_roots(roots: Vec<CertificateDer<'static>>) -> Self {
        Self {
            roots,
            config: OnceLock::new(),
        }
    }

    /// Returns the configuration. The first call reads the certificates from disk.
    pub(crate) fn config(&self) -> Result<Arc<ClientConfig>, String> {
        self.config.get_or_init(|| build(&self.roots)).clone()
    }
}

fn build(own: &[CertificateDer<'static>]) -> Result<Arc<ClientConfig>, String> {
    let mut roots = RootCertStore::empty();
    // The system may trust the authority of a company. Certificates that cannot be loaded are
    // skipped.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        // A minimal container has no certificates.
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

/// Performs the TLS handshake. `host` is a name, or an IP address without brackets.
pub(crate) async fn encrypt(
    config: Arc<ClientConfig>,
    host: &str,
    socket: TcpStream,
) -> Result<TlsStream<TcpStream>, FetchError> {
    let failed = |reason: String| FetchError::Tls {
        host: host.to_owned(),
        reason,
    };
    let name = ServerName::try_from(trim_trailing_dot(host).to_owned())
        .map_err(|_| failed("the host name is invalid in a certificate".to_owned()))?;
    let connector = TlsConnector::from(config);
    let connected = connector.connect(name, socket).await;
    connected.map_err(|error| failed(error.to_string()))
}
