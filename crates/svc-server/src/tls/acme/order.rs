//! One order: from a host to a key and a certificate.

use std::sync::Arc;
use std::time::Duration;

use instant_acme::{
    Account, AuthorizationHandle, AuthorizationStatus, ChallengeType, Error, Identifier,
    KeyAuthorization, NewAccount, NewOrder, Order, OrderStatus, Problem, RetryPolicy,
};
use rcgen::{CertificateParams, CustomExtension, KeyPair};
use thiserror::Error;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::sign::CertifiedKey;

use super::super::challenges::Challenges;
use super::client::AcmeHttpClient;
use super::store::{CertificateStore, StoredAccount};
use crate::{AcmeChallenge, AcmeSettings, Host};

/// How often and how long the state of an order is read.
const RETRIES: RetryPolicy = RetryPolicy::new().timeout(Duration::from_secs(120));
/// Maximum length of a text of the certificate authority in characters.
const MAX_TEXT: usize = 400;

/// Why an order failed.
#[derive(Debug, Error)]
pub(super) enum OrderError {
    #[error("the certificate authority responded {0}")]
    Rejected(String),
    #[error(
        "the certificate authority could not check the host and responded {text}; check that the DNS of the host leads to this server, and that port {port} is reachable there"
    )]
    Unchecked { text: String, port: u16 },
    #[error("the certificate authority does not offer the challenge `{0}` for this host")]
    NoChallenge(&'static str),
    #[error("the certificate authority cannot be used: {0}")]
    Unavailable(String),
    #[error("the order was not complete after {0} seconds")]
    Timeout(u64),
    #[error("the certificate authority sent a certificate that cannot be used: {0}")]
    Unusable(String),
    #[error("the account or the certificate cannot be stored: {0}")]
    Store(#[from] std::io::Error),
    #[error("a key cannot be created: {0}")]
    Key(#[from] rcgen::Error),
}

impl From<Error> for OrderError {
    fn from(error: Error) -> Self {
        match error {
            Error::Api(problem) => Self::Rejected(shown(&problem)),
            error => Self::Unavailable(plain(&error.to_string())),
        }
    }
}

/// What an order needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct OrderContext<'a> {
    pub(super) settings: &'a AcmeSettings,
    pub(super) client: &'a AcmeHttpClient,
    pub(super) store: &'a CertificateStore,
    pub(super) challenges: &'a Challenges,
}

impl OrderContext<'_> {
    /// Orders a certificate. Returns its key and its chain in PEM format.
    ///
    /// # Errors
    /// If any step fails.
    pub(super) async fn order(&self, host: &Host) -> Result<String, OrderError> {
        let identifiers = [Identifier::Dns(host.to_string())];
        let new = NewOrder::new(&identifiers);
        let mut order = match self.account().await?.new_order(&new).await {
            Err(Error::Api(problem)) if is_of_type(&problem, "accountDoesNotExist") => {
                self.store.remove_account()?;
                self.account().await?.new_order(&new).await?
            }
            result => result?,
        };
        self.respond(&mut order, host).await?;
        let result = order.poll_ready(&RETRIES).await;
        if !matches!(result, Ok(OrderStatus::Ready)) {
            return Err(self.reason(&mut order, result.err()).await);
        }
        let key = order.finalize().await?;
        let chain = order.poll_certificate(&RETRIES).await?;
        Ok(format!("{key}{chain}"))
    }

    /// The stored account, or a new one.
    async fn account(&self) -> Result<Account, OrderError> {
        let builder = Account::builder_with_http(Box::new(self.client.clone()));
        let email = self.settings.email.clone();
        let contact = email.as_ref().map(|email| format!("mailto:{email}"));
        let contact: Vec<&str> = contact.as_deref().into_iter().collect();
        let Some(stored) = self.store.account()? else {
            let new = NewAccount {
                contact: &contact,
                terms_of_service_agreed: true,
                only_return_existing: false,
            };
            let directory = self.settings.directory.clone();
            let (account, credentials) = builder.create(&new, directory, None).await?;
            self.store
                .write_account(&StoredAccount { email, credentials })?;
            return Ok(account);
        };
        let is_same = stored.email == email;
        let account = builder.from_credentials(stored.credentials).await?;
        if !is_same && account.update_contacts(&contact).await.is_ok() {
            // The credentials are consumed, and cannot be cloned.
            if let Some(stored) = self.store.account()? {
                self.store
                    .write_account(&StoredAccount { email, ..stored })?;
            }
        }
        Ok(account)
    }

    /// Prepares the responses to the challenges and starts the checks.
    async fn respond(&self, order: &mut Order, host: &Host) -> Result<(), OrderError> {
        let mut authorizations = order.authorizations();
        while let Some(authorization) = authorizations.next().await {
            let mut authorization: AuthorizationHandle<'_> = authorization?;
            // It may still be valid from an earlier order.
            if authorization.status == AuthorizationStatus::Valid {
                continue;
            }
            let (kind, name) = self.challenge();
            let missing = OrderError::NoChallenge(name);
            let mut challenge = authorization.challenge(kind).ok_or(missing)?;
            let authorization = challenge.key_authorization();
            match self.settings.challenge {
                AcmeChallenge::TlsAlpn01 => {
                    let certificate = challenge_certificate(host, &authorization)?;
                    self.challenges.add_certificate(host.as_str(), certificate);
                }
                AcmeChallenge::Http01 => {
                    let text = authorization.as_str();
                    self.challenges
                        .add_key_authorization(&challenge.token, text);
                }
            }
            challenge.set_ready().await?;
        }
        Ok(())
    }

    const fn challenge(&self) -> (ChallengeType, &'static str) {
        match self.settings.challenge {
            AcmeChallenge::TlsAlpn01 => (ChallengeType::TlsAlpn01, "tls-alpn-01"),
            AcmeChallenge::Http01 => (ChallengeType::Http01, "http-01"),
        }
    }

    /// Why the host was not authorized: the error of its challenge, or else that of the order.
    async fn reason(&self, order: &mut Order, error: Option<Error>) -> OrderError {
        let port = match self.settings.challenge {
            AcmeChallenge::TlsAlpn01 => 443,
            AcmeChallenge::Http01 => 80,
        };
        let mut authorizations = order.authorizations();
        while let Some(Ok(mut authorization)) = authorizations.next().await {
            let Ok(state) = authorization.refresh().await else {
                continue;
            };
            let mut errors = state.challenges.iter().filter_map(|one| one.error.as_ref());
            if let Some(problem) = errors.next() {
                let text = shown(problem);
                return OrderError::Unchecked { text, port };
            }
        }
        match error {
            Some(error) => error.into(),
            None => OrderError::Rejected("that the order is invalid".to_owned()),
        }
    }
}

