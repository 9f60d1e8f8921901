//! The host table, and responses that need no socket.

use std::sync::Arc;

use http::{Request, StatusCode, header};

use super::*;
use crate::service::Reply;
use crate::{Response, SiteHandle};

fn site(name: &str) -> SiteHandle {
    let dir = tempfile::tempdir().expect("a folder");
    let config = format!(
        r##"{{"theme": "svc", "name": "{name}", "colors": {{"primary": "#070"}}, "navigation": {{"pages": ["index"]}}}}"##
    );
    std::fs::write(dir.path().join("docs.json"), config).expect("written");
    std::fs::write(dir.path().join("index.mdx"), name).expect("written");
    let loaded = svc_site::load(dir.path(), &svc_site::LoadOptions::default());
    SiteHandle::new(Arc::new(loaded.expect("a site").value))
}

fn send_request(sites: &Sites, host: &str, path: &str) -> Response {
    let request = Request::builder().uri(path).header(header::HOST, host);
    let (parts, ()) = request.body(()).expect("a request").into_parts();
    match sites.responder()(&parts) {
        Reply::Ready(response) => response,
        Reply::Blocking(task) | Reply::Image(task) => task(),
        Reply::Variant(task) => task(true),
    }
}

fn header_of<'a>(response: &'a Response, name: &str) -> &'a str {
    let value = response.headers().get(name);
    value.and_then(|value| value.to_str().ok()).unwrap_or("")
}

#[test]
fn a_host_of_another_project_is_not_reassigned() {
    let sites = Sites::default();
    let site_one = site("One");
    assert!(sites.set("one.example", Served::new(site_one.clone(), "one")));
    assert!(!sites.set("One.example.", Served::new(site_one.clone(), "two")));
    assert!(sites.set("one.example", Served::new(site_one.clone(), "one")));
    assert!(!sites.set("no host", Served::new(site_one, "one")));
    assert_eq!(sites.hosts().len(), 1);
    sites.remove("ONE.example");
    assert!(sites.get("one.example").is_none());
    let status = send_request(&sites, "one.example", "/").status();
    assert_eq!(status, StatusCode::MISDIRECTED_REQUEST);
}

#[test]
fn a_pending_site_gets_503() {
    let sites = Sites::default();
    sites.set("one.example", Served::pending("one"));
    let response = send_request(&sites, "one.example", "/");
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(header_of(&response, "retry-after"), "5");
    let health = send_request(&sites, "one.example", "/_svc/health").status();
    assert_eq!(health, StatusCode::OK);
}

#[test]
fn a_redirecting_host_preserves_scheme_port_path_and_query() {
    let sites = Sites::default();
    let mut entry = Served::new(site("One"), "one");
    entry.redirect = Host::parse("one.example").ok();
    sites.set("www.one.example", entry);
    for (host, path, to) in [
        ("www.one.example", "/", "//one.example/"),
        ("WWW.one.example:8080", "/a?b=c", "//one.example:8080/a?b=c"),
        (
            "www.one.example",
            "//evil.example",
            "//one.example//evil.example",
        ),
    ] {
        let response = send_request(&sites, host, path);
        assert_eq!(response.status(), StatusCode::PERMANENT_REDIRECT, "{host}");
        assert_eq!(header_of(&response, "location"), to);
    }
    let health = send_request(&sites, "www.one.example", "/_svc/health").status();
    assert_eq!(health, StatusCode::OK);
}

#[test]
fn no_response_of_a_noindex_site_is_indexable() {
    let sites = Sites::default();
    let mut entry = Served::new(site("One"), "one");
    sites.set("one.example", entry.clone());
    entry.noindex = true;
    sites.set("preview.one.example", entry);
    for path in [
        "/",
        "/nowhere",
        "/robots.txt",
        "/llms.txt",
        "/sitemap.xml",
        "/index.md",
        "/_svc/health",
    ] {
        let response = send_request(&sites, "preview.one.example", path);
        assert_eq!(
            header_of(&response, "x-robots-tag"),
            "noindex, nofollow",
            "{path}"
        );
    }
    let open = send_request(&sites, "one.example", "/");
    assert_eq!(header_of(&open, "x-robots-tag"), "");
    let length = |host| {
        let response = send_request(&sites, host, "/robots.txt");
        header_of(&response, "content-length").to_owned()
    };
    assert_eq!(length("preview.one.example"), "26");
    assert_ne!(length("one.example"), "26");
    let sitemap = |host| send_request(&sites, host, "/sitemap.xml").status();
    assert_eq!(sitemap("preview.one.example"), StatusCode::NOT_FOUND);
    assert_eq!(sitemap("one.example"), StatusCode::OK);
}
