//! Converts program output to text for logs: without secrets and terminal escape sequences, in
//! UTF-8.

/// Maximum number of buffered bytes of a line; longer lines are split.
const MAX_LINE_BYTES: usize = 16 << 10;
/// Minimum length of a secret in characters; shorter ones occur in any text.
const MIN_SECRET_CHARS: usize = 6;
/// Minimum length of a secret in bytes for the search in files, which contain more words than logs.
const MIN_SEARCH_BYTES: usize = 8;
/// Maximum length of user name and password in a URL in bytes.
const MAX_USERINFO_BYTES: usize = 300;
/// Replacement of secrets.
const MASK: &str = "***";

/// Secrets that are removed from logs.
#[derive(Clone, Default)]
pub(crate) struct Redactor {
    /// Longest first, so that a secret within another one does not leave parts of it.
    secrets: Vec<String>,
}

impl Redactor {
    /// Redacts the given texts. Each line of a text is a separate secret, because output is
    /// processed in lines.
    pub(crate) fn new(texts: impl IntoIterator<Item = String>) -> Self {
        let mut all: Vec<String> = Vec::new();
        for text in texts {
            let lines = text.lines().map(str::trim).map(str::to_owned);
            all.extend(lines.filter(|line| line.chars().count() >= MIN_SECRET_CHARS));
        }
        all.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
        all.dedup();
        Self { secrets: all }
    }

    /// Removes secrets, and user names and passwords in URLs.
    pub(crate) fn redact(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for secret in &self.secrets {
            if text.contains(secret.as_str()) {
                text = text.replace(secret.as_str(), MASK);
            }
        }
        redact_userinfo(&text)
    }

    /// Secrets that are long enough for the search in files.
    pub(crate) fn searchable(&self) -> impl Iterator<Item = &[u8]> {
        let all = self.secrets.iter().map(String::as_bytes);
        all.filter(|text| text.len() >= MIN_SEARCH_BYTES)
    }

    /// Length of the longest secret in bytes.
    fn max_len(&self) -> usize {
        self.secrets
            .first()
            .map_or(0, String::len)
            .max(MAX_USERINFO_BYTES)
    }
}

/// Removes user information from URLs. The user of an SSH URL is not a secret.
fn redact_userinfo(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        clean.push_str(before);
        let window = after
            .get(..after.floor_char_boundary(MAX_USERINFO_BYTES))
            .unwrap_or(after);
        let end =
            window.find(|c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'' | '<' | '>'));
        let authority = window
            .get(..end.unwrap_or(window.len()))
            .unwrap_or_default();
        rest = after;
        if let Some(at) = authority.rfind('@') {
            let user = authority.get(..at).unwrap_or_default();
            let (_, host) = after.split_at(at);
            if !user.contains(':') && before.ends_with("ssh://") {
                clean.push_str(user);
            } else {
                clean.push_str(MASK);
            }
            rest = host;
        }
    }
    clean.push_str(rest);
    clean
}

/// Splits the output of a program into lines.
pub(crate) struct LineBuffer<'a> {
    redactor: &'a Redactor,
    buffer: Vec<u8>,
}

impl<'a> LineBuffer<'a> {
    pub(crate) fn new(secrets: &'a Redactor) -> Self {
        let buffer = Vec::new();
        Self {
            redactor: secrets,
            buffer,
        }
    }

    /// Adds bytes and returns completed lines.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> String {
        let before = self.buffer.len();
        self.buffer.extend_from_slice(bytes);
        if let Some(at) = bytes.iter().rposition(|byte| *byte == b'\n') {
            let rest = self.buffer.split_off(before + at + 1);
            let lines = std::mem::replace(&mut self.buffer, rest);
            return self.redactor.redact(&strip_control(&lines));
        }
        if self.buffer.len() <= MAX_LINE_BYTES + self.redactor.max_len() {
            return String::new();
        }
        // A secret may begin in the last bytes, which stay in the buffer.
        let mut text = self.redactor.redact(&strip_control(&self.buffer));
        let end = text.len().saturating_sub(self.redactor.max_len());
        let rest = text.split_off(text.floor_char_boundary(end));
        self.buffer = rest.into_bytes();
        text
    }

    /// The last line without a line break.
    pub(crate) fn finish(&mut self) -> String {
        let lines = std::mem::take(&mut self.buffer);
        let mut text = self.redactor.redact(&strip_control(&lines));
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }
}

/// Converts to UTF-8 without terminal escape sequences and control characters, which stores may
/// reject and terminals would execute.
fn strip_control(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut clean = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => {
                // Parameters follow a bracket and end with a letter.
                if chars.next_if_eq(&'[').is_some() {
                    while chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
                    chars.next_if(|c| ('@'..='~').contains(c));
                }
            }
            '\r' => {
                if chars.peek().is_some_and(|next| *next != '\n') {
                    clean.push('\n');
                }
            }
            '\n' | '\t' => clean.push(c),
            c if c.is_control() => clean.push('\u{fffd}'),
            c => clean.push(c),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets() -> Redactor {
        Redactor::new([
            "hunter-two".to_owned(),
            "hunter-two-and-more\n".to_owned(),
            "abc".to_owned(),
        ])
    }

    #[test]
    fn secrets_are_redacted_in_chunks_of_any_size() {
        let secrets = secrets();
        let text = format!(
            "{}hunter-two-and-more{}hunter-two\nabc\n",
            "x".repeat(40_000),
            "y".repeat(40_000)
        );
        for size in [1, 7, 4096, 100_000] {
            // Small chunks only around the secret, because each one processes the whole line.
            let text = if size < 100 {
                &text[MAX_LINE_BYTES..]
            } else {
                text.as_str()
            };
            let text = if size < 100 {
                &text[23_000..24_500]
            } else {
                text
            };
            let mut lines = LineBuffer::new(&secrets);
            let mut out = String::new();
            for piece in text.as_bytes().chunks(size) {
                out += &lines.push(piece);
            }
            out += &lines.finish();
            assert!(!out.contains("hunter") && !out.contains("more"), "{size}");
            assert!(out.contains("x***y"), "{size}");
        }
    }

    #[test]
    fn user_information_in_urls_is_redacted() {
        let hide = |text: &str| Redactor::default().redact(text);
        assert_eq!(
            hide("to https://user:pass@host/x and"),
            "to https://***@host/x and"
        );
        assert_eq!(hide("https://token@host"), "https://***@host");
        assert_eq!(hide("https://a@b@host"), "https://***@host");
        assert_eq!(hide("ssh://git@host/x"), "ssh://git@host/x");
        assert_eq!(hide("ssh://git:pass@host/x"), "ssh://***@host/x");
        assert_eq!(
            hide("https://host/@scope and a@b"),
            "https://host/@scope and a@b"
        );
        assert_eq!(hide("://://ä@://"), "://://***@://");
    }

    #[test]
    fn escape_sequences_and_control_characters_are_removed() {
        assert_eq!(
            strip_control(b"\x1b[1;31mred\x1b[0m\r\nnext\rline\0\xff\x1b"),
            "red\nnext\nline\u{fffd}\u{fffd}"
        );
    }
}
