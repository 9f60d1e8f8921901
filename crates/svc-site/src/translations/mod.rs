//! Translations: which pages are missing, and which are older than their source.
//!
//! The source of a page is its counterpart in the default language. [`TRANSLATION_LOCK`] records the
//! digests of the sections of the source from which a page was translated; a page is outdated if the
//! sections of its source have others.

mod lock;
mod pairs;
mod sections;

use std::collections::BTreeMap;
use std::sync::Arc;

use svc_diagnostics::{Diagnostic, Span};
use svc_nav::SiteMap;
use svc_render::{OutdatedTranslation, SourceSection};
use svc_source::{PageIndex, SourceTree};

pub use lock::TRANSLATION_LOCK;

use crate::Site;
use crate::codes::OUTDATED_TRANSLATION;
use lock::TranslationLock;
use pairs::{Pair, pairs};
use sections::{PageSection, sections};

/// Maximum number of sections that a diagnostic names.
const MAX_NAMES: usize = 5;

/// What has happened to a section since a page was translated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SectionChange {
    /// Its text is another one.
    Changed,
    /// It is new.
    Added,
    /// It does not exist anymore.
    Removed,
}

impl SectionChange {
    /// The name of the change in messages and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Removed => "removed",
        }
    }
}

/// A section of a source that has changed since the page was translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedSection {
    /// What has happened.
    pub change: SectionChange,
    /// Id of the heading; empty for the beginning of the page.
    pub id: String,
    /// Text of the heading, or the title of the page; the id of a removed section.
    pub title: String,
    /// Line of the heading in the source, from 1; `None` for a removed section.
    pub line: Option<usize>,
}

/// The state of a page of the default language in another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TranslationState {
    /// There is no page in the other language.
    Missing,
    /// There is no record of what it was translated from.
    Unrecorded,
    /// The source has not changed.
    Current,
    /// The source has changed.
    Outdated(Vec<ChangedSection>),
}

/// A page of the default language and its page in another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translation {
    /// Code of the other language.
    pub language: String,
    /// Path of the source file.
    pub source: Arc<str>,
    /// Path of the translated file; `None` if it is missing.
    pub page: Option<Arc<str>>,
    /// The state.
    pub state: TranslationState,
}

impl Site {
    /// All pages of the default languages that are in the navigation, with their state in each
    /// other language: by language, then in the order of the navigation.
    pub fn translations(&self) -> Vec<Translation> {
        let lock = self.translation_lock();
        let all = pairs(&self.map, &self.pages).into_iter();
        let translation = |pair: Pair<'_>| {
            let page = pair.translation.map(|page| Arc::clone(&page.path));
            let recorded = page.as_deref().map(|path| lock.pages.get(path));
            let state = match recorded {
                None => TranslationState::Missing,
                Some(None) => TranslationState::Unrecorded,
                Some(Some(recorded)) => match changes(recorded, &sections(pair.source)) {
                    none if none.is_empty() => TranslationState::Current,
                    changes => TranslationState::Outdated(changes),
                },
            };
            Translation {
                language: pair.language.to_owned(),
                source: Arc::clone(&pair.source.path),
                page,
                state,
            }
        };
        all.map(translation).collect()
    }

    /// The text of [`TRANSLATION_LOCK`] after the translations that `selects` have been compared
    /// with their present sources, and those that were recorded. Pages that are no longer
    /// translations are removed.
    pub fn record_translations(
        &self,
        selects: impl Fn(&Translation) -> bool,
    ) -> (String, Vec<Translation>) {
        let before = self.translation_lock();
        let mut lock = TranslationLock::default();
        let mut recorded = Vec::new();
        for translation in self.translations() {
            let Some(path) = &translation.page else {
                continue;
            };
            if let Some(sections) = before.pages.get(&**path) {
                lock.pages.insert(path.to_string(), sections.clone());
            }
            let source = self
                .pages
                .iter()
                .find(|page| page.path == translation.source);
            if let Some(source) = source.filter(|_| selects(&translation)) {
                lock.record(path, &sections(source));
                recorded.push(translation);
            }
        }
        (lock.to_text(), recorded)
    }

    /// Reports outdated pages, and an invalid [`TRANSLATION_LOCK`].
    pub(crate) fn report_translations(&self) -> Vec<Diagnostic> {
        let lock = TranslationLock::read(&self.tree);
        let mut diagnostics = lock.map_or_else(Vec::new, |lock| lock.diagnostics);
        for translation in self.translations() {
            if let TranslationState::Outdated(changes) = &translation.state {
                diagnostics.extend(self.report_outdated(&translation, changes));
            }
        }
        diagnostics
    }

    fn report_outdated(
        &self,
        translation: &Translation,
        changes: &[ChangedSection],
    ) -> Option<Diagnostic> {
        let path = translation.page.as_deref()?;
        let file = self.tree.text(path)?;
        let named = changes.iter().take(MAX_NAMES);
        let mut names: Vec<String> = named
            .map(|section| format!("`{}`", section.title))
            .collect();
        if let Some(more) = changes
            .len()
            .checked_sub(MAX_NAMES)
            .filter(|more| *more > 0)
        {
            names.push(format!("{more} more"));
        }
        let source = &translation.source;
        let message = format!(
            "the page is older than its source `{source}`, in which these sections have changed: {}",
            names.join(", ")
        );
        let hint = format!("translate the changes and run `svc i18n record {path}`");
        let mut diagnostic = Diagnostic::new(&OUTDATED_TRANSLATION, message)
            .at(file.location(Span::default()))
            .hint(hint);
        let line = changes.iter().find_map(|section| section.line);
        if let (Some(line), Some(source)) = (line, self.tree.text(source)) {
            let at = source.location(line_span(source.text(), line));
            diagnostic = diagnostic.label(at, "the source has changed here");
        }
        Some(diagnostic)
    }

    fn translation_lock(&self) -> TranslationLock {
        TranslationLock::read(&self.tree).map_or_else(TranslationLock::default, |lock| lock.value)
    }
}

