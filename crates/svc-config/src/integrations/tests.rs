//! Settings of services: what is valid, and what is reported.

use crate::tests::{errors_of, problems_of, site_of};

#[test]
fn valid_integrations_are_retained() {
    let json = r#""integrations":{"ga4":{"measurementId":"G-1"},"telemetry":{"enabled":false},"hotjar":{"hjid":1,"hjsv":"6"}}"#;
    assert_eq!(problems_of(json), [""; 0]);
    let services = site_of(json).value.unwrap().integrations;
    assert_eq!(services.len(), 3);
    assert_eq!(services[0].text("measurementId"), Some("G-1"));
    assert_eq!(services[1].flag("enabled"), Some(false));
    assert_eq!(services[2].text("hjid"), Some("1"));
}

#[test]
fn problems_of_integrations() {
    for (json, expected) in [
        (
            r#"{"ga4":{"measurementId":"X"}}"#,
            "/integrations/ga4/measurementId config-value",
        ),
        (
            r#"{"ga4":{}}"#,
            "/integrations/ga4/measurementId config-missing",
        ),
        (
            r#"{"posthog":{"apiKey":"abc"}}"#,
            "/integrations/posthog/apiKey config-value",
        ),
        (
            r#"{"plausible":{"domain":"https://x"}}"#,
            "/integrations/plausible/domain config-value",
        ),
        (
            r#"{"intercom":{"appId":"a"}}"#,
            "/integrations/intercom/appId config-value",
        ),
        (
            r#"{"mixpanel":{"projectToken":"a","region":"uk"}}"#,
            "/integrations/mixpanel/region config-value",
        ),
        (
            r#"{"segment":{"key":"a","cdnUrl":"https://x.com/?a"}}"#,
            "/integrations/segment/cdnUrl config-value",
        ),
        (
            r#"{"transcend":{"bundleId":"a b"}}"#,
            "/integrations/transcend/bundleId config-value",
        ),
        (
            r#"{"adobe":{"launchUrl":"x"}}"#,
            "/integrations/adobe/launchUrl config-value",
        ),
        (r#"{"frontchat":5}"#, "/integrations/frontchat config-type"),
    ] {
        assert_eq!(errors_of(&format!("\"integrations\":{json}")), [expected]);
    }
    assert_eq!(
        problems_of(r#""integrations":{"foo":{}}"#),
        ["/integrations/foo config-unknown-key"]
    );
}

#[test]
fn identifiers_and_hosts_contain_no_other_characters() {
    for json in [
        r#"{"ga4":{"measurementId":"G-1');alert(1)//"}}"#,
        r#"{"gtm":{"tagId":"GTM-1&x=1"}}"#,
        r#"{"hotjar":{"hjid":"1/../x","hjsv":6}}"#,
        r#"{"logrocket":{"appId":"a//b"}}"#,
        r#"{"logrocket":{"appId":"a/../b"}}"#,
        r#"{"clarity":{"projectId":"</script>"}}"#,
        r#"{"plausible":{"domain":"a.com","server":"a.com; script-src *"}}"#,
        r#"{"plausible":{"domain":"a.com","server":"a.com/x"}}"#,
        r#"{"plausible":{"domain":"a\"b"}}"#,
        r#"{"hightouch":{"writeKey":"a","apiHost":"https://a.com"}}"#,
        r#"{"posthog":{"apiKey":"phc_"}}"#,
        r#"{"posthog":{"apiKey":"phc_a","apiHost":"http://a.com"}}"#,
        r#"{"posthog":{"apiKey":"phc_a","apiHost":"https://a.com,*"}}"#,
        r#"{"adobe":{"launchUrl":"https://u:p@a.com/x.js"}}"#,
        r#"{"onetrust":{"domainScript":"a","scriptSource":"https://a.com;x/y.js"}}"#,
        r#"{"heap":{"appId":-1.5}}"#,
    ] {
        let json = format!("\"integrations\":{json}");
        assert_eq!(errors_of(&json).len(), 1, "{json}");
        assert_eq!(site_of(&json).value.unwrap().integrations, [], "{json}");
    }
}

#[test]
fn one_key_decides_about_consent() {
    let names = |json: &str| -> Vec<String> {
        let site = site_of(json).value.unwrap();
        let services = site.integrations.into_iter();
        services.map(|service| service.name).collect()
    };
    let json = r#""integrations":{"cookies":{},"transcend":{"bundleId":"b"},"onetrust":{"domainScript":"a"},"fathom":{"siteId":"a"}}"#;
    assert_eq!(
        problems_of(json),
        [
            "/integrations/cookies config-unsupported",
            "/integrations/transcend config-unsupported"
        ]
    );
    assert_eq!(names(json), ["onetrust", "fathom"]);
    let alone = r#""integrations":{"cookies":{"key":"a"},"telemetry":{"enabled":false}}"#;
    assert_eq!(
        problems_of(alone),
        ["/integrations/cookies config-unsupported"]
    );
    let used = r#""integrations":{"cookies":{"key":"a"},"fathom":{"siteId":"a"}}"#;
    assert_eq!(problems_of(used), [""; 0]);
    assert_eq!(names(used), ["cookies", "fathom"]);
}
