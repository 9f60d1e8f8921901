//! Printing of blocks.

use crate::{Align, Element, Kind, Node, ReferenceKind, inline::PageContext, jsx::parse_jsx};

use super::{
    Printer,
    context::BlockContext,
    escape,
    inline::{ESCAPE_LEVELS, Style, inline},
    lines::Lines,
    round_trip::{eq_ignoring_spans, read_back, same_attributes},
    tag::{self, Layout},
};

/// Wider tags are printed with one attribute per line.
const MAX_TAG_WIDTH: usize = 100;

/// Returns true for kinds of inline content.
const fn is_inline(kind: &Kind) -> bool {
    match kind {
        Kind::Text(_)
        | Kind::Emphasis(_)
        | Kind::Strong(_)
        | Kind::Delete(_)
        | Kind::InlineCode(_)
        | Kind::InlineMath(_)
        | Kind::Break
        | Kind::Link { .. }
        | Kind::Image { .. }
        | Kind::LinkReference { .. }
        | Kind::ImageReference { .. }
        | Kind::FootnoteReference { .. } => true,
        Kind::Expression { flow, .. } => !*flow,
        _ => false,
    }
}

fn inline_node(node: &Node) -> bool {
    match &node.kind {
        Kind::Element(element) => !element.flow,
        kind => is_inline(kind),
    }
}

