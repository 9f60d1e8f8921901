//! Commits and their ids.

use std::fmt;

use gix::ObjectId;
use jiff::Timestamp;
use jiff::tz::Offset;

/// Object id of a commit: 40 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId(pub(crate) ObjectId);

impl CommitId {
    /// Parses 40 hexadecimal digits. Returns `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        ObjectId::from_hex(text.as_bytes()).ok().map(Self)
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Metadata of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Object id.
    pub id: CommitId,
    /// Author name, without the e-mail address.
    pub author: String,
    /// First line of the message.
    pub message: String,
    /// Committer time in seconds since 1970.
    pub time: i64,
}

/// Maximum length of the author and the message in characters.
const MAX_CHARS: usize = 200;

impl Commit {
    /// Parses a commit object. Malformed fields are empty.
    pub(crate) fn parse(id: ObjectId, data: &[u8]) -> Self {
        let iter = || gix::objs::CommitRefIter::from_bytes(data, id.kind());
        let author = iter().author().map(|author| first_line(author.name));
        let message = iter().message().map(|text| first_line(text));
        let time = iter().committer().ok().and_then(|sig| sig.time().ok());
        Self {
            id: CommitId(id),
            author: author.unwrap_or_default(),
            message: message.unwrap_or_default(),
            time: time.map_or(0, |time| time.seconds),
        }
    }
}

fn first_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text.get(..8 * MAX_CHARS).unwrap_or(text)).into_owned();
    let line = text.trim_start().lines().next().unwrap_or_default();
    let visible = |c: &char| !c.is_control();
    line.chars()
        .filter(visible)
        .take(MAX_CHARS)
        .collect::<String>()
        .trim()
        .to_owned()
}

/// Formats a UTC date as `2026-03-05`. Times outside of the years -9999 to 9999 are clamped.
pub(crate) fn format_day(seconds: i64) -> String {
    let bounds = (Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
    let time = Timestamp::from_second(seconds.clamp(bounds.0, bounds.1)).unwrap_or_default();
    Offset::UTC.to_datetime(time).date().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_formatted_as_calendar_dates() {
        for (seconds, expected) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (951_782_399, "2000-02-28"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_714_996_800, "2024-05-06"),
            (4_102_444_799, "2099-12-31"),
        ] {
            assert_eq!(format_day(seconds), expected);
        }
    }

    #[test]
    fn malicious_commits_are_parsed_safely() {
        let id = ObjectId::null(gix::hash::Kind::Sha1);
        let read = Commit::parse(id, b"tree \xff\xfe");
        assert_eq!((read.author.as_str(), read.time), ("", 0));
        let text = format!(
            "tree {id}\nauthor a\x07b <a@b> 1 +0000\ncommitter c <c@d> 86400 +0000\n\n\u{1b}[31m{}\nmore",
            "x".repeat(9_999)
        );
        let read = Commit::parse(id, text.as_bytes());
        assert_eq!(read.author, "ab");
        assert_eq!(read.message.chars().count(), 200);
        assert!(!read.message.contains('\u{1b}'));
        assert_eq!(read.time, 86_400);
    }
}
