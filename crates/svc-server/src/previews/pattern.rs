//! Patterns of branches.

/// Whether the last pattern that matches a branch selects it. `*` matches any text, and a leading
/// `!` excludes branches.
pub(super) fn is_selected(patterns: &[String], branch: &str) -> bool {
    let fitting = patterns.iter().rev().find_map(|pattern| {
        let (out, pattern) = match pattern.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, pattern.as_str()),
        };
        matches_glob(pattern, branch).then_some(!out)
    });
    fitting.unwrap_or(false)
}

/// Matches the literals between the stars from left to right. The first match of each leaves most
/// text for the rest.
fn matches_glob(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(first) else {
        return false;
    };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let last = pieces.pop().unwrap_or_default();
    for piece in pieces {
        match text.find(piece) {
            Some(at) => text = text.get(at + piece.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    text.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_match_any_text() {
        for (pattern, text, expected) in [
            ("main", "main", true),
            ("main", "mainly", false),
            ("*", "", true),
            ("*", "a/b/c", true),
            ("docs/*", "docs/a/b", true),
            ("docs/*", "docs", false),
            ("*/docs", "a/docs", true),
            ("a*b*c", "abc", true),
            ("a*b*c", "a-bb-cc", true),
            ("a*b*c", "acb", false),
            ("a*a", "a", false),
            ("**", "ä", true),
            ("*ä*", "xäy", true),
        ] {
            assert_eq!(matches_glob(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn the_last_matching_pattern_decides() {
        let takes = |patterns: &[&str], branch: &str| {
            let patterns: Vec<String> = patterns.iter().map(|&text| text.to_owned()).collect();
            is_selected(&patterns, branch)
        };
        assert!(!takes(&[], "a"));
        assert!(takes(&["*", "!wip/*"], "a"));
        assert!(!takes(&["*", "!wip/*"], "wip/a"));
        assert!(takes(&["*", "!wip/*", "wip/shown"], "wip/shown"));
        assert!(takes(&["!wip/*", "*"], "wip/a"));
    }
}
