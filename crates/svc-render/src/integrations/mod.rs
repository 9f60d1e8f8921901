//! `integrations`: services of other companies that pages load.
//!
//! Pages of a site with services contain one block of data and one script. The data says which
//! scripts to load, with which attributes and settings; no setting becomes part of a script. Each
//! service is a module of its own with the sources that its scripts need in the policy of the page.

mod adobe;
mod amplitude;
mod clarity;
mod clearbit;
mod fathom;
mod frontchat;
mod ga4;
mod gtm;
mod heap;
mod hightouch;
mod hotjar;
mod intercom;
mod koala;
mod logrocket;
mod mixpanel;
mod onetrust;
mod pirsch;
mod plausible;
mod posthog;
mod report;
mod segment;
mod service;
mod transcend;

use std::sync::OnceLock;

use serde_json::{Value, json};
use svc_config::{Integration, SiteConfig};

use crate::assets::asset::{self, ProgramAsset};
use crate::html::Html;
use crate::i18n::{Messages, split_placeholder};
use crate::site_options::SiteOptions;

pub(crate) use report::INTEGRATION;
pub use report::report_integrations;
pub use service::{Directive, PolicySource};
use service::{Service, ServiceLoad};

/// All services.
static ALL: &[&Service] = &[
    &adobe::SERVICE,
    &amplitude::SERVICE,
    &clarity::SERVICE,
    &clearbit::SERVICE,
    &fathom::SERVICE,
    &frontchat::SERVICE,
    &ga4::SERVICE,
    &gtm::SERVICE,
    &heap::SERVICE,
    &hightouch::SERVICE,
    &hotjar::SERVICE,
    &intercom::SERVICE,
    &koala::SERVICE,
    &logrocket::SERVICE,
    &mixpanel::SERVICE,
    &onetrust::SERVICE,
    &pirsch::SERVICE,
    &plausible::SERVICE,
    &posthog::SERVICE,
    &segment::SERVICE,
    &transcend::SERVICE,
];

/// Entry of the local storage that signals consent, unless the site names one.
const CONSENT_KEY: &str = "svc-consent";
/// Value of the entry, unless the site names one.
const CONSENT_VALUE: &str = "accepted";

/// A configured service.
#[derive(Debug)]
struct LoadedService {
    service: &'static Service,
    load: ServiceLoad,
}

impl LoadedService {
    fn new(settings: &Integration) -> Option<Self> {
        let service = ALL.iter().find(|service| service.name == settings.name)?;
        Some(Self {
            service,
            load: (service.load)(settings),
        })
    }

    /// Whether it manages consent.
    fn is_manager(&self) -> bool {
        matches!(self.service.name, "onetrust" | "transcend")
    }

    fn data(&self) -> Value {
        self.load.data(self.service.name)
    }
}

/// The services that the pages of a site load.
///
/// ```
/// use svc_config::{SourceFile, parse};
/// use svc_render::{Integrations, SiteOptions};
/// let text = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#070"},
///     "integrations": {"fathom": {"siteId": "ABC"}}, "navigation": {"pages": ["index"]}}"##;
/// let site = parse(&SourceFile::new("docs.json", text), &|_| None).value.expect("a site");
/// let options = SiteOptions { integrations: true, ..SiteOptions::default() };
/// let services = Integrations::new(&site, &options);
/// assert_eq!(services.policy_sources()[0].source, "https://cdn.usefathom.com");
/// assert!(Integrations::new(&site, &SiteOptions::default()).is_empty());
/// ```
#[derive(Debug)]
pub struct Integrations {
    /// The service that manages consent.
    manager: Option<LoadedService>,
    services: Vec<LoadedService>,
    /// Key and value of the entry of the local storage that signals consent.
    cookies: Option<(String, String)>,
}

impl Integrations {
    /// The services of a configuration; none if the options exclude them or all scripts.
    pub fn new(config: &SiteConfig, options: &SiteOptions) -> Self {
        match options.integrations && !options.without_scripts {
            true => Self::configured(config),
            false => Self {
                manager: None,
                services: Vec::new(),
                cookies: None,
            },
        }
    }

    /// The services of a configuration.
    fn configured(config: &SiteConfig) -> Self {
        let loaded = config.integrations.iter().filter_map(LoadedService::new);
        let (managers, services): (Vec<_>, Vec<_>) = loaded.partition(LoadedService::is_manager);
        let cookies = config.integrations.iter();
        let mut cookies = cookies.filter(|settings| settings.name == "cookies");
        Self {
            manager: managers.into_iter().next(),
            cookies: cookies.next().map(|settings| {
                let text = |key, default| settings.text(key).unwrap_or(default).to_owned();
                (text("key", CONSENT_KEY), text("value", CONSENT_VALUE))
            }),
            services,
        }
    }

