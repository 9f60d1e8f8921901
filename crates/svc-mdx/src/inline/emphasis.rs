//! Pairs delimiter runs and tags, and converts items to nodes.

use std::borrow::Cow;

use crate::{
    Kind, Node, ParseDiagnostic,
    block::{ElementStack, MAX_DEPTH},
    diagnostic::TOO_DEEP,
    source::{MappedText, to_u32},
    step_counter, walk,
};

use super::{
    arena::Replacement,
    context::PageContext,
    item::{Item, Marks, Opener},
};

/// Converts the items from `from` on to nodes; returns the nodes and their depth. URLs in text
/// become links unless `in_link` is true.
pub(super) fn build(
    items: &mut Vec<Item>,
    from: usize,
    source: &MappedText<'_>,
    in_link: bool,
    page: &mut PageContext<'_>,
) -> (Vec<Node>, usize) {
    let pending = items.get(from..).unwrap_or(&[]);
    step_counter::tick(pending.len());
    // Nodes are in the arena in order of creation, so the first of these items refers to the first
    // of their nodes.
    let first = pending.iter().find_map(|item| match item {
        Item::Node { index, .. } => Some(*index),
        _ => None,
    });
    let closes = |item: &Item| matches!(item, Item::Marks(marks) if marks.closes);
    let built = if pending.iter().any(closes) {
        let scratch = &mut page.scratch;
        let mut builder = Builder {
            out: std::mem::take(&mut scratch.paired),
            open: std::mem::take(&mut scratch.open),
            bottoms: [0; 16],
        };
        builder.out.reserve(pending.len());
        for item in pending {
            builder.item(*item, source, in_link, page);
        }
        items.truncate(from);
        let built = finish(&mut builder.out, 0, source, in_link, page);
        builder.open.clear();
        (page.scratch.paired, page.scratch.open) = (builder.out, builder.open);
        built
    } else {
        finish(items, from, source, in_link, page)
    };
    if let Some(first) = first {
        page.scratch.arena.forget_nodes(first);
    }
    built
}

struct Builder {
    out: Vec<Item>,
    /// Delimiter runs in `out` that may open.
    open: Vec<Opener>,
    /// For each kind of closer, the number of entries of `open` that do not match it.
    bottoms: [usize; 16],
}

impl Builder {
    fn item(
        &mut self,
        item: Item,
        source: &MappedText<'_>,
        in_link: bool,
        page: &mut PageContext<'_>,
    ) {
        let Item::Marks(mut marks) = item else {
            self.push(item);
            return;
        };
        if marks.closes {
            self.close(&mut marks, source, in_link, page);
        }
        if marks.count > 0 {
            if marks.opens {
                self.open.push(Opener {
                    item: to_u32(self.out.len()),
                    deepest: 0,
                });
            }
            self.out.push(Item::Marks(marks));
        }
    }

    fn push(&mut self, item: Item) {
        if let Item::Node { depth, .. } = item
            && let Some(open) = self.open.last_mut()
        {
            open.deepest = open.deepest.max(depth);
        }
        self.out.push(item);
    }

    /// Removes openers from `new_len` on and returns the depth of the content after the first one.
    fn forget(&mut self, new_len: usize) -> u32 {
        let removed = self.open.get(new_len..).unwrap_or(&[]);
        step_counter::tick(removed.len());
        let deepest = removed.iter().map(|open| open.deepest).max().unwrap_or(0);
        self.open.truncate(new_len);
        // Openers that are added at these indexes have not been tried.
        for bottom in &mut self.bottoms {
            *bottom = (*bottom).min(new_len);
        }
        if let Some(open) = self.open.last_mut() {
            open.deepest = open.deepest.max(deepest);
        }
        deepest
    }

