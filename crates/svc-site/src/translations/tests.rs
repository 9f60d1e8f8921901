//! Tests of outdated pages on small sites in memory.

use svc_diagnostics::{Checked, Severity};
use svc_source::SourceTree;

use super::*;
use crate::dates::LastModified;
use crate::stages::{Previous, Remote, build};
use crate::{LoadOptions, assemble};

const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"}, I18N
  "navigation": {"languages": [
    {"language": "en", "pages": ["index", "install", "only"]},
    {"language": "de", "pages": ["de/index", "de/install", "de/extra"]},
    {"language": "fr", "pages": ["fr/install"]}]}}"##;

const INSTALL: &str = "---\ntitle: Install\n---\nIntro.\n\n## First\n\nOne.\n\n## Second\n\nTwo.\n";

fn tree(install: &str, lock: Option<&str>, i18n: &str) -> SourceTree {
    let config = CONFIG.replace("I18N", i18n);
    let mut files = vec![
        ("docs.json", &*config),
        ("index.mdx", "Home."),
        ("install.mdx", install),
        ("only.mdx", "Only."),
        ("de/index.mdx", "Start."),
        (
            "de/install.mdx",
            "---\ntitle: Einrichten\n---\nEinleitung.\n",
        ),
        ("de/extra.mdx", "Mehr."),
        ("fr/install.mdx", "Introduction."),
    ];
    files.extend(lock.map(|lock| (TRANSLATION_LOCK, lock)));
    SourceTree::from_files(files)
}

fn site(install: &str, lock: Option<&str>) -> Site {
    let tree = tree(install, lock, "");
    assemble(tree, &LoadOptions::default()).unwrap().value
}

/// The site after its files have changed to these.
fn reload(before: &Site, tree: SourceTree) -> Site {
    let previous = Previous::of(before, Remote::UseCached);
    let dates = |_: Option<&LastModified>| LastModified::default();
    let options = LoadOptions::default();
    build(Checked::clean(tree), &options, &dates, previous)
        .unwrap()
        .value
}

/// The lock in which all pages are translated from the present text.
fn recorded() -> String {
    site(INSTALL, None).record_translations(|_| true).0
}

fn states(site: &Site) -> Vec<String> {
    let all = site.translations().into_iter();
    all.map(|translation| {
        let page = translation.page.as_deref().unwrap_or("-");
        let state = match &translation.state {
            TranslationState::Missing => "missing".to_owned(),
            TranslationState::Unrecorded => "unrecorded".to_owned(),
            TranslationState::Current => "current".to_owned(),
            TranslationState::Outdated(changes) => {
                let changes = changes.iter();
                let changes = changes.map(|one| format!("{} {}", one.change.as_str(), one.title));
                changes.collect::<Vec<_>>().join(", ")
            }
        };
        format!(
            "{} {} {page}: {state}",
            translation.language, translation.source
        )
    })
    .collect()
}

#[test]
fn pages_of_other_languages_have_a_state() {
    assert_eq!(
        states(&site(INSTALL, None)),
        [
            "de index.mdx de/index.mdx: unrecorded",
            "de install.mdx de/install.mdx: unrecorded",
            "de only.mdx -: missing",
            "fr index.mdx -: missing",
            "fr install.mdx fr/install.mdx: unrecorded",
            "fr only.mdx -: missing",
        ]
    );
    let lock = recorded();
    let current = states(&site(INSTALL, Some(&lock)));
    assert_eq!(current[1], "de install.mdx de/install.mdx: current");
    let changed = INSTALL
        .replace("One.", "1.")
        .replace("## Second", "## Third");
    let changed = states(&site(&changed, Some(&lock)));
    assert_eq!(
        changed[1],
        "de install.mdx de/install.mdx: changed First, added Third, removed second"
    );
    assert_eq!(changed[0], "de index.mdx de/index.mdx: current");
}

