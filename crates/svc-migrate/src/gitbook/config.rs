//! `.gitbook.yaml`.

use serde_json::{Map, Value, json};
use svc_data::{Limits, parse_yaml};

use crate::Repository;
use crate::path::{file_name, join, parent, resolve};

/// The configuration of a space.
pub(super) struct Config {
    /// Folder of the pages.
    pub(super) root: String,
    /// Path of the table of contents.
    pub(super) summary: String,
    /// Path of the first page.
    pub(super) readme: String,
    /// Old URL paths and files.
    pub(super) redirects: Vec<(String, String)>,
}

/// Path of the configuration file or of a table of contents next to the files of GitBook, at the
/// root or in a folder of the root.
pub(super) fn path(repository: &Repository) -> Option<&str> {
    let rank = |path: &&str| {
        let dir = parent(path);
        let has = |name: &str| repository.below(&join(dir, name)).next().is_some();
        let kind = match file_name(path) {
            ".gitbook.yaml" => 0,
            "SUMMARY.md" if has(".gitbook") || repository.contains(&join(dir, "book.json")) => 1,
            "SUMMARY.md"
                if repository
                    .text(path)?
                    .text()
                    .contains("# Table of contents") =>
            {
                2
            }
            _ => return None,
        };
        Some((path.matches('/').count(), kind))
    };
    let paths = repository
        .below("")
        .filter(|path| path.matches('/').count() < 2);
    let ranked = paths.filter_map(|path| Some((rank(&path)?, path)));
    ranked.min().map(|(_, path)| path)
}

impl Config {
    pub(super) fn new(repository: &Repository, path: &str) -> Self {
        let dir = parent(path);
        let value = match repository.text(path) {
            Some(file) if file_name(path) == ".gitbook.yaml" => {
                parse_yaml(file, &Limits::default()).value.to_json()
            }
            _ => Value::Null,
        };
        let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str);
        let root = resolve(dir, text("/root").unwrap_or("."));
        let root = root.unwrap_or_else(|| dir.to_owned());
        let file = |pointer: &str, default: &str| {
            let path = text(pointer).unwrap_or(default);
            resolve(&root, path.trim_start_matches('/')).unwrap_or_else(|| join(&root, default))
        };
        let redirects = value.get("redirects").and_then(Value::as_object);
        let redirects = redirects.into_iter().flatten();
        let redirects =
            redirects.filter_map(|(old, new)| Some((old.clone(), new.as_str()?.to_owned())));
        Self {
            summary: file("/structure/summary", "SUMMARY.md"),
            readme: file("/structure/readme", "README.md"),
            redirects: redirects.collect(),
            root,
        }
    }
}

/// The settings of docs.json besides navigation and redirects. The name and the logo of a space are
/// not in its repository.
pub(super) fn settings(repository: &Repository, config: &Config) -> Map<String, Value> {
    let name = crate::site::title_of_page(repository, &config.readme);
    let mut out = crate::site::settings(name.as_deref(), None);
    out.insert(
        "colors".to_owned(),
        json!({ "primary": "#346ddb", "light": "#7aa2f0" }),
    );
    out
}
