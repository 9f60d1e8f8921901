//! Responses to the challenges of a certificate authority (RFC 8555, section 8).

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use tokio_rustls::rustls::sign::CertifiedKey;

/// ALPN protocol name of the challenge `tls-alpn-01` (RFC 8737, section 6.2).
pub(super) const ACME_TLS: &[u8] = b"acme-tls/1";
/// Path of the challenge `http-01`, before its token.
const HTTP_PATH: &str = "/.well-known/acme-challenge/";

/// Responses to the challenges of the running order. A handle; clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Challenges(Arc<RwLock<Responses>>);

#[derive(Debug, Default)]
struct Responses {
    /// Certificates by host, for `tls-alpn-01`.
    certificates: BTreeMap<String, Arc<CertifiedKey>>,
    /// Key authorizations by token, for `http-01`.
    key_authorizations: BTreeMap<String, String>,
}

/// Whether a client offers the protocol of challenges only.
pub(super) fn is_challenge<'a>(mut offered: impl Iterator<Item = &'a [u8]>) -> bool {
    offered.next() == Some(ACME_TLS) && offered.next().is_none()
}

impl Challenges {
    /// The certificate for a handshake of a challenge.
    pub(super) fn certificate(&self, host: &str) -> Option<Arc<CertifiedKey>> {
        let responses = self.0.read().unwrap_or_else(PoisonError::into_inner);
        responses.certificates.get(host).cloned()
    }

    /// The body of the response to a request of a challenge.
    pub(super) fn key_authorization(&self, path: &str) -> Option<String> {
        let token = path.strip_prefix(HTTP_PATH)?;
        let responses = self.0.read().unwrap_or_else(PoisonError::into_inner);
        responses.key_authorizations.get(token).cloned()
    }
}

#[cfg(feature = "acme")]
impl Challenges {
    /// Responds to handshakes for a host.
    pub(super) fn add_certificate(&self, host: &str, certificate: Arc<CertifiedKey>) {
        let mut responses = self.0.write().unwrap_or_else(PoisonError::into_inner);
        responses.certificates.insert(host.to_owned(), certificate);
    }

    /// Responds to requests with a token.
    pub(super) fn add_key_authorization(&self, token: &str, text: &str) {
        let mut responses = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let texts = &mut responses.key_authorizations;
        texts.insert(token.to_owned(), text.to_owned());
    }

    /// Removes all responses.
    pub(super) fn clear(&self) {
        let mut responses = self.0.write().unwrap_or_else(PoisonError::into_inner);
        *responses = Responses::default();
    }
}

#[cfg(all(test, feature = "acme"))]
mod tests {
    use svc_test_support::tls::TestCertificate;

    use super::super::certificate_from_pem;
    use super::*;

    #[test]
    fn only_running_challenges_have_responses() {
        let challenges = Challenges::default();
        let made = TestCertificate::new(&["a.example"]);
        let certificate = certificate_from_pem(&made.chain, &made.key).unwrap();
        challenges.add_certificate("a.example", certificate);
        challenges.add_key_authorization("abc", "abc.def");
        assert!(challenges.certificate("a.example").is_some());
        assert!(challenges.certificate("b.example").is_none());
        let text = |path: &str| challenges.key_authorization(path);
        let path = "/.well-known/acme-challenge/abc";
        assert_eq!(text(path), Some("abc.def".to_owned()));
        for other in [
            "/abc",
            "/.well-known/acme-challenge/",
            "/.well-known/acme-challenge/a",
        ] {
            assert_eq!(text(other), None, "{other}");
        }
        challenges.clear();
        assert_eq!(text(path), None);
        assert!(challenges.certificate("a.example").is_none());
    }

    #[test]
    fn a_client_with_other_protocols_is_not_a_challenge() {
        let is_challenge = |names: &[&'static [u8]]| is_challenge(names.iter().copied());
        assert!(is_challenge(&[ACME_TLS]));
        assert!(!is_challenge(&[]));
        assert!(!is_challenge(&[b"h2"]));
        assert!(!is_challenge(&[ACME_TLS, b"h2"]));
        assert!(!is_challenge(&[b"http/1.1", ACME_TLS]));
    }
}
