//! A folder on a port: loading, answering, drawing in the background, reloading.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use svc_diagnostics::{Diagnostic, Severity, human};
use svc_fetch::Policy;
use svc_site::{LoadOptions, Site};

use crate::github::GitHub;
use crate::watch::fingerprint;
use crate::{Current, GitHubOptions, HostedDocuments, HostedOptions, Limits, Relay, Server};

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
    /// Whether the folder is looked at for changes.
    pub watch: bool,
    /// What the relay of the playground may reach besides the public internet; nothing when there
    /// is no relay.
    pub relay: Option<Policy>,
    /// Whom to ask about repositories on GitHub; nothing when nobody is asked.
    pub github: Option<GitHubOptions>,
    /// How OpenAPI documents that stand elsewhere are fetched and kept.
    pub hosted: HostedOptions,
}

impl RunOptions {
    /// How the site is loaded by a server with these options that knows some repositories.
    fn loading(&self, github: Option<&GitHub>, hosted: &HostedDocuments) -> LoadOptions {
        LoadOptions {
            hosted: Some(hosted.source()),
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
    hosted: HostedDocuments,
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
        human(&self.diagnostics, &|path| self.site.text_of(path))
    }
}

/// Loads the site and takes the first free one of some addresses.
///
/// # Errors
/// When the folder cannot be read or no address can be taken.
pub async fn prepare(options: &RunOptions, addresses: &[SocketAddr]) -> io::Result<Prepared> {
    let github = options.github.clone().map(GitHub::new).map(Arc::new);
    let hosted = HostedDocuments::new(options.hosted.clone());
    let loading = options.loading(github.as_deref(), &hosted);
    let checked = svc_site::load(&options.root, &loading)?;
    let mut last = io::Error::new(io::ErrorKind::InvalidInput, "no address was given");
    for address in addresses {
        match Server::bind(*address, options.limits.clone()).await {
            Ok(server) => {
                let site = Arc::new(checked.value);
                return Ok(Prepared {
                    site,
                    diagnostics: checked.diagnostics,
                    server,
                    github,
                    hosted,
                });
            }
            Err(error) => last = io::Error::new(error.kind(), format!("{address}: {error}")),
        }
    }
    Err(last)
}

/// Serves a prepared site until `stop` is ready. `tell` gets a line for people when the site was
/// loaded again.
pub async fn run_site(
    prepared: Prepared,
    options: RunOptions,
    stop: impl Future<Output = ()>,
    tell: impl Fn(&str) + Send + Sync + 'static,
) {
    let tell: Tell = Arc::new(tell);
    let current = Current::new(prepared.site);
    let stopped = Arc::new(AtomicBool::new(false));
    background(&current, &stopped);
    let limits = options.limits.relay.clone();
    let relay = Relay::new(current.clone(), options.relay.clone(), limits);
    let (github, hosted) = (prepared.github, prepared.hosted);
    let asking = github.clone().map(|github| {
        let (current, stopped) = (current.clone(), Arc::clone(&stopped));
        let hosted = hosted.clone();
        tokio::spawn(ask(current, stopped, github, hosted, options.clone()))
    });
    let renewing = {
        let (current, stopped) = (current.clone(), Arc::clone(&stopped));
        let (hosted, options) = (hosted.clone(), options.clone());
        let known = (github.clone(), hosted);
        tokio::spawn(renew(current, stopped, known, options, Arc::clone(&tell)))
    };
    if options.watch {
        let (current, stopped) = (current.clone(), Arc::clone(&stopped));
        let work = move || {
            let loading = || options.loading(github.as_deref(), &hosted);
            watch(&current, &stopped, &options.root, &loading, &*tell);
        };
        // Without a thread the site is served all the same, only not loaded again.
        let _ = thread::Builder::new().name("svc-watch".into()).spawn(work);
    }
    let server = prepared.server.taking(relay.posts());
    server.run(current.responder(), stop).await;
    stopped.store(true, Ordering::Relaxed);
    renewing.abort();
    if let Some(asking) = asking {
        asking.abort();
    }
}

/// Asks about the repositories of the site, now and then, and shows what has changed.
async fn ask(
    current: Current,
    stopped: Arc<AtomicBool>,
    github: Arc<GitHub>,
    hosted: HostedDocuments,
    options: RunOptions,
) {
    loop {
        let site = current.get();
        let named = tokio::task::spawn_blocking(move || site.repositories()).await;
        github.refresh(&named.unwrap_or_default()).await;
        let (current, stopped) = (current.clone(), Arc::clone(&stopped));
        let loading = options.loading(Some(&github), &hosted);
        let work = move || {
            let site = current.get();
            if site.known_repositories() == &loading.repositories {
                return;
            }
            // A site that is replaced meanwhile is looked at in the next round.
            if let Ok(checked) = svc_site::again(&site, &loading)
                && current.replace(&site, Arc::new(checked.value))
            {
                background(&current, &stopped);
            }
        };
        let _ = tokio::task::spawn_blocking(work).await;
        tokio::time::sleep(ROUND).await;
    }
}

/// Asks for the hosted documents of the site, now and then, and shows what has changed.
async fn renew(
    current: Current,
    stopped: Arc<AtomicBool>,
    (github, hosted): (Option<Arc<GitHub>>, HostedDocuments),
    options: RunOptions,
    tell: Tell,
) {
    loop {
        let named = current.get().hosted_addresses();
        let refreshed = hosted.refresh(&named).await;
        for (address, why) in refreshed.failed {
            tell(&format!("`{address}` cannot be had: {why}"));
        }
        if !refreshed.changed.is_empty() {
            let loading = options.loading(github.as_deref(), &hosted);
            let (current, stopped, tell) =
                (current.clone(), Arc::clone(&stopped), Arc::clone(&tell));
            let names = refreshed.changed.join("`, `");
            let work = move || {
                let shown = show_again(&current, &loading);
                if shown {
                    background(&current, &stopped);
                }
                tell(&match shown {
                    true => format!("Loaded again: `{names}` changed"),
                    false => format!("`{names}` changed; the site stays as it was"),
                });
            };
            let _ = tokio::task::spawn_blocking(work).await;
        }
        let Some(pause) = hosted.pause() else { return };
        tokio::time::sleep(pause).await;
    }
}

/// Puts the site together again from files that are read already. A site that came meanwhile may
/// have been read before what has changed, so it is done again with that one.
fn show_again(current: &Current, loading: &LoadOptions) -> bool {
    for _ in 0..5 {
        let site = current.get();
        let Ok(checked) = svc_site::again(&site, loading) else {
            return false;
        };
        if checked.has(Severity::Fatal) {
            return false;
        }
        if current.replace(&site, Arc::new(checked.value)) {
            return true;
        }
    }
    false
}

/// Draws the pages nobody has asked for yet, one at a time so that readers come first; gives up
/// when the site is replaced.
fn background(current: &Current, stopped: &Arc<AtomicBool>) {
    let (current, stopped) = (current.clone(), Arc::clone(stopped));
    let work = move || {
        let site = current.get();
        // The first readers are waiting at this moment.
        thread::sleep(HEAD_START);
        let proceed = || {
            thread::yield_now();
            !stopped.load(Ordering::Relaxed) && Arc::ptr_eq(&site, &current.get())
        };
        site.render_all(1, &proceed);
    };
    // Without a thread the pages are drawn when they are asked for.
    let _ = thread::Builder::new()
        .name("svc-pages".into())
        .stack_size(8 << 20)
        .spawn(work);
}

fn watch(
    current: &Current,
    stopped: &Arc<AtomicBool>,
    root: &Path,
    loading: &dyn Fn() -> LoadOptions,
    tell: &dyn Fn(&str),
) {
    let mut seen = fingerprint(root);
    loop {
        thread::sleep(Duration::from_millis(300));
        if stopped.load(Ordering::Relaxed) {
            return;
        }
        let now = fingerprint(root);
        if now == seen {
            continue;
        }
        // Editors write in several steps: wait until it is quiet.
        thread::sleep(Duration::from_millis(60));
        if fingerprint(root) != now {
            continue;
        }
        seen = now;
        match svc_site::load(root, &loading()) {
            Ok(checked) if checked.has(Severity::Fatal) => {
                let text_of = |path: &str| checked.value.text_of(path);
                let fatal: Vec<Diagnostic> = checked
                    .diagnostics
                    .iter()
                    .filter(|found| found.severity == Severity::Fatal)
                    .cloned()
                    .collect();
                let text = human(&fatal, &text_of);
                tell(&format!("{text}The site stays as it was."));
            }
            Ok(checked) => {
                let line = summary(&checked.value, &checked.diagnostics);
                drop(current.swap(Arc::new(checked.value)));
                background(current, stopped);
                tell(&format!("Loaded again: {line}"));
            }
            Err(error) => tell(&format!("The site stays as it was: {error}")),
        }
    }
}

/// `12 pages, 1 error, 3 warnings`.
pub fn summary(site: &Site, diagnostics: &[Diagnostic]) -> String {
    let count = |severity| {
        diagnostics
            .iter()
            .filter(|found| found.severity == severity)
            .count()
    };
    let mut out = number(site.map.routes.len(), "page");
    for (severity, word) in [
        (Severity::Fatal, "fatal problem"),
        (Severity::Error, "error"),
        (Severity::Warning, "warning"),
    ] {
        if count(severity) > 0 {
            out.push_str(", ");
            out.push_str(&number(count(severity), word));
        }
    }
    out
}

fn number(count: usize, word: &str) -> String {
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
