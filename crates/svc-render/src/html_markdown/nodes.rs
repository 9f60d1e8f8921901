//! HTML as a tree.
//!
//! Markup of this crate is well formed. What programs of components return is too, but that is not
//! relied upon: end tags without a start tag are ignored, and open elements end with the text.

use std::borrow::Cow;

/// Maximum nesting depth; deeper elements are replaced by their content.
const MAX_DEPTH: usize = 200;

#[derive(Debug)]
pub(crate) enum Node<'h> {
    Text(Cow<'h, str>),
    Element(Element<'h>),
}

#[derive(Debug)]
pub(crate) struct Element<'h> {
    pub(crate) tag: &'h str,
    attributes: &'h str,
    /// Origin of URLs that begin with a slash.
    origin: &'h str,
    pub(crate) children: Vec<Node<'h>>,
    /// Whether a descendant begins a block.
    pub(crate) contains_blocks: bool,
}

impl<'h> Element<'h> {
    /// The value of an attribute; empty if it has none.
    pub(crate) fn attribute(&self, name: &str) -> Option<Cow<'h, str>> {
        attributes(self.attributes)
            .find(|(key, _)| *key == name)
            .map(|(_, value)| decode(value))
    }

    /// The value of an attribute that is a URL.
    pub(super) fn url(&self, name: &str) -> Option<Cow<'h, str>> {
        let url = self.attribute(name)?;
        Some(match url.starts_with('/') && !url.starts_with("//") {
            true if !self.origin.is_empty() => format!("{}{url}", self.origin).into(),
            _ => url,
        })
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        attributes(self.attributes).any(|(key, _)| key == name)
    }

    pub(crate) fn classes(&self) -> impl Iterator<Item = &'h str> {
        let class = attributes(self.attributes).find(|(key, _)| *key == "class");
        class
            .map_or("", |(_, value)| value)
            .split_ascii_whitespace()
    }

    pub(crate) fn has_class(&self, name: &str) -> bool {
        self.classes().any(|class| class == name)
    }

    /// Offset of the end of its name in the markup that it was parsed from.
    pub(crate) fn name_end(&self, html: &str) -> usize {
        let end = self.tag.as_ptr().addr() + self.tag.len();
        end.saturating_sub(html.as_ptr().addr())
    }

    /// Whether the element begins a block.
    pub(crate) fn is_block(&self) -> bool {
        is_block_tag(self.tag)
            || super::components::is_block(self)
            || (self.tag == "math" && self.attribute("display").as_deref() == Some("block"))
    }

    pub(crate) fn child_elements(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// The first descendant that meets a condition, in document order.
    pub(crate) fn find(&self, test: &dyn Fn(&Self) -> bool) -> Option<&Self> {
        self.child_elements().find_map(|child| match test(child) {
            true => Some(child),
            false => child.find(test),
        })
    }

    /// The text of all descendants, as written.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        push_text(&self.children, &mut out);
        out
    }
}

