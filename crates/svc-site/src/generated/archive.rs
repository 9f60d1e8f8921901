//! All OpenAPI documents of the site in one ZIP archive.

use std::collections::BTreeSet;

use crate::Site;
use crate::zip::Zip;

/// The archive: documents under their paths, hosted ones under host and path, in order, without
/// times, so that the same documents give the same bytes.
pub(super) fn specs(site: &Site) -> Vec<u8> {
    let mut names = BTreeSet::new();
    let files: Vec<(String, &str)> = site
        .open_documents()
        .map(|document| {
            let name = match document.path.split_once("://") {
                Some((_, address)) => file_of(address),
                None => document.path.trim_start_matches('/').to_owned(),
            };
            // Two addresses may differ only in what a name cannot hold.
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

/// Host and path of an address as the path of a file in any system.
fn file_of(address: &str) -> String {
    let path = address.split(['?', '#']).next().unwrap_or(address);
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
