//! Requests the links to other sites.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, IsTerminal as _};
use std::sync::Arc;
use std::time::Duration;

use http::header::{ACCEPT, LOCATION, RETRY_AFTER, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use svc_diagnostics::{Diagnostic, DiagnosticCode, Location, diagnostic_code};
use svc_fetch::{Client, FetchError, FetchLimits, Policy, Request, Url, parse_url};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::cache::LinkCache;
use crate::commands::output::eprint_escaped;
use crate::commands::store_cli::block_on;

/// The target of a link to another site does not exist.
static BROKEN: DiagnosticCode = diagnostic_code!(
    warning,
    "link-external-broken",
    "the target of a link to another site does not exist"
);
/// A link to another site is redirected permanently.
static MOVED: DiagnosticCode = diagnostic_code!(
    info,
    "link-external-moved",
    "the target of a link to another site has moved permanently"
);
/// A link to another site cannot be checked.
static UNCHECKED: DiagnosticCode = diagnostic_code!(
    info,
    "link-external-unchecked",
    "another site does not say whether the target of a link exists"
);
/// All codes of links to other sites.
pub static CODES: &[&DiagnosticCode] = &[&BROKEN, &MOVED, &UNCHECKED];

/// Maximum number of requests to one host at the same time.
const MAX_PER_HOST: usize = 2;
/// Maximum number of requests for a link that gets no clear response.
const MAX_ATTEMPTS: u32 = 3;
/// Maximum number of redirects.
const MAX_REDIRECTS: usize = 10;
/// Maximum time that a site can ask to wait.
const MAX_WAIT: Duration = Duration::from_secs(30);
/// Maximum number of links.
const MAX_LINKS: usize = 100_000;
/// Many sites refuse programs without the name of a browser.
const AGENT: &str = concat!(
    "Mozilla/5.0 (compatible; svc-check-links/",
    env!("CARGO_PKG_VERSION"),
    ")"
);

/// How links are requested.
#[derive(Debug, Clone, Copy)]
pub(super) struct LinkPolicy<'a> {
    pub(super) timeout: Duration,
    pub(super) concurrency: usize,
    /// Hosts and networks outside of the public internet.
    pub(super) allow: &'a [String],
}

/// What is known about a link.
#[derive(Debug, Clone, PartialEq, Eq)]
enum LinkState {
    Found,
    /// The site redirects permanently to another URL, which exists.
    Moved(String),
    Broken(String),
    /// The reason why the link cannot be checked.
    Unchecked(String),
}

/// Requests links and reports those that do not work.
pub(super) fn check(
    links: BTreeMap<String, Vec<Location>>,
    policy: &LinkPolicy<'_>,
    mut cache: LinkCache,
) -> io::Result<Vec<Diagnostic>> {
    let rules = Policy::from_rules(policy.allow).map_err(io::Error::other)?;
    let limits = FetchLimits {
        total_timeout: policy.timeout,
        ..FetchLimits::default()
    };
    let checker = LinkChecker {
        client: Client::new(rules, limits),
        all: Arc::new(Semaphore::new(policy.concurrency)),
    };
    let due: Vec<String> = links
        .keys()
        .filter(|url| is_checked(url) && !cache.contains(url))
        .take(MAX_LINKS)
        .cloned()
        .collect();
    let states = block_on(async { Ok(checker.check_all(due).await) })?;
    let mut diagnostics = Vec::new();
    for (url, state) in states {
        if state == LinkState::Found {
            cache.insert(&url);
        }
        let locations = links.get(&url).into_iter().flatten();
        diagnostics.extend(locations.filter_map(|at| diagnostic(&url, &state, at.clone())));
    }
    cache.save();
    Ok(diagnostics)
}

fn diagnostic(url: &str, state: &LinkState, at: Location) -> Option<Diagnostic> {
    let (code, message, hint) = match state {
        LinkState::Found => return None,
        LinkState::Moved(to) => (
            &MOVED,
            format!("`{url}` has moved permanently"),
            format!("link to `{to}`"),
        ),
        LinkState::Broken(reason) => (
            &BROKEN,
            format!("`{url}` does not work: {reason}"),
            "correct the link, or remove it".to_owned(),
        ),
        LinkState::Unchecked(reason) => (
            &UNCHECKED,
            format!("`{url}` could not be checked: {reason}"),
            "open it in a browser".to_owned(),
        ),
    };
    Some(Diagnostic::new(code, message).at(at).hint(hint))
}

/// Whether a link is requested. Names for documentation (RFC 2606) belong to nobody, and names of
/// the own machine are different for each reader.
fn is_checked(url: &str) -> bool {
    let Some(url) = Url::parse(url).ok() else {
        return true;
    };
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    let is_reserved = [
        "example",
        "test",
        "invalid",
        "localhost",
        "local",
        "internal",
    ]
    .iter()
    .any(|top| host == *top || host.ends_with(&format!(".{top}")));
    let is_example = ["example.com", "example.org", "example.net"]
        .iter()
        .any(|name| host == *name || host.ends_with(&format!(".{name}")));
    // Placeholders: `https://{tenant}.host.com`, `https://YOUR_DOMAIN/…`.
    let is_placeholder = url.as_str().contains(['{', '}', '<', '>'])
        || url.as_str().contains("%7B")
        || host.contains("your")
        || host.contains('_');
    !(is_reserved || is_example || is_placeholder)
}

