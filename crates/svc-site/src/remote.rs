//! Remote OpenAPI documents: which URLs a site references, their state, and their part of the
//! catalog.
//!
//! This module sends no requests. The caller provides the documents as
//! [`LoadOptions::remote`](crate::LoadOptions::remote); without a provider every remote document is
//! missing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use svc_config::{RemoteDocument, SiteConfig, remote_url_of_entry};
use svc_diagnostics::{Diagnostic, Severity, SourceFile};
use svc_openapi::ApiDocument;
use svc_source::PageIndex;
use tracing::debug_span;

use crate::codes::{REMOTE_LIMIT, REMOTE_MISSING, REMOTE_STALE, REMOTE_UNENCRYPTED};
use crate::parallel::{in_parallel, threads};

/// Maximum number of remote documents of a site.
pub const MAX_REMOTE_DOCUMENTS: usize = 50;

/// Provider of remote OpenAPI documents.
pub trait RemoteDocuments: Debug + Send + Sync {
    /// Whether URLs may use `http://`.
    fn allows_http(&self) -> bool;

    /// The known state of the documents at these URLs. May block for the duration of a request.
    fn get(&self, urls: &BTreeSet<String>) -> BTreeMap<String, RemoteState>;

    /// Fetches all documents that were requested before. May block for the duration of a request.
    fn refresh(&self);

    /// Whether documents were requested that have never been fetched.
    fn has_unfetched(&self) -> bool;

    /// Fetches those documents. May block for the duration of a request.
    fn fetch_missing(&self);

    /// Removes all documents except these, because no site references them.
    fn retain(&self, urls: &BTreeSet<String>);

    /// The [`remote_version`] of the cached documents at these URLs.
    fn version(&self, urls: &BTreeSet<String>) -> u64;

    /// A provider that returns only cached documents, for callers that must not choose which hosts
    /// this machine connects to.
    fn cache_only(&self) -> Arc<dyn RemoteDocuments>;
}

/// State of a remote document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemoteState {
    /// The document as of the last fetch.
    Fresh(Arc<str>),
    /// A cached copy; the last fetch failed.
    Stale {
        /// Text of the copy.
        text: Arc<str>,
        /// Time of the last successful fetch, formatted for messages.
        since: String,
        /// Why the fetch failed.
        reason: String,
    },
    /// The document is not available.
    Missing {
        /// Why the document is not available.
        reason: String,
    },
}

impl RemoteState {
    /// The text of the document, fresh or stale. `None` when it is missing.
    pub const fn text(&self) -> Option<&Arc<str>> {
        match self {
            Self::Fresh(text) | Self::Stale { text, .. } => Some(text),
            Self::Missing { .. } => None,
        }
    }
}

