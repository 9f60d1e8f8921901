//! The content of one open container: finished nodes and elements that wait for their closing tag.

use svc_diagnostics::Span;

use crate::{
    Element, Kind, Node, Problem, effort,
    jsx::Tag,
    problem::{STRAY_CLOSING_TAG, TOO_DEEP, UNCLOSED_ELEMENT},
};

/// An element whose closing tag has not come yet.
#[derive(Debug)]
struct Pending {
    element: Element,
    tag: Span,
}

/// An element without content whose tag does not end with `/>`. Its closing tag may still come.
#[derive(Debug)]
struct Void {
    /// How many elements are open around it.
    depth: usize,
    /// Its place among the nodes there.
    at: usize,
    name: &'static str,
    tag: Span,
}

/// Collects nodes and pairs tags, in flow and in text alike.
#[derive(Debug, Default)]
pub(crate) struct Level {
    nodes: Vec<Node>,
    pending: Vec<Pending>,
    voids: Vec<Void>,
    /// Names of opening tags that were left out for depth.
    dropped: Vec<Option<Box<str>>>,
    /// Something was begun here already.
    pub(crate) any: bool,
    /// A blank line stood between two things.
    pub(crate) spread: bool,
}

/// HTML elements that never have content.
pub(crate) const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Nodes between the tags of an element without content.
const MAX_VOID_CONTENT: usize = 4;

impl Level {
    /// An empty level with room for this many nodes.
    pub(crate) fn with_room(nodes: usize) -> Self {
        Self {
            nodes: Vec::with_capacity(nodes),
            ..Self::default()
        }
    }

    /// How many elements are open.
    pub(crate) fn depth(&self) -> usize {
        self.pending.len()
    }

    /// Where the next node goes.
    pub(crate) fn nodes(&mut self) -> &mut Vec<Node> {
        match self.pending.last_mut() {
            Some(pending) => &mut pending.element.children,
            None => &mut self.nodes,
        }
    }

    /// Adds a finished node.
    pub(crate) fn push(&mut self, node: Node) {
        push(self.nodes(), node);
    }

    /// Adds a tag; `room` is how many more elements may be opened.
    pub(crate) fn tag(&mut self, tag: Tag, flow: bool, room: usize, problems: &mut Vec<Problem>) {
        if tag.closing {
            self.close(&tag, problems);
            return;
        }
        let wanted = tag.name.as_deref();
        let void = VOID.into_iter().find(|name| wanted == Some(*name));
        let element = Element {
            name: tag.name,
            name_span: tag.name_span,
            attributes: tag.attributes,
            children: Vec::new(),
            flow,
            self_closing: tag.self_closing,
        };
        if tag.self_closing {
            self.push(Node::new(tag.span, Kind::Element(Box::new(element))));
        } else if room == 0 {
            if self.dropped.is_empty() {
                problems.push(Problem::new(
                    &TOO_DEEP,
                    tag.span,
                    format!(
                        "`{}` is nested too deeply",
                        shown(element.name.as_deref(), false)
                    ),
                    "at most 100 elements, lists and quotes may stand inside each other",
                ));
            }
            self.dropped.push(element.name);
        } else if let Some(name) = void {
            let (depth, at) = (self.pending.len(), self.nodes().len());
            self.voids.push(Void {
                depth,
                at,
                name,
                tag: tag.span,
            });
            self.push(Node::new(tag.span, Kind::Element(Box::new(element))));
        } else {
            self.pending.push(Pending {
                element,
                tag: tag.span,
            });
        }
    }

