//! Pages that are hidden in one way or another, on every surface that machines read: one assertion
//! for each setting and surface, over a server and over an export.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;

use svc_tests::http::Client;
use svc_tests::loaded_site::LoadedSite;
use svc_tests::server;

type TestResult = Result<(), Box<dyn std::error::Error>>;

/// The surfaces, in the order of the flags in [`ROWS`].
const COLUMNS: [&str; 18] = [
    "sidebar of other pages",
    "pager of other pages",
    "structured data of other pages",
    "search as JSON",
    "search page",
    "sitemap.xml",
    "llms.txt",
    "llms-full.txt",
    "sections of llms.txt",
    "skills",
    "page by path",
    "page without `noindex`",
    "structured data of the page",
    "Markdown by path",
    "feed by path",
    "API catalog",
    "api-specs.zip",
    "similar pages of a missing path",
];
/// Surfaces that only a server has.
const SERVER_ONLY: [&str; 2] = ["search page", "similar pages of a missing path"];

/// A site with the page `/subject`.
struct Row {
    setting: &'static str,
    front_matter: &'static str,
    /// `navigation` of `docs.json`.
    navigation: &'static str,
    seo: &'static str,
    /// Whether the page appears in each column.
    expected: &'static str,
}

const LISTED: &str = r#"{"groups": [{"group": "Guides", "pages": ["index", "subject", "last"]}, {"group": "API", "openapi": "api.yaml"}]}"#;
const UNLISTED: &str = r#"{"groups": [{"group": "Guides", "pages": ["index", "last"]}, {"group": "API", "openapi": "api.yaml"}]}"#;

const ROWS: &[Row] = &[
    Row {
        setting: "a page without settings",
        front_matter: "",
        navigation: LISTED,
        seo: "{}",
        expected: "yy-yyyyyy-yyyyyyyy",
    },
    Row {
        setting: "hidden: true",
        front_matter: "hidden: true\n",
        navigation: LISTED,
        seo: "{}",
        expected: "----------y--yyyy-",
    },
    Row {
        setting: "not in docs.json",
        front_matter: "",
        navigation: UNLISTED,
        seo: "{}",
        expected: "----------yyyyyyy-",
    },
    Row {
        setting: "noindex: true",
        front_matter: "noindex: true\n",
        navigation: LISTED,
        seo: "{}",
        expected: "yy--------y--yyyy-",
    },
    Row {
        setting: "searchable: false",
        front_matter: "searchable: false\n",
        navigation: LISTED,
        seo: "{}",
        expected: "yy---yyyy-yyyyyyy-",
    },
    Row {
        setting: "hidden tab",
        front_matter: "",
        navigation: r#"{"tabs": [{"tab": "Open", "pages": ["index", "last"]}, {"tab": "Closed", "hidden": true, "pages": ["subject"]}, {"tab": "API", "openapi": "api.yaml"}]}"#,
        seo: "{}",
        expected: "----------y--yyyy-",
    },
    Row {
        setting: "hidden tab with searchable: true",
        front_matter: "",
        navigation: r#"{"tabs": [{"tab": "Open", "pages": ["index", "last"]}, {"tab": "Closed", "hidden": true, "searchable": true, "pages": ["subject"]}, {"tab": "API", "openapi": "api.yaml"}]}"#,
        seo: "{}",
        expected: "---yyyyyy-yyyyyyyy",
    },
    Row {
        setting: "hidden group with searchable: true",
        front_matter: "",
        navigation: r#"{"groups": [{"group": "Open", "pages": ["index", "last"]}, {"group": "Closed", "hidden": true, "searchable": true, "pages": ["subject"]}, {"group": "API", "openapi": "api.yaml"}]}"#,
        seo: "{}",
        expected: "---yyyyyy-yyyyyyyy",
    },
    Row {
        setting: "hidden: false in a hidden group",
        front_matter: "hidden: false\n",
        navigation: r#"{"groups": [{"group": "Open", "pages": ["index", "last"]}, {"group": "Closed", "hidden": true, "pages": ["subject"]}, {"group": "API", "openapi": "api.yaml"}]}"#,
        seo: "{}",
        expected: "---yyyyyy-yyyyyyyy",
    },
    Row {
        setting: "not in docs.json, seo.indexing: all",
        front_matter: "",
        navigation: UNLISTED,
        seo: r#"{"indexing": "all"}"#,
        expected: "---yyyyyy-yyyyyyyy",
    },
    Row {
        setting: "hidden: true, seo.indexing: all",
        front_matter: "hidden: true\n",
        navigation: LISTED,
        seo: r#"{"indexing": "all"}"#,
        expected: "---yyyyyy-yyyyyyyy",
    },
    Row {
        setting: "noindex: true, seo.indexing: all",
        front_matter: "noindex: true\n",
        navigation: LISTED,
        seo: r#"{"indexing": "all"}"#,
        expected: "yy--------y--yyyy-",
    },
    Row {
        setting: "public: false",
        front_matter: "public: false\n",
        navigation: LISTED,
        seo: r#"{"indexing": "all"}"#,
        expected: "---------------yy-",
    },
    Row {
        setting: "public: false, of an operation",
        front_matter: "public: false\nopenapi: GET /subject\n",
        navigation: LISTED,
        seo: r#"{"indexing": "all"}"#,
        expected: "------------------",
    },
    Row {
        setting: "groups",
        front_matter: "groups: [staff]\n",
        navigation: LISTED,
        seo: "{}",
        expected: "---------------yy-",
    },
    Row {
        setting: "url",
        front_matter: "url: https://elsewhere.dev/x\n",
        navigation: LISTED,
        seo: "{}",
        expected: "---yy----------yyy",
    },
];

