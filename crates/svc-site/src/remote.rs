//! OpenAPI documents that stand elsewhere: which ones a site names, what became of them, and their
//! part of the catalogue.
//!
//! Nothing here sends a request. Whoever loads the site brings the documents
//! ([`LoadOptions::hosted`](crate::LoadOptions)); without that every one of them is missing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use svc_config::{RemoteDocument, SiteConfig, remote_url_of_entry};
use svc_diagnostics::{Diagnostic, Severity, SourceFile};
use svc_openapi::ApiDocument;
use svc_source::PageIndex;

use crate::codes::{REMOTE_LIMIT, REMOTE_MISSING, REMOTE_STALE, REMOTE_UNENCRYPTED};
use crate::load::{in_parallel, threads};

/// Hosted documents of one site at most.
pub const MAX_REMOTE_DOCUMENTS: usize = 50;

/// What brings hosted documents.
pub trait RemoteDocuments: Debug + Send + Sync {
    /// Whether addresses may begin with `http://`.
    fn allows_http(&self) -> bool;

    /// What is at these addresses, as far as it is known. May take as long as a request does.
    fn get(&self, addresses: &BTreeSet<String>) -> BTreeMap<String, RemoteState>;

    /// Asks for everything that was wanted before. May take as long as a request does.
    fn refresh(&self);

    /// Whether documents were wanted that nothing is known of and nobody has asked for.
    fn has_unfetched(&self) -> bool;

    /// Asks for those. May take as long as a request does.
    fn fetch_missing(&self);

    /// Forgets all documents but these: no site names the others any more.
    fn retain(&self, addresses: &BTreeSet<String>);

    /// The [`remote_version`] of what is known at these addresses.
    fn version(&self, addresses: &BTreeSet<String>) -> u64;

    /// The same, for those who may not choose what this machine connects to: nothing but copies.
    fn cache_only(&self) -> Arc<dyn RemoteDocuments>;
}

/// What is known of a hosted document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemoteState {
    /// This is it.
    Fresh(Arc<str>),
    /// A copy from before; the newest could not be had.
    Stale {
        /// The copy.
        text: Arc<str>,
        /// When it was right, in words.
        since: String,
        /// Why there is nothing newer.
        why: String,
    },
    /// There is none.
    Missing {
        /// Why.
        why: String,
    },
}

impl RemoteState {
    /// The document, be it the newest or not.
    pub const fn text(&self) -> Option<&Arc<str>> {
        match self {
            Self::Fresh(text) | Self::Stale { text, .. } => Some(text),
            Self::Missing { .. } => None,
        }
    }
}

