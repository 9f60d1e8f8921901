//! Fixes of the problems of a site, in memory.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use svc_diagnostics::{Diagnostic, SourceFile, apply_fixes};

use crate::LoadOptions;
use crate::accessibility;
use crate::load::with_texts;
use crate::validate::{Source, Validation, document, page_problems, site_options, site_problems};

/// Maximum number of passes. One pass applies all fixes that do not overlap, and fixes of problems
/// that others hid are found by the next one.
const MAX_PASSES: usize = 10;

/// The result of [`Validation::fix`].
#[derive(Debug)]
pub struct SiteFix {
    /// The validation of the new texts.
    pub validation: Validation,
    /// The new texts of the files that change, by path.
    pub texts: BTreeMap<Arc<str>, String>,
    /// The problems that were fixed, with their locations in the text of their pass.
    pub fixed: Vec<Diagnostic>,
}

impl Validation {
    /// Number of problems with a fix.
    pub fn fixable(&self) -> usize {
        let fixable = self.diagnostics.iter().filter(|one| one.fix.is_some());
        fixable.count()
    }

    /// Applies the fixes of all problems and validates the new texts, until nothing changes. Writes
    /// no files. `is_writable` returns whether a file may change; problems whose fixes change another
    /// file remain. `options` are those of [`validate`](crate::validate()).
    ///
    /// # Errors
    /// As [`assemble`](crate::assemble).
    pub fn fix(
        self,
        options: &LoadOptions,
        is_writable: &dyn Fn(&str, &str) -> bool,
    ) -> io::Result<SiteFix> {
        let mut out = SiteFix {
            validation: self,
            texts: BTreeMap::new(),
            fixed: Vec::new(),
        };
        let mut writable: BTreeMap<Arc<str>, bool> = BTreeMap::new();
        for _ in 0..MAX_PASSES {
            let now = &out.validation;
            let mut may_change = |path: &Arc<str>| match writable.get(path) {
                Some(known) => *known,
                None => {
                    let text = now.text_of(path);
                    let known = text.is_some_and(|text| is_writable(path, text));
                    writable.insert(Arc::clone(path), known);
                    known
                }
            };
            let problems: Vec<&Diagnostic> = now
                .diagnostics
                .iter()
                .filter(|problem| {
                    let mut edits = problem.fix.iter().flat_map(|fix| &fix.edits);
                    problem.fix.is_some() && edits.all(|edit| may_change(&edit.location.file))
                })
                .collect();
            let fixes: Vec<_> = problems.iter().filter_map(|one| one.fix.as_ref()).collect();
            let outcome = apply_fixes(&|path| now.text_of(path), &fixes);
            if outcome.texts.is_empty() {
                break;
            }
            let applied = problems.iter().zip(&outcome.applied);
            let applied = applied.filter(|(_, applied)| **applied);
            let applied: Vec<Diagnostic> = applied.map(|(one, _)| (*one).clone()).collect();
            out.fixed.extend(applied);
            out.validation = out.validation.revalidate(&outcome.texts, options)?;
            out.texts.extend(outcome.texts);
        }
        Ok(out)
    }

    /// Validates the same files with other texts of some of them.
    fn revalidate(
        self,
        texts: &BTreeMap<Arc<str>, String>,
        options: &LoadOptions,
    ) -> io::Result<Self> {
        match self.source {
            Source::Site { site, page: None } => {
                let loaded = with_texts(&site, texts, &site_options(options))?;
                Ok(site_problems(loaded))
            }
            Source::Site {
                site,
                page: Some(page),
            } => {
                let loaded = with_texts(&site, texts, &options.without_dates())?;
                page_problems(loaded, page)
            }
            Source::Accessibility { site, checks } => {
                let loaded = with_texts(&site, texts, &site_options(options))?;
                Ok(accessibility::validation(loaded, checks))
            }
            Source::File(file) => {
                let text = texts.get(file.path()).map(String::as_str);
                let text = text.unwrap_or_else(|| file.text());
                Ok(document(&SourceFile::new(file.path().clone(), text)))
            }
        }
    }
}
