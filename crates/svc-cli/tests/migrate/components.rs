//! Components of a page: their attributes are no words, except for code that they show.

/// A page without tags of components that have several lines or attributes that are expressions.
pub(super) fn without_attributes(body: &str) -> String {
    let mut out = String::new();
    let mut rest = body;
    let mut fence: Option<&str> = None;
    while !rest.is_empty() {
        let end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let trimmed = rest[..end].trim();
        let marks = trimmed.len() - trimmed.trim_start_matches(['`', '~']).len();
        match fence {
            Some(open) if trimmed.starts_with(open) && marks == trimmed.len() => fence = None,
            Some(_) => {}
            None if marks >= 3 && !trimmed[marks..].contains('`') => {
                fence = Some(&trimmed[..marks]);
            }
            None => {
                let indent = end - rest[..end].trim_start().len();
                if let Some(tag) = component(&rest[indent..]) {
                    if let Some(code) = tag.contains("/>").then(|| shown_code(tag)).flatten() {
                        out.push_str(&format!("\n~~~~~\n{code}\n~~~~~\n"));
                    }
                    rest = &rest[indent + tag.len()..];
                    continue;
                }
            }
        }
        out.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    out
}

/// A page of MDX without tags that have lines of their own, and without indentation outside of
/// lists: neither keeps Markdown from being read, as it does in other Markdown.
pub(super) fn without_blocks(body: &str) -> String {
    let mut out = String::new();
    let mut fence: Option<&str> = None;
    let mut is_in_list = false;
    for line in body.split('\n') {
        let trimmed = line.trim();
        let marks = trimmed.len() - trimmed.trim_start_matches(['`', '~']).len();
        let was_code = fence.is_some();
        match fence {
            Some(open) if trimmed.starts_with(open) && marks == trimmed.len() => fence = None,
            Some(_) => {}
            None if marks >= 3 => fence = Some(&trimmed[..marks]),
            None => {}
        }
        let is_item = trimmed.starts_with(['-', '*', '+'])
            || trimmed.starts_with(|c: char| c.is_ascii_digit()) && trimmed.contains(". ");
        let is_indented = line.starts_with([' ', '\t']);
        is_in_list = is_item || is_in_list && (is_indented || trimmed.is_empty());
        let is_tag = trimmed.starts_with('<')
            && trimmed.ends_with('>')
            && !trimmed[1..trimmed.len() - 1].contains(['<', '>']);
        if is_tag && !was_code {
            is_in_list = false;
            out.push('\n');
        } else {
            out.push_str(if is_in_list || was_code {
                line
            } else {
                trimmed
            });
            out.push('\n');
        }
    }
    out
}

/// The tag at the start, if it has several lines or expressions.
fn component(text: &str) -> Option<&str> {
    text.strip_prefix('<')?
        .starts_with(|c: char| c.is_ascii_uppercase())
        .then_some(())?;
    let (mut depth, mut quote) = (0_usize, None);
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        if std::mem::take(&mut is_escaped) {
            continue;
        }
        match (quote, c) {
            (Some(_), '\\') => is_escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '`') if depth > 0 => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => depth = depth.saturating_sub(1),
            (None, '>') if depth == 0 => {
                let tag = &text[..=at];
                return tag.contains(['\n', '{']).then_some(tag);
            }
            _ => {}
        }
    }
    None
}

/// The code of `code="…"` and of ``code={`…`}`` without expressions.
fn shown_code(tag: &str) -> Option<String> {
    let (_, rest) = tag.split_once(" code=")?;
    let rest = rest.trim_start_matches('{').trim_start();
    let quote = rest.chars().next().filter(|c| "\"'`".contains(*c))?;
    let mut code = String::new();
    let mut chars = rest[1..].chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => code.extend(chars.next()),
            c if c == quote => break,
            c => code.push(c),
        }
    }
    let is_literal = quote != '`' || !code.contains("${");
    is_literal.then_some(code)
}

#[test]
fn tags_of_mdx_do_not_end_markdown() {
    let body = "<a>\n    b\n- c\n\n    d\n</a>\n```\n<a>\n    b\n```";
    assert_eq!(
        without_blocks(body),
        "\nb\n- c\n\n    d\n\n```\n<a>\n    b\n```\n"
    );
}

#[test]
fn only_shown_code_of_attributes_is_words() {
    let body = "<A\n  b={[{ c: '>' }]}\n/>\n  <Code code={`one {\n\ntwo`} /> three\n<B c=\"d\">four</B>\n```\n<A\nb />\n```\n";
    assert_eq!(
        without_attributes(body),
        "\n\n~~~~~\none {\n\ntwo\n~~~~~\n three\n<B c=\"d\">four</B>\n```\n<A\nb />\n```\n"
    );
}
