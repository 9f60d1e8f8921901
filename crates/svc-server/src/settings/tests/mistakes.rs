//! Invalid settings of every kind.

use proptest::prelude::*;
use svc_diagnostics::Severity;

use super::cases::{CASES, changed};
use super::*;

#[test]
fn every_mistake_is_reported_at_its_location() {
    let mut errors = Vec::new();
    for (part, with, expected) in CASES {
        let toml = changed(part, with);
        let read = read(&toml);
        if diagnostics(&read) != *expected {
            errors.push(format!(
                "{with:?}: {:?}, not {expected:?}",
                diagnostics(&read)
            ));
        }
        let fails = read
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity >= Severity::Error);
        assert_eq!(read.settings.is_none(), fails, "{toml}");
        for diagnostic in &read.diagnostics {
            let hint = diagnostic.hint.as_ref();
            assert!(hint.is_some_and(|hint| !hint.is_empty()), "{toml}");
            let capital = diagnostic
                .message
                .chars()
                .next()
                .is_some_and(char::is_uppercase);
            assert!(
                !capital && !diagnostic.message.ends_with('.'),
                "{diagnostic:?}"
            );
        }
    }
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn all_mistakes_are_reported_in_one_pass() {
    let toml = "keeep = 3\nlisten = 1\n[[projects]]\nid = \"A\"\n[[projects]]\nid = \"b\"\nhosts = [\"b:1\"]\nsource.folder = 2\n";
    let codes: Vec<String> = diagnostics(&read(toml));
    assert_eq!(codes.len(), 8, "{codes:#?}");
}

#[test]
fn a_misspelled_key_gets_a_suggestion() {
    for (with, suggestion) in [
        ("lisen = \"x\"\n", "`listen`"),
        ("docs_domian = \"a.b\"\n", "`docs_domain`"),
    ] {
        let read = read(&changed("^", with));
        let hint = read
            .diagnostics
            .first()
            .and_then(|diagnostic| diagnostic.hint.clone());
        assert!(
            hint.is_some_and(|hint| hint.contains(suggestion)),
            "{suggestion}"
        );
    }
}

#[test]
fn a_missing_docs_domain_is_reported_with_the_key_that_uses_it() {
    for (with, key) in [
        ("[admin]\nhost = \"admin.{docs_domain}\"\n", "`host`"),
        ("previews.host = \"{preview}.{docs_domain}\"\n", "`host`"),
        (
            "[[projects]]\nid = \"b\"\nhosts = \"b.{docs_domain}\"\nsource.folder = \"b\"\n",
            "`hosts`",
        ),
    ] {
        let read = read(&changed("$", with));
        let mut diagnostics = read.diagnostics.iter();
        let diagnostic = diagnostics.find(|diagnostic| diagnostic.message.contains("docs_domain"));
        let message = diagnostic.map(|diagnostic| &*diagnostic.message);
        assert!(
            message.is_some_and(|message| message.starts_with(&format!("invalid {key}: "))),
            "{message:?}"
        );
    }
}

#[test]
fn duplicate_claims_have_two_labels() {
    let read = read(&changed(
        "$",
        "[[projects]]\nid = \"b\"\nhosts = \"a.example\"\nsource.folder = \"b\"\n",
    ));
    let label = read
        .diagnostics
        .first()
        .and_then(|diagnostic| diagnostic.labels.first());
    assert_eq!(label.map(|label| label.location.start.line), Some(4));
}

#[test]
fn a_secret_in_the_file_is_never_shown() {
    for (part, with, _) in CASES.iter().filter(|(_, with, _)| with.contains("hunter2")) {
        let shown = read(&changed(part, with)).render_text();
        assert!(!shown.is_empty() && !shown.contains("hunter2"), "{shown}");
    }
    for broken in [
        "webhook.secret = hunter2\n",
        "webhook = { secret = 'hunter2\n",
        "webhook = { \"secret\" = hunter2 }\n",
        "webhook.secret = \"\"\"\n\nhunter2 \"\"\"\nwebhook.secret = 1\n",
    ] {
        let shown = read(&changed("$", broken)).render_text();
        assert!(!shown.is_empty() && !shown.contains("hunter2"), "{shown}");
    }
}

proptest! {
    #[test]
    fn no_text_panics_the_parser(pieces in prop::collection::vec(
        prop::sample::select(vec![
            "[[projects]]\n", "[projects]\n", "[projects.source]\n", "projects = 3\n", "id = \"a\"\n",
            "hosts = [\"a\", 3, {}]\n", "folder = \"\\u0000\"\n", "git = \"a@b:\"\n", "previews = []\n",
            "[projects.previews]\nhost = \"{preview}.é.x\"\n", "secret = \"\"\"\n", "=", "\"", "é", "\r\n", "[", "]", "{", "}", ".", "'", "webhook.secret", " = ",
        ]), 0..40)) {
        let toml = pieces.concat();
        let read = read(&toml);
        let _ = read.render_text();
        let failed = read
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity >= Severity::Error);
        prop_assert_eq!(read.settings.is_none(), failed);
    }
}
