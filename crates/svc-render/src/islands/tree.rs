//! Converts the output of a component: steps of the sandbox to a tree, and the tree to HTML.
//!
//! The elements of an island are written as the browser expects them, so that it can hydrate the
//! nodes in place. Comments mark other content: `p` is a built-in component, `c` its children, `s`
//! a slot.

use indexmap::IndexMap;
use serde_json::{Map, Value as Json};
use svc_diagnostics::Span;

use super::compile::CONTENT;
use super::node::{Branch, Island, IslandNode};
use crate::article::children::Children;
use crate::article::tag::Props;
use crate::ctx::{Ctx, MAX_DEPTH};
use crate::evaluate::{JsxChild, JsxElement, JsxTag, Value};
use crate::html::{Html, is_phrasing};
use crate::markdown::{self, island_attributes};

/// Parses the steps of the sandbox; `None` if they are not valid.
pub(crate) fn nodes(steps: &str) -> Option<Vec<IslandNode>> {
    let Json::Array(steps) = serde_json::from_str(steps).ok()? else {
        return None;
    };
    let mut parts = 0;
    from_steps(&steps, &mut parts)
}

/// The value of the only prop of the first component in the steps of the sandbox.
pub(super) fn first_prop(cx: &mut Ctx<'_>, steps: &str, slots: &[Html]) -> Option<Value> {
    match nodes(steps)?.first()? {
        IslandNode::Component { props, .. } => {
            let json = props.values().next().unwrap_or(&Json::Null);
            Some(value(cx, json, slots, 0))
        }
        _ => None,
    }
}

fn from_steps(steps: &[Json], parts: &mut u32) -> Option<Vec<IslandNode>> {
    let mut open: Vec<IslandNode> = Vec::new();
    let mut done = Vec::new();
    for step in steps {
        let at = |index: usize| step.get(index);
        let text = |index: usize| at(index).and_then(Json::as_str).map(str::to_owned);
        let props = || match at(2) {
            Some(Json::Object(props)) => props.clone(),
            _ => Map::new(),
        };
        let node = match at(0)?.as_u64()? {
            0 => IslandNode::Text(text(1)?),
            1 => {
                open.push(IslandNode::Element {
                    tag: text(1)?,
                    props: props(),
                    html: text(3),
                    children: Vec::new(),
                });
                continue;
            }
            2 => open.pop()?,
            3 => IslandNode::Slot(usize::try_from(at(1)?.as_u64()?).ok()?),
            4 => {
                let name = text(1)?;
                let tag = match name.strip_prefix(CONTENT) {
                    Some(path) => JsxTag::Content(path.to_owned()),
                    None => JsxTag::Name(name),
                };
                open.push(IslandNode::Component {
                    tag,
                    number: *parts,
                    props: props(),
                    children: Vec::new(),
                });
                *parts += 1;
                continue;
            }
            _ => return None,
        };
        match open.last_mut() {
            Some(IslandNode::Element { children, .. } | IslandNode::Component { children, .. }) => {
                children.push(node);
            }
            _ => done.push(node),
        }
    }
    Some(done)
}

/// Converts the tree to HTML that the browser can hydrate.
pub(crate) fn html(cx: &mut Ctx<'_>, island: &Island, nodes: &[IslandNode]) -> Html {
    let mut out = Html::new();
    if !cx.budget.enter() {
        return out;
    }
    for node in nodes {
        if !cx.charge(16) {
            break;
        }
        match node {
            IslandNode::Text(text) => {
                if cx.charge(text.len()) {
                    cx.out.text.push(text);
                    out.esc(text);
                }
            }
            IslandNode::Element {
                tag,
                props,
                html,
                children,
            } => element(
                cx,
                island,
                (tag, props, html.as_deref(), children),
                &mut out,
            ),
            IslandNode::Component {
                tag,
                number,
                props,
                children,
            } => {
                let mark = format!("{}.{number}:{}", island.number, comment_name(tag));
                out.comment(&format!("p{mark}"));
                let branch = Branch {
                    island,
                    tag,
                    number: *number,
                    nodes: children,
                };
                let html = component(cx, tag, props, Children::Branch(&branch));
                out.add(&html).comment(&format!("/p{mark}"));
            }
            IslandNode::Slot(number) => {
                if let Some(html) = island.slots.get(*number)
                    && cx.charge(html.len())
                {
                    slot(island, *number, html, &mut out);
                }
            }
        }
    }
    cx.budget.leave();
    out
}

