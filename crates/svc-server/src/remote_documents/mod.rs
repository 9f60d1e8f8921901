//! Remote OpenAPI documents: fetched within limits, refreshed periodically, and cached in a
//! directory, so that a document that becomes unavailable or invalid does not remove pages.

mod store;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use http::{HeaderMap, HeaderValue, header};
use svc_fetch::{
    Client, ConditionalResponse, FetchCounters, FetchLimits, ParsePolicyError, Policy, Validators,
};
use svc_site::{RemoteDocuments, RemoteState, check_remote_document, remote_version};
use tokio::task::JoinSet;

use store::{CachedDocument, DocumentStore};

/// Default refresh interval while a folder is served.
pub const REMOTE_REFRESH_INTERVAL: Duration = Duration::from_secs(600);
/// Delay before a failed document is retried.
const RETRY_DELAY: Duration = Duration::from_secs(60);
/// Timeout for a document, including redirects and the body.
const FETCH_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of concurrent fetches.
const MAX_CONCURRENT_FETCHES: usize = 8;
/// Maximum total size of the documents of a site in bytes.
const MAX_TOTAL_BYTES: usize = 100 << 20;

/// Command-line options for remote OpenAPI documents.
#[derive(Debug, Clone, Default, Args)]
pub struct RemoteDocumentArgs {
    /// Allow OpenAPI documents at `http://` URLs and on this machine
    #[arg(long)]
    local_schema: bool,
    /// Allow remote OpenAPI documents from a host or network outside of the public internet:
    /// `api.internal`, `10.1.0.0/16`. Can be repeated
    #[arg(long, value_name = "HOST_OR_NETWORK", value_parser = host_or_network)]
    remote_allow: Vec<String>,
}

/// Parses a rule of [`Policy`] on the command line: a host or a network.
pub(crate) fn host_or_network(text: &str) -> Result<String, ParsePolicyError> {
    Policy::from_rules([text])?;
    Ok(text.to_owned())
}

impl RemoteDocumentArgs {
    /// The options for these arguments, with a cache in `dir`.
    pub fn options(&self, dir: Option<PathBuf>, offline: bool) -> RemoteDocumentOptions {
        // clap has already validated each rule.
        let mut policy = Policy::from_rules(&self.remote_allow).unwrap_or_default();
        if self.local_schema {
            for network in ["127.0.0.0/8", "[::1]"] {
                let _ = policy.allow(network);
            }
        }
        RemoteDocumentOptions {
            cache_dir: dir.map(|dir| dir.join("hosted")),
            policy,
            offline,
            allows_http: self.local_schema,
            ..RemoteDocumentOptions::default()
        }
    }
}

/// When documents are fetched while a site is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FetchPolicy {
    /// Fetch only documents without a cached copy, so that a start is fast. The others are
    /// refreshed in the background.
    #[default]
    Missing,
    /// Fetch all documents, so that a build uses the newest ones.
    All,
    /// Fetch no documents yet, so that neither a start nor a build thread waits for the network.
    /// The caller fetches missing documents afterwards.
    Deferred,
    /// Never fetch documents: untrusted content must not choose the servers that are contacted.
    Never,
}

/// Options for fetching and caching remote documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteDocumentOptions {
    /// Directory of the cache; in memory only if it is `None`.
    pub cache_dir: Option<PathBuf>,
    /// Hosts that can be reached in addition to the public internet.
    pub policy: Policy,
    /// Whether only cached copies are used.
    pub offline: bool,
    /// Whether `http://` URLs are allowed.
    pub allows_http: bool,
    /// When documents are fetched while a site is loaded.
    pub fetch_policy: FetchPolicy,
    /// Interval of refreshes in the background; `None` for never.
    pub refresh_interval: Option<Duration>,
    /// Limits of a request.
    pub limits: FetchLimits,
}

impl Default for RemoteDocumentOptions {
    fn default() -> Self {
        Self {
            cache_dir: None,
            policy: Policy::default(),
            offline: false,
            allows_http: false,
            fetch_policy: FetchPolicy::default(),
            refresh_interval: Some(REMOTE_REFRESH_INTERVAL),
            limits: FetchLimits {
                total_timeout: FETCH_TIMEOUT,
                ..FetchLimits::default()
            },
        }
    }
}

/// Cache of the remote documents of a site. Clones share the state.
#[derive(Debug, Clone)]
pub struct RemoteDocumentCache(Arc<CacheInner>);

#[derive(Debug)]
struct CacheInner {
    options: RemoteDocumentOptions,
    client: Client,
    counters: Arc<FetchCounters>,
    store: DocumentStore,
    entries: Arc<Mutex<BTreeMap<String, CacheEntry>>>,
}

