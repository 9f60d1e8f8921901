//! Printing of inline content.

use crate::{
    Kind, Node, Options, ReferenceKind,
    inline::is_autolink,
    text::{identifier, is_punctuation, is_space},
};

use super::{
    escape,
    tag::{self, Layout},
};

/// Escape levels, which are tried in order: 0 escapes only what requires it; 1 escapes all
/// delimiters; 2 alternates `_` with `*` and prints no bare URLs; 3 separates letters from
/// delimiters by character references; 4 breaks the line in a leading tag, which is then not a
/// block if the next line is lazy; 5 uses `*` only, because runs of one delimiter can be
/// distinguished where two delimiters among punctuation cannot, and a single dollar, because two of
/// them at the start of a line begin a block; 6 begins code of several lines on a separate line,
/// because the text before it could otherwise be the header row of a table.
pub(super) const ESCAPE_LEVELS: [u8; 7] = [0, 1, 2, 3, 4, 5, 6];

/// Style in which inline content is printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style<'a> {
    pub(super) options: &'a Options,
    /// One of [`ESCAPE_LEVELS`].
    pub(super) level: u8,
    /// The content is in a table cell.
    pub(super) cell: bool,
    /// Line endings cannot be printed.
    pub(super) single: bool,
    /// Blocks may begin at the start of a line.
    pub(super) lines: bool,
    /// The content is that of a heading.
    pub(super) heading: bool,
    /// The heading has an id.
    pub(super) named: bool,
    /// The content is at the start of a list item that is not a task.
    pub(super) item: bool,
    /// The previous line is a definition without title.
    pub(super) after_definition: bool,
}

impl<'a> Style<'a> {
    /// Returns the default style.
    pub(super) const fn new(options: &'a Options) -> Self {
        Self {
            options,
            level: 0,
            cell: false,
            single: false,
            lines: false,
            heading: false,
            named: false,
            item: false,
            after_definition: false,
        }
    }
}

/// Prints inline content.
pub(super) fn inline(nodes: &[Node], style: &Style<'_>) -> String {
    let mut writer = Writer {
        style: *style,
        out: String::new(),
        after_letter: false,
        refer_next: false,
        shortcut: false,
        in_link: false,
        after_autolink: false,
        outer_mark: None,
        deletes: 0,
    };
    writer.nodes(nodes, Edges::Leaf, 0);
    writer.out
}

/// Text at the edges of a run of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edges {
    /// Start and end of the block, where white space is dropped.
    Leaf,
    /// Delimiters, which white space makes text.
    Marks,
    /// Anything else.
    Free,
}

struct Writer<'a> {
    style: Style<'a>,
    out: String,
    /// The last character is a letter of a text.
    after_letter: bool,
    /// The next letter of a text must be separated from the delimiters before it.
    refer_next: bool,
    /// The last node was a shortcut reference.
    shortcut: bool,
    in_link: bool,
    /// The last node was a bare URL, followed only by characters that are not part of it.
    after_autolink: bool,
    /// Delimiter of an emphasis whose only child is the strong text that follows: one run.
    outer_mark: Option<char>,
    /// Number of enclosing strikethrough nodes.
    deletes: usize,
}

