//! Tags, expressions and module items in flow. They may span several lines, so following lines are
//! read without the prefixes of the open containers.

use crate::{
    Kind, Node, ParseDiagnostic,
    diagnostic::{BAD_ESM, BAD_EXPRESSION, HTML_COMMENT},
    js::{Lexer, TokenKind},
    jsx::{ParseError, Tag, expression, parse_jsx},
    source::MappedText,
    step_counter,
    text::line_ending,
};

use super::{
    MAX_DEPTH, Parser,
    cursor::{Cursor, line_end},
};

/// A part of a line of tags.
enum FlowItem {
    Tag(Tag),
    Expression {
        value: String,
        span: svc_diagnostics::Span,
        clean: bool,
    },
    Comment(svc_diagnostics::Span),
}

/// Tags and expressions that fill whole lines.
pub(crate) struct Lookahead<'a> {
    items: Vec<FlowItem>,
    source: Option<MappedText<'a>>,
    /// Offset after the last item, in the page.
    end: usize,
}

/// Reason why the lookahead did not match.
enum LookaheadMiss {
    /// Other content follows on the line, at this offset.
    Other(usize),
    Error(ParseError),
}

fn flow_items(text: &str, start: usize) -> Result<(Vec<FlowItem>, usize), LookaheadMiss> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = start;
    loop {
        match bytes.get(at) {
            Some(b'<') => {
                if let Some(length) = comment(text.get(at..).unwrap_or("")) {
                    let span = svc_diagnostics::Span::from_range(at..at + length);
                    out.push(FlowItem::Comment(span));
                    at += length;
                } else {
                    if text.get(at..).unwrap_or("").starts_with("<!--") {
                        return Err(LookaheadMiss::Error(open_comment(at)));
                    }
                    let tag = parse_jsx(text, at).map_err(LookaheadMiss::Error)?;
                    at = tag.span.end as usize;
                    out.push(FlowItem::Tag(tag));
                }
            }
            // Two adjacent expressions are text, as in `@mdx-js/mdx`.
            Some(b'{') if matches!(out.last(), Some(FlowItem::Expression { .. })) => {
                return Err(LookaheadMiss::Other(at));
            }
            Some(b'{') => {
                let braced = expression(text, at).map_err(LookaheadMiss::Error)?;
                let span = svc_diagnostics::Span::from_range(at..braced.end);
                at = braced.end;
                out.push(FlowItem::Expression {
                    value: braced.value,
                    span,
                    clean: braced.clean,
                });
            }
            None | Some(b'\n' | b'\r') => return Ok((out, at)),
            Some(_) => return Err(LookaheadMiss::Other(at)),
        }
        while matches!(bytes.get(at), Some(b' ' | b'\t')) {
            at += 1;
        }
    }
}

/// Returns the error for an HTML comment at `at` that is not closed.
pub(crate) fn open_comment(at: usize) -> ParseError {
    ParseError {
        code: &HTML_COMMENT,
        offset: at,
        message: "`<!--` is not closed, and not a comment in MDX".into(),
        hint: "write `{/* … */}`".into(),
        incomplete: true,
    }
}

/// Returns the length of the HTML comment at the start of `rest`.
pub(crate) fn comment(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix("<!--")?;
    let end = inner.find("-->");
    step_counter::tick(end.unwrap_or(inner.len()));
    end.map(|end| 4 + end + 3)
}

