//! Fixes of diagnostics in the text of pages.

use std::rc::Rc;

use svc_diagnostics::{Fix, Span};
use svc_mdx::{AttributeKind, Element, Kind, Node, walk};

use super::Ctx;

impl Ctx<'_> {
    /// Adds a fix to the last diagnostic.
    fn fix(&mut self, fix: Option<Fix>) {
        if let Some(last) = self.out.diagnostics.last_mut() {
            last.fix = fix;
        }
    }

    /// Fixes the last diagnostic by replacing the only `old` in a span of the current file.
    pub(crate) fn fix_text(&mut self, span: Span, old: &str, new: &str) {
        let fix = Fix::replace(&self.scope.file, span.shifted(self.scope.shift), old, new);
        self.fix(fix);
    }

    /// Fixes the last diagnostic by replacing the value of an attribute in a span of the current
    /// file.
    pub(crate) fn fix_value(&mut self, span: Span, old: &str, new: &str) {
        let span = span.shifted(self.scope.shift);
        let quoted = |text: &str| format!("\"{text}\"");
        let fix = Fix::replace(&self.scope.file, span, &quoted(old), &quoted(new));
        let fix = fix.or_else(|| Fix::replace(&self.scope.file, span, old, new));
        self.fix(fix.map(|fix| Fix {
            title: format!("write `{new}`"),
            ..fix
        }));
    }

    /// Fixes the last diagnostic by renaming all elements with this name in the current file,
    /// because it is reported once per page.
    pub(crate) fn fix_tags(&mut self, old: &str, new: &str) {
        let title = format!("write `<{new}>`");
        let fix = self.edits(&title, old, |text, node, element| {
            let mut names = vec![element.name_span];
            let end = text(node.span);
            if let Some(close) = end.rfind("</").filter(|_| !element.self_closing) {
                let name = end.get(close + 2..).unwrap_or("");
                let inside = name.trim_end_matches('>').trim();
                if inside != old {
                    return Vec::new();
                }
                let start = close + 2 + name.find(old).unwrap_or(0);
                let start = node.span.start as usize + start;
                names.push(Span::from_range(start..start + old.len()));
            }
            names.retain(|span| text(*span) == old);
            names
                .into_iter()
                .map(|span| (span, new.to_owned()))
                .collect()
        });
        self.fix(fix);
    }

    /// Fixes the last diagnostic by renaming an attribute of all elements with the name `tag`.
    pub(crate) fn fix_attributes(&mut self, tag: &str, old: &str, new: &str) {
        let title = format!("rename it to `{new}`");
        let fix = self.edits(&title, tag, |text, _, element| {
            let names = element
                .attributes
                .iter()
                .map(|attribute| match &attribute.kind {
                    AttributeKind::Named { name, .. } => (&**name, attribute.span),
                    AttributeKind::Spread(_) => ("", attribute.span),
                });
            if names.clone().any(|(name, _)| name == new) {
                return Vec::new();
            }
            let written = names.filter(|(name, span)| *name == old && text(*span).starts_with(old));
            let edits = written.map(|(_, span)| {
                let start = span.start as usize;
                (Span::from_range(start..start + old.len()), new.to_owned())
            });
            edits.collect()
        });
        self.fix(fix);
    }

    /// A fix with the edits of all elements of this name in the current file; `None` if there are
    /// none.
    fn edits(
        &self,
        title: &str,
        name: &str,
        edits: impl Fn(&dyn Fn(Span) -> String, &Node, &Element) -> Vec<(Span, String)>,
    ) -> Option<Fix> {
        let module = Rc::clone(&self.scope.module);
        let text = |span: Span| self.scope.slice(span).to_owned();
        let mut all = Vec::new();
        walk(&module.document.children, |node, _| {
            if let Kind::Element(element) = &node.kind
                && element.name.as_deref() == Some(name)
            {
                all.extend(edits(&text, node, element));
            }
            true
        });
        let mut all = all.into_iter();
        let (span, text) = all.next()?;
        let fix = Fix::new(title, self.scope.location(span), text);
        Some(all.fold(fix, |fix, (span, text)| {
            fix.edit(self.scope.location(span), text)
        }))
    }
}
