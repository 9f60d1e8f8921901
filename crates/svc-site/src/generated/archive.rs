//! ZIP archive with all OpenAPI documents of the site.

use std::collections::BTreeSet;

use crate::Site;
use crate::zip::Zip;

/// The archive. Documents are stored by path, remote ones by host and path. The order is fixed and
/// there are no timestamps, so that the same documents give the same bytes.
pub(super) fn specs(site: &Site) -> Vec<u8> {
    let mut names = BTreeSet::new();
    let files: Vec<(String, &str)> = site
        .open_documents()
        .map(|document| {
            let name = match document.path.split_once("://") {
                Some((_, url)) => file_of(url),
                None => document.path.trim_start_matches('/').to_owned(),
            };
            // URLs may differ only in characters that are replaced in file names.
            let free = (1..).map(|number| match number {
                1 => name.clone(),
                number => format!("{number}/{name}"),
            });
            let name = free.into_iter().find(|name| names.insert(name.clone()));
            (name.unwrap_or_default(), &**document.file.text())
        })
        .collect();
    let mut zip = Zip::new(Vec::new());
    for (name, text) in &files {
        // Writing to a Vec cannot fail; a name that no archive can hold is left out.
        let _ = zip.add_deflated(name, text.as_bytes());
    }
    zip.finish().unwrap_or_default()
}

/// Host and path of a URL as a path that is valid on all platforms.
fn file_of(url: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let parts = path
        .split('/')
        .filter(|part| !matches!(*part, "" | "." | ".."));
    let safe = |c: char| {
        if c.is_ascii_alphanumeric() || ".-_".contains(c) {
            c
        } else {
            '_'
        }
    };
    let parts: Vec<String> = parts
        .map(|part| part.chars().take(100).map(safe).collect())
        .collect();
    parts.join("/")
}