/// Cache entry of a document.
#[derive(Debug, Clone, Default)]
struct CacheEntry {
    copy: Option<CachedDocument>,
    /// Error of the last fetch.
    problem: Option<String>,
    /// Whether a fetch was attempted since the start.
    fetched: bool,
}

/// Result of a refresh.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RefreshReport {
    /// URLs of documents that have changed.
    pub changed: Vec<String>,
    /// URLs of documents that could not be fetched, with the error, if it is new.
    pub failed: Vec<(String, String)>,
}

impl RemoteDocumentCache {
    /// Creates a cache; entries are read from the directory on demand.
    pub fn new(options: RemoteDocumentOptions) -> Self {
        Self::counted_by(options, Arc::default())
    }

    /// A cache whose requests are counted.
    pub(crate) fn counted_by(options: RemoteDocumentOptions, counters: Arc<FetchCounters>) -> Self {
        Self::with_entries(Arc::default(), options, counters)
    }

    /// The same cache with other options.
    #[must_use]
    pub fn with_options(&self, options: RemoteDocumentOptions) -> Self {
        let counters = Arc::clone(&self.0.counters);
        Self::with_entries(Arc::clone(&self.0.entries), options, counters)
    }

    fn with_entries(
        known: Arc<Mutex<BTreeMap<String, CacheEntry>>>,
        options: RemoteDocumentOptions,
        counters: Arc<FetchCounters>,
    ) -> Self {
        let client = Client::new(options.policy.clone(), options.limits.clone());
        Self(Arc::new(CacheInner {
            client: client.counted_by(Arc::clone(&counters)),
            counters,
            store: DocumentStore::new(options.cache_dir.clone()),
            entries: known,
            options,
        }))
    }

    /// Options of the cache.
    pub fn options(&self) -> &RemoteDocumentOptions {
        &self.0.options
    }

    /// The cache as a source of documents for a site.
    pub fn source(&self) -> Arc<dyn RemoteDocuments> {
        self.source_with_policy(self.0.options.fetch_policy)
    }

    /// As [`Self::source`], with another fetch policy.
    pub fn source_with_policy(&self, fetch_policy: FetchPolicy) -> Arc<dyn RemoteDocuments> {
        Arc::new(CachedDocuments {
            documents: self.clone(),
            fetch_policy,
        })
    }

    /// URLs of all documents that were requested and not removed.
    pub fn requested_urls(&self) -> BTreeSet<String> {
        self.0.entries().keys().cloned().collect()
    }

    /// Removes all documents except these from memory. Their files stay in the directory for a
    /// while.
    pub fn retain(&self, urls: &BTreeSet<String>) {
        let mut known = self.0.entries();
        known.retain(|url, _| urls.contains(url));
    }

    /// Documents that were never fetched and have no copy.
    fn unfetched(&self) -> BTreeSet<String> {
        if self.0.options.offline {
            return BTreeSet::new();
        }
        let known = self.0.entries();
        let lacking = known.iter().filter(|(_, known)| known.is_unfetched());
        lacking.map(|(url, _)| url.clone()).collect()
    }

    /// Time until the next refresh is due; `None` for never.
    pub fn refresh_delay(&self) -> Option<Duration> {
        let every = self
            .0
            .options
            .refresh_interval
            .filter(|_| !self.0.options.offline)?;
        let failing = self
            .0
            .entries()
            .values()
            .any(|known| known.problem.is_some());
        Some(if failing {
            every.min(RETRY_DELAY)
        } else {
            every
        })
    }

    /// Fetches documents, even if they are cached.
    pub async fn refresh(&self, urls: &BTreeSet<String>) -> RefreshReport {
        let mut refreshed = RefreshReport::default();
        if self.0.options.offline {
            return refreshed;
        }
        let is_encrypted = |url: &&String| {
            let scheme = url.get(..6).unwrap_or_default();
            scheme.eq_ignore_ascii_case("https:")
        };
        let mut queue = urls
            .iter()
            .filter(|url| self.0.options.allows_http || is_encrypted(url))
            .cloned()
            .collect::<Vec<_>>()
            .into_iter();
        let mut running = JoinSet::new();
        loop {
            while running.len() < MAX_CONCURRENT_FETCHES
                && let Some(url) = queue.next()
            {
                let inner = Arc::clone(&self.0);
                running.spawn(async move {
                    let outcome = inner.refresh_document(&url).await;
                    (url, outcome)
                });
            }
            let Some(result) = running.join_next().await else {
                break;
            };
            match result {
                Ok((url, FetchOutcome::Changed)) => refreshed.changed.push(url),
                Ok((url, FetchOutcome::Failed(reason))) => {
                    refreshed.failed.push((url, reason));
                }
                Ok((_, FetchOutcome::Unchanged)) | Err(_) => {}
            }
        }
        refreshed.changed.sort();
        refreshed.failed.sort();
        refreshed
    }

