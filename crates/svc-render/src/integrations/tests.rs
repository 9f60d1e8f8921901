//! What pages with services contain.

use std::collections::BTreeSet;

use svc_config::{SourceFile, option_docs, parse};

use super::{ALL, Directive, Integrations, assets, report_integrations};
use crate::ctx::RenderOptions;
use crate::site_options::SiteOptions;
use crate::testing::document_with;

fn files(integrations: &str) -> String {
    format!(
        "//- /docs.json\n{{\"theme\": \"svc\", \"name\": \"T\", \"colors\": {{\"primary\": \"#112233\"}}, \"navigation\": {{\"pages\": [\"a\"]}}, \"integrations\": {integrations}}}\n//- /a.mdx\n"
    )
}

fn config(integrations: &str) -> svc_config::SiteConfig {
    let files = files(integrations);
    let text = files.lines().nth(1).expect("the configuration");
    let checked = parse(&SourceFile::new("docs.json", text), &|_| None);
    assert_eq!(checked.diagnostics, [], "{integrations}");
    checked.value.expect("it is an object")
}

fn loading() -> SiteOptions {
    SiteOptions {
        integrations: true,
        ..SiteOptions::default()
    }
}

fn page(integrations: &str, site: SiteOptions, scripts: &[&str]) -> String {
    let options = RenderOptions {
        site,
        scripts: scripts.iter().map(|path| (*path).to_owned()).collect(),
        ..RenderOptions::default()
    };
    document_with(&files(integrations), "/a", options)
}

/// Settings of each service, the URL of its script, and the sources of its scripts.
const SERVICES: &[(&str, &str, &str, &[&str])] = &[
    (
        "adobe",
        r#"{"launchUrl": "https://tags.test/a-1.min.js"}"#,
        "https://tags.test/a-1.min.js",
        &["https://tags.test"],
    ),
    (
        "amplitude",
        r#"{"apiKey": "abc"}"#,
        "https://cdn.amplitude.com/script/abc.js",
        &["https://cdn.amplitude.com"],
    ),
    (
        "clarity",
        r#"{"projectId": "abc"}"#,
        "https://www.clarity.ms/tag/abc",
        &["https://scripts.clarity.ms", "https://www.clarity.ms"],
    ),
    (
        "clearbit",
        r#"{"publicApiKey": "pk_1"}"#,
        "https://tag.clearbitscripts.com/v1/pk_1/tags.js",
        &[
            "https://tag.clearbitscripts.com",
            "https://x.clearbitjs.com",
        ],
    ),
    (
        "fathom",
        r#"{"siteId": "ABC"}"#,
        "https://cdn.usefathom.com/script.js",
        &["https://cdn.usefathom.com"],
    ),
    (
        "frontchat",
        r#"{"snippetId": "abcdef"}"#,
        "https://chat-assets.frontapp.com/v1/chat.bundle.js",
        &["https://chat-assets.frontapp.com"],
    ),
    (
        "ga4",
        r#"{"measurementId": "G-1"}"#,
        "https://www.googletagmanager.com/gtag/js?id=G-1",
        &["https://www.googletagmanager.com"],
    ),
    (
        "gtm",
        r#"{"tagId": "GTM-1"}"#,
        "https://www.googletagmanager.com/gtm.js?id=GTM-1",
        &["https://www.googletagmanager.com"],
    ),
    (
        "heap",
        r#"{"appId": 12}"#,
        "https://cdn.us.heap-api.com/config/12/heap_config.js",
        &["https://cdn.us.heap-api.com"],
    ),
    (
        "hightouch",
        r#"{"writeKey": "abc"}"#,
        "https://cdn.hightouch-events.com/browser/release/v1-latest/events.min.js",
        &["https://cdn.hightouch-events.com"],
    ),
    (
        "hotjar",
        r#"{"hjid": 12, "hjsv": "6"}"#,
        "https://static.hotjar.com/c/hotjar-12.js?sv=6",
        &["https://script.hotjar.com", "https://static.hotjar.com"],
    ),
    (
        "intercom",
        r#"{"appId": "abcdef"}"#,
        "https://widget.intercom.io/widget/abcdef",
        &["https://js.intercomcdn.com", "https://widget.intercom.io"],
    ),
    (
        "koala",
        r#"{"publicApiKey": "pk_1"}"#,
        "https://cdn.getkoala.com/v1/pk_1/sdk.js",
        &["https://cdn.getkoala.com"],
    ),
    (
        "logrocket",
        r#"{"appId": "a/b"}"#,
        "https://cdn.logr-in.com/LogRocket.min.js",
        &["https://cdn.logr-in.com"],
    ),
    (
        "mixpanel",
        r#"{"projectToken": "abc"}"#,
        "https://cdn.mxpnl.com/libs/mixpanel-2-latest.min.js",
        &["https://cdn.mxpnl.com"],
    ),
    (
        "onetrust",
        r#"{"domainScript": "abc-1"}"#,
        "https://cdn.cookielaw.org/scripttemplates/otSDKStub.js",
        &[
            "https://cdn.cookielaw.org",
            "https://geolocation.onetrust.com",
        ],
    ),
    (
        "pirsch",
        r#"{"id": "abc"}"#,
        "https://api.pirsch.io/pa.js",
        &["https://api.pirsch.io"],
    ),
    (
        "plausible",
        r#"{"domain": "a.test"}"#,
        "https://plausible.io/js/script.js",
        &["https://plausible.io"],
    ),
    (
        "posthog",
        r#"{"apiKey": "phc_1"}"#,
        "https://us-assets.i.posthog.com/static/array.js",
        &[
            "https://us-assets.i.posthog.com",
            "https://us.i.posthog.com",
        ],
    ),
    (
        "segment",
        r#"{"key": "abc"}"#,
        "https://cdn.segment.com/analytics.js/v1/abc/analytics.min.js",
        &["https://cdn.segment.com"],
    ),
    (
        "transcend",
        r#"{"bundleId": "abc"}"#,
        "https://transcend-cdn.com/cm/abc/airgap.js",
        &["https://transcend-cdn.com"],
    ),
];

