//! `svc openapi bundle`.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use svc_diagnostics::{Severity, SourceFile, render_text};
use svc_openapi::OutputFormat;

use crate::commands::output::{count, eprint_escaped, print, with_path};
use crate::exit::Exit;

/// Bundle a document and the local files that it references.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 written, 1 a reference cannot be resolved and nothing is written, 2 a file cannot be read or written."
)]
pub(crate) struct Arguments {
    /// Document; referenced files must be in its folder or below
    file: PathBuf,
    /// Output file, `.json` or `.yaml`. Default: standard output
    #[arg(short, long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let file = super::document::read(&arguments.file)?;
    let dir = arguments
        .file
        .parent()
        .filter(|dir| !dir.as_os_str().is_empty());
    let dir = dir.unwrap_or(Path::new(".")).canonicalize()?;
    let lookup = |path: &str| {
        let full = dir.join(path).canonicalize().ok()?;
        // A symbolic link can point outside the folder.
        let is_inside = full.starts_with(&dir) && full.is_file();
        let text = is_inside.then(|| std::fs::read_to_string(&full).ok())??;
        Some(SourceFile::new(path, text))
    };
    let output = arguments.out.as_ref().unwrap_or(&arguments.file);
    let json = match output.extension().and_then(|ending| ending.to_str()) {
        Some("json") => true,
        Some("yaml" | "yml") => false,
        _ => file.text().trim_start().starts_with('{'),
    };
    let notation = if json {
        OutputFormat::Json
    } else {
        OutputFormat::Yaml
    };
    let bundled = svc_openapi::bundle(&file, notation, &lookup);
    if !bundled.diagnostics.is_empty() {
        let texts = |path: &str| {
            if path == &**file.path() {
                return Some(file.text().to_string());
            }
            lookup(path).map(|file| file.text().to_string())
        };
        let sources: Vec<(String, String)> = bundled
            .diagnostics
            .iter()
            .filter_map(|diagnostic| Some(diagnostic.location.as_ref()?.file.to_string()))
            .filter_map(|path| texts(&path).map(|text| (path, text)))
            .collect();
        let text_of = |path: &str| {
            let source = sources.iter().find(|(name, _)| name == path)?;
            Some(source.1.as_str())
        };
        eprint_escaped(&render_text(&bundled.diagnostics, &text_of));
        eprint_escaped(&format!("{}\n", count(&bundled.diagnostics)));
    }
    let failed = bundled
        .diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity >= Severity::Error);
    let Some(text) = bundled.value.filter(|_| !failed) else {
        return Ok(Exit::Problems);
    };
    match &arguments.out {
        None => print(&text)?,
        Some(path) => std::fs::write(path, text).map_err(|error| with_path(path, &error))?,
    }
    Ok(Exit::Success)
}