    /// As [`Self::refresh`], for threads without a Tokio runtime, because a site is loaded on any
    /// thread.
    fn refresh_here(&self, urls: &BTreeSet<String>) {
        let (this, urls) = (self.clone(), urls.clone());
        let task = move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            if let Ok(runtime) = runtime {
                runtime.block_on(this.refresh(&urls));
            }
        };
        // On a separate thread, because this one may belong to a runtime. If it cannot be started,
        // the documents are missing, which is reported.
        if let Ok(thread) = thread::Builder::new().name("svc-hosted".into()).spawn(task) {
            let _ = thread.join();
        }
    }
}

#[derive(Debug)]
struct CachedDocuments {
    documents: RemoteDocumentCache,
    fetch_policy: FetchPolicy,
}

impl CachedDocuments {
    /// Cached documents without network access.
    fn cached(&self, urls: &BTreeSet<String>) -> BTreeMap<String, RemoteState> {
        let inner = &self.documents.0;
        if self.fetch_policy == FetchPolicy::Never {
            return inner.copies_of(urls);
        }
        let offline = inner.options.offline;
        let known = inner.entries();
        let states = urls.iter().map(|url| {
            let known = known.get(url).cloned().unwrap_or_default();
            (url.clone(), known.into_remote_state(offline))
        });
        states.collect()
    }
}

impl RemoteDocuments for CachedDocuments {
    fn allows_http(&self) -> bool {
        self.documents.0.options.allows_http
    }

    fn refresh(&self) {
        if self.fetch_policy != FetchPolicy::Never {
            self.documents
                .refresh_here(&self.documents.requested_urls());
        }
    }

    fn has_unfetched(&self) -> bool {
        self.fetch_policy != FetchPolicy::Never && !self.documents.unfetched().is_empty()
    }

    fn fetch_missing(&self) {
        if self.has_unfetched() {
            self.documents.refresh_here(&self.documents.unfetched());
        }
    }

    fn retain(&self, urls: &BTreeSet<String>) {
        self.documents.retain(urls);
    }

    fn version(&self, urls: &BTreeSet<String>) -> u64 {
        remote_version(&self.cached(urls))
    }

    fn cache_only(&self) -> Arc<dyn RemoteDocuments> {
        self.documents.source_with_policy(FetchPolicy::Never)
    }

    fn get(&self, urls: &BTreeSet<String>) -> BTreeMap<String, RemoteState> {
        let inner = &self.documents.0;
        if self.fetch_policy == FetchPolicy::Never {
            return self.cached(urls);
        }
        inner.read_copies(urls);
        let missing: BTreeSet<String> = match self.fetch_policy {
            FetchPolicy::All => urls.clone(),
            FetchPolicy::Missing => {
                let known = inner.entries();
                let unknown = |one: &&String| known.get(*one).is_none_or(CacheEntry::is_unfetched);
                urls.iter().filter(unknown).cloned().collect()
            }
            FetchPolicy::Deferred | FetchPolicy::Never => BTreeSet::new(),
        };
        if !missing.is_empty() && !inner.options.offline {
            self.documents.refresh_here(&missing);
        }
        self.cached(urls)
    }
}

enum FetchOutcome {
    Unchanged,
    Changed,
    Failed(String),
}

impl CacheInner {
    fn entries(&self) -> MutexGuard<'_, BTreeMap<String, CacheEntry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads documents that are not in memory from the directory.
    fn read_copies(&self, urls: &BTreeSet<String>) {
        for url in urls {
            if self.entries().contains_key(url) {
                continue;
            }
            let known = self.copy_of(url);
            self.entries().entry(url.clone()).or_insert(known);
        }
    }

    /// Documents from memory and the directory, without recording the request, which would cause a
    /// fetch later.
    fn copies_of(&self, urls: &BTreeSet<String>) -> BTreeMap<String, RemoteState> {
        let state_of = |url: &String| {
            let known = self.entries().get(url).cloned();
            let known = known.unwrap_or_else(|| self.copy_of(url));
            (url.clone(), known.into_remote_state(true))
        };
        urls.iter().map(state_of).collect()
    }

    fn copy_of(&self, url: &str) -> CacheEntry {
        let copy = self.store.read(url);
        CacheEntry {
            // A copy that was written by an older version may be invalid for this one.
            copy: copy.filter(|copy| check_remote_document(url, &copy.text).is_ok()),
            ..CacheEntry::default()
        }
    }

