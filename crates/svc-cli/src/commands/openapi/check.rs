//! `svc openapi check`.

use std::io;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use svc_diagnostics::{Severity, render_github, render_sarif, render_text};
use svc_openapi::ApiDocument;
use svc_server::pluralize;

use crate::commands::docs_url::docs_url;
use crate::commands::output::{count, exit_for, print};
use crate::commands::report::linked_json;
use crate::commands::{color, explain};
use crate::exit::Exit;

/// Check OpenAPI documents.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 no errors, 1 errors (with --strict also warnings), 2 a file cannot be read."
)]
pub(crate) struct Arguments {
    /// Documents: files, or URLs that begin with `https://`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = CheckFormat::Human)]
    format: CheckFormat,
    /// Fail on warnings
    #[arg(long)]
    strict: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum CheckFormat {
    /// Text with source lines
    Human,
    /// JSON object with the counts of each document
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

/// Numbers of what a document contains.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    paths: usize,
    operations: usize,
    webhooks: usize,
    schemas: usize,
}

impl Counts {
    fn of(document: &ApiDocument) -> Self {
        let members = |keys: &[&str], has_extensions: bool| {
            let node = keys
                .iter()
                .try_fold(&*document.root, |node, key| node.get(key));
            let object = node.and_then(|node| node.as_object());
            let names = object.into_iter().flat_map(|object| object.iter());
            let counted = names.filter(|(name, _)| !(has_extensions && name.starts_with("x-")));
            counted.count()
        };
        Self {
            paths: members(&["paths"], true),
            operations: document.operations.len(),
            webhooks: members(&["webhooks"], true),
            schemas: members(&["components", "schemas"], false),
        }
    }

    fn to_json(self) -> Value {
        json!({
            "paths": self.paths,
            "operations": self.operations,
            "webhooks": self.webhooks,
            "schemas": self.schemas,
        })
    }
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let mut diagnostics = Vec::new();
    let mut sources = Vec::new();
    let mut documents = Vec::new();
    for name in &arguments.files {
        let file = super::document::read_or_fetch(name)?;
        let checked = svc_openapi::parse(&file);
        let counts = checked.value.as_ref().map(Counts::of).unwrap_or_default();
        diagnostics.extend(checked.diagnostics);
        documents.push((name, checked.value.map(|document| document.version), counts));
        sources.push(file);
    }
    match arguments.format {
        CheckFormat::Human => {
            let text_of = |path: &str| {
                let mut files = sources.iter();
                let file = files.find(|file| **file.path() == *path);
                file.map(|file| &**file.text())
            };
            let mut text = render_text(&diagnostics, &text_of);
            if color::has_colors(&io::stdout()) {
                text = color::colorize(&text);
            }
            if !text.is_empty() {
                text.push('\n');
            }
            for (name, version, counts) in &documents {
                let version = version.as_deref().unwrap_or("not readable");
                let parts = [
                    (counts.paths, "path"),
                    (counts.operations, "operation"),
                    (counts.webhooks, "webhook"),
                    (counts.schemas, "schema"),
                ];
                let parts = parts.map(|(number, name)| pluralize(number, name));
                text.push_str(&format!(
                    "{name}: OpenAPI {version}, {}\n",
                    parts.join(", ")
                ));
            }
            text.push_str(&explain::pointer(&diagnostics));
            print(&format!("{text}{}\n", count(&diagnostics)))?;
        }
        CheckFormat::Json => {
            let with = |wanted: Severity| {
                let matching = diagnostics.iter().filter(|one| one.severity == wanted);
                matching.count()
            };
            let all = documents.iter().map(|(name, version, counts)| {
                json!({"file": name, "openapi": version, "counts": counts.to_json()})
            });
            let mut value = json!({
                "errors": with(Severity::Error) + with(Severity::Fatal),
                "warnings": with(Severity::Warning),
                "documents": all.collect::<Vec<Value>>(),
                "diagnostics": linked_json(&diagnostics),
            });
            // Of a single document, which is the usual case.
            if let [(_, _, counts)] = documents.as_slice() {
                value["counts"] = counts.to_json();
            }
            print(&format!("{value:#}\n"))?;
        }
        CheckFormat::Sarif => {
            let tool = ("svc", env!("CARGO_PKG_VERSION"));
            let log = render_sarif(&diagnostics, tool, "", docs_url().as_deref());
            print(&format!("{log:#}\n"))?;
        }
        CheckFormat::Github => {
            let text = render_github(&diagnostics, "");
            print(&format!("{text}{}\n", count(&diagnostics)))?;
        }
    }
    Ok(exit_for(&diagnostics, arguments.strict))
}