/// Writes rendered HTML between its comments.
pub(crate) fn slot(island: &Island, number: usize, html: &Html, out: &mut Html) {
    let mark = format!("s{}.{number}", island.number);
    out.comment(&mark).add(html).comment(&format!("/{mark}"));
}

/// Collects the numbers of all slots in a tree.
pub(crate) fn visible_slots(nodes: &[IslandNode], out: &mut Vec<usize>) {
    let mut open: Vec<&[IslandNode]> = vec![nodes];
    while let Some(nodes) = open.pop() {
        for node in nodes {
            match node {
                IslandNode::Slot(number) => out.push(*number),
                IslandNode::Element { children, .. } | IslandNode::Component { children, .. } => {
                    open.push(children);
                }
                IslandNode::Text(_) => {}
            }
        }
    }
}

impl Branch<'_> {
    /// Renders the children between their comments.
    pub(crate) fn html(&self, cx: &mut Ctx<'_>) -> Html {
        let mark = format!(
            "c{}.{}:{}",
            self.island.number,
            self.number,
            comment_name(self.tag)
        );
        let mut out = Html::new();
        out.comment(&mark);
        let inner = html(cx, self.island, self.nodes);
        out.add(&inner).comment(&format!("/{mark}"));
        out
    }
}

/// The name in the form for comments.
fn comment_name(tag: &JsxTag) -> &str {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    match tag {
        JsxTag::Name(name) if name.chars().all(plain) => name,
        _ => "",
    }
}

type ElementParts<'n> = (
    &'n str,
    &'n Map<String, Json>,
    Option<&'n str>,
    &'n [IslandNode],
);

fn element(
    cx: &mut Ctx<'_>,
    island: &Island,
    node: (&String, &Map<String, Json>, Option<&str>, &Vec<IslandNode>),
    out: &mut Html,
) {
    let (tag, props, html, children): ElementParts<'_> = (node.0, node.1, node.2, node.3);
    let Some(name) = markdown::island_element(cx, tag) else {
        return;
    };
    let block = !is_phrasing(name);
    if block {
        cx.out.text.break_line();
    }
    out.lit("<").lit(name);
    island_attributes(cx, name, props, out);
    out.lit(">");
    if markdown::is_void(name) {
        return;
    }
    match html {
        Some(raw) => {
            if cx.charge(raw.len()) {
                let raw = Html::trusted(raw.to_owned());
                if name != "style" {
                    cx.out.text.push(&raw.to_text());
                }
                out.add(&raw);
            }
        }
        None if name == "style" => {
            // A style sheet has no character references; it only must not end the element.
            for child in children {
                if let IslandNode::Text(text) = child
                    && !text.contains("</")
                {
                    out.add(&Html::trusted(text.clone()));
                }
            }
        }
        None => {
            let line =
                matches!(children.first(), Some(IslandNode::Text(text)) if text.starts_with('\n'));
            if line && matches!(name, "pre" | "textarea") {
                // HTML parsers drop the first line break.
                out.lit("\n");
            }
            let inner = self::html(cx, island, children);
            out.add(&inner);
        }
    }
    out.lit("</").lit(name).lit(">");
    if block {
        cx.out.text.break_line();
    }
}

/// Renders a built-in component with the props of the sandbox.
fn component(
    cx: &mut Ctx<'_>,
    tag: &JsxTag,
    object: &Map<String, Json>,
    children: Children<'_>,
) -> Html {
    let mut props = Props::default();
    for (name, json) in object {
        let value = value(cx, json, &[], 0);
        props.push(name.clone(), value, Span::default());
    }
    cx.jsx_tag(tag, props, children)
}

