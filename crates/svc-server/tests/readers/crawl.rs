//! A crawler that requests everything that a reader can get, and what it must find.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::json;

use super::rig::{Endpoint, OPERATIONS, PAGES, PARTS, mark};

/// Maximum number of addresses that the crawler of a role requests.
const MAX_REQUESTS: usize = 2_000;

/// Addresses that every site has, and those that readers may guess.
pub(crate) fn known_urls() -> Vec<String> {
    let fixed = [
        "/",
        "/llms.txt",
        "/llms-full.txt",
        "/sitemap.xml",
        "/robots.txt",
        "/rss.xml",
        "/skill.md",
        "/api-specs.zip",
        "/api.yaml",
        "/docs.json",
        "/search?q=canary",
        "/_svc/search?q=canary",
        "/_svc/search?q=Zq",
        "/_svc/search?q=Zqadminonlycanar",
        "/old-admin",
        "/missing",
        "/admin",
        "/.well-known/mcp",
        "/.well-known/mcp.json",
        "/.well-known/api-catalog",
        "/.well-known/agent-skills/index.json",
        "/mcp",
        "/_svc/reader",
        "/_svc/sign-in",
        "/api/api.md",
        "/_svc/health",
    ];
    let mut all: Vec<String> = fixed.map(str::to_owned).into();
    for (name, _) in PAGES {
        for form in [
            format!("/{name}"),
            format!("/{name}.md"),
            format!("/{name}/rss.xml"),
        ] {
            all.push(form);
        }
        all.push(format!("/{}.svg", mark(name)));
    }
    for (name, _) in OPERATIONS {
        let slug = format!("api-reference/summary-{}", mark(name).to_lowercase());
        all.push(format!("/{slug}"));
        all.push(format!("/{slug}.md"));
        all.push(format!("/_svc/api/{slug}/call.json"));
    }
    all
}

/// Addresses of the site at a host in a text.
pub(crate) fn urls_in(text: &str, host: &str) -> BTreeSet<String> {
    let origins = ["http", "https"].map(|scheme| format!("{scheme}://{host}"));
    let mut out = BTreeSet::new();
    let ends = |c: char| "\"'()<>[] \n\t`,;".contains(c);
    for part in text.split(ends) {
        let mut own = origins
            .iter()
            .filter_map(|origin| part.strip_prefix(origin));
        let part = own.next().unwrap_or(part);
        let path = part.split('#').next().unwrap_or(part).replace("&amp;", "&");
        let is_plain = path
            .bytes()
            .all(|b| b.is_ascii_graphic() && !b"\\^`{|}*$".contains(&b));
        if is_plain
            && path.starts_with('/')
            && !path.starts_with("//")
            && !path.starts_with("/_svc/assets/")
        {
            out.insert(path);
        }
    }
    out
}

/// What a reader gets.
#[derive(Default)]
pub(crate) struct Crawl {
    pub(crate) requests: usize,
    /// All marks in lower case, with the text around the first.
    marks: BTreeMap<String, String>,
}

impl Crawl {
    /// Adds the marks of a text, except for those that are in `known`.
    pub(crate) fn add(&mut self, text: &str, known: &str) {
        let (text, known) = (text.to_lowercase(), known.to_lowercase());
        for (at, _) in text.match_indices("zq") {
            let rest = text.get(at..).unwrap_or_default();
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric());
            let word = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
            let mark = word.find("canary").map(|end| &word[..end + 6]);
            if let Some(mark) = mark.filter(|mark| !known.contains(mark)) {
                let around = text.floor_char_boundary(at.saturating_sub(200))
                    ..text.ceil_char_boundary((at + 100).min(text.len()));
                let around = || text[around].to_owned();
                self.marks.entry(mark.to_owned()).or_insert_with(around);
            }
        }
    }

    /// Checks that a mark was seen by readers who may see it, and by no others.
    pub(crate) fn check(&self, mark: &str, may_see: bool) {
        let around = self.marks.get(&mark.to_lowercase());
        assert_eq!(around.is_some(), may_see, "{mark}: {around:?}");
    }
}

/// Whether readers with groups who have signed in or not may see what is for a group.
pub(crate) fn may_see(group: &str, groups: &[&str], is_signed_in: bool) -> bool {
    match group {
        "-" => true,
        "" => is_signed_in,
        group => groups.contains(&group),
    }
}

/// Requests everything that a reader can get, and `more` addresses, and passes each response to
/// `each`.
pub(crate) fn crawl(
    server: &Endpoint,
    headers: &str,
    more: &[String],
    each: &mut dyn FnMut(&str),
) -> Crawl {
    let mut queue: VecDeque<String> = known_urls().into();
    queue.extend(more.iter().cloned());
    let mut seen: BTreeSet<String> = queue.iter().cloned().collect();
    let mut result = Crawl::default();
    while let Some(path) = queue.pop_front() {
        result.requests += 1;
        if result.requests > MAX_REQUESTS {
            break;
        }
        let response = server.get(&path, headers);
        assert!(response.status < 500, "{path}: {}", response.head);
        for link in urls_in(&response.body, &server.host) {
            if seen.insert(link.clone()) {
                queue.push_back(link);
            }
        }
        // What was requested is no news.
        let known = if response.status == 404 { &path } else { "" };
        for text in [&response.head, &response.body] {
            result.add(text, known);
            each(text);
        }
    }
    for (tool, arguments) in [
        ("search", json!({"query": "canary", "limit": 20})),
        (
            "search",
            json!({"query": "Heading Title About", "limit": 20}),
        ),
        ("list", json!({})),
        ("grep", json!({"pattern": "Zq[a-z0-9]+canary"})),
        (
            "read",
            json!({"paths": ["/admin-only", "/staff-only", "/members", "/hidden-admin"]}),
        ),
        ("api", json!({"method": "GET", "path": "/wipe"})),
        ("api", json!({"method": "GET", "path": "/report"})),
    ] {
        let response = server.call(tool, &arguments, headers);
        result.requests += 1;
        result.add(&response.body, "");
        each(&response.body);
    }
    result
}

pub(crate) fn check(server: &Endpoint, headers: &str, groups: &[&str], is_signed_in: bool) {
    let crawl = crawl(server, headers, &[], &mut |_| {});
    check_marks(&crawl, groups, is_signed_in);
}

/// Checks that a reader got what readers with these groups may see, and nothing else.
pub(crate) fn check_marks(crawl: &Crawl, groups: &[&str], is_signed_in: bool) {
    for (name, group) in PAGES.iter().chain(&OPERATIONS).chain(&PARTS) {
        crawl.check(&mark(name), may_see(group, groups, is_signed_in));
    }
}
