//! Blocks.

use crate::{Align, Element, Kind, Node, ReferenceKind, inline::PageContext, jsx::parse_jsx};

use super::{
    Printer, escape,
    inline::{ESCAPE_LEVELS, Style, inline},
    lines::Lines,
    round_trip::{eq_ignoring_spans, read_back, same_attributes},
    tag::{self, Layout},
};

/// Tags that are wider get a line for each attribute.
const MAX_TAG_WIDTH: usize = 100;

/// Where blocks stand.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BlockContext {
    /// The next block is the first of the page.
    first: bool,
    /// The next block is the first of a list item, whose bullet this is (0 for a number).
    item: Option<u8>,
    /// The tick of that item.
    checked: Option<bool>,
    /// No blank lines between blocks: they stand in a list item that has none.
    tight: bool,
    /// Blank lines inside of tags: no other place in the list item could have one.
    airy: bool,
    /// The block before is a definition, and no blank line stands between.
    after_definition: bool,
}

impl BlockContext {
    /// The whole page; `first` when nothing stands above it.
    pub(super) fn page(first: bool) -> Self {
        Self {
            first,
            ..Self::default()
        }
    }
}

/// Kinds that stand in a line of text.
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
    /// Writes blocks, one after the other. Recursion goes as deep as the tree, which the parser
    /// limits.
    pub(super) fn blocks(&mut self, nodes: &[Node], mut place: BlockContext) {
        let mut before: Option<&Node> = None;
        let mut bullet = None;
        let mut rest = nodes;
        while let Some((node, after)) = rest.split_first() {
            let run = rest.iter().take_while(|node| inline_node(node)).count();
            let blank = before.is_some_and(|before| self.apart(before, node, place));
            if blank {
                self.lines.blank();
            }
            let defined = before.is_some_and(|node| matches!(node.kind, Kind::Definition { .. }));
            place.after_definition = defined && !blank;
            if run > 0 {
                // Text that stands among blocks, as after lifting elements out of paragraphs.
                let (texts, after) = rest.split_at(run);
                self.paragraph(texts, place);
                rest = after;
                before = texts.last();
            } else {
                let mark = match &node.kind {
                    Kind::List { ordered, .. } => {
                        let follows = bullet.filter(|(kind, _)| kind == ordered);
                        Some((
                            *ordered,
                            self.mark(*ordered, place, follows.map(|last| last.1)),
                        ))
                    }
                    _ => None,
                };
                self.block(node, place, before, mark.map_or(b'-', |mark| mark.1));
                bullet = mark;
                rest = after;
                before = Some(node);
            }
            place.first = false;
            place.item = None;
            place.checked = None;
        }
    }

    /// Whether a blank line stands between two blocks.
    fn apart(&self, before: &Node, node: &Node, place: BlockContext) -> bool {
        match (&before.kind, &node.kind) {
            (Kind::Paragraph(_) | Kind::Table { .. }, Kind::Paragraph(_))
            | (Kind::Blockquote(_), Kind::Blockquote(_))
            | (Kind::Table { .. }, Kind::Table { .. }) => true,
            (Kind::Definition { .. }, Kind::Definition { .. }) => {
                !place.tight && self.lines.nested()
            }
            _ => !place.tight,
        }
    }

    /// The mark of a list: another one than that of a list right before it or right around it.
    fn mark(&self, ordered: bool, place: BlockContext, before: Option<u8>) -> u8 {
        let (usual, other) = if ordered { (b'.', b')') } else { (b'-', b'*') };
        if before == Some(usual) || place.item == Some(usual) {
            other
        } else {
            usual
        }
    }

    fn block(&mut self, node: &Node, place: BlockContext, before: Option<&Node>, mark: u8) {
        match &node.kind {
            Kind::Paragraph(children) => self.paragraph(children, place),
            Kind::Heading {
                depth,
                id,
                children,
            } => self.heading(*depth, id.as_deref(), children, node, place),
            Kind::ThematicBreak => {
                let mark = if place.item.is_some() {
                    "___"
                } else if place.first || (place.tight && before.is_some()) {
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
            Kind::ListItem { children, .. } => self.blocks(children, place),
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
                // With white space inside it is no footnote.
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
            Kind::Element(element) => self.element(element, place),
            Kind::TableRow(children) | Kind::TableCell(children) => {
                self.paragraph(children, place);
            }
            _ => self.paragraph(std::slice::from_ref(node), place),
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
            let place = BlockContext {
                item: Some(mark),
                checked,
                tight: !spread,
                airy: spread && lone(children),
                ..BlockContext::default()
            };
            self.lines.open(&marker, &" ".repeat(marker.len()), false);
            self.blocks(children, place);
            self.lines.close();
        }
    }

    /// A block between fences that are longer than any such mark inside.
    fn fence(&mut self, mark: char, least: usize, info: &str, value: &str) {
        let mut longest = 0;
        let mut run = 0;
        for c in value.chars() {
            run = if c == mark { run + 1 } else { 0 };
            longest = longest.max(run);
        }
        let fence: String = std::iter::repeat_n(mark, least.max(longest + 1)).collect();
        let space = if info.starts_with(mark) { " " } else { "" };
        self.lines.put(&format!("{fence}{space}{info}"));
        if !value.is_empty() {
            self.lines.put_verbatim(value);
        }
        self.lines.put(&fence);
    }

    fn element(&mut self, element: &Element, place: BlockContext) {
        let children = element.children.as_slice();
        let mut open = tag_of(element, Layout::default());
        let tall =
            !place.tight && element.attributes.len() > 1 && open.chars().count() > MAX_TAG_WIDTH;
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
            if !element.self_closing && place.airy {
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
        if place.airy {
            self.lines.blank();
        }
        let inside = BlockContext {
            first: false,
            item: None,
            checked: None,
            ..place
        };
        self.blocks(children, inside);
        // A module item goes on up to a blank line.
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
        place: BlockContext,
    ) {
        let underlined = depth <= 2 && spans_lines(children);
        let id = id.filter(|_| self.page.options.heading_ids);
        let mut chosen = String::new();
        for level in ESCAPE_LEVELS {
            let style = Style {
                level,
                single: !underlined,
                lines: underlined,
                heading: true,
                named: id.is_some(),
                item: place.item.is_some(),
                after_definition: place.after_definition,
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
            let good = self.reads_as(&text, std::slice::from_ref(node));
            if good || level < 2 {
                chosen = text;
            }
            if good {
                break;
            }
        }
        self.lines.put(&chosen);
    }

    fn table(&mut self, align: &[Align], rows: &[Node], node: &Node) {
        let mut chosen = String::new();
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
            let good = self.reads_as(&text, std::slice::from_ref(node));
            if good || level < 2 {
                chosen = text;
            }
            if good {
                break;
            }
        }
        self.lines.put(&chosen);
    }

    fn paragraph(&mut self, children: &[Node], place: BlockContext) {
        let style = Style {
            lines: true,
            item: place.item.is_some() && place.checked.is_none(),
            after_definition: place.after_definition,
            ..Style::new(self.page.options)
        };
        let lead = match place.checked {
            Some(true) => "[x] ",
            Some(false) => "[ ] ",
            None => "",
        };
        let write = |level| format!("{lead}{}", inline(children, &Style { level, ..style }));
        // Some lines are text only because they lack the marks of their container.
        let ways: &[bool] = if self.lines.nested() {
            &[false, true]
        } else {
            &[false]
        };
        for lazy in ways {
            for level in ESCAPE_LEVELS {
                let text = write(level);
                if self.paragraph_reads_as(&text, children, place, *lazy) {
                    self.put_paragraph(text, *lazy);
                    return;
                }
            }
        }
        self.put_paragraph(write(1), false);
    }

    fn put_paragraph(&mut self, mut text: String, lazy: bool) {
        // With a space before it, nothing is a module item.
        if !self.lines.nested() && may_be_module(&text, &mut self.page) {
            text.insert(0, ' ');
        }
        if lazy {
            self.lines.put_lazy(&text);
        } else {
            self.lines.put(&text);
        }
    }

    /// Whether the text is this paragraph, in its place.
    fn paragraph_reads_as(
        &mut self,
        text: &str,
        children: &[Node],
        place: BlockContext,
        lazy: bool,
    ) -> bool {
        let mut lines = Lines::default();
        let item = place.item.is_some();
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
            let wanted = if item { 2 } else { 1 };
            for _ in 0..wanted {
                let [node] = nodes else { return false };
                match node.kind {
                    Kind::Blockquote(_) | Kind::List { .. } => {}
                    Kind::ListItem { checked, .. } if checked == place.checked => {}
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

    fn reads_as(&mut self, text: &str, wanted: &[Node]) -> bool {
        read_back(text, &mut self.page).is_some_and(|nodes| eq_ignoring_spans(&nodes, wanted))
    }
}

/// Whether the text could be read as a module item at the start of a line.
fn may_be_module(text: &str, page: &mut PageContext<'_>) -> bool {
    if !text.starts_with("import ") && !text.starts_with("export ") {
        return false;
    }
    // The word that makes a lone name a module item may stand in the next block.
    text.split_whitespace().count() < 3
        || read_back(text, page)
            .is_none_or(|nodes| nodes.iter().any(|node| matches!(node.kind, Kind::Esm(_))))
}

fn tag_of(element: &Element, layout: Layout) -> String {
    let mut out = String::new();
    tag::open(element, layout, &mut out);
    out
}

/// Whether no two blocks stand beside each other, here and inside of elements.
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

/// Whether the content needs more than one line.
fn spans_lines(nodes: &[Node]) -> bool {
    let mut found = false;
    crate::walk(nodes, |node, _| {
        found |= match &node.kind {
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
        !found
    });
    found
}
