//! Examples of the specifications, read from the sources of packages that contain them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// An example of a suite.
#[derive(Debug)]
pub(crate) struct Example {
    /// Number, from 1.
    pub(crate) number: usize,
    /// Markdown input.
    pub(crate) text: String,
    /// Expected HTML.
    pub(crate) html: String,
}

/// Returns the directory of a package from the lock file of this workspace, or `None` if it is not
/// on this machine.
fn package(name: &str) -> Option<PathBuf> {
    let version = Command::new("rustc").arg("-vV").output().ok()?;
    let version = String::from_utf8(version.stdout).ok()?;
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--offline", "--format-version", "1"])
        .args(["--filter-platform", host])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .ok()?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    let package = metadata["packages"]
        .as_array()?
        .iter()
        .find(|package| package["name"] == name)?;
    let manifest = Path::new(package["manifest_path"].as_str()?);
    Some(manifest.parent()?.to_owned())
}

fn read(name: &str, path: &str) -> Option<String> {
    std::fs::read_to_string(package(name)?.join(path)).ok()
}

/// Reads a suite of tests with `original` and `expected` as raw strings.
pub(crate) fn raw_pairs(path: &str) -> Option<Vec<Example>> {
    let source = read("pulldown-cmark", path)?;
    let mut out = Vec::new();
    for part in source.split("let original = ").skip(1) {
        let (text, rest) = literal(part)?;
        let (html, _) = literal(rest.split_once("let expected = ")?.1)?;
        out.push(Example {
            number: out.len() + 1,
            text,
            html,
        });
    }
    Some(out)
}

/// Reads a suite of calls of a macro with options, text and page as literals. Calls with other
/// arguments are skipped but counted.
pub(crate) fn calls(path: &str, opening: &str) -> Option<Vec<Example>> {
    let source = read("comrak", path)?;
    let mut out = Vec::new();
    for (index, part) in source.split(opening).skip(1).enumerate() {
        let Some((text, rest)) = literal(part.trim_start_matches([',', ' ', '\n'])) else {
            continue;
        };
        let Some((html, _)) = literal(rest.trim_start_matches([',', ' ', '\n'])) else {
            continue;
        };
        out.push(Example {
            number: index + 1,
            text,
            html,
        });
    }
    Some(out)
}

/// Returns the value of the string literal or `concat!` of literals at the start of `source`, and
/// the rest.
fn literal(source: &str) -> Option<(String, &str)> {
    if let Some(mut rest) = source.strip_prefix("concat!(") {
        let mut all = String::new();
        loop {
            rest = rest.trim_start_matches([',', ' ', '\n']);
            if let Some(rest) = rest.strip_prefix(')') {
                return Some((all, rest));
            }
            let (value, after) = literal(rest)?;
            all.push_str(&value);
            rest = after;
        }
    }
    if let Some(raw) = source.strip_prefix('r') {
        let inner = raw.trim_start_matches('#');
        let close = format!("\"{}", "#".repeat(raw.len() - inner.len()));
        let (value, rest) = inner.strip_prefix('"')?.split_once(&close)?;
        return Some((value.to_owned(), rest));
    }
    let mut rest = source.strip_prefix('"')?;
    let mut value = String::new();
    loop {
        let at = rest.find(['"', '\\'])?;
        value.push_str(&rest[..at]);
        if rest[at..].starts_with('"') {
            return Some((value, &rest[at + 1..]));
        }
        let escape = rest[at + 1..].chars().next()?;
        rest = &rest[at + 1 + escape.len_utf8()..];
        match escape {
            'n' => value.push('\n'),
            't' => value.push('\t'),
            'r' => value.push('\r'),
            '\n' => rest = rest.trim_start(),
            'u' => {
                let (code, after) = rest.strip_prefix('{')?.split_once('}')?;
                value.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?);
                rest = after;
            }
            plain => value.push(plain),
        }
    }
}

#[test]
fn literals_of_all_forms_are_read() {
    let value = |source| literal(source).map(|parsed| parsed.0);
    assert_eq!(value(r##"r#"a"b"#;"##).as_deref(), Some("a\"b"));
    assert_eq!(value(r#""a\n\"\u{e9}\\";"#).as_deref(), Some("a\n\"é\\"));
    assert_eq!(value("concat!(\"a\", \"b\",\n)").as_deref(), Some("ab"));
    assert_eq!(value("name[0]"), None);
}
