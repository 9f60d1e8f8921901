//! Content Security Policies and speculation rules.

use svc_site::{LoadOptions, SiteOptions};

use crate::http::rig::{TestServer, start_files};

const DOCS: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"}, "navigation": {"pages": ["index"]}}"##;

fn site(load: &LoadOptions) -> TestServer {
    let files = [
        ("docs.json", DOCS),
        ("index.mdx", "<iframe src=\"/a.xml\"/> [b](/b.XML) text"),
        (
            "a.xml",
            "<html xmlns=\"http://www.w3.org/1999/xhtml\"><script>parent.x()</script></html>",
        ),
        ("b.XML", "<?xml-stylesheet href=\"x.xsl\"?><a/>"),
        ("sitemap.xml", "<urlset/>"),
        ("chat.js", "document.head.append(1)"),
    ];
    start_files(&files, load)
}

fn policy(server: &TestServer, path: &str) -> String {
    let response = server.get(path);
    response
        .header("content-security-policy")
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn xml_of_the_repository_runs_no_scripts() {
    let server = site(&LoadOptions::default());
    for path in ["/a.xml", "/b.XML", "/sitemap.xml"] {
        let response = server.get(path);
        assert_eq!(response.status, 200, "{path}");
        assert!(
            policy(&server, path).contains("default-src 'none'"),
            "{path}"
        );
        assert!(policy(&server, path).ends_with("sandbox"), "{path}");
        assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
    }
}

#[test]
fn scripts_of_the_repository_are_trusted_by_digest() {
    use base64::Engine as _;
    use sha2::Digest as _;

    let server = site(&LoadOptions::default());
    for path in ["/", "/none"] {
        let html = server.get(path).text();
        let policy = policy(&server, path);
        assert!(policy.contains("'strict-dynamic'"), "{path}: {policy}");
        assert!(!policy.contains("nonce-"), "{policy}");
        let scripts: Vec<&str> = html
            .split("<script>")
            .skip(1)
            .filter_map(|rest| rest.split("</script>").next())
            .collect();
        assert_eq!(scripts.len(), 2, "{html}");
        for script in scripts {
            let digest =
                base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(script));
            assert!(
                policy.contains(&format!("'sha256-{digest}'")),
                "{path}: {script}"
            );
        }
        assert!(!html.contains("<script src"), "no tag would be trusted");
        assert!(html.contains("/chat.js"), "{html}");
    }
    let tag = server
        .get("/")
        .header("etag")
        .unwrap_or_default()
        .to_owned();
    let unchanged = server.request("GET", "/", &format!("If-None-Match: {tag}\r\n"));
    assert_eq!(unchanged.status, 304);
    let without = LoadOptions::from(SiteOptions {
        without_scripts: true,
        ..SiteOptions::default()
    });
    let server = site(&without);
    assert!(policy(&server, "/").contains("script-src 'self';"));
    assert!(server.get("/").text().contains("<script src"));
}

#[test]
fn pages_link_to_speculation_rules() {
    let counted = site(&LoadOptions::default());
    let page = counted.get("/");
    assert_eq!(
        page.header("speculation-rules"),
        None,
        "scripts count readers"
    );
    let load = LoadOptions::from(SiteOptions {
        base_path: "/docs".to_owned(),
        ..SiteOptions::default()
    });
    let server = start_files(&[("docs.json", DOCS), ("index.mdx", "text")], &load);
    let page = server.get("/docs");
    let header = page.header("speculation-rules").unwrap();
    assert_eq!(header, "\"/docs/_svc/speculation.json\"");
    let rules = server.get(header.trim_matches('"'));
    assert_eq!(rules.status, 200);
    assert_eq!(
        rules.header("content-type"),
        Some("application/speculationrules+json")
    );
    let rules: serde_json::Value = serde_json::from_str(&rules.text()).unwrap();
    let rule = &rules["prerender"][0];
    assert_eq!(rule["eagerness"], "moderate");
    assert_eq!(rule["where"]["and"][0]["href_matches"], "/docs/*");
    assert_eq!(
        rule["where"]["and"][1]["not"]["href_matches"],
        "/docs/_svc/*"
    );
    assert_eq!(server.get("/docs/none").header("speculation-rules"), None);
}