fn sources(integrations: &str, directive: Directive) -> Vec<String> {
    let all = Integrations::new(&config(integrations), &loading()).policy_sources();
    let matching = all
        .into_iter()
        .filter(|source| source.directive == directive);
    matching.map(|source| source.source).collect()
}

#[test]
fn every_service_of_the_configuration_is_loaded_from_its_hosts() {
    let mut names = BTreeSet::new();
    for section in option_docs() {
        for key in section.keys {
            let rest = key.path.strip_prefix("integrations.").map(str::to_owned);
            let name = rest.and_then(|rest| Some(rest.split_once('.')?.0.to_owned()));
            names.extend(name.filter(|name| name != "cookies" && name != "telemetry"));
        }
    }
    let listed: BTreeSet<String> = ALL.iter().map(|service| service.name.to_owned()).collect();
    assert_eq!(listed, names);
    assert_eq!(SERVICES.len(), ALL.len());
    for (name, settings, url, scripts) in SERVICES {
        let integrations = format!("{{\"{name}\": {settings}}}");
        let html = page(&integrations, loading(), &[]);
        assert!(
            html.contains(&format!("\"url\":\"{url}\"")),
            "{name}: {html}"
        );
        assert!(html.contains(&assets()[0].name), "{name}");
        assert_eq!(
            sources(&integrations, Directive::Scripts),
            *scripts,
            "{name}"
        );
    }
}

#[test]
fn hosts_of_the_configuration_replace_those_of_the_service() {
    for (integrations, scripts, connections) in [
        (
            r#"{"plausible": {"domain": "a.test", "server": "stats.test:8443"}}"#,
            &["https://stats.test:8443"][..],
            &["https://stats.test:8443"][..],
        ),
        (
            r#"{"posthog": {"apiKey": "phc_1", "apiHost": "https://eu.posthog.com/"}}"#,
            &[
                "https://eu-assets.i.posthog.com",
                "https://eu.i.posthog.com",
            ],
            &[
                "https://eu-assets.i.posthog.com",
                "https://eu.i.posthog.com",
            ],
        ),
        (
            r#"{"posthog": {"apiKey": "phc_1", "apiHost": "https://a.test/ingest"}}"#,
            &["https://a.test"],
            &["https://a.test"],
        ),
        (
            r#"{"segment": {"key": "a", "cdnUrl": "https://CDN.test/x/"}}"#,
            &["https://cdn.test"],
            &["https://api.segment.io", "https://cdn.test"],
        ),
        (
            r#"{"hightouch": {"writeKey": "a", "apiHost": "events.test"}}"#,
            &["https://cdn.hightouch-events.com"],
            &["https://cdn.hightouch-events.com", "https://events.test"],
        ),
        (
            r#"{"onetrust": {"domainScript": "a", "scriptSource": "https://ot.test/x/otSDKStub.js"}}"#,
            &["https://geolocation.onetrust.com", "https://ot.test"],
            &["https://*.onetrust.com", "https://cdn.cookielaw.org"],
        ),
        (
            r#"{"mixpanel": {"projectToken": "a", "region": "eu"}}"#,
            &["https://cdn.mxpnl.com"],
            &["https://api-eu.mixpanel.com"],
        ),
    ] {
        assert_eq!(
            sources(integrations, Directive::Scripts),
            scripts,
            "{integrations}"
        );
        assert_eq!(
            sources(integrations, Directive::Connections),
            connections,
            "{integrations}"
        );
    }
}

