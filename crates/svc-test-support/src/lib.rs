//! Fixtures for tests: whole repositories in one string.
//!
//! ```
//! let tree = svc_test_support::fixture("
//! //- /docs.json
//! {\"name\": \"Acme\"}
//! //- /index.mdx
//! # Hello
//! ");
//! assert_eq!(tree.len(), 2);
//! ```

pub mod api;
pub mod client;
pub mod git;
pub mod keys;
pub mod log;
pub mod ports;
pub mod postgres;
pub mod program;
pub mod request;
pub mod ssh;
pub mod tls;
pub mod wait;

use std::path::PathBuf;

use svc_source::SourceTree;

/// The files of a fixture: a line `//- /path` begins a file, and the lines up to the next such line
/// are its text. Text before the first one is ignored.
pub fn fixture_files(text: &str) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(path) = line.strip_prefix("//- /") {
            files.push((path.trim().to_owned(), String::new()));
        } else if let Some((_, text)) = files.last_mut() {
            text.push_str(line);
        }
    }
    files
}

/// The source tree of a fixture; see [`fixture_files`].
pub fn fixture(text: &str) -> SourceTree {
    SourceTree::from_files(fixture_files(text))
}

/// Path of a file or directory of the reference material in `../shared`, next to the checkout. If it
/// does not exist, reports a skipped check (see [`skip`]) and returns `None`.
pub fn reference_path(path: &str) -> Option<PathBuf> {
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let full_path = workspace.join("shared").join(path);
    if full_path.exists() {
        return Some(full_path);
    }
    skip(format_args!("../shared/{path} is missing"));
    None
}

/// Reports that the running test skips a check. Prints the reason, and appends it with the name of
/// the test to the file named by the environment variable `SVC_SKIPPED`, which `cargo xtask test`
/// sets and lists at its end.
#[expect(clippy::print_stderr, reason = "a skipped check must be seen")]
pub fn skip(reason: impl std::fmt::Display) {
    eprintln!("skipped: {reason}");
    let Some(path) = std::env::var_os("SVC_SKIPPED") else {
        return;
    };
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    // One write for each line: other processes append to the file as well.
    let line = format!("{reason}\t{test}\n");
    let file = std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(path);
    if let Err(error) =
        file.and_then(|mut file| std::io::Write::write_all(&mut file, line.as_bytes()))
    {
        eprintln!("the list of skipped checks cannot be written: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_header_line_begins_a_file() {
        let files = fixture_files("x\n//- /a.mdx\none\ntwo\n//- /b/c.json\n{}\n");
        let expected = [("a.mdx", "one\ntwo\n"), ("b/c.json", "{}\n")];
        assert_eq!(
            files,
            expected.map(|(path, text)| (path.to_owned(), text.to_owned()))
        );
        assert!(fixture("//- /a.mdx\n").contains("a.mdx"));
    }
}
