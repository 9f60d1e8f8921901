//! Files of the site, assets and machine-readable files.

use crate::http::rig::start;

#[test]
fn h09_file_ranges_are_sent() {
    let server = start();
    let part = |range: &str| server.request("GET", "/picture.png", &format!("Range: {range}\r\n"));
    let response = part("bytes=2-4");
    assert_eq!((response.status, &*response.text()), (206, "234"));
    assert_eq!(response.header("content-range"), Some("bytes 2-4/10"));
    assert_eq!(
        (part("bytes=-3").status, &*part("bytes=-3").text()),
        (206, "789")
    );
    assert_eq!(part("bytes=7-").text(), "789");
    assert_eq!(part("bytes=10-").status, 416);
    assert_eq!(
        part("bytes=10-").header("content-range"),
        Some("bytes */10")
    );
    assert_eq!(
        (part("bytes=0-1,4-5").status, &*part("bytes=0-1,4-5").text()),
        (200, "0123456789")
    );
    let tag = server
        .get("/picture.png")
        .header("etag")
        .unwrap()
        .to_owned();
    let with = |tag: &str| {
        let headers = format!("Range: bytes=0-1\r\nIf-Range: {tag}\r\n");
        server.request("GET", "/picture.png", &headers).status
    };
    assert_eq!((with(&tag), with("\"old\"")), (206, 200));
    let text = server.request(
        "GET",
        "/spec.json",
        "Range: bytes=0-0\r\nAccept-Encoding: gzip\r\n",
    );
    assert_eq!((text.status, &*text.text()), (206, "{"));
}

#[test]
fn a_large_file_arrives_whole() {
    let server = start();
    let file = server.get("/large.png");
    assert_eq!((file.status, file.body.len()), (200, 3_000_000));
    assert!(file.body.iter().all(|byte| *byte == 7));
}

#[test]
fn generated_images_are_sent() {
    let server = start();
    let page = server.get("/guides/start").text();
    let (_, rest) = page.split_once("rel=\"apple-touch-icon\" href=\"").unwrap();
    let (icon, _) = rest.split_once('"').unwrap();
    let (_, rest) = page.split_once("property=\"og:image\" content=\"").unwrap();
    let (card, _) = rest.split_once('"').unwrap();
    for path in [icon, card] {
        let response = server.get(path);
        assert_eq!(
            (response.status, response.header("content-type")),
            (200, Some("image/png"))
        );
        assert!(response.body.starts_with(b"\x89PNG"), "{path}");
        let caching = response.header("cache-control").unwrap();
        assert!(caching.contains("immutable"), "{path} {caching}");
    }
    let defaults = server.get("/favicon.ico");
    assert_eq!(
        (defaults.status, defaults.header("content-type")),
        (200, Some("image/x-icon"))
    );
    assert!(
        !defaults
            .header("cache-control")
            .unwrap()
            .contains("immutable")
    );
    assert_eq!(server.get("/_svc/icons/0/favicon.ico").status, 404);
    assert_eq!(server.get("/_svc/cards/0/../../secret.png").status, 404);
}

// spec: site.reserved accepts
#[test]
fn assets_and_machine_readable_files_are_served() {
    let server = start();
    let health = server.get("/_svc/health");
    assert_eq!(
        (health.status, health.header("content-type")),
        (200, Some("application/json"))
    );
    assert!(health.text().contains("\"status\":\"ok\""));
    let page = server.get("/").text();
    let at = page.find("/_svc/assets/").unwrap();
    let path = page[at..].split('"').next().unwrap();
    let asset = server.get(path);
    assert_eq!(asset.status, 200);
    assert!(asset.header("cache-control").unwrap().contains("immutable"));
    assert_eq!(server.get("/_svc/assets/none.css").status, 404);
    let sitemap = server.get("/sitemap.xml").text();
    assert!(
        sitemap.contains("<loc>http://localhost/guides/start</loc>"),
        "{sitemap}"
    );
    for path in [
        "/robots.txt",
        "/llms.txt",
        "/llms-full.txt",
        "/_svc/search?q=start",
        "/search?q=start",
        "/spec.json",
    ] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    let policy = server.get("/drawing.svg");
    assert!(
        policy
            .header("content-security-policy")
            .unwrap()
            .contains("sandbox")
    );
}

#[test]
fn the_docs_json_schema_is_served() {
    let server = start();
    let schema = server.get("/schema/docs.json");
    assert_eq!(
        (schema.status, schema.header("content-type")),
        (200, Some("application/schema+json"))
    );
    assert_eq!(schema.header("access-control-allow-origin"), Some("*"));
    let cache = schema.header("cache-control").unwrap();
    assert!(
        cache.contains("public") && cache.contains("max-age"),
        "{cache}"
    );
    assert!(schema.header("etag").is_some());
    let schema: serde_json::Value = serde_json::from_str(&schema.text()).unwrap();
    assert!(schema["properties"]["theme"].is_object());
}