/// Hash of the URLs and texts of the available documents. Valid only within one process.
pub fn remote_version(documents: &BTreeMap<String, RemoteState>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (url, state) in documents {
        if let Some(text) = state.text() {
            (url, text).hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Result of loading the remote documents of a site.
#[derive(Debug, Clone, Default)]
pub(crate) struct RemoteStage {
    /// URLs that were requested.
    pub(crate) urls: BTreeSet<String>,
    /// The [`remote_version`] of the loaded documents.
    pub(crate) version: u64,
    /// Stale and missing documents.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Checks that a text is an OpenAPI 3 document with content. Callers keep their cached copy when it
/// is not.
///
/// # Errors
/// The problem, as a predicate for the subject "the document".
pub fn check_remote_document(url: &str, text: &str) -> Result<(), String> {
    let checked = svc_openapi::parse(&SourceFile::new(url, text));
    let broken = |diagnostic: &&Diagnostic| {
        diagnostic.severity >= Severity::Error
            && matches!(diagnostic.code.id, "data-syntax" | "data-limit")
    };
    if let Some(diagnostic) = checked.diagnostics.iter().find(broken) {
        return Err(format!("cannot be read: {}", diagnostic.message));
    }
    match checked.value {
        None => Err("is not an OpenAPI 3 document".to_owned()),
        Some(doc)
            if doc.operations.is_empty()
                && doc.webhooks.is_empty()
                && doc.root.get("components").is_none() =>
        {
            Err("describes no operation and no schema".to_owned())
        }
        Some(_) => Ok(()),
    }
}

/// All references to remote documents in the configuration and in front matter.
pub(crate) fn remote_references(config: &SiteConfig, pages: &PageIndex) -> Vec<RemoteDocument> {
    let mut all = config.remote_documents();
    for page in pages.iter() {
        let fields = &page.front_matter;
        for (key, value) in [
            ("openapi", &fields.openapi),
            ("openapi-schema", &fields.openapi_schema),
        ] {
            if let Some(url) = value.as_deref().and_then(remote_url_of_entry) {
                let span = fields.span_of(key).unwrap_or_default();
                all.push(RemoteDocument {
                    url: url.to_owned(),
                    owner: format!("page `{}`", page.path),
                    location: page.file.location(span),
                    pointer: format!("/{key}"),
                });
            }
        }
    }
    all
}

/// Loads the remote documents of a site. A missing document is reported at each reference, a stale
/// one at the first.
pub(crate) fn documents(
    references: &[RemoteDocument],
    source: Option<&dyn RemoteDocuments>,
) -> (Vec<ApiDocument>, RemoteStage) {
    let _stage = debug_span!("remote OpenAPI documents", count = references.len()).entered();
    let mut diagnostics = Vec::new();
    let allows_http = source.is_some_and(RemoteDocuments::allows_http);
    let plain = |url: &str| !is_encrypted(url) && !allows_http;
    let mut urls = BTreeSet::new();
    for reference in references {
        if urls.len() < MAX_REMOTE_DOCUMENTS && !plain(&reference.url) {
            urls.insert(reference.url.clone());
        }
    }
    let mut states = source.map_or_else(BTreeMap::new, |source| source.get(&urls));
    states.retain(|url, _| urls.contains(url));
    let mut reported = BTreeSet::new();
    for reference in references {
        let problem = if plain(&reference.url) {
            without_encryption(reference)
        } else if urls.contains(&reference.url) {
            let first = reported.insert(&reference.url);
            match problem(reference, states.get(&reference.url), first) {
                Some(problem) => problem,
                None => continue,
            }
        } else {
            Diagnostic::new(
                &REMOTE_LIMIT,
                format!(
                    "the site references more than {MAX_REMOTE_DOCUMENTS} remote documents; {} is loaded without `{}`",
                    reference.owner, reference.url
                ),
            )
            .hint("reference fewer documents, or combine them with `svc openapi bundle`")
        };
        diagnostics.push(
            problem
                .at(reference.location.clone())
                .pointer(reference.pointer.clone()),
        );
    }
    let texts = states
        .iter()
        .filter_map(|(url, state)| Some((url.as_str(), state.text()?)));
    let texts: Vec<(&str, &Arc<str>)> = texts.collect();
    let read = in_parallel(texts.len(), threads(), |at| {
        let (url, text) = texts.get(at)?;
        Some(svc_openapi::parse(&SourceFile::new(*url, Arc::clone(text))))
    });
    let read = read.into_iter().flatten();
    let documents = read.filter_map(|checked| checked.drain_into(&mut diagnostics));
    let documents = documents.collect();
    let stage = RemoteStage {
        urls,
        version: remote_version(&states),
        diagnostics,
    };
    (documents, stage)
}

/// The diagnostic for a reference to a document, if any. `first` is whether this is the first
/// reference to it.
fn problem(doc: &RemoteDocument, state: Option<&RemoteState>, first: bool) -> Option<Diagnostic> {
    let RemoteDocument { url, owner, .. } = doc;
    let missing = |reason: &str| {
        let message = format!("the OpenAPI document `{url}` of {owner} is not available: {reason}");
        Some(
            Diagnostic::new(&REMOTE_MISSING, message).hint(
                "check the URL, or store the document in the repository; its pages are omitted",
            ),
        )
    };
    match state {
        Some(RemoteState::Fresh(_)) => None,
        Some(RemoteState::Stale { since, reason, .. }) => first.then(|| {
            let message = format!(
                "{owner} uses the copy of the OpenAPI document `{url}` from {since}: {reason}"
            );
            Diagnostic::new(&REMOTE_STALE, message)
                .hint("check the URL; the copy is used until the document can be fetched")
        }),
        Some(RemoteState::Missing { reason }) => missing(reason),
        None => missing("remote documents are not fetched here"),
    }
}

fn without_encryption(doc: &RemoteDocument) -> Diagnostic {
    let RemoteDocument { url, owner, .. } = doc;
    let message = format!("the URL `{url}` of an OpenAPI document of {owner} does not use HTTPS");
    Diagnostic::new(&REMOTE_UNENCRYPTED, message)
        .hint("use `https://`; for local development `--local-schema` allows `http://`")
}

/// Whether a URL begins with `https://`.
fn is_encrypted(url: &str) -> bool {
    url.get(..8)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"))
}
