//! Responses that depend on who reads.

use http::request::Parts;
use http::{HeaderValue, StatusCode, header};
use hyper::body::Bytes;
use serde_json::json;
use svc_site::{SIGN_IN_PATH, SIGN_OUT_PATH, Site};
use url::form_urlencoded;

use super::identity::Reader;
use super::session::SignInProof;
use crate::negotiate;
use crate::reply::{self, Content, Entity, Response};

/// Headers that decide which site a reader gets.
const VARY: &str = "Cookie, Authorization";

/// Marks a response that others would not get: caches may not keep it for them.
pub(super) fn for_reader(response: Response, cookie: Option<String>) -> Response {
    let mut response = vary(response);
    let control = response.headers().get(header::CACHE_CONTROL);
    let control = control.and_then(|value| value.to_str().ok());
    let control = match control.unwrap_or_default() {
        "" => "private, no-cache".to_owned(),
        control if control.contains("no-store") || control.starts_with("private") => {
            control.to_owned()
        }
        control => match control.strip_prefix("public") {
            Some(rest) => format!("private{rest}"),
            None => format!("private, {control}"),
        },
    };
    reply::set_header(&mut response, header::CACHE_CONTROL, &control);
    if let Some(cookie) = cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// Path and query of a request as a value in another query.
pub(super) fn encoded_target(parts: &Parts) -> String {
    let target = parts.uri.path_and_query();
    let target = target.map_or("/", http::uri::PathAndQuery::as_str);
    form_urlencoded::byte_serialize(target.as_bytes()).collect()
}

/// A page to sign in, in the language of the reader, which no cache and no search engine keeps.
pub(super) fn sign_in_entity(html: impl Into<Bytes>, policy: String) -> Entity {
    Entity::new(Content::Bytes(html.into()), "text/html; charset=utf-8")
        .with(header::CACHE_CONTROL, "no-store")
        .with(header::VARY, "Accept-Language")
        .with(header::HeaderName::from_static("x-robots-tag"), "noindex")
        .with(header::CONTENT_SECURITY_POLICY, policy)
}

/// Says that another reader may get another response.
pub(super) fn vary(mut response: Response) -> Response {
    response
        .headers_mut()
        .append(header::VARY, HeaderValue::from_static(VARY));
    response
}

/// The response of a private site to a reader who has not signed in: browsers are redirected, programs
/// get a status. `challenge` says how programs authenticate.
pub(super) fn require_sign_in(site: &Site, parts: &Parts, challenge: &str) -> Response {
    if negotiate::accepts(&parts.headers, "text/html") {
        let location = format!("{}?next={}", site.href(SIGN_IN_PATH), encoded_target(parts));
        let mut response = reply::redirect(StatusCode::SEE_OTHER, &location);
        reply::set_header(&mut response, header::CACHE_CONTROL, "no-store");
        return vary(response);
    }
    let error = json!({"error": "this site is only for readers who sign in"});
    let mut response = reply::json(StatusCode::UNAUTHORIZED, &error);
    reply::set_header(&mut response, header::WWW_AUTHENTICATE, challenge);
    vary(response)
}

/// Who reads, for scripts of pages.
pub(super) fn reader_document(site: &Site, reader: Option<&Reader>) -> Response {
    let mut document = match reader {
        Some(reader) => json!({
            "signedIn": true,
            "name": reader.name,
            "email": reader.email,
            "groups": reader.groups,
            "user": { "name": reader.name, "email": reader.email, "groups": reader.groups },
            "signOut": reader.session.is_some().then(|| site.href(SIGN_OUT_PATH)),
        }),
        None => json!({ "signedIn": false, "signIn": site.href(SIGN_IN_PATH) }),
    };
    let session = reader.and_then(|reader| reader.session.as_ref());
    if let Some(SignInProof::Handover(proof)) = session.map(|session| &session.proof) {
        for (name, value) in &proof.content {
            if document["user"][name].is_null() {
                document["user"][name] = value.clone();
            }
        }
        document["apiPlaygroundInputs"] = proof.playground_inputs.clone().into();
    }
    for_reader(reply::json(StatusCode::OK, &document), None)
}
