//! `book.toml`.

use serde_json::{Map, Value, json};
use svc_data::{Limits, parse_toml};
use svc_diagnostics::{Diagnostic, DiagnosticCode, SourceFile};

use crate::Repository;
use crate::codes::MIGRATE_SETTING;
use crate::markdown::diagnostic_at_line;
use crate::path::{join, parent, resolve};
use crate::site::SitePlan;

/// Preprocessors that are part of mdBook, or whose syntax is converted.
const KNOWN: [&str; 4] = ["links", "index", "admonish", "toc"];

/// The configuration of the book.
pub(super) struct Config<'a> {
    file: &'a SourceFile,
    value: Value,
    /// Folder of the chapters.
    pub(super) source: String,
    dir: String,
}

impl<'a> Config<'a> {
    pub(super) fn new(file: &'a SourceFile) -> Self {
        let value = parse_toml(file, &Limits::default()).value.to_json();
        let dir = parent(file.path()).to_owned();
        let source = value.pointer("/book/src").and_then(Value::as_str);
        let source = resolve(&dir, source.unwrap_or("src"));
        Self {
            source: source.unwrap_or_else(|| join(&dir, "src")),
            file,
            value,
            dir,
        }
    }

    pub(super) fn text(&self, pointer: &str) -> Option<&str> {
        self.value.pointer(pointer).and_then(Value::as_str)
    }

    pub(super) fn flag(&self, pointer: &str) -> bool {
        self.value.pointer(pointer).and_then(Value::as_bool) == Some(true)
    }

    /// Languages of code and the prefixes of lines that readers see only on request.
    pub(super) fn hidden_lines(&self) -> Vec<(String, String)> {
        let all = self.value.pointer("/output/html/code/hidelines");
        let all = all.and_then(Value::as_object).into_iter().flatten();
        let all =
            all.filter_map(|(language, mark)| Some((language.clone(), mark.as_str()?.to_owned())));
        all.filter(|(_, mark)| !mark.is_empty()).collect()
    }

    pub(super) fn diagnostic(
        &self,
        code: &'static DiagnosticCode,
        near: &str,
        message: impl Into<String>,
    ) -> Diagnostic {
        diagnostic_at_line(self.file, code, message, |line| line.contains(near))
    }
}

/// The settings of docs.json besides navigation and redirects.
pub(super) fn settings(
    repository: &Repository,
    config: &Config<'_>,
    plan: &SitePlan,
) -> Map<String, Value> {
    let mut out =
        crate::site::settings(config.text("/book/title"), config.text("/book/description"));
    // The color of links in the light theme.
    out.insert(
        "colors".to_owned(),
        json!({ "primary": "#20609f", "light": "#2b79a2" }),
    );
    for name in ["favicon.svg", "favicon.png"] {
        let path = join(&config.dir, &format!("theme/{name}"));
        if repository.contains(&path) && plan.assets.iter().any(|asset| asset.0 == path) {
            out.insert("favicon".to_owned(), json!(format!("/{name}")));
            break;
        }
    }
    if let Some(url) = config.text("/output/html/git-repository-url") {
        let link = match url.contains("github.com") {
            true => json!({ "type": "github", "href": url }),
            false => json!({ "label": "Repository", "href": url }),
        };
        out.insert("navbar".to_owned(), json!({ "links": [link] }));
    }
    out
}

/// Adds the files of the theme that are used.
pub(super) fn theme_files(repository: &Repository, config: &Config<'_>, plan: &mut SitePlan) {
    for name in ["favicon.svg", "favicon.png"] {
        let path = join(&config.dir, &format!("theme/{name}"));
        if repository.contains(&path) {
            plan.assets.push((path, name.to_owned()));
        }
    }
}

/// `[output.html.redirect]`, whose targets are relative to their source.
pub(super) fn redirects(config: &Config<'_>, plan: &mut SitePlan) {
    let all = config.value.pointer("/output/html/redirect");
    let mut sections = 0;
    for (old, new) in all.and_then(Value::as_object).into_iter().flatten() {
        let Some(new) = new.as_str() else {
            continue;
        };
        if old.contains('#') {
            sections += 1;
            continue;
        }
        let is_remote = svc_data::url_scheme(new).is_some();
        let target = match is_remote {
            true => new.to_owned(),
            false => {
                let end = new.find('#').unwrap_or(new.len());
                let dir = parent(old.trim_start_matches('/'));
                let Some(path) = resolve(dir, &new[..end]) else {
                    continue;
                };
                format!("/{path}{}", &new[end..])
            }
        };
        plan.redirects.push((old.clone(), target));
    }
    if sections > 0 {
        let message = format!("redirects of sections are left out: {sections}");
        let hint =
            "a server does not see the part of a URL after `#`; keep the ids of the headings";
        let diagnostic = config.diagnostic(&MIGRATE_SETTING, "output.html.redirect", message);
        plan.diagnostics.push(diagnostic.hint(hint));
    }
}

/// Reports settings without an equivalent.
pub(super) fn report(config: &Config<'_>, plan: &mut SitePlan) {
    for (key, hint) in [
        (
            "additional-css",
            "write styles for the new theme into a `.css` file of the repository",
        ),
        (
            "additional-js",
            "put scripts into a `.js` file of the repository",
        ),
        (
            "edit-url-template",
            "set the repository of the site on the server",
        ),
        (
            "theme",
            "templates are not converted; write styles into a `.css` file of the repository",
        ),
    ] {
        if config
            .value
            .pointer(&format!("/output/html/{key}"))
            .is_some()
        {
            let message = format!("the setting `{key}` is not converted");
            plan.diagnostics
                .push(config.diagnostic(&MIGRATE_SETTING, key, message).hint(hint));
        }
    }
    let all = config.value.get("preprocessor").and_then(Value::as_object);
    for name in all.into_iter().flatten().map(|(name, _)| name) {
        if !KNOWN.contains(&name.as_str()) {
            let message = format!("the preprocessor `{name}` is not run");
            let hint = "run it before the migration, or check the pages that use it";
            let diagnostic =
                config.diagnostic(&MIGRATE_SETTING, &format!("preprocessor.{name}"), message);
            plan.diagnostics.push(diagnostic.hint(hint));
        }
    }
}