    /// Whether pages load nothing.
    pub fn is_empty(&self) -> bool {
        self.manager.is_none() && self.services.is_empty()
    }

    /// The sources that the policy of pages must allow, in order and without duplicates.
    pub fn policy_sources(&self) -> Vec<PolicySource> {
        let all = self.manager.iter().chain(&self.services);
        let mut sources: Vec<PolicySource> = all
            .flat_map(|loaded| loaded.load.sources().iter().cloned())
            .collect();
        sources.sort();
        sources.dedup();
        sources
    }

    /// Whether readers have a choice: in the consent dialog or in that of a service.
    fn has_choice(&self) -> bool {
        !self.is_empty() && (self.manager.is_some() || self.cookies.is_some())
    }

    /// File name of the script of pages; `None` if they load nothing.
    pub(crate) fn script(&self) -> Option<&'static str> {
        (!self.is_empty()).then(|| &*assets()[0].name)
    }

    /// File name of the style sheet; `None` if readers have no choice.
    pub(crate) fn stylesheet(&self) -> Option<&'static str> {
        self.has_choice().then(|| &*assets()[1].name)
    }

    /// Whether pages contain the asset of the program with this name.
    pub fn uses(&self, asset: &str) -> bool {
        [self.script(), self.stylesheet()].contains(&Some(asset))
    }

    /// The block of data for the script; empty if pages load nothing.
    pub(crate) fn block(&self) -> Html {
        let mut html = Html::new();
        if self.is_empty() {
            return html;
        }
        let services: Vec<Value> = self.services.iter().map(LoadedService::data).collect();
        let cookies = self.cookies.as_ref();
        let data = json!({
            "services": services,
            "manager": self.manager.as_ref().map(LoadedService::data),
            "cookies": cookies.map(|(key, value)| json!({ "key": key, "value": value })),
        });
        // In a script element only `<` can end the data; JSON can escape it.
        let text = data.to_string().replace('<', "\\u003c");
        html.lit("<script type=\"application/json\" data-svc-integrations>")
            .add(&Html::trusted(text))
            .lit("</script>");
        html
    }

    /// The consent dialog, which the script shows; empty if pages have none.
    pub(crate) fn dialog(&self, texts: &Messages) -> Html {
        let mut html = Html::new();
        if !self.has_choice() || self.manager.is_some() {
            return html;
        }
        let titles: Vec<&str> = self
            .services
            .iter()
            .map(|loaded| loaded.service.title)
            .collect();
        let (before, after) = split_placeholder(texts.consent_text);
        html.lit("<section class=\"svc-consent\" aria-labelledby=\"svc-consent-title\" hidden>")
            .lit("<p class=\"svc-consent-title\" id=\"svc-consent-title\">")
            .esc(texts.consent_title)
            .lit("</p><p>")
            .esc(before)
            .lit("<strong>")
            .esc(&titles.join(", "))
            .lit("</strong>")
            .esc(after)
            .lit("</p><div class=\"svc-consent-choices\">");
        for (choice, label) in [
            ("decline", texts.consent_decline),
            ("accept", texts.consent_accept),
        ] {
            html.lit("<button type=\"button\"")
                .attr("data-svc-choice", choice)
                .lit(">")
                .esc(label)
                .lit("</button>");
        }
        html.lit("</div></section>");
        html
    }

    /// The button that lets readers choose differently; empty if they have no choice.
    pub(crate) fn privacy_button(&self, texts: &Messages) -> Html {
        let mut html = Html::new();
        if self.has_choice() {
            html.lit("<button type=\"button\" class=\"svc-privacy\" data-svc-privacy hidden>")
                .esc(texts.privacy_settings)
                .lit("</button>");
        }
        html
    }
}

/// The script and the style sheet of pages with services.
pub(crate) fn assets() -> &'static [ProgramAsset; 2] {
    static ASSETS: OnceLock<[ProgramAsset; 2]> = OnceLock::new();
    ASSETS.get_or_init(|| {
        let mut js = String::from(include_str!("parts.js"));
        let services = ALL.iter().map(|service| service.js);
        let rest = [include_str!("consent.js"), include_str!("loader.js")];
        services.chain(rest).for_each(|part| js.push_str(part));
        let own = |asset| ProgramAsset {
            integrations: true,
            ..asset
        };
        [
            own(asset::script(
                "integrations",
                format!("(() => {{\n{js}}})();\n"),
            )),
            own(asset::sheet("consent", include_str!("consent.css"))),
        ]
    })
}

#[cfg(test)]
mod tests;
