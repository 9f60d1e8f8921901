//! What GitHub tells everybody of the repositories that a site shows: asked for in the background,
//! seldom, and kept in a file. Pages do without it until it is there.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::{Value, json};
use svc_fetch::{Client, ConditionalResponse, FetchError, FetchLimits, Policy, Validators};
use svc_site::{Repositories, Repository};

/// Where GitHub answers programs.
const API: &str = "https://api.github.com";
/// How long an answer is good for, in seconds.
const CACHE_TTL: u64 = 6 * 60 * 60;
/// How long nothing is asked after a failure, in seconds.
const RETRY_DELAY: u64 = 60 * 60;
/// Repositories that are asked about: GitHub answers 60 questions an hour, and an answer is good for
/// six. Those beyond the 60 wait for the next hour.
const MAX_REPOSITORIES: usize = 300;
/// Bytes of the file that are read.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// Characters of a description that are kept.
const MAX_DESCRIPTION_CHARS: usize = 300;

/// Whom to ask, and where to keep the answers.
#[derive(Debug, Clone)]
pub struct GitHubOptions {
    /// The address of the programming interface.
    pub api: String,
    /// The file that keeps the answers; without it they are asked for after each start.
    pub file: Option<PathBuf>,
    /// What may be reached besides the public internet.
    pub policy: Policy,
}

impl GitHubOptions {
    /// GitHub itself; answers are kept in a folder.
    pub fn cached_in(folder: Option<&Path>) -> Self {
        Self {
            api: API.to_owned(),
            file: folder.map(|folder| folder.join("github.json")),
            policy: Policy::default(),
        }
    }
}

/// The repositories of a site.
#[derive(Debug)]
pub(crate) struct GitHub {
    options: GitHubOptions,
    client: Client,
    entries: Mutex<BTreeMap<String, RepositoryEntry>>,
}

/// What is known of one repository.
#[derive(Debug, Clone, Default)]
struct RepositoryEntry {
    /// Nothing when there is none of this name, or it was never told.
    repository: Option<Repository>,
    etag: Option<String>,
    /// When to ask again, in seconds since 1970.
    due: u64,
}

impl GitHub {
    /// Begins with what the file holds.
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

    /// All that is known.
    pub(crate) fn repositories(&self) -> Arc<Repositories> {
        let known = self.entries();
        let told = known
            .iter()
            .filter_map(|(slug, known)| Some((slug.clone(), known.repository.clone()?)));
        Arc::new(told.collect())
    }

    /// Asks for what is due among `wanted`.
    pub(crate) async fn refresh(&self, wanted: &BTreeSet<String>) {
        let mut asked = false;
        for slug in wanted.iter().take(MAX_REPOSITORIES) {
            let now = now();
            let known = self.entries().get(slug).cloned().unwrap_or_default();
            // A time far ahead was written by a clock that was wrong.
            if known.due > now && known.due <= now + 2 * CACHE_TTL {
                continue;
            }
            asked = true;
            let (known, go_on) = self.fetch(slug, known, now).await;
            self.entries().insert(slug.clone(), known);
            if !go_on {
                let mut known = self.entries();
                for slug in wanted.iter().take(MAX_REPOSITORIES) {
                    let known = known.entry(slug.clone()).or_default();
                    known.due = known.due.max(now + RETRY_DELAY);
                }
                break;
            }
        }
        if asked {
            self.entries().retain(|slug, _| wanted.contains(slug));
            self.write();
        }
    }

    /// What is known after one question, and whether another one makes sense.
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
        let address = format!("{}/repos/{slug}", self.options.api);
        let answer = match svc_fetch::parse_url(&address) {
            Ok(url) => self.client.get_if_changed(url, headers, &validators).await,
            Err(error) => Err(error),
        };
        known.due = now + CACHE_TTL;
        match answer {
            Ok(ConditionalResponse::Unchanged) => {}
            Ok(ConditionalResponse::Changed { bytes, validators }) => {
                let told: Option<Value> = serde_json::from_slice(&bytes).ok();
                known.repository = told.as_ref().and_then(|told| {
                    let count = |key: &str| told.get(key).and_then(Value::as_u64);
                    from(told, count("stargazers_count")?, count("forks_count")?)
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
            // Too many questions, or nobody there: what was known is still shown.
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

    /// Writes the file; one that cannot be written is only missed after the next start.
    fn write(&self) {
        let Some(file) = &self.options.file else {
            return;
        };
        let entry = |(slug, known): (&String, &RepositoryEntry)| {
            let told = known.repository.as_ref();
            let value = json!({
                "description": told.map(|told| &told.description),
                "stars": told.map(|told| told.stars),
                "forks": told.map(|told| told.forks),
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

/// What the file holds; nothing for one that cannot be read.
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

/// Seconds since 1970.
fn now() -> u64 {
    crate::deploy::now() / 1000
}
