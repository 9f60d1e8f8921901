//! `mkdocs.yml`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use svc_data::{Limits, parse_yaml};
use svc_diagnostics::{Diagnostic, DiagnosticCode, SourceFile, Span};

use crate::Repository;
use crate::codes::MIGRATE_CONFIG;
use crate::path::{file_name, glob, join, parent, resolve};

/// Limits for configuration files.
const LIMITS: Limits = Limits {
    bytes: 4 << 20,
    depth: 64,
    nodes: 200_000,
};
/// Maximum length of a chain of `INHERIT`.
const MAX_INHERITED: usize = 8;

/// The configuration of a site.
pub(super) struct Config {
    pub(super) value: Value,
    /// Folder of the configuration file.
    pub(super) dir: String,
    /// Folder of the pages, from the root of the repository.
    pub(super) docs_dir: String,
    pub(super) plugins: Vec<(String, Value)>,
    extensions: Vec<(String, Value)>,
    excluded: Vec<String>,
    files: Vec<SourceFile>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Path of the configuration file, at the root or in a folder of the root.
pub(crate) fn config_path(repository: &Repository) -> Option<&str> {
    let is_config = |path: &&str| {
        path.matches('/').count() < 2 && ["mkdocs.yml", "mkdocs.yaml"].contains(&file_name(path))
    };
    let mut paths: Vec<&str> = repository.below("").filter(is_config).collect();
    paths.sort_by_key(|path| path.matches('/').count());
    paths.first().copied()
}

impl Config {
    pub(super) fn load(repository: &Repository) -> Option<Self> {
        let path = config_path(repository)?;
        let mut files = Vec::new();
        let mut diagnostics = Vec::new();
        let mut value = Value::Null;
        let mut next = Some(path.to_owned());
        while let Some(path) = next.take().filter(|_| files.len() < MAX_INHERITED) {
            let Some(file) = repository.text(&path) else {
                let message = format!("the inherited configuration `{path}` is not in the folder");
                diagnostics.push(Diagnostic::new(&MIGRATE_CONFIG, message).hint("copy it there"));
                break;
            };
            let parent_value = read(file, &mut diagnostics);
            next = parent_value
                .get("INHERIT")
                .and_then(Value::as_str)
                .and_then(|inherit| resolve(parent(&path), inherit));
            files.push(file.clone());
            value = merge(parent_value, value);
        }
        let dir = parent(path).to_owned();
        let docs_dir = value
            .get("docs_dir")
            .and_then(Value::as_str)
            .unwrap_or("docs");
        let docs_dir = resolve(&dir, docs_dir).unwrap_or_else(|| join(&dir, "docs"));
        let excluded = value
            .get("exclude_docs")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let mut excluded: Vec<String> = excluded
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with(['#', '!']))
            .map(str::to_owned)
            .collect();
        let theme = value.get("theme");
        let custom = theme
            .and_then(|theme| theme.get("custom_dir"))
            .and_then(Value::as_str);
        let custom = custom.and_then(|custom| resolve(&dir, custom));
        if let Some(below) = custom
            .as_deref()
            .and_then(|custom| custom.strip_prefix(&docs_dir))
        {
            excluded.push(format!("{below}/"));
        }
        let plugins = entries(value.get("plugins"));
        let glob = plugins
            .iter()
            .find(|plugin| plugin.0 == "exclude")
            .and_then(|plugin| plugin.1.get("glob").cloned());
        match glob {
            Some(Value::String(glob)) => excluded.push(glob),
            Some(Value::Array(all)) => {
                excluded.extend(all.iter().filter_map(Value::as_str).map(str::to_owned));
            }
            _ => {}
        }
        Some(Self {
            extensions: entries(value.get("markdown_extensions")),
            plugins,
            dir,
            docs_dir,
            excluded,
            files,
            diagnostics,
            value,
        })
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.value.get(key)?.as_str()
    }

