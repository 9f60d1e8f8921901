//! Tests of redirects.

use svc_diagnostics::{SourceFile, Span};

use super::pattern::MAX_TARGET_BYTES;
use super::*;

fn compile(rules: &[(&str, &str)]) -> Redirects {
    let location = SourceFile::new("docs.json", "").location(Span::default());
    let redirects: Vec<Redirect> = rules
        .iter()
        .map(|(source, destination)| Redirect {
            source: (*source).to_owned(),
            destination: (*destination).to_owned(),
            permanent: !destination.contains("temporary"),
            location: location.clone(),
            index: 0,
        })
        .collect();
    let aliases = [("/x/index".to_owned(), "/x".to_owned())];
    Redirects::compile(&redirects, aliases, |_| false).value
}

#[test]
fn redirects_with_control_characters_are_rejected() {
    let location = SourceFile::new("docs.json", "").location(Span::default());
    let redirect = |source: &str, destination: &str| Redirect {
        source: source.to_owned(),
        destination: destination.to_owned(),
        permanent: true,
        location: location.clone(),
        index: 0,
    };
    for (source, destination, code) in [
        ("/a", "/b\r\nX-Header: 1", "nav-redirect-destination"),
        ("/a\nb", "/b", "nav-redirect-never-matches"),
    ] {
        let rules = [redirect(source, destination)];
        let compiled = Redirects::compile(&rules, [], |_| false);
        let codes = compiled
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.code.id);
        assert_eq!(codes.collect::<Vec<_>>(), [code]);
        assert!(compiled.value.is_empty());
    }
}

#[test]
fn every_kind_of_source_matches() {
    for (source, destination, path, target) in [
        ("/a", "/b", "/a", Some("/b")),
        ("/a", "/b", "/a/", Some("/b")),
        ("/a/", "/b", "/a", Some("/b")),
        ("/a", "/b", "/a/c", None),
        ("/", "/b", "/", Some("/b")),
        ("/a/*", "/b/*", "/a/x/y", Some("/b/x/y")),
        ("/a/*", "/b", "/a/x/y", Some("/b")),
        ("/a/:slug*", "/b/:slug*", "/a/x/y", Some("/b/x/y")),
        ("/a/:slug*", "/b/:slug*", "/a", Some("/b")),
        ("/a/:slug*", "/b", "/ab", None),
        ("/a/:slug+", "/b/:slug+", "/a", None),
        ("/a/:id/c", "/b/:id", "/a/7/c", Some("/b/7")),
        ("/a/:id", "/b/:id", "/a/7/c", None),
        ("/a/:x/:y", "/:y/:x", "/a/1/2", Some("/2/1")),
        ("/a/:slug*/end", "/b/:slug*", "/a/1/2/end", Some("/b/1/2")),
        ("/a/v:n", "/b/:n", "/a/v2", Some("/b/2")),
        ("/a/v:n", "/b/:n", "/a/v", None),
        ("/old-*", "/new-*", "/old-page", Some("/new-page")),
        ("/old-*", "/new", "/old-", None),
        ("/old-*", "/new", "/other", None),
        (
            "/:slug*",
            "https://x.org/:slug*#top",
            "/a/b",
            Some("https://x.org/a/b#top"),
        ),
        ("/a/:slug(.*)", "/b/:slug", "/a/1/2", Some("/b/1/2")),
        (
            "/a",
            "https://x.org:8080/y",
            "/a",
            Some("https://x.org:8080/y"),
        ),
        ("/a/:slug*", "/a/:slug*", "/a/b", None),
        ("/none", "/b", "/x/index", Some("/x")),
    ] {
        let redirect = compile(&[(source, destination)]).find(path);
        assert_eq!(
            redirect.as_ref().map(|(to, _)| to.as_str()),
            target,
            "{source} {path}"
        );
    }
}

#[test]
fn the_first_match_is_used_with_its_status() {
    let redirects = compile(&[("/a/*", "/temporary"), ("/a/b", "/c"), ("/d", "/e")]);
    assert_eq!(redirects.find("/a/b"), Some(("/temporary".into(), 307)));
    assert_eq!(redirects.find("/d"), Some(("/e".into(), 308)));
    let redirects = compile(&[("/a/b", "/c"), ("/a/*", "/temporary")]);
    assert_eq!(redirects.find("/a/b"), Some(("/c".into(), 308)));
}

/// Returns the sources that are part of a loop if `/page` is a page.
fn circles(rules: &[(&str, &str)]) -> Vec<String> {
    let location = SourceFile::new("docs.json", "").location(Span::default());
    let redirects: Vec<Redirect> = rules
        .iter()
        .enumerate()
        .map(|(index, (source, destination))| Redirect {
            source: (*source).to_owned(),
            destination: (*destination).to_owned(),
            permanent: true,
            location: location.clone(),
            index,
        })
        .collect();
    let compiled = Redirects::compile(&redirects, [], |path| path == "/page");
    let pointers = compiled.diagnostics.into_iter().map(|diagnostic| {
        assert_eq!(diagnostic.code, &REDIRECT_LOOP);
        diagnostic.pointer.unwrap_or_default()
    });
    pointers.collect()
}

