//! `integrations`: analytics, chat and consent services.

use svc_data::Value;
use svc_diagnostics::did_you_mean;

use crate::{
    codes::{UNKNOWN_KEY, UNSUPPORTED, VALUE},
    decode::{Cx, NodeRef},
    keys::{shape::Shape, value_kind},
    text::value_list,
    url::{is_https, is_web_url},
};

/// The rule that a setting must satisfy.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rule {
    Text,
    /// A text of at least this many characters.
    MinLength(usize),
    Prefix(&'static str),
    OneOf(&'static [&'static str]),
    Url,
    Https,
    /// An `https` URL without query and fragment.
    PlainHttps,
    /// A host name without scheme.
    Host,
    /// Letters, digits, `-` and `_`.
    Identifier,
    /// A text of at most this many characters.
    MaxLength(usize),
    Boolean,
}

pub(crate) struct Setting {
    pub(crate) key: &'static str,
    pub(crate) required: bool,
    pub(crate) rule: Rule,
}

const fn required(key: &'static str, rule: Rule) -> Setting {
    Setting {
        key,
        required: true,
        rule,
    }
}

const fn optional(key: &'static str, rule: Rule) -> Setting {
    Setting {
        key,
        required: false,
        rule,
    }
}

/// The services and their settings.
pub(crate) static SERVICES: &[(&str, &[Setting])] = &[
    ("adobe", &[required("launchUrl", Rule::Url)]),
    ("amplitude", &[required("apiKey", Rule::Text)]),
    ("clarity", &[required("projectId", Rule::Text)]),
    ("clearbit", &[required("publicApiKey", Rule::Text)]),
    (
        "cookies",
        &[optional("key", Rule::Text), optional("value", Rule::Text)],
    ),
    ("fathom", &[required("siteId", Rule::Text)]),
    ("frontchat", &[required("snippetId", Rule::MinLength(6))]),
    ("ga4", &[required("measurementId", Rule::Prefix("G"))]),
    ("gtm", &[required("tagId", Rule::Prefix("G"))]),
    ("heap", &[required("appId", Rule::Text)]),
    (
        "hightouch",
        &[
            required("writeKey", Rule::Text),
            optional("apiHost", Rule::Text),
        ],
    ),
    (
        "hotjar",
        &[required("hjid", Rule::Text), required("hjsv", Rule::Text)],
    ),
    ("intercom", &[required("appId", Rule::MinLength(6))]),
    ("koala", &[required("publicApiKey", Rule::MinLength(2))]),
    ("logrocket", &[required("appId", Rule::Text)]),
    (
        "mixpanel",
        &[
            required("projectToken", Rule::Text),
            optional("region", Rule::OneOf(&["us", "eu", "in"])),
        ],
    ),
    (
        "onetrust",
        &[
            required("domainScript", Rule::Text),
            optional("categoryId", Rule::Text),
            optional("scriptSource", Rule::Https),
        ],
    ),
    ("pirsch", &[required("id", Rule::Text)]),
    (
        "plausible",
        &[
            required("domain", Rule::Host),
            optional("server", Rule::Host),
        ],
    ),
    (
        "posthog",
        &[
            required("apiKey", Rule::Prefix("phc_")),
            optional("apiHost", Rule::Url),
            optional("sessionRecording", Rule::Boolean),
        ],
    ),
    (
        "segment",
        &[
            required("key", Rule::Text),
            optional("cdnUrl", Rule::PlainHttps),
        ],
    ),
    ("telemetry", &[optional("enabled", Rule::Boolean)]),
    (
        "transcend",
        &[
            required("bundleId", Rule::Identifier),
            optional("analyticsPurpose", Rule::MaxLength(100)),
        ],
    ),
];

value_kind!(pub(crate) Integrations -> Vec<(String, serde_json::Value)> = Shape::Services, decode);