    /// Options of a plugin; `None` if it is not used.
    pub(super) fn plugin(&self, name: &str) -> Option<&Value> {
        let entry = self
            .plugins
            .iter()
            .find(|plugin| plugin.0.trim_start_matches("material/") == name);
        entry.map(|entry| &entry.1)
    }

    pub(super) fn has_extension(&self, name: &str) -> bool {
        self.extensions.iter().any(|extension| extension.0 == name)
    }

    pub(super) fn extension(&self, name: &str) -> Option<&Value> {
        self.extensions
            .iter()
            .find(|extension| extension.0 == name)
            .map(|entry| &entry.1)
    }

    pub(super) fn has_directory_urls(&self) -> bool {
        self.value
            .get("use_directory_urls")
            .and_then(Value::as_bool)
            != Some(false)
    }

    /// Whether mike deploys versions of the site.
    pub(super) fn has_mike(&self) -> bool {
        let provider = self
            .value
            .pointer("/extra/version/provider")
            .and_then(Value::as_str);
        provider == Some("mike") || self.plugin("mike").is_some()
    }

    /// Features of the theme.
    pub(super) fn has_feature(&self, name: &str) -> bool {
        let features = self
            .value
            .pointer("/theme/features")
            .and_then(Value::as_array);
        features.is_some_and(|all| all.iter().any(|feature| feature.as_str() == Some(name)))
    }