    fn close(
        &mut self,
        marks: &mut Marks,
        source: &MappedText<'_>,
        in_link: bool,
        page: &mut PageContext<'_>,
    ) {
        while marks.count > 0 {
            let key = key(marks);
            let bottom = self.bottoms.get(key).copied().unwrap_or(0);
            let matching =
                self.open
                    .iter()
                    .enumerate()
                    .skip(bottom)
                    .rev()
                    .find_map(|(index, open)| {
                        step_counter::tick(1);
                        let Some(Item::Marks(opener)) = self.out.get(open.item as usize) else {
                            return None;
                        };
                        fits(opener, marks).then_some((index, open.item, *opener))
                    });
            let Some((index, at, opener)) = matching else {
                if let Some(bottom) = self.bottoms.get_mut(key) {
                    *bottom = self.open.len();
                }
                return;
            };
            let deepest = self.forget(index);
            if deepest as usize >= MAX_DEPTH {
                let (start, end) = (opener.start as usize, marks.start as usize);
                too_deep(start, end, source, page);
                continue;
            }
            let used = match marks.mark {
                b'~' => marks.count,
                _ if opener.count > 1 && marks.count > 1 => 2,
                _ => 1,
            };
            let (children, depth) = finish(&mut self.out, at as usize + 1, source, in_link, page);
            let start = opener.start + opener.count - used;
            let end = marks.start + used;
            if let Some(Item::Marks(opener)) = self.out.last_mut() {
                opener.count -= used;
                if opener.count == 0 {
                    self.out.pop();
                } else {
                    self.open.push(Opener {
                        item: at,
                        deepest: 0,
                    });
                }
            }
            marks.start += used;
            marks.count -= used;
            let kind = match (marks.mark, used) {
                (b'~', _) => Kind::Delete(children),
                (_, 2) => Kind::Strong(children),
                _ => Kind::Emphasis(children),
            };
            let node = Node::new(source.span(start as usize, end as usize), kind);
            let index = page.scratch.arena.add_node(node);
            self.push(Item::Node {
                index,
                depth: to_u32(depth + 1),
            });
        }
    }
}

/// Reports, once per page, that delimiters are treated as text.
pub(super) fn too_deep(
    start: usize,
    end: usize,
    source: &MappedText<'_>,
    page: &mut PageContext<'_>,
) {
    if page.too_deep {
        return;
    }
    page.too_deep = true;
    page.problems.push(ParseDiagnostic::new(
        &TOO_DEEP,
        source.span(start, end),
        "emphasis or brackets are nested too deeply here",
        "reduce the nesting to at most 100 levels",
    ));
}

fn key(marks: &Marks) -> usize {
    let first = match marks.mark {
        b'*' => 0,
        b'_' => 6,
        _ => return 12 + marks.count.min(3) as usize,
    };
    first + marks.count as usize % 3 + if marks.opens { 3 } else { 0 }
}

fn fits(opener: &Marks, closer: &Marks) -> bool {
    if opener.mark != closer.mark {
        return false;
    }
    if opener.mark == b'~' {
        return opener.count == closer.count;
    }
    let both = opener.closes || closer.opens;
    !(both && !closer.count.is_multiple_of(3) && (opener.count + closer.count).is_multiple_of(3))
}

