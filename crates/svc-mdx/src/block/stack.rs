//! Content of an open container: finished nodes, and elements whose closing tag has not been read.

use svc_diagnostics::{Span, did_you_mean};

use crate::{
    Element, Kind, Node, ParseDiagnostic, ParseFix,
    diagnostic::{STRAY_CLOSING_TAG, TOO_DEEP, UNCLOSED_ELEMENT},
    jsx::Tag,
    step_counter,
};

/// An element whose closing tag has not been read.
#[derive(Debug)]
struct OpenElement {
    element: Element,
    tag: Span,
}

/// A void element whose tag does not end with `/>`. A closing tag may follow.
#[derive(Debug)]
struct VoidElement {
    /// Number of elements open around it.
    depth: usize,
    /// Index among its siblings.
    index: usize,
    name: &'static str,
    tag: Span,
}

/// Collects nodes and pairs tags, in flow and in text.
#[derive(Debug, Default)]
pub(crate) struct ElementStack {
    nodes: Vec<Node>,
    open: Vec<OpenElement>,
    voids: Vec<VoidElement>,
    /// Names of opening tags that were dropped because of the depth limit.
    dropped: Vec<Option<Box<str>>>,
    /// The container has content.
    pub(crate) has_content: bool,
    /// There is a blank line between two children.
    pub(crate) spread: bool,
}

/// HTML elements that never have content.
pub(crate) const VOID_ELEMENTS: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Minimum length of names that are compared; shorter ones are too similar to each other.
const MIN_MISSPELLED_BYTES: usize = 4;
/// Maximum number of nodes between the tags of a void element.
const MAX_VOID_CONTENT: usize = 4;

impl ElementStack {
    /// Creates an empty stack with capacity for this many nodes.
    pub(crate) fn with_capacity(nodes: usize) -> Self {
        Self {
            nodes: Vec::with_capacity(nodes),
            ..Self::default()
        }
    }

    /// Returns the number of open elements.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns the list that the next node is added to.
    pub(crate) fn nodes(&mut self) -> &mut Vec<Node> {
        match self.open.last_mut() {
            Some(pending) => &mut pending.element.children,
            None => &mut self.nodes,
        }
    }

    /// Adds a finished node.
    pub(crate) fn push(&mut self, node: Node) {
        push(self.nodes(), node);
    }

