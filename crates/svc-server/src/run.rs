//! Serves a folder on a port: loads the site, prerenders it in the background, and reloads it.

use std::cell::Cell;
use std::future::Future;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use svc_diagnostics::{Checked, Diagnostic, Severity, render_text};
use svc_fetch::Policy;
use svc_site::{Changes, HistoryHead, LoadOptions, Site, SiteOptions};
use tracing::{info, warn};

use crate::dates::PendingDates;
use crate::github::GitHub;
use crate::live::LiveReload;
use crate::readiness::Readiness;
use crate::reloader::Reloader;
use crate::service::first_of;
use crate::watch::DirWatcher;
use crate::{
    AllowedHosts, GitHubOptions, Limits, Mcp, Relay, RemoteDocumentCache, RemoteDocumentOptions,
    Server, SiteHandle, Tls,
};

/// Options of a single-folder server.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// Directory that contains `docs.json`.
    pub root: PathBuf,
    /// Options for loading the site.
    pub load: LoadOptions,
    /// Limits of the server.
    pub limits: Limits,
    /// Hosts at which the server responds.
    pub hosts: AllowedHosts,
    /// Whether the directory is watched for changes.
    pub watch: bool,
    /// Hosts that the relay can reach in addition to the public internet; `None` if the relay is
    /// disabled.
    pub relay: Option<Policy>,
    /// Options of the GitHub client; `None` if GitHub is not used.
    pub github: Option<GitHubOptions>,
    /// Options for remote OpenAPI documents.
    pub remote_documents: RemoteDocumentOptions,
    /// URL that opens a file of the directory in the editor of the writer, with `{file}`, `{line}` and
    /// `{column}`. Only for previews.
    pub editor_url: Option<String>,
}

impl RunOptions {
    /// Options for loading the site with the cached repositories and remote documents.
    fn load_options(
        &self,
        github: Option<&GitHub>,
        documents: &RemoteDocumentCache,
    ) -> LoadOptions {
        LoadOptions {
            site: SiteOptions {
                relay: self.relay.is_some(),
                ..self.load.site.clone()
            },
            remote: Some(documents.source()),
            repositories: github.map(GitHub::repositories).unwrap_or_default(),
            ..self.load.clone()
        }
    }
}

/// Delay before prerendering, so that the first requests have the CPU.
const PRERENDER_DELAY: Duration = Duration::from_millis(700);
/// Interval of the check for repositories that are due.
const REFRESH_INTERVAL: Duration = Duration::from_secs(60);
/// Interval of the check for a new commit.
const COMMIT_INTERVAL: Duration = Duration::from_millis(700);

/// A loaded site and a bound server.
#[derive(Debug)]
pub struct PreparedSite {
    /// The site.
    pub site: Arc<Site>,
    /// Diagnostics of the site.
    pub diagnostics: Vec<Diagnostic>,
    /// The bound server.
    pub server: Server,
    github: Option<Arc<GitHub>>,
    remote_documents: RemoteDocumentCache,
    watching: Option<DirWatcher>,
    /// Git head for the dates of the last changes.
    history: Option<HistoryHead>,
    /// The dates, if the history is still being read.
    pending_dates: Option<PendingDates>,
}

impl PreparedSite {
    /// Encrypts the connections.
    #[must_use]
    pub fn with_tls(mut self, tls: Option<Tls>) -> Self {
        self.server = self.server.with_tls(tls);
        self
    }

    /// Whether the site has fatal problems and cannot be served.
    pub fn is_fatal(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Fatal)
    }

    /// Formats the diagnostics for a terminal.
    pub fn render_text(&self) -> String {
        render_text(&self.diagnostics, &|path| self.site.text_of(path))
    }
}

/// Loads the site and binds the first free address.
///
/// # Errors
/// If the directory cannot be read or no address can be bound.
pub async fn prepare(options: &RunOptions, addrs: &[SocketAddr]) -> io::Result<PreparedSite> {
    prepare_at(options, addrs, None).await
}

