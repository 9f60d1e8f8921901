//! Tests of behavior, API reference and integrations.

use svc_config::{
    ContextualAction, ContextualDisplay, ContextualOption, ExampleDefaults, MdxAuthMethod,
    ParamsExpanded, PlaygroundDisplay,
};
use svc_diagnostics::SourceFile;

use crate::specification::{Row, check, site};

static ROWS: &[Row] = &[
    (
        "spec: cfg.interaction, cfg.interaction.drilldown accepts",
        r#""interaction": {"drilldown": false}"#,
        |s| s.interaction.drilldown == Some(false),
    ),
    (
        "spec: cfg.contextual, cfg.contextual.options, cfg.contextual.options.download-spec, cfg.contextual.display accepts",
        r#""contextual": {"options": ["download-spec", "copy"], "display": "toc"}"#,
        |s| {
            s.contextual.as_ref().is_some_and(|menu| {
                menu.options
                    == [
                        ContextualOption::Action(ContextualAction::DownloadSpec),
                        ContextualOption::Action(ContextualAction::Copy),
                    ]
                    && menu.display == ContextualDisplay::Toc
            })
        },
    ),
    (
        "spec: cfg.contextual.options.custom, cfg.contextual.options.custom.title, cfg.contextual.options.custom.description, cfg.contextual.options.custom.icon, cfg.contextual.options.custom.href accepts",
        r#""contextual": {"options": [{"title": "Ask", "description": "Ask us", "icon": "house", "href": {"base": "https://example.org", "query": [{"key": "q", "value": "$page"}]}}]}"#,
        |s| {
            s.contextual
                .as_ref()
                .is_some_and(|menu| match &menu.options[0] {
                    ContextualOption::Custom(own) => {
                        own.title == "Ask"
                            && own.description == "Ask us"
                            && own.icon.is_some()
                            && own.href == "https://example.org"
                            && own.query == [("q".to_owned(), "$page".to_owned())]
                    }
                    ContextualOption::Action(_) => false,
                })
        },
    ),
    (
        "spec: cfg.search.prompt accepts",
        r#""search": {"prompt": "Find"}"#,
        |s| s.search.prompt.as_deref() == Some("Find"),
    ),
    (
        "spec: cfg.seo, cfg.seo.indexing, cfg.seo.trailing-slash accepts",
        r#""seo": {"indexing": "all", "trailingSlash": true}"#,
        |s| s.seo.indexing_all && s.seo.trailing_slash == Some(true),
    ),
    (
        "spec: cfg.seo.metatags, cfg.seo.paths accepts",
        r#""seo": {"metatags": {"a": "b"}, "paths": [{"path": "guides", "metatags": {"c": "d"}}]}"#,
        |s| {
            s.seo.metatags == [("a".to_owned(), "b".to_owned())]
                && s.seo.paths[0].path == "guides"
                && s.seo.paths[0].metatags.len() == 1
        },
    ),
    (
        "spec: cfg.seo.organization accepts",
        r#""seo": {"organization": {"name": "Acme", "url": "https://example.org", "sameAs": ["https://example.com"]}}"#,
        |s| {
            s.seo
                .organization
                .as_ref()
                .is_some_and(|own| own.name.as_deref() == Some("Acme") && own.same_as.len() == 1)
        },
    ),
    (
        "spec: cfg.redirects, cfg.redirects.source, cfg.redirects.destination, cfg.redirects.permanent accepts",
        r#""redirects": [{"source": "/a/*", "destination": "/b"}, {"source": "/c", "destination": "https://example.org", "permanent": false}]"#,
        |s| {
            let [first, second] = &s.redirects[..] else {
                return false;
            };
            first.source == "/a/*"
                && first.destination == "/b"
                && first.permanent
                && !second.permanent
        },
    ),
    (
        "spec: cfg.errors, cfg.errors.redirect, cfg.errors.title, cfg.errors.description accepts",
        r#""errors": {"404": {"redirect": true, "title": "Gone", "description": "Look **there**"}}"#,
        |s| {
            s.not_found.redirect
                && s.not_found.title.as_deref() == Some("Gone")
                && s.not_found.description.is_some()
        },
    ),
    (
        "spec: cfg.metadata.timestamp accepts",
        r#""metadata": {"timestamp": true}"#,
        |s| s.timestamp,
    ),
    (
        "spec: cfg.variables accepts",
        r#""variables": {"v-1": "2.0"}"#,
        |s| s.variables == [("v-1".to_owned(), "2.0".to_owned())],
    ),
    (
        "spec: cfg.markdown.schema, cfg.markdown.instructions accepts",
        r#""markdown": {"schema": false, "instructions": "Read this"}"#,
        |s| !s.markdown.schema && s.markdown.instructions == ["Read this"],
    ),
    (
        "spec: cfg.api, cfg.api.openapi accepts",
        r#""api": {"openapi": ["a.json", "https://example.org/b.yaml"]}"#,
        |s| {
            s.api
                .openapi
                .as_ref()
                .is_some_and(|own| own.sources.len() == 2)
        },
    ),
    (
        "spec: cfg.api.openapi.source, cfg.api.openapi.directory accepts",
        r#""api": {"openapi": {"source": "a.json", "directory": "ref"}}"#,
        |s| {
            s.api.openapi.as_ref().is_some_and(|own| {
                own.sources == ["a.json"] && own.directory.as_deref() == Some("ref")
            })
        },
    ),
    (
        "spec: cfg.api.params.expanded, cfg.api.params.post accepts",
        r#""api": {"params": {"expanded": "all", "post": ["x-limit", "format"]}}"#,
        |s| {
            s.api.params_expanded == ParamsExpanded::All
                && s.api.params_post == ["x-limit", "format"]
        },
    ),
    (
        "spec: cfg.api.playground.display, cfg.api.playground.proxy, cfg.api.playground.credentials accepts",
        r#""api": {"playground": {"display": "simple", "proxy": false, "credentials": true}}"#,
        |s| {
            let own = s.api.playground;
            own.display == PlaygroundDisplay::Simple && !own.proxy && own.credentials
        },
    ),
    (
        "spec: cfg.api.examples.languages, cfg.api.examples.defaults, cfg.api.examples.prefill, cfg.api.examples.autogenerate accepts",
        r#""api": {"examples": {"languages": ["curl", "go"], "defaults": "required", "prefill": true, "autogenerate": false}}"#,
        |s| {
            let own = &s.api.examples;
            own.languages
                .as_ref()
                .is_some_and(|names| *names == ["curl", "go"])
                && own.defaults == ExampleDefaults::Required
                && own.prefill
                && !own.autogenerate
        },
    ),
    (
        "spec: cfg.api.url accepts",
        r#""api": {"url": "full"}"#,
        |s| s.api.url_full,
    ),
    (
        "spec: cfg.api.mdx.auth.method, cfg.api.mdx.auth.name, cfg.api.mdx.server accepts",
        r#""api": {"mdx": {"auth": {"method": "key", "name": "x-key"}, "server": "https://api.example.org"}}"#,
        |s| {
            s.api.mdx_auth.method == Some(MdxAuthMethod::Key)
                && s.api.mdx_auth.name.as_deref() == Some("x-key")
                && s.api.mdx_servers == ["https://api.example.org"]
        },
    ),
];

