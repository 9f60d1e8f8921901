//! Edits that solve problems of a page without a decision by the author.

use std::borrow::Cow;
use std::collections::BTreeMap;

use svc_diagnostics::{Fix, SourceFile, Span};

use crate::{
    Document, Element, Kind, ParseDiagnostic,
    block::VOID_ELEMENTS,
    diagnostic::{
        BAD_ATTRIBUTE, BAD_ESM, BAD_EXPRESSION, BAD_TAG, HTML_COMMENT, STRAY_CLOSING_TAG,
        UNCLOSED_ELEMENT, UNCLOSED_EXPRESSION,
    },
    walk,
};

/// Maximum number of problems of a page that get a fix.
const MAX_FIXES: usize = 1_000;

/// Edits that solve a problem, with spans in the parsed text. [`ParseDiagnostic::diagnostic`]
/// converts them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseFix {
    /// What the edits do, in the form of [`Fix::title`].
    pub title: Cow<'static, str>,
    /// Replacements of spans; not empty.
    pub edits: Vec<(Span, Cow<'static, str>)>,
}

impl ParseFix {
    fn new(
        title: impl Into<Cow<'static, str>>,
        range: std::ops::Range<usize>,
        text: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            title: title.into(),
            edits: vec![(Span::from_range(range), text.into())],
        }
    }

    fn edit(mut self, range: std::ops::Range<usize>, text: impl Into<Cow<'static, str>>) -> Self {
        self.edits.push((Span::from_range(range), text.into()));
        self
    }

    /// Converts this to a fix of `file`, in which the parsed text begins at byte `shift`.
    pub(crate) fn fix(&self, file: &SourceFile, shift: u32) -> Fix {
        let edits = self.edits.iter().map(|(span, text)| svc_diagnostics::Edit {
            location: file.location(span.shifted(shift)),
            text: text.to_string(),
        });
        Fix {
            title: self.title.to_string(),
            edits: edits.collect(),
        }
    }
}

/// Adds fixes to the problems of a page.
pub(crate) fn add(text: &str, document: &Document, problems: &mut [ParseDiagnostic]) {
    if problems.is_empty() {
        return;
    }
    let unclosed: BTreeMap<u32, &str> = problems
        .iter()
        .filter(|problem| problem.code.id == UNCLOSED_ELEMENT.id)
        .map(|problem| (problem.span.start, tag_name(text, problem.span)))
        .collect();
    let ends = ends_of(text, document, &unclosed);
    // The opening tag of a closing tag may be one that cannot be parsed.
    let invalid = [
        &BAD_TAG,
        &BAD_ATTRIBUTE,
        &BAD_EXPRESSION,
        &UNCLOSED_EXPRESSION,
    ];
    let has_invalid = problems
        .iter()
        .any(|problem| invalid.contains(&problem.code));
    for problem in problems.iter_mut().take(MAX_FIXES) {
        let span = problem.span;
        problem.fix = match problem.code.id {
            id if id == HTML_COMMENT.id => comment(text, span),
            id if id == UNCLOSED_ELEMENT.id => {
                void(text, span).or_else(|| ends.get(&span.start).cloned())
            }
            id if id == STRAY_CLOSING_TAG.id => match problem.fix.take() {
                None if has_invalid => None,
                None => stray(text, span, &unclosed),
                renamed => renamed,
            },
            id if id == BAD_TAG.id => tag(text, span, &problem.hint),
            id if id == BAD_ATTRIBUTE.id => attribute(text, span),
            id if id == UNCLOSED_EXPRESSION.id => open_comment(text, span),
            id if id == BAD_EXPRESSION.id && problem.hint.starts_with("write `\\{`") => {
                let start = span.start as usize;
                let is_brace = text.get(start..).is_some_and(|text| text.starts_with('{'));
                is_brace.then(|| ParseFix::new("write `\\{`", start..start, "\\"))
            }
            id if id == BAD_ESM.id && problem.hint.starts_with("leave a blank line") => {
                let start = span.start as usize;
                let before = text.get(..start).unwrap_or("");
                let is_line = before.ends_with('\n');
                is_line.then(|| ParseFix::new("insert a blank line", start..start, "\n"))
            }
            _ => None,
        };
    }
}