/// As [`prepare`], with a socket of the service manager instead of an address.
///
/// # Errors
/// As [`prepare`].
pub(crate) async fn prepare_at(
    options: &RunOptions,
    addrs: &[SocketAddr],
    mut socket: Option<TcpListener>,
) -> io::Result<PreparedSite> {
    let github = options.github.clone().map(GitHub::new).map(Arc::new);
    let remote_documents = RemoteDocumentCache::new(options.remote_documents.clone());
    let loading = options.load_options(github.as_deref(), &remote_documents);
    // Watching starts before reading, so that no change is lost between them.
    let watching = options.watch.then(|| DirWatcher::new(&options.root));
    let history = options
        .watch
        .then(|| HistoryHead::of(&options.root, &loading.last_modified));
    let (checked, coming) = PendingDates::load(&options.root, loading)?;
    let mut last = io::Error::new(io::ErrorKind::InvalidInput, "no listen address is given");
    for addr in addrs {
        let limits = options.limits.clone();
        match Server::bind_or_inherit(socket.take(), *addr, limits).await {
            Ok(server) => {
                return Ok(PreparedSite {
                    site: checked.value,
                    diagnostics: checked.diagnostics,
                    server,
                    github,
                    remote_documents,
                    watching,
                    history,
                    pending_dates: coming,
                });
            }
            Err(error) => last = io::Error::new(error.kind(), format!("{addr}: {error}")),
        }
    }
    Err(last)
}

/// State shared by the background tasks.
#[derive(Clone)]
struct TaskContext {
    current: SiteHandle,
    shutdown: Arc<AtomicBool>,
    options: RunOptions,
    github: Option<Arc<GitHub>>,
    remote_documents: RemoteDocumentCache,
    live: Option<LiveReload>,
    /// Requests that the pages of the current site are prerendered.
    prerender: mpsc::Sender<()>,
}

/// Serves a prepared site until `stop` completes.
pub async fn run_site(prepared: PreparedSite, options: RunOptions, stop: impl Future<Output = ()>) {
    let live = options.load.site.dev.then(|| {
        let editor_url = options.editor_url.clone();
        LiveReload::new(&prepared.site, &prepared.diagnostics, editor_url)
    });
    let limits = options.limits.clone();
    let (current, shutdown) = (SiteHandle::new(prepared.site), Arc::default());
    let context = TaskContext {
        prerender: spawn_prerender(&current, &shutdown),
        current,
        shutdown,
        options,
        github: prepared.github,
        remote_documents: prepared.remote_documents,
        live: live.clone(),
    };
    let current = context.current.clone();
    context.request_prerender();
    let relay = Relay::new(current.clone(), context.options.relay.clone(), limits.relay);
    let mcp = Mcp::new(current.clone(), limits.mcp);
    let routers = first_of(vec![relay.body_router(), mcp.body_router()]);
    let github = context.github.clone();
    let repositories_task =
        github.map(|github| tokio::spawn(context.clone().refresh_repositories(github)));
    let documents_task = tokio::spawn(context.clone().refresh_documents());
    if let Some(coming) = prepared.pending_dates {
        let context = context.clone();
        let job = move || context.publish_dates(coming);
        // The same name as where the site is watched.
        let builder = thread::Builder::new().name("svc-dated".into());
        let _ = builder.stack_size(8 << 20).spawn(job);
    }
    let history = prepared.history;
    let history_task = history.map(|history| tokio::spawn(context.clone().watch_history(history)));
    if let Some(watching) = prepared.watching {
        let root = context.options.root.clone();
        let reloading = Reloader::new(current.clone(), live.clone(), root, &prepared.diagnostics);
        let context = context.clone();
        let job = move || context.watch(watching, reloading);
        // Without a thread the site is served, but not reloaded. The stack is large because
        // rendering changed pages is recursive.
        let builder = thread::Builder::new().name("svc-watch".into());
        let _ = builder.stack_size(8 << 20).spawn(job);
    }
    let hosts = context.options.hosts.clone();
    let server = prepared
        .server
        .with_body_router(hosts.with_body_router(routers));
    let mut responder = current.responder();
    if let Some(live) = &live {
        responder = live.wrap(current.clone(), responder);
    }
    let live_site = current.clone();
    // A site has been loaded before the server listens.
    let sites = move || vec![(String::new(), Some(live_site.clone()))];
    let readiness = Readiness::new(Box::new(sites), None, None);
    let tasks = async {
        stop.await;
        readiness.drain();
        // Open pages hold a connection, which would delay the shutdown.
        if let Some(live) = &live {
            live.end();
        }
    };
    let responder = readiness.responder(hosts.responder(responder));
    server.run(responder, tasks).await;
    context.shutdown.store(true, Ordering::Relaxed);
    documents_task.abort();
    for task in repositories_task.into_iter().chain(history_task) {
        task.abort();
    }
}