/// The certificate that responds to `tls-alpn-01` (RFC 8737, section 3).
fn challenge_certificate(
    host: &Host,
    authorization: &KeyAuthorization,
) -> Result<Arc<CertifiedKey>, OrderError> {
    let digest = authorization.digest();
    let extension = CustomExtension::new_acme_identifier(digest.as_ref());
    self_signed(host.as_str(), vec![extension])
}

/// A self-signed certificate for a name.
pub(super) fn self_signed(
    name: &str,
    extensions: Vec<CustomExtension>,
) -> Result<Arc<CertifiedKey>, OrderError> {
    let mut params = CertificateParams::new([name.to_owned()])?;
    params.custom_extensions = extensions;
    let key = KeyPair::generate()?;
    let certificate = params.self_signed(&key)?;
    let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
    let key = ring::sign::any_supported_type(&key)
        .map_err(|error| OrderError::Unusable(error.to_string()))?;
    // Other functions that create it do not accept the extension of challenges.
    let chain = vec![certificate.der().clone()];
    Ok(Arc::new(CertifiedKey::new(chain, key)))
}

fn is_of_type(problem: &Problem, name: &str) -> bool {
    let kind = problem.r#type.as_deref();
    kind.and_then(|kind| kind.rsplit(':').next()) == Some(name)
}

/// The text and the type of an error of the certificate authority.
fn shown(problem: &Problem) -> String {
    let details = problem.subproblems.iter().map(|one| one.detail.as_deref());
    let details = std::iter::once(problem.detail.as_deref()).chain(details);
    let text: Vec<&str> = details.flatten().collect();
    let kind = problem.r#type.as_deref().unwrap_or("without a type");
    let text = plain(&text.join("; ")).replace('`', "'");
    format!("`{text}` ({})", plain(kind))
}

/// A text of another machine in one line of bounded length.
fn plain(text: &str) -> String {
    let text: String = text.chars().take(MAX_TEXT).collect();
    text.replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_authority_are_bounded_and_have_one_line() {
        let text = format!("a\nb`c\u{1b}[1m{}", "x".repeat(1_000));
        let read = serde_json::json!({
            "type": "urn:ietf:params:acme:error:rateLimited",
            "detail": text,
        });
        let problem: Problem = serde_json::from_value(read).unwrap();
        let error = OrderError::from(Error::Api(problem.clone())).to_string();
        assert!(error.contains("responded `a b'c [1mxxx"), "{error}");
        assert!(
            error.ends_with("` (urn:ietf:params:acme:error:rateLimited)"),
            "{error}"
        );
        assert!(error.len() < 600, "{error}");
        assert!(is_of_type(&problem, "rateLimited") && !is_of_type(&problem, "dns"));
    }

    #[test]
    fn a_certificate_for_a_challenge_has_only_the_host() {
        let host = Host::parse("a.example").unwrap();
        let extension = CustomExtension::new_acme_identifier(&[7; 32]);
        let made = self_signed(host.as_str(), vec![extension]).unwrap();
        let der = &made.cert[0];
        // The critical extension 1.3.6.1.5.5.7.1.31 with a digest of 32 bytes.
        let expected = [
            &[
                0x06, 8, 0x2b, 6, 1, 5, 5, 7, 1, 0x1f, 1, 1, 0xff, 4, 34, 4, 32,
            ][..],
            &[7; 32],
        ];
        let expected = expected.concat();
        assert!(der.windows(expected.len()).any(|part| part == expected));
        let names = der.windows(9).filter(|part| part == b"a.example").count();
        assert_eq!(names, 1, "only in the subject alternative names");
    }
}
