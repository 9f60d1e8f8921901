//! tantivy in memory: BM25 over four fields with a stemmer, one document for each page.
//!
//! Its query parser searches all fields and needs one of the terms. It corrects no typing errors
//! and completes no terms. Chinese, Japanese and Korean letters are indexed as pairs, as it has no
//! tokenizer for them.

use std::io;
use std::time::Instant;

use svc_search::Document;
use tantivy::collector::TopDocs;
use tantivy::directory::RamDirectory;
use tantivy::query::QueryParser;
use tantivy::schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{
    Language, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer, TextAnalyzer,
    TokenizerManager,
};
use tantivy::{DocAddress, Index, IndexSettings, Searcher, TantivyDocument, TantivyError};

use super::{Response, SearchIndex};
use crate::figures::MAX_RESULTS;
use crate::set::Set;

/// Fields with their factors. On the entries for tuning and on the sites, larger factors of titles
/// and headings make the results worse.
const FIELDS: &[(&str, f32)] = &[
    ("title", 2.0),
    ("headings", 1.0),
    ("text", 1.0),
    ("code", 1.0),
];
/// Field with the number of the page.
const PAGE_NUMBER: &str = "page";
const TOKENIZER: &str = "stems";
/// Terms that are longer are not indexed, as in the default tokenizer.
const MAX_TERM_BYTES: usize = 40;
const MEMORY_BUDGET: usize = 1 << 30;

pub(super) struct TantivyIndex {
    searcher: Searcher,
    parser: QueryParser,
    bytes: usize,
}

impl TantivyIndex {
    pub(super) fn new(set: &Set) -> io::Result<Self> {
        Self::build(set).map_err(io::Error::other)
    }

    fn build(set: &Set) -> Result<Self, TantivyError> {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(TOKENIZER)
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let options = TextOptions::default().set_indexing_options(indexing);
        let mut schema = Schema::builder();
        let names = FIELDS.iter().map(|field| field.0);
        let fields = names.map(|name| schema.add_text_field(name, options.clone()));
        let fields: Vec<Field> = fields.collect();
        let tokenizers = TokenizerManager::default();
        tokenizers.register(TOKENIZER, analyzer(&set.language));
        let directory = RamDirectory::create();
        let page_number = schema.add_u64_field(PAGE_NUMBER, FAST);
        let settings = IndexSettings::default();
        let mut index = Index::create(directory.clone(), schema.build(), settings)?;
        index.set_tokenizers(tokenizers);
        // One thread, as all engines that run in this program.
        let mut writer = index.writer_with_num_threads(1, MEMORY_BUDGET)?;
        for (number, page) in (0..).zip(&set.pages) {
            let mut document = TantivyDocument::new();
            document.add_u64(page_number, number);
            for (&field, text) in fields.iter().zip(texts(page)) {
                document.add_text(field, with_pairs(&text));
            }
            writer.add_document(document)?;
        }
        writer.commit()?;
        writer.wait_merging_threads()?;
        let mut parser = QueryParser::for_index(&index, fields.clone());
        for (&field, &(_, boost)) in fields.iter().zip(FIELDS) {
            parser.set_field_boost(field, boost);
        }
        Ok(Self {
            searcher: index.reader()?.searcher(),
            parser,
            bytes: directory.total_mem_usage(),
        })
    }

    fn response(&self, text: &str) -> Result<Response, TantivyError> {
        let start = Instant::now();
        let (query, _) = self.parser.parse_query_lenient(&plain(&with_pairs(text)));
        let results = TopDocs::with_limit(MAX_RESULTS).order_by_score();
        let results = self.searcher.search(&query, &results)?;
        let time = start.elapsed();
        let pages = results.iter().map(|result| self.page_number(result.1));
        Ok(Response {
            pages: pages.collect::<Result<_, _>>()?,
            time,
        })
    }

    fn page_number(&self, result: DocAddress) -> Result<usize, TantivyError> {
        let segment = self.searcher.segment_reader(result.segment_ord);
        let number = segment.fast_fields().u64(PAGE_NUMBER)?.first(result.doc_id);
        Ok(number
            .and_then(|number| usize::try_from(number).ok())
            .unwrap_or(usize::MAX))
    }
}

impl SearchIndex for TantivyIndex {
    fn search(&self, queries: &[&str]) -> io::Result<Vec<Response>> {
        let responses = queries.iter().map(|text| self.response(text));
        responses
            .collect::<Result<_, _>>()
            .map_err(io::Error::other)
    }

    fn bytes(&self) -> u64 {
        self.bytes as u64
    }
}

fn analyzer(language: &str) -> TextAnalyzer {
    let analyzer = TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(MAX_TERM_BYTES))
        .filter(LowerCaser);
    match language {
        "en" => analyzer.filter(Stemmer::new(Language::English)).build(),
        "de" => analyzer.filter(Stemmer::new(Language::German)).build(),
        _ => analyzer.build(),
    }
}

/// Returns the texts of [`FIELDS`].
fn texts(page: &Document) -> [String; 4] {
    let sections = page.sections.iter();
    let headings = sections
        .clone()
        .filter_map(|section| section.headings.last());
    let headings = headings.chain(&page.keywords).cloned();
    let texts = sections.clone().map(|section| section.text.clone());
    let code = sections.clone().map(|section| section.code.clone());
    let code = code.chain(sections.flat_map(|section| section.identifiers.clone()));
    [
        page.title.clone(),
        headings.collect::<Vec<_>>().join("\n"),
        texts.collect::<Vec<_>>().join("\n"),
        code.collect::<Vec<_>>().join("\n"),
    ]
}

/// Returns a query without the operators of the parser.
fn plain(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    text.to_lowercase().replace(|letter| !is_plain(letter), " ")
}

/// Returns a text with each pair of adjacent Chinese, Japanese or Korean letters as a term.
fn with_pairs(text: &str) -> String {
    let is_pairable = |letter: char| matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}');
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut is_inside = false;
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied().filter(|next| is_pairable(*next));
        match (is_pairable(letter), next) {
            (true, Some(next)) => out.extend([' ', letter, next]),
            // The last letter is a part of the pair before, unless it is alone.
            (true, None) if is_inside => out.push(' '),
            (true, None) => out.extend([' ', letter, ' ']),
            (false, _) => out.push(letter),
        }
        is_inside = is_pairable(letter);
    }
    out
}
