//! Keys of tests.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// An Ed25519 private key made from a number, in PKCS #8 and PEM.
pub fn ed25519_private_key(seed: u8) -> String {
    // An Ed25519 private key in PKCS #8 is this prefix and 32 bytes (RFC 8410).
    let mut der = vec![
        0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04,
        0x20,
    ];
    der.extend([seed; 32]);
    let (begin, end) = ("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----");
    format!("{begin}\n{}\n{end}\n", STANDARD.encode(der))
}