#[test]
fn loops_are_reported_and_chains_are_not() {
    let none: [&str; 0] = [];
    assert_eq!(
        circles(&[("/a", "/b"), ("/b", "/c"), ("/c", "/page")]),
        none
    );
    assert_eq!(circles(&[("/a", "/b"), ("/b", "https://x.org/a")]), none);
    assert_eq!(circles(&[("/page", "/page"), ("/a/:x*", "/b/:x*")]), none);
    assert_eq!(
        circles(&[
            ("/x", "/a"),
            ("/a", "/b#top"),
            ("/b", "/a?q=1"),
            ("/c", "/page")
        ]),
        [
            "/redirects/0/source",
            "/redirects/1/source",
            "/redirects/2/source"
        ]
    );
    assert_eq!(circles(&[("/a", "/a/")]), ["/redirects/0/source"]);
    assert_eq!(circles(&[("/a/:x*", "/a/b/:x*")]), ["/redirects/0/source"]);
    assert_eq!(circles(&[("/a/*", "/b/*"), ("/b/:x", "/a/:x")]).len(), 2);
}

#[test]
fn unsupported_patterns_are_reported() {
    let reported = |source: &str, destination: &str| {
        let redirect = Redirect {
            source: source.to_owned(),
            destination: destination.to_owned(),
            permanent: true,
            location: SourceFile::new("docs.json", "").location(Span::default()),
            index: 0,
        };
        let diagnostics = Redirects::compile(&[redirect], [], |_| false).diagnostics;
        diagnostics
            .first()
            .map(|diagnostic| (diagnostic.code.id, diagnostic.message.clone()))
    };
    let name = |source: &str, destination: &str| {
        let (code, message) = reported(source, destination)?;
        assert_eq!(code, "nav-redirect-parameter");
        message.split('`').nth(1).map(str::to_owned)
    };
    assert_eq!(name("/x/:y", "/z/:w").as_deref(), Some(":w"));
    assert_eq!(name("/x", "/z/a-:y").as_deref(), Some(":y"));
    assert_eq!(name("/x/:y", "/z/*").as_deref(), Some("*"));
    for (source, destination) in [
        ("/x/:y", "/z/:y"),
        ("/x/:y*", "/z/:y*"),
        ("/x/*", "/z/*"),
        ("/q(.*)", "/z/*"),
        ("/x", "https://a.test:8080/b"),
        ("/x", "/12:30"),
    ] {
        assert_eq!(
            reported(source, destination),
            None,
            "{source} {destination}"
        );
    }
    for source in ["/a/(\\d+)", "/(a|b)", "/a/:id([0-9]+)"] {
        let code = reported(source, "/b").map(|(code, _)| code);
        assert_eq!(code, Some("nav-redirect-never-matches"), "{source}");
    }
}

#[test]
fn an_encoded_target_that_equals_the_path_is_not_a_redirect() {
    let redirects = compile(&[
        ("/a/:x", "/a/:x"),
        ("/b c", "/b%20c"),
        ("/d", "/%e4%f"),
        ("/caf%C3%A9", "/coffee"),
    ]);
    assert_eq!(redirects.find("/café"), Some(("/coffee".into(), 308)));
    assert_eq!(redirects.find("/a/x y"), None);
    assert_eq!(redirects.find("/b c"), None);
    assert_eq!(redirects.find("/d"), Some(("/%e4%f".into(), 308)));
}

#[test]
fn the_length_of_targets_is_limited() {
    let redirects = compile(&[("/a/:x*", "/a/:x*/:x*")]);
    let mut path = "/a/word".to_owned();
    let mut hops = 0;
    while let Some((next, _)) = redirects.find(&path) {
        (path, hops) = (next, hops + 1);
    }
    assert!(
        (5..20).contains(&hops) && path.len() <= 2 * MAX_TARGET_BYTES,
        "{hops}"
    );
}

#[test]
fn no_path_leads_to_another_host() {
    let redirects = compile(&[("/go/*", "/*"), ("/all/:rest*", "/:rest*")]);
    for path in [
        "/go//evil.org",
        "/all///evil.org",
        "/go/\\evil.org",
        "/go/\r\nx",
    ] {
        let target = redirects
            .find(path)
            .map_or_else(String::new, |(target, _)| target);
        assert!(
            !target.starts_with("//") && !target.contains(['\\', '\r', '\n']),
            "{target}"
        );
    }
}
