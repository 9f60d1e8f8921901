//! Detection of OpenAPI documents.

/// Whether a text has a top-level key `openapi` or `swagger` with a version. The text is not
/// parsed, so a text for which this is true may still not be a document.
///
/// # Example
///
/// ```
/// use svc_openapi::looks_like_openapi;
/// assert!(looks_like_openapi("openapi: 3.1.0\ninfo: {}"));
/// assert!(!looks_like_openapi("title: openapi"));
/// ```
pub fn looks_like_openapi(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    if !text.contains("openapi") && !text.contains("swagger") {
        return false;
    }
    match text.trim_start().strip_prefix('{') {
        Some(members) => json(members.as_bytes()),
        None => text.lines().any(yaml_line),
    }
}

fn yaml_line(line: &str) -> bool {
    let Some((key, value)) = line.split_once(':') else {
        return false;
    };
    let key = key.trim_end().trim_matches(['"', '\'']);
    (key == "openapi" || key == "swagger") && is_version(value)
}

fn is_version(value: &str) -> bool {
    value
        .trim_start()
        .trim_start_matches(['"', '\''])
        .starts_with(|c: char| c.is_ascii_digit())
}

/// Searches for the key among the members of the outermost object.
fn json(bytes: &[u8]) -> bool {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let start = at + 1;
                at = start;
                while let Some(inner) = bytes.get(at).filter(|inner| **inner != b'"') {
                    at += if *inner == b'\\' { 2 } else { 1 };
                }
                let key = bytes.get(start..at).unwrap_or_default();
                if depth == 0 && matches!(key, b"openapi" | b"swagger") {
                    let after = bytes.get(at + 1..).unwrap_or_default();
                    let end = after.len().min(64);
                    let after = String::from_utf8_lossy(after.get(..end).unwrap_or_default());
                    if after.trim_start().strip_prefix(':').is_some_and(is_version) {
                        return true;
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_version_at_the_top_level_counts() {
        assert!(looks_like_openapi("# x\nopenapi: 3.1.0\n"));
        assert!(looks_like_openapi(
            "\u{feff}{\"info\": {\"a\": \"}\\\"\"}, \"openapi\" : \"3.0.0\"}"
        ));
        assert!(looks_like_openapi("swagger: '2.0'"));
        assert!(!looks_like_openapi("{\"api\": {\"openapi\": \"3.0.0\"}}"));
        assert!(!looks_like_openapi("{\"openapi\": \"api/openapi.json\"}"));
        assert!(!looks_like_openapi("{\"openapi"));
        assert!(!looks_like_openapi("x:\n  openapi: 3.1.0\n"));
    }
}
