//! Tags, expressions and module items in flow: they may go on for several lines, so the lines
//! ahead are read, without the prefixes of the open containers.

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

/// One part of a line of tags.
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
    /// One past the last of them, in the page.
    end: usize,
}

/// Why lines are not such.
enum LookaheadMiss {
    /// Something else follows in the line, at this offset.
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
            // Two expressions in a row are text, as the reference has it.
            Some(b'{') if matches!(out.last(), Some(FlowItem::Expression { .. })) => {
                return Err(LookaheadMiss::Other(at));
            }
            Some(b'{') => {
                let found = expression(text, at).map_err(LookaheadMiss::Error)?;
                let span = svc_diagnostics::Span::from_range(at..found.end);
                at = found.end;
                out.push(FlowItem::Expression {
                    value: found.value,
                    span,
                    clean: found.clean,
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

/// An HTML comment at `at` that does not end.
pub(crate) fn open_comment(at: usize) -> ParseError {
    ParseError {
        code: &HTML_COMMENT,
        offset: at,
        message: "`<!--` is not closed, and not a comment in MDX".into(),
        hint: "write `{/* … */}`".into(),
        incomplete: true,
    }
}

/// The length of the HTML comment at the start of `rest`.
pub(crate) fn comment(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix("<!--")?;
    let end = inner.find("-->");
    step_counter::tick(end.unwrap_or(inner.len()));
    end.map(|end| 4 + end + 3)
}

impl<'a> Parser<'a, '_> {
    /// Reads the tags and expressions that begin at `here`, when they fill their lines.
    pub(crate) fn look_ahead(&mut self, here: Cursor, end: usize) -> Option<Lookahead<'a>> {
        if self.fuel == 0 {
            return None;
        }
        if self.containers.is_empty() {
            return match flow_items(self.text, here.pos) {
                Ok((pieces, end)) => Some(Lookahead {
                    items: pieces,
                    source: None,
                    end,
                }),
                Err(not) => {
                    self.charge(&not, here.pos, self.text.len(), None);
                    None
                }
            };
        }
        // Only the lines of the same containers count: take more of them while they are missed.
        let mut wanted = 1;
        loop {
            let (source, all) = self.lines_ahead(here, end, wanted);
            match flow_items(source.text(), 0) {
                Ok((pieces, end)) => {
                    let end = source.page_offset(end.saturating_sub(1)) + 1;
                    return Some(Lookahead {
                        items: pieces,
                        source: Some(source),
                        end,
                    });
                }
                Err(LookaheadMiss::Error(fault)) if fault.incomplete && !all => wanted *= 2,
                Err(not) => {
                    self.charge(&not, 0, source.text().len(), Some(&source));
                    return None;
                }
            }
        }
    }

    /// Pays for a vain look ahead; lines that belonged to the tag begin no containers.
    fn charge(
        &mut self,
        not: &LookaheadMiss,
        start: usize,
        length: usize,
        source: Option<&MappedText<'_>>,
    ) {
        let reach = match not {
            LookaheadMiss::Other(at) => *at,
            LookaheadMiss::Error(fault) if fault.incomplete => length,
            LookaheadMiss::Error(fault) => fault.offset,
        };
        self.fuel = self.fuel.saturating_sub(reach.saturating_sub(start) + 16);
        if let LookaheadMiss::Other(at) = not {
            self.claimed = source.map_or(*at, |source| source.page_offset(*at));
        }
    }

    /// The rest of the line at `here` and up to `wanted - 1` lines more; whether these are all.
    fn lines_ahead(&self, here: Cursor, end: usize, wanted: usize) -> (MappedText<'a>, bool) {
        let mut source = MappedText::from_range(self.text, here.pos, end);
        let mut end = end;
        for _ in 1..wanted {
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

    /// Adds what was read ahead; gives the start of the next line.
    pub(crate) fn apply_ahead(&mut self, ahead: Lookahead<'_>) -> usize {
        let source = ahead.source.as_ref();
        let place = |span| source.map_or(span, |source| source.relocate(span));
        for piece in ahead.items {
            match piece {
                FlowItem::Tag(mut tag) => {
                    tag.relocate(&place);
                    let room = MAX_DEPTH.saturating_sub(self.depth());
                    let mut problems = std::mem::take(&mut self.out.problems);
                    self.element_stack().tag(tag, true, room, &mut problems);
                    self.out.problems = problems;
                }
                FlowItem::Expression { value, span, clean } => {
                    let span = place(span);
                    if !clean {
                        self.out.problems.push(bad_expression(span));
                    }
                    let kind = Kind::Expression {
                        value: value.into(),
                        flow: true,
                    };
                    self.element_stack().push(Node::new(span, kind));
                }
                FlowItem::Comment(span) => self.out.problems.push(html_comment(place(span))),
            }
        }
        self.last_end = ahead.end;
        line_end(self.text, ahead.end).1
    }

    /// The module item at `at`: its end, and the start of the next line.
    pub(crate) fn esm(&mut self, at: usize) -> Option<(usize, usize)> {
        let rest = self.text.get(at..)?;
        if !is_module_item(rest) || self.fuel == 0 {
            return None;
        }
        let mut first_blank = None;
        let mut lexer = Lexer::new(self.text, at);
        let mut import = rest.starts_with("import ");
        // The line ending after something that could be a whole item.
        let mut whole: Option<(usize, usize)> = None;
        loop {
            let token = lexer.next();
            if let Some(token) = token
                && token.kind != TokenKind::Newline
            {
                let Some(found) = whole.take_if(|_| token.kind != TokenKind::Comment) else {
                    continue;
                };
                let word = self.text.get(token.start..token.end).unwrap_or("");
                if matches!(word, "import" | "export") {
                    import = word == "import";
                } else if ends_item(import, token.kind, word) {
                    self.out.problems.push(ParseDiagnostic::new(
                        &BAD_ESM,
                        svc_diagnostics::Span::from_range(token.start..token.end),
                        "only `import` and `export` may stand in these lines",
                        "leave a blank line before the content",
                    ));
                    return Some(found);
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
                // It never ends: take the lines up to the first blank one.
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
                let found = first_blank
                    .filter(|found| found.0 <= end)
                    .unwrap_or((end, next));
                self.out.problems.push(ParseDiagnostic::new(
                    &BAD_ESM,
                    svc_diagnostics::Span::from_range(at..found.0),
                    "this `import` or `export` does not end",
                    "close its brackets, strings and comments",
                ));
                return Some(found);
            }
            line = next;
        }
    }
}

/// Whether a token at the start of a line cannot go on with the module item above.
fn ends_item(import: bool, kind: TokenKind, word: &str) -> bool {
    if import {
        return !matches!(word, ";" | "with" | "assert");
    }
    let goes_on = matches!(
        word,
        "instanceof" | "in" | "of" | "as" | "from" | "else" | "extends"
    );
    matches!(
        kind,
        TokenKind::Name | TokenKind::Number | TokenKind::String | TokenKind::Bad
    ) && !goes_on
}

/// A `{…}` whose inside has a lexical error.
pub(crate) fn bad_expression(span: svc_diagnostics::Span) -> ParseDiagnostic {
    ParseDiagnostic::new(
        &BAD_EXPRESSION,
        span,
        "the text in these braces is not JavaScript",
        "write `\\{` for a plain brace",
    )
}

/// An HTML comment, which is left out.
pub(crate) fn html_comment(span: svc_diagnostics::Span) -> ParseDiagnostic {
    ParseDiagnostic::new(
        &HTML_COMMENT,
        span,
        "`<!-- … -->` is not a comment in MDX",
        "write `{/* … */}`",
    )
}

/// Whether the line is an `import` or `export`, not prose that begins with such a word.
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
    let (word, after) = rest.split_at(end);
    let after = after.trim_start();
    if import {
        return !word.is_empty() && (after.starts_with(',') || after.starts_with("from"));
    }
    matches!(
        word,
        "default" | "const" | "let" | "var" | "function" | "async" | "class"
    )
}
