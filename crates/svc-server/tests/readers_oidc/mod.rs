//! Readers who sign in elsewhere: at an OpenID Connect provider, or at a page of the operator.

mod attacks;
mod browser;
mod handover;
mod logout;
mod program;
mod provider;
mod renewal;
mod sign_in;
mod smuggling;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use openidconnect::PrivateSigningKey as _;
use openidconnect::core::{CoreEdDsaPrivateSigningKey, CoreJwsSigningAlgorithm};
use serde_json::Value;
use svc_test_support::keys::ed25519_private_key;

use crate::readers::{ReaderServer, start_behind};
use provider::TestProvider;

/// Client secret at the provider.
pub(crate) const SECRET: &str = "hush hush: 100%";
/// What the keys of the tests are made from: that of the provider, and that of the operator.
const PROVIDER_KEY: u8 = 7;
const OPERATOR_KEY: u8 = 9;

fn signing_key(seed: u8) -> CoreEdDsaPrivateSigningKey {
    let pem = ed25519_private_key(seed);
    CoreEdDsaPrivateSigningKey::from_ed25519_pem(&pem, None).unwrap()
}

/// The public key of a seed as a JSON Web Key.
fn public_key(seed: u8) -> Value {
    serde_json::to_value(signing_key(seed).as_verification_key()).unwrap()
}

/// The public key of the operator in PEM.
pub(crate) fn public_key_pem() -> String {
    let key = public_key(OPERATOR_KEY);
    let key = URL_SAFE_NO_PAD.decode(key["x"].as_str().unwrap()).unwrap();
    let mut der = vec![
        0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
    ];
    der.extend(key);
    let (begin, end) = ("-----BEGIN PUBLIC KEY-----", "-----END PUBLIC KEY-----");
    format!("{begin}\n{}\n{end}\n", STANDARD.encode(der))
}

/// A signed token.
fn token(seed: u8, token_type: &str, claims: &Value) -> String {
    let header = format!("{{\"alg\":\"EdDSA\",\"typ\":\"{token_type}\"}}");
    let (header, payload) = (
        URL_SAFE_NO_PAD.encode(header),
        URL_SAFE_NO_PAD.encode(claims.to_string()),
    );
    let signed = format!("{header}.{payload}");
    let signature = signing_key(seed).sign(&CoreJwsSigningAlgorithm::EdDsa, signed.as_bytes());
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature.unwrap()))
}

/// Seconds since the beginning of 1970.
fn now() -> i64 {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap();
    i64::try_from(since.as_secs()).unwrap()
}

fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// The settings of the provider, after those of readers.
fn oidc_table(issuer: &str, rest: &str) -> String {
    format!(
        "[projects.readers.oidc]\nissuer = \"{issuer}\"\nclient_id = \"docs\"\nclient_secret_file = \"oidc.secret\"\nname = \"Example ID\"\ngroups_claim = \"groups\"\n{rest}"
    )
}

/// A private site whose readers sign in at a provider.
fn start_private(provider: &TestProvider, rest: &str) -> ReaderServer {
    start_at("192.0.2.1", "", provider, rest)
}

fn start_at(proxy: &str, base_path: &str, provider: &TestProvider, rest: &str) -> ReaderServer {
    let table = oidc_table(&provider.issuer, rest);
    start_behind(proxy, base_path, &format!("private = true\n{table}"))
}
