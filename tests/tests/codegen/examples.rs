//! The examples of explanations are true: a wrong one has exactly the problem that it explains, and
//! a right one has none.
//!
//! Examples leave out what does not matter. [`completed`] adds a `docs.json` with its required keys,
//! an `index.mdx`, and the beginning of an OpenAPI document.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use svc_diagnostics::{Diagnostic, DiagnosticCode, ExplanationPart, Severity, SourceFile};
use svc_migrate::{Format, Repository};
use svc_server::Settings;

/// Codes that no small repository of text files can show, with the reason.
const WITHOUT_EXAMPLES: &[(&str, &[&str])] = &[
    (
        "needs a document that exceeds a limit",
        &[
            "config-limit",
            "data-limit",
            "mcp-tool-limit",
            "mdx-too-deep",
            "migrate-limit",
            "nav-more-problems",
            "nav-too-deep",
            "nav-too-many-entries",
            "openapi-bundle-limit",
            "page-too-large",
            "remote-too-many",
            "source-too-large",
            "source-too-many-files",
        ],
    ),
    (
        "needs bytes, names, links or permissions that a block of text cannot have",
        &[
            "config-encoding",
            "source-bad-name",
            "source-link-outside",
            "source-not-utf8",
            "source-unreadable",
        ],
    ),
    (
        "needs a Git repository",
        &[
            "git-file-too-large",
            "git-lfs-pointer",
            "git-link-outside",
            "git-submodule",
            "git-unsafe-name",
            "nav-version-ref-content",
            "nav-version-ref-name",
            "nav-version-ref-position",
            "version-ref-limit",
            "version-ref-missing",
            "version-ref-no-config",
            "version-ref-path",
        ],
    ),
    (
        "needs another site",
        &[
            "link-external-broken",
            "link-external-moved",
            "link-external-unchecked",
            "remote-missing",
            "remote-stale",
        ],
    ),
    (
        "needs files, variables or a database of a server",
        &[
            "admin-store",
            "admin-store-newer",
            "settings-certificate",
            "settings-sandbox",
            "settings-secret-readable",
            "settings-secret-short",
        ],
    ),
    (
        "is about how a command is called, not about what a file contains",
        &[
            "audience-unknown-group",
            "export-active-file",
            "export-name",
            "openapi-upgrade-version",
            "redirect-left-out",
            "site-no-config",
            "site-not-openapi",
        ],
    ),
    (
        "needs the digests that `svc i18n record` computes",
        &["translation-outdated"],
    ),
    ("is about files that are missing", &["nav-no-route"]),
    ("is a bug of svc", &["internal-error"]),
];

/// Further codes that a wrong example has, because one problem causes the other.
const CONSEQUENCES: &[(&str, &[&str])] = &[
    // The syntax error in the file is reported where it is, too.
    ("config-ref-invalid", &["data-syntax"]),
    // Without the component, neither its import nor its file can be evaluated.
    (
        "component-invalid",
        &["export-invalid", "import-name-missing"],
    ),
    // Each document of version 2.0 is converted.
    ("openapi-upgrade-assumed", &["openapi-converted"]),
    ("openapi-upgrade-loss", &["openapi-converted"]),
    // The destination does not lead to a page either.
    ("nav-redirect-destination", &["redirect-broken"]),
    ("nav-redirect-loop", &["redirect-broken"]),
];

/// A wrong and a right repository.
struct Examples {
    wrong: BTreeMap<String, String>,
    right: BTreeMap<String, String>,
}

#[test]
fn explanations_have_one_shape() {
    for code in svc_cli::diagnostic_codes() {
        let parts = code.explanation_parts();
        let headings: Vec<&str> = parts.iter().filter_map(heading).collect();
        let is_paragraph =
            |part: &ExplanationPart<'_>| matches!(part, ExplanationPart::Paragraph(_));
        assert!(
            parts.len() >= 2 && parts.iter().take(2).all(is_paragraph),
            "{}: two paragraphs",
            code.id
        );
        let reason = WITHOUT_EXAMPLES
            .iter()
            .find(|(_, codes)| codes.contains(&code.id));
        match reason {
            Some((reason, _)) => assert!(headings.is_empty(), "{} {reason}", code.id),
            None => assert_eq!(headings, ["Wrong", "Right"], "{}", code.id),
        }
        for part in &parts {
            if let ExplanationPart::File { path, language, .. } = part {
                assert!(!path.is_empty() && !language.is_empty(), "{}", code.id);
            }
        }
        assert!(code.explanation.len() < 3_000, "{} is too long", code.id);
    }
}

#[test]
fn exceptions_name_codes_that_exist() {
    let known: BTreeSet<&str> = svc_cli::diagnostic_codes().map(|code| code.id).collect();
    for (_, codes) in WITHOUT_EXAMPLES.iter().chain(CONSEQUENCES) {
        assert!(codes.iter().all(|id| known.contains(id)), "{codes:?}");
    }
}