impl TaskContext {
    /// Requests that the pages of the current site are prerendered.
    fn request_prerender(&self) {
        // If the thread was not started, there is no receiver.
        let _ = self.prerender.send(());
    }

    /// Rebuilds the site whenever its directory changes.
    fn watch(&self, mut watching: DirWatcher, mut reloading: Reloader) {
        while let Some(changes) = watching.next(&self.shutdown) {
            if let Some(outcome) = reloading.change(changes, &self.load_options()) {
                outcome.log();
            }
            self.request_prerender();
        }
    }

    /// Options for loading the site with the data that is known now.
    fn load_options(&self) -> LoadOptions {
        self.options
            .load_options(self.github.as_deref(), &self.remote_documents)
    }

    /// Refreshes the information about the repositories of the site periodically, and updates the
    /// site.
    async fn refresh_repositories(self, github: Arc<GitHub>) {
        loop {
            let site = self.current.get();
            let repositories = tokio::task::spawn_blocking(move || site.repositories()).await;
            github.refresh(&repositories.unwrap_or_default()).await;
            let context = self.clone();
            let task = move || {
                let (site, loading) = (context.current.get(), context.load_options());
                if site.known_repositories() == &loading.repositories {
                    return;
                }
                // A site that is replaced meanwhile is updated in the next round.
                if let Ok(checked) = svc_site::rebuild(&site, &loading)
                    && context.current.replace(&site, Arc::new(checked.value))
                {
                    context.request_prerender();
                }
            };
            let _ = tokio::task::spawn_blocking(task).await;
            tokio::time::sleep(REFRESH_INTERVAL).await;
        }
    }

