//! Full-text search for documentation.
//!
//! The crate indexes pages in memory and answers queries while a reader types. It reads no files,
//! starts no threads and knows nothing about HTML.
//!
//! ```
//! use std::sync::Arc;
//! use svc_search::{Document, Index, Query, Section, Weights};
//!
//! let page = Document {
//!     path: "/webhooks".into(),
//!     title: "Webhooks".into(),
//!     sections: [
//!         Section { text: "A webhook is called for each event.".into(), ..Section::default() },
//!         Section {
//!             id: "signatures".into(),
//!             headings: vec!["Signatures".into()],
//!             text: "Verify the header before you read the body.".into(),
//!             code: "webhook.verify(body, secret)".into(),
//!             ..Section::default()
//!         },
//!     ].into(),
//!     ..Document::default()
//! };
//! let index = Index::new(vec![Arc::new(page)], &Weights::default());
//! let results = index.search(&Query::new("verify webook"));
//! let hit = &results.hits[0];
//! let page = index.page(hit.page);
//! assert_eq!((page.path.as_str(), page.sections[hit.sections[0] as usize].id.as_str()),
//!     ("/webhooks", "signatures"));
//! assert_eq!(results.correction.as_deref(), Some("verify webhook"));
//! ```
//!
//! # What is found
//!
//! | query | also finds |
//! |---|---|
//! | `configuring` | other forms: "configure", "configuration" |
//! | `config` | words that begin with the last word, until a space follows |
//! | `enviroment` | one typing error from four letters, two from eight |
//! | `index.number_of_replicas` | the same name, then its words |
//! | `use effect` | "useEffect" and the reverse |
//! | `auto vacuum` | "autovacuum" and the reverse |
//! | `größe`, `GROSSE` | the same word without diacritics and in capital letters |
//! | `SSO` | "single sign-on", with [`Synonyms`] such as [`ENGLISH_SYNONYMS`] |
//! | `"rate limit"` | only these words in this order |
//!
//! Chinese, Japanese, Korean, Thai and similar scripts are indexed as pairs of letters. Forms of
//! words are known in 18 languages.
//!
//! # Ranking
//!
//! The unit is the section; the results are pages with their best sections. A word counts more the
//! rarer it is, in titles and headings more than in text, and more occurrences count less and less
//! (BM25F). Pages with all words of the query come before the others, which are not even found if
//! 30 pages have almost all words, by their importance. Among the best pages, those
//! whose title is the query and those that contain its words one after the other win.
//! [`Document::boost`] multiplies the score. [`Weights`] has all constants.
//!
//! # Who may see what
//!
//! [`Query::audiences`] is part of the query: the results are those of an index without the pages of
//! other audiences, but for the order of tokens that are in a fifth of all sections.
//!
//! # Changes
//!
//! [`Analysis`] is the expensive half of indexing, and depends on one page only. Cache it for
//! unchanged pages and call [`Index::from_analyses`].
//!
//! # Static sites
//!
//! [`Index::shards`] returns the index as files for a site without a server, and [`SEARCH_SCRIPT`]
//! searches them in a browser, with the same results in the same order. A search loads only the
//! files that it needs: those with its words, and the texts of its results. Only a word that no page
//! contains needs all terms of similar length, and a rare word those that are frequent. The modules of this crate use only what
//! JavaScript computes in the same way: arithmetic with the four basic operations on `f64`, Unicode
//! properties and normalization, and stems and synonyms that are part of the index. A change of
//! the search is made in both, and tests compare them.
//!
//! # Limits
//!
//! A query is cut after [`MAX_QUERY_BYTES`]. Terms of more than 40 characters are not indexed.

mod analysis;
mod dictionary;
mod document;
mod edit_table;
mod english;
mod expand;
mod fold;
mod index;
mod letters;
mod logarithm;
mod phrase;
mod postings;
mod quality;
mod query;
mod rank;
mod results;
mod score;
mod sections;
mod shards;
mod snippet;
mod stems;
mod stopwords;
mod synonyms;
mod terms;
mod visibility;
mod vocabulary;
mod weights;

pub use analysis::Analysis;
pub use document::{Document, Section};
pub use english::ENGLISH_SYNONYMS;
pub use index::Index;
pub use quality::Quality;
pub use query::{MAX_QUERY_BYTES, Query};
pub use results::{Hit, Results, SectionHit, SectionResults, TextMatch};
pub use shards::{SEARCH_SCRIPT, Shard};
pub use snippet::Snippet;
pub use stopwords::is_stopword;
pub use synonyms::Synonyms;
pub use weights::Weights;
