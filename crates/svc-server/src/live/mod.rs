//! Live reload and diagnostics for pages in a writer's browser.
//!
//! All endpoints are below `/_svc/dev/` and exist only in a preview of a folder. Each page holds
//! a connection for server-sent events and fetches changed content itself.

mod problem;

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http::request::Parts;
use http::{HeaderName, StatusCode, header};
use hyper::body::{Bytes, Frame};
use serde_json::json;
use svc_diagnostics::{Diagnostic, Severity};
use svc_fetch::FetchError;
use svc_site::{Changes, Site};
use tokio::sync::{mpsc, watch};

use crate::body::Body;
use crate::reply::{self, Content, Entity, Response};
use crate::response_cache::Validity;
use crate::service::{Reply, Responder};
use crate::{SiteHandle, path};

use problem::PageProblem;

/// Path prefix of all endpoints.
const URL_PREFIX: &str = "/_svc/dev/";
/// Header with the version of the site that a response shows; scripts can read it.
const STATE: HeaderName = HeaderName::from_static("server-timing");
/// Interval of keep-alive comments, which detect lost connections.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);
/// Maximum number of changed files that are listed in an event.
const MAX_NAMES: usize = 50;

/// State of live reload. Clones share the state.
#[derive(Debug, Clone)]
pub(crate) struct LiveReload(Arc<LiveInner>);

#[derive(Debug)]
struct LiveInner {
    /// Differs for each start of the server, so that pages detect a restart.
    run: String,
    /// URL that opens a file in an editor, with `{file}`, `{line}` and `{column}`.
    editor_url: Option<String>,
    state: watch::Sender<LiveState>,
}

#[derive(Debug, Clone, Default)]
struct LiveState {
    /// Number of sites that were served.
    version: u64,
    /// Number of updates of the diagnostics.
    checks: u64,
    /// Files that changed with the last version; `None` if there are too many.
    changed: Option<Arc<[String]>>,
    problems: Arc<Problems>,
    ended: bool,
}

/// Diagnostics of the site as a whole.
#[derive(Debug, Default)]
struct Problems {
    list: Vec<PageProblem>,
    /// Whether the new site is too broken to be served, so that the previous one stays live.
    blocked: bool,
}