impl Writer<'_> {
    fn line_start(&self) -> bool {
        self.out.is_empty() || self.out.ends_with(['\n', '\r'])
    }

    fn nodes(&mut self, nodes: &[Node], edges: Edges, depth: usize) {
        for (index, node) in nodes.iter().enumerate() {
            if let Kind::Text(value) = &node.kind {
                let start = index == 0 && edges != Edges::Free;
                let end = index + 1 == nodes.len() && edges != Edges::Free;
                let leaf_end = end && edges == Edges::Leaf;
                let next = nodes.get(index + 1).map(|node| &node.kind);
                self.text(value, start, end, leaf_end, next);
                self.shortcut = false;
            } else {
                self.after_autolink = false;
                self.node(node, depth);
                self.after_letter = false;
                self.shortcut = matches!(
                    node.kind,
                    Kind::LinkReference {
                        reference: ReferenceKind::Shortcut,
                        ..
                    } | Kind::ImageReference {
                        reference: ReferenceKind::Shortcut,
                        ..
                    } | Kind::FootnoteReference { .. }
                );
            }
        }
    }

    fn node(&mut self, node: &Node, depth: usize) {
        let style = self.style;
        match &node.kind {
            Kind::Emphasis(children) => self.emphasized(children, depth, 1),
            Kind::Strong(children) => self.emphasized(children, depth, 2),
            Kind::Delete(children) => {
                // Delimiters of the same length do not nest.
                let single = self.deletes % 2 == 1;
                self.deletes += 1;
                self.between(if single { "~" } else { "~~" }, children, depth);
                self.deletes -= 1;
            }
            Kind::InlineCode(value) => self.code(value),
            Kind::InlineMath(value) => self.math(value),
            Kind::Break => self.out.push_str("\\\n"),
            Kind::Link {
                url,
                title,
                children,
            } => self.link(url, title.as_deref(), children, depth),
            Kind::Image { url, title, alt } => {
                self.out.push_str("![");
                self.alt(alt);
                self.out.push(']');
                self.resource(url, title.as_deref());
            }
            Kind::LinkReference {
                identifier,
                reference,
                children,
            } => {
                let outer = std::mem::replace(&mut self.in_link, true);
                self.reference("[", identifier, *reference, children, depth);
                self.in_link = outer;
            }
            Kind::ImageReference {
                identifier,
                reference,
                alt,
            } => {
                let text = Node::new(node.span, Kind::Text(alt.clone()));
                self.reference("![", identifier, *reference, &[text], depth);
            }
            Kind::FootnoteReference { identifier } => {
                self.out.push_str("[^");
                self.out.push_str(identifier);
                self.out.push(']');
            }
            Kind::Expression { value, .. } => {
                self.out.push('{');
                escape::expression(value, &mut self.out);
                self.out.push('}');
            }
            Kind::Element(element) => {
                let layout = Layout {
                    flat: style.single || style.level > 0,
                    cell: style.cell,
                    broken: style.level > 3 && style.lines && self.out.is_empty(),
                    tall: false,
                };
                tag::open(element, layout, &mut self.out);
                if element.self_closing {
                    return;
                }
                self.after_letter = false;
                self.refer_next = false;
                self.shortcut = false;
                self.nodes(&element.children, Edges::Free, depth + 1);
                tag::close(element, &mut self.out);
            }
            // Blocks do not occur in text; their content is printed.
            _ => self.nodes(node.children(), Edges::Free, depth + 1),
        }
    }

    fn emphasized(&mut self, children: &[Node], depth: usize, count: usize) {
        let turn = self.style.level > 1 && depth % 2 == 1;
        let (first, second) = if turn { ('_', '*') } else { ('*', '_') };
        let mark = if self.style.level > 4 {
            '*'
        } else if self.out.ends_with(first) {
            second
        } else {
            first
        };
        let mark = self.outer_mark.take().unwrap_or(mark);
        let marks: String = std::iter::repeat_n(mark, count).collect();
        if let [node] = children
            && matches!(node.kind, Kind::Strong(_))
        {
            self.outer_mark = Some(mark);
        }
        self.between(&marks, children, depth);
    }

    fn between(&mut self, marks: &str, children: &[Node], depth: usize) {
        let apart = self.style.level > 2;
        if apart
            && self.after_letter
            && let Some(last) = self.out.pop()
        {
            escape::refer(last, &mut self.out);
        }
        self.out.push_str(marks);
        self.after_letter = false;
        self.refer_next = false;
        self.shortcut = false;
        self.nodes(children, Edges::Marks, depth + 1);
        self.out.push_str(marks);
        self.refer_next = apart;
    }

    fn code(&mut self, value: &str) {
        let marks = "`".repeat(free_run(value, b'`', |_| true));
        self.padded(&marks, value, '`', self.style.cell);
    }

    fn math(&mut self, value: &str) {
        let space = |c: Option<char>| c.is_none_or(is_space);
        let edges = space(value.chars().next())
            || space(value.chars().next_back())
            || value.ends_with('\\')
            || value.starts_with('$')
            || value.ends_with('$');
        let guarded = self.style.options.guarded_dollars;
        let count = if self.style.level > 4 {
            1
        } else {
            free_run(value, b'$', |count| {
                count > 1 || !(guarded && (edges || self.style.level > 1))
            })
        };
        self.padded(&"$".repeat(count), value, '$', false);
    }

    /// Prints code or math between delimiters. A space at both ends is removed by the parser, so
    /// one more is printed.
    fn padded(&mut self, marks: &str, value: &str, mark: char, pipes: bool) {
        let edge = |c: char| matches!(c, ' ' | '\n' | '\r');
        let stripped = value.starts_with(edge) && value.ends_with(edge) && !value.chars().all(edge);
        let pad = stripped || value.starts_with(mark) || value.ends_with(mark);
        let below = mark == '`' && self.style.level > 5 && self.style.lines && value.contains('\n');
        let space = if pad || below { " " } else { "" };
        self.out.push_str(marks);
        self.out.push_str(if below { "\n" } else { space });
        if pipes {
            self.out.push_str(&value.replace('|', "\\|"));
        } else {
            self.out.push_str(value);
        }
        self.out.push_str(space);
        self.out.push_str(marks);
    }

    fn link(&mut self, url: &str, title: Option<&str>, children: &[Node], depth: usize) {
        if let ([node], None) = (children, title)
            && let Kind::Text(shown) = &node.kind
            && self.style.options.autolinks
            && self.style.level < 2
            && is_autolink(shown, url)
        {
            self.out.push_str(shown);
            self.after_autolink = true;
            return;
        }
        self.out.push('[');
        let outer = std::mem::replace(&mut self.in_link, true);
        self.after_letter = false;
        self.refer_next = false;
        self.shortcut = false;
        self.nodes(children, Edges::Free, depth + 1);
        self.in_link = outer;
        self.out.push(']');
        self.resource(url, title);
    }

    fn resource(&mut self, url: &str, title: Option<&str>) {
        self.out.push('(');
        if !url.is_empty() || title.is_some() {
            escape::destination(url, self.style.cell, &mut self.out);
        }
        if let Some(title) = title {
            self.out.push(' ');
            escape::title(title, self.style.cell, &mut self.out);
        }
        self.out.push(')');
    }

    fn alt(&mut self, alt: &str) {
        let outer = std::mem::replace(&mut self.in_link, true);
        self.after_letter = false;
        self.refer_next = false;
        self.shortcut = false;
        self.text(alt, false, false, false, None);
        self.in_link = outer;
    }

    fn reference(
        &mut self,
        open: &str,
        target: &str,
        reference: ReferenceKind,
        children: &[Node],
        depth: usize,
    ) {
        self.out.push_str(open);
        let start = self.out.len();
        let outer = std::mem::replace(&mut self.in_link, true);
        let level = self.style.level;
        for level in [level, 0] {
            self.out.truncate(start);
            self.after_letter = false;
            self.refer_next = false;
            self.shortcut = false;
            self.style.level = level;
            self.nodes(children, Edges::Free, depth + 1);
            let label = self.out.get(start..).unwrap_or("");
            if reference == ReferenceKind::Full || *identifier(label) == *target {
                break;
            }
        }
        self.style.level = level;
        self.in_link = outer;
        let label = self.out.get(start..).unwrap_or("");
        if reference != ReferenceKind::Full && *identifier(label) != *target {
            let mut plain = String::new();
            crate::walk(children, |node, _| {
                match &node.kind {
                    Kind::Text(value) | Kind::InlineCode(value) | Kind::InlineMath(value) => {
                        plain.push_str(value);
                    }
                    _ => {}
                }
                true
            });
            self.out.truncate(start);
            self.out.push_str(&cased(target, &plain));
        }
        self.out.push(']');
        match reference {
            ReferenceKind::Full => {
                self.out.push('[');
                self.out.push_str(target);
                self.out.push(']');
            }
            ReferenceKind::Collapsed => self.out.push_str("[]"),
            ReferenceKind::Shortcut => {}
        }
    }

    fn text(&mut self, value: &str, start: bool, end: bool, leaf_end: bool, next: Option<&Kind>) {
        let mut prev = None;
        let mut at = 0;
        while let Some(c) = value.get(at..).and_then(|rest| rest.chars().next()) {
            let rest = value.get(at..).unwrap_or("");
            let after = rest.get(c.len_utf8()..).unwrap_or("");
            let (is_start, is_end) = (start && at == 0, end && after.is_empty());
            match c {
                '\n' | '\r' => {
                    // A tag or expression alone on a line would be parsed as a block.
                    let is_last = after.is_empty() || rest == "\r\n";
                    let before_tag = is_last
                        && matches!(
                            next,
                            None | Some(Kind::Element(_) | Kind::Expression { .. })
                        );
                    let after_tag = at == 0 && self.out.ends_with(['>', '}']);
                    let flow = self.style.level > 0 && (before_tag || after_tag);
                    let refers = self.style.single
                        || flow
                        || self.line_start()
                        || is_start
                        || (is_last && end);
                    if refers {
                        escape::refer(c, &mut self.out);
                    } else {
                        self.out.push(c);
                        if c == '\r' && after.starts_with('\n') {
                            self.out.push('\n');
                            at += 1;
                        }
                    }
                    self.after_letter = false;
                }
                ' ' | '\t'
                    if self.line_start()
                        || is_start
                        || is_end
                        || (self.style.level > 0 && at == 0 && self.out.ends_with(['>', '}']))
                        || after.starts_with(['\n', '\r']) =>
                {
                    escape::refer(c, &mut self.out);
                    self.after_letter = false;
                }
                '\u{feff}' if self.line_start() => escape::refer(c, &mut self.out),
                '}' if is_end && leaf_end && self.loose_id() => escape::refer(c, &mut self.out),
                _ => {
                    let is_regular = !is_space(c) && !is_punctuation(c);
                    if self.refer_next && is_regular {
                        escape::refer(c, &mut self.out);
                        self.after_letter = false;
                    } else if let Some(digits) = self.number(rest) {
                        self.out.push_str(rest.get(..digits).unwrap_or(""));
                        self.out.push('\\');
                        at += digits;
                        continue;
                    } else {
                        // The backslash would become part of the URL.
                        let trails = matches!(c, '*' | '_' | '~' | ':' | '!');
                        self.after_autolink &= trails && self.style.level == 0;
                        if !self.after_autolink
                            && self.escapes(c, prev, rest, after, leaf_end, next)
                        {
                            self.out.push('\\');
                        }
                        self.out.push(c);
                        self.after_letter = is_regular;
                    }
                }
            }
            self.refer_next = false;
            self.shortcut = false;
            self.after_autolink &= c.is_ascii_punctuation();
            prev = Some(c);
            at += c.len_utf8();
        }
    }

    /// Returns true at the end of a heading whose text would be parsed as an id.
    fn loose_id(&self) -> bool {
        self.style.heading
            && self.style.options.heading_ids
            && !self.style.named
            && self.out.contains("{#")
    }

    /// Returns the length of a number at the start of a line that would begin a list.
    fn number(&self, rest: &str) -> Option<usize> {
        if !self.style.lines || !self.line_start() {
            return None;
        }
        let digits = rest.bytes().take(10).take_while(u8::is_ascii_digit).count();
        let marked = rest.get(digits..)?.strip_prefix(['.', ')'])?;
        ((1..=9).contains(&digits) && is_boundary(marked)).then_some(digits)
    }

    /// Returns true if `c` requires a backslash; `rest` begins with it.
    fn escapes(
        &self,
        c: char,
        prev: Option<char>,
        rest: &str,
        after: &str,
        leaf_end: bool,
        next: Option<&Kind>,
    ) -> bool {
        let style = &self.style;
        let full = style.level > 0;
        if !c.is_ascii_punctuation() {
            return false;
        }
        let following = after.chars().next();
        let ends_here = following.is_none();
        let blank = |c: Option<char>| c.is_some_and(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
        if style.lines && self.line_start() && self.begins_block(c, rest, after) {
            return true;
        }
        let after_bracket = prev.is_none() && self.out.ends_with(']');
        match c {
            '\\' => {
                full || ends_here
                    || following.is_some_and(|c| c.is_ascii_punctuation() || c == '\n' || c == '\r')
            }
            '`' | '{' => true,
            '*' => full || !(blank(prev) && blank(following)),
            '_' => {
                let is_alphanumeric = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
                full || !(is_alphanumeric(prev) && is_alphanumeric(following)
                    || blank(prev) && blank(following))
            }
            '~' => {
                full || following == Some('~')
                    || prev == Some('~')
                    || !(prev.is_none() || blank(prev))
                    || ends_here
            }
            '$' => style.options.math && (full || (ends_here && next.is_some())),
            '[' => {
                full || (after_bracket && self.shortcut)
                    || (style.item && self.out.is_empty() && is_tick(after))
            }
            ']' => full,
            '(' => after_bracket && self.shortcut || full && prev == Some(']'),
            ':' => {
                after_bracket
                    || full
                        && (prev == Some(']')
                            || (after.starts_with("//") && !self.in_link && scheme(&self.out)))
            }
            '.' => full && !self.in_link && www(&self.out),
            '@' => full && !self.in_link,
            '!' => {
                (ends_here
                    && matches!(
                        next,
                        Some(
                            Kind::Link { .. }
                                | Kind::LinkReference { .. }
                                | Kind::FootnoteReference { .. }
                        )
                    ))
                    || (full && following == Some('['))
            }
            '<' => full || !blank(following),
            '&' => {
                escape::is_reference(rest)
                    || (full && following.is_some_and(|c| c == '#' || c.is_ascii_alphanumeric()))
            }
            '|' => style.cell || (full && self.line_start()),
            '#' => {
                // The characters before it are checked once, at the last one.
                style.heading
                    && style.single
                    && leaf_end
                    && ends_here
                    && (self.out.is_empty() || self.out.trim_end_matches('#').ends_with(' '))
            }
            '"' | '\'' | '-' => full && style.options.smart_punctuation,
            _ => false,
        }
    }

    /// Returns true if `c` would begin a block at the start of a line.
    fn begins_block(&self, c: char, rest: &str, after: &str) -> bool {
        let line = rest.split(['\n', '\r']).next().unwrap_or("");
        let all = |mark: char| line.chars().all(|c| c == mark || matches!(c, ' ' | '\t'));
        let full = self.style.level > 0;
        match c {
            '#' => {
                let marks = line.trim_start_matches('#');
                line.len() - marks.len() <= 6 && is_boundary(marks)
            }
            '>' => true,
            '-' => is_boundary(after) || all('-') || full,
            '+' => is_boundary(after) || line.starts_with("+++"),
            '=' => all('='),
            '$' => self.style.options.math && after.starts_with('$'),
            '[' => line.starts_with("[^") || line.contains("]:"),
            ':' | '|' => full,
            '"' | '\'' | '(' => self.style.after_definition && self.out.is_empty(),
            _ => false,
        }
    }
}

