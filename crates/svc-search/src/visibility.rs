//! Which pages a query may return.

use crate::document::Document;
use crate::index::Index;
use crate::query::Query;

/// Pages that a query may return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum VisiblePages {
    /// All pages.
    All,
    /// For each page whether it is visible.
    Some(Vec<bool>),
}

impl VisiblePages {
    pub(crate) fn new(index: &Index, query: &Query<'_>) -> Self {
        if query.audiences.is_none() && query.filters.is_empty() {
            return Self::All;
        }
        let pages = index.pages.iter();
        Self::Some(pages.map(|page| is_visible(page, query)).collect())
    }

    pub(crate) fn contains(&self, page: u32) -> bool {
        match self {
            Self::All => true,
            Self::Some(pages) => pages.get(page as usize).copied().unwrap_or(false),
        }
    }
}

fn is_visible(page: &Document, query: &Query<'_>) -> bool {
    let is_allowed = query
        .audiences
        .is_none_or(|audiences| audiences.contains(&page.audience));
    is_allowed
        && query.filters.iter().all(|(facet, _)| {
            let values = query.filters.iter().filter(|(name, _)| name == facet);
            let mut values = values.map(|(_, value)| value);
            values.any(|value| {
                page.facets
                    .iter()
                    .any(|(name, own)| name == facet && own == value)
            })
        })
}
