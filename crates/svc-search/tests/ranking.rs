//! What is found, and in which order.

use svc_search::{Document, Query};

use crate::site::{find, index, pages, paths};

const SITE: &str = "
/limits | Rate limits
Requests are limited to 100 a second for each API key.
## Errors
A request over the limit has the status 429.
/errors | Errors
An error contains a message. The status 429 means that a rate limit is exceeded.
/vacuum | Routine maintenance
The autovacuum daemon removes dead rows. Set index.number_of_replicas and useEffect.
## Command line
> --dry-run
Nothing is removed with this option.
/languages | Languages
Supported are C#, C++ and ES|QL.
";

#[test]
fn titles_come_before_text() {
    let index = index(pages(SITE));
    assert_eq!(find(&index, "rate limits"), ["/limits", "/errors"]);
    assert_eq!(find(&index, "errors")[0], "/errors");
}

#[test]
fn a_heading_is_the_section_that_is_found() {
    let index = index(pages(SITE));
    assert_eq!(find(&index, "request over limit")[0], "/limits#errors");
}

#[test]
fn the_last_word_may_be_incomplete() {
    let index = index(pages(SITE));
    assert_eq!(find(&index, "maint"), ["/vacuum"]);
    assert!(find(&index, "maint ").is_empty());
}

#[test]
fn typing_errors_are_corrected_and_reported() {
    let index = index(pages(SITE));
    let results = index.search(&Query::new("Supproted langauges"));
    assert_eq!(paths(&index, &results), ["/languages"]);
    assert_eq!(results.correction.as_deref(), Some("supported languages"));
    assert_eq!(index.search(&Query::new("languages")).correction, None);
}

#[test]
fn pages_with_some_of_the_words_are_found_unless_many_have_all() {
    let mut site = pages("/common | Limits\nOne\n/rare | Rates\nTwo\n");
    let both = |number| pages(&format!("/both/{number} | Rates\nThe limits."));
    site.extend((0..29).flat_map(both));
    assert_eq!(
        index(site.clone())
            .search(&Query::new("rates limits "))
            .total,
        31
    );
    site.extend(both(29));
    let results = index(site).search(&Query::new("rates limits "));
    assert_eq!(results.total, 30);
    assert!(results.hits.iter().all(|hit| hit.coverage == 1.0));
}

#[test]
fn a_word_that_is_repeated_counts_once() {
    let index = index(pages(SITE));
    let results = |text| index.search(&Query::new(text));
    assert_eq!(results("rate rate limits rate "), results("rate limits "));
    let correction = results("lagnuages and lagnuages ").correction;
    assert_eq!(correction.as_deref(), Some("languages and languages "));
}

#[test]
fn forms_of_a_word_are_found() {
    let index = index(pages(SITE));
    assert_eq!(find(&index, "language supporting ")[0], "/languages");
    assert_eq!(find(&index, "removal ")[0], "/vacuum#command-line");
}

#[test]
fn identifiers_are_found_whole_and_by_their_parts() {
    let index = index(pages(SITE));
    for query in [
        "index.number_of_replicas",
        "number_of_replicas",
        "number replicas",
        "useEffect",
        "use effect",
        "auto vacuum",
        "auto-vacuum",
        "daemon rows",
    ] {
        assert_eq!(find(&index, query), ["/vacuum"], "{query}");
    }
    assert_eq!(find(&index, "--dry-run"), ["/vacuum#command-line"]);
    for query in ["c#", "C++", "es|ql"] {
        assert_eq!(find(&index, query)[0], "/languages", "{query}");
    }
}

#[test]
fn words_in_quotes_follow_each_other() {
    let index = index(pages(SITE));
    assert_eq!(find(&index, "\"rate limit is\""), ["/errors"]);
    assert!(find(&index, "\"limit rate\"").is_empty());
    assert_eq!(find(&index, "\"dead rows\" daemon"), ["/vacuum"]);
}

#[test]
fn unknown_compounds_are_split() {
    let source = "
/a | Sicherung
Die Wiederherstellung der Datenbank dauert eine Minute.
/b | Anderes
Eine Datenbank.
";
    assert_eq!(
        find(&index(pages(source)), "Datenbankwiederherstellung")[0],
        "/a"
    );
}

#[test]
fn pairs_of_letters_of_unspaced_scripts_match() {
    let source = "
/a | 設定
APIキーの設定を変更します。
/b | 通知
メールで通知を送ります。
";
    let index = index(pages(source));
    assert_eq!(find(&index, "キーの設定"), ["/a"]);
    assert_eq!(find(&index, "通"), ["/b"]);
}

#[test]
fn filters_restrict_pages() {
    let facets = |pairs: &[(&str, &str)]| {
        let pairs = pairs
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        pairs.collect::<Vec<_>>()
    };
    let mut site = pages("/a | Token\n/b | Token\n/c | Token");
    site[0].facets = facets(&[("version", "v1")]);
    site[1].facets = facets(&[("version", "v2"), ("tag", "x"), ("tag", "y")]);
    let index = index(site);
    let find = |filters: &[(&str, &str)]| {
        let query = Query {
            filters,
            ..Query::new("token")
        };
        paths(&index, &index.search(&query))
    };
    assert_eq!(find(&[]), ["/a", "/b", "/c"]);
    assert_eq!(find(&[("version", "v2")]), ["/b"]);
    assert_eq!(find(&[("version", "v2"), ("version", "v1")]), ["/a", "/b"]);
    assert_eq!(find(&[("version", "v2"), ("tag", "y")]), ["/b"]);
    assert!(find(&[("version", "v1"), ("tag", "y")]).is_empty());
}

#[test]
fn boost_and_keywords_decide_between_equal_pages() {
    let mut site = pages("/a | Token\n/b | Token\n/c | Other");
    site[1].boost = 2.0;
    site[2].keywords = vec!["secret".to_owned()];
    let index = index(site);
    assert_eq!(find(&index, "token"), ["/b", "/a"]);
    assert_eq!(find(&index, "secret"), ["/c"]);
}

#[test]
fn pages_of_results_do_not_overlap() {
    let source: String = (0..250)
        .map(|i| format!("/p{i} | Page {i}\nA token.\n"))
        .collect();
    let index = index(pages(&source));
    let all = index.search(&Query {
        limit: 1000,
        ..Query::new("token")
    });
    assert_eq!((all.total, all.hits.len()), (250, 250));
    let mut joined = Vec::new();
    for offset in (0..300).step_by(30) {
        let results = index.search(&Query {
            limit: 30,
            offset,
            ..Query::new("token")
        });
        assert_eq!(results.total, 250);
        joined.extend(results.hits);
    }
    assert_eq!(joined, all.hits);
}

#[test]
fn empty_queries_and_sites_find_nothing() {
    assert!(find(&index(Vec::new()), "token").is_empty());
    let index = index(vec![Document::default()]);
    for query in ["", "  ", "\"\"", "?!", "token"] {
        assert!(find(&index, query).is_empty(), "{query}");
    }
}