/// Name of the tag at a span.
fn tag_name(text: &str, span: Span) -> &str {
    let tag = text.get(span.range()).unwrap_or("");
    let tag = tag.trim_start_matches(['<', '/', ' ']);
    let end = tag.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/' | '{'));
    tag.get(..end.unwrap_or(tag.len())).unwrap_or("")
}

fn comment(text: &str, span: Span) -> Option<ParseFix> {
    let (start, end) = (span.start as usize, span.end as usize);
    let inner = text.get(span.range())?;
    let inner = inner.strip_prefix("<!--")?.strip_suffix("-->")?;
    let fix = ParseFix::new("write `{/* … */}`", start..start + 4, "{/*");
    (!inner.contains("*/")).then(|| fix.edit(end - 3..end, "*/}"))
}

fn void(text: &str, span: Span) -> Option<ParseFix> {
    let name = tag_name(text, span);
    let tag = text.get(span.range())?;
    let name = VOID_ELEMENTS.into_iter().find(|void| *void == name)?;
    let inside = tag.strip_suffix('>')?;
    let end = span.end as usize - 1;
    let slash = if inside.ends_with(' ') { "/" } else { " /" };
    Some(ParseFix::new(
        format!("write `<{name} />`"),
        end..end,
        slash,
    ))
}

/// The fixes of elements that end before the closing tag of an outer one, by their start: they are
/// closed there, or before the first child of the same name, which is then the next sibling.
fn ends_of(
    text: &str,
    document: &Document,
    unclosed: &BTreeMap<u32, &str>,
) -> BTreeMap<u32, ParseFix> {
    let mut ends = BTreeMap::new();
    walk(&document.children, |node, _| {
        let Kind::Element(element) = &node.kind else {
            return true;
        };
        let Some(name) = unclosed
            .get(&node.span.start)
            .filter(|name| !name.is_empty())
        else {
            return true;
        };
        let end = node.span.end as usize;
        let outer = text.get(end..).is_some_and(|rest| rest.starts_with("</"));
        let place = sibling(element, name).or(outer.then_some(end));
        if let Some(place) = place.filter(|place| *place > node.span.start as usize) {
            ends.insert(
                node.span.start,
                closing(text, node.span.start as usize, place, name),
            );
        }
        true
    });
    ends
}

fn sibling(element: &Element, name: &str) -> Option<usize> {
    // Elements of HTML such as `<div>` and `<span>` are often nested in each other.
    if !name.starts_with(char::is_uppercase) {
        return None;
    }
    let mut children = element.children.iter();
    let same = children.find(
        |child| matches!(&child.kind, Kind::Element(child) if child.name.as_deref() == Some(name)),
    )?;
    Some(same.span.start as usize)
}

/// Inserts a closing tag at `place`: on its own line, if the tags at both ends are.
fn closing(text: &str, open: usize, place: usize, name: &str) -> ParseFix {
    let title = format!("insert `</{name}>`");
    let indent = |at: usize| {
        let before = text.get(..at).unwrap_or("");
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before.get(start..).unwrap_or("");
        line.trim().is_empty().then_some((start, line))
    };
    match (indent(open), indent(place)) {
        (Some((first, indent)), Some((start, _))) if first < start => {
            ParseFix::new(title, start..start, format!("{indent}</{name}>\n"))
        }
        _ => ParseFix::new(title, place..place, format!("</{name}>")),
    }
}

/// Removes a closing tag without an opening one.
fn stray(text: &str, span: Span, unclosed: &BTreeMap<u32, &str>) -> Option<ParseFix> {
    let (start, end) = (span.start as usize, span.end as usize);
    let name = tag_name(text, span);
    let line = text.get(..start)?.rfind('\n').map_or(0, |end| end + 1);
    let is_first = text.get(line..start)?.trim().is_empty();
    // The opening tag may be in another container, such as a list.
    if unclosed.values().any(|open| *open == name) {
        return None;
    }
    let rest = text.get(end..)?;
    let length = rest.find('\n').map_or(rest.len(), |end| end + 1);
    let is_last = rest.get(..length)?.trim().is_empty();
    let removed = match is_first && is_last {
        true => line..end + length,
        false => start..end,
    };
    Some(ParseFix::new(format!("remove `</{name}>`"), removed, ""))
}

/// Escapes a `<`, or writes a link in angle brackets as a Markdown link.
fn tag(text: &str, span: Span, hint: &str) -> Option<ParseFix> {
    let start = text.get(..span.start as usize)?.rfind('<')?;
    let rest = text.get(start + 1..)?;
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>'));
    let token = rest.get(..end.unwrap_or(rest.len()))?;
    if rest
        .get(token.len()..)
        .is_some_and(|rest| rest.starts_with('>'))
    {
        let range = start..start + token.len() + 2;
        let is_url = token.starts_with("https://") || token.starts_with("http://");
        if is_url && !token.contains(['(', ')', '[', ']']) {
            return Some(ParseFix::new(
                "write a link",
                range,
                format!("[{token}]({token})"),
            ));
        }
        if token.contains('@') && token.contains('.') && !token.contains(['/', ':']) {
            let link = format!("[{token}](mailto:{token})");
            return Some(ParseFix::new("write a link", range, link));
        }
    }
    let is_near = span.start as usize - start <= token.len() + 1;
    (is_near && hint.contains("`\\<`")).then(|| ParseFix::new("write `\\<`", start..start, "\\"))
}

/// Quotes a value, replaces typographic quotation marks, or removes a comma between attributes.
fn attribute(text: &str, span: Span) -> Option<ParseFix> {
    let start = span.start as usize;
    let (before, rest) = (text.get(..start)?, text.get(start..)?);
    let first = rest.chars().next()?;
    if matches!(first, '“' | '”' | '„') && before.trim_end().ends_with('=') {
        let inner = rest.get(first.len_utf8()..)?;
        let length = inner.find(['“', '”', '\n', '"', '>'])?;
        let close = inner.get(length..)?.chars().next()?;
        let end = start + first.len_utf8() + length;
        let fix = ParseFix::new("write `\"`", start..start + first.len_utf8(), "\"");
        return matches!(close, '“' | '”').then(|| fix.edit(end..end + close.len_utf8(), "\""));
    }
    if before.trim_end().ends_with('=') {
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '>' | '<' | '{' | '}'));
        let token = rest.get(..end?)?;
        let token = token
            .strip_suffix('/')
            .filter(|_| rest.contains("/>"))
            .unwrap_or(token);
        if token.is_empty() || token.contains(['"', '\'', '`']) {
            return None;
        }
        let value = match token.parse::<f64>().is_ok() || matches!(token, "true" | "false") {
            true => format!("{{{token}}}"),
            false => format!("\"{token}\""),
        };
        return Some(ParseFix::new(
            format!("write `{value}`"),
            start..start + token.len(),
            value,
        ));
    }
    match first {
        ',' => Some(ParseFix::new("remove the comma", start..start + 1, "")),
        '"' if before.ends_with(|c: char| c.is_ascii_alphanumeric()) => {
            Some(ParseFix::new("insert `=`", start..start, "="))
        }
        _ => None,
    }
}

