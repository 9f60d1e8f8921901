//! Reading of OpenAPI documents.

use std::io::{self, Read as _};
use std::path::Path;

use svc_diagnostics::SourceFile;
use svc_fetch::{BlockingClient, Client, FetchLimits, Policy, Request, parse_url};

use crate::commands::output::with_path;

/// Reads a document from disk.
pub(in crate::commands) fn read(path: &Path) -> io::Result<SourceFile> {
    let text = std::fs::read_to_string(path).map_err(|error| with_path(path, &error))?;
    Ok(SourceFile::new(path.display().to_string(), text))
}

/// Reads a document from disk, or fetches it from a URL.
pub(super) fn read_or_fetch(name: &str) -> io::Result<SourceFile> {
    if !name.starts_with("https://") && !name.starts_with("http://") {
        return read(Path::new(name));
    }
    let failed = |error: &dyn std::fmt::Display| io::Error::other(format!("{name}: {error}"));
    let url = parse_url(name).map_err(|error| failed(&error))?;
    // The user has named the host, which may be a private one.
    let rules = Policy::from_rules([url.host_str().unwrap_or_default()]);
    let client = Client::new(rules.unwrap_or_default(), FetchLimits::default());
    let client = BlockingClient::new(client)?;
    let response = client
        .send(Request::get(url))
        .map_err(|error| failed(&error))?;
    if !response.status.is_success() {
        return Err(failed(&format!("the status is {}", response.status)));
    }
    let (mut text, mut body) = (String::new(), response.body);
    body.read_to_string(&mut text)
        .map_err(|error| failed(&error))?;
    Ok(SourceFile::new(name, text))
}
