//! Responses of the checked site.

use std::time::Duration;

use http::HeaderMap;
use svc_fetch::Url;
use url::Position;

/// A response, or why there is none.
#[derive(Debug, Clone)]
pub(super) struct Response {
    /// URL of the request.
    pub(super) url: Url,
    /// URL of the response, after redirects.
    pub(super) final_url: Url,
    /// Status code; 0 if there was no response.
    pub(super) status: u16,
    /// Headers.
    pub(super) headers: HeaderMap,
    /// Body as text; invalid UTF-8 is replaced.
    pub(super) body: String,
    /// Time until the body was complete.
    pub(super) elapsed: Duration,
    /// Why there is no response.
    pub(super) error: Option<String>,
}

impl Response {
    /// The result of a request without response.
    pub(super) fn failed(url: Url, error: String) -> Self {
        Self {
            final_url: url.clone(),
            url,
            status: 0,
            headers: HeaderMap::new(),
            body: String::new(),
            elapsed: Duration::ZERO,
            error: Some(error),
        }
    }

    /// Whether the status is 2xx.
    pub(super) const fn is_success(&self) -> bool {
        self.status >= 200 && self.status < 300
    }

    /// Value of a header; empty if it is missing or not text.
    pub(super) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    /// Media type in lower case, without parameters.
    pub(super) fn media_type(&self) -> String {
        let value = self.header("content-type");
        let value = value.split(';').next().unwrap_or_default();
        value.trim().to_ascii_lowercase()
    }

    /// Whether the body is HTML, by its type or its beginning.
    pub(super) fn is_html(&self) -> bool {
        let start = self.body.trim_start();
        let start: String = start.chars().take(15).collect();
        let start = start.to_ascii_lowercase();
        self.media_type() == "text/html"
            || start.starts_with("<!doctype html")
            || start.starts_with("<html")
    }

    /// Whether a successful response contains text other than HTML.
    pub(super) fn is_plain_text(&self) -> bool {
        self.is_success()
            && self.media_type().starts_with("text/")
            && !self.is_html()
            && !self.body.trim().is_empty()
    }

    /// Whether a successful response is declared as Markdown and is not HTML.
    pub(super) fn is_markdown(&self) -> bool {
        self.is_plain_text() && self.media_type() == "text/markdown"
    }

    /// What was received, for messages: a status or an error.
    pub(super) fn describe(&self) -> String {
        match &self.error {
            Some(error) => error.clone(),
            None => format!("status {}", self.status),
        }
    }
}

/// Path of a URL with its query, for messages.
pub(super) fn path_of(url: &Url) -> &str {
    &url[Position::BeforePath..Position::AfterQuery]
}

/// Whether two URLs have the same host and port; `www.` and the scheme do not count.
pub(super) fn is_same_site(a: &Url, b: &Url) -> bool {
    let host = |url: &Url| {
        let host = url.host_str().unwrap_or_default();
        host.strip_prefix("www.").unwrap_or(host).to_owned()
    };
    host(a) == host(b) && a.port() == b.port()
}
