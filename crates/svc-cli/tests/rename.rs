//! `svc rename`.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use svc_site::{LoadOptions, Resource, Site};

use crate::program::{err, out, svc};

const CONFIG: &str = r##"{
  "theme": "svc", // comments stay
  "name": "Acme",
  "colors": { "primary": "#0a7d4f" },
  "logo": { "light": "/images/logo.svg", "dark": "/images/logo.svg", "href": "/guides/start" },
  "banner": { "content": "Read the [guide](/guides/start#first)." },
  "navigation": { "tabs": [{ "$ref": "./nav/guides.json" }, {
      "tab": "API", "openapi": "api/openapi.yaml" }] },
  "footer": { "links": [{ "header": "More", "items": [{ "label": "Start", "href": "/guides/start" }] }] },
  "redirects": [
    { "source": "/begin", "destination": "/guides/start#first" },
    { "source": "/g/:slug*", "destination": "/guides/:slug*" }
  ]
}
"##;
const NAVIGATION: &str = "{ \"tab\": \"Guides\",  \"pages\": [\"index\", \"guides/start\",\n    \"guides/next\", \"guides/deep/index\" ] }\n";
const START: &str = "---\ntitle: Start\nicon: \"/images/logo.svg\"\n---\nimport Note from \"../snippets/note.mdx\";\nimport { Box } from \"./box.jsx\";\n\n## First\n\n<Note />\n<Box />\n\nSee [next](./next), [next](next.mdx#part), [up](../index) and [deep](./deep).\n\n![Logo](../images/logo.svg \"Title\")\n\n[home]: <../index> 'x'\n\n[home]\n";
const NEXT: &str = "---\ntitle: Next\nurl: \nrelated: [guides/start, \"/guides/start\"]\n---\n\n## Part\n\n[a](/guides/start) [b](/guides/start#first \"t\") [c](/guides/start.mdx) [d](start) [e](</guides/start?x=1#first>)\n[f](https://example.com/guides/start) `[g](/guides/start)`\n\n<Card title=\"Start\" href=\"/guides/start\" img=\"/images/logo.svg\" />\n<Card title=\"/guides/start\" href={\"/guides/start\"} />\n<a href='/guides/start'>x</a> <img src=\"../images/logo.svg\" alt=\"\" />\n\n{[\"/guides/start\"].map(link => <a href={link}>{link}</a>)}\n\n```md\n[not](/guides/start)\n```\n\n<Snippet file=\"note.mdx\" />\n";
const NOTE: &str = "A note on [the start](/guides/start).\n";
const DEEP: &str = "---\ntitle: Deep\n---\n\n[Start](../start) and [next](../next#part).\n";

fn write(dir: &Path, path: &str, text: &str) {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn read(dir: &Path, path: &str) -> String {
    fs::read_to_string(dir.join(path)).unwrap()
}

fn site() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("docs.json", CONFIG),
        ("nav/guides.json", NAVIGATION),
        (
            "index.mdx",
            "---\ntitle: Home\n---\n\n[Start](guides/start), [folder](/guides).\n",
        ),
        ("guides/start.mdx", START),
        ("guides/next.mdx", NEXT),
        ("guides/deep/index.mdx", DEEP),
        (
            "guides/box.jsx",
            "export const Box = () => <a href=\"/guides/start\">Start</a>;\n",
        ),
        ("snippets/note.mdx", NOTE),
        (
            "images/logo.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        ),
        ("style.css", ".a { background: url('/images/logo.svg') }\n"),
        (
            "api/openapi.yaml",
            "openapi: 3.1.0\ninfo: { title: A, version: '1', description: 'See [start](/guides/start).' }\npaths:\n  /a:\n    get: { operationId: a, summary: A, responses: { '200': { description: ok } } }\n",
        ),
    ] {
        write(dir.path(), path, text);
    }
    dir
}

