//! File names that are unsafe on any operating system.

/// Why a name in a tree cannot be written; `None` for a safe name.
pub(crate) fn reject_reason(name: &[u8]) -> Option<&'static str> {
    let Ok(text) = std::str::from_utf8(name) else {
        return Some("the name is not valid UTF-8");
    };
    if text.is_empty() {
        return Some("the name is empty");
    }
    if text == "." || text == ".." {
        return Some("the name refers to another folder");
    }
    if text.contains(['/', '\\']) {
        return Some("the name contains a slash");
    }
    if text.chars().any(char::is_control) {
        return Some("the name contains a control character");
    }
    if text.len() > 255 {
        return Some("the name is longer than 255 bytes");
    }
    if is_git(text) {
        return Some("the name is reserved for Git's folder");
    }
    None
}

/// `.git` in any spelling that a file system treats as equal.
fn is_git(text: &str) -> bool {
    // HFS+ ignores these characters. NTFS ignores trailing dots and spaces, and a colon begins the
    // name of a stream.
    let visible: String = text.chars().filter(|c| !is_ignored(*c)).collect();
    let visible = visible.to_lowercase();
    let name = visible.split(':').next().unwrap_or_default();
    let name = name.trim_end_matches(['.', ' ']);
    name == ".git" || name.strip_prefix("git~").is_some_and(|rest| rest == "1")
}

/// Characters that HFS+ ignores when it compares names.
const fn is_ignored(c: char) -> bool {
    matches!(
        c,
        '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_are_accepted() {
        for name in [
            "a.mdx",
            "ä b.png",
            ".github",
            ".gitignore",
            ".gitattributes",
            ".gitmodules",
            "git",
            "...",
            "a:b",
            "git~2",
            "x.git",
            "日本.md",
            "C:",
        ] {
            assert_eq!(reject_reason(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn unsafe_names_are_rejected() {
        for name in [
            "",
            ".",
            "..",
            ".git",
            ".GIT",
            ".Git",
            ".git.",
            ".git ",
            ".git. .",
            "git~1",
            "GIT~1",
            ".git::$INDEX_ALLOCATION",
            ".git:x",
            ".g\u{200c}it",
            "\u{feff}.git",
            ".gi\u{206a}T",
            "a/b",
            "a\\b",
            "..\\x",
            "a\nb",
            "\u{1b}[31m",
            "a\0b",
        ] {
            assert!(reject_reason(name.as_bytes()).is_some(), "{name:?}");
        }
        assert!(reject_reason(b"\xff").is_some());
        assert!(reject_reason(&[b'a'; 256]).is_some());
    }
}
