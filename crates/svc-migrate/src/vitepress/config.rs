//! The configuration and its languages.

use serde_json::Value;
use svc_diagnostics::{Diagnostic, DiagnosticCode, SourceFile};

use crate::Repository;
use crate::markdown::diagnostic_at_line;
use crate::path::{join, parent, resolve};

/// Maximum depth of the folder with the configuration.
const MAX_DIR_DEPTH: usize = 4;
/// Extensions of configuration files.
const ENDS: [&str; 6] = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"];

/// The configuration of the site.
pub(super) struct Config<'a> {
    file: &'a SourceFile,
    pub(super) value: Value,
    /// Folder of the pages.
    pub(super) source: String,
    /// Folder with the theme.
    pub(super) theme: String,
}

/// A language of the site.
pub(super) struct Locale {
    /// Segment of URLs; empty for the language at the root.
    pub(super) dir: String,
    pub(super) lang: String,
    /// Settings of the default theme in this language.
    pub(super) theme: Value,
}

/// Path of the configuration file.
pub(super) fn path(repository: &Repository) -> Option<&str> {
    let is_config = |path: &&str| {
        let Some((dir, name)) = path.split_once(".vitepress/") else {
            return false;
        };
        let name = name
            .strip_prefix("config/index")
            .or_else(|| name.strip_prefix("config"));
        (dir.is_empty() || dir.ends_with('/'))
            && dir.matches('/').count() <= MAX_DIR_DEPTH
            && name.is_some_and(|name| ENDS.contains(&name))
    };
    let paths = repository.below("").filter(is_config);
    paths.min_by_key(|path| path.matches('/').count())
}

impl<'a> Config<'a> {
    pub(super) fn new(repository: &Repository, file: &'a SourceFile) -> Self {
        let value = crate::js::default_export(repository, file);
        let theme = match parent(file.path()) {
            dir if dir.ends_with("/config") || dir == "config" => parent(dir),
            dir => dir,
        };
        let source = value.get("srcDir").and_then(Value::as_str).unwrap_or(".");
        let source = resolve(parent(theme), source).unwrap_or_default();
        Self {
            file,
            source,
            theme: theme.to_owned(),
            value,
        }
    }

    pub(super) fn text(&self, pointer: &str) -> Option<&str> {
        self.value.pointer(pointer).and_then(Value::as_str)
    }

    pub(super) fn diagnostic(
        &self,
        code: &'static DiagnosticCode,
        near: &str,
        message: impl Into<String>,
    ) -> Diagnostic {
        let fits = |line: &str| line.trim_start().starts_with(near);
        diagnostic_at_line(self.file, code, message, fits)
    }
}

/// The languages; the one at the root is first.
pub(super) fn locales(repository: &Repository, config: &Config<'_>) -> Vec<Locale> {
    let shared = config.value.get("themeConfig").cloned();
    let theme = shared.unwrap_or(Value::Null);
    let locale = |dir: &str, own: &Value| {
        let text = |key: &str| own.get(key).and_then(Value::as_str);
        // A folder can have a configuration of its own.
        let folder = join(&config.source, dir);
        let more = ENDS
            .iter()
            .find_map(|end| repository.text(&join(&folder, &format!("config{end}"))))
            .map(|file| crate::js::default_export(repository, file));
        let mut merged = theme.clone();
        for value in [Some(own), more.as_ref()].into_iter().flatten() {
            if let Some(value) = value.get("themeConfig") {
                merge(&mut merged, value);
            }
        }
        let lang = text("lang").or_else(|| config.text("/lang"));
        let default = if dir.is_empty() { "en" } else { dir };
        Locale {
            dir: dir.to_owned(),
            lang: lang.unwrap_or(default).to_owned(),
            theme: merged,
        }
    };
    let all = config.value.get("locales").and_then(Value::as_object);
    let root = all.and_then(|all| all.get("root")).cloned();
    let mut out = vec![locale("", &root.unwrap_or(Value::Null))];
    for (key, value) in all.into_iter().flatten() {
        let has_pages = repository
            .below(&join(&config.source, key))
            .any(|path| path.ends_with(".md"));
        if key != "root" && has_pages {
            out.push(locale(key, value));
        }
    }
    out
}

/// Replaces the fields of `target` that `value` has.
fn merge(target: &mut Value, value: &Value) {
    match (target, value) {
        (Value::Object(target), Value::Object(value)) => {
            for (key, value) in value {
                target.insert(key.clone(), value.clone());
            }
        }
        (target, value) => *target = value.clone(),
    }
}
