//! References in JavaScript: imports, and strings with the path of a page or file.

use std::ops::Range;

use svc_diagnostics::SourceFile;
use svc_mdx::js::{Lexer, Token, TokenKind};

use super::edits::Edit;
use super::resolver::Resolver;
use super::urls;

/// The edits of a module.
pub(super) fn file(resolver: &Resolver<'_>, file: &SourceFile) -> Vec<Edit> {
    edits(resolver, file.path(), file.text(), 0..file.text().len())
}

/// The edits of a part of a text that is JavaScript.
pub(super) fn edits(
    resolver: &Resolver<'_>,
    from: &str,
    text: &str,
    range: Range<usize>,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    let Some(part) = text.get(..range.end) else {
        return edits;
    };
    let mut previous: Option<Token> = None;
    for token in Lexer::new(part, range.start) {
        let raw = part.get(token.start..token.end).unwrap_or_default();
        match token.kind {
            TokenKind::Newline | TokenKind::Comment => continue,
            TokenKind::String | TokenKind::Jsx | TokenKind::Template => {
                let word = previous.and_then(|token| part.get(token.start..token.end));
                let is_import = matches!(word, Some("from" | "import"));
                if let Some(inside) = unquoted(raw) {
                    let new = string(resolver, from, inside, is_import);
                    let start = token.start + 1;
                    edits.extend(new.map(|text| Edit {
                        range: start..start + inside.len(),
                        text,
                    }));
                }
                if raw.contains("url(") {
                    edits.extend(urls::edits(resolver, from, text, token.start..token.end));
                }
            }
            _ => {}
        }
        previous = Some(token);
    }
    edits
}

/// The text between quotes; `None` for other tokens and for strings with escapes.
fn unquoted(raw: &str) -> Option<&str> {
    let quote = raw.chars().next().filter(|c| "\"'`".contains(*c))?;
    let inside = raw.get(1..raw.len().checked_sub(1)?)?;
    (raw.len() >= 2 && raw.ends_with(quote) && !inside.contains(['\\', '$', '\n']))
        .then_some(inside)
}

fn string(resolver: &Resolver<'_>, from: &str, inside: &str, is_import: bool) -> Option<String> {
    if is_import {
        return resolver.import(from, inside);
    }
    // Other strings are texts.
    let is_path = inside.starts_with('/') || inside.starts_with("./") || inside.starts_with("../");
    if !is_path {
        return None;
    }
    resolver.path_reference(from, inside)
}