/// Another number for other documents, whatever is known of them besides. It means nothing to other
/// programs.
pub fn remote_version(documents: &BTreeMap<String, RemoteState>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (address, found) in documents {
        if let Some(text) = found.text() {
            (address, text).hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// What a site took of the documents that it names.
#[derive(Debug, Clone, Default)]
pub(crate) struct RemoteStage {
    /// The addresses that were asked for.
    pub(crate) urls: BTreeSet<String>,
    /// The [`remote_version`] of what was there.
    pub(crate) version: u64,
    /// What was old or not there.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Whether a text can be shown as an OpenAPI document. The caller keeps what it had before when it
/// cannot.
///
/// # Errors
/// What is wrong, in words that continue "the document".
pub fn check_remote_document(address: &str, text: &str) -> Result<(), String> {
    let checked = svc_openapi::parse(&SourceFile::new(address, text));
    let broken = |found: &&Diagnostic| {
        found.severity >= Severity::Error && matches!(found.code.id, "data-syntax" | "data-limit")
    };
    if let Some(found) = checked.diagnostics.iter().find(broken) {
        return Err(format!("cannot be read: {}", found.message));
    }
    match checked.value {
        None => Err("is no OpenAPI document of version 3".to_owned()),
        Some(document)
            if document.operations.is_empty()
                && document.webhooks.is_empty()
                && document.root.get("components").is_none() =>
        {
            Err("describes no operation and no schema".to_owned())
        }
        Some(_) => Ok(()),
    }
}

/// Everything that names a hosted document.
pub(crate) fn remote_references(config: &SiteConfig, pages: &PageIndex) -> Vec<RemoteDocument> {
    let mut all = config.remote_documents();
    for page in pages.iter() {
        let fields = &page.front_matter;
        for (key, value) in [
            ("openapi", &fields.openapi),
            ("openapi-schema", &fields.openapi_schema),
        ] {
            if let Some(address) = value.as_deref().and_then(remote_url_of_entry) {
                let span = fields.span_of(key).unwrap_or_default();
                all.push(RemoteDocument {
                    url: address.to_owned(),
                    owner: format!("page `{}`", page.path),
                    location: page.file.location(span),
                    pointer: format!("/{key}"),
                });
            }
        }
    }
    all
}

/// The hosted documents of a site. What is missing is reported at each place that names it, what
/// is old at the first one.
pub(crate) fn documents(
    named: &[RemoteDocument],
    source: Option<&dyn RemoteDocuments>,
) -> (Vec<ApiDocument>, RemoteStage) {
    let mut diagnostics = Vec::new();
    let allows_http = source.is_some_and(RemoteDocuments::allows_http);
    let plain = |address: &str| !is_encrypted(address) && !allows_http;
    let mut wanted = BTreeSet::new();
    for one in named {
        if wanted.len() < MAX_REMOTE_DOCUMENTS && !plain(&one.url) {
            wanted.insert(one.url.clone());
        }
    }
    let mut found = source.map_or_else(BTreeMap::new, |source| source.get(&wanted));
    found.retain(|address, _| wanted.contains(address));
    let mut told = BTreeSet::new();
    for one in named {
        let problem = if plain(&one.url) {
            without_encryption(one)
        } else if wanted.contains(&one.url) {
            let first = told.insert(&one.url);
            match problem(one, found.get(&one.url), first) {
                Some(problem) => problem,
                None => continue,
            }
        } else {
            Diagnostic::new(
                &REMOTE_LIMIT,
                format!(
                    "the site names more than {MAX_REMOTE_DOCUMENTS} hosted documents; {} does without `{}`",
                    one.owner, one.url
                ),
            )
            .hint("name fewer, or put them together into one with `svc openapi bundle`")
        };
        diagnostics.push(
            problem
                .at(one.location.clone())
                .pointer(one.pointer.clone()),
        );
    }
    let texts = found
        .iter()
        .filter_map(|(address, found)| Some((address.as_str(), found.text()?)));
    let texts: Vec<(&str, &Arc<str>)> = texts.collect();
    let read = in_parallel(texts.len(), threads(), |at| {
        let (address, text) = texts.get(at)?;
        Some(svc_openapi::parse(&SourceFile::new(
            *address,
            Arc::clone(text),
        )))
    });
    let read = read.into_iter().flatten();
    let documents = read.filter_map(|checked| checked.drain_into(&mut diagnostics));
    let documents = documents.collect();
    let taken = RemoteStage {
        urls: wanted,
        version: remote_version(&found),
        diagnostics,
    };
    (documents, taken)
}

/// What is to be said about a document at a place that names it.
fn problem(one: &RemoteDocument, found: Option<&RemoteState>, first: bool) -> Option<Diagnostic> {
    let RemoteDocument {
        url: address,
        owner,
        ..
    } = one;
    let missing = |why: &str| {
        let message = format!("{owner} does without its OpenAPI document `{address}`: {why}");
        Some(Diagnostic::new(&REMOTE_MISSING, message).hint(
            "check the address, or store the document in the repository; its pages are left out",
        ))
    };
    match found {
        Some(RemoteState::Fresh(_)) => None,
        Some(RemoteState::Stale { since, why, .. }) => first.then(|| {
            let message = format!(
                "{owner} shows the OpenAPI document `{address}` as it was on {since}: {why}"
            );
            Diagnostic::new(&REMOTE_STALE, message).hint(
                "check what stands at the address; the copy is used until it can be read again",
            )
        }),
        Some(RemoteState::Missing { why }) => missing(why),
        None => missing("nothing is fetched here"),
    }
}

fn without_encryption(one: &RemoteDocument) -> Diagnostic {
    let RemoteDocument {
        url: address,
        owner,
        ..
    } = one;
    let message = format!("{owner} names the OpenAPI document `{address}` without encryption");
    Diagnostic::new(&REMOTE_UNENCRYPTED, message)
        .hint("write `https://`; on your own machine `--local-schema` allows `http://`")
}

/// Whether an address begins with `https://`.
fn is_encrypted(address: &str) -> bool {
    address
        .get(..8)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"))
}
