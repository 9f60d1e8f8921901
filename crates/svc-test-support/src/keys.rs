//! Keys of tests.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use openidconnect::PrivateSigningKey as _;
use openidconnect::core::{CoreEdDsaPrivateSigningKey, CoreJwsSigningAlgorithm};
use serde_json::Value;

/// An Ed25519 private key made from a number, in PKCS #8 and PEM.
pub fn ed25519_private_key(seed: u8) -> String {
    // An Ed25519 private key in PKCS #8 is this prefix and 32 bytes (RFC 8410).
    let mut der = vec![
        0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04,
        0x20,
    ];
    der.extend([seed; 32]);
    pem("PRIVATE KEY", &der)
}

/// The public key of [`ed25519_private_key`] as a JSON Web Key.
///
/// # Panics
/// Never: the key is well formed.
#[must_use]
pub fn ed25519_jwk(seed: u8) -> Value {
    serde_json::to_value(signing_key(seed).as_verification_key()).expect("keys are JSON")
}

/// The public key of [`ed25519_private_key`] in PEM (RFC 8410).
///
/// # Panics
/// Never: the key is well formed.
#[must_use]
pub fn ed25519_public_key(seed: u8) -> String {
    let key = ed25519_jwk(seed);
    let key = key["x"].as_str().unwrap_or_default();
    let mut der = vec![
        0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
    ];
    der.extend(URL_SAFE_NO_PAD.decode(key).expect("keys are base64"));
    pem("PUBLIC KEY", &der)
}

/// A JSON Web Token of a type, signed with the key of a number.
///
/// # Panics
/// Never: the key is well formed.
#[must_use]
pub fn eddsa_token(seed: u8, token_type: &str, claims: &Value) -> String {
    let header = format!("{{\"alg\":\"EdDSA\",\"typ\":\"{token_type}\"}}");
    let [header, payload] = [header, claims.to_string()].map(|part| URL_SAFE_NO_PAD.encode(part));
    let signed = format!("{header}.{payload}");
    let algorithm = CoreJwsSigningAlgorithm::EdDsa;
    let signature = signing_key(seed).sign(&algorithm, signed.as_bytes());
    let signature = signature.expect("the key is for this algorithm");
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}

fn signing_key(seed: u8) -> CoreEdDsaPrivateSigningKey {
    let pem = ed25519_private_key(seed);
    CoreEdDsaPrivateSigningKey::from_ed25519_pem(&pem, None).expect("the key is well formed")
}

fn pem(kind: &str, der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    format!("-----BEGIN {kind}-----\n{text}\n-----END {kind}-----\n")
}
