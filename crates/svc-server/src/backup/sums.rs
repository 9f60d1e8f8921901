//! Checksums of files in the format of `sha256sum`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// SHA-256 of files by path.
pub(super) type Sums = BTreeMap<String, [u8; 32]>;

/// Formats checksums. As `sha256sum` does, a line with an escaped name begins with a backslash.
pub(super) fn format(sums: &Sums) -> String {
    let mut text = String::new();
    for (path, sum) in sums {
        let escaped = path
            .replace('\\', "\\\\")
            .replace('\n', "\\n")
            .replace('\r', "\\r");
        let mark = if escaped == *path { "" } else { "\\" };
        // Writing to a string does not fail.
        let _ = writeln!(text, "{mark}{}  {escaped}", hex::encode(sum));
    }
    text
}

/// Parses checksums; `None` if the text is malformed.
pub(super) fn parse(text: &str) -> Option<Sums> {
    let mut sums = Sums::new();
    for line in text.lines() {
        let (is_escaped, line) = match line.strip_prefix('\\') {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let (sum, path) = line.split_once("  ")?;
        let sum = hex::decode(sum).ok()?.try_into().ok()?;
        let path = match is_escaped {
            true => unescape(path)?,
            false => path.to_owned(),
        };
        if sums.insert(path, sum).is_some() {
            return None;
        }
    }
    Some(sums)
}

fn unescape(text: &str) -> Option<String> {
    let mut path = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        path.push(match c {
            '\\' => match chars.next()? {
                '\\' => '\\',
                'n' => '\n',
                'r' => '\r',
                _ => return None,
            },
            c => c,
        });
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_survives() {
        let paths = ["a", "a b", " c", "d\\e", "f\ng", "\\n", "h\ri", "j\\"];
        let sums: Sums = paths
            .iter()
            .map(|path| ((*path).to_owned(), [7; 32]))
            .collect();
        assert_eq!(parse(&format(&sums)), Some(sums));
    }

    #[test]
    fn malformed_lines_are_rejected() {
        let sum = "07".repeat(32);
        for text in [
            "a".to_owned(),
            format!("{sum} a"),
            format!("{sum}00  a"),
            format!("\\{sum}  a\\t"),
            format!("\\{sum}  a\\"),
            format!("{sum}  a\n{sum}  a\n"),
        ] {
            assert_eq!(parse(&text), None, "{text}");
        }
    }
}