#[test]
fn examples_are_true() {
    let mut errors = Vec::new();
    for code in svc_cli::diagnostic_codes() {
        let Some(examples) = examples_of(code) else {
            continue;
        };
        let consequences = CONSEQUENCES.iter().find(|(id, _)| *id == code.id);
        let expected: BTreeSet<&str> = consequences
            .map_or(&[] as &[&str], |(_, codes)| *codes)
            .iter()
            .copied()
            .chain([code.id])
            .collect();
        let wrong = check(code.id, examples.wrong);
        let reported: BTreeSet<&str> = wrong.iter().map(|problem| problem.code.id).collect();
        if reported != expected {
            errors.push(format!("{}: wrong example: {wrong:#?}", code.id));
        }
        let mut right = check(code.id, examples.right);
        right.retain(|problem| problem.code == code || problem.severity >= Severity::Warning);
        if !right.is_empty() {
            errors.push(format!("{}: right example: {right:#?}", code.id));
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

fn heading<'a>(part: &ExplanationPart<'a>) -> Option<&'a str> {
    match part {
        ExplanationPart::Heading(heading) => Some(heading),
        _ => None,
    }
}

/// The files below the two headings; `None` without examples.
fn examples_of(code: &DiagnosticCode) -> Option<Examples> {
    let mut examples = [BTreeMap::new(), BTreeMap::new()];
    let mut current = None;
    for part in code.explanation_parts() {
        match part {
            ExplanationPart::Heading("Wrong") => current = Some(0),
            ExplanationPart::Heading(_) => current = Some(1),
            ExplanationPart::Paragraph(_) => {}
            ExplanationPart::File { path, text, .. } => {
                examples[current?].insert(path.to_owned(), text.to_owned());
            }
        }
    }
    let [wrong, right] = examples;
    current.map(|_| Examples { wrong, right })
}

/// Runs what reports the code on the files.
fn check(id: &str, files: BTreeMap<String, String>) -> Vec<Diagnostic> {
    if files.contains_key("mkdocs.yml") {
        let mut repository = Repository::new();
        for (path, text) in &files {
            repository.insert_text(path, text);
        }
        return svc_migrate::migrate(&repository, Format::Mkdocs).diagnostics;
    }
    let is_alone = files.len() == 1;
    let files = completed(files);
    let sources = files
        .iter()
        .map(|(path, text)| SourceFile::new(path.as_str(), text.as_str()));
    if id.starts_with("config-migrate-") {
        let migrated = sources.map(|file| svc_config::migrate(&file));
        return migrated.flat_map(|checked| checked.diagnostics).collect();
    }
    if id.starts_with("openapi-") && is_alone {
        let mut documents = sources.filter(|file| file.path().starts_with("openapi."));
        let document = documents.next().expect("the example has a document");
        return svc_openapi::parse(&document).diagnostics;
    }
    // Components of the examples run in this process.
    svc_site::worker::trust_components();
    let dir = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in &files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(dir.path())).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let settings = dir.path().join(Settings::FILE);
    if settings.exists() {
        let parsed = Settings::from_file(&settings).expect("the file can be read");
        return parsed.diagnostics;
    }
    if id.starts_with("a11y-") {
        let options = svc_site::LoadOptions::default();
        let checked = svc_site::check_accessibility(dir.path(), &options, Default::default());
        return checked.expect("the folder can be read").diagnostics;
    }
    validate(dir.path())
}

fn validate(dir: &Path) -> Vec<Diagnostic> {
    let validated = svc_site::validate(dir, &svc_site::LoadOptions::default());
    validated.expect("the folder can be read").diagnostics
}

/// Adds the parts that examples leave out.
fn completed(mut files: BTreeMap<String, String>) -> BTreeMap<String, String> {
    if let Some(document) = files.get_mut("openapi.yaml") {
        complete_openapi(document);
    }
    if !files.contains_key("mint.json") && !files.contains_key(Settings::FILE) {
        let config = files.remove("docs.json").unwrap_or_default();
        let navigation = navigation(&files);
        files.insert(
            "docs.json".to_owned(),
            complete_config(&config, &navigation),
        );
    }
    files
        .entry("index.mdx".to_owned())
        .or_insert_with(|| "---\ntitle: Plants\n---\n\nWater the plant once a week.\n".to_owned());
    files
}

/// A navigation with the page `index` and the documents of the example.
fn navigation(files: &BTreeMap<String, String>) -> String {
    let mut groups = vec![r#"{"group": "Guides", "pages": ["index"]}"#.to_owned()];
    for (path, key) in [
        ("openapi.yaml", "openapi"),
        ("openapi.json", "openapi"),
        ("tools.json", "mcp"),
    ] {
        if files.contains_key(path) {
            groups.push(format!(r#"{{"group": "API", "{key}": "{path}"}}"#));
        }
    }
    format!(r#"{{"groups": [{}]}}"#, groups.join(", "))
}

/// Adds the required keys to the first line of a `docs.json`, so that lines stay where they are. The
/// text may have syntax errors.
fn complete_config(text: &str, navigation: &str) -> String {
    let keys = [
        ("theme", "\"svc\""),
        ("name", "\"Plants\""),
        ("colors", r##"{"primary": "#0f766e"}"##),
        ("navigation", navigation),
    ];
    let missing = keys
        .iter()
        .filter(|(key, _)| !text.contains(&format!("\n  \"{key}\":")));
    let missing: Vec<String> = missing
        .map(|(key, value)| format!("\"{key}\": {value}"))
        .collect();
    let missing = missing.join(", ");
    match text.strip_prefix("{\n") {
        _ if text.is_empty() => format!("{{{missing}}}\n"),
        Some(rest) if !missing.is_empty() => format!("{{{missing},\n{rest}"),
        _ => text.to_owned(),
    }
}

/// Adds the required keys to an OpenAPI document that does not begin with its version.
fn complete_openapi(text: &mut String) {
    let has = |key: &str| text.lines().any(|line| line.starts_with(key));
    if has("openapi:") || has("swagger:") {
        return;
    }
    let parts = [
        ("openapi:", "openapi: 3.1.0\n"),
        ("info:", "info: {title: Plants, version: '1.0'}\n"),
        ("servers:", "servers: [{url: 'https://api.example.com'}]\n"),
        (
            "paths:",
            "paths: {/plants: {get: {responses: {'200': {description: All plants}}}}}\n",
        ),
    ];
    let missing: String = parts
        .into_iter()
        .filter(|(key, _)| !has(key))
        .map(|(_, line)| line)
        .collect();
    text.insert_str(0, &missing);
}
