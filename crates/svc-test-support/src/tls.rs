//! Certificates for tests.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A self-signed certificate and its key, in PEM format.
#[derive(Debug, Clone)]
pub struct TestCertificate {
    /// The certificate.
    pub chain: String,
    /// The private key.
    pub key: String,
}

impl TestCertificate {
    /// Creates a certificate for some host names or IP addresses.
    ///
    /// # Panics
    /// If a name is invalid.
    pub fn new(names: &[&str]) -> Self {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Self::with(rcgen::CertificateParams::new(names).expect("valid names"))
    }

    /// As [`Self::new`], valid until a time, in whole seconds.
    ///
    /// # Panics
    /// If a name is invalid, or the time is before 1970.
    pub fn expiring(names: &[&str], end: SystemTime) -> Self {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = rcgen::CertificateParams::new(names).expect("valid names");
        let age = end.duration_since(SystemTime::UNIX_EPOCH).expect("a time");
        params.not_after = rcgen::date_time_ymd(1970, 1, 1) + Duration::from_secs(age.as_secs());
        Self::with(params)
    }

    fn with(params: rcgen::CertificateParams) -> Self {
        let key = rcgen::KeyPair::generate().expect("a key");
        let made = params.self_signed(&key).expect("a certificate");
        Self {
            chain: pem("CERTIFICATE", made.der()),
            key: pem("PRIVATE KEY", key.serialized_der()),
        }
    }
}

/// Encodes bytes in PEM (RFC 7468).
fn pem(label: &str, der: &[u8]) -> String {
    let mut text = format!("-----BEGIN {label}-----\n");
    let encoded = STANDARD.encode(der);
    for (at, letter) in encoded.chars().enumerate() {
        if at > 0 && at % 64 == 0 {
            text.push('\n');
        }
        text.push(letter);
    }
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "\n-----END {label}-----");
    text
}
