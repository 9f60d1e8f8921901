//! Known secrets in what a commit adds.

use crate::clean::Secrets;

/// Bytes of a line that are looked at together.
const MAX_LINE: usize = 1 << 20;
/// What begins the part of a file.
const FILE: &[u8] = b"diff --git ";

/// Reads the text of a diff, in pieces of any size.
pub(crate) struct Search<'s> {
    secrets: Vec<&'s [u8]>,
    longest: usize,
    /// The beginning of a line.
    line: Vec<u8>,
    /// Whether `line` is the rest of a line that was too long.
    continued: bool,
    /// Whether the present line is one that the commit adds.
    adds: bool,
    file: String,
    found: Option<String>,
}

impl<'s> Search<'s> {
    pub(crate) fn new(secrets: &'s Secrets) -> Self {
        let secrets: Vec<&[u8]> = secrets.long().collect();
        Self {
            longest: secrets.iter().map(|secret| secret.len()).max().unwrap_or(0),
            secrets,
            line: Vec::new(),
            continued: false,
            adds: false,
            file: String::new(),
            found: None,
        }
    }

    /// Whether a text holds a secret.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.holds(text.as_bytes())
    }

    fn holds(&self, text: &[u8]) -> bool {
        let mut secrets = self.secrets.iter();
        secrets.any(|secret| memchr::memmem::find(text, secret).is_some())
    }

    /// Takes the next piece.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.look();
                self.line.clear();
                self.continued = false;
            } else if self.line.len() >= MAX_LINE {
                self.look();
                // A secret may have begun in the last bytes.
                let rest = self.line.len().saturating_sub(self.longest);
                self.line.drain(..rest);
                self.continued = true;
            }
        }
    }

    /// The file that holds a secret, the first one of them.
    pub(crate) fn finish(mut self) -> Option<String> {
        self.look();
        self.found
    }

    fn look(&mut self) {
        if !self.continued {
            if let Some(names) = self.line.strip_prefix(FILE) {
                // The name stands there twice.
                let names = String::from_utf8_lossy(names.trim_ascii_end()).into_owned();
                let middle = names.len() / 2;
                self.file = names.get(..middle).unwrap_or(&names).to_owned();
            }
            // Names are added too.
            self.adds = self.line.starts_with(b"+") || self.line.starts_with(FILE);
        }
        if self.found.is_none() && self.adds && self.holds(&self.line) {
            self.found = Some(self.file.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets() -> Secrets {
        Secrets::new(["s3cr3t-value".to_owned(), "short".to_owned()])
    }

    fn found(diff: &str, size: usize) -> Option<String> {
        let secrets = secrets();
        let mut search = Search::new(&secrets);
        for piece in diff.as_bytes().chunks(size) {
            search.push(piece);
        }
        search.finish()
    }

    #[test]
    fn what_is_added_is_searched_however_it_comes() {
        let head = "diff --git a.txt a.txt\n+++ a.txt\n@@ -0,0 +1 @@\n";
        let next = "diff --git d/b.md d/b.md\n+++ d/b.md\n@@ -0,0 +1 @@\n";
        for size in [1, 7, 64, 1 << 20] {
            let added = format!("{head}+fine short\n{next}+x s3cr3t-value y\n");
            assert_eq!(found(&added, size), Some("d/b.md".to_owned()), "{size}");
            let removed = format!("{head}-s3cr3t-value\n s3cr3t-value\n");
            assert_eq!(found(&removed, size), None, "{size}");
        }
        let named = "diff --git s3cr3t-value s3cr3t-value\n";
        assert_eq!(found(named, 5), Some("s3cr3t-value".to_owned()));
        let last = format!("{head}+s3cr3t-value");
        assert_eq!(found(&last, 5), Some("a.txt".to_owned()));
    }

    #[test]
    fn long_lines_hide_nothing() {
        for before in [MAX_LINE - 5, MAX_LINE, 3 * MAX_LINE - 7] {
            let line = "x".repeat(before);
            let diff = format!("diff --git a a\n+{line}s3cr3t-value{line}\n");
            assert_eq!(found(&diff, 64 << 10), Some("a".to_owned()), "{before}");
        }
    }
}
