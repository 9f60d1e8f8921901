//! A folder on a port: loading, answering, drawing in the background, reloading.

use std::cell::Cell;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use svc_diagnostics::{Checked, Diagnostic, Severity, render_text};
use svc_fetch::Policy;
use svc_site::{Changes, HistoryHead, LoadOptions, Site};

use crate::days::Coming;
use crate::github::GitHub;
use crate::live::Live;
use crate::reloading::Reloading;
use crate::watch::Watching;
use crate::{
    AllowedHosts, Current, GitHubOptions, RemoteDocumentCache, RemoteDocumentOptions, Limits, Relay, Server,
};

/// Takes lines for people.
type Tell = Arc<dyn Fn(&str) + Send + Sync>;

/// What to serve and how.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The folder with `docs.json`.
    pub root: PathBuf,
    /// How the site is loaded.
    pub load: LoadOptions,
    /// Limits of the server.
    pub limits: Limits,
    /// At which hosts it answers.
    pub hosts: AllowedHosts,
    /// Whether the folder is looked at for changes.
    pub watch: bool,
    /// What the relay of the playground may reach besides the public internet; nothing when there
    /// is no relay.
    pub relay: Option<Policy>,
    /// Whom to ask about repositories on GitHub; nothing when nobody is asked.
    pub github: Option<GitHubOptions>,
    /// How OpenAPI documents that stand elsewhere are fetched and kept.
    pub hosted: RemoteDocumentOptions,
}

impl RunOptions {
    /// How the site is loaded by a server with these options that knows some repositories.
    fn loading(&self, github: Option<&GitHub>, hosted: &RemoteDocumentCache) -> LoadOptions {
        LoadOptions {
            remote: Some(hosted.source()),
            relay: self.relay.is_some(),
            repositories: github.map(GitHub::repositories).unwrap_or_default(),
            ..self.load.clone()
        }
    }
}

/// How long readers have the processors for themselves after a start.
const HEAD_START: Duration = Duration::from_millis(700);
/// How often it is looked whether something is to be asked about repositories.
const ROUND: Duration = Duration::from_secs(60);
/// How often it is looked whether there is a new commit.
const COMMITS: Duration = Duration::from_millis(700);

/// A site that is loaded, and an address that is taken.
#[derive(Debug)]
pub struct Prepared {
    /// The site.
    pub site: Arc<Site>,
    /// What was wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// The listening server.
    pub server: Server,
    github: Option<Arc<GitHub>>,
    hosted: RemoteDocumentCache,
    watching: Option<Watching>,
    /// Where the days of the last changes come from.
    history: Option<HistoryHead>,
    /// The days themselves, where they are not there yet.
    coming: Option<Coming>,
}

impl Prepared {
    /// Whether there is nothing worth serving.
    pub fn is_fatal(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|found| found.severity == Severity::Fatal)
    }

    /// The problems for a terminal.
    pub fn human(&self) -> String {
        render_text(&self.diagnostics, &|path| self.site.text_of(path))
    }
}

/// Loads the site and takes the first free one of some addresses.
///
/// # Errors
/// When the folder cannot be read or no address can be taken.
pub async fn prepare(options: &RunOptions, addresses: &[SocketAddr]) -> io::Result<Prepared> {
    let github = options.github.clone().map(GitHub::new).map(Arc::new);
    let hosted = RemoteDocumentCache::new(options.hosted.clone());
    let loading = options.loading(github.as_deref(), &hosted);
    // Watching begins before reading, so that no change is lost between them.
    let watching = options.watch.then(|| Watching::new(&options.root));
    let history = options
        .watch
        .then(|| HistoryHead::of(&options.root, &loading.last_modified));
    let (checked, coming) = Coming::load(&options.root, loading)?;
    let mut last = io::Error::new(io::ErrorKind::InvalidInput, "no address was given");
    for address in addresses {
        match Server::bind(*address, options.limits.clone()).await {
            Ok(server) => {
                return Ok(Prepared {
                    site: checked.value,
                    diagnostics: checked.diagnostics,
                    server,
                    github,
                    hosted,
                    watching,
                    history,
                    coming,
                });
            }
            Err(error) => last = io::Error::new(error.kind(), format!("{address}: {error}")),
        }
    }
    Err(last)
}

