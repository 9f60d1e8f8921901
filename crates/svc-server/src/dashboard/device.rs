//! Recognizes browsers in which a user has signed in before.
//!
//! Each sign-in sets a cookie with a random number and its HMAC. The key consists of the stored
//! password hash, which is secret, and the account name, so nothing has to be stored and a new
//! password invalidates all cookies. The cookie does not authenticate; it only exempts the browser
//! from the rate limit that failed sign-ins from elsewhere cause.

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

/// How long a browser is recognized after the last sign-in, in seconds.
const DEVICE_TTL_SECONDS: i64 = 180 * 86_400;
/// Length of the random number in bytes.
const NUMBER_BYTES: usize = 16;

fn cookie_name(origin: &str) -> &'static str {
    match session::is_secure(origin) {
        true => "__Host-svc_device",
        false => "svc_device",
    }
}

/// HMAC of the number of a browser; `None` for an account without a password.
fn proof(account: &Account, number: &[u8]) -> Option<Hmac<Sha256>> {
    let password = account.password.as_deref()?;
    let mut proof = Hmac::<Sha256>::new_from_slice(password.as_bytes()).ok()?;
    proof.update(b"svc device\0");
    proof.update(account.name.as_bytes());
    proof.update(b"\0");
    proof.update(number);
    Some(proof)
}

/// Whether a request has a device cookie, valid or not.
pub(super) fn has_cookie(request: &Request<Bytes>, origin: &str) -> bool {
    session::cookie(request, cookie_name(origin)).is_some()
}

/// ID of the browser of a request, if a user has signed in to the account with it before.
pub(super) fn verify(request: &Request<Bytes>, origin: &str, account: &Account) -> Option<String> {
    let value = session::cookie(request, cookie_name(origin))?;
    let bytes = URL_SAFE_NO_PAD.decode(value).ok()?;
    let (number, tag) = bytes.split_at_checked(NUMBER_BYTES)?;
    proof(account, number)?.verify_slice(tag).ok()?;
    Some(URL_SAFE_NO_PAD.encode(number))
}

/// Cookie for a browser after a sign-in; `None` for an account without a password.
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
    fn a_device_cookie_is_valid_for_one_account_until_its_password_changes() {
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
    fn a_forged_device_cookie_is_ignored() {
        let anna = account("anna", Some("$argon2id$one"));
        let long = URL_SAFE_NO_PAD.encode([0; 48]);
        for value in ["", "x", "AAAA", &*long] {
            let cookie = HeaderValue::from_str(&format!("svc_device={value}")).unwrap();
            assert_eq!(verify(&bringing(&cookie), "http://localhost", &anna), None);
        }
    }
}