    /// Fetches a document and caches it if it is valid.
    async fn refresh_document(&self, url: &str) -> FetchOutcome {
        let before = self.entries().get(url).cloned();
        let was_known = before.is_some();
        let before = before.unwrap_or_default();
        let validators = before.copy.as_ref().map(|copy| copy.validators.clone());
        let fetched = self.fetch(url, validators.unwrap_or_default()).await;
        let mut now = CacheEntry {
            copy: before.copy.clone(),
            problem: None,
            fetched: true,
        };
        let mut outcome = FetchOutcome::Unchanged;
        match fetched {
            Ok(None) => {
                if let Some(copy) = &mut now.copy {
                    copy.checked = seconds();
                }
            }
            Ok(Some(copy)) => {
                let same = |old: &CachedDocument| old.text == copy.text;
                if before.copy.as_ref().is_none_or(|old| !same(old)) {
                    outcome = FetchOutcome::Changed;
                }
                self.store.write(url, &copy);
                now.copy = Some(copy);
            }
            Err(reason) => {
                if before.problem.as_ref() != Some(&reason) {
                    outcome = FetchOutcome::Failed(reason.clone());
                }
                now.problem = Some(reason);
            }
        }
        let mut known = self.entries();
        // The document may have been removed meanwhile.
        if !was_known || known.contains_key(url) {
            known.insert(url.to_owned(), now);
        }
        outcome
    }

    /// Fetches a document; `None` if it has not changed.
    async fn fetch(
        &self,
        source: &str,
        known: Validators,
    ) -> Result<Option<CachedDocument>, String> {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            (
                header::USER_AGENT,
                concat!("svc/", env!("CARGO_PKG_VERSION")),
            ),
            (
                header::ACCEPT,
                "application/json, application/yaml;q=0.9, */*;q=0.8",
            ),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let url = svc_fetch::parse_url(source).map_err(|error| error.to_string())?;
        let response = self.client.get_if_changed(url, headers, &known).await;
        let (bytes, validators) = match response.map_err(|error| error.to_string())? {
            ConditionalResponse::Unchanged => return Ok(None),
            ConditionalResponse::Failed(status) => {
                return Err(format!("the server responded with {status}"));
            }
            ConditionalResponse::Changed { bytes, validators } => (bytes, validators),
        };
        let text = String::from_utf8(bytes.to_vec());
        let text = text.map_err(|_| "the document is not valid UTF-8".to_owned())?;
        self.check_capacity(source, text.len())?;
        // Parsing a large document takes long and must not block the runtime.
        let (label, text) = (source.to_owned(), Arc::<str>::from(text));
        let copy = Arc::clone(&text);
        let checked =
            tokio::task::spawn_blocking(move || check_remote_document(&label, &copy)).await;
        let checked = checked.unwrap_or_else(|_| Err("cannot be read".to_owned()));
        checked.map_err(|reason| format!("the document {reason}"))?;
        Ok(Some(CachedDocument {
            text,
            validators,
            checked: seconds(),
        }))
    }

    fn check_capacity(&self, url: &str, bytes: usize) -> Result<(), String> {
        let known = self.entries();
        let others = known.iter().filter(|(other, _)| *other != url);
        let others: usize = others
            .filter_map(|(_, known)| Some(known.copy.as_ref()?.text.len()))
            .sum();
        if others + bytes > MAX_TOTAL_BYTES {
            return Err(format!(
                "the remote documents of this site exceed the total limit of {} MB",
                MAX_TOTAL_BYTES >> 20
            ));
        }
        Ok(())
    }
}

impl CacheEntry {
    fn is_unfetched(&self) -> bool {
        self.copy.is_none() && !self.fetched
    }

    fn into_remote_state(self, offline: bool) -> RemoteState {
        match (self.copy, self.problem) {
            (Some(copy), None) => RemoteState::Fresh(copy.text),
            (Some(copy), Some(reason)) => RemoteState::Stale {
                since: format_time(copy.checked),
                text: copy.text,
                reason,
            },
            (None, Some(reason)) => RemoteState::Missing { reason },
            (None, None) if offline => RemoteState::Missing {
                reason: "outgoing requests are disabled (`--offline`), and there is no cached copy"
                    .to_owned(),
            },
            (None, None) => RemoteState::Missing {
                reason: "it could not be fetched".to_owned(),
            },
        }
    }
}

fn seconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or(Duration::ZERO).as_secs()
}

/// The last second that an HTTP date can represent.
const MAX_DATE_SECONDS: u64 = 253_402_300_799;

/// Formats a time such as `21 Nov 2026 at 14:03 UTC`.
fn format_time(seconds: u64) -> String {
    let http =
        httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(seconds.min(MAX_DATE_SECONDS)));
    // `Sat, 21 Nov 2026 14:03:11 GMT`
    let parts: Vec<&str> = http.split([' ', ',']).filter(|w| !w.is_empty()).collect();
    match parts.as_slice() {
        [_, day, month, year, time, ..] => {
            let time = time.get(..5).unwrap_or(time);
            format!("{day} {month} {year} at {time} UTC")
        }
        _ => http,
    }
}

#[cfg(test)]
mod tests;
