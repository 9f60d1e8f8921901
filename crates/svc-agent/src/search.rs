//! Searches the additions of a commit for known secrets.

use crate::redact::Redactor;

/// Maximum number of bytes of a line that are searched together.
const MAX_LINE: usize = 1 << 20;
/// Prefix of the first line of a file in a diff.
const FILE_HEADER: &[u8] = b"diff --git ";

/// Searches a diff, in chunks of any size.
pub(crate) struct SecretSearch<'s> {
    secrets: Vec<&'s [u8]>,
    max_len: usize,
    /// The current line so far.
    line: Vec<u8>,
    /// Whether `line` is the rest of a line that was too long.
    continued: bool,
    /// Whether the commit adds the current line.
    adds: bool,
    file: String,
    matched_file: Option<String>,
}

impl<'s> SecretSearch<'s> {
    pub(crate) fn new(secrets: &'s Redactor) -> Self {
        let secrets: Vec<&[u8]> = secrets.searchable().collect();
        Self {
            max_len: secrets.iter().map(|secret| secret.len()).max().unwrap_or(0),
            secrets,
            line: Vec::new(),
            continued: false,
            adds: false,
            file: String::new(),
            matched_file: None,
        }
    }

    /// Whether a text contains a secret.
    pub(crate) fn contains_secret(&self, text: &str) -> bool {
        self.contains(text.as_bytes())
    }

    fn contains(&self, text: &[u8]) -> bool {
        let mut secrets = self.secrets.iter();
        secrets.any(|secret| memchr::memmem::find(text, secret).is_some())
    }

    /// Processes the next chunk.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.check_line();
                self.line.clear();
                self.continued = false;
            } else if self.line.len() >= MAX_LINE {
                self.check_line();
                // A secret may begin in the last bytes.
                let rest = self.line.len().saturating_sub(self.max_len);
                self.line.drain(..rest);
                self.continued = true;
            }
        }
    }

    /// The first file that contains a secret; `None` if there is none.
    pub(crate) fn finish(mut self) -> Option<String> {
        self.check_line();
        self.matched_file
    }

    fn check_line(&mut self) {
        if !self.continued {
            if let Some(names) = self.line.strip_prefix(FILE_HEADER) {
                // The header contains the name twice.
                let names = String::from_utf8_lossy(names.trim_ascii_end()).into_owned();
                let middle = names.len() / 2;
                self.file = names.get(..middle).unwrap_or(&names).to_owned();
            }
            // File names can contain secrets too.
            self.adds = self.line.starts_with(b"+") || self.line.starts_with(FILE_HEADER);
        }
        if self.matched_file.is_none() && self.adds && self.contains(&self.line) {
            self.matched_file = Some(self.file.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets() -> Redactor {
        Redactor::new(["s3cr3t-value".to_owned(), "short".to_owned()])
    }

    fn search_diff(diff: &str, size: usize) -> Option<String> {
        let secrets = secrets();
        let mut search = SecretSearch::new(&secrets);
        for piece in diff.as_bytes().chunks(size) {
            search.push(piece);
        }
        search.finish()
    }

    #[test]
    fn additions_are_searched_in_chunks_of_any_size() {
        let head = "diff --git a.txt a.txt\n+++ a.txt\n@@ -0,0 +1 @@\n";
        let next = "diff --git d/b.md d/b.md\n+++ d/b.md\n@@ -0,0 +1 @@\n";
        for size in [1, 7, 64, 1 << 20] {
            let added = format!("{head}+fine short\n{next}+x s3cr3t-value y\n");
            assert_eq!(
                search_diff(&added, size),
                Some("d/b.md".to_owned()),
                "{size}"
            );
            let removed = format!("{head}-s3cr3t-value\n s3cr3t-value\n");
            assert_eq!(search_diff(&removed, size), None, "{size}");
        }
        let header = "diff --git s3cr3t-value s3cr3t-value\n";
        assert_eq!(search_diff(header, 5), Some("s3cr3t-value".to_owned()));
        let last = format!("{head}+s3cr3t-value");
        assert_eq!(search_diff(&last, 5), Some("a.txt".to_owned()));
    }

    #[test]
    fn secrets_in_long_lines_are_detected() {
        for before in [MAX_LINE - 5, MAX_LINE, 3 * MAX_LINE - 7] {
            let line = "x".repeat(before);
            let diff = format!("diff --git a a\n+{line}s3cr3t-value{line}\n");
            assert_eq!(
                search_diff(&diff, 64 << 10),
                Some("a".to_owned()),
                "{before}"
            );
        }
    }
}