/// Converts a value of the sandbox to one of the evaluator.
fn value(cx: &mut Ctx<'_>, json: &Json, slots: &[Html], depth: usize) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => Value::Number(number.as_f64().unwrap_or(0.0)),
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) if depth < 24 => {
            let items = items.iter().map(|item| value(cx, item, slots, depth + 1));
            Value::from(items.collect::<Vec<_>>())
        }
        Json::Object(entries) if depth < 24 => {
            if let Some(Json::Array(steps)) = entries.get("$") {
                let nodes = from_steps(steps, &mut 0).unwrap_or_default();
                return markup(cx, &nodes, slots);
            }
            let entries = entries
                .iter()
                .map(|(name, item)| (name.clone(), value(cx, item, slots, depth + 1)));
            Value::from(entries.collect::<IndexMap<String, Value>>())
        }
        Json::Array(_) | Json::Object(_) => Value::Undefined,
    }
}

/// Converts a tree to a value of the evaluator. Components that are not islands are rendered like
/// markup of the page.
pub(crate) fn markup(cx: &mut Ctx<'_>, nodes: &[IslandNode], slots: &[Html]) -> Value {
    let children = parts(cx, nodes, slots, 0);
    Value::Element(
        JsxElement {
            children,
            ..JsxElement::default()
        }
        .into(),
    )
}

fn parts(cx: &mut Ctx<'_>, nodes: &[IslandNode], slots: &[Html], depth: usize) -> Vec<JsxChild> {
    let mut out = Vec::new();
    if depth > MAX_DEPTH {
        return out;
    }
    for node in nodes {
        let child = match node {
            IslandNode::Text(text) => JsxChild::Text(text.clone()),
            IslandNode::Slot(number) => {
                let html = slots.get(*number).cloned().unwrap_or_default();
                JsxChild::Value(cx.html_value(html))
            }
            IslandNode::Element {
                tag,
                props,
                html,
                children,
            } => {
                let mut inside = parts(cx, children, slots, depth + 1);
                if let Some(raw) = html.as_ref().filter(|_| tag == "style") {
                    inside = vec![JsxChild::Text(raw.clone())];
                } else if let Some(raw) = html {
                    let raw = Html::trusted(raw.clone());
                    cx.out.text.push(&raw.to_text());
                    inside = vec![JsxChild::Value(cx.html_value(raw))];
                }
                JsxChild::Value(jsx(cx, JsxTag::Name(tag.clone()), props, inside))
            }
            IslandNode::Component {
                tag,
                props,
                children,
                ..
            } => {
                let inside = parts(cx, children, slots, depth + 1);
                JsxChild::Value(jsx(cx, tag.clone(), props, inside))
            }
        };
        out.push(child);
    }
    out
}

fn jsx(
    cx: &mut Ctx<'_>,
    tag: JsxTag,
    object: &Map<String, Json>,
    children: Vec<JsxChild>,
) -> Value {
    let props = object
        .iter()
        .map(|(name, json)| (name.clone(), value(cx, json, &[], 0)))
        .collect();
    Value::Element(
        JsxElement {
            tag,
            props,
            children,
            offset: 0,
        }
        .into(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_become_a_tree_with_numbered_parts() {
        let steps = r#"[[1,"p",{"id":"x"}],[0,"a"],[4,"Card",{}],[4,"Icon",{}],[2],[2],[2],[3,1]]"#;
        let tree = nodes(steps).unwrap();
        let [IslandNode::Element { children, .. }, IslandNode::Slot(1)] = tree.as_slice() else {
            panic!("{tree:?}");
        };
        let [
            IslandNode::Text(_),
            IslandNode::Component {
                number: 0,
                children,
                ..
            },
        ] = children.as_slice()
        else {
            panic!("{children:?}");
        };
        assert!(matches!(
            children.as_slice(),
            [IslandNode::Component { number: 1, .. }]
        ));
    }

    #[test]
    fn invalid_steps_are_rejected() {
        for steps in ["", "{}", "[[9]]", "[[2]]", "[[0]]", "[1]"] {
            assert_eq!(nodes(steps), None, "{steps}");
        }
    }
}