impl Printer<'_> {
    /// Prints blocks. The recursion is as deep as the tree, which the parser limits.
    pub(super) fn blocks(&mut self, nodes: &[Node], mut context: BlockContext) {
        let mut before: Option<&Node> = None;
        let mut bullet = None;
        let mut rest = nodes;
        while let Some((node, after)) = rest.split_first() {
            let run = rest.iter().take_while(|node| inline_node(node)).count();
            let blank = before.is_some_and(|before| self.apart(before, node, context));
            if blank {
                self.lines.blank();
            }
            let defined = before.is_some_and(|node| matches!(node.kind, Kind::Definition { .. }));
            context.after_definition = defined && !blank;
            if run > 0 {
                // Inline content among blocks, which results from lifting elements out of
                // paragraphs.
                let (texts, after) = rest.split_at(run);
                self.paragraph(texts, context);
                rest = after;
                before = texts.last();
            } else {
                let mark = match &node.kind {
                    Kind::List { ordered, .. } => {
                        let follows = bullet.filter(|(kind, _)| kind == ordered);
                        Some((
                            *ordered,
                            self.mark(*ordered, context, follows.map(|last| last.1)),
                        ))
                    }
                    _ => None,
                };
                self.block(node, context, before, mark.map_or(b'-', |mark| mark.1));
                bullet = mark;
                rest = after;
                before = Some(node);
            }
            context.first = false;
            context.item = None;
            context.checked = None;
        }
    }

    /// Returns true if a blank line is between two blocks.
    fn apart(&self, before: &Node, node: &Node, context: BlockContext) -> bool {
        match (&before.kind, &node.kind) {
            (Kind::Paragraph(_) | Kind::Table { .. }, Kind::Paragraph(_))
            | (Kind::Blockquote(_), Kind::Blockquote(_))
            | (Kind::Table { .. }, Kind::Table { .. }) => true,
            (Kind::Definition { .. }, Kind::Definition { .. }) => {
                !context.tight && self.lines.nested()
            }
            _ => !context.tight,
        }
    }

    /// Returns the marker of a list, which differs from that of an adjacent or enclosing list.
    fn mark(&self, ordered: bool, context: BlockContext, before: Option<u8>) -> u8 {
        let (usual, other) = if ordered { (b'.', b')') } else { (b'-', b'*') };
        if before == Some(usual) || context.item == Some(usual) {
            other
        } else {
            usual
        }
    }

    fn block(&mut self, node: &Node, context: BlockContext, before: Option<&Node>, mark: u8) {
        match &node.kind {
            Kind::Paragraph(children) => self.paragraph(children, context),
            Kind::Heading {
                depth,
                id,
                children,
            } => self.heading(*depth, id.as_deref(), children, node, context),
            Kind::ThematicBreak => {
                let mark = if context.item.is_some() {
                    "___"
                } else if context.first || (context.tight && before.is_some()) {
                    "***"
                } else {
                    "---"
                };
                self.lines.put(mark);
            }
            Kind::Blockquote(children) => {
                self.lines.open("> ", "> ", false);
                self.blocks(children, BlockContext::default());
                self.lines.close();
            }
            Kind::List {
                start,
                spread,
                children,
                ..
            } => self.list(*start, *spread, children, mark),
            Kind::ListItem { children, .. } => self.blocks(children, context),
            Kind::Code { lang, meta, value } => {
                let mut info = String::new();
                escape::info(lang.as_deref().unwrap_or(""), true, false, &mut info);
                if let Some(meta) = meta {
                    info.push(' ');
                    escape::info(meta, false, false, &mut info);
                }
                let mark = if info.contains('`') { '~' } else { '`' };
                self.fence(mark, 3, &info, value);
            }
            Kind::Math { meta, value } => {
                let mut info = String::new();
                escape::info(meta.as_deref().unwrap_or(""), false, true, &mut info);
                self.fence('$', 2, &info, value);
            }
            Kind::Definition {
                identifier,
                url,
                title,
            } => {
                // With white space in the label it is not a footnote.
                let footnote = identifier.starts_with('^');
                let space = if footnote { " " } else { "" };
                let mut out = format!("[{space}{identifier}]: ");
                escape::destination(url, false, &mut out);
                if let Some(title) = title {
                    out.push(' ');
                    escape::title(title, false, &mut out);
                }
                self.lines.put(&out);
            }
            Kind::FootnoteDefinition {
                identifier,
                children,
            } => {
                self.lines.open(&format!("[^{identifier}]: "), "    ", true);
                self.blocks(children, BlockContext::default());
                self.lines.close();
            }
            Kind::Table { align, children } => self.table(align, children, node),
            Kind::Esm(value) => self.lines.put(value),
            Kind::Expression { value, .. } => {
                let mut out = String::from("{");
                escape::expression(value, &mut out);
                out.push('}');
                self.lines.put(&out);
            }
            Kind::Element(element) => self.element(element, context),
            Kind::TableRow(children) | Kind::TableCell(children) => {
                self.paragraph(children, context);
            }
            _ => self.paragraph(std::slice::from_ref(node), context),
        }
    }

    fn list(&mut self, start: Option<u32>, spread: bool, items: &[Node], mark: u8) {
        let mut number = start;
        for (index, item) in items.iter().enumerate() {
            if index > 0 && spread {
                self.lines.blank();
            }
            let mark_char = char::from(mark);
            let marker = match number {
                Some(number) => format!("{number}{mark_char} "),
                None => format!("{mark_char} "),
            };
            number = number.map(|number| number.saturating_add(1).min(999_999_999));
            let (checked, spread) = match item.kind {
                Kind::ListItem {
                    checked, spread, ..
                } => (checked, spread),
                _ => (None, false),
            };
            let children = item.children();
            let context = BlockContext {
                item: Some(mark),
                checked,
                tight: !spread,
                airy: spread && lone(children),
                ..BlockContext::default()
            };
            self.lines.open(&marker, &" ".repeat(marker.len()), false);
            self.blocks(children, context);
            self.lines.close();
        }
    }

    /// Prints a block between fences that are longer than any run of `mark` inside.
    fn fence(&mut self, mark: char, min_len: usize, info: &str, value: &str) {
        let mut max_run = 0;
        let mut run = 0;
        for c in value.chars() {
            run = if c == mark { run + 1 } else { 0 };
            max_run = max_run.max(run);
        }
        let fence: String = std::iter::repeat_n(mark, min_len.max(max_run + 1)).collect();
        let space = if info.starts_with(mark) { " " } else { "" };
        self.lines.put(&format!("{fence}{space}{info}"));
        if !value.is_empty() {
            self.lines.put_verbatim(value);
        }
        self.lines.put(&fence);
    }

    fn element(&mut self, element: &Element, context: BlockContext) {
        let children = element.children.as_slice();
        let mut open = tag_of(element, Layout::default());
        let tall =
            !context.tight && element.attributes.len() > 1 && open.chars().count() > MAX_TAG_WIDTH;
        if tall {
            open = tag_of(
                element,
                Layout {
                    tall,
                    ..Layout::default()
                },
            );
        }
        let read = parse_jsx(&open, 0);
        if !read.is_ok_and(|tag| same_attributes(&tag.attributes, &element.attributes)) {
            let flat = true;
            open = tag_of(
                element,
                Layout {
                    flat,
                    ..Layout::default()
                },
            );
        }
        if children.is_empty() {
            if !element.self_closing && context.airy {
                self.lines.put(&open);
                self.lines.blank();
                open.clear();
            }
            if !element.self_closing {
                tag::close(element, &mut open);
            }
            self.lines.put(&open);
            return;
        }
        let mut close = String::new();
        tag::close(element, &mut close);
        if children.iter().all(inline_node) {
            let style = Style::new(self.page.options);
            let content = inline(children, &Style { level: 1, ..style });
            self.lines.put(&format!("{open}{content}{close}"));
            return;
        }
        self.lines.put(&open);
        if context.airy {
            self.lines.blank();
        }
        let inside = BlockContext {
            first: false,
            item: None,
            checked: None,
            ..context
        };
        self.blocks(children, inside);
        // A module item continues up to a blank line.
        if matches!(children.last().map(|node| &node.kind), Some(Kind::Esm(_))) {
            self.lines.blank();
        }
        self.lines.put(&close);
    }

    fn heading(
        &mut self,
        depth: u8,
        id: Option<&str>,
        children: &[Node],
        node: &Node,
        context: BlockContext,
    ) {
        let underlined = depth <= 2 && spans_lines(children);
        let id = id.filter(|_| self.page.options.heading_ids);
        let mut best = String::new();
        for level in ESCAPE_LEVELS {
            let style = Style {
                level,
                single: !underlined,
                lines: underlined,
                heading: true,
                named: id.is_some(),
                item: context.item.is_some(),
                after_definition: context.after_definition,
                ..Style::new(self.page.options)
            };
            let mut text = inline(children, &style);
            if let Some(id) = id {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(&format!("{{#{id}}}"));
            }
            let text = if underlined {
                let underline = if depth == 1 { "===" } else { "---" };
                format!("{text}\n{underline}")
            } else {
                let marks = "#".repeat(depth.into());
                format!("{marks} {text}").trim_end_matches(' ').to_owned()
            };
            let matches = self.reads_as(&text, std::slice::from_ref(node));
            if matches || level < 2 {
                best = text;
            }
            if matches {
                break;
            }
        }
        self.lines.put(&best);
    }

    fn table(&mut self, align: &[Align], rows: &[Node], node: &Node) {
        let mut best = String::new();
        for level in ESCAPE_LEVELS {
            let style = Style {
                level,
                cell: true,
                single: true,
                ..Style::new(self.page.options)
            };
            let mut text = String::new();
            for (index, row) in rows.iter().enumerate() {
                if index > 0 {
                    text.push('\n');
                }
                text.push('|');
                for cell in row.children() {
                    text.push(' ');
                    text.push_str(&inline(cell.children(), &style));
                    text.push_str(" |");
                }
                if index == 0 {
                    text.push_str("\n|");
                    for align in align {
                        text.push_str(match align {
                            Align::None => " --- |",
                            Align::Left => " :-- |",
                            Align::Right => " --: |",
                            Align::Center => " :-: |",
                        });
                    }
                }
            }
            let matches = self.reads_as(&text, std::slice::from_ref(node));
            if matches || level < 2 {
                best = text;
            }
            if matches {
                break;
            }
        }
        self.lines.put(&best);
    }

    fn paragraph(&mut self, children: &[Node], context: BlockContext) {
        let style = Style {
            lines: true,
            item: context.item.is_some() && context.checked.is_none(),
            after_definition: context.after_definition,
            ..Style::new(self.page.options)
        };
        let lead = match context.checked {
            Some(true) => "[x] ",
            Some(false) => "[ ] ",
            None => "",
        };
        let write = |level| format!("{lead}{}", inline(children, &Style { level, ..style }));
        // Some lines are text only without the markers of their container.
        let lazy_forms: &[bool] = if self.lines.nested() {
            &[false, true]
        } else {
            &[false]
        };
        for lazy in lazy_forms {
            for level in ESCAPE_LEVELS {
                let text = write(level);
                if self.paragraph_reads_as(&text, children, context, *lazy) {
                    self.put_paragraph(text, *lazy);
                    return;
                }
            }
        }
        self.put_paragraph(write(1), false);
    }

    fn put_paragraph(&mut self, mut text: String, lazy: bool) {
        // With a leading space the text cannot be a module item.
        if !self.lines.nested() && may_be_module(&text, &mut self.page) {
            text.insert(0, ' ');
        }
        if lazy {
            self.lines.put_lazy(&text);
        } else {
            self.lines.put(&text);
        }
    }

    /// Returns true if the text is parsed as this paragraph in this position.
    fn paragraph_reads_as(
        &mut self,
        text: &str,
        children: &[Node],
        context: BlockContext,
        lazy: bool,
    ) -> bool {
        let mut lines = Lines::default();
        let item = context.item.is_some();
        if item {
            lines.open("- ", "  ", false);
        } else if lazy {
            lines.open("> ", "> ", false);
        } else {
            lines.open(" ", "", false);
        }
        if lazy {
            lines.put_lazy(text);
        } else {
            lines.put(text);
        }
        let Some(nodes) = read_back(&lines.finish(), &mut self.page) else {
            return false;
        };
        let mut nodes = nodes.as_slice();
        if item || lazy {
            let levels = if item { 2 } else { 1 };
            for _ in 0..levels {
                let [node] = nodes else { return false };
                match node.kind {
                    Kind::Blockquote(_) | Kind::List { .. } => {}
                    Kind::ListItem { checked, .. } if checked == context.checked => {}
                    _ => return false,
                }
                nodes = node.children();
            }
        }
        match nodes {
            [node] => {
                matches!(node.kind, Kind::Paragraph(_))
                    && eq_ignoring_spans(node.children(), children)
            }
            _ => false,
        }
    }

    fn reads_as(&mut self, text: &str, expected: &[Node]) -> bool {
        read_back(text, &mut self.page).is_some_and(|nodes| eq_ignoring_spans(&nodes, expected))
    }
}