/// Converts the items from `from` on to nodes: unmatched delimiters become text, tags become
/// elements.
fn finish(
    items: &mut Vec<Item>,
    from: usize,
    source: &MappedText<'_>,
    in_link: bool,
    page: &mut PageContext<'_>,
) -> (Vec<Node>, usize) {
    let (mut deepest, mut capacity) = (0, 0);
    let (mut tags, mut in_text) = (false, false);
    for item in items.get(from..).unwrap_or(&[]) {
        match item {
            Item::Node { depth, .. } => {
                deepest = deepest.max(*depth as usize);
                capacity += 1;
                in_text = false;
            }
            Item::Tag(_) => {
                tags = true;
                in_text = false;
            }
            Item::Text { .. } | Item::Replacement(_) | Item::Marks(_) | Item::Bracket(_) => {
                capacity += usize::from(!in_text);
                in_text = true;
            }
        }
        step_counter::tick(1);
    }
    // With tags most nodes are children of elements.
    let mut level = ElementStack::with_capacity(if tags { 0 } else { capacity });
    let mut elements = 0;
    let mut text = TextBuffer::new(source.text());
    let mut last = 0;
    for item in items.get(from..).unwrap_or(&[]) {
        match *item {
            Item::Text { start, end } => {
                last = end as usize;
                text.push(start as usize, last);
            }
            Item::Replacement(index) => {
                let changed = page.scratch.arena.take_replacement(index);
                last = changed.end as usize;
                text.push_replacement(changed);
            }
            Item::Marks(marks) => {
                last = marks.start as usize + marks.count as usize;
                text.push(marks.start as usize, last);
            }
            Item::Bracket(bracket) => {
                last = bracket.content();
                text.push(bracket.start as usize, last);
            }
            Item::Node { index, .. } => {
                text.flush(&mut level, source, in_link);
                level.push(page.scratch.arena.take_node(index));
            }
            Item::Tag(index) => {
                let Some(tag) = page.scratch.arena.take_tag(index) else {
                    continue;
                };
                text.flush(&mut level, source, in_link);
                let remaining_depth = MAX_DEPTH.saturating_sub(deepest + level.depth());
                level.tag(tag, false, remaining_depth, &mut page.problems);
                elements = elements.max(level.depth() + 1);
            }
        }
    }
    items.truncate(from);
    text.flush(&mut level, source, in_link);
    let end = level_end(source, last);
    (level.end(end, &mut page.problems), deepest + elements)
}

fn level_end(source: &MappedText<'_>, last: usize) -> u32 {
    source.span(last.saturating_sub(1), last).end
}

/// Text that may be continued.
struct TextBuffer<'a> {
    text: &'a str,
    /// Borrowed while it equals the source text at `range`.
    value: Cow<'a, str>,
    range: Option<(usize, usize)>,
}

impl<'a> TextBuffer<'a> {
    const fn new(text: &'a str) -> Self {
        Self {
            text,
            value: Cow::Borrowed(""),
            range: None,
        }
    }

    /// Appends source text.
    fn push(&mut self, start: usize, end: usize) {
        let value = self.text.get(start..end).unwrap_or("");
        match (&mut self.value, self.range) {
            (_, None) => {
                self.value = Cow::Borrowed(value);
                self.range = Some((start, end));
                return;
            }
            (Cow::Borrowed(whole), Some((first, last))) if last == start => {
                *whole = self.text.get(first..end).unwrap_or(whole);
            }
            (whole, Some(_)) => {
                step_counter::tick(value.len());
                whole.to_mut().push_str(value);
            }
        }
        self.range = self.range.map(|(first, _)| (first, end));
    }

    /// Appends text that replaces source text.
    fn push_replacement(&mut self, changed: Replacement) {
        let Replacement { value, start, end } = changed;
        let (start, end) = (start as usize, end as usize);
        if let Some((first, _)) = self.range {
            step_counter::tick(value.len());
            self.value.to_mut().push_str(&value);
            self.range = Some((first, end));
        } else {
            self.value = Cow::Owned(value);
            self.range = Some((start, end));
        }
    }

    fn flush(&mut self, level: &mut ElementStack, source: &MappedText<'_>, in_link: bool) {
        let Some((start, end)) = self.range.take() else {
            return;
        };
        let value = std::mem::take(&mut self.value);
        if value.is_empty() {
            return;
        }
        let span = source.span(start, end);
        if in_link || !super::autolink::may_hold(&value) {
            level.push(Node::new(span, Kind::Text(value.into())));
        } else {
            super::autolink::split(&value, span, level.nodes());
        }
    }
}

/// Returns the alternative text of an image.
pub(super) fn alt(nodes: &[Node]) -> String {
    let mut out = String::new();
    walk(nodes, |node, _| {
        match &node.kind {
            Kind::Text(value) | Kind::InlineCode(value) | Kind::InlineMath(value) => {
                out.push_str(value);
            }
            Kind::Expression { value, .. } => out.push_str(value),
            Kind::Image { alt, .. } | Kind::ImageReference { alt, .. } => out.push_str(alt),
            _ => {}
        }
        true
    });
    out
}