/// Returns true at white space and at the end of the text.
fn is_boundary(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r'])
}

/// Returns true if the text after `[` makes it a task marker.
fn is_tick(after: &str) -> bool {
    let mut chars = after.chars();
    matches!(chars.next(), Some('x' | 'X' | ' ' | '\t' | '\n' | '\r')) && chars.next() == Some(']')
}

fn ends_with(out: &str, suffix: &str) -> bool {
    let start = out.len().checked_sub(suffix.len());
    start
        .and_then(|start| out.as_bytes().get(start..))
        .is_some_and(|tail| tail.eq_ignore_ascii_case(suffix.as_bytes()))
}

fn scheme(out: &str) -> bool {
    ends_with(out, "http") || ends_with(out, "https")
}

fn www(out: &str) -> bool {
    ends_with(out, "www")
}

/// Returns the length of the shortest run of `mark` that is not in `value` and for which `fits`
/// returns true.
fn free_run(value: &str, mark: u8, fits: impl Fn(usize) -> bool) -> usize {
    let mut lengths = std::collections::BTreeSet::new();
    let mut run = 0;
    for byte in value.bytes().chain([0]) {
        if byte == mark {
            run += 1;
        } else if run > 0 {
            lengths.insert(run);
            run = 0;
        }
    }
    (1..)
        .find(|length| !lengths.contains(length) && fits(*length))
        .unwrap_or(1)
}