const API: &str = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /subject:\n    get: {summary: Read it, responses: {}}\n  /other:\n    get: {summary: Other, responses: {}}\n";

fn site(row: &Row) -> std::io::Result<LoadedSite> {
    let config = format!(
        r##"{{"theme": "svc", "name": "Acme", "colors": {{"primary": "#0a7d4f"}}, "seo": {}, "navigation": {}}}"##,
        row.seo, row.navigation
    );
    let subject = format!(
        "---\ntitle: Titlemarker\n{}---\n\nBodymarker text.\n\n<Update label=\"2026-01-02\">\n\nNews.\n\n</Update>\n",
        row.front_matter
    );
    let files = [
        ("docs.json", config.as_str()),
        ("api.yaml", API),
        ("index.mdx", "---\ntitle: Home\n---\n\nWelcome.\n"),
        ("last.mdx", "---\ntitle: Last\n---\n\nThe end.\n"),
        ("subject.mdx", &subject),
    ];
    LoadedSite::of_files(files)
}

/// Texts of a site by path, from a server or from an export; `None` if there is no such file.
trait Source {
    fn text(&mut self, path: &str) -> Option<String>;

    /// A page by its path.
    fn page(&mut self, path: &str) -> Option<String> {
        self.text(path)
    }

    /// Whether search finds the page.
    fn search(&mut self) -> bool;
}

impl Source for Client {
    fn text(&mut self, path: &str) -> Option<String> {
        let response = self.get(path, &[]).ok()?;
        let has_content = response.status == 200 || (response.status == 404 && path == MISSING);
        has_content.then(|| response.text())
    }

    fn search(&mut self) -> bool {
        let found = self.text("/_svc/search?q=titlemarker").unwrap_or_default();
        found.contains("/subject")
    }
}

/// Files of an export.
struct ExportFiles<'a>(&'a Path);

impl Source for ExportFiles<'_> {
    fn text(&mut self, path: &str) -> Option<String> {
        let bytes = std::fs::read(self.0.join(path.trim_start_matches('/'))).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn page(&mut self, path: &str) -> Option<String> {
        let html = self.text(&format!("{path}/index.html"))?;
        // A page that sends the browser to another one has no content.
        (!html.contains("http-equiv=\"refresh\"")).then_some(html)
    }

    fn search(&mut self) -> bool {
        let mut dirs = vec![self.0.join("_svc/search")];
        while let Some(dir) = dirs.pop() {
            for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    dirs.push(path);
                    continue;
                }
                let mut bytes = Vec::new();
                let file = std::fs::File::open(&path).expect("the shard can be read");
                let read = flate2::read::GzDecoder::new(file).read_to_end(&mut bytes);
                read.expect("the shard is compressed with gzip");
                let text = String::from_utf8_lossy(&bytes).to_lowercase();
                if text.contains("titlemarker") || text.contains("/subject") {
                    return true;
                }
            }
        }
        false
    }
}

/// A path similar to that of the page.
const MISSING: &str = "/old/subject";

