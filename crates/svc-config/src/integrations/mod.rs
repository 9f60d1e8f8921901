//! `integrations`: analytics, chat and consent services.

mod rule;

use std::collections::BTreeMap;

use serde_json::Value as Json;
use svc_data::{Number, Value};
use svc_diagnostics::did_you_mean;

use crate::{
    codes::{UNKNOWN_KEY, UNSUPPORTED, VALUE},
    decode::{Cx, Fields, NodeRef},
    keys::{shape::Shape, value_kind},
};

pub(crate) use rule::Rule;

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

/// An identifier of any length.
const IDENTIFIER: Rule = identifier("", 1);

const fn identifier(prefix: &'static str, min: usize) -> Rule {
    Rule::Identifier { prefix, min }
}

/// The services and their settings.
pub(crate) static SERVICES: &[(&str, &[Setting])] = &[
    ("adobe", &[required("launchUrl", Rule::Https)]),
    ("amplitude", &[required("apiKey", IDENTIFIER)]),
    ("clarity", &[required("projectId", IDENTIFIER)]),
    ("clearbit", &[required("publicApiKey", IDENTIFIER)]),
    (
        "cookies",
        &[optional("key", Rule::Text), optional("value", Rule::Text)],
    ),
    ("fathom", &[required("siteId", IDENTIFIER)]),
    ("frontchat", &[required("snippetId", identifier("", 6))]),
    ("ga4", &[required("measurementId", identifier("G", 2))]),
    ("gtm", &[required("tagId", identifier("G", 2))]),
    ("heap", &[required("appId", IDENTIFIER)]),
    (
        "hightouch",
        &[
            required("writeKey", IDENTIFIER),
            optional("apiHost", Rule::Host),
        ],
    ),
    (
        "hotjar",
        &[
            required("hjid", Rule::Digits),
            required("hjsv", Rule::Digits),
        ],
    ),
    ("intercom", &[required("appId", identifier("", 6))]),
    ("koala", &[required("publicApiKey", identifier("", 2))]),
    ("logrocket", &[required("appId", Rule::Path)]),
    (
        "mixpanel",
        &[
            required("projectToken", IDENTIFIER),
            optional("region", Rule::OneOf(&["us", "eu", "in"])),
        ],
    ),
    (
        "onetrust",
        &[
            required("domainScript", IDENTIFIER),
            optional("categoryId", IDENTIFIER),
            optional("scriptSource", Rule::Https),
        ],
    ),
    ("pirsch", &[required("id", IDENTIFIER)]),
    (
        "plausible",
        &[
            required("domain", Rule::SiteNames),
            optional("server", Rule::Host),
        ],
    ),
    (
        "posthog",
        &[
            required("apiKey", identifier("phc_", 5)),
            optional("apiHost", Rule::PlainHttps),
            optional("sessionRecording", Rule::Boolean),
        ],
    ),
    (
        "segment",
        &[
            required("key", IDENTIFIER),
            optional("cdnUrl", Rule::PlainHttps),
        ],
    ),
    ("telemetry", &[optional("enabled", Rule::Boolean)]),
    (
        "transcend",
        &[
            required("bundleId", IDENTIFIER),
            optional("analyticsPurpose", Rule::MaxLength(100)),
        ],
    ),
];

/// Services that manage the consent of readers. The first one that is configured decides for all
/// others.
const CONSENT_MANAGERS: [&str; 2] = ["onetrust", "transcend"];

/// A service of `integrations` with its settings.
///
/// ```
/// use svc_config::{SourceFile, parse};
/// let text = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#070"},
///     "integrations": {"hotjar": {"hjid": 12, "hjsv": "6"}}, "navigation": {"pages": ["index"]}}"##;
/// let site = parse(&SourceFile::new("docs.json", text), &|_| None).value.expect("a site");
/// let hotjar = &site.integrations[0];
/// assert_eq!((&*hotjar.name, hotjar.text("hjid")), ("hotjar", Some("12")));
/// assert!(hotjar.text("apiHost").is_none() && hotjar.flag("enabled").is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Integration {
    /// Key of the service.
    pub name: String,
    settings: BTreeMap<&'static str, Json>,
}

