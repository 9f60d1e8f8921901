//! Search over the pages of a site.

pub(crate) mod analyses;
mod documents;

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use serde_json::{Map, Value, json};
use svc_render::{SearchPage, SearchPageResult};
use svc_search::{
    Document, ENGLISH_SYNONYMS, Hit, Index, Query, Results, Section, Snippet, Synonyms,
};

use crate::Site;
use crate::parallel::threads;
use crate::render;

/// Maximum length of a snippet in characters.
const MAX_SNIPPET_CHARS: usize = 180;
/// Names of the facets of pages, which are filters of queries and part of results.
pub const SEARCH_FACETS: [&str; 6] = ["group", "language", "version", "product", "tag", "method"];

/// A page that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResult<'s> {
    /// The page as it is indexed.
    pub document: &'s Document,
    /// Its title.
    pub title: Snippet,
    /// Its best sections, the best first; at least one.
    pub sections: Vec<SectionResult<'s>>,
}

/// A section of a page that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionResult<'s> {
    /// The section as it is indexed.
    pub section: &'s Section,
    /// Its heading; empty for the beginning of the page.
    pub heading: Snippet,
    /// The part of its text with the words of the query.
    pub snippet: Snippet,
}

/// The results of a search.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SearchResults<'s> {
    /// Pages, the best first.
    pub pages: Vec<SearchResult<'s>>,
    /// Number of pages that match, including those that are not returned.
    pub total: usize,
    /// The query without typing errors, if it has some.
    pub correction: Option<String>,
}

/// Facets whose values a reader can select.
const SELECTABLE: [&str; 5] = ["language", "version", "product", "tag", "method"];

impl Site {
    /// Searches the site. The first call builds the index unless the background pass has.
    ///
    /// The filters of the query are the facets of [`Self::search_documents`].
    pub fn search(&self, query: &Query<'_>) -> SearchResults<'_> {
        let index = self.search_index();
        let results = index.search(query);
        let pages = results.hits.iter().map(|hit| result(index, &results, hit));
        SearchResults {
            pages: pages.collect(),
            total: results.total,
            correction: results.correction,
        }
    }

    /// The values of the filters that a reader can select: languages, versions, products, tags and
    /// methods, each in the order of the navigation.
    pub fn search_filters(&self) -> &Value {
        self.search_filters.get_or_init(|| {
            let facets = self
                .search_index()
                .pages()
                .iter()
                .flat_map(|page| &page.facets);
            let mut values: IndexMap<&str, IndexSet<&str>> = IndexMap::new();
            for (name, value) in facets.filter(|(name, _)| SELECTABLE.contains(&name.as_str())) {
                values.entry(name).or_default().insert(value);
            }
            let values = values.into_iter();
            let values =
                values.map(|(name, values)| (name.to_owned(), values.into_iter().collect()));
            Value::Object(values.collect())
        })
    }

    /// The index of all pages that search finds, built by the first call.
    pub fn search_index(&self) -> &Index {
        self.search.get_or_init(|| {
            self.summarize_all(threads());
            self.index(self.search_documents())
        })
    }

    /// Indexes documents with the synonyms of the site.
    pub(crate) fn index(&self, documents: Vec<Arc<Document>>) -> Index {
        let own = self.config.search.synonyms.iter();
        let own = own.map(|group| group.iter().map(String::as_str).collect::<Vec<_>>());
        let language = self.map.default_language().unwrap_or("en");
        let is_english = language.split('-').next() == Some("en");
        let common = ENGLISH_SYNONYMS.iter().filter(|_| is_english);
        let synonyms = Synonyms::new(own.chain(common.map(|group| group.to_vec())));
        self.analyses.index(documents, synonyms)
    }
}

/// A request for the page with the results of a search.
#[derive(Debug, Clone, Copy)]
pub struct SearchPageRequest<'a> {
    /// The query.
    pub query: Query<'a>,
    /// Path of the page without base path.
    pub path: &'a str,
    /// Maximum offset of a query.
    pub max_offset: usize,
}