    fn close(&mut self, tag: &Tag, problems: &mut Vec<Problem>) {
        if self.dropped.last().is_some_and(|last| *last == tag.name) {
            self.dropped.pop();
            return;
        }
        effort::spend(self.pending.len());
        let wanted = tag.name.as_deref();
        if self.close_void(tag) {
            return;
        }
        let open = self
            .pending
            .iter()
            .rposition(|p| p.element.name.as_deref() == wanted);
        let Some(open) = open else {
            let shown = shown(wanted, true);
            let hint = match self.pending.last() {
                Some(p) => {
                    format!("`{}` is open here; remove `{shown}` or open it before", {
                        self::shown(p.element.name.as_deref(), false)
                    })
                }
                None => format!(
                    "remove `{shown}`, or put it into the same list, quote or paragraph as its \
                     opening tag"
                ),
            };
            let message = format!("`{shown}` closes nothing");
            problems.push(Problem::new(&STRAY_CLOSING_TAG, tag.span, message, hint));
            return;
        };
        while self.pending.len() > open + 1 {
            self.give_up(tag.span.start, problems);
        }
        self.finish(tag.span.end, problems);
    }

    /// Pairs a closing tag with the last tag of an element without content, when nothing but text
    /// stands between them: `<img> </img>`.
    fn close_void(&mut self, tag: &Tag) -> bool {
        let depth = self.pending.len();
        let last = self.voids.last().filter(|void| void.depth == depth);
        let Some(void) = last.filter(|void| tag.name.as_deref() == Some(void.name)) else {
            return false;
        };
        let at = void.at;
        let nodes = self.nodes();
        let content = nodes.get(at + 1..).unwrap_or_default();
        // Elements in it could nest without end.
        let is_text = |node: &Node| matches!(node.kind, Kind::Text(_));
        if content.len() > MAX_VOID_CONTENT || !content.iter().all(is_text) {
            return false;
        }
        let content = nodes.split_off(at + 1);
        if let Some(node) = nodes.last_mut()
            && let Kind::Element(element) = &mut node.kind
        {
            element.children = content;
            node.span = Span::new(node.span.start, tag.span.end.max(node.span.end));
        }
        self.voids.pop();
        true
    }

    /// Reports the elements without content in the innermost element whose closing tag did not come.
    fn give_up_voids(&mut self, problems: &mut Vec<Problem>) {
        let depth = self.pending.len();
        while let Some(void) = self.voids.pop_if(|void| void.depth == depth) {
            let name = void.name;
            problems.push(Problem::new(
                &UNCLOSED_ELEMENT,
                void.tag,
                format!("`<{name}>` is not closed"),
                format!("write `<{name} />`"),
            ));
        }
    }

    /// Ends the innermost element, which has its closing tag.
    fn finish(&mut self, end: u32, problems: &mut Vec<Problem>) {
        self.give_up_voids(problems);
        let Some(mut pending) = self.pending.pop() else {
            return;
        };
        // Most elements hold few nodes.
        pending.element.children.shrink_to_fit();
        let span = Span::new(pending.tag.start, end.max(pending.tag.end));
        self.push(Node::new(span, Kind::Element(Box::new(pending.element))));
    }

    /// Ends the innermost element, which has no closing tag.
    fn give_up(&mut self, end: u32, problems: &mut Vec<Problem>) {
        if let Some(pending) = self.pending.last() {
            let name = pending.element.name.as_deref();
            problems.push(Problem::new(
                &UNCLOSED_ELEMENT,
                pending.tag,
                format!("`{}` is not closed", shown(name, false)),
                format!(
                    "write `{}` after its content, in the same list item, quote or paragraph",
                    shown(name, true)
                ),
            ));
        }
        self.finish(end, problems);
    }

    /// The content, after closing what is still open.
    pub(crate) fn end(mut self, end: u32, problems: &mut Vec<Problem>) -> Vec<Node> {
        while !self.pending.is_empty() {
            self.give_up(end, problems);
        }
        self.give_up_voids(problems);
        self.nodes
    }
}

/// Adds to a list that most often gets one node only: a list makes room for four at first.
pub(crate) fn push(nodes: &mut Vec<Node>, node: Node) {
    if nodes.capacity() == 0 {
        nodes.reserve_exact(1);
    }
    nodes.push(node);
}

fn shown(name: Option<&str>, closing: bool) -> String {
    format!("<{}{}>", if closing { "/" } else { "" }, name.unwrap_or(""))
}
