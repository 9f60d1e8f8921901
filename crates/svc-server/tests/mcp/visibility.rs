//! Which pages each tool shows: one test for each cell of the matrix.

use serde_json::json;

use super::rig::{TestSite, serve};

/// Pages of a visibility, and whether they are found by search, listed, and read by their path.
const MATRIX: [(&str, bool, bool, bool); 9] = [
    ("listed", true, true, true),
    ("unsearchable", false, true, true),
    ("noindex", false, false, true),
    ("hidden", false, false, true),
    ("inside", false, false, true),
    ("shown", true, true, true),
    ("orphan", false, false, true),
    ("secret", false, false, false),
    ("staff", false, false, false),
];

fn check(
    shows: impl Fn(&TestSite, &str) -> bool,
    column: impl Fn(&(&str, bool, bool, bool)) -> bool,
) {
    let site = serve("");
    for row in &MATRIX {
        assert_eq!(shows(&site, row.0), column(row), "{}", row.0);
    }
}

#[test]
fn search_finds_the_pages_of_the_index() {
    let shows = |site: &TestSite, page: &str| {
        let query = json!({"query": "needle", "limit": 20});
        site.text("search", query)
            .0
            .contains(&format!("\n[/{page} · "))
    };
    check(shows, |row| row.1);
}

#[test]
fn list_shows_the_listed_pages() {
    let shows = |site: &TestSite, page: &str| {
        let all = site.text("list", json!({})).0;
        let one = site.text("list", json!({"path": format!("/{page}")}));
        let found = all.contains(&format!(" /{page} ("));
        assert_eq!(!one.1, found, "{}", one.0);
        found
    };
    check(shows, |row| row.2);
}

#[test]
fn grep_searches_the_listed_pages() {
    let shows = |site: &TestSite, page: &str| {
        let text = site.text("grep", json!({"pattern": "needle"})).0;
        let after = site.text(
            "grep",
            json!({"pattern": "needle", "after": format!("/{page}")}),
        );
        let found = text.contains(&format!("/{page}:"));
        assert_eq!(!after.1, found, "{}", after.0);
        found
    };
    check(shows, |row| row.2);
}

#[test]
fn resources_are_the_listed_pages() {
    let shows = |site: &TestSite, page: &str| {
        let (_, body) = site.modern("resources/list", json!({}));
        let uri = format!("docs:///{page}");
        let resources = body["result"]["resources"].as_array().unwrap();
        resources.iter().any(|resource| resource["uri"] == *uri)
    };
    check(shows, |row| row.2);
}

#[test]
fn read_gives_the_pages_that_the_site_serves() {
    let shows = |site: &TestSite, page: &str| {
        let (text, refused) = site.text("read", json!({"path": format!("/{page}")}));
        assert_eq!(text.contains("needle"), !refused, "{text}");
        !refused
    };
    check(shows, |row| row.3);
}

#[test]
fn resources_read_gives_the_pages_that_the_site_serves() {
    let shows = |site: &TestSite, page: &str| {
        let uri = format!("docs:///{page}");
        let (_, body) = site.modern("resources/read", json!({"uri": uri}));
        body["result"]["contents"].is_array()
    };
    check(shows, |row| row.3);
}

#[test]
fn a_protected_page_looks_like_one_that_does_not_exist() {
    let site = serve("");
    for page in ["secret", "staff"] {
        let same = |tool: &str, key: &str, path: &str| {
            let mut arguments = json!({"pattern": "needle"});
            arguments[key] = json!(path);
            if tool != "grep" {
                arguments.as_object_mut().unwrap().remove("pattern");
            }
            let (text, refused) = site.text(tool, arguments);
            assert!(refused, "{text}");
            text.replace(path, "PATH")
        };
        for (tool, key) in [("read", "path"), ("list", "path"), ("grep", "after")] {
            let forbidden = same(tool, key, &format!("/{page}"));
            let missing = same(tool, key, "/qqqqqqqq");
            assert_eq!(forbidden, missing);
        }
        let uri = |name: &str| {
            let uri = format!("docs:///{name}");
            let (status, body) = site.modern("resources/read", json!({"uri": uri}));
            (status, body.to_string().replace(&uri, "URI"))
        };
        assert_eq!(uri(page), uri("qqqqqqqq"));
    }
}
