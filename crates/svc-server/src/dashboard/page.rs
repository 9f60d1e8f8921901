//! Renders pages, with common response headers.

use askama::Template;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};

use super::assets::{self, AssetNames};
use super::refusal::Refusal;
use super::theme::Theme;

/// Allows only resources of the own origin, no inline code, and no frames.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Layout of a page.
#[derive(Debug)]
pub(super) struct PageLayout {
    /// Title of the document.
    pub(super) title: String,
    /// Account of the session; `None` if nobody is signed in.
    pub(super) account: Option<String>,
    /// Token of the session, for every form.
    pub(super) csrf: String,
    /// ID and name of the project of the page.
    pub(super) project: Option<(String, String)>,
    /// Selected tab.
    pub(super) tab: Tab,
    /// Notice about the last action.
    pub(super) done: Option<&'static str>,
    /// Color theme.
    pub(super) theme: Theme,
    /// Path of the page, for redirects back to it.
    pub(super) here: String,
}

/// Tabs of a project and other pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tab {
    None,
    Overview,
    Keys,
    Readers,
    Jobs,
    Deployments,
    /// The audit log of all projects.
    Audit,
    /// Pages of the account.
    Account,
}

impl PageLayout {
    /// Layout of pages without a session.
    pub(super) fn minimal(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            account: None,
            csrf: String::new(),
            project: None,
            tab: Tab::None,
            done: None,
            theme: Theme::System,
            here: String::new(),
        }
    }

    /// File names of the style sheet and the script.
    pub(super) fn files(&self) -> &'static AssetNames {
        assets::names()
    }
}

/// Renders a page with status 200.
pub(super) fn render_page(template: &impl Template) -> Result<Response<Bytes>, Refusal> {
    with_status(StatusCode::OK, template)
}

/// Renders a page with a status.
pub(super) fn with_status(
    status: StatusCode,
    template: &impl Template,
) -> Result<Response<Bytes>, Refusal> {
    let mut response = Response::new(Bytes::from(template.render()?));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    Ok(response)
}

/// Redirects to another page with status 303.
pub(super) fn redirect(url: &str) -> Result<Response<Bytes>, Refusal> {
    let location = HeaderValue::from_str(url).map_err(|_| Refusal::Internal)?;
    let mut response = Response::new(Bytes::new());
    *response.status_mut() = StatusCode::SEE_OTHER;
    response.headers_mut().insert(header::LOCATION, location);
    Ok(response)
}

/// Adds `Retry-After` to a response.
pub(super) fn with_retry_after(mut response: Response<Bytes>, seconds: u64) -> Response<Bytes> {
    let headers = response.headers_mut();
    headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
    response
}

/// The page of an error.
#[derive(Template)]
#[template(path = "dashboard/parts/refusal.html")]
struct RefusalPage {
    frame: PageLayout,
    status: u16,
    title: &'static str,
    text: String,
}

/// Response to an error.
pub(super) fn refusal_page(refusal: &Refusal) -> Response<Bytes> {
    let page = match refusal {
        Refusal::SignIn(back) if back == "/" => redirect("/sign-in"),
        Refusal::SignIn(back) => {
            let mut query = url::form_urlencoded::Serializer::new(String::new());
            redirect(&format!(
                "/sign-in?{}",
                query.append_pair("to", back).finish()
            ))
        }
        _ => {
            let status = StatusCode::from_u16(refusal.status());
            let page = RefusalPage {
                frame: PageLayout::minimal(refusal.title()),
                status: refusal.status(),
                title: refusal.title(),
                text: refusal.text(),
            };
            with_status(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), &page)
        }
    };
    let mut response = page.unwrap_or_else(|_| {
        let mut bare = Response::new(Bytes::from_static(b"Internal server error.\n"));
        *bare.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        bare
    });
    let headers = response.headers_mut();
    match refusal {
        Refusal::Method(methods) => {
            headers.insert(header::ALLOW, HeaderValue::from_static(methods));
        }
        Refusal::TooMany(seconds) => {
            headers.insert(header::RETRY_AFTER, HeaderValue::from((*seconds).max(1)));
        }
        Refusal::Unavailable | Refusal::StoreOpening => {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
        }
        _ => {}
    }
    response
}

/// Sets the headers of every response.
pub(super) fn protect(headers: &mut HeaderMap, origin: &str) {
    // Over plain HTTP, browsers send only the `Origin` of a form, and only if the page sends a
    // referrer to its own origin.
    let local = origin.starts_with("http://127.") || origin.starts_with("http://localhost");
    let referrer = if origin.starts_with("https://") || local {
        "no-referrer"
    } else {
        "same-origin"
    };
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, referrer),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("permissions-policy"),
            "camera=(), geolocation=(), microphone=()",
        ),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Assets set their own `Cache-Control`.
    let cache_control = headers.entry(header::CACHE_CONTROL);
    cache_control.or_insert(HeaderValue::from_static("no-store"));
}
