//! Selects the certificate of a connection by the host name that the client sends (SNI).

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use tokio_rustls::rustls::client::verify_server_name;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::server::{ClientHello, ParsedCertificate, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;

use super::challenges::{Challenges, is_challenge};
use super::watch::WatchedCertificate;

/// The certificates of a listener. The first one is used for clients that send no name, or one that
/// no certificate covers.
#[derive(Debug, Default)]
pub(super) struct CertificateResolver {
    certificates: RwLock<Vec<Arc<CertifiedKey>>>,
    /// The certificate while there is no other one.
    placeholder: OnceLock<Arc<CertifiedKey>>,
    challenges: Challenges,
}

impl CertificateResolver {
    /// Replaces the certificates. Connections that are open keep theirs.
    fn set(&self, certificates: Vec<Arc<CertifiedKey>>) {
        let mut current = self
            .certificates
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *current = certificates;
    }

    /// As [`Self::set`], with the certificates of files.
    pub(super) fn set_watched(&self, watched: &[WatchedCertificate]) {
        let certificates = watched.iter().map(|one| Arc::clone(&one.certificate));
        self.set(certificates.collect());
    }

    /// Uses a certificate while there is no other one.
    #[cfg(feature = "acme")]
    pub(super) fn set_placeholder(&self, certificate: Arc<CertifiedKey>) {
        // Only the first one counts.
        let _ = self.placeholder.set(certificate);
    }

    pub(super) const fn challenges(&self) -> &Challenges {
        &self.challenges
    }

    fn find(&self, name: Option<&str>) -> Option<Arc<CertifiedKey>> {
        let certificates = self.certificates.read();
        let certificates = certificates.unwrap_or_else(PoisonError::into_inner);
        let name = name.and_then(|name| ServerName::try_from(name).ok());
        let named = name.filter(|_| certificates.len() > 1).and_then(|name| {
            certificates
                .iter()
                .find(|certificate| covers(certificate, &name))
        });
        let any = || certificates.first().or_else(|| self.placeholder.get());
        named.or_else(any).cloned()
    }
}

impl ResolvesServerCert for CertificateResolver {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        if hello.alpn().is_some_and(is_challenge) {
            return self.challenges.certificate(hello.server_name()?);
        }
        self.find(hello.server_name())
    }
}

/// Whether a certificate is for a host.
#[cfg(feature = "acme")]
pub(super) fn covers_host(certificate: &CertifiedKey, host: &str) -> bool {
    ServerName::try_from(host).is_ok_and(|name| covers(certificate, &name))
}

fn covers(certificate: &CertifiedKey, name: &ServerName<'_>) -> bool {
    let first = certificate.cert.first();
    let parsed = first.and_then(|first| ParsedCertificate::try_from(first).ok());
    parsed.is_some_and(|parsed| verify_server_name(&parsed, name).is_ok())
}

#[cfg(test)]
mod tests {
    use svc_test_support::tls::TestCertificate;

    use super::super::certificate_from_pem;
    use super::*;

    #[test]
    fn the_certificate_is_selected_by_name() {
        let make = |names: &[&str]| {
            let made = TestCertificate::new(names);
            certificate_from_pem(&made.chain, &made.key).unwrap()
        };
        let all = vec![
            make(&["docs.example.com"]),
            make(&["*.preview.example.com", "preview.example.com"]),
        ];
        let resolver = CertificateResolver::default();
        resolver.set(all.clone());
        let index = |name: Option<&str>| {
            let found = resolver.find(name).unwrap();
            all.iter().position(|one| Arc::ptr_eq(one, &found))
        };
        assert_eq!(index(Some("docs.example.com")), Some(0));
        assert_eq!(index(Some("a.preview.example.com")), Some(1));
        assert_eq!(index(Some("PREVIEW.example.com")), Some(1));
        assert_eq!(index(Some("a.b.preview.example.com")), Some(0));
        assert_eq!(index(Some("other.example")), Some(0));
        assert_eq!(index(None), Some(0));
        resolver.set(Vec::new());
        assert!(resolver.find(None).is_none());
    }
}
