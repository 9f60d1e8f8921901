//! Links, images and references.

use crate::{
    Kind, ReferenceKind,
    block::MAX_DEPTH,
    link::{destination, label, space, title},
    source::to_u32,
    text::{identifier, label_key},
};

use super::{
    emphasis::{alt, build, too_deep},
    item::{Bracket, Item},
    scan::Scanner,
};

/// Target that a closing bracket leads to.
enum LinkTarget {
    Resource {
        url: String,
        title: Option<String>,
    },
    Reference {
        identifier: Box<str>,
        kind: ReferenceKind,
    },
}

impl Scanner<'_, '_> {
    /// Returns the innermost open bracket.
    pub(super) fn open_mut(&mut self) -> Option<&mut Bracket> {
        let item = *self.brackets.last()? as usize;
        match self.items.get_mut(item)? {
            Item::Bracket(bracket) => Some(bracket),
            _ => None,
        }
    }

    pub(super) fn open_bracket(&mut self, start: usize, length: usize, image: bool) {
        if let Some(outer) = self.open_mut() {
            outer.holds_bracket = true;
        }
        self.pos = start + length;
        self.brackets.push(to_u32(self.items.len()));
        self.items.push(Item::Bracket(Bracket {
            start: to_u32(start),
            image,
            holds_bracket: false,
            deepest: 0,
        }));
    }

    pub(super) fn close_bracket(&mut self) {
        let at = self.pos;
        self.pos = at + 1;
        let Some(open) = self.open_mut().copied() else {
            self.push_plain(at, at + 1);
            return;
        };
        let item = self.brackets.pop().map_or(0, |item| item as usize);
        let index = self.brackets.len();
        let inactive = !open.image && index < self.inactive;
        self.inactive = self.inactive.min(index);
        let target = if inactive {
            None
        } else {
            self.target(open, at)
        };
        let deepest = usize::from(open.deepest);
        if let Some(outer) = self.open_mut() {
            outer.holds(deepest);
        }
        let start = open.start as usize;
        let fits = deepest < MAX_DEPTH;
        if target.is_some() && !fits {
            too_deep(start, at + 1, self.source, self.page);
        }
        let Some((target, end)) = target.filter(|_| fits) else {
            self.push_plain(at, at + 1);
            return;
        };
        let inside = (item + 1).min(self.items.len());
        let (children, depth) = build(&mut self.items, inside, self.source, true, self.page);
        self.items.truncate(item);
        if !open.image {
            // Links do not nest: brackets before this one cannot become links.
            self.inactive = index;
        }
        let kind = match (target, open.image) {
            (LinkTarget::Resource { url, title }, false) => Kind::Link {
                url: url.into(),
                title: title.map(Into::into),
                children,
            },
            (LinkTarget::Resource { url, title }, true) => Kind::Image {
                url: url.into(),
                title: title.map(Into::into),
                alt: alt(&children).into(),
            },
            (LinkTarget::Reference { identifier, kind }, false) => Kind::LinkReference {
                identifier,
                reference: kind,
                children,
            },
            (LinkTarget::Reference { identifier, kind }, true) => Kind::ImageReference {
                identifier,
                reference: kind,
                alt: alt(&children).into(),
            },
        };
        self.push_node(start, end, kind, depth + 1);
        self.pos = end;
    }

    /// Returns the target that follows the closing bracket at `at`, and its end.
    fn target(&mut self, open: Bracket, at: usize) -> Option<(LinkTarget, usize)> {
        let text = self.text;
        let label_text = text.get(open.content()..at).unwrap_or("");
        let next = text.as_bytes().get(at + 1);
        if next == Some(&b'(')
            && let Some(target) = self.resource(at + 1)
        {
            return Some(target);
        }
        if self.page.definitions.is_empty() {
            return None;
        }
        if next == Some(&b'[')
            && let Some((close, end)) = label(text, at + 1)
        {
            let full = text.get(at + 2..close).unwrap_or("");
            if self.page.definitions.contains(&label_key(full)) {
                let target = LinkTarget::Reference {
                    identifier: identifier(full),
                    kind: ReferenceKind::Full,
                };
                return Some((target, end));
            }
        }
        let known = !open.holds_bracket
            && label_text.len() < 4000
            && self.page.definitions.contains(&label_key(label_text));
        if !known {
            return None;
        }
        let identifier = identifier(label_text);
        if next == Some(&b'[') {
            if text.as_bytes().get(at + 2) != Some(&b']') {
                return None;
            }
            let kind = ReferenceKind::Collapsed;
            return Some((LinkTarget::Reference { identifier, kind }, at + 3));
        }
        Some((
            LinkTarget::Reference {
                identifier,
                kind: ReferenceKind::Shortcut,
            },
            at + 1,
        ))
    }

    /// Reads `(url "title")` at `at`.
    fn resource(&mut self, at: usize) -> Option<(LinkTarget, usize)> {
        let text = self.text;
        let bytes = text.as_bytes();
        let mut end = space(text, at + 1);
        if bytes.get(end) == Some(&b')') {
            return Some((
                LinkTarget::Resource {
                    url: String::new(),
                    title: None,
                },
                end + 1,
            ));
        }
        let (url, after) = destination(text, end, 32)?;
        end = space(text, after);
        let mut link_title = None;
        if end > after
            && let Some(mark @ (b'"' | b'\'' | b'(')) = bytes.get(end)
        {
            let slot = match mark {
                b'"' => 0,
                b'\'' => 1,
                _ => 2,
            };
            // An earlier search already showed that no title is closed from this offset on.
            if self
                .untitled_from
                .get(slot)
                .is_some_and(|from| end >= *from)
            {
                return None;
            }
            let Some((title, after)) = title(text, end) else {
                if let Some(from) = self.untitled_from.get_mut(slot) {
                    *from = end;
                }
                return None;
            };
            link_title = Some(title);
            end = space(text, after);
        }
        if bytes.get(end) != Some(&b')') {
            return None;
        }
        Some((
            LinkTarget::Resource {
                url,
                title: link_title,
            },
            end + 1,
        ))
    }
}