/// Returns true if the text could be parsed as a module item at the start of a line.
fn may_be_module(text: &str, page: &mut PageContext<'_>) -> bool {
    if !text.starts_with("import ") && !text.starts_with("export ") {
        return false;
    }
    // The word that makes a lone name a module item may be in the next block.
    text.split_whitespace().count() < 3
        || read_back(text, page)
            .is_none_or(|nodes| nodes.iter().any(|node| matches!(node.kind, Kind::Esm(_))))
}

fn tag_of(element: &Element, layout: Layout) -> String {
    let mut out = String::new();
    tag::open(element, layout, &mut out);
    out
}

/// Returns true if no two blocks are siblings, here and inside of elements.
fn lone(nodes: &[Node]) -> bool {
    match nodes {
        [] => true,
        [node] => match &node.kind {
            Kind::Element(element) => lone(&element.children),
            _ => true,
        },
        _ => false,
    }
}

/// Returns true if the content requires more than one line.
fn spans_lines(nodes: &[Node]) -> bool {
    let mut several = false;
    crate::walk(nodes, |node, _| {
        several |= match &node.kind {
            Kind::Break => true,
            Kind::Text(value)
            | Kind::InlineCode(value)
            | Kind::InlineMath(value)
            | Kind::Expression { value, .. } => value.contains(['\n', '\r']),
            Kind::Image { alt, .. } => alt.contains(['\n', '\r']),
            Kind::ImageReference { alt, reference, .. } => {
                *reference != ReferenceKind::Full && alt.contains(['\n', '\r'])
            }
            Kind::Element(element) => tag_of(
                element,
                Layout {
                    flat: true,
                    ..Layout::default()
                },
            )
            .contains(['\n', '\r']),
            _ => false,
        };
        !several
    });
    several
}
