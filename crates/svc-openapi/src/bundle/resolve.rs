//! Targets of references, in this document and in other files.

use std::rc::Rc;

use svc_data::{Limits, at_pointer};
use svc_diagnostics::Span;

use super::input::{InputFile, ResolvedRef};
use super::{Bundler, MAX_DEPTH, MAX_FILES, as_bare_ref, path};
use crate::{codes, reference};

impl Bundler<'_> {
    /// Like [`Self::find`], without reporting a missing target.
    pub(super) fn find_silently(
        &mut self,
        part: &Rc<InputFile>,
        text: &str,
    ) -> Option<ResolvedRef> {
        let known = self.diagnostics.len();
        let resolved = self.find(part, text, Span::default());
        self.diagnostics.truncate(known);
        resolved
    }

    /// Resolves a reference; chains of references are followed.
    pub(super) fn find(
        &mut self,
        part: &Rc<InputFile>,
        text: &str,
        span: Span,
    ) -> Option<ResolvedRef> {
        let mut resolved = self.step(part, text, (part, span))?;
        for _ in 0..MAX_DEPTH {
            let next = resolved.node().and_then(as_bare_ref).map(str::to_owned);
            match next {
                // References inside of the document may stay as they are.
                Some(next) if !Rc::ptr_eq(&resolved.part, &self.main) => {
                    let from = Rc::clone(&resolved.part);
                    resolved = self.step(&from, &next, (part, span))?;
                }
                _ => return Some(resolved),
            }
        }
        let message = format!("the reference `{text}` refers to itself");
        let hint = "refer to the intended object";
        self.report(&codes::REF_CYCLE, part, span, message, hint);
        None
    }

    fn step(
        &mut self,
        from: &Rc<InputFile>,
        text: &str,
        (part, span): (&Rc<InputFile>, Span),
    ) -> Option<ResolvedRef> {
        let (file, fragment) = text
            .split_once('#')
            .map_or((text, ""), |(file, rest)| (file, rest));
        let target = if file.is_empty() {
            Rc::clone(from)
        } else {
            let path = match path::join(&from.path, file) {
                Ok(path) => path,
                Err(problem) => {
                    let message = format!("the reference `{text}` {}", problem.reason());
                    self.report(&codes::EXTERNAL_REF, part, span, message, problem.hint());
                    return None;
                }
            };
            let Some(target) = self.part(&path) else {
                let message = format!("the file `{path}` does not exist or cannot be read");
                let hint = "check the path; it is relative to the file with the reference";
                self.report(&codes::UNRESOLVED_REF, part, span, message, hint);
                return None;
            };
            target
        };
        let anchor = format!("#{fragment}");
        let pointer = reference::pointer(&anchor).unwrap_or_default().into_owned();
        if at_pointer(&target.root, &pointer).is_none() {
            let message = format!("the target of the reference `{text}` does not exist");
            let hint = "correct the reference, or define its target";
            self.report(&codes::UNRESOLVED_REF, part, span, message, hint);
            return None;
        }
        Some(ResolvedRef {
            part: target,
            pointer,
        })
    }

    /// A file, which is read on first use.
    pub(super) fn part(&mut self, path: &str) -> Option<Rc<InputFile>> {
        if let Some(known) = self.parts.get(path) {
            return known.clone();
        }
        let file = (self.parts.len() < MAX_FILES)
            .then(|| (self.lookup)(path))
            .flatten();
        let part = file.map(|file| {
            let root = svc_data::parse(&file, &Limits::default());
            self.diagnostics.extend(root.diagnostics);
            let (path, root) = (path.to_owned(), root.value);
            Rc::new(InputFile { path, file, root })
        });
        self.parts.insert(path.to_owned(), part.clone());
        part
    }
}