#[test]
fn recording_replaces_the_selected_pages_only() {
    let lock = recorded();
    let site = site(&INSTALL.replace("One.", "1."), Some(&lock));
    let (same, none) = site.record_translations(|_| false);
    assert!(none.is_empty() && same == lock);
    let (next, recorded) =
        site.record_translations(|one| one.page.as_deref() == Some("fr/install.mdx"));
    assert_eq!(recorded.len(), 1);
    let next = states(&self::site(&INSTALL.replace("One.", "1."), Some(&next)));
    assert_eq!(next[1], "de install.mdx de/install.mdx: changed First");
    assert_eq!(next[4], "fr install.mdx fr/install.mdx: current");
    // Records of pages that are gone are removed.
    let stale = lock.replace("fr/install.mdx", "fr/gone.mdx");
    let (cleaned, _) = self::site(INSTALL, Some(&stale)).record_translations(|_| false);
    assert!(!cleaned.contains("gone") && cleaned.contains("de/install.mdx"));
}

#[test]
fn outdated_pages_are_reported_and_have_a_note() {
    let lock = recorded();
    let shows = |site: &Site, path: &str| {
        let page = site.page(path).unwrap();
        String::from_utf8_lossy(&page.html.bytes).contains("svc-outdated\"")
    };
    let current = site(INSTALL, Some(&lock));
    assert!(current.report_translations().is_empty() && !shows(&current, "/de/install"));
    // The source changes while the site is served.
    let changed = tree(&INSTALL.replace("Two.", "2."), Some(&lock), "");
    let next = reload(&current, changed);
    assert!(shows(&next, "/de/install") && shows(&next, "/fr/install"));
    assert!(!shows(&next, "/install") && !shows(&next, "/de"));
    let diagnostics = next.report_translations();
    let [german, french] = &*diagnostics else {
        panic!("{diagnostics:?}");
    };
    assert_eq!(german.code.id, "translation-outdated");
    assert_eq!(german.severity, Severity::Info);
    assert_eq!(&*german.location.as_ref().unwrap().file, "de/install.mdx");
    assert_eq!(&*french.location.as_ref().unwrap().file, "fr/install.mdx");
    assert!(
        german.message.ends_with("have changed: `Second`"),
        "{}",
        german.message
    );
    // Recording ends it.
    let lock = next.record_translations(|_| true).0;
    let again = tree(&INSTALL.replace("Two.", "2."), Some(&lock), "");
    let last = reload(&next, again);
    assert!(!shows(&last, "/de/install") && last.report_translations().is_empty());
    // The setting turns off the note, not the diagnostic.
    let off = tree(INSTALL, Some(&lock), r#""i18n": {"outdated": false},"#);
    let off = assemble(off, &LoadOptions::default()).unwrap().value;
    assert!(!shows(&off, "/de/install") && off.report_translations().len() == 2);
}

#[test]
fn each_version_has_languages_of_its_own() {
    let config = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
      "navigation": {"versions": [
        {"version": "2", "languages": [{"language": "en", "pages": ["2/a", "2/b"]}, {"language": "de", "pages": ["2/de/a"]}]},
        {"version": "1", "languages": [{"language": "en", "pages": ["1/a"]}, {"language": "de", "pages": ["1/de/a"]}]}]}}"##;
    let names = ["2/a", "2/b", "2/de/a", "1/a", "1/de/a"];
    let mut files = vec![("docs.json".to_owned(), config)];
    files.extend(names.map(|name| (format!("{name}.mdx"), "Text.")));
    let site = assemble(SourceTree::from_files(files), &LoadOptions::default())
        .unwrap()
        .value;
    assert_eq!(
        states(&site),
        [
            "de 2/a.mdx 2/de/a.mdx: unrecorded",
            "de 2/b.mdx -: missing",
            "de 1/a.mdx 1/de/a.mdx: unrecorded",
        ]
    );
}
