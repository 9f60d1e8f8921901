//! Readers who sign in elsewhere: at an OpenID Connect provider, or at a page of the operator.

mod attacks;
mod browser;
mod handover;
mod logout;
mod peers;
mod program;
mod provider;
mod renewal;
mod sign_in;
mod smuggling;

use svc_test_support::keys::ed25519_public_key;

use crate::readers::{ReaderServer, start_behind};
use provider::TestProvider;

/// Client secret at the provider.
pub(crate) const SECRET: &str = "hush hush: 100%";
/// What the keys of the tests are made from: that of the provider, and that of the operator.
const PROVIDER_KEY: u8 = 7;
const OPERATOR_KEY: u8 = 9;

/// The public key of the operator in PEM.
pub(crate) fn public_key_pem() -> String {
    ed25519_public_key(OPERATOR_KEY)
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
