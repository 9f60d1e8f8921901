//! Public information of GitHub about the repositories that a site shows. It is fetched in the
//! background and cached in a file; until then, pages do without it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::{Value, json};
use svc_fetch::{
    Client, ConditionalResponse, FetchCounters, FetchError, FetchLimits, Policy, Validators,
};
use svc_site::{Repositories, Repository};

/// URL of the GitHub REST API.
const API: &str = "https://api.github.com";
/// How long a response is cached, in seconds.
const CACHE_TTL: u64 = 6 * 60 * 60;
/// How long no request is sent after a failure, in seconds.
const RETRY_DELAY: u64 = 60 * 60;
/// Maximum number of repositories. GitHub allows 60 requests per hour without authentication; with
/// a cache of six hours, 300 repositories stay below this limit.
const MAX_REPOSITORIES: usize = 300;
/// Maximum size of the cache file, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// Maximum length of a description in characters.
const MAX_DESCRIPTION_CHARS: usize = 300;

/// Options of the GitHub client.
#[derive(Debug, Clone)]
pub struct GitHubOptions {
    /// URL of the REST API.
    pub api: String,
    /// Cache file; without one the data is fetched after each start.
    pub file: Option<PathBuf>,
    /// Hosts that can be reached in addition to the public internet.
    pub policy: Policy,
}

impl GitHubOptions {
    /// The public GitHub API, with a cache file in `dir` if it is not `None`.
    pub fn cached_in(dir: Option<&Path>) -> Self {
        Self {
            api: API.to_owned(),
            file: dir.map(|dir| dir.join("github.json")),
            policy: Policy::default(),
        }
    }
}

/// Cache of information about repositories.
#[derive(Debug)]
pub(crate) struct GitHub {
    options: GitHubOptions,
    client: Client,
    entries: Mutex<BTreeMap<String, RepositoryEntry>>,
}

/// Cache entry of a repository.
#[derive(Debug, Clone, Default)]
struct RepositoryEntry {
    /// `None` if the repository does not exist or was not fetched yet.
    repository: Option<Repository>,
    etag: Option<String>,
    /// Time of the next request, in seconds since the Unix epoch.
    due: u64,
}

impl GitHub {
    /// Creates a cache with the contents of the cache file.
    pub(crate) fn new(options: GitHubOptions) -> Self {
        let limits = FetchLimits {
            max_body_bytes: 1 << 20,
            ..FetchLimits::default()
        };
        let known = options.file.as_deref().map(read).unwrap_or_default();
        Self {
            client: Client::new(options.policy.clone(), limits),
            entries: Mutex::new(known),
            options,
        }
    }

    /// The same cache with counters of its requests.
    pub(crate) fn counted_by(mut self, counters: Arc<FetchCounters>) -> Self {
        self.client = self.client.counted_by(counters);
        self
    }

    /// All cached repositories.
    pub(crate) fn repositories(&self) -> Arc<Repositories> {
        let known = self.entries();
        let repositories = known
            .iter()
            .filter_map(|(slug, known)| Some((slug.clone(), known.repository.clone()?)));
        Arc::new(repositories.collect())
    }

    /// Fetches the repositories among `slugs` that are due.
    pub(crate) async fn refresh(&self, slugs: &BTreeSet<String>) {
        let mut fetched = false;
        for slug in slugs.iter().take(MAX_REPOSITORIES) {
            let now = now();
            let known = self.entries().get(slug).cloned().unwrap_or_default();
            // A time far in the future was written with a wrong system clock.
            if known.due > now && known.due <= now + 2 * CACHE_TTL {
                continue;
            }
            fetched = true;
            let (known, go_on) = self.fetch(slug, known, now).await;
            self.entries().insert(slug.clone(), known);
            if !go_on {
                let mut known = self.entries();
                for slug in slugs.iter().take(MAX_REPOSITORIES) {
                    let known = known.entry(slug.clone()).or_default();
                    known.due = known.due.max(now + RETRY_DELAY);
                }
                break;
            }
        }
        if fetched {
            self.entries().retain(|slug, _| slugs.contains(slug));
            self.write();
        }
    }

