//! The terms that exist for a query.

use crate::index::Index;
use crate::query::Query;
use crate::visibility::VisiblePages;

/// The terms of the pages that a reader may see. All else is as if there were no other pages.
pub(crate) struct Vocabulary<'i> {
    pub(crate) index: &'i Index,
    pages: VisiblePages,
    /// Number of sections of these pages.
    pub(crate) section_count: usize,
}

impl<'i> Vocabulary<'i> {
    pub(crate) fn new(index: &'i Index, query: &Query<'_>) -> Self {
        // Filters are not secret: which terms are rare does not depend on them.
        let unfiltered = Query {
            filters: &[],
            ..*query
        };
        let pages = VisiblePages::new(index, &unfiltered);
        let section_count = match pages {
            VisiblePages::All => index.section_count(),
            VisiblePages::Some(_) => {
                let sections = index.section_pages.iter();
                sections.filter(|&&page| pages.contains(page)).count()
            }
        };
        Self {
            index,
            pages,
            section_count,
        }
    }

    /// The number of a term.
    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        let term = self.index.dictionary.find(text)?;
        self.contains(term).then_some(term)
    }

    /// The terms with a stem.
    pub(crate) fn members(&self, class: u32) -> impl Iterator<Item = u32> {
        let members = self.index.members.get(class as usize);
        let members = members.into_iter().flatten().copied();
        members.filter(|&term| self.contains(term))
    }

    /// Number of sections that contain a term.
    pub(crate) fn frequency(&self, term: u32) -> u32 {
        match self.pages {
            VisiblePages::All => self.index.frequency(term),
            VisiblePages::Some(_) => u32::try_from(self.sections(term).count()).unwrap_or(u32::MAX),
        }
    }

    fn contains(&self, term: u32) -> bool {
        self.pages == VisiblePages::All || self.sections(term).next().is_some()
    }

    fn sections(&self, term: u32) -> impl Iterator<Item = u32> {
        let sections = self.index.postings(term).map(|posting| posting.section);
        sections.filter(|&section| {
            let page = self.index.section_pages.get(section as usize);
            page.is_some_and(|&page| self.pages.contains(page))
        })
    }
}
