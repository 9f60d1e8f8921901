//! The repository that is converted, in memory.

use std::collections::BTreeMap;

use svc_diagnostics::SourceFile;

/// The files of a repository by path, without the contents of those that are not text.
#[derive(Debug, Clone, Default)]
pub struct Repository {
    files: BTreeMap<String, Option<SourceFile>>,
}

impl Repository {
    /// Creates an empty repository.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text file. The path is relative to the root and separated by `/`.
    pub fn insert_text(&mut self, path: &str, text: &str) {
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let file = SourceFile::new(path, text);
        self.files.insert(path.to_owned(), Some(file));
    }

    /// Adds a file that is only copied.
    pub fn insert_binary(&mut self, path: &str) {
        self.files.insert(path.to_owned(), None);
    }

    /// The text file at a path; `None` if there is none or it is not text.
    pub fn text(&self, path: &str) -> Option<&SourceFile> {
        self.files.get(path)?.as_ref()
    }

    /// Returns whether there is a file at a path.
    pub fn contains(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Paths of the files below a directory, sorted; all files for the empty path.
    pub fn below<'a>(&'a self, dir: &'a str) -> impl Iterator<Item = &'a str> {
        let start = if dir.is_empty() {
            String::new()
        } else {
            format!("{dir}/")
        };
        self.files
            .range(start.clone()..)
            .map(|(path, _)| path.as_str())
            .take_while(move |path| path.starts_with(&start))
    }
}