impl LiveReload {
    /// Creates the state for a site and its diagnostics.
    pub(crate) fn new(site: &Site, diagnostics: &[Diagnostic], editor_url: Option<String>) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let nanos = since.map_or(0, |since| since.as_nanos());
        let (news, _) = watch::channel(LiveState {
            problems: Arc::new(Problems {
                list: problem::list(site, diagnostics),
                blocked: false,
            }),
            ..LiveState::default()
        });
        let run = format!("{nanos:x}-{:x}", std::process::id());
        Self(Arc::new(LiveInner {
            run,
            editor_url,
            state: news,
        }))
    }

    /// Publishes a new site.
    pub(crate) fn changed(&self, site: &Site, diagnostics: &[Diagnostic], changes: &Changes) {
        let list = problem::list(site, diagnostics);
        let names = match changes {
            Changes::Paths(paths) if paths.len() <= MAX_NAMES => {
                Some(paths.iter().cloned().collect())
            }
            _ => None,
        };
        self.0.state.send_modify(|news| {
            news.version += 1;
            news.checks += 1;
            news.changed = names;
            news.problems = Arc::new(Problems {
                list,
                blocked: false,
            });
        });
    }

    /// Publishes diagnostics of a site that is too broken to be served.
    pub(crate) fn report_blocked(&self, site: &Site, diagnostics: &[Diagnostic]) {
        let list = problem::list(site, diagnostics);
        self.0.state.send_modify(|news| {
            news.checks += 1;
            news.problems = Arc::new(Problems {
                list,
                blocked: true,
            });
        });
    }

    /// Closes all connections.
    pub(crate) fn end(&self) {
        self.0.state.send_modify(|news| news.ended = true);
    }

    /// Serves the paths below `/_svc/dev/`, and adds the version to all other responses.
    pub(crate) fn wrap(&self, current: SiteHandle, inner: Responder) -> Responder {
        let live = self.clone();
        Arc::new(move |parts: &Parts| {
            let site = current.get();
            let local_path = parts.uri.path().strip_prefix(site.base_path());
            if let Some(name) = local_path.and_then(|path| path.strip_prefix(URL_PREFIX)) {
                return live.respond(name, site, parts);
            }
            // Read before the site: a page that is newer than its version is at worst rendered
            // twice.
            let state = live.state();
            let mark = move |mut response: Response| {
                // The state changes without the site, too.
                response.extensions_mut().remove::<Validity>();
                reply::set_header(&mut response, STATE, &format!("svc;desc=\"{state}\""));
                response
            };
            inner(parts).map(mark)
        })
    }

    fn state(&self) -> String {
        format!("{}.{}", self.0.run, self.0.state.borrow().version)
    }

    fn respond(&self, name: &str, site: Arc<Site>, parts: &Parts) -> Reply {
        match name {
            "events" => Reply::Ready(self.events()),
            "client.js" => {
                let script = Bytes::from_static(svc_site::preview_script().as_bytes());
                let entity = Entity::new(Content::Bytes(script), "text/javascript; charset=utf-8")
                    .with(header::CACHE_CONTROL, "no-cache");
                Reply::Ready(entity.into_response(parts))
            }
            "problems" => {
                let live = self.clone();
                let page = parts.uri.query().and_then(|query| {
                    let path = query.split('&').find_map(|pair| pair.strip_prefix("path="));
                    path::normalize(path?)
                });
                Reply::Blocking(Box::new(move || live.problems(&site, page.as_deref())))
            }
            _ => Reply::Ready(reply::plain(StatusCode::NOT_FOUND, "Not found.")),
        }
    }

    /// Diagnostics of the site and of one of its pages.
    fn problems(&self, site: &Site, page: Option<&str>) -> Response {
        let known = Arc::clone(&self.0.state.borrow().problems);
        let base = site.base_path();
        let page = page.and_then(|page| page.strip_prefix(base));
        let page = page.map(|page| if page.is_empty() { "/" } else { page });
        let list = page.map(|page| problem::list(site, &site.problems(page)));
        let all: Vec<&PageProblem> = known.list.iter().chain(list.iter().flatten()).collect();
        let warnings = all
            .iter()
            .filter(|problem| problem.severity == Severity::Warning);
        let shown = all
            .iter()
            .filter(|problem| problem.severity > Severity::Warning);
        let text = json!({
            "held": known.blocked,
            "editor": self.0.editor_url,
            "warnings": warnings.count(),
            "problems": shown.map(|problem| problem.json()).collect::<Vec<_>>(),
        });
        let mut response = http::Response::new(Body::full(text.to_string()));
        reply::set_header(&mut response, header::CONTENT_TYPE, "application/json");
        reply::set_header(&mut response, header::CACHE_CONTROL, "no-store");
        reply::secure(response.headers_mut());
        response
    }

    /// The event stream of a page.
    fn events(&self) -> Response {
        let (send, frames) = mpsc::channel(4);
        let mut news = self.0.state.subscribe();
        let live = self.clone();
        tokio::spawn(async move {
            let mut before = None;
            loop {
                let event = {
                    let news = news.borrow_and_update();
                    if news.ended {
                        return;
                    }
                    // If events were skipped, the changed files are unknown.
                    let next = before.is_some_and(|before| before + 1 >= news.version);
                    before = Some(news.version);
                    let changed = news.changed.as_deref().filter(|_| next);
                    json!({
                        "state": format!("{}.{}", live.0.run, news.version),
                        "checks": news.checks,
                        "changed": changed,
                    })
                };
                let text = format!("retry: 500\ndata: {event}\n\n");
                if send.send(Bytes::from(text)).await.is_err() {
                    return;
                }
                loop {
                    tokio::select! {
                        changed = news.changed() => match changed {
                            Ok(()) => break,
                            Err(_) => return,
                        },
                        () = send.closed() => return,
                        () = tokio::time::sleep(KEEP_ALIVE_INTERVAL) => {
                            if send.send(Bytes::from_static(b":\n\n")).await.is_err() {
                                return;
                            }
                        }
                    }
                }
            }
        });
        let mut response = http::Response::new(Body::stream(EventStream { frames }));
        reply::set_header(&mut response, header::CONTENT_TYPE, "text/event-stream");
        reply::set_header(&mut response, header::CACHE_CONTROL, "no-store");
        reply::secure(response.headers_mut());
        response
    }
}

/// Body of an event stream.
struct EventStream {
    frames: mpsc::Receiver<Bytes>,
}

impl hyper::body::Body for EventStream {
    type Data = Bytes;
    type Error = FetchError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, FetchError>>> {
        let frame = self.frames.poll_recv(cx);
        frame.map(|bytes| {
            bytes.map(|bytes| {
                Ok::<_, Infallible>(Frame::data(bytes)).map_err(|never| match never {})
            })
        })
    }
}