    /// Adds a tag. `remaining_depth` is the number of further elements that may be opened.
    pub(crate) fn tag(
        &mut self,
        tag: Tag,
        flow: bool,
        remaining_depth: usize,
        problems: &mut Vec<ParseDiagnostic>,
    ) {
        if tag.closing {
            self.close(&tag, problems);
            return;
        }
        let tag_name = tag.name.as_deref();
        let void = VOID_ELEMENTS
            .into_iter()
            .find(|name| tag_name == Some(*name));
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
        } else if remaining_depth == 0 {
            if self.dropped.is_empty() {
                problems.push(ParseDiagnostic::new(
                    &TOO_DEEP,
                    tag.span,
                    format!(
                        "`{}` is nested too deeply",
                        display_tag(element.name.as_deref(), false)
                    ),
                    "reduce the nesting to at most 100 elements, lists and quotes",
                ));
            }
            self.dropped.push(element.name);
        } else if let Some(name) = void {
            let (depth, at) = (self.open.len(), self.nodes().len());
            self.voids.push(VoidElement {
                depth,
                index: at,
                name,
                tag: tag.span,
            });
            self.push(Node::new(tag.span, Kind::Element(Box::new(element))));
        } else {
            self.open.push(OpenElement {
                element,
                tag: tag.span,
            });
        }
    }

    fn close(&mut self, tag: &Tag, problems: &mut Vec<ParseDiagnostic>) {
        if self.dropped.last().is_some_and(|last| *last == tag.name) {
            self.dropped.pop();
            return;
        }
        step_counter::tick(self.open.len());
        let tag_name = tag.name.as_deref();
        if self.close_void(tag) {
            return;
        }
        let open = self
            .open
            .iter()
            .rposition(|p| p.element.name.as_deref() == tag_name);
        let Some(open) = open else {
            let shown = display_tag(tag_name, true);
            if let Some(fix) = self.misspelled(tag) {
                let message = format!("`{shown}` has no opening tag");
                let hint = fix.title.clone();
                let problem = ParseDiagnostic::new(&STRAY_CLOSING_TAG, tag.span, message, hint);
                problems.push(ParseDiagnostic {
                    fix: Some(fix),
                    ..problem
                });
                self.finish(tag.span.end, problems);
                return;
            }
            let hint = match self.open.last() {
                Some(p) => {
                    format!("`{}` is open here; remove `{shown}` or open it before", {
                        display_tag(p.element.name.as_deref(), false)
                    })
                }
                None => format!(
                    "remove `{shown}`, or put it into the same list, quote or paragraph as its \
                     opening tag"
                ),
            };
            let message = format!("`{shown}` has no opening tag");
            problems.push(ParseDiagnostic::new(
                &STRAY_CLOSING_TAG,
                tag.span,
                message,
                hint,
            ));
            return;
        };
        while self.open.len() > open + 1 {
            self.close_unclosed(tag.span.start, problems);
        }
        self.finish(tag.span.end, problems);
    }

    /// Returns the fix of a closing tag whose name is that of the innermost element with a typing
    /// error.
    fn misspelled(&self, tag: &Tag) -> Option<ParseFix> {
        let name = tag.name.as_deref()?;
        let open = self.open.last()?.element.name.as_deref()?;
        let near = name.eq_ignore_ascii_case(open)
            || (open.len().min(name.len()) >= MIN_MISSPELLED_BYTES
                && did_you_mean(name, [open]).is_some());
        near.then(|| ParseFix {
            title: format!("write `</{open}>`").into(),
            edits: vec![(tag.name_span, open.to_owned().into())],
        })
    }

    /// Pairs a closing tag with the last opening tag of a void element if only text is between
    /// them: `<img> </img>`.
    fn close_void(&mut self, tag: &Tag) -> bool {
        let depth = self.open.len();
        let last = self.voids.last().filter(|void| void.depth == depth);
        let Some(void) = last.filter(|void| tag.name.as_deref() == Some(void.name)) else {
            return false;
        };
        let at = void.index;
        let nodes = self.nodes();
        let content = nodes.get(at + 1..).unwrap_or_default();
        // Elements between the tags could nest without limit.
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

    /// Reports the void elements in the innermost element that have no closing tag.
    fn report_voids(&mut self, problems: &mut Vec<ParseDiagnostic>) {
        let depth = self.open.len();
        while let Some(void) = self.voids.pop_if(|void| void.depth == depth) {
            let name = void.name;
            problems.push(ParseDiagnostic::new(
                &UNCLOSED_ELEMENT,
                void.tag,
                format!("`<{name}>` is not closed"),
                format!("write `<{name} />`"),
            ));
        }
    }

    /// Ends the innermost element, whose closing tag was read.
    fn finish(&mut self, end: u32, problems: &mut Vec<ParseDiagnostic>) {
        self.report_voids(problems);
        let Some(mut pending) = self.open.pop() else {
            return;
        };
        // Most elements have few nodes.
        pending.element.children.shrink_to_fit();
        let span = Span::new(pending.tag.start, end.max(pending.tag.end));
        self.push(Node::new(span, Kind::Element(Box::new(pending.element))));
    }

    /// Ends the innermost element, which has no closing tag.
    fn close_unclosed(&mut self, end: u32, problems: &mut Vec<ParseDiagnostic>) {
        if let Some(pending) = self.open.last() {
            let name = pending.element.name.as_deref();
            problems.push(ParseDiagnostic::new(
                &UNCLOSED_ELEMENT,
                pending.tag,
                format!("`{}` is not closed", display_tag(name, false)),
                format!(
                    "write `{}` after its content, in the same list item, quote or paragraph",
                    display_tag(name, true)
                ),
            ));
        }
        self.finish(end, problems);
    }

    /// Closes all open elements and returns the content.
    pub(crate) fn end(mut self, end: u32, problems: &mut Vec<ParseDiagnostic>) -> Vec<Node> {
        while !self.open.is_empty() {
            self.close_unclosed(end, problems);
        }
        self.report_voids(problems);
        self.nodes
    }
}

/// Appends a node. Most lists have one node only, but `Vec` would allocate capacity for four.
pub(crate) fn push(nodes: &mut Vec<Node>, node: Node) {
    if nodes.capacity() == 0 {
        nodes.reserve_exact(1);
    }
    nodes.push(node);
}

fn display_tag(name: Option<&str>, closing: bool) -> String {
    format!("<{}{}>", if closing { "/" } else { "" }, name.unwrap_or(""))
}
