//! Protection against cross-site request forgery.
//!
//! Browsers report the origin of every form in headers that scripts cannot forge. In addition,
//! every form contains the token of the session.

use bytes::Bytes;
use http::{HeaderName, Request, header};
use subtle::ConstantTimeEq as _;

use super::form::Form;
use super::refusal::Refusal;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Form field with the token of the session.
pub(super) const TOKEN: &str = "csrf";

/// Rejects a request that was not sent from a page of this origin.
pub(super) fn same_origin(request: &Request<Bytes>, origin: &str) -> Result<(), Refusal> {
    let value_of = |name: &HeaderName| {
        let mut values = request.headers().get_all(name).iter();
        match (values.next(), values.next()) {
            (None, _) => Ok(None),
            (Some(value), None) => value.to_str().map(Some).map_err(|_| Refusal::CrossOrigin),
            (Some(_), Some(_)) => Err(Refusal::CrossOrigin),
        }
    };
    let (site, from) = (value_of(&FETCH_SITE)?, value_of(&header::ORIGIN)?);
    let ours = match (site, from) {
        // The browser compares the origins that it knows, which a proxy may change. Because these
        // pages send no referrer, the `Origin` of their forms is `null` then.
        (Some(site), _) => site == "same-origin",
        (None, Some(from)) => from == origin,
        (None, None) => false,
    };
    if ours {
        Ok(())
    } else {
        Err(Refusal::CrossOrigin)
    }
}

/// Rejects a form without the token of the session.
pub(super) fn token(form: &Form, expected: &str) -> Result<(), Refusal> {
    let fits = form.text(TOKEN).as_bytes().ct_eq(expected.as_bytes());
    if bool::from(fits) && !expected.is_empty() {
        Ok(())
    } else {
        Err(Refusal::Stale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_same_origin_forms_are_accepted() {
        let origin = "https://admin.example";
        let passes = |headers: &[(&str, &str)]| {
            let mut request = Request::post("/");
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            same_origin(&request.body(Bytes::new()).unwrap(), origin).is_ok()
        };
        assert!(passes(&[
            ("sec-fetch-site", "same-origin"),
            ("origin", "null")
        ]));
        assert!(passes(&[
            ("sec-fetch-site", "same-origin"),
            ("origin", origin)
        ]));
        assert!(passes(&[("origin", origin)]));
        for invalid in [
            &[][..],
            &[("origin", "null")],
            &[("origin", "https://evil.example")],
            &[("origin", "http://admin.example")],
            &[("origin", "https://admin.example.evil.example")],
            &[("sec-fetch-site", "cross-site"), ("origin", origin)],
            &[("sec-fetch-site", "same-site"), ("origin", origin)],
            &[("sec-fetch-site", "none")],
            &[
                ("sec-fetch-site", "same-origin"),
                ("sec-fetch-site", "cross-site"),
            ],
            &[("origin", origin), ("origin", "https://evil.example")],
        ] {
            assert!(!passes(invalid), "{invalid:?}");
        }
    }

    #[test]
    fn a_form_without_the_token_is_rejected() {
        let form = |text: &str| Form::of_query(Some(text)).unwrap();
        assert!(token(&form("csrf=abc"), "abc").is_ok());
        assert!(token(&form("csrf=abd"), "abc").is_err());
        assert!(token(&form(""), "abc").is_err());
        assert!(token(&form("csrf="), "").is_err());
    }
}