impl<'a> Parser<'a, '_> {
    /// Reads the tags and expressions that begin at `cursor` if they fill their lines.
    pub(crate) fn look_ahead(&mut self, cursor: Cursor, end: usize) -> Option<Lookahead<'a>> {
        if self.fuel == 0 {
            return None;
        }
        if self.containers.is_empty() {
            return match flow_items(self.text, cursor.pos) {
                Ok((pieces, end)) => Some(Lookahead {
                    items: pieces,
                    source: None,
                    end,
                }),
                Err(not) => {
                    self.charge(&not, cursor.pos, self.text.len(), None);
                    None
                }
            };
        }
        // Only lines of the same containers are read; their number is doubled while the input is
        // incomplete.
        let mut max_lines = 1;
        loop {
            let (source, all) = self.lines_ahead(cursor, end, max_lines);
            match flow_items(source.text(), 0) {
                Ok((pieces, end)) => {
                    let end = source.page_offset(end.saturating_sub(1)) + 1;
                    return Some(Lookahead {
                        items: pieces,
                        source: Some(source),
                        end,
                    });
                }
                Err(LookaheadMiss::Error(error)) if error.incomplete && !all => max_lines *= 2,
                Err(not) => {
                    self.charge(&not, 0, source.text().len(), Some(&source));
                    return None;
                }
            }
        }
    }

    /// Charges a failed lookahead to the budget. Lines that belonged to the tag begin no
    /// containers.
    fn charge(
        &mut self,
        miss: &LookaheadMiss,
        start: usize,
        length: usize,
        source: Option<&MappedText<'_>>,
    ) {
        let reach = match miss {
            LookaheadMiss::Other(at) => *at,
            LookaheadMiss::Error(error) if error.incomplete => length,
            LookaheadMiss::Error(error) => error.offset,
        };
        self.fuel = self.fuel.saturating_sub(reach.saturating_sub(start) + 16);
        if let LookaheadMiss::Other(at) = miss {
            self.claimed = source.map_or(*at, |source| source.page_offset(*at));
        }
    }

    /// Returns the rest of the line at `start` with up to `max_lines - 1` more lines, and whether
    /// there are no more.
    fn lines_ahead(&self, start: Cursor, end: usize, max_lines: usize) -> (MappedText<'a>, bool) {
        let mut source = MappedText::from_range(self.text, start.pos, end);
        let mut end = end;
        for _ in 1..max_lines {
            let next = end + line_ending(self.text.as_bytes(), end);
            let Some(cursor) = self
                .same_containers(next)
                .filter(|_| next < self.text.len())
            else {
                return (source, true);
            };
            source.push(end, next);
            source.push_spaces(cursor.spare, cursor.pos);
            end = line_end(self.text, cursor.pos).0;
            source.push(cursor.pos, end);
        }
        (source, end >= self.text.len())
    }

    /// Adds the items that were read ahead and returns the start of the next line.
    pub(crate) fn apply_ahead(&mut self, ahead: Lookahead<'_>) -> usize {
        let source = ahead.source.as_ref();
        let relocate = |span| source.map_or(span, |source| source.relocate(span));
        for piece in ahead.items {
            match piece {
                FlowItem::Tag(mut tag) => {
                    tag.relocate(&relocate);
                    let remaining_depth = MAX_DEPTH.saturating_sub(self.depth());
                    let mut problems = std::mem::take(&mut self.out.problems);
                    self.element_stack()
                        .tag(tag, true, remaining_depth, &mut problems);
                    self.out.problems = problems;
                }
                FlowItem::Expression { value, span, clean } => {
                    let span = relocate(span);
                    if !clean {
                        self.out.problems.push(bad_expression(span));
                    }
                    let kind = Kind::Expression {
                        value: value.into(),
                        flow: true,
                    };
                    self.element_stack().push(Node::new(span, kind));
                }
                FlowItem::Comment(span) => self.out.problems.push(html_comment(relocate(span))),
            }
        }
        self.last_end = ahead.end;
        line_end(self.text, ahead.end).1
    }

    /// Reads the module item at `at`: returns its end and the start of the next line.
    pub(crate) fn esm(&mut self, at: usize) -> Option<(usize, usize)> {
        let rest = self.text.get(at..)?;
        if !is_module_item(rest) || self.fuel == 0 {
            return None;
        }
        let mut first_blank = None;
        let mut lexer = Lexer::new(self.text, at);
        let mut import = rest.starts_with("import ");
        // Line ending after text that could be a complete item.
        let mut whole: Option<(usize, usize)> = None;
        loop {
            let token = lexer.next();
            if let Some(token) = token
                && token.kind != TokenKind::Newline
            {
                let Some(item_end) = whole.take_if(|_| token.kind != TokenKind::Comment) else {
                    continue;
                };
                let token_text = self.text.get(token.start..token.end).unwrap_or("");
                if matches!(token_text, "import" | "export") {
                    import = token_text == "import";
                } else if ends_item(import, token.kind, token_text) {
                    self.out.problems.push(ParseDiagnostic::new(
                        &BAD_ESM,
                        svc_diagnostics::Span::from_range(token.start..token.end),
                        "only `import` and `export` are allowed in these lines",
                        "leave a blank line before the content",
                    ));
                    return Some(item_end);
                }
                continue;
            }
            let here = token.map_or(self.text.len(), |token| token.start);
            let next = here + line_ending(self.text.as_bytes(), here);
            let last = token.is_none();
            if !lexer.needs_more() {
                whole = whole.or(Some((here, next)));
            }
            if last || Cursor::start(next).blank(self.text) {
                if !lexer.needs_more() {
                    return Some((here, next));
                }
                first_blank = first_blank.or(Some((here, next)));
            }
            if last {
                // The item is not complete: read the lines up to the first blank one.
                self.fuel = self.fuel.saturating_sub(self.text.len() - at);
                return self.cut_esm(at, first_blank);
            }
        }
    }

    fn cut_esm(
        &mut self,
        at: usize,
        first_blank: Option<(usize, usize)>,
    ) -> Option<(usize, usize)> {
        let mut line = at;
        loop {
            let (end, next) = line_end(self.text, line);
            if next >= self.text.len() || Cursor::start(next).blank(self.text) {
                let item_end = first_blank
                    .filter(|item_end| item_end.0 <= end)
                    .unwrap_or((end, next));
                self.out.problems.push(ParseDiagnostic::new(
                    &BAD_ESM,
                    svc_diagnostics::Span::from_range(at..item_end.0),
                    "this `import` or `export` is not complete",
                    "close its brackets, strings and comments",
                ));
                return Some(item_end);
            }
            line = next;
        }
    }
}

