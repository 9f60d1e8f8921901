//! TLS of a listener: certificates by host name, which are reloaded when their files change.

#[cfg(feature = "acme")]
mod acme;
#[cfg(not(feature = "acme"))]
#[path = "no_acme.rs"]
mod acme;
mod certificate;
mod challenges;
mod expiry;
mod files;
mod redirect;
mod resolver;
mod watch;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::HeaderValue;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::server::TlsStream;

pub(crate) use acme::Acme;
pub(crate) use certificate::{CertificateError, certificate_from_pem, certificates_from_pem};
pub(crate) use challenges::Challenges;
pub use files::CertificateFiles;
pub(crate) use redirect::https_redirect;

use crate::{AcmeChallenge, TlsSettings};
use challenges::ACME_TLS;
use resolver::CertificateResolver;
use watch::WatchedCertificate;

/// Encryption of a connection.
#[derive(Debug, Clone)]
pub(crate) struct Encryption {
    /// Value of the header `Strict-Transport-Security`; `None` if it is not sent.
    pub(crate) hsts: Option<HeaderValue>,
}

/// Encryption of a listener. A handle; clones share the certificates.
#[derive(Debug, Clone)]
pub struct Tls(Arc<TlsState>);

#[derive(Debug)]
struct TlsState {
    config: Arc<ServerConfig>,
    resolver: Arc<CertificateResolver>,
    /// The certificates with their files, in the order of the resolver.
    watched: Mutex<Vec<WatchedCertificate>>,
    hsts: Option<HeaderValue>,
}

impl Tls {
    /// Loads the certificates.
    ///
    /// # Errors
    /// If a file cannot be read, or a certificate and its key cannot be used. The message contains
    /// the file and a hint.
    pub fn load(settings: &TlsSettings) -> io::Result<Self> {
        let resolver = Arc::new(CertificateResolver::default());
        let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder = builder
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?;
        let mut config = builder
            .with_no_client_auth()
            .with_cert_resolver(Arc::<CertificateResolver>::clone(&resolver));
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let acme = settings.acme.as_ref();
        if acme.is_some_and(|acme| acme.challenge == AcmeChallenge::TlsAlpn01) {
            config.alpn_protocols.push(ACME_TLS.to_vec());
        }
        // Sessions are resumed without state on the server.
        config.ticketer = ring::Ticketer::new().map_err(io::Error::other)?;
        let tls = Self(Arc::new(TlsState {
            config: Arc::new(config),
            resolver,
            watched: Mutex::default(),
            hsts: settings.hsts.and_then(strict_transport_security),
        }));
        tls.set_files(&settings.certificates)?;
        Ok(tls)
    }

    /// What the requests of encrypted connections have in common.
    pub(crate) fn encryption(&self) -> Encryption {
        Encryption {
            hsts: self.0.hsts.clone(),
        }
    }

    /// Responses to the challenges of a certificate authority.
    pub(crate) fn challenges(&self) -> &Challenges {
        self.0.resolver.challenges()
    }

    /// Performs a handshake.
    ///
    /// # Errors
    /// If the client does not use TLS or has no protocol version or cipher in common. Also after
    /// the handshake of a challenge, because its connection has no requests.
    pub(crate) async fn handshake<S>(&self, socket: S) -> io::Result<TlsStream<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let acceptor = TlsAcceptor::from(Arc::clone(&self.0.config));
        let mut stream = acceptor.accept(socket).await?;
        if stream.get_ref().1.alpn_protocol() == Some(ACME_TLS) {
            // The handshake is complete for the other side when it has received all of it.
            let _ = stream.shutdown().await;
            return Err(io::Error::other("the connection of a challenge has ended"));
        }
        Ok(stream)
    }

    fn watched(&self) -> MutexGuard<'_, Vec<WatchedCertificate>> {
        self.0
            .watched
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// RFC 6797, section 6.1.
fn strict_transport_security(max_age: Duration) -> Option<HeaderValue> {
    HeaderValue::from_str(&format!("max-age={}", max_age.as_secs())).ok()
}