/// In which columns the page appears.
fn appearances(source: &mut dyn Source) -> BTreeMap<&'static str, bool> {
    let home = source.page("/").unwrap_or_default();
    let last = source.page("/last").unwrap_or_default();
    let link = "href=\"/subject\"";
    let between = |html: &str, start: &str, end: &str| -> String {
        let parts = html.split(start).skip(1);
        parts
            .map(|part| part.split(end).next().unwrap_or_default())
            .collect()
    };
    // The content without the sidebar.
    let main = |html: &str| between(html, "id=\"main\"", "</main>");
    let sidebar = between(&home, "id=\"sidebar\"", "</aside>");
    let pager = between(&last, "id=\"pagination\"", "</nav>")
        + &between(&home, "id=\"pagination\"", "</nav>");
    let data =
        between(&home, "ld+json\">", "</script>") + &between(&last, "ld+json\">", "</script>");
    let llms = source.text("/llms.txt").expect("the site has llms.txt");
    let mut sections = String::new();
    let mut section_count = 0;
    for url in llms
        .split(['(', ')'])
        .filter(|part| part.contains("/_llms/"))
    {
        let at = url.find("/_llms/").unwrap_or_default();
        sections += &source.text(&url[at..]).expect("the section exists");
        // The list of OpenAPI documents has no pages.
        section_count += usize::from(!url.contains("/_llms/openapi/"));
    }
    if section_count == 0 {
        sections += &llms;
    }
    let full = source
        .text("/llms-full.txt")
        .expect("the site has llms-full.txt");
    let sitemap = source.text("/sitemap.xml").expect("the site has a sitemap");
    let index = source
        .text("/.well-known/agent-skills/index.json")
        .expect("the site has an index of skills");
    let skills = index + &source.text("/skill.md").expect("the site has a skill");
    let page = source.page("/subject");
    let html = page.clone().unwrap_or_default();
    let mentions = |text: &str| {
        text.contains("/subject.md") || text.contains("Titlemarker") || text.contains("Bodymarker")
    };
    let values = [
        sidebar.contains(link),
        pager.contains(link),
        data.contains("subject"),
        source.search(),
        source
            .text("/search?q=titlemarker")
            .map(|page| main(&page))
            .is_some_and(|page| page.contains(link) || page.contains("href=\"/subject#")),
        sitemap.contains("/subject<"),
        llms.contains("/subject.md"),
        full.contains("Bodymarker"),
        mentions(&sections),
        skills.contains("subject") || skills.contains("Titlemarker"),
        page.as_deref()
            .is_some_and(|page| page.contains("Bodymarker")),
        page.is_some() && !html.contains("<meta name=\"robots\" content=\"noindex\">"),
        html.contains("application/ld+json"),
        source
            .text("/subject.md")
            .is_some_and(|text| text.contains("Bodymarker")),
        source
            .text("/subject/rss.xml")
            .is_some_and(|text| text.contains("<channel>")),
        source
            .text("/.well-known/api-catalog")
            .is_some_and(|text| text.contains("/api.yaml")),
        source.text("/api-specs.zip").is_some(),
        source
            .text(MISSING)
            .is_some_and(|page| main(&page).contains(link)),
    ];
    COLUMNS.into_iter().zip(values).collect()
}

/// Compares all cells of a row; returns a line for each that differs.
fn differences(row: &Row, source: &mut dyn Source, skipped: &[&str]) -> String {
    let found = appearances(source);
    assert_eq!(row.expected.len(), COLUMNS.len(), "{}", row.setting);
    let mut out = String::new();
    for (column, flag) in COLUMNS.into_iter().zip(row.expected.chars()) {
        if !skipped.contains(&column) && found[column] != (flag == 'y') {
            let verb = if flag == 'y' { "is not" } else { "is" };
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{}: the page {verb} in: {column}", row.setting);
        }
    }
    out
}

#[test]
fn hidden_pages_appear_on_a_server_as_their_settings_require() -> TestResult {
    let mut all = String::new();
    for row in ROWS {
        let server = server::serve(site(row)?.site)?;
        let mut client = Client::connect(server.addr)?;
        all += &differences(row, &mut client, &[]);
    }
    assert!(all.is_empty(), "{all}");
    Ok(())
}

#[test]
fn hidden_pages_appear_in_an_export_as_their_settings_require() -> TestResult {
    let mut all = String::new();
    for row in ROWS {
        let dir = tempfile::tempdir()?;
        site(row)?.export(dir.path())?;
        all += &differences(row, &mut ExportFiles(dir.path()), &SERVER_ONLY);
    }
    assert!(all.is_empty(), "{all}");
    Ok(())
}