/// What the tasks beside the server share.
#[derive(Clone)]
struct Beside {
    current: Current,
    stopped: Arc<AtomicBool>,
    options: RunOptions,
    github: Option<Arc<GitHub>>,
    hosted: RemoteDocumentCache,
    live: Option<Live>,
    /// Asks for the pages of the site of the moment to be drawn in advance.
    drawing: mpsc::Sender<()>,
    tell: Tell,
}

/// Serves a prepared site until `stop` is ready. `tell` gets a line for people when the site was
/// loaded again.
pub async fn run_site(
    prepared: Prepared,
    options: RunOptions,
    stop: impl Future<Output = ()>,
    tell: impl Fn(&str) + Send + Sync + 'static,
) {
    let live = options
        .load
        .dev
        .then(|| Live::new(&prepared.site, &prepared.diagnostics));
    let limits = options.limits.relay.clone();
    let (current, stopped) = (Current::new(prepared.site), Arc::default());
    let beside = Beside {
        drawing: drawing(&current, &stopped),
        current,
        stopped,
        options,
        github: prepared.github,
        hosted: prepared.hosted,
        live: live.clone(),
        tell: Arc::new(tell),
    };
    let current = beside.current.clone();
    beside.draw();
    let relay = Relay::new(current.clone(), beside.options.relay.clone(), limits);
    let github = beside.github.clone();
    let asking = github.map(|github| tokio::spawn(beside.clone().ask(github)));
    let renewing = tokio::spawn(beside.clone().renew());
    if let Some(coming) = prepared.coming {
        let beside = beside.clone();
        let work = move || beside.show_days(coming);
        // As where the site is watched.
        let builder = thread::Builder::new().name("svc-dated".into());
        let _ = builder.stack_size(8 << 20).spawn(work);
    }
    let history = prepared.history;
    let dating = history.map(|history| tokio::spawn(beside.clone().date(history)));
    if let Some(watching) = prepared.watching {
        let root = beside.options.root.clone();
        let reloading = Reloading::new(current.clone(), live.clone(), root, &prepared.diagnostics);
        let beside = beside.clone();
        let work = move || beside.watch(watching, reloading);
        // Without a thread the site is served all the same, only not loaded again. Pages nest, and
        // those that changed are drawn here.
        let builder = thread::Builder::new().name("svc-watch".into());
        let _ = builder.stack_size(8 << 20).spawn(work);
    }
    let hosts = beside.options.hosts.clone();
    let server = prepared.server.taking(hosts.posts(relay.posts()));
    let server = server.telling(Arc::clone(&beside.tell));
    let mut responder = current.responder();
    if let Some(live) = &live {
        responder = live.around(current.clone(), responder);
    }
    let ended = async {
        stop.await;
        // Pages keep their connections open; the server would wait for them.
        if let Some(live) = &live {
            live.end();
        }
    };
    server.run(hosts.responder(responder), ended).await;
    beside.stopped.store(true, Ordering::Relaxed);
    renewing.abort();
    for task in asking.into_iter().chain(dating) {
        task.abort();
    }
}

impl Beside {
    /// Has the pages of the site of the moment drawn in advance.
    fn draw(&self) {
        // Without the thread there is nobody to hear it.
        let _ = self.drawing.send(());
    }

    /// Makes the site again whenever its folder changes.
    fn watch(&self, mut watching: Watching, mut reloading: Reloading) {
        while let Some(changes) = watching.next(&self.stopped, &*self.tell) {
            if let Some(line) = reloading.change(changes, &self.loading()) {
                (self.tell)(&line);
            }
            self.draw();
        }
    }

