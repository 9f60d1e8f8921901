//! A browser: cookies, and redirects that a test follows one by one.

use std::collections::BTreeMap;

use serde_json::Value;
use url::Url;

use super::encoded;
use super::provider::TestProvider;
use crate::readers::TextResponse;
use crate::readers::rig::Endpoint;

/// What browsers send for a page.
const NAVIGATION: &str =
    "accept: text/html\r\nsec-fetch-mode: navigate\r\nsec-fetch-dest: document\r\n";

/// A browser at the host of the site.
pub(super) struct Browser<'s> {
    pub(super) server: &'s Endpoint,
    pub(super) cookies: BTreeMap<String, String>,
    /// Headers of a proxy.
    pub(super) headers: String,
    /// Prefix of the site.
    pub(super) base_path: String,
}

/// The parameters of an authorization request.
pub(super) struct AuthorizationRequest {
    pub(super) url: Url,
}

impl AuthorizationRequest {
    pub(super) fn parameter(&self, name: &str) -> String {
        let mut all = self.url.query_pairs();
        let value = all.find(|(own, _)| own == name).map(|(_, value)| value);
        value.unwrap_or_default().into_owned()
    }
}

impl<'s> Browser<'s> {
    pub(super) fn new(server: &'s Endpoint) -> Self {
        Self {
            server,
            cookies: BTreeMap::new(),
            headers: String::new(),
            base_path: String::new(),
        }
    }

    fn request_headers(&self) -> String {
        let pairs = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let pairs = pairs.collect::<Vec<_>>().join("; ");
        let cookie = match pairs.as_str() {
            "" => String::new(),
            pairs => format!("cookie: {pairs}\r\n"),
        };
        format!("{}{cookie}", self.headers)
    }

    fn store(&mut self, response: &TextResponse) {
        for line in response
            .head
            .lines()
            .filter_map(|line| line.split_once(": "))
        {
            if !line.0.eq_ignore_ascii_case("set-cookie") {
                continue;
            }
            let (pair, attributes) = line.1.split_once(';').unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            assert!(attributes.contains("HttpOnly"), "{}", line.1);
            assert!(attributes.contains("SameSite=Lax"), "{}", line.1);
            match attributes.contains("Max-Age=0") {
                true => self.cookies.remove(name),
                false => self.cookies.insert(name.to_owned(), value.to_owned()),
            };
        }
    }

    /// Opens a page in a tab.
    pub(super) fn open(&mut self, path: &str) -> TextResponse {
        let headers = format!("{NAVIGATION}{}", self.request_headers());
        let response = self.server.get(path, &headers);
        self.store(&response);
        response
    }

    /// Sends a request as a script of a page does.
    pub(super) fn fetch(&mut self, path: &str) -> TextResponse {
        let headers = format!(
            "accept: */*\r\nsec-fetch-mode: cors\r\nsec-fetch-dest: empty\r\n{}",
            self.request_headers()
        );
        let response = self.server.get(path, &headers);
        self.store(&response);
        response
    }

    pub(super) fn post(&mut self, path: &str, form: &str) -> TextResponse {
        let headers = format!(
            "content-type: application/x-www-form-urlencoded\r\n{}",
            self.request_headers()
        );
        let response = self.server.send(&format!("POST {path}"), &headers, form);
        self.store(&response);
        response
    }

    /// Begins to sign in. Returns the request to the provider, which knows it from now on.
    pub(super) fn begin(&mut self, provider: &TestProvider, next: &str) -> AuthorizationRequest {
        let path = format!(
            "{}/_svc/sign-in/start?next={}",
            self.base_path,
            encoded(next)
        );
        let response = self.open(&path);
        assert_eq!(response.status, 303, "{}", response.head);
        provider.expect(response.header("location").unwrap())
    }

    /// Comes back from the provider with a code.
    pub(super) fn finish(&mut self, request: &AuthorizationRequest, rest: &str) -> TextResponse {
        let state = encoded(&request.parameter("state"));
        let path = format!(
            "{}/_svc/sign-in/callback?code=right&state={state}{rest}",
            self.base_path
        );
        self.open(&path)
    }

    /// Signs in.
    pub(super) fn sign_in(&mut self, provider: &TestProvider) {
        let request = self.begin(provider, "/");
        let response = self.finish(&request, "");
        assert_eq!(response.status, 303, "{}\n{}", response.head, response.body);
    }

    /// What the site says about the reader.
    pub(super) fn reader(&mut self) -> Value {
        let path = format!("{}/_svc/reader", self.base_path);
        serde_json::from_str(&self.fetch(&path).body).unwrap()
    }

    pub(super) fn is_signed_in(&mut self) -> bool {
        self.reader()["signedIn"] == true
    }

    /// Name and value of the cookie of the session.
    pub(super) fn session(&self) -> Option<(String, String)> {
        let mut all = self.cookies.iter();
        let found = all.find(|(name, _)| name.ends_with("svc_reader"))?;
        Some((found.0.clone(), found.1.clone()))
    }
}