/// Decodes the services whose settings are valid, as written.
fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Vec<(String, serde_json::Value)>> {
    let fields = cx.map(at)?;
    let mut services = Vec::new();
    for (name, service) in fields.iter() {
        let Some((_, settings)) = SERVICES.iter().find(|(known, _)| *known == name) else {
            let known_names = SERVICES.iter().map(|(known, _)| *known);
            let hint = did_you_mean(name, known_names).map_or_else(
                || "the key has no effect; remove it".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            let message = format!("unknown integration `{name}`");
            let (span, pointer) = (fields.key_span(name), service.pointer());
            cx.report_at(&UNKNOWN_KEY, span, pointer, message, hint);
            continue;
        };
        if check(cx, &service, settings).is_some() {
            services.push((name.to_owned(), service.tree.to_json()));
        }
    }
    // `telemetry` is not reported, because only the Mintlify platform itself would send it.
    let lost = services.iter().filter(|(name, _)| name != "telemetry");
    let names: Vec<String> = lost.map(|(name, _)| format!("`{name}`")).collect();
    if !names.is_empty() {
        let verb = if names.len() == 1 { "is" } else { "are" };
        let names = names.join(", ");
        let message = format!("{names} {verb} not loaded: integrations are not supported yet");
        let hint = "load what you need from a `.js` file in the repository; every page includes it";
        cx.report(&UNSUPPORTED, at, message, hint);
    }
    Some(services)
}

fn check(cx: &mut Cx, at: &NodeRef<'_>, settings: &'static [Setting]) -> Option<()> {
    let known: Vec<&str> = settings.iter().map(|setting| setting.key).collect();
    let fields = cx.object(at, &known)?;
    let mut good = true;
    for setting in settings {
        let read = |cx: &mut Cx, at: &NodeRef<'_>| value(cx, at, setting.rule);
        if setting.required {
            good &= cx.required(&fields, setting.key, read).is_some();
        } else if fields.has(setting.key) {
            good &= cx.optional(&fields, setting.key, read).is_some();
        }
    }
    good.then_some(())
}

fn value(cx: &mut Cx, at: &NodeRef<'_>, rule: Rule) -> Option<()> {
    if let Rule::Boolean = rule {
        return cx.boolean(at).map(|_| ());
    }
    // Site IDs are often written as numbers.
    if matches!((rule, &at.tree.value), (Rule::Text, Value::Number(_))) {
        return Some(());
    }
    let text = cx.non_empty_string(at)?;
    let hint = match rule {
        Rule::MinLength(count) if text.chars().count() < count => {
            format!("write at least {count} characters")
        }
        Rule::MaxLength(count) if text.chars().count() > count => {
            format!("write at most {count} characters")
        }
        Rule::Prefix(prefix) if !text.starts_with(prefix) => {
            format!("write a value that begins with `{prefix}`")
        }
        Rule::OneOf(values) if !values.contains(&&*text) => {
            format!("write one of {}", value_list(values))
        }
        Rule::Url if !is_web_url(&text) => "write a full URL, `https://…`".to_owned(),
        Rule::Https if !is_https(&text) => "write a full URL, `https://…`".to_owned(),
        Rule::PlainHttps if !is_https(&text) || text.contains(['?', '#']) => {
            "write an `https://` URL without query and fragment".to_owned()
        }
        Rule::Host if text.contains("://") => "write only the host, without `https://`".to_owned(),
        Rule::Identifier
            if !text
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')) =>
        {
            "use letters, digits, `-` and `_`".to_owned()
        }
        _ => return Some(()),
    };
    let message = format!("{} is not valid", at.name());
    cx.report(&VALUE, at, message, hint);
    None
}

#[cfg(test)]
mod tests {
    use crate::tests::{errors_of, problems_of, site_of};

    #[test]
    fn valid_integrations_are_retained_as_written() {
        let json = r#""integrations":{"ga4":{"measurementId":"G-1"},"telemetry":{"enabled":false},"hotjar":{"hjid":1,"hjsv":"6"}}"#;
        assert_eq!(problems_of(json), ["/integrations config-unsupported"]);
        let quiet = r#""integrations":{"telemetry":{"enabled":false}}"#;
        assert_eq!(problems_of(quiet), [""; 0]);
        let services = site_of(json).value.unwrap().integrations;
        assert_eq!(services[0].1["measurementId"], "G-1");
        assert_eq!(services.len(), 3);
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
}
