//! The position in a page.

use std::ops::Range;

use super::tag::tag_at;
use super::{Cursor, Target, line_at, quoted};

/// Finds what is at an offset of a page. `None` in plain text and in code.
pub(crate) fn page_cursor(text: &str, offset: usize) -> Option<Cursor> {
    let offset = text.floor_char_boundary(offset.min(text.len()));
    let head = front_matter(text);
    if let Some(head) = &head
        && head.contains(&offset)
    {
        return field_cursor(text, offset);
    }
    let body = head.map_or(0, |head| head.end);
    if body > offset || is_in_fence(text.get(body..offset).unwrap_or_default()) {
        return None;
    }
    let line = line_at(text, offset);
    import_cursor(text, offset, &line)
        .or_else(|| tag_at(text, offset, body))
        .or_else(|| link_cursor(text, offset, &line))
}

/// The lines between the fences; up to the first blank line if the second fence is missing.
fn front_matter(text: &str) -> Option<Range<usize>> {
    let bom = text.len() - text.trim_start_matches('\u{feff}').len();
    let rest = text.get(bom..)?;
    let first = rest.split_inclusive('\n').next()?;
    if !matches!(first.trim_end(), "---" | "+++") {
        return None;
    }
    let start = bom + first.len();
    let (mut at, mut blank) = (start, None);
    for line in text.get(start..)?.split_inclusive('\n') {
        if line.trim_end() == first.trim_end() {
            return Some(start..at);
        }
        if line.trim().is_empty() && blank.is_none() {
            blank = Some(at);
        }
        at += line.len();
    }
    Some(start..blank.unwrap_or(at) + 1)
}

fn field_cursor(text: &str, offset: usize) -> Option<Cursor> {
    let line = line_at(text, offset);
    let inside = text.get(line.clone())?;
    // Items of lists and fields of objects are not declared.
    if inside.starts_with([' ', '\t', '-', '#']) {
        return None;
    }
    let Some(colon) = inside.find(':').filter(|at| line.start + at < offset) else {
        let name = inside.split(':').next().unwrap_or_default().trim_end();
        let span = line.start..line.start + name.len();
        return Some(Cursor::new(Target::Field, span, false));
    };
    let field = inside.get(..colon)?.trim().to_owned();
    let value = inside.get(colon + 1..)?;
    let start = line.start + colon + 1 + (value.len() - value.trim_start().len());
    let value = value.trim();
    let quote = value
        .chars()
        .next()
        .filter(|first| matches!(first, '"' | '\''));
    let span = match quote {
        Some(quote) => {
            let inner = value.get(1..)?;
            let length = inner.find(quote).unwrap_or(inner.len());
            start + 1..start + 1 + length
        }
        None => start.min(offset)..(start + value.len()).max(offset.min(start)),
    };
    let target = Target::FieldValue(field);
    let fits = span.start <= offset && offset <= span.end;
    let span = if fits { span } else { offset..offset };
    Some(Cursor::new(target, span, quote.is_some() && fits))
}

/// Whether a text ends inside of a code fence.
fn is_in_fence(text: &str) -> bool {
    let mut fence: Option<(u8, usize)> = None;
    let mut lines = text.split('\n').peekable();
    while let Some(line) = lines.next() {
        let line = line.trim();
        let marker = line
            .bytes()
            .next()
            .filter(|byte| matches!(byte, b'`' | b'~'));
        let run = line
            .bytes()
            .take_while(|byte| Some(*byte) == marker)
            .count();
        match (fence, marker) {
            (None, Some(marker)) if run >= 3 => {
                // The info string belongs to the fence.
                if lines.peek().is_none() {
                    return true;
                }
                fence = Some((marker, run));
            }
            (Some((open, length)), Some(marker))
                if open == marker && run >= length && line.len() == run =>
            {
                fence = None;
            }
            _ => {}
        }
    }
    fence.is_some()
}

fn import_cursor(text: &str, offset: usize, line: &Range<usize>) -> Option<Cursor> {
    let inside = text.get(line.clone())?;
    let is_statement = inside.starts_with("import ") || inside.starts_with("export ");
    let start = inside.find(['"', '\'']).filter(|_| is_statement)?;
    let clause = inside.get(..start)?.trim_end();
    if !clause.ends_with("from") && clause != "import" {
        return None;
    }
    let span = quoted(text, line.start + start, line.end)?;
    (span.start <= offset && offset <= span.end).then(|| Cursor::new(Target::Import, span, true))
}

