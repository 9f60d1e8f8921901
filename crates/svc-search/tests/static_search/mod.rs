//! The script of static sites finds the same as the index.

pub(crate) mod corpus;
mod engine;
pub(crate) mod queries;

use std::sync::Arc;

use svc_search::{Analysis, Document, Index, Query, Results, Section, Shard, Snippet, Weights};

use self::engine::{Request, with_engine};

/// Everything that a reader sees of results, in the form in which the test script returns it.
pub(crate) fn visible(index: &Index, results: &Results) -> String {
    let mut out = format!(
        "{}|{}",
        results.total,
        results.correction.as_deref().unwrap_or("none")
    );
    for hit in &results.hits {
        let page = index.page(hit.page);
        let title = marked(&results.mark(&page.title));
        out.push_str(&format!("\n{} {title}", page.path));
        for &section in &hit.sections {
            let section = &page.sections[section as usize];
            let snippet = marked(&results.snippet(section, 160));
            let headings = section.headings.join("/");
            out.push_str(&format!("\n  {} {headings} {snippet}", section.id));
        }
    }
    out
}

/// A text and its marks in UTF-16 units.
fn marked(snippet: &Snippet) -> String {
    let offset = |at: usize| snippet.text[..at].encode_utf16().count().to_string();
    let marks = snippet.marks.iter();
    let marks: Vec<String> = marks
        .flat_map(|mark| [offset(mark.start), offset(mark.end)])
        .collect();
    format!("[{}] {}", snippet.text, marks.join(","))
}

fn search(index: &Index, request: &Request) -> String {
    let filters = request.filters.iter();
    let filters: Vec<(&str, &str)> = filters.map(|(k, v)| (k.as_str(), v.as_str())).collect();
    let text = String::from_utf16_lossy(&request.text);
    let query = Query {
        limit: request.limit,
        offset: request.offset,
        filters: &filters,
        ..Query::new(&text)
    };
    visible(index, &index.search(&query))
}

fn compare(index: &Index, requests: &[Request]) {
    with_engine(&index.shards(), |engine| {
        engine.open().unwrap();
        for request in requests {
            let text = String::from_utf16_lossy(&request.text);
            let found = engine.search(request).unwrap();
            assert_eq!(found, search(index, request), "{text:?} {request:?}");
        }
    });
}

#[test]
fn the_script_has_the_results_of_the_index() {
    let index = corpus::index();
    compare(&index, &queries::requests(1_000));
}

#[test]
fn hostile_queries_have_the_results_of_the_index() {
    compare(&corpus::index(), &queries::hostile());
}

#[test]
fn sites_without_pages_and_sections_can_be_searched() {
    let page = Document {
        title: "Token".into(),
        ..Document::default()
    };
    for pages in [Vec::new(), vec![Arc::new(page)]] {
        compare(
            &Index::new(pages, &Weights::default()),
            &[Request::new("token"), Request::new("\"a token\" x")],
        );
    }
}

#[test]
fn the_same_index_has_the_same_shards() {
    let shards = corpus::index().shards();
    assert_eq!(shards, corpus::index().shards());
    let mut names: Vec<&str> = shards.iter().map(|shard| shard.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), shards.len());
}

#[test]
fn pages_of_other_audiences_leave_no_byte() {
    let weights = Weights::default();
    let mut pages: Vec<Document> = (0..50).map(corpus::page).collect();
    let public: Vec<Arc<Document>> = pages.iter().cloned().map(Arc::new).collect();
    for number in 0..30 {
        let section = Section {
            text: "Confidential zyxwvut token.".into(),
            ..Section::default()
        };
        let facets = vec![("team".to_owned(), "zyxwvut".to_owned())];
        let hidden = Document {
            path: format!("/zyxwvut/{number}"),
            title: "Zyxwvut".into(),
            audience: 1,
            facets,
            sections: [section].into(),
            ..Document::default()
        };
        pages.insert(number * 2, hidden);
    }
    let pages: Vec<Arc<Document>> = pages.into_iter().map(Arc::new).collect();
    let analyses = pages.iter().map(|page| Analysis::new(page, &weights));
    let analyses: Vec<Analysis> = analyses.collect();
    let analyses: Vec<&Analysis> = analyses.iter().collect();
    let shards = Index::for_audiences(&pages, &analyses, &weights, &[0]).shards();
    assert_eq!(shards, Index::new(public, &weights).shards());
    let hides = |shard: &Shard| {
        !shard
            .bytes
            .windows(6)
            .any(|bytes| bytes.eq_ignore_ascii_case(b"zyxwvu"))
    };
    assert!(shards.iter().all(hides));
}