/// All problems, by code.
pub(crate) fn problems(dir: &Path) -> BTreeMap<String, usize> {
    let output = svc(&["validate", "--offline", "--format", "json"], dir);
    let value: Value = serde_json::from_str(&out(&output)).unwrap();
    let mut codes = BTreeMap::new();
    for one in value["diagnostics"].as_array().unwrap() {
        let code = one["code"].as_str().unwrap().to_owned();
        *codes.entry(code).or_default() += 1;
    }
    codes
}

pub(crate) fn rename(dir: &Path, arguments: &[&str]) -> String {
    let arguments = [&["rename"], arguments].concat();
    let output = svc(&arguments, dir);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}{}",
        out(&output),
        err(&output)
    );
    out(&output)
}

/// Where a URL leads: the path of the page.
pub(crate) fn lands_at(site: &Site, url: &str) -> Option<String> {
    let mut url = url.to_owned();
    for _ in 0..4 {
        match site.find(&url) {
            Resource::Page(route) => return Some(route.path.clone()),
            Resource::Redirect { to, .. } => {
                url = svc_source::normalize(
                    to.split('#').next().unwrap().replace("%20", " ").as_str(),
                );
                url.insert(0, '/');
            }
            _ => return None,
        }
    }
    None
}

pub(crate) fn load(dir: &Path) -> Site {
    svc_site::load(dir, &LoadOptions::default()).unwrap().value
}

#[test]
fn a_page_moves_with_all_references() {
    let dir = site();
    let before = problems(dir.path());
    let text = rename(dir.path(), &["guides/start", "learn/begin here"]);
    assert!(
        text.starts_with("guides/start.mdx → learn/begin here.mdx\n"),
        "{text}"
    );
    assert!(
        text.contains("  redirect /guides/start → /learn/begin here\n"),
        "{text}"
    );
    assert_eq!(problems(dir.path()), before);
    assert!(!dir.path().join("guides/start.mdx").exists());

    let config = CONFIG
        .replace("/guides/start", "/learn/begin%20here")
        .replace(
            "\"/guides/:slug*\" }\n",
            "\"/guides/:slug*\" }\n".trim_end(),
        )
        .replace(
            "\"destination\": \"/guides/:slug*\" }",
            "\"destination\": \"/guides/:slug*\" },\n    {\n      \"source\": \"/guides/start\",\n      \"destination\": \"/learn/begin%20here\"\n    }\n",
        );
    assert_eq!(
        read(dir.path(), "docs.json").replace("}  ]", "}\n  ]"),
        config.replace("}\n\n  ]", "}\n  ]")
    );
    assert_eq!(
        read(dir.path(), "nav/guides.json"),
        NAVIGATION.replace("guides/start", "learn/begin here")
    );
    let start = START
        .replace("./box.jsx", "../guides/box.jsx")
        .replace("(./next)", "(../guides/next)")
        .replace("(next.mdx#part)", "(../guides/next.mdx#part)")
        .replace("(./deep)", "(../guides/deep)");
    assert_eq!(read(dir.path(), "learn/begin here.mdx"), start);
    let next = NEXT
        .replace(
            "[guides/start, \"/guides/start\"]",
            "[learn/begin%20here, \"/learn/begin%20here\"]",
        )
        .replace("[a](/guides/start)", "[a](/learn/begin%20here)")
        .replace("[b](/guides/start#", "[b](/learn/begin%20here#")
        .replace("[c](/guides/start.mdx)", "[c](/learn/begin%20here.mdx)")
        .replace("[d](start)", "[d](../learn/begin%20here)")
        .replace("[e](</guides/start?", "[e](</learn/begin%20here?")
        .replace("href=\"/guides/start\"", "href=\"/learn/begin%20here\"")
        .replace("{\"/guides/start\"}", "{\"/learn/begin%20here\"}")
        .replace("href='/guides/start'", "href='/learn/begin%20here'")
        .replace("{[\"/guides/start\"]", "{[\"/learn/begin%20here\"]");
    assert_eq!(read(dir.path(), "guides/next.mdx"), next);
    for path in ["guides/box.jsx", "snippets/note.mdx", "api/openapi.yaml"] {
        let text = read(dir.path(), path);
        assert!(
            text.contains("/learn/begin%20here") && !text.contains("/guides/start"),
            "{text}"
        );
    }
    assert_eq!(
        read(dir.path(), "guides/deep/index.mdx"),
        DEEP.replace("../start", "../../learn/begin%20here")
    );
    let site = load(dir.path());
    assert_eq!(
        lands_at(&site, "/guides/start").as_deref(),
        Some("/learn/begin here")
    );
    assert_eq!(
        lands_at(&site, "/begin").as_deref(),
        Some("/learn/begin here")
    );
}