    /// Refreshes the remote documents of the site periodically, and updates the site.
    async fn refresh_documents(self) {
        loop {
            let urls = self.current.get().remote_urls().clone();
            self.remote_documents.retain(&urls);
            let refreshed = self.remote_documents.refresh(&urls).await;
            for (url, reason) in refreshed.failed {
                warn!("cannot fetch `{url}`: {reason}");
            }
            if !refreshed.changed.is_empty() {
                let context = self.clone();
                let names = refreshed.changed.join("`, `");
                let task = move || {
                    let loading = context.load_options();
                    let make = |site: &Site| svc_site::rebuild(site, &loading).map(Some);
                    if context.rebuild(&make) {
                        info!("Reloaded: `{names}` changed");
                    } else {
                        warn!("`{names}` changed; the site was not reloaded");
                    }
                };
                let _ = tokio::task::spawn_blocking(task).await;
            }
            let Some(pause) = self.remote_documents.refresh_delay() else {
                return;
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Adds the dates of the last changes when they are known.
    fn publish_dates(&self, coming: PendingDates) {
        let Some((before, dated)) = coming.wait() else {
            return;
        };
        let dated = Cell::new(Some(dated));
        self.rebuild(&|site| {
            let is_same = std::ptr::eq(site, &*before);
            match dated.take().filter(|_| is_same) {
                Some(dated) => Ok(Some(dated)),
                // The site was replaced meanwhile.
                None => self.rebuild_with_dates(site),
            }
        });
    }

    /// Rebuilds the site with the current dates of the history; `None` if nothing changes.
    fn rebuild_with_dates(&self, site: &Site) -> io::Result<Option<Checked<Site>>> {
        svc_site::rebuild_with_dates(site, &self.options.root, &self.load_options())
    }

    /// Reloads the files of versions with a `ref`.
    fn reload_versions(&self, site: &Site) -> io::Result<Checked<Site>> {
        let options = self.load_options();
        svc_site::reload(site, &self.options.root, &Changes::none(), &options)
    }

    /// Watches for new commits, and updates the dates of the last changes and the versions with a
    /// `ref`. Does nothing for a site that shows neither.
    async fn watch_history(self, mut history: HistoryHead) {
        loop {
            tokio::time::sleep(COMMIT_INTERVAL).await;
            let (context, history_before) = (self.clone(), history.clone());
            let task = move || {
                let history = history_before;
                if !context.current.get().depends_on_history() {
                    return history;
                }
                let now =
                    HistoryHead::of(&context.options.root, &context.options.load.last_modified);
                if !now.same_versions(&history) {
                    context.rebuild(&|site| context.reload_versions(site).map(Some));
                } else if now != history {
                    context.rebuild(&|site| context.rebuild_with_dates(site));
                }
                now
            };
            history = tokio::task::spawn_blocking(task).await.unwrap_or(history);
        }
    }

    /// Replaces the current site with the result of `make`; keeps it if that is `None`. If the site
    /// was replaced meanwhile, `make` is retried, because the new site may have been read before
    /// the change.
    fn rebuild(&self, make: &dyn Fn(&Site) -> io::Result<Option<Checked<Site>>>) -> bool {
        for _ in 0..5 {
            let site = self.current.get();
            let Ok(Some(checked)) = make(&site) else {
                return false;
            };
            if checked.has(Severity::Fatal) {
                return false;
            }
            let new = Arc::new(checked.value);
            if self.current.replace(&site, Arc::clone(&new)) {
                if let Some(live) = &self.live {
                    live.changed(&new, &checked.diagnostics, &Changes::Unknown);
                }
                self.request_prerender();
                return true;
            }
        }
        false
    }
}

/// Starts the thread that prerenders pages one at a time, so that requests have priority. It stops
/// when the site is replaced. There is one thread for all sites of a directory, because edits
/// arrive faster than pages are rendered.
fn spawn_prerender(current: &SiteHandle, stopped: &Arc<AtomicBool>) -> mpsc::Sender<()> {
    let (sender, requests) = mpsc::channel();
    let (current, stopped) = (current.clone(), Arc::clone(stopped));
    let task = move || {
        while requests.recv().is_ok() {
            // Lets the first requests finish.
            thread::sleep(PRERENDER_DELAY);
            while requests.try_recv().is_ok() {}
            let site = current.get();
            let proceed = || {
                thread::yield_now();
                !stopped.load(Ordering::Relaxed) && Arc::ptr_eq(&site, &current.get())
            };
            site.render_all(1, &proceed);
            site.make_variants(&proceed);
        }
    };
    // Without a thread, pages are rendered on their first request.
    let _ = thread::Builder::new()
        .name("svc-pages".into())
        .stack_size(8 << 20)
        .spawn(task);
    sender
}

/// Checks that a directory contains a configuration file.
///
/// # Errors
/// If it does not; the message says how to continue.
pub fn check_dir(root: &Path) -> Result<(), String> {
    if !root.is_dir() {
        return Err(format!("`{}` is not a folder", root.display()));
    }
    if is_site_dir(root) {
        return Ok(());
    }
    let site_dir = nested_site_dir(root);
    let hint = match site_dir {
        Some(dir) => format!("use `{0}`, which contains one", dir.display()),
        None => "create a `docs.json` with the name and the pages of the site".to_owned(),
    };
    Err(format!(
        "there is no `docs.json` in `{}`; {hint}",
        root.display()
    ))
}

/// Whether a directory contains a configuration file.
fn is_site_dir(dir: &Path) -> bool {
    let mut names = ["docs.json", "mint.json"].iter();
    names.any(|name| dir.join(name).is_file())
}

/// Directory below `root` that usually contains the documentation, and does.
pub(crate) fn nested_site_dir(root: &Path) -> Option<PathBuf> {
    let nested = [
        "docs",
        "documentation",
        "doc",
        "apps/docs",
        "packages/docs",
        "website",
    ];
    let mut dirs = nested.iter().map(|name| root.join(name));
    dirs.find(|dir| is_site_dir(dir))
}