impl Site {
    /// HTML of a page with the results of a search, for readers without scripts. It is in the
    /// language that the query is restricted to.
    pub fn search_page(&self, request: &SearchPageRequest<'_>) -> Vec<u8> {
        let query = &request.query;
        let results = self.search(query);
        let mut filters = query.filters.iter();
        let language = filters.find(|(name, _)| *name == "language");
        let language = language.map(|(_, value)| *value);
        let next = query.offset.saturating_add(query.limit);
        let pages = results.pages.iter().filter_map(|page| {
            let best = page.sections.first()?;
            Some(SearchPageResult {
                href: page.href(),
                group: page.facet("group"),
                title: &page.title,
                heading: &best.heading,
                snippet: &best.snippet,
            })
        });
        let offered = self.search_filters().as_object().into_iter().flatten();
        let offered = offered.map(|(name, values)| {
            let values = values.as_array().into_iter().flatten();
            (name.as_str(), values.filter_map(Value::as_str).collect())
        });
        let page = SearchPage {
            query: query.text,
            language: language.or_else(|| self.map.default_language()),
            filters: query.filters,
            offered: offered.collect(),
            path: request.path,
            total: results.total,
            correction: results.correction.as_deref(),
            results: pages.collect(),
            next: (next < results.total && next <= request.max_offset).then_some(next),
        };
        render::search_page(&self.context(), &page)
    }
}

fn result<'s>(index: &'s Index, results: &Results, hit: &Hit) -> SearchResult<'s> {
    let document = index.page(hit.page);
    let sections = hit.sections.iter();
    let sections = sections.filter_map(|&number| document.sections.get(number as usize));
    SearchResult {
        document,
        title: results.mark(&document.title),
        sections: sections
            .map(|section| SectionResult {
                section,
                heading: section
                    .headings
                    .last()
                    .map_or_else(Snippet::default, |heading| results.mark(heading)),
                snippet: results.snippet(section, MAX_SNIPPET_CHARS),
            })
            .collect(),
    }
}

impl SearchResult<'_> {
    /// The path of the page with the fragment of its best section.
    pub fn href(&self) -> String {
        let path = &self.document.path;
        let best = self
            .sections
            .first()
            .map(|result| result.section.id.as_str());
        match best.filter(|id| !id.is_empty()) {
            Some(id) => format!("{path}#{id}"),
            None => path.clone(),
        }
    }

    /// The value of a facet. `None` if the page has none or, as pages of all languages or versions,
    /// several.
    pub fn facet(&self, name: &str) -> Option<&str> {
        let facets = self.document.facets.iter();
        let mut values = facets.filter(|(own, _)| own == name);
        let (_, value) = values.next()?;
        values.next().is_none().then_some(value)
    }

    /// The result as JSON. Marks are pairs of positions in UTF-16 code units, as in JavaScript.
    /// `base` is prepended to the path.
    pub fn to_json(&self, base: &str) -> Value {
        let mut out = Map::new();
        let mut add = |name: &str, value: Value| out.insert(name.to_owned(), value);
        add("path", json!(format!("{base}{}", self.document.path)));
        add("title", json!(self.title.text));
        add("title_marks", marks(&self.title));
        for name in SEARCH_FACETS {
            if let Some(value) = self.facet(name) {
                add(name, json!(value));
            }
        }
        let sections = self.sections.iter().map(|result| {
            json!({
                "id": result.section.id,
                "headings": result.section.headings,
                "heading_marks": marks(&result.heading),
                "snippet": result.snippet.text,
                "snippet_marks": marks(&result.snippet),
            })
        });
        add("sections", sections.collect());
        Value::Object(out)
    }
}

fn marks(snippet: &Snippet) -> Value {
    let units = |at: usize| snippet.text.get(..at).unwrap_or("").encode_utf16().count();
    let marks = snippet.marks.iter();
    marks
        .map(|mark| json!([units(mark.start), units(mark.end)]))
        .collect()
}
