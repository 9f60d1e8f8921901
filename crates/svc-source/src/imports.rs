//! Imports of a page, found line by line without parsing.

use svc_diagnostics::Span;

use crate::paths::{normalize, parent_dir};

/// An import statement: `import … from "specifier"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The specifier without its quotes.
    pub specifier: String,
    /// Span of the specifier in the file, without its quotes.
    pub span: Span,
}

/// Maximum length of an import statement in bytes.
const MAX_STATEMENT_BYTES: usize = 4096;

/// Returns the imports of a text from byte `from` on. Only lines outside of code fences that begin
/// with `import` count, so the page is never parsed.
pub(crate) fn imports(text: &str, from: usize) -> Vec<Import> {
    let mut imports = Vec::new();
    if !text.get(from..).unwrap_or("").contains("import") {
        return imports;
    }
    let mut fence: Option<(u8, usize)> = None;
    let mut at = from;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let line = rest.split_once('\n').map_or(rest, |(line, _)| line);
        let mut next = at + line.len() + 1;
        let inner = line.trim_start();
        match (fence, fence_of(inner)) {
            (None, Some(open)) => fence = Some(open),
            (Some((marker, length)), Some((this, run)))
                if marker == this && run >= length && inner.trim_end().len() == run =>
            {
                fence = None;
            }
            (None, None) if is_import(line) => {
                if let Some(import) = statement(text, at) {
                    // The specifier may be on a later line; the scan continues after it.
                    next = next.max(import.span.end as usize + 1);
                    imports.push(import);
                }
            }
            _ => {}
        }
        at = next;
    }
    imports
}

/// Returns the character and the length of a code fence.
fn fence_of(line: &str) -> Option<(u8, usize)> {
    let marker = *line
        .as_bytes()
        .first()
        .filter(|byte| matches!(byte, b'`' | b'~'))?;
    let run = line.bytes().take_while(|byte| *byte == marker).count();
    // An opening fence of backticks has no backtick after it; otherwise it is inline code.
    let inline = marker == b'`'
        && line
            .as_bytes()
            .get(run..)
            .unwrap_or_default()
            .contains(&b'`');
    (run >= 3 && !inline).then_some((marker, run))
}

fn is_import(line: &str) -> bool {
    line.strip_prefix("import")
        .and_then(|rest| rest.as_bytes().first())
        .is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'{' | b'*' | b'"' | b'\'' | b'\r'))
        && line.starts_with("import")
}

/// Returns the first quoted string after `import` if the text can be a statement.
fn statement(text: &str, at: usize) -> Option<Import> {
    let bytes = text.as_bytes();
    let end = bytes.len().min(at + MAX_STATEMENT_BYTES);
    let mut blank = false;
    for start in at..end {
        match bytes[start] {
            quote @ (b'"' | b'\'') => {
                let inside = bytes.get(start + 1..end)?;
                let length = inside
                    .iter()
                    .position(|byte| *byte == quote || *byte == b'\n')?;
                let closed = inside.get(length) == Some(&quote);
                let clause = text.get(at + 6..start)?.trim_end();
                let range = start + 1..start + 1 + length;
                return (closed && (clause.is_empty() || clause.ends_with("from"))).then(|| {
                    Import {
                        specifier: text.get(range.clone()).unwrap_or("").to_owned(),
                        span: Span::from_range(range),
                    }
                });
            }
            b'\n' if blank => return None,
            b'\n' => blank = true,
            b';' | b'(' | b'<' => return None,
            b' ' | b'\t' | b'\r' => {}
            _ => blank = false,
        }
    }
    None
}

/// Resolves the path of an imported file: relative to the root for `/x` and `x`, relative to the
/// directory of the importing file for `./x` and `../x`. The result is always inside the
/// repository.
///
/// ```
/// use svc_source::resolve_import;
/// assert_eq!(resolve_import("guides/a.mdx", "./b.mdx"), "guides/b.mdx");
/// assert_eq!(resolve_import("guides/a.mdx", "/snippets/c.mdx"), "snippets/c.mdx");
/// ```
pub fn resolve_import(from_path: &str, specifier: &str) -> String {
    if specifier.starts_with("./") || specifier.starts_with("../") {
        normalize(&format!("{}/{specifier}", parent_dir(from_path)))
    } else {
        normalize(specifier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specifiers(text: &str) -> Vec<String> {
        imports(text, 0)
            .into_iter()
            .map(|import| import.specifier)
            .collect()
    }

    #[test]
    fn imports_outside_of_fences_are_extracted_with_their_spans() {
        let text = "import A from \"/snippets/a.mdx\"\n\nText\n\n```js\nimport x from 'no'\n```\nimport { B,\n  C } from './b.jsx';\n";
        assert_eq!(specifiers(text), ["/snippets/a.mdx", "./b.jsx"]);
        let first = &imports(text, 0)[0];
        assert_eq!(&text[first.span.range()], "/snippets/a.mdx");
    }

    #[test]
    fn prose_that_begins_with_import_is_ignored() {
        assert!(
            specifiers("import the \"data\" now\nimportant: \"x\"\nimport\n\n\"x\"").is_empty()
        );
        assert!(specifiers("import(\"x\")").is_empty());
        assert_eq!(specifiers("import \"/a.mdx\""), ["/a.mdx"]);
    }

    #[test]
    fn a_shorter_fence_does_not_close_a_longer_one() {
        let text = "````md\n```\nimport A from 'no'\n```\n````\nimport B from 'yes'\n";
        assert_eq!(specifiers(text), ["yes"]);
    }

    #[test]
    fn specifiers_resolve_inside_the_repository() {
        assert_eq!(resolve_import("a/b.mdx", "./c.mdx"), "a/c.mdx");
        assert_eq!(resolve_import("a/b.mdx", "../../c.mdx"), "c.mdx");
        assert_eq!(resolve_import("a/b.mdx", "/s/c.mdx"), "s/c.mdx");
        assert_eq!(resolve_import("a/b.mdx", "s/c.mdx"), "s/c.mdx");
    }
}