#[test]
fn a_folder_moves_and_its_files_still_find_each_other() {
    let dir = site();
    let before = problems(dir.path());
    rename(dir.path(), &["guides", "learn"]);
    assert_eq!(problems(dir.path()), before);
    // References between files that move together are not touched.
    assert_eq!(read(dir.path(), "learn/deep/index.mdx"), DEEP);
    assert_eq!(read(dir.path(), "learn/start.mdx"), START);
    assert!(
        read(dir.path(), "docs.json")
            .contains("{ \"source\": \"/g/:slug*\", \"destination\": \"/learn/:slug*\" }")
    );
    assert!(read(dir.path(), "index.mdx").contains("[Start](learn/start), [folder](/learn)."));
    let site = load(dir.path());
    for (url, page) in [
        ("/guides/start", "/learn/start"),
        ("/guides/next", "/learn/next"),
        ("/guides/deep", "/learn/deep"),
        ("/g/start", "/learn/start"),
        ("/begin", "/learn/start"),
    ] {
        assert_eq!(lands_at(&site, url).as_deref(), Some(page), "{url}");
    }
    assert!(lands_at(&site, "/guides").is_some());
}

#[test]
fn going_back_leaves_no_loop_and_further_names_no_chain() {
    let dir = site();
    let before = problems(dir.path());
    rename(dir.path(), &["guides/start.mdx", "guides/second.mdx"]);
    rename(dir.path(), &["/guides/second", "/guides/third"]);
    let config = read(dir.path(), "docs.json");
    let site = load(dir.path());
    for old in ["/guides/start", "/guides/second"] {
        assert!(
            matches!(site.find(old), Resource::Redirect { to, .. } if to == "/guides/third"),
            "{config}"
        );
    }
    rename(dir.path(), &["guides/third", "guides/start"]);
    let site = load(dir.path());
    for old in ["/guides/second", "/guides/third"] {
        assert!(matches!(site.find(old), Resource::Redirect { to, .. } if to == "/guides/start"));
    }
    assert!(matches!(site.find("/guides/start"), Resource::Page(_)));
    assert_eq!(problems(dir.path()), before);
}

#[test]
fn sources_of_redirects_in_another_file_stay() {
    let dir = site();
    let start = CONFIG.find("\"redirects\"").unwrap();
    let end = CONFIG.rfind(']').unwrap() + 1;
    let list = CONFIG[start..end].split_once(": ").unwrap().1;
    let old = "{ \"source\": \"/guides/old\", \"destination\": \"/guides/start\" },";
    write(
        dir.path(),
        "redirects.json",
        &list.replacen('[', &format!("[{old}"), 1),
    );
    let config = CONFIG.replace(
        &CONFIG[start..end],
        "\"redirects\": { \"$ref\": \"./redirects.json\" }",
    );
    write(dir.path(), "docs.json", &config);
    let before = problems(dir.path());
    rename(dir.path(), &["guides/", "learn"]);
    let list = read(dir.path(), "redirects.json");
    assert!(
        list.contains("{ \"source\": \"/guides/old\", \"destination\": \"/learn/start\" }"),
        "{list}"
    );
    assert_eq!(problems(dir.path()), before);
}

