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
