//! `[git]`: how repositories are fetched.

use std::path::PathBuf;
use std::time::Duration;

use super::decode::{Cx, Fields};
use super::table::{DefaultValue, TableSchema, ValueType, key};

/// Options for fetching Git repositories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitSettings {
    /// Path of the `git` program; `None` uses the built-in Git client.
    pub program: Option<PathBuf>,
    /// Maximum size of a file, in bytes.
    pub file_bytes: u64,
    /// Maximum total size of the files of a deployment, in bytes.
    pub total_bytes: u64,
    /// Timeout of a fetch.
    pub timeout: Duration,
}

impl Default for GitSettings {
    fn default() -> Self {
        Self {
            program: None,
            file_bytes: 100_000_000,
            total_bytes: 2_000_000_000,
            timeout: Duration::from_secs(300),
        }
    }
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "git",
    about: "How Git repositories are fetched.",
    keys: &[
        key(
            "program",
            ValueType::Path,
            "Path of the `git` program to fetch with. If it is not set, the built-in Git client is used.",
        )
        .example("\"/usr/bin/git\""),
        key(
            "max_file_size",
            ValueType::Size,
            "Maximum size of a file of a repository. A larger file is skipped and reported as an error.",
        )
        .default(DefaultValue::Text("100MB")),
        key(
            "max_total_size",
            ValueType::Size,
            "Maximum total size of the files of a deployment.",
        )
        .default(DefaultValue::Text("2GB")),
        key("timeout", ValueType::Duration(1), "Timeout of a fetch.")
            .default(DefaultValue::Text("5m")),
    ],
    choices: &[],
};

pub(super) fn decode(cx: &mut Cx<'_>, server: Fields<'_>) -> GitSettings {
    let defaults = GitSettings::default();
    let Some(fields) = server.get("git").and_then(|node| cx.open(node, &TABLE)) else {
        return defaults;
    };
    GitSettings {
        program: cx.path(fields, "program"),
        file_bytes: cx
            .size(fields, "max_file_size")
            .unwrap_or(defaults.file_bytes),
        total_bytes: cx
            .size(fields, "max_total_size")
            .unwrap_or(defaults.total_bytes),
        timeout: cx.duration(fields, "timeout").unwrap_or(defaults.timeout),
    }
}