/// Closes an expression that has only a comment.
fn open_comment(text: &str, span: Span) -> Option<ParseFix> {
    let start = span.start as usize;
    let rest = text.get(start..)?;
    let inner = rest.strip_prefix("{/*")?;
    let end = start + 3 + inner.find("*/")? + 2;
    let next = text.get(end..)?;
    let is_line_end = next.is_empty() || next.starts_with(['\n', '\r']);
    is_line_end.then(|| ParseFix::new("close it with `}`", end..end, "}"))
}

#[cfg(test)]
mod tests {
    use svc_diagnostics::{SourceFile, apply_fixes};

    use crate::{Options, parse};

    /// Applies the fixes until nothing changes; returns the text, and whether problems remain.
    fn fixed(text: &str) -> (String, bool) {
        let mut text = text.to_owned();
        for _ in 0..5 {
            let file = SourceFile::new("a.mdx", &*text);
            let parsed = parse(&text, &Options::default());
            let problems = parsed.diagnostics.iter();
            let problems: Vec<_> = problems.map(|one| one.diagnostic(&file, 0)).collect();
            let fixes: Vec<_> = problems.iter().filter_map(|one| one.fix.as_ref()).collect();
            let mut outcome = apply_fixes(&|_| Some(file.text()), &fixes);
            match outcome.texts.remove("a.mdx") {
                Some(changed) => text = changed,
                None => return (text, !problems.is_empty()),
            }
        }
        (text, true)
    }

    #[test]
    fn fixes_leave_no_problem() {
        for (text, expected) in [
            ("a <!-- b --> c", "a {/* b */} c"),
            ("> <!-- a\n> b -->", "> {/* a\n> b */}"),
            ("a<br>b<hr >", "a<br />b<hr />"),
            ("<G>\n  <C>\n    a\n</G>", "<G>\n  <C>\n    a\n  </C>\n</G>"),
            ("<G><C>a</G>", "<G><C>a</C></G>"),
            (
                "<Steps>\n<Step>\na\n<Step>\nb\n</Step>\n</Steps>\n",
                "<Steps>\n<Step>\na\n</Step>\n<Step>\nb\n</Step>\n</Steps>\n",
            ),
            ("<Card>\na\n</Crad>\n", "<Card>\na\n</Card>\n"),
            ("<Card>\na\n</card>\n", "<Card>\na\n</Card>\n"),
            ("a\n\n</Card>\n\nb", "a\n\n\nb"),
            ("a </Card> b", "a  b"),
            ("a <5 b", "a \\<5 b"),
            ("see <https://a.b/c>", "see [https://a.b/c](https://a.b/c)"),
            ("see <me@a.bc>", "see [me@a.bc](mailto:me@a.bc)"),
            ("<A b=2 c=true d=e/>", "<A b={2} c={true} d=\"e\"/>"),
            ("<A b=“c d” e=\"f\"/>", "<A b=\"c d\" e=\"f\"/>"),
            ("<A b=\"c\", d=\"e\" />", "<A b=\"c\" d=\"e\" />"),
            ("<A b\"c\" />", "<A b=\"c\" />"),
            ("{/* a */\n\nb", "{/* a */}\n\nb"),
            ("a {b c} d", "a \\{b c} d"),
            ("import a from 'b'\ntext", "import a from 'b'\n\ntext"),
        ] {
            assert_eq!(fixed(text), (expected.to_owned(), false), "{text}");
        }
    }

    #[test]
    fn without_a_unique_edit_the_author_decides() {
        for text in [
            "- <B>\n  a\n</B>",
            "<Card>\n\na\n\nb",
            "```\na",
            "a {b",
            "<A b=\"c",
            "<!-- a */ -->",
        ] {
            assert_eq!(fixed(text), (text.to_owned(), true), "{text}");
        }
    }
}