/// The outdated pages of a site, for the notes that readers see. Empty without a lock.
pub(crate) fn outdated(
    tree: &SourceTree,
    map: &SiteMap,
    pages: &PageIndex,
) -> BTreeMap<String, OutdatedTranslation> {
    let Some(lock) = TranslationLock::read(tree).map(|lock| lock.value) else {
        return BTreeMap::new();
    };
    let note = |pair: Pair<'_>| {
        let path = pair.translation?.path.to_string();
        let changes = changes(lock.pages.get(&path)?, &sections(pair.source));
        let is_outdated = !changes.is_empty();
        let present = changes.into_iter().filter(|section| section.line.is_some());
        let sections = present.map(|section| SourceSection {
            id: section.id,
            title: section.title,
        });
        let note = OutdatedTranslation {
            source: pair.route.path.clone(),
            sections: sections.collect(),
        };
        is_outdated.then_some((path, note))
    };
    pairs(map, pages).into_iter().filter_map(note).collect()
}

/// What has changed between the recorded sections and the present ones, in their order; removed
/// sections come last.
fn changes(recorded: &[(String, String)], present: &[PageSection]) -> Vec<ChangedSection> {
    let before: BTreeMap<&str, &str> = recorded
        .iter()
        .map(|(id, digest)| (&**id, &**digest))
        .collect();
    let changed = present.iter().filter_map(|section| {
        let change = match before.get(&*section.id) {
            None => SectionChange::Added,
            Some(digest) if *digest != section.digest => SectionChange::Changed,
            Some(_) => return None,
        };
        Some(ChangedSection {
            change,
            id: section.id.clone(),
            title: section.title.clone(),
            line: Some(section.line),
        })
    });
    let is_present = |id: &str| present.iter().any(|section| section.id == id);
    let removed = recorded.iter().filter(|(id, _)| !is_present(id));
    let removed = removed.map(|(id, _)| ChangedSection {
        change: SectionChange::Removed,
        id: id.clone(),
        title: id.clone(),
        line: None,
    });
    changed.chain(removed).collect()
}

/// The span of a line.
fn line_span(text: &str, line: usize) -> Span {
    let mut lines = text.split_inclusive('\n');
    let start: usize = lines.by_ref().take(line - 1).map(str::len).sum();
    let length = lines.next().map_or(0, |line| line.trim_end().len());
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(offset(start), offset(start + length))
}

#[cfg(test)]
mod tests;