#[test]
fn pages_contain_services_only_if_the_options_include_them() {
    let none = page("{}", loading(), &[]);
    assert_eq!(page("{}", SiteOptions::default(), &[]), none);
    let fathom = r#"{"fathom": {"siteId": "ABC"}, "cookies": {}}"#;
    assert_eq!(page(fathom, SiteOptions::default(), &[]), none);
    let without_scripts = SiteOptions {
        without_scripts: true,
        ..loading()
    };
    let plain = SiteOptions {
        without_scripts: true,
        ..SiteOptions::default()
    };
    assert_eq!(page(fathom, without_scripts, &[]), page("{}", plain, &[]));
    assert!(page(r#"{"telemetry": {"enabled": false}}"#, loading(), &[]) == none);
}

#[test]
fn the_loader_of_repository_scripts_loads_the_script_before_theirs() {
    let html = page(r#"{"fathom": {"siteId": "ABC"}}"#, loading(), &["/own.js"]);
    let (_, list) = html.split_once("for(const[a,m]of ").expect("the loader");
    let at = |text: &str| list.find(text).expect(text);
    assert!(at(&assets()[0].name) < at("/own.js"));
    assert!(!html.contains(&format!("src=\"/_svc/assets/{}", assets()[0].name)));
}

#[test]
fn settings_are_data_and_cannot_end_the_block() {
    let html = page(
        r#"{"fathom": {"siteId": "ABC"}, "cookies": {"key": "</script><b>", "value": 1}}"#,
        loading(),
        &[],
    );
    let (_, block) = html
        .split_once("data-svc-integrations>")
        .expect("the block");
    let (data, _) = block.split_once("</script>").expect("its end");
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["cookies"]["key"], "</script><b>");
    assert_eq!(data["cookies"]["value"], "1");
    assert_eq!(data["services"][0]["attributes"]["data-site"], "ABC");
}

#[test]
fn readers_choose_in_the_dialog_or_in_that_of_a_service() {
    // spec: view.integrations accepts
    let own = page(
        r#"{"fathom": {"siteId": "A"}, "ga4": {"measurementId": "G-1"}, "cookies": {}}"#,
        loading(),
        &[],
    );
    assert!(own.contains("class=\"svc-consent\""));
    assert!(
        own.contains("<strong>Fathom, Google Analytics</strong>."),
        "{own}"
    );
    assert!(own.contains("data-svc-privacy hidden>Privacy settings"));
    assert!(own.contains(r#""cookies":{"key":"svc-consent","value":"accepted"}"#));
    let managed = page(
        r#"{"fathom": {"siteId": "A"}, "transcend": {"bundleId": "b"}}"#,
        loading(),
        &[],
    );
    assert!(!managed.contains("class=\"svc-consent\"") && managed.contains("data-svc-privacy"));
    assert!(managed.contains(r#""manager":{"#));
    let without = page(r#"{"fathom": {"siteId": "A"}}"#, loading(), &[]);
    assert!(!without.contains("svc-consent") && !without.contains("data-svc-privacy"));
    assert!(!without.contains(&assets()[1].name) && own.contains(&assets()[1].name));
}

#[test]
fn diagnostics_name_hosts_and_consent() {
    let messages = |integrations: &str, options: &SiteOptions| -> Vec<String> {
        let all = report_integrations(&config(integrations), options);
        all.into_iter()
            .map(|diagnostic| {
                assert!(diagnostic.location.is_some());
                diagnostic.message
            })
            .collect()
    };
    let plausible = r#"{"plausible": {"domain": "a.test"}}"#;
    assert_eq!(
        messages(plausible, &SiteOptions::default()),
        [
            "every page loads `plausible` without the consent of readers; browsers send data to plausible.io"
        ]
    );
    let with_dialog = r#"{"plausible": {"domain": "a.test"}, "cookies": {}}"#;
    assert_eq!(
        messages(with_dialog, &loading()),
        ["every page loads `plausible` after readers consent; browsers send data to plausible.io"]
    );
    let managed = r#"{"plausible": {"domain": "a.test"}, "transcend": {"bundleId": "b"}}"#;
    assert_eq!(
        messages(managed, &loading()),
        [
            "every page loads `transcend`, which manages consent; browsers send data to sync-transcend-cdn.com, telemetry.transcend.io, telemetry.us.transcend.io, transcend-cdn.com",
            "every page loads `plausible` after readers consent in `transcend`; browsers send data to plausible.io"
        ]
    );
    let without_scripts = SiteOptions {
        without_scripts: true,
        ..loading()
    };
    assert_eq!(
        messages(plausible, &without_scripts),
        ["`plausible` is not loaded, because scripts are disabled for this site"]
    );
    assert_eq!(messages("{}", &loading()), [""; 0]);
}
