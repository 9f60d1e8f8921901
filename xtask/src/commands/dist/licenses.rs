//! The licences of all packages in the programs, which their copies must carry.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::packages::{Package, Packages};
use super::with_path;

/// Beginnings of the names of files with licences, in lower case.
static NAMES: &[&str] = &[
    "license",
    "licence",
    "copying",
    "notice",
    "copyright",
    "unlicense",
];

/// All licences: each text once, after the names of its packages.
pub(super) fn text(packages: &Packages) -> Result<String, String> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut out = "svc is licensed under MIT or Apache-2.0, at your option. It contains the packages below.\n\n".to_owned();
    for package in packages.0.values().filter(|package| package.is_external) {
        let name = format!("{} {}", package.name, package.version);
        out.push_str(&format!("{name}: {}\n", package.license));
        for text in files(package)? {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    let mut texts: Vec<(Vec<String>, String)> = texts
        .into_iter()
        .map(|(text, names)| (names, text))
        .collect();
    texts.sort();
    for (names, text) in texts {
        let line = "-".repeat(80);
        out.push_str(&format!("\n{line}\n{}\n{line}\n{text}\n", names.join(", ")));
    }
    Ok(out)
}

/// Texts of the licence files of a package, with the same line ends.
fn files(package: &Package) -> Result<Vec<String>, String> {
    let Some(dir) = Path::new(&package.manifest).parent() else {
        return Ok(Vec::new());
    };
    let mut texts = Vec::new();
    for entry in fs::read_dir(dir).map_err(with_path(dir))? {
        let path = entry.map_err(with_path(dir))?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        if path.is_file() && NAMES.iter().any(|begin| name.starts_with(begin)) {
            let bytes = fs::read(&path).map_err(with_path(&path))?;
            let text = String::from_utf8_lossy(&bytes).replace('\r', "");
            texts.push(text.trim().to_owned());
        }
    }
    texts.sort();
    Ok(texts)
}
