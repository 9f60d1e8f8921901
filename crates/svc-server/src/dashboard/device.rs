//! Browsers in which somebody has signed in before.
//!
//! Each sign-in leaves a cookie with a random number and its HMAC. The key is the stored form of the
//! password, which nobody outside knows, together with the name of the account: nothing has to be
//! kept, and with a new password no browser is known any more. The cookie lets nobody in. It only says
//! that wrong passwords of strangers do not concern this browser.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use hmac::{Hmac, Mac as _};
use http::{HeaderValue, Request};
use sha2::Sha256;
use svc_admin_api::Random;
use svc_admin_api::account::Account;

use super::refusal::Refusal;
use super::session;

/// How long a browser is known after the last sign-in, in seconds.
const DEVICE_TTL_SECONDS: i64 = 180 * 86_400;
/// Bytes of the random number.
const NUMBER_BYTES: usize = 16;

fn cookie_name(origin: &str) -> &'static str {
    match session::is_secure(origin) {
        true => "__Host-svc_device",
        false => "svc_device",
    }
}

/// What proves the number of a browser; nothing for an account without a password.
fn proof(account: &Account, number: &[u8]) -> Option<Hmac<Sha256>> {
    let password = account.password.as_deref()?;
    let mut proof = Hmac::<Sha256>::new_from_slice(password.as_bytes()).ok()?;
    proof.update(b"svc device\0");
    proof.update(account.name.as_bytes());
    proof.update(b"\0");
    proof.update(number);
    Some(proof)
}

/// Whether a request brings a cookie of a browser at all.
pub(super) fn has_cookie(request: &Request<Bytes>, origin: &str) -> bool {
    session::cookie(request, cookie_name(origin)).is_some()
}

/// The browser of a request, if somebody has signed in to the account in it.
pub(super) fn verify(request: &Request<Bytes>, origin: &str, account: &Account) -> Option<String> {
    let value = session::cookie(request, cookie_name(origin))?;
    let bytes = URL_SAFE_NO_PAD.decode(value).ok()?;
    let (number, tag) = bytes.split_at_checked(NUMBER_BYTES)?;
    proof(account, number)?.verify_slice(tag).ok()?;
    Some(URL_SAFE_NO_PAD.encode(number))
}

/// The cookie of a browser in which somebody has just signed in; nothing for an account without a
/// password.
pub(super) fn remember(
    random: &dyn Random,
    origin: &str,
    account: &Account,
) -> Result<Option<HeaderValue>, Refusal> {
    let mut number = [0; NUMBER_BYTES];
    random.fill(&mut number)?;
    let Some(proof) = proof(account, &number) else {
        return Ok(None);
    };
    let value = [&number[..], &proof.finalize().into_bytes()[..]].concat();
    let value = URL_SAFE_NO_PAD.encode(value);
    session::set_cookie(cookie_name(origin), value, origin, DEVICE_TTL_SECONDS).map(Some)
}

#[cfg(test)]
mod tests {
    use svc_admin_api::Timestamp;

    use super::*;
    use crate::SystemRandom;

    fn account(name: &str, password: Option<&str>) -> Account {
        Account {
            name: name.to_owned(),
            password: password.map(str::to_owned),
            created_at: Timestamp::from_millis(0),
            disabled_at: None,
        }
    }

    fn bringing(cookie: &HeaderValue) -> Request<Bytes> {
        let text = cookie.to_str().unwrap().split(';').next().unwrap();
        let request = Request::get("/").header("cookie", text);
        request.body(Bytes::new()).unwrap()
    }

    #[test]
    fn a_browser_is_known_for_one_account_until_its_password_changes() {
        let origin = "https://admin.example.com";
        let anna = account("anna", Some("$argon2id$one"));
        let cookie = remember(&SystemRandom, origin, &anna).unwrap().unwrap();
        assert!(cookie.to_str().unwrap().starts_with("__Host-svc_device="));
        let request = bringing(&cookie);
        let device = verify(&request, origin, &anna);
        assert!(device.is_some() && has_cookie(&request, origin));
        assert_eq!(verify(&request, origin, &anna), device);
        for other in [
            account("bert", Some("$argon2id$one")),
            account("anna", Some("$argon2id$two")),
            account("anna", None),
        ] {
            assert_eq!(verify(&request, origin, &other), None);
        }
        assert_eq!(verify(&request, "http://localhost:8081", &anna), None);
        let none = remember(&SystemRandom, origin, &account("anna", None)).unwrap();
        assert_eq!(none, None);
    }

    #[test]
    fn a_cookie_that_somebody_made_up_is_nothing() {
        let anna = account("anna", Some("$argon2id$one"));
        let long = URL_SAFE_NO_PAD.encode([0; 48]);
        for value in ["", "x", "AAAA", &*long] {
            let cookie = HeaderValue::from_str(&format!("svc_device={value}")).unwrap();
            assert_eq!(verify(&bringing(&cookie), "http://localhost", &anna), None);
        }
    }
}
