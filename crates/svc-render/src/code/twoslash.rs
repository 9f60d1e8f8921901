//! Code blocks with `twoslash`: compiler annotations are removed. Types on hover are not supported.

use std::borrow::Cow;

/// Removes queries, compiler options and the text before a cut.
#[must_use]
pub fn without_twoslash(code: &str) -> Cow<'_, str> {
    if !code.contains("//") {
        return Cow::Borrowed(code);
    }
    let mut out = String::with_capacity(code.len());
    let mut inside_cut = false;
    for line in code.split_inclusive('\n') {
        let comment = line.trim().strip_prefix("//").map(str::trim);
        match comment {
            Some("---cut---" | "---cut-before---") => out.clear(),
            Some("---cut-after---") => break,
            Some("---cut-start---") => inside_cut = true,
            Some("---cut-end---") => inside_cut = false,
            Some(text) if is_for_the_compiler(text) => {}
            _ if inside_cut => {}
            _ => out.push_str(line),
        }
    }
    Cow::Owned(out)
}

/// `^?`, `^|`, `^^^`, or `@name` and `@name: value`.
fn is_for_the_compiler(text: &str) -> bool {
    if let Some(rest) = text.strip_prefix('^') {
        let rest = rest.trim_start_matches('^');
        return rest.is_empty() || rest.starts_with(['?', '|', ' ']);
    }
    let Some(rest) = text.strip_prefix('@') else {
        return false;
    };
    let name = rest.split(':').next().unwrap_or_default().trim_end();
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        // Comments for other tools are retained.
        && !name.starts_with("ts")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_for_the_compiler_are_removed() {
        for (code, expected) in [
            ("const a = 1\n//    ^?\nb", "const a = 1\nb"),
            ("// @errors: 2304\n// @noErrors\na", "a"),
            ("hidden\n// ---cut---\nshown\n", "shown\n"),
            ("a\n// ---cut-after---\nb", "a\n"),
            ("a\n// ---cut-start---\nb\n// ---cut-end---\nc", "a\nc"),
            (
                "// a comment\n// @ts-ignore\n// see @x y\na",
                "// a comment\n// @ts-ignore\n// see @x y\na",
            ),
            ("plain", "plain"),
        ] {
            assert_eq!(without_twoslash(code), expected);
        }
    }
}
