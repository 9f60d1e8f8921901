//! Names of files that would do more than name a file, on any system.

/// Why a name from a tree cannot be written; nothing for an ordinary one.
pub(crate) fn reject_reason(name: &[u8]) -> Option<&'static str> {
    let Ok(text) = std::str::from_utf8(name) else {
        return Some("it is not UTF-8");
    };
    if text.is_empty() {
        return Some("it is empty");
    }
    if text == "." || text == ".." {
        return Some("it leads elsewhere");
    }
    if text.contains(['/', '\\']) {
        return Some("it holds a slash");
    }
    if text.chars().any(char::is_control) {
        return Some("it holds a control character");
    }
    if text.len() > 255 {
        return Some("it is longer than 255 bytes");
    }
    if is_git(text) {
        return Some("it is a name of Git's own folder");
    }
    None
}

/// `.git` in any form that some file system takes for it.
fn is_git(text: &str) -> bool {
    // Apple's leaves these out; Microsoft's leaves out dots and spaces at the end, and what
    // follows a colon names a part of the file.
    let visible: String = text.chars().filter(|c| !is_ignored(*c)).collect();
    let visible = visible.to_lowercase();
    let name = visible.split(':').next().unwrap_or_default();
    let name = name.trim_end_matches(['.', ' ']);
    name == ".git" || name.strip_prefix("git~").is_some_and(|rest| rest == "1")
}

/// Characters that Apple's file system leaves out of names when it compares them.
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
    fn ordinary_names_are_ordinary() {
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
    fn names_that_lead_elsewhere_are_trouble() {
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
