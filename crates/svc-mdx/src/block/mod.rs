//! First pass: lines to blocks. Containers continue or end line by line; inline content is kept as
//! [`InlineQueue`] for the second pass, which must know all definitions.

mod close_leaf;
mod container;
mod cursor;
mod flow;
mod leaf;
mod lookahead;
mod stack;
mod table;

use std::collections::BTreeSet;

use svc_diagnostics::Span;

use crate::{
    Kind, Node, Options, ParseDiagnostic,
    diagnostic::TOO_DEEP,
    source::{InlineQueue, to_u32},
    step_counter,
};

pub(crate) use container::footnote_text;
use container::{Container, ContainerKind, Continuation, ListState};
use cursor::{Cursor, line_end};
use leaf::{Leaf, Line};
pub(crate) use lookahead::{bad_expression, comment, html_comment, open_comment};
pub(crate) use stack::{ElementStack, VOID_ELEMENTS};

/// Maximum nesting depth of containers and elements.
pub(crate) const MAX_DEPTH: usize = 100;

/// Result of the first pass.
#[derive(Debug, Default)]
pub(crate) struct Blocks<'a> {
    /// The tree; paragraphs, headings and cells are still empty.
    pub(crate) nodes: Vec<Node>,
    /// Inline content of those nodes, in the order of the tree.
    pub(crate) inlines: InlineQueue<'a>,
    /// Keys of all link reference definitions.
    pub(crate) definitions: BTreeSet<String>,
    /// Keys of all footnote definitions.
    pub(crate) footnotes: BTreeSet<String>,
    /// Diagnostics of the first pass.
    pub(crate) problems: Vec<ParseDiagnostic>,
}

/// Parses the page from byte `start` on.
pub(crate) fn blocks<'a>(text: &'a str, start: usize, options: &Options) -> Blocks<'a> {
    let mut parser = Parser {
        text,
        options,
        out: Blocks {
            inlines: InlineQueue::new(text),
            ..Blocks::default()
        },
        root: ElementStack::with_capacity(16),
        containers: Vec::new(),
        leaf: Leaf::None,
        lines: Vec::new(),
        blank_before: false,
        blank_depth: 0,
        claimed: 0,
        last_end: start,
        fuel: text.len().saturating_mul(8).saturating_add(1 << 16),
        too_deep: false,
    };
    let mut at = start;
    while at < text.len() {
        at = parser.line(at);
    }
    parser.close_leaf(false);
    parser.close_containers(0);
    let end = to_u32(parser.last_end);
    let root = std::mem::take(&mut parser.root);
    parser.out.nodes = root.end(end, &mut parser.out.problems);
    parser.out
}

struct Parser<'a, 'o> {
    text: &'a str,
    options: &'o Options,
    out: Blocks<'a>,
    root: ElementStack,
    containers: Vec<Container>,
    leaf: Leaf<'a>,
    /// Lines of the open paragraph.
    lines: Vec<Line>,
    /// The previous line was blank.
    blank_before: bool,
    /// Number of containers around that blank line, up to the innermost quote: the line is blank
    /// only inside of the quote, because its `>` is content of the outer containers.
    blank_depth: usize,
    /// Lines before this offset were read as part of a tag and begin no container.
    claimed: usize,
    /// End of the last content.
    last_end: usize,
    /// Remaining budget for failed lookaheads.
    fuel: usize,
    too_deep: bool,
}

impl Parser<'_, '_> {
    fn element_stack(&mut self) -> &mut ElementStack {
        match self.containers.last_mut() {
            Some(container) => &mut container.stack,
            None => &mut self.root,
        }
    }

    /// Returns the number of open containers and elements.
    fn depth(&self) -> usize {
        step_counter::tick(self.containers.len());
        let elements: usize = self.containers.iter().map(|open| open.stack.depth()).sum();
        self.containers.len() + elements + self.root.depth()
    }

    /// Records that a block begins here: blank lines before it make the siblings loose.
    fn touch(&mut self) {
        let blank = self.blank_before && self.containers.len() >= self.blank_depth;
        let level = self.element_stack();
        if level.has_content && blank {
            level.spread = true;
        }
        level.has_content = true;
    }

    /// Reads the line at `start`, and following lines if a tag or an expression continues. Returns
    /// the start of the next line.
    fn line(&mut self, start: usize) -> usize {
        let mut cursor = Cursor::start(start);
        let mut continued = 0;
        let mut has_opened = false;
        while let Some(container) = self.containers.get(continued) {
            let mut ahead = cursor;
            match container.continuation(self.text, &mut ahead) {
                Continuation::Yes => cursor = ahead,
                Continuation::No => break,
                Continuation::NextItem => {
                    self.close_leaf(false);
                    self.close_containers(continued + 1);
                    self.next_item(&mut cursor);
                    has_opened = true;
                    continued += 1;
                    break;
                }
            }
            if let Some(container) = self.containers.get_mut(continued) {
                container.note_line(self.text, cursor);
            }
            continued += 1;
        }
        let whole = continued == self.containers.len();
        if !(whole && (self.leaf.is_concrete() || start < self.claimed)) {
            let interrupts = whole && self.leaf.is_content();
            has_opened |= self.open_containers(&mut cursor, continued, interrupts);
        }
        let lazy = !has_opened && continued < self.containers.len();
        self.flow_line(cursor, lazy, continued, has_opened)
    }

