//! The index as files for static sites. `engine.js` searches them in a browser.

mod bytes;
mod meta;
mod ranges;
mod terms;
#[cfg(test)]
mod tests;
mod texts;

use std::sync::Arc;

use self::ranges::Ranges;
use crate::analysis::Analysis;
use crate::document::Document;
use crate::index::Index;
use crate::weights::Weights;

/// A script that searches [`Index::shards`] with the results of [`Index::search`].
///
/// It is an ES module that exports the function `svcSearchEngine(load)`. `load` gets the name of a
/// shard and returns a promise of its bytes as an `Uint8Array`:
///
/// ```js
/// const engine = await svcSearchEngine(load);
/// const { hits, total, correction } = await engine.search({
///   text: "rate limti", limit: 10, offset: 0, filters: [["version", "v2"]], snippetLength: 160,
/// });
/// for (const { path, title, titleMarks, sections } of hits) {
///   for (const { id, headings, snippet: { text, marks } } of sections) {}
/// }
/// engine.facets(); // [{ name: "version", values: ["v1", "v2"] }]
/// ```
///
/// Only `text` is required. Marks are pairs of UTF-16 offsets. The promise of a search is rejected
/// if one of its shards cannot be loaded; the next search loads it again. Shards of another
/// [`version`](Shard::bytes) than the first one are rejected, so that a page that was opened before
/// a deployment never mixes two indexes.
pub const SEARCH_SCRIPT: &str = include_str!("../engine.js");

/// Bytes at the beginning of each shard that are the same in all shards of an index.
const VERSION_BYTES: usize = 4;

/// A file of a static index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shard {
    /// Name: lowercase letters, and for all but `meta` a dash and a number.
    pub name: String,
    /// Content, not compressed. The first four bytes are the version of the index: a hash of all
    /// shards.
    pub bytes: Vec<u8>,
}

impl Shard {
    fn new(kind: &str, number: usize, body: &[u8]) -> Self {
        let mut bytes = vec![0; VERSION_BYTES];
        bytes.extend_from_slice(body);
        Self {
            name: format!("{kind}-{number}"),
            bytes,
        }
    }
}

impl Index {
    /// Indexes the pages of some audiences, for a copy of the index that these may read. Nothing in
    /// it depends on other pages.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use svc_search::{Analysis, Document, Index, Weights};
    /// let page = |audience| Arc::new(Document { audience, ..Document::default() });
    /// let pages = [page(0), page(1), page(0)];
    /// let weights = Weights::default();
    /// let analyses: Vec<_> = pages.iter().map(|page| Analysis::new(page, &weights)).collect();
    /// let analyses: Vec<_> = analyses.iter().collect();
    /// let public = Index::for_audiences(&pages, &analyses, &weights, &[0]);
    /// assert_eq!(public.page_count(), 2);
    /// ```
    pub fn for_audiences(
        pages: &[Arc<Document>],
        analyses: &[&Analysis],
        weights: &Weights,
        audiences: &[u32],
    ) -> Self {
        let pairs = pages.iter().cloned().zip(analyses.iter().copied());
        let visible = pairs.filter(|(page, _)| audiences.contains(&page.audience));
        let (pages, analyses): (Vec<_>, Vec<_>) = visible.unzip();
        Self::from_analyses(pages, &analyses, weights)
    }

    /// Returns the index as files for [`SEARCH_SCRIPT`]. The same index has the same files.
    ///
    /// They contain the text of all pages. Use [`Index::for_audiences`] if not everybody may read
    /// everything.
    ///
    /// ```
    /// use svc_search::{Index, Weights};
    /// let shards = Index::new(Vec::new(), &Weights::default()).shards();
    /// assert!(shards.iter().any(|shard| shard.name == "meta"));
    /// ```
    pub fn shards(&self) -> Vec<Shard> {
        let ranges = Ranges::new(self);
        let mut out = Vec::new();
        let mut add = |kind: &str, number: usize, body: &[u8]| {
            out.push(Shard::new(kind, number, body));
        };
        for (number, terms) in ranges.terms.iter().enumerate() {
            add("terms", number, &terms::terms(self, terms.clone()));
        }
        for (number, similar) in ranges.similar.iter().enumerate() {
            add("similar", number, &terms::similar(self, &similar.terms));
        }
        for (number, stems) in ranges.stems.iter().enumerate() {
            add("stems", number, &terms::stems(self, stems.clone()));
        }
        let titles = terms::Titles::new(self);
        for (number, terms) in ranges.terms.iter().enumerate() {
            add("titles", number, &titles.bytes(terms.clone()));
        }
        for (number, terms) in ranges.postings.iter().enumerate() {
            add("postings", number, &terms::postings(self, terms.clone()));
        }
        for (number, terms) in ranges.positions.iter().enumerate() {
            add("positions", number, &terms::positions(self, terms.clone()));
        }
        for (number, sections) in ranges.texts.iter().enumerate() {
            add("texts", number, &texts::texts(self, sections.clone()));
        }
        let mut bytes = vec![0; VERSION_BYTES];
        bytes.append(&mut meta::meta(self, &ranges));
        let name = "meta".to_owned();
        out.push(Shard { name, bytes });
        let version = version(&out);
        for shard in &mut out {
            shard.bytes[..VERSION_BYTES].copy_from_slice(&version);
        }
        out
    }
}

/// The FNV-1a hash of all shards.
fn version(shards: &[Shard]) -> [u8; VERSION_BYTES] {
    let bytes = shards.iter().flat_map(|shard| &shard.bytes);
    let hash = bytes.fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    });
    hash.to_le_bytes()
}
