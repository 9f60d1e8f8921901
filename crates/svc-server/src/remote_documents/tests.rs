//! Decisions of the cache without network access.

use super::*;

#[test]
fn times_are_formatted_for_messages() {
    assert_eq!(format_time(0), "01 Jan 1970 at 00:00 UTC");
    assert_eq!(format_time(1_795_269_791), "21 Nov 2026 at 14:03 UTC");
    assert!(format_time(u64::MAX).contains("9999"));
}

#[test]
fn failed_documents_are_retried_sooner() {
    let documents = RemoteDocumentCache::new(RemoteDocumentOptions::default());
    assert_eq!(documents.refresh_delay(), Some(REMOTE_REFRESH_INTERVAL));
    let failing = CacheEntry {
        problem: Some("gone".into()),
        ..CacheEntry::default()
    };
    documents
        .0
        .entries()
        .insert("https://a.test/x".into(), failing);
    assert_eq!(documents.refresh_delay(), Some(RETRY_DELAY));
    let offline = RemoteDocumentOptions {
        offline: true,
        ..RemoteDocumentOptions::default()
    };
    assert_eq!(RemoteDocumentCache::new(offline).refresh_delay(), None);
}

#[test]
fn changed_options_retain_the_cached_documents() {
    let documents = RemoteDocumentCache::new(RemoteDocumentOptions::default());
    let url = "https://a.test/x".to_owned();
    documents
        .0
        .entries()
        .insert(url.clone(), CacheEntry::default());
    assert!(documents.source().has_unfetched());
    let other = documents.with_options(RemoteDocumentOptions {
        offline: true,
        ..RemoteDocumentOptions::default()
    });
    assert_eq!(other.refresh_delay(), None);
    assert!(!other.source().has_unfetched());
    assert_eq!(other.requested_urls(), BTreeSet::from([url]));
    // The previous handle shares the state.
    other.retain(&BTreeSet::new());
    assert!(documents.requested_urls().is_empty());
}
