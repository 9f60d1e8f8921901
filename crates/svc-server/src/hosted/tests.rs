//! What asking for documents decides by itself.

use super::*;

#[test]
fn times_are_told_in_words() {
    assert_eq!(in_words(0), "01 Jan 1970 at 00:00 UTC");
    assert_eq!(in_words(1_795_269_791), "21 Nov 2026 at 14:03 UTC");
    assert!(in_words(u64::MAX).contains("9999"));
}

#[test]
fn what_cannot_be_had_is_asked_for_again_sooner() {
    let documents = HostedDocuments::new(HostedOptions::default());
    assert_eq!(documents.pause(), Some(HOSTED_EVERY));
    let failing = Known {
        problem: Some("gone".into()),
        ..Known::default()
    };
    documents
        .0
        .known()
        .insert("https://a.test/x".into(), failing);
    assert_eq!(documents.pause(), Some(AGAIN));
    let offline = HostedOptions {
        offline: true,
        ..HostedOptions::default()
    };
    assert_eq!(HostedDocuments::new(offline).pause(), None);
}

#[test]
fn other_options_change_how_documents_are_fetched_and_not_which() {
    let documents = HostedDocuments::new(HostedOptions::default());
    let address = "https://a.test/x".to_owned();
    documents
        .0
        .known()
        .insert(address.clone(), Known::default());
    assert!(documents.source().has_unfetched());
    let other = documents.with(HostedOptions {
        offline: true,
        ..HostedOptions::default()
    });
    assert_eq!(other.pause(), None);
    assert!(!other.source().has_unfetched());
    assert_eq!(other.wanted(), BTreeSet::from([address]));
    // Whoever still has the one of before sees what the other does.
    other.keep(&BTreeSet::new());
    assert!(documents.wanted().is_empty());
}