/// Returns a label with the case of `plain` where they differ in case only, and with the spaces
/// around it.
fn cased(label: &str, plain: &str) -> String {
    let fold = |c: char| identifier(c.encode_utf8(&mut [0; 4]));
    let inner = plain.trim_matches(is_space);
    let start = plain.len() - plain.trim_start_matches(is_space).len();
    let (before, after) = (plain.get(..start), plain.get(start + inner.len()..));
    let mut out = before.unwrap_or("").to_owned();
    let mut letters = inner.chars().peekable();
    let mut rest = label;
    while let Some(c) = rest.chars().next() {
        let folded = letters.peek().map(|letter| fold(*letter));
        match (letters.peek().copied(), folded) {
            (Some(letter), _) if is_space(letter) && c == ' ' => {
                out.push(letter);
                while letters.peek().is_some_and(|letter| is_space(*letter)) {
                    letters.next();
                }
                rest = rest.get(1..).unwrap_or("");
            }
            (Some(letter), Some(folded)) if !folded.is_empty() && rest.starts_with(&*folded) => {
                out.push(letter);
                letters.next();
                rest = rest.get(folded.len()..).unwrap_or("");
            }
            _ => {
                out.push(c);
                rest = rest.get(c.len_utf8()..).unwrap_or("");
            }
        }
    }
    out.push_str(after.unwrap_or(""));
    out
}