#[test]
fn images_and_snippets_move_without_redirects() {
    let dir = site();
    let before = problems(dir.path());
    let text = rename(dir.path(), &["images/logo.svg", "assets/"]);
    assert!(!text.contains("redirect"), "{text}");
    rename(dir.path(), &["snippets/note.mdx", "snippets/common/remark"]);
    assert_eq!(problems(dir.path()), before);
    assert!(read(dir.path(), "docs.json").contains("\"light\": \"/assets/logo.svg\""));
    assert!(read(dir.path(), "style.css").contains("url('/assets/logo.svg')"));
    let start = read(dir.path(), "guides/start.mdx");
    assert!(
        start.contains("![Logo](../assets/logo.svg \"Title\")"),
        "{start}"
    );
    assert!(
        start.contains("\"../snippets/common/remark.mdx\""),
        "{start}"
    );
    let next = read(dir.path(), "guides/next.mdx");
    assert!(next.contains("img=\"/assets/logo.svg\""), "{next}");
    assert!(next.contains("file=\"common/remark.mdx\""), "{next}");
}

#[test]
fn a_dry_run_changes_nothing_and_is_a_patch() {
    let (dir, other) = (site(), site());
    let output = svc(&["rename", "guides", "learn", "--dry-run"], dir.path());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert_eq!(read(dir.path(), "guides/start.mdx"), START);
    assert_eq!(read(dir.path(), "docs.json"), CONFIG);
    fs::write(dir.path().join("all.patch"), &output.stdout).unwrap();
    let applied = Command::new("git")
        .args(["apply", "all.patch"])
        .current_dir(dir.path())
        .output();
    let Ok(applied) = applied else {
        svc_test_support::skip("git is not installed");
        return;
    };
    assert!(applied.status.success(), "{}", err(&applied));
    fs::remove_file(dir.path().join("all.patch")).unwrap();
    rename(other.path(), &["guides", "learn"]);
    let files = |dir: &Path| -> BTreeMap<PathBuf, String> {
        let all = svc_source::load(dir, &svc_source::LoadOptions::default())
            .unwrap()
            .value;
        all.iter()
            .map(|(path, _)| (path.into(), read(dir, path)))
            .collect()
    };
    assert_eq!(files(dir.path()), files(other.path()));
}

#[test]
fn what_cannot_be_renamed_is_refused() {
    let dir = site();
    write(dir.path(), "guides.mdx", "---\ntitle: G\n---\n");
    for (from, to, message) in [
        ("guides/strat", "a", "did you mean `guides/start`?"),
        ("guides/start", "guides/next", "exists already"),
        ("guides/start", "guides/start.mdx", "has this path already"),
        ("guides/start", "../start", "outside of the site"),
        ("guides/", "guides/deep/in", "into itself"),
        ("guides", "learn", "write `guides.mdx` or `guides/`"),
        ("docs.json", "x.json", "fixed name"),
        (
            "images/logo.svg",
            "images/logo.png",
            "does not change the type",
        ),
        ("guides/start", "snippets/start", "would not be a page"),
        ("guides/start", "node_modules/start", "would be ignored"),
    ] {
        let output = svc(&["rename", from, to], dir.path());
        assert_eq!(
            output.status.code(),
            Some(1),
            "{from} {to}: {}",
            out(&output)
        );
        assert!(
            err(&output).contains(message),
            "{from} {to}: {}",
            err(&output)
        );
    }
    assert_eq!(read(dir.path(), "guides/start.mdx"), START);
    assert_eq!(read(dir.path(), "docs.json"), CONFIG);
}

#[test]
fn without_redirects_old_urls_are_gone() {
    let dir = site();
    rename(
        dir.path(),
        &["guides/start", "guides/begin", ".", "--no-redirect"],
    );
    assert!(matches!(
        load(dir.path()).find("/guides/start"),
        Resource::NotFound
    ));
    assert!(!read(dir.path(), "docs.json").contains("/guides/start"));
}