/// Returns true if a token at the start of a line cannot continue the module item above.
fn ends_item(import: bool, kind: TokenKind, token: &str) -> bool {
    if import {
        return !matches!(token, ";" | "with" | "assert");
    }
    let continues = matches!(
        token,
        "instanceof" | "in" | "of" | "as" | "from" | "else" | "extends"
    );
    matches!(
        kind,
        TokenKind::Name | TokenKind::Number | TokenKind::String | TokenKind::Bad
    ) && !continues
}

/// Returns the diagnostic for a `{…}` whose content has a lexical error.
pub(crate) fn bad_expression(span: svc_diagnostics::Span) -> ParseDiagnostic {
    ParseDiagnostic::new(
        &BAD_EXPRESSION,
        span,
        "the text in these braces is not JavaScript",
        "write `\\{` for a plain brace",
    )
}

/// Returns the diagnostic for an HTML comment, which is not part of the tree.
pub(crate) fn html_comment(span: svc_diagnostics::Span) -> ParseDiagnostic {
    ParseDiagnostic::new(
        &HTML_COMMENT,
        span,
        "`<!-- … -->` is not a comment in MDX",
        "write `{/* … */}`",
    )
}

/// Returns true if the line is an `import` or `export`, and not prose that begins with such a word.
fn is_module_item(rest: &str) -> bool {
    let (import, rest) = if let Some(rest) = rest.strip_prefix("import ") {
        (true, rest)
    } else if let Some(rest) = rest.strip_prefix("export ") {
        (false, rest)
    } else {
        return false;
    };
    let rest = rest.trim_start_matches([' ', '\t']);
    if rest.starts_with(['{', '*']) || (import && rest.starts_with(['"', '\''])) {
        return true;
    }
    let end = rest
        .find(|c: char| !crate::text::is_name_part(c))
        .unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    let after = after.trim_start();
    if import {
        return !name.is_empty() && (after.starts_with(',') || after.starts_with("from"));
    }
    matches!(
        name,
        "default" | "const" | "let" | "var" | "function" | "async" | "class"
    )
}