impl Integration {
    /// The text of a setting, without white space around it; numbers are texts. `None` if it is
    /// not set.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.settings.get(key).and_then(Json::as_str)
    }

    /// The value of a setting that is true or false. `None` if it is not set.
    pub fn flag(&self, key: &str) -> Option<bool> {
        self.settings.get(key).and_then(Json::as_bool)
    }
}

value_kind!(pub(crate) Integrations -> Vec<Integration> = Shape::Services, decode);

/// Decodes the services whose settings are valid.
fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Vec<Integration>> {
    let fields = cx.map(at)?;
    let mut services = Vec::new();
    for (name, service) in fields.iter() {
        let Some((_, settings)) = SERVICES.iter().find(|(known, _)| *known == name) else {
            let known_names = SERVICES.iter().map(|(known, _)| *known);
            let near = did_you_mean(name, known_names);
            let hint = near.map_or_else(
                || "the key has no effect; remove it".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            let message = format!("unknown integration `{name}`");
            let (span, pointer) = (fields.key_span(name), service.pointer());
            cx.report_at(&UNKNOWN_KEY, span, pointer, message, hint);
            if let Some(near) = near {
                cx.fix_key(&fields, name, near);
            }
            continue;
        };
        if let Some(settings) = decode_settings(cx, &service, settings) {
            services.push(Integration {
                name: name.to_owned(),
                settings,
            });
        }
    }
    let manager = consent_manager(&services);
    check_consent(cx, &fields, &services, manager);
    services.retain(|service| match manager {
        Some(manager) => service.name == manager || !is_about_consent(&service.name),
        None => true,
    });
    Some(services)
}

fn consent_manager(services: &[Integration]) -> Option<&'static str> {
    let is_set = |name: &&str| services.iter().any(|service| service.name == *name);
    CONSENT_MANAGERS.into_iter().find(is_set)
}

fn is_about_consent(name: &str) -> bool {
    name == "cookies" || CONSENT_MANAGERS.contains(&name)
}

/// Reports keys about consent without effect: only one of them decides.
fn check_consent(
    cx: &mut Cx,
    fields: &Fields<'_>,
    services: &[Integration],
    manager: Option<&str>,
) {
    let needs_consent = |name: &str| !is_about_consent(name) && name != "telemetry";
    let is_needed = services.iter().any(|service| needs_consent(&service.name));
    for (name, at) in fields.iter() {
        let reason = match manager {
            _ if services.iter().all(|service| service.name != name) => continue,
            Some(manager) if is_about_consent(name) && name != manager => {
                format!("`{manager}` manages consent")
            }
            None if name == "cookies" && !is_needed => "no service is loaded".to_owned(),
            _ => continue,
        };
        let message = format!("{} has no effect: {reason}", at.name());
        cx.report(&UNSUPPORTED, &at, message, "remove the key");
    }
}

type Settings = BTreeMap<&'static str, Json>;

/// The settings of a service; `None` unless all are valid and the required ones are there.
fn decode_settings(
    cx: &mut Cx,
    at: &NodeRef<'_>,
    settings: &'static [Setting],
) -> Option<Settings> {
    let known: Vec<&str> = settings.iter().map(|setting| setting.key).collect();
    let fields = cx.object(at, &known)?;
    let mut decoded = Some(Settings::new());
    for setting in settings {
        let read = |cx: &mut Cx, at: &NodeRef<'_>| value(cx, at, setting.rule);
        let is_set = fields.has(setting.key);
        let value = match setting.required {
            true => cx.required(&fields, setting.key, read),
            false => cx.optional(&fields, setting.key, read),
        };
        match value {
            Some(value) => {
                decoded = decoded.map(|mut settings| {
                    settings.insert(setting.key, value);
                    settings
                });
            }
            None if setting.required || is_set => decoded = None,
            None => {}
        }
    }
    decoded
}

fn value(cx: &mut Cx, at: &NodeRef<'_>, rule: Rule) -> Option<Json> {
    if let Rule::Boolean = rule {
        return cx.boolean(at).map(Json::Bool);
    }
    let text = match (&at.tree.value, rule.allows_numbers()) {
        // IDs are often written as numbers.
        (Value::Number(Number::Int(number)), true) => number.to_string(),
        _ => cx.non_empty_string(at)?,
    };
    if rule.matches(&text) {
        return Some(Json::String(text));
    }
    let message = format!("{} is not valid", at.name());
    cx.report(&VALUE, at, message, rule.hint());
    None
}

#[cfg(test)]
mod tests;