/// The destination of the link or image around an offset of a line.
fn link_cursor(text: &str, offset: usize, line: &Range<usize>) -> Option<Cursor> {
    let before = text.get(line.start..offset)?;
    if before.matches('`').count() % 2 == 1 {
        return None;
    }
    let inline = before.rfind("](").map(|at| (at, at + 2));
    let defined = before.find("]: ").filter(|_| before.starts_with('['));
    let (bracket, start) = inline.or(defined.map(|at| (at, at + 3)))?;
    let start = line.start + start;
    let rest = text.get(start..line.end)?;
    let length = rest.find([')', ' ', '\t', '>']).unwrap_or(rest.len());
    let span = start..start + length;
    if !(span.start <= offset && offset <= span.end) {
        return None;
    }
    let is_image = inline.is_some()
        && opening_bracket(before, bracket)
            .is_some_and(|at| at > 0 && before.as_bytes().get(at - 1) == Some(&b'!'));
    let target = if is_image {
        Target::Image
    } else {
        Target::Link
    };
    Some(Cursor::new(target, span, false))
}

/// The offset of the bracket that opens the one at `closing`.
fn opening_bracket(line: &str, closing: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let inside = line.get(..closing)?;
    for (at, bracket) in inside.rmatch_indices(['[', ']']) {
        match (bracket, depth) {
            ("[", 0) => return Some(at),
            ("[", _) => depth -= 1,
            _ => depth += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cursor at `|`, as kind and text.
    fn at(marked: &str) -> String {
        let offset = marked.find('|').expect("a mark");
        let text = marked.replacen('|', "", 1);
        let Some(cursor) = page_cursor(&text, offset) else {
            return "none".to_owned();
        };
        let kind = match cursor.target {
            Target::Field => "field".to_owned(),
            Target::FieldValue(field) => format!("value of {field}"),
            Target::Tag { closing } => format!("tag {closing}"),
            Target::Attribute { tag } => format!("attribute of {tag}"),
            Target::AttributeValue { tag, name } => format!("{tag}.{name}"),
            other => format!("{other:?}"),
        };
        format!("{kind}: {}", &text[cursor.span])
    }

    #[test]
    fn front_matter_has_fields_and_values() {
        for (marked, expected) in [
            ("---\nti|tle: A\n---\n", "field: title"),
            ("---\n|\n---\n", "field: "),
            ("---\ntitle: A|b\n---\n", "value of title: Ab"),
            ("---\nicon: \"bo|ok\"\n---\n", "value of icon: book"),
            ("---\nicon:|\n---\n", "value of icon: "),
            ("---\nicon: |", "value of icon: "),
            ("---\r\nmode: wi|\r\n---\r\n", "value of mode: wi"),
            ("---\nkeywords:\n  - a|\n---\n", "none"),
            ("---\ntitle: A\n---\nTe|xt", "none"),
        ] {
            assert_eq!(at(marked), expected, "{marked:?}");
        }
    }

    #[test]
    fn bodies_have_tags_attributes_links_and_imports() {
        for (marked, expected) in [
            ("<Ca|rd>", "tag false: Card"),
            ("Text <|", "tag false: "),
            ("<A>\n</A|", "tag true: A"),
            ("<Card |", "attribute of Card: "),
            ("<Card ti|tle=\"x\">", "attribute of Card: title"),
            ("<Card\n  title=\"x\"\n  |\n>", "attribute of Card: "),
            ("<Card icon=\"bo|\" href=\"/a\">", "Card.icon: bo"),
            ("<Card icon={\"bo|\"}>", "Card.icon: bo"),
            ("<Card icon={bo|}>", "none"),
            ("<Card a={<b c=\"|\"/>}>", "b.c: "),
            ("<Card title=\"a > b\" href=\"/|\">", "Card.href: /"),
            ("<Card>te|xt", "none"),
            ("a < b and c|", "none"),
            ("[a](/b|c) d", "Link: /bc"),
            ("[a](/b) d|", "none"),
            ("![a](/b|", "Image: /b"),
            ("[![a](/b)](/c|)", "Link: /c"),
            ("`[a](/b|)`", "none"),
            ("[a]: /b|", "Link: /b"),
            ("import A from \"/snippets/|\"", "Import: /snippets/"),
            ("```\n<Ca|\n```", "none"),
            ("```js|", "none"),
            ("```\na\n```\n<Ca|", "tag false: Ca"),
        ] {
            assert_eq!(at(marked), expected, "{marked:?}");
        }
    }

    #[test]
    fn any_text_has_cursors() {
        for text in [
            "---",
            "---\né: \"",
            "<é 😀=\"",
            "<A {",
            "<A b={",
            "[](",
            "import \"",
            "\u{feff}---\n😀",
        ] {
            for offset in 0..=text.len() + 2 {
                let _ = page_cursor(text, offset);
            }
        }
    }
}