fn push_text(nodes: &[Node<'_>], out: &mut String) {
    for node in nodes {
        match node {
            Node::Text(text) => out.push_str(text),
            Node::Element(element) => push_text(&element.children, out),
        }
    }
}

fn is_block_tag(tag: &str) -> bool {
    matches!(
        tag,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "dd"
            | "details"
            | "dialog"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hr"
            | "li"
            | "main"
            | "nav"
            | "ol"
            | "p"
            | "pre"
            | "section"
            | "summary"
            | "table"
            | "ul"
    )
}

fn is_void(tag: &str) -> bool {
    matches!(
        tag,
        "area"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "source"
            | "track"
            | "wbr"
    )
}

/// Parses markup into a tree.
pub(crate) fn parse<'h>(html: &'h str, origin: &'h str) -> Vec<Node<'h>> {
    let mut roots = Vec::new();
    let mut open: Vec<Element<'_>> = Vec::new();
    // Elements below the maximum depth that are open.
    let mut deep = 0_usize;
    let mut rest = html;
    while !rest.is_empty() {
        let Some(tag) = rest.strip_prefix('<') else {
            let end = rest.find('<').unwrap_or(rest.len());
            let (text, behind) = rest.split_at(end);
            push(Node::Text(decode(text)), &mut open, &mut roots);
            rest = behind;
            continue;
        };
        if let Some(comment) = tag.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
            continue;
        }
        let (inside, behind) = tag.split_at(tag_end(tag));
        rest = behind.strip_prefix('>').unwrap_or("");
        if let Some(name) = inside.strip_prefix('/') {
            if deep > 0 {
                deep -= 1;
            } else {
                close(name.trim_end(), &mut open, &mut roots);
            }
            continue;
        }
        let is_empty = inside.ends_with('/');
        let inside = inside.strip_suffix('/').unwrap_or(inside);
        let end = inside
            .find(|c: char| c.is_ascii_whitespace())
            .unwrap_or(inside.len());
        let (name, attributes) = inside.split_at(end);
        if matches!(name, "script" | "style") {
            let end = format!("</{name}");
            let at = rest.find(&end).unwrap_or(rest.len());
            let behind = rest.split_at(at).1;
            rest = behind.split_once('>').map_or("", |(_, behind)| behind);
            continue;
        }
        let element = Element {
            tag: name,
            attributes,
            origin,
            children: Vec::new(),
            contains_blocks: false,
        };
        if is_empty || is_void(name) {
            push(Node::Element(element), &mut open, &mut roots);
        } else if open.len() >= MAX_DEPTH {
            deep += 1;
        } else {
            open.push(element);
        }
    }
    while let Some(element) = open.pop() {
        push(Node::Element(element), &mut open, &mut roots);
    }
    roots
}

fn push<'h>(node: Node<'h>, open: &mut [Element<'h>], roots: &mut Vec<Node<'h>>) {
    let Some(parent) = open.last_mut() else {
        roots.push(node);
        return;
    };
    if let Node::Element(element) = &node {
        parent.contains_blocks |= element.contains_blocks || element.is_block();
    }
    parent.children.push(node);
}

/// Ends the innermost open element with this name and those in it.
fn close<'h>(name: &str, open: &mut Vec<Element<'h>>, roots: &mut Vec<Node<'h>>) {
    let Some(at) = open.iter().rposition(|element| element.tag == name) else {
        return;
    };
    while open.len() > at {
        if let Some(element) = open.pop() {
            push(Node::Element(element), open, roots);
        }
    }
}

/// Offset of the `>` that ends a tag; quoted values can contain it.
fn tag_end(tag: &str) -> usize {
    let mut quote = None;
    for (at, byte) in tag.bytes().enumerate() {
        match quote {
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None => match byte {
                b'"' | b'\'' => quote = Some(byte),
                b'>' => return at,
                _ => {}
            },
        }
    }
    tag.len()
}

/// Names and undecoded values of attributes.
fn attributes(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let end = rest.find(|c: char| c == '=' || c.is_ascii_whitespace());
        let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
        if name.is_empty() {
            return None;
        }
        let Some(value) = after.strip_prefix('=') else {
            rest = after;
            return Some((name, ""));
        };
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, behind) = match quote {
            Some(quote) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
            None => {
                let end = value.find(|c: char| c.is_ascii_whitespace());
                value.split_at(end.unwrap_or(value.len()))
            }
        };
        rest = behind;
        Some((name, value))
    })
}

/// Decodes character references: those that this crate writes, and numbers.
fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        rest = after;
        // No reference of interest is longer.
        let name = after.split_once(';').filter(|(name, _)| name.len() <= 8);
        let c = name.and_then(|(name, _)| reference(name));
        match (c, name) {
            (Some(c), Some((_, behind))) => {
                out.push(c);
                rest = behind;
            }
            _ => out.push('&'),
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn reference(name: &str) -> Option<char> {
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|c| !c.is_control() || *c == '\n')?
        }
    })
}