#[test]
fn keys_of_behavior_have_the_written_values() {
    check(ROWS);
}

// spec: cfg.integrations, cfg.integrations.ga4, cfg.integrations.posthog accepts
#[test]
fn integrations_are_decoded() {
    let text = crate::specification::document(
        r#""integrations": {"ga4": {"measurementId": " G-1 "}, "telemetry": {"enabled": false},
            "posthog": {"apiKey": "phc_1", "apiHost": "https://example.org"}}"#,
    );
    let checked = svc_config::parse(&SourceFile::new("docs.json", text), &|_| None);
    assert_eq!(checked.diagnostics, []);
    let all = checked.value.expect("it is an object").integrations;
    let names: Vec<&str> = all.iter().map(|service| service.name.as_str()).collect();
    assert_eq!(names, ["ga4", "telemetry", "posthog"]);
    assert_eq!(all[0].text("measurementId"), Some("G-1"));
    assert_eq!(all[2].text("apiKey"), Some("phc_1"));
}

// spec: cfg.interaction.drilldown, cfg.seo.indexing, cfg.errors.redirect, cfg.metadata.timestamp accepts
// spec: cfg.markdown.schema, cfg.api.params.expanded, cfg.api.playground.display accepts
// spec: cfg.api.playground.proxy, cfg.api.playground.credentials, cfg.api.examples.defaults accepts
// spec: cfg.api.examples.prefill, cfg.api.examples.autogenerate, cfg.api.url accepts
#[test]
fn missing_keys_have_their_defaults() {
    let decoded = site("");
    assert_eq!(decoded.interaction.drilldown, None);
    assert!(decoded.contextual.is_none() && decoded.redirects.is_empty());
    assert!(!decoded.seo.indexing_all && !decoded.not_found.redirect && !decoded.timestamp);
    assert!(decoded.markdown.schema);
    let api = decoded.api;
    assert_eq!(api.params_expanded, ParamsExpanded::Closed);
    assert_eq!(api.playground.display, PlaygroundDisplay::Interactive);
    assert!(api.playground.proxy && !api.playground.credentials && !api.url_full);
    assert_eq!(api.examples.defaults, ExampleDefaults::All);
    assert!(!api.examples.prefill && api.examples.autogenerate);
}