    /// Values of the plugin `macros`; `None` if it is not used.
    pub(super) fn macros(&self) -> Option<BTreeMap<String, String>> {
        self.plugin("macros")?;
        let mut out = BTreeMap::new();
        for (prefix, value) in [
            ("", self.value.get("extra")),
            ("config.", Some(&self.value)),
        ] {
            for (key, value) in value.and_then(Value::as_object).into_iter().flatten() {
                match value {
                    Value::String(text) => {
                        out.insert(format!("{prefix}{key}"), text.clone());
                    }
                    Value::Number(number) => {
                        out.insert(format!("{prefix}{key}"), number.to_string());
                    }
                    Value::Object(inner) => {
                        for (name, value) in inner {
                            if let Some(text) = value.as_str() {
                                out.insert(format!("{prefix}{key}.{name}"), text.to_owned());
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        Some(out)
    }

    /// Whether a file below the folder of pages is not part of the site.
    pub(super) fn is_excluded(&self, path: &str) -> bool {
        let hidden = path
            .split('/')
            .any(|part| part.starts_with('.') && part != ".well-known");
        hidden
            || path.starts_with("templates/")
            || self.excluded.iter().any(|pattern| matches(pattern, path))
    }

    /// A diagnostic at the line of the configuration that begins with a key.
    pub(super) fn diagnostic(
        &self,
        code: &'static DiagnosticCode,
        key: &str,
        message: String,
    ) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(code, message);
        for file in &self.files {
            let mut start = 0;
            for line in file.text().split('\n') {
                let text = line.trim_start().trim_start_matches("- ");
                let text = text
                    .trim_start_matches(['"', '\''])
                    .trim_start_matches("material/");
                if text
                    .strip_prefix(key)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '"', '\'', ' ']))
                {
                    let indent = line.len() - line.trim_start().len();
                    let span = Span::from_range(start + indent..start + line.len());
                    return diagnostic.at(file.location(span));
                }
                start += line.len() + 1;
            }
        }
        if let Some(file) = self.files.first() {
            diagnostic = diagnostic.at(file.location(Span::new(0, 0)));
        }
        diagnostic
    }
}

/// Reads a file. Tags for Python are removed; values that they name are null.
fn read(file: &SourceFile, diagnostics: &mut Vec<Diagnostic>) -> Value {
    let text: Vec<String> = file.text().split('\n').map(without_tags).collect();
    let plain = SourceFile::new(file.path().clone(), text.join("\n"));
    let parsed = parse_yaml(&plain, &LIMITS);
    for mut diagnostic in parsed.diagnostics {
        diagnostic.code = &MIGRATE_CONFIG;
        diagnostic.severity = MIGRATE_CONFIG.severity;
        diagnostics.push(diagnostic);
    }
    for (index, line) in file.text().split('\n').enumerate() {
        if line.contains("!ENV") && !line.trim_start().starts_with('#') {
            let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
            let span = crate::markdown::line_span(file, number);
            let message = "a value of an environment variable is replaced by its default";
            let hint = "write the value into docs.json";
            let diagnostic = Diagnostic::new(&MIGRATE_CONFIG, message).hint(hint);
            diagnostics.push(diagnostic.at(file.location(span)));
        }
    }
    parsed.value.to_json()
}

/// Replaces tags by spaces, which keeps all positions. `!ENV NAME` becomes null, and
/// `!ENV [NAME, default]` the default.
fn without_tags(line: &str) -> String {
    let Some(at) = line.find('!') else {
        return line.to_owned();
    };
    let before = &line[..at];
    let is_value = before.trim_end().ends_with([':', '-', '[', ',']) || before.trim().is_empty();
    if !is_value || before.contains('#') {
        return line.to_owned();
    }
    let rest = &line[at..];
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let (tag, value) = rest.split_at(end);
    let trimmed = value.trim();
    if tag == "!ENV" {
        let inner = trimmed
            .strip_prefix('[')
            .and_then(|inner| inner.strip_suffix(']'));
        let default = inner.and_then(|inner| inner.rsplit_once(','));
        return format!(
            "{before}{}",
            default.map_or("", |(_, default)| default.trim())
        );
    }
    format!("{before}{}{value}", " ".repeat(tag.len()))
}

/// Puts the settings of `child` over those of `base`.
fn merge(base: Value, child: Value) -> Value {
    match (base, child) {
        (Value::Object(mut base), Value::Object(child)) => {
            for (key, value) in child {
                let old = base.remove(&key).unwrap_or(Value::Null);
                base.insert(key, merge(old, value));
            }
            Value::Object(base)
        }
        (base, Value::Null) => base,
        (_, child) => child,
    }
}

/// Names and options of plugins or extensions, which are a list or a mapping.
fn entries(value: Option<&Value>) -> Vec<(String, Value)> {
    let of_map = |map: &Map<String, Value>| -> Vec<(String, Value)> {
        map.iter()
            .map(|(name, options)| (name.clone(), options.clone()))
            .collect()
    };
    match value {
        Some(Value::Array(all)) => all
            .iter()
            .flat_map(|item| match item {
                Value::String(name) => vec![(name.clone(), Value::Null)],
                Value::Object(map) => of_map(map),
                _ => Vec::new(),
            })
            .collect(),
        Some(Value::Object(map)) => of_map(map),
        _ => Vec::new(),
    }
}

/// Whether a pattern of `exclude_docs` matches a path.
fn matches(pattern: &str, path: &str) -> bool {
    let anchored = pattern.trim_end_matches('/').contains('/');
    let plain = pattern.trim_matches('/');
    if plain.is_empty() {
        return false;
    }
    let mut prefix = String::new();
    let parts: Vec<&str> = path.split('/').collect();
    for part in parts {
        prefix = join(&prefix, part);
        if glob(plain, &prefix) || (!anchored && glob(plain, part)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_python_do_not_reach_the_parser() {
        assert_eq!(without_tags("a: !!python/name:b.c").trim_end(), "a:");
        assert_eq!(without_tags("a: !ENV [X, 'b']"), "a: 'b'");
        assert_eq!(without_tags("a: !ENV X"), "a: ");
        assert_eq!(without_tags("a: hello!"), "a: hello!");
    }

    #[test]
    fn excluded_files_match_names_and_folders() {
        for (pattern, path) in [
            ("drafts/", "drafts/a.md"),
            ("*.tmp", "a/b.tmp"),
            ("/a/b.md", "a/b.md"),
        ] {
            assert!(matches(pattern, path), "{pattern}");
        }
        assert!(!matches("/b.md", "a/b.md") || !matches("x", "a/b.md"));
    }
}