#[derive(Debug, Clone)]
struct LinkChecker {
    client: Client,
    all: Arc<Semaphore>,
}

impl LinkChecker {
    async fn check_all(&self, urls: Vec<String>) -> BTreeMap<String, LinkState> {
        let total = urls.len();
        let shows_progress = io::stderr().is_terminal() && std::env::var_os("CI").is_none();
        let mut hosts: HashMap<String, Arc<Semaphore>> = HashMap::new();
        let mut running = JoinSet::new();
        for url in urls {
            let host = Url::parse(&url).ok();
            let host = host.and_then(|url| url.host_str().map(str::to_owned));
            let host = hosts
                .entry(host.unwrap_or_default())
                .or_insert_with(|| Arc::new(Semaphore::new(MAX_PER_HOST)));
            let (checker, host) = (self.clone(), Arc::clone(host));
            running.spawn(async move {
                // Waiting for the host first: a slow one must not hold permits of the others.
                let _host = host.acquire().await;
                let _permit = checker.all.acquire().await;
                let state = checker.check(&url).await;
                (url, state)
            });
        }
        let mut states = BTreeMap::new();
        while let Some(result) = running.join_next().await {
            states.extend(result.ok());
            if shows_progress {
                eprint_escaped(&format!("\r{} of {total} links", states.len()));
            }
        }
        if shows_progress && total > 0 {
            eprint_escaped("\n");
        }
        states
    }

    /// Requests a link: first its head only, then the whole if the site refuses that.
    async fn check(&self, url: &str) -> LinkState {
        let mut state = LinkState::Unchecked("there was no response".to_owned());
        let mut pause = Duration::ZERO;
        for attempt in 0..MAX_ATTEMPTS {
            tokio::time::sleep(pause).await;
            let method = match attempt {
                0 => Method::HEAD,
                _ => Method::GET,
            };
            match self.request(url, method).await {
                Ok(known) => return known,
                Err((reason, wait)) => {
                    state = LinkState::Unchecked(reason);
                    // The second attempt differs in its method, so it need not wait.
                    let usual = Duration::from_secs(if attempt > 0 { 3 } else { 0 });
                    pause = wait.unwrap_or(usual).min(MAX_WAIT);
                }
            }
        }
        state
    }

    /// Follows a link. An error is a reason to try again, and when.
    async fn request(
        &self,
        text: &str,
        method: Method,
    ) -> Result<LinkState, (String, Option<Duration>)> {
        let Ok(mut url) = parse_url(text) else {
            return Ok(LinkState::Broken("it is not a valid URL".to_owned()));
        };
        let mut is_permanent = true;
        for number in 0..=MAX_REDIRECTS {
            let request = Request {
                method: method.clone(),
                headers: headers(),
                follow_redirects: false,
                ..Request::get(url.clone())
            };
            let response = match self.client.send(request).await {
                Ok(response) => response,
                Err(error) => return failed(&error),
            };
            let status = response.status;
            if status.is_success() {
                let has_moved = number > 0 && is_permanent;
                return Ok(match has_moved {
                    true => LinkState::Moved(url.to_string()),
                    false => LinkState::Found,
                });
            }
            if status.is_redirection() {
                let target = response.headers.get(LOCATION);
                let target = target.and_then(|value| value.to_str().ok());
                let Some(next) = target.and_then(|target| url.join(target).ok()) else {
                    return Ok(LinkState::Broken("it redirects nowhere".to_owned()));
                };
                let permanent = [
                    StatusCode::MOVED_PERMANENTLY,
                    StatusCode::PERMANENT_REDIRECT,
                ];
                is_permanent &= permanent.contains(&status);
                url = next;
                continue;
            }
            return match status {
                StatusCode::NOT_FOUND | StatusCode::GONE if method == Method::GET => {
                    Ok(LinkState::Broken(format!("the status is {status}")))
                }
                _ => Err((format!("the status is {status}"), wait(&response.headers))),
            };
        }
        Ok(LinkState::Broken("it redirects too often".to_owned()))
    }
}

fn headers() -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
    let types = "text/html,application/xhtml+xml,*/*;q=0.8";
    headers.insert(ACCEPT, HeaderValue::from_static(types));
    headers
}

/// The time that a site asks to wait.
fn wait(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds))
}

fn failed(error: &FetchError) -> Result<LinkState, (String, Option<Duration>)> {
    match error {
        FetchError::UnknownHost(_) | FetchError::InvalidUrl(_) => {
            Ok(LinkState::Broken(error.to_string()))
        }
        _ => Err((error.to_string(), None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_names_for_documentation_are_not_requested() {
        for url in [
            "https://docs.example.com/a",
            "http://localhost:3000",
            "https://api.test/",
            "https://YOUR_DOMAIN/a",
            "https://your-org.host.com/",
            "https://host.com/{id}",
            "https://host.com/%7Bid%7D",
        ] {
            assert!(!is_checked(url), "{url}");
        }
        for url in ["https://github.com/a", "https://example.dev/", "http://["] {
            assert!(is_checked(url), "{url}");
        }
    }
}