    /// Fetches a repository. Returns its entry, and whether further requests make sense.
    async fn fetch(
        &self,
        slug: &str,
        mut known: RepositoryEntry,
        now: u64,
    ) -> (RepositoryEntry, bool) {
        let validators = Validators {
            etag: known.etag.clone(),
            last_modified: None,
        };
        let mut headers = HeaderMap::new();
        let agent = concat!("svc/", env!("CARGO_PKG_VERSION"));
        for (name, value) in [
            (header::USER_AGENT, agent),
            (header::ACCEPT, "application/vnd.github+json"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let text = format!("{}/repos/{slug}", self.options.api);
        let response = match svc_fetch::parse_url(&text) {
            Ok(url) => self.client.get_if_changed(url, headers, &validators).await,
            Err(error) => Err(error),
        };
        known.due = now + CACHE_TTL;
        match response {
            Ok(ConditionalResponse::Unchanged) => {}
            Ok(ConditionalResponse::Changed { bytes, validators }) => {
                let document: Option<Value> = serde_json::from_slice(&bytes).ok();
                known.repository = document.as_ref().and_then(|document| {
                    let count = |key: &str| document.get(key).and_then(Value::as_u64);
                    from(document, count("stargazers_count")?, count("forks_count")?)
                });
                known.etag = validators.etag;
            }
            Ok(ConditionalResponse::Failed(
                StatusCode::NOT_FOUND | StatusCode::UNAVAILABLE_FOR_LEGAL_REASONS,
            )) => {
                known = RepositoryEntry {
                    due: known.due,
                    ..RepositoryEntry::default()
                };
            }
            // Rate limited or unreachable: the cached data stays in use.
            Ok(ConditionalResponse::Failed(_))
            | Err(
                FetchError::NotPublic { .. }
                | FetchError::Unreachable { .. }
                | FetchError::UnknownHost(_)
                | FetchError::Timeout { .. },
            ) => {
                known.due = now + RETRY_DELAY;
                return (known, false);
            }
            Err(_) => known.due = now + RETRY_DELAY,
        }
        (known, true)
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<String, RepositoryEntry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the cache file. If this fails, the data is fetched again after the next start.
    fn write(&self) {
        let Some(file) = &self.options.file else {
            return;
        };
        let entry = |(slug, known): (&String, &RepositoryEntry)| {
            let repository = known.repository.as_ref();
            let value = json!({
                "description": repository.map(|repository| &repository.description),
                "stars": repository.map(|repository| repository.stars),
                "forks": repository.map(|repository| repository.forks),
                "etag": known.etag,
                "due": known.due,
            });
            (slug.clone(), value)
        };
        let text: serde_json::Map<String, Value> = self.entries().iter().map(entry).collect();
        let text = Value::Object(text).to_string();
        let _ = crate::data_files::replace(file, text.as_bytes());
    }
}

/// Reads the cache file; empty if it cannot be read.
fn read(file: &Path) -> BTreeMap<String, RepositoryEntry> {
    let mut text = String::new();
    let read = std::fs::File::open(file)
        .and_then(|file| file.take(MAX_FILE_BYTES).read_to_string(&mut text));
    let all: Value = match read.map(|_| serde_json::from_str(&text)) {
        Ok(Ok(all)) => all,
        _ => return BTreeMap::new(),
    };
    let entry = |(slug, entry): (&String, &Value)| {
        let number = |key: &str| entry.get(key).and_then(Value::as_u64);
        let counts = number("stars").zip(number("forks"));
        let known = RepositoryEntry {
            repository: counts.and_then(|(stars, forks)| from(entry, stars, forks)),
            etag: entry.get("etag").and_then(Value::as_str).map(str::to_owned),
            due: number("due").unwrap_or(0),
        };
        (slug.clone(), known)
    };
    let all = all.as_object().into_iter().flatten();
    all.take(MAX_REPOSITORIES).map(entry).collect()
}

fn from(value: &Value, stars: u64, forks: u64) -> Option<Repository> {
    let description = value.get("description")?;
    let description = description.as_str().unwrap_or_default();
    Some(Repository {
        description: description.chars().take(MAX_DESCRIPTION_CHARS).collect(),
        stars,
        forks,
    })
}

/// Seconds since the Unix epoch.
fn now() -> u64 {
    crate::deploy::now() / 1000
}