    /// How the site is loaded with what is known now.
    fn loading(&self) -> LoadOptions {
        self.options.loading(self.github.as_deref(), &self.hosted)
    }

    /// Asks about the repositories of the site, now and then, and shows what has changed.
    async fn ask(self, github: Arc<GitHub>) {
        loop {
            let site = self.current.get();
            let named = tokio::task::spawn_blocking(move || site.repositories()).await;
            github.refresh(&named.unwrap_or_default()).await;
            let beside = self.clone();
            let work = move || {
                let (site, loading) = (beside.current.get(), beside.loading());
                if site.known_repositories() == &loading.repositories {
                    return;
                }
                // A site that is replaced meanwhile is looked at in the next round.
                if let Ok(checked) = svc_site::rebuild(&site, &loading)
                    && beside.current.replace(&site, Arc::new(checked.value))
                {
                    beside.draw();
                }
            };
            let _ = tokio::task::spawn_blocking(work).await;
            tokio::time::sleep(ROUND).await;
        }
    }

    /// Asks for the hosted documents of the site, now and then, and shows what has changed.
    async fn renew(self) {
        loop {
            let named = self.current.get().remote_urls().clone();
            self.hosted.retain(&named);
            let refreshed = self.hosted.refresh(&named).await;
            for (address, why) in refreshed.failed {
                (self.tell)(&format!("`{address}` cannot be had: {why}"));
            }
            if !refreshed.changed.is_empty() {
                let beside = self.clone();
                let names = refreshed.changed.join("`, `");
                let work = move || {
                    let loading = beside.loading();
                    let make = |site: &Site| svc_site::rebuild(site, &loading).map(Some);
                    let shown = beside.show_again(&make);
                    (beside.tell)(&match shown {
                        true => format!("Loaded again: `{names}` changed"),
                        false => format!("`{names}` changed; the site stays as it was"),
                    });
                };
                let _ = tokio::task::spawn_blocking(work).await;
            }
            let Some(pause) = self.hosted.refresh_delay() else {
                return;
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Shows the days of the last changes when they are known.
    fn show_days(&self, coming: Coming) {
        let Some((before, dated)) = coming.wait() else {
            return;
        };
        let dated = Cell::new(Some(dated));
        self.show_again(&|site| {
            let is_same = std::ptr::eq(site, &*before);
            match dated.take().filter(|_| is_same) {
                Some(dated) => Ok(Some(dated)),
                // It was replaced meanwhile.
                None => self.dated_again(site),
            }
        });
    }

    /// The site with the days that the history tells now.
    fn dated_again(&self, site: &Site) -> io::Result<Option<Checked<Site>>> {
        svc_site::rebuild_with_dates(site, &self.options.root, &self.loading())
    }

    /// Looks for new commits, and shows the days of the last changes that they bring. Commits of a
    /// site that tells no days concern nobody.
    async fn date(self, mut history: HistoryHead) {
        loop {
            tokio::time::sleep(COMMITS).await;
            let beside = self.clone();
            let work = move || {
                if !beside.current.get().shows_last_modified() {
                    return history;
                }
                let now = HistoryHead::of(&beside.options.root, &beside.options.load.last_modified);
                if now != history {
                    beside.show_again(&|site| beside.dated_again(site));
                }
                now
            };
            history = tokio::task::spawn_blocking(work).await.unwrap_or(history);
        }
    }

    /// Shows what `make` makes of the site of the moment; nothing where that is not worth showing. A
    /// site that came meanwhile may have been read before what has changed, so it is done again with
    /// that one.
    fn show_again(&self, make: &dyn Fn(&Site) -> io::Result<Option<Checked<Site>>>) -> bool {
        for _ in 0..5 {
            let site = self.current.get();
            let Ok(Some(checked)) = make(&site) else {
                return false;
            };
            if checked.has(Severity::Fatal) {
                return false;
            }
            let made = Arc::new(checked.value);
            if self.current.replace(&site, Arc::clone(&made)) {
                if let Some(live) = &self.live {
                    live.changed(&made, &checked.diagnostics, &Changes::Unknown);
                }
                self.draw();
                return true;
            }
        }
        false
    }
}

/// The thread that draws the pages nobody has asked for yet, one at a time so that readers come
/// first; it gives up when the site is replaced. One for all sites of a folder: while somebody
/// writes, they come faster than pages are drawn.
fn drawing(current: &Current, stopped: &Arc<AtomicBool>) -> mpsc::Sender<()> {
    let (sender, wanted) = mpsc::channel();
    let (current, stopped) = (current.clone(), Arc::clone(stopped));
    let work = move || {
        while wanted.recv().is_ok() {
            // The first readers are waiting at this moment.
            thread::sleep(HEAD_START);
            while wanted.try_recv().is_ok() {}
            let site = current.get();
            let proceed = || {
                thread::yield_now();
                !stopped.load(Ordering::Relaxed) && Arc::ptr_eq(&site, &current.get())
            };
            site.render_all(1, &proceed);
            site.make_variants(&proceed);
        }
    };
    // Without a thread the pages are drawn when they are asked for.
    let _ = thread::Builder::new()
        .name("svc-pages".into())
        .stack_size(8 << 20)
        .spawn(work);
    sender
}

/// `12 pages, 1 error, 3 warnings`.
pub fn summary(site: &Site, diagnostics: &[Diagnostic]) -> String {
    let pages = number(site.map.routes.len(), "page");
    match counts(diagnostics) {
        Some(counts) => format!("{pages}, {counts}"),
        None => pages,
    }
}

/// The warning about pages that ask for protection, for whoever starts a site: nobody may overlook
/// it among others. Nothing when there is none.
pub fn protection_notice(diagnostics: &[Diagnostic]) -> Option<String> {
    let found = diagnostics.iter();
    let mut found = found.filter(|found| found.code.id == svc_site::PROTECTED_ID);
    let found = found.next()?;
    Some(format!(
        "warning: {}\n  {}\n",
        found.message,
        found.hint.as_deref().unwrap_or("")
    ))
}

/// `1 error, 3 warnings`; nothing when nothing is wrong.
pub(crate) fn counts(diagnostics: &[Diagnostic]) -> Option<String> {
    let kinds = [
        (Severity::Fatal, "fatal problem"),
        (Severity::Error, "error"),
        (Severity::Warning, "warning"),
    ];
    let counted = kinds.into_iter().filter_map(|(severity, word)| {
        let found = diagnostics
            .iter()
            .filter(|found| found.severity == severity);
        let count = found.count();
        (count > 0).then(|| number(count, word))
    });
    let counted: Vec<String> = counted.collect();
    (!counted.is_empty()).then(|| counted.join(", "))
}

/// `1 page`, `12 pages`.
pub fn number(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// Whether a folder holds a configuration file.
///
/// # Errors
/// A sentence that says what to do when it does not.
pub fn check_folder(root: &Path) -> Result<(), String> {
    if !root.is_dir() {
        return Err(format!("`{}` is not a folder", root.display()));
    }
    let has = |folder: &Path| {
        ["docs.json", "mint.json"]
            .iter()
            .any(|name| folder.join(name).is_file())
    };
    if has(root) {
        return Ok(());
    }
    let nested = [
        "docs",
        "documentation",
        "doc",
        "apps/docs",
        "packages/docs",
        "website",
    ];
    let found = nested
        .iter()
        .map(|name| root.join(name))
        .find(|folder| has(folder));
    let hint = match found {
        Some(folder) => format!("there is one in `{0}`: use `{0}` instead", folder.display()),
        None => {
            "a site begins with a file `docs.json` that names it and lists its pages".to_owned()
        }
    };
    Err(format!(
        "there is no `docs.json` in `{}`; {hint}",
        root.display()
    ))
}
