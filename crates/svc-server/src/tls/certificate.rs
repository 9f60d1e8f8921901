//! Certificate chains and private keys in PEM format.

use std::sync::Arc;

use thiserror::Error;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::sign::CertifiedKey;

/// Why a certificate and its key cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum CertificateError {
    #[error("contains no certificate in PEM format")]
    NoCertificate,
    #[error("contains an invalid certificate: {0}")]
    InvalidCertificate(String),
    #[error("contains no private key in PEM format")]
    NoKey,
    #[error("contains a private key that is encrypted with a passphrase")]
    EncryptedKey,
    #[error("contains a private key of a type that is not supported")]
    InvalidKey,
    #[error("contains a private key that does not belong to the certificate")]
    Mismatch,
}

impl CertificateError {
    /// What to do if a file cannot be read.
    pub(crate) const UNREADABLE_HINT: &str =
        "write the path of a file that the server's user can read, relative to the settings file";

    /// Whether the file with the key is wrong, and not that with the certificate.
    pub(crate) const fn is_of_key(&self) -> bool {
        !matches!(self, Self::NoCertificate | Self::InvalidCertificate(_))
    }

    /// What to do.
    pub(crate) const fn hint(&self) -> &'static str {
        match self {
            Self::NoCertificate | Self::InvalidCertificate(_) => {
                "write the certificate of the server first and then those of the intermediate authorities, each from `-----BEGIN CERTIFICATE-----`; DER is converted with `openssl x509 -inform der`"
            }
            Self::NoKey => {
                "write the private key from `-----BEGIN PRIVATE KEY-----`; DER is converted with `openssl pkey -inform der`"
            }
            Self::EncryptedKey => {
                "remove the passphrase with `openssl pkey -in KEY -out NEW_KEY`, and make the file readable for the server's user only"
            }
            Self::InvalidKey => {
                "use an ECDSA P-256 or P-384, Ed25519, or RSA key of at least 2048 bits"
            }
            Self::Mismatch => {
                "set the key that the certificate was requested with; the certificate of the server must be the first one of its file"
            }
        }
    }
}

/// Reads at least one certificate.
pub(crate) fn certificates_from_pem(
    text: &str,
) -> Result<Vec<CertificateDer<'static>>, CertificateError> {
    let chain = CertificateDer::pem_slice_iter(text.as_bytes())
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| CertificateError::InvalidCertificate(error.to_string()))?;
    let first = chain.first().ok_or(CertificateError::NoCertificate)?;
    ParsedCertificate::try_from(first)
        .map_err(|error| CertificateError::InvalidCertificate(error.to_string()))?;
    Ok(chain)
}

/// Reads a certificate chain and its private key.
pub(crate) fn certificate_from_pem(
    chain: &str,
    key: &str,
) -> Result<Arc<CertifiedKey>, CertificateError> {
    let chain = certificates_from_pem(chain)?;
    if key.contains("ENCRYPTED") {
        return Err(CertificateError::EncryptedKey);
    }
    let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).map_err(|_| CertificateError::NoKey)?;
    let key = ring::sign::any_supported_type(&key).map_err(|_| CertificateError::InvalidKey)?;
    let certified = CertifiedKey::new(chain, key);
    match certified.keys_match() {
        Ok(()) => Ok(Arc::new(certified)),
        Err(_) => Err(CertificateError::Mismatch),
    }
}

#[cfg(test)]
mod tests {
    use svc_test_support::tls::TestCertificate;

    use super::*;

    fn read(chain: &str, key: &str) -> Result<(), CertificateError> {
        certificate_from_pem(chain, key).map(drop)
    }

    #[test]
    fn a_pair_is_read_and_mistakes_are_distinguished() {
        let one = TestCertificate::new(&["a.example"]);
        let other = TestCertificate::new(&["b.example"]);
        assert_eq!(read(&one.chain, &one.key), Ok(()));
        let with_issuer = format!("{}{}", one.chain, other.chain);
        assert_eq!(read(&with_issuer, &one.key), Ok(()));
        let reversed = format!("{}{}", other.chain, one.chain);
        assert_eq!(read(&reversed, &one.key), Err(CertificateError::Mismatch));
        assert_eq!(
            read(&one.chain, &other.key),
            Err(CertificateError::Mismatch)
        );
        assert_eq!(read("", &one.key), Err(CertificateError::NoCertificate));
        assert_eq!(
            read(&one.key, &one.key),
            Err(CertificateError::NoCertificate)
        );
        assert_eq!(read(&one.chain, &one.chain), Err(CertificateError::NoKey));
        let encrypted = one.key.replace("BEGIN PRIVATE", "BEGIN ENCRYPTED PRIVATE");
        assert_eq!(
            read(&one.chain, &encrypted),
            Err(CertificateError::EncryptedKey)
        );
        let cut = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        assert!(matches!(
            read(cut, &one.key),
            Err(CertificateError::InvalidCertificate(_))
        ));
    }
}