    /// Opens the containers that begin at the cursor. If there is one, containers that the line
    /// does not continue are closed.
    fn open_containers(&mut self, cursor: &mut Cursor, continued: usize, interrupts: bool) -> bool {
        let mut has_opened = false;
        loop {
            let mut ahead = *cursor;
            let Some(container) = container::begin(self.text, &mut ahead, interrupts) else {
                break;
            };
            if !has_opened {
                self.close_leaf(false);
                self.close_containers(continued);
            }
            if self.depth() >= MAX_DEPTH {
                self.report_depth(cursor.pos);
                break;
            }
            has_opened = true;
            self.touch();
            self.blank_before = false;
            if let ContainerKind::Footnote { key, .. } = &container.kind {
                self.out.footnotes.insert(key.clone());
            }
            self.last_end = ahead.pos;
            self.containers.push(container);
            *cursor = ahead;
        }
        has_opened
    }

    fn report_depth(&mut self, at: usize) {
        if self.too_deep {
            return;
        }
        self.too_deep = true;
        self.out.problems.push(ParseDiagnostic::new(
            &TOO_DEEP,
            Span::from_range(at..at + 1),
            "this list or quote is nested too deeply",
            "reduce the nesting to at most 100 elements, lists and quotes",
        ));
    }

    /// Ends the item of the innermost list and begins the next one at the cursor.
    fn next_item(&mut self, cursor: &mut Cursor) {
        let blank =
            std::mem::take(&mut self.blank_before) && self.containers.len() >= self.blank_depth;
        let end = self.last_end;
        let text = self.text;
        if let Some(container) = self.containers.last_mut() {
            let level = std::mem::take(&mut container.stack);
            if let ContainerKind::List(list) = &mut container.kind {
                list.spread |= blank;
                finish_item(list, level, end, &mut self.out.problems);
                let mut ahead = *cursor;
                if let Some(marker) = container::marker(text, &mut ahead, false) {
                    list.begin_item(&marker);
                    *cursor = ahead;
                }
            }
        }
        self.last_end = cursor.pos;
    }

    /// Closes containers until `remaining` of them are left.
    fn close_containers(&mut self, remaining: usize) {
        while self.containers.len() > remaining {
            let Some(container) = self.containers.pop() else {
                return;
            };
            let end = self.last_end.max(container.start);
            let problems = &mut self.out.problems;
            let kind = match container.kind {
                ContainerKind::Quote => {
                    Kind::Blockquote(container.stack.end(to_u32(end), problems))
                }
                ContainerKind::Footnote { identifier, .. } => Kind::FootnoteDefinition {
                    identifier,
                    children: container.stack.end(to_u32(end), problems),
                },
                ContainerKind::List(mut list) => {
                    finish_item(&mut list, container.stack, end, problems);
                    Kind::List {
                        ordered: list.ordered,
                        start: list.number,
                        spread: list.spread,
                        children: list.items,
                    }
                }
            };
            self.element_stack()
                .push(Node::new(Span::from_range(container.start..end), kind));
        }
    }

    /// Handles the rest of a line after its containers.
    fn flow_line(&mut self, cursor: Cursor, lazy: bool, continued: usize, is_new: bool) -> usize {
        let (end, next) = line_end(self.text, cursor.pos);
        if cursor.blank(self.text) {
            self.blank_line(cursor, lazy, continued, next);
            // The line of a bare marker is not a blank line.
            self.blank_before = !is_new;
            self.blank_depth = self
                .containers
                .iter()
                .take(continued)
                .rposition(|open| matches!(open.kind, ContainerKind::Quote))
                .map_or(0, |quote| quote + 1);
            return next;
        }
        if self.leaf.is_concrete() {
            if !lazy {
                self.fenced_line(cursor, end, next);
                self.blank_before = false;
                self.last_end = end;
                return next;
            }
            self.close_leaf(true);
        }
        let resume = self.content_line(cursor, lazy, continued, end, next);
        self.blank_before = false;
        resume
    }

    fn blank_line(&mut self, cursor: Cursor, lazy: bool, continued: usize, next: usize) {
        if self.leaf.is_concrete() && !lazy {
            self.fenced_line(cursor, line_end(self.text, cursor.pos).0, next);
            return;
        }
        self.close_leaf(lazy);
        if lazy {
            self.close_containers(continued);
        }
    }
}

fn finish_item(
    list: &mut ListState,
    level: ElementStack,
    end: usize,
    problems: &mut Vec<ParseDiagnostic>,
) {
    let end = end.max(list.item_start);
    let spread = level.spread;
    let children = level.end(to_u32(end), problems);
    let kind = Kind::ListItem {
        checked: None,
        spread,
        children,
    };
    let node = Node::new(Span::from_range(list.item_start..end), kind);
    stack::push(&mut list.items, node);
}
