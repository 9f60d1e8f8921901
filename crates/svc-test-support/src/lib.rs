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
pub mod log;
pub mod postgres;
pub mod program;
pub mod request;
pub mod ssh;

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

/// Path of a file or directory of the reference material beside the workspace. Returns `None` if it
/// does not exist; the test then prints that it was skipped.
pub fn reference_path(path: &str) -> Option<PathBuf> {
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let full_path = workspace.join("shared").join(path);
    full_path.exists().then_some(full_path)
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
