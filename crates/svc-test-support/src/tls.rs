//! Certificates for tests.

use std::fmt::Write as _;

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
        let made = rcgen::generate_simple_self_signed(names).expect("valid names");
        Self {
            chain: pem("CERTIFICATE", made.cert.der()),
            key: pem("PRIVATE KEY", made.signing_key.serialized_der()),
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
