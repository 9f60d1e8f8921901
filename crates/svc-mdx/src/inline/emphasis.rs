//! Pairs marks and tags; items become nodes.

use crate::{
    Kind, Node, Problem,
    block::{Level, MAX_DEPTH},
    problem::TOO_DEEP,
    source::Source,
    walk,
};

use super::{Item, Marks, Page};

/// Makes nodes of items; gives them and their depth. Addresses in text become links unless
/// `in_link`.
pub(super) fn build(
    items: Vec<Item>,
    source: &Source,
    in_link: bool,
    page: &mut Page<'_>,
) -> (Vec<Node>, usize) {
    let mut builder = Builder {
        out: Vec::new(),
        open: Vec::new(),
        bottoms: [0; 16],
    };
    for item in items {
        let Item::Marks(mut marks) = item else {
            builder.push(item);
            continue;
        };
        if marks.closes {
            builder.close(&mut marks, source, in_link, page);
        }
        if marks.count > 0 {
            if marks.opens {
                builder.open.push(Open {
                    item: builder.out.len(),
                    deepest: 0,
                });
            }
            builder.out.push(Item::Marks(marks));
        }
    }
    finish(builder.out, source, in_link, page)
}

struct Builder {
    out: Vec<Item>,
    /// Marks in `out` that may open.
    open: Vec<Open>,
    /// For each kind of closer, how many of `open` are known not to fit.
    bottoms: [usize; 16],
}

/// Marks that may open.
#[derive(Clone, Copy)]
struct Open {
    item: usize,
    /// Depth of what stands between these marks and the next such.
    deepest: usize,
}

impl Builder {
    fn push(&mut self, item: Item) {
        if let Item::Node { depth, .. } = &item
            && let Some(open) = self.open.last_mut()
        {
            open.deepest = open.deepest.max(*depth);
        }
        self.out.push(item);
    }

    /// Forgets openers from `keep` on; gives the depth of what stands behind the first of them.
    fn forget(&mut self, keep: usize) -> usize {
        let gone = self.open.get(keep..).unwrap_or(&[]);
        let deepest = gone.iter().map(|open| open.deepest).max().unwrap_or(0);
        self.open.truncate(keep);
        if let Some(open) = self.open.last_mut() {
            open.deepest = open.deepest.max(deepest);
        }
        deepest
    }

    fn close(&mut self, marks: &mut Marks, source: &Source, in_link: bool, page: &mut Page<'_>) {
        while marks.count > 0 {
            let key = key(marks);
            let bottom = self
                .bottoms
                .get(key)
                .copied()
                .unwrap_or(0)
                .min(self.open.len());
            let found =
                self.open
                    .iter()
                    .enumerate()
                    .skip(bottom)
                    .rev()
                    .find_map(|(place, open)| {
                        let Some(Item::Marks(opener)) = self.out.get(open.item) else {
                            return None;
                        };
                        fits(opener, marks).then_some((place, open.item, *opener))
                    });
            let Some((place, at, opener)) = found else {
                if let Some(bottom) = self.bottoms.get_mut(key) {
                    *bottom = self.open.len();
                }
                return;
            };
            let deepest = self.forget(place);
            if deepest >= MAX_DEPTH {
                too_deep(opener.start, marks.start, source, page);
                continue;
            }
            let used = match marks.mark {
                b'~' => marks.count,
                _ if opener.count > 1 && marks.count > 1 => 2,
                _ => 1,
            };
            let inside = self.out.split_off(at + 1);
            let start = opener.start + opener.count - used;
            let end = marks.start + used;
            if let Some(Item::Marks(opener)) = self.out.last_mut() {
                opener.count -= used;
                if opener.count == 0 {
                    self.out.pop();
                } else {
                    self.open.push(Open {
                        item: at,
                        deepest: 0,
                    });
                }
            }
            let (children, depth) = finish(inside, source, in_link, page);
            marks.start += used;
            marks.count -= used;
            let kind = match (marks.mark, used) {
                (b'~', _) => Kind::Delete(children),
                (_, 2) => Kind::Strong(children),
                _ => Kind::Emphasis(children),
            };
            let node = Node::new(source.span(start, end), kind);
            self.push(Item::Node {
                node,
                depth: depth + 1,
            });
        }
    }
}

/// Reports once that marks are taken as text.
pub(super) fn too_deep(start: usize, end: usize, source: &Source, page: &mut Page<'_>) {
    if page.too_deep {
        return;
    }
    page.too_deep = true;
    page.problems.push(Problem::new(
        &TOO_DEEP,
        source.span(start, end),
        "emphasis or brackets are nested too deeply here",
        "at most 100 levels may stand inside each other",
    ));
}

fn key(marks: &Marks) -> usize {
    let first = match marks.mark {
        b'*' => 0,
        b'_' => 6,
        _ => return 12 + marks.count.min(3),
    };
    first + marks.count % 3 + if marks.opens { 3 } else { 0 }
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

/// Items to nodes: marks that found no partner become text, tags become elements.
fn finish(
    items: Vec<Item>,
    source: &Source,
    in_link: bool,
    page: &mut Page<'_>,
) -> (Vec<Node>, usize) {
    let deepest = items
        .iter()
        .map(|item| {
            if let Item::Node { depth, .. } = item {
                *depth
            } else {
                0
            }
        })
        .max()
        .unwrap_or(0);
    let mut level = Level::default();
    let mut elements = 0;
    let mut text = Pending::default();
    let mut last = 0;
    for item in items {
        match item {
            Item::Text { value, start, end } => {
                last = end;
                text.push(&value, start, end);
            }
            Item::Marks(marks) => {
                last = marks.start + marks.count;
                let raw = source.text.get(marks.start..last).unwrap_or("");
                text.push(raw, marks.start, last);
            }
            Item::Bracket { start, end } => {
                last = end;
                text.push(source.text.get(start..end).unwrap_or(""), start, end);
            }
            Item::Node { node, .. } => {
                text.flush(&mut level, source, in_link);
                level.push(node);
            }
            Item::Tag(tag) => {
                text.flush(&mut level, source, in_link);
                let room = MAX_DEPTH.saturating_sub(deepest + level.depth());
                level.tag(tag, false, room, &mut page.problems);
                elements = elements.max(level.depth() + 1);
            }
        }
    }
    text.flush(&mut level, source, in_link);
    let end = level_end(source, last);
    (level.end(end, &mut page.problems), deepest + elements)
}

fn level_end(source: &Source, last: usize) -> u32 {
    source.span(last.saturating_sub(1), last).end
}

/// Text that may go on.
#[derive(Default)]
struct Pending {
    value: String,
    range: Option<(usize, usize)>,
}

impl Pending {
    fn push(&mut self, value: &str, start: usize, end: usize) {
        self.value.push_str(value);
        let from = self.range.map_or(start, |range| range.0);
        self.range = Some((from, end));
    }

    fn flush(&mut self, level: &mut Level, source: &Source, in_link: bool) {
        let Some((start, end)) = self.range.take() else {
            return;
        };
        let value = std::mem::take(&mut self.value);
        if value.is_empty() {
            return;
        }
        let span = source.span(start, end);
        if in_link {
            level.push(Node::new(span, Kind::Text(value.into())));
        } else {
            super::autolink::split(&value, span, level.nodes());
        }
    }
}

/// The text that stands for a picture.
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
