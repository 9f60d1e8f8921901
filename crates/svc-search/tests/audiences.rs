//! Readers learn nothing about pages of other audiences.

use svc_search::{Document, Index, Query, Section};

use crate::site::index;
use crate::static_search::corpus::{self, Random};
use crate::static_search::{queries, visible};

const QUERIES: usize = 1_000;
/// Audience of the hidden pages.
const HIDDEN: u32 = 1;
/// Tokens of hidden pages only. Some are typing errors, forms, parts and compounds of public ones.
const CANARIES: &[&str] = &[
    "zanzibar",
    "zanzibars",
    "quokkaphone",
    "webhoook",
    "tokeen",
    "configurator",
    "limitless",
    "ratelimit",
    "requestserver",
    "zyx.wvu_tsr",
    "xylophoneEffect",
    "--zap-canary",
    "秘密鍵",
    "Übergeheimnis",
];

/// A text of canaries and public tokens.
fn text(random: &mut Random) -> String {
    let token = |random: &mut Random| match random.below(3) {
        0 => random.of(CANARIES),
        _ => random.token(),
    };
    let tokens: Vec<&str> = (0..=random.below(12)).map(|_| token(random)).collect();
    tokens.join(" ")
}

fn hidden_page(number: usize) -> Document {
    let mut random = Random::new(number as u64 + 1_000);
    let section = |random: &mut Random| Section {
        id: text(random),
        headings: vec![text(random)],
        text: text(random),
        code: text(random),
        identifiers: vec![random.of(CANARIES).to_owned()],
    };
    Document {
        path: format!("/canary/{number}"),
        title: text(&mut random),
        keywords: vec![random.of(CANARIES).to_owned()],
        audience: HIDDEN,
        boost: 10.0,
        sections: (0..3).map(|_| section(&mut random)).collect(),
        ..Document::default()
    }
}

/// Public pages of two audiences, and the same with hidden pages between them. The sites are so small
/// that the index stores the positions of all terms, on which the order of results depends.
fn sites() -> (Vec<Document>, Vec<Document>) {
    let public = (0..28).map(|number| Document {
        audience: [0, 2][number % 2],
        language: None,
        ..corpus::page(number)
    });
    let public: Vec<Document> = public.collect();
    let pairs = public.iter().cloned().enumerate();
    let all = pairs.flat_map(|(number, page)| match number % 2 {
        0 => vec![page],
        _ => vec![hidden_page(number), page],
    });
    let all = all.collect();
    (public, all)
}

/// Tokens, beginnings, typing errors and phrases of a hidden page.
fn query(random: &mut Random, pages: &[Document]) -> String {
    let page = &pages[random.below(pages.len())];
    let section = &page.sections[random.below(page.sections.len())];
    let texts = [
        &page.title,
        &section.headings[0],
        &section.text,
        &section.code,
    ];
    let tokens: Vec<&str> = texts[random.below(4)].split(' ').collect();
    let first = random.below(tokens.len());
    let end = tokens.len().min(first + 1 + random.below(3));
    let mut tokens: Vec<String> = tokens[first..end].iter().map(|t| (*t).to_owned()).collect();
    let at = random.below(tokens.len());
    match random.below(6) {
        0 => tokens[at] = random.of(CANARIES).to_owned(),
        1 => tokens[at] = queries::error(random, &tokens[at]),
        2 => {
            let last = tokens.pop().unwrap();
            tokens.push(queries::beginning(random, &last));
        }
        3 => return format!("\"{}\"", tokens.join(" ")),
        4 => tokens.push(random.token().to_owned()),
        _ => tokens.push(String::new()),
    }
    tokens.join(" ")
}

/// Everything that a reader sees of the best results, and the paths and scores of all.
fn search(index: &Index, query: &Query<'_>) -> (String, Vec<String>) {
    let mut results = index.search(query);
    let hits = results.hits.iter();
    let hits = hits.map(|hit| format!("{} {}", index.page(hit.page).path, hit.score));
    let hits = hits.collect();
    results.hits.truncate(5);
    (visible(index, &results), hits)
}

#[test]
fn hidden_pages_leave_no_trace_in_results() {
    let (public, all) = sites();
    let hidden: Vec<Document> = all
        .iter()
        .filter(|p| p.audience == HIDDEN)
        .cloned()
        .collect();
    let (public, all) = (index(public), index(all));
    let mut random = Random::new(5);
    let (mut with_results, mut with_corrections) = (0, 0);
    for _ in 0..QUERIES {
        let text = query(&mut random, &hidden);
        let query = Query {
            audiences: Some(&[0, 2]),
            limit: 1_000,
            ..Query::new(&text)
        };
        // A reader of all pages finds hidden ones, so that there is something to hide.
        let hits = all.search(&Query::new(&text)).hits;
        let mut hits = hits.iter().map(|hit| all.page(hit.page).audience);
        with_results += usize::from(hits.any(|audience| audience == HIDDEN));
        let results = search(&all, &query);
        let (shown, hits) = &results;
        with_corrections += usize::from(!shown.lines().next().unwrap().ends_with("|none"));
        assert!(!hits.concat().contains("/canary/"), "{text:?}: {hits:?}");
        let (typed, shown) = (text.to_lowercase(), shown.to_lowercase());
        for canary in CANARIES.iter().map(|canary| canary.to_lowercase()) {
            // A correction repeats what the reader typed.
            let is_shown = shown.contains(&canary) && !typed.contains(&canary);
            assert!(!is_shown, "{text:?}: {canary} in {shown}");
        }
        assert_eq!(results, search(&public, &query), "{text:?}");
    }
    assert!(with_results > QUERIES / 2, "{with_results}");
    assert!(with_corrections > QUERIES / 20, "{with_corrections}");
}