#[test]
fn facets_are_listed() {
    with_engine(&corpus::index().shards(), |engine| {
        engine.open().unwrap();
        assert_eq!(engine.facets(), "tag: api guide ユーザー|version: v1 v2 v3");
    });
}

#[test]
fn concurrent_searches_load_each_shard_once() {
    with_engine(&corpus::index().shards(), |engine| {
        engine.open().unwrap();
        let requests = queries::requests(20);
        let alone: Vec<String> = requests
            .iter()
            .map(|r| search(&corpus::index(), r))
            .collect();
        assert_eq!(engine.search_all(&requests).unwrap(), alone);
        let mut loads = engine.loads();
        loads.sort_unstable();
        let count = loads.len();
        loads.dedup();
        assert_eq!(loads.len(), count);
    });
}

#[test]
fn a_search_loads_few_shards() {
    let shards = corpus::index().shards();
    with_engine(&shards, |engine| {
        engine.open().unwrap();
        assert_eq!(engine.loads(), ["meta"]);
        engine.search(&Request::new("webhook ")).unwrap();
        let loads = engine.loads();
        assert!(
            !loads.iter().any(|name| name.starts_with("similar")),
            "{loads:?}"
        );
        assert!(loads.len() < shards.len() / 3, "{loads:?}");
        engine.search(&Request::new("webhook ")).unwrap();
        assert_eq!(engine.loads(), loads);
    });
}

#[test]
fn a_search_fails_while_a_shard_is_missing() {
    let index = corpus::index();
    let shards = index.shards();
    let request = Request::new("webhook limti");
    for kind in [
        "meta",
        "terms",
        "similar",
        "titles",
        "postings",
        "positions",
        "texts",
    ] {
        with_engine(&shards, |engine| {
            engine.block(kind);
            let opened = engine.open();
            assert_eq!(opened.is_err(), kind == "meta");
            if opened.is_ok() {
                assert!(engine.search(&request).is_err(), "{kind}");
            }
            engine.block("none");
            engine.open().unwrap();
            assert_eq!(engine.search(&request).unwrap(), search(&index, &request));
        });
    }
}

#[test]
fn truncated_shards_are_rejected() {
    let shards = corpus::index().shards();
    let requests = [
        Request::new("webhook limti"),
        Request::new("\"rate limit\" confi"),
    ];
    for share in [0.0, 0.3, 0.7, 0.99] {
        for kind in [
            "meta",
            "terms",
            "similar",
            "titles",
            "postings",
            "positions",
            "texts",
        ] {
            let mut shards = shards.clone();
            for shard in shards
                .iter_mut()
                .filter(|shard| shard.name.starts_with(kind))
            {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    clippy::cast_precision_loss,
                    reason = "small"
                )]
                let length = (shard.bytes.len() as f64 * share) as usize;
                shard.bytes.truncate(length);
            }
            with_engine(&shards, |engine| {
                let results = engine.open().and_then(|()| engine.search_all(&requests));
                assert!(results.is_err(), "{kind} {share}");
            });
        }
    }
}

#[test]
fn shards_of_another_version_are_rejected() {
    let mut shards = corpus::index().shards();
    for shard in shards.iter_mut().filter(|shard| shard.name != "meta") {
        shard.bytes[0] ^= 1;
    }
    with_engine(&shards, |engine| {
        engine.open().unwrap();
        let error = engine.search(&Request::new("webhook")).unwrap_err();
        assert!(error.contains("another version"), "{error}");
    });
}
