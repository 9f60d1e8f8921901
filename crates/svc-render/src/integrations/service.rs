//! A service that pages load, and what loading it takes.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use svc_config::{Integration, https_origin};

/// A service of `integrations`.
#[derive(Debug)]
pub(super) struct Service {
    /// Key in `integrations`.
    pub(super) name: &'static str,
    /// Name that readers know.
    pub(super) title: &'static str,
    /// Functions that run before the script of the service is inserted (`prepare`), after it has
    /// loaded (`ready`), or watch the consent that it manages (`managers`).
    pub(super) js: &'static str,
    /// Derives what the page loads from valid settings.
    pub(super) load: fn(&Integration) -> ServiceLoad,
}

/// A directive of the Content Security Policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Directive {
    /// `script-src`
    Scripts,
    /// `connect-src`
    Connections,
    /// `img-src`
    Images,
    /// `frame-src`
    Frames,
    /// `style-src`
    Styles,
}

impl Directive {
    /// The name in a policy.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scripts => "script-src",
            Self::Connections => "connect-src",
            Self::Images => "img-src",
            Self::Frames => "frame-src",
            Self::Styles => "style-src",
        }
    }
}

/// A source that a Content Security Policy allows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PolicySource {
    /// The directive that allows it.
    pub directive: Directive,
    /// The source expression, for example `https://*.example.com`.
    pub source: String,
}

/// What a page loads for a service.
#[derive(Debug)]
pub(super) struct ServiceLoad {
    url: String,
    attributes: Map<String, Value>,
    settings: Map<String, Value>,
    sources: BTreeSet<PolicySource>,
}

impl ServiceLoad {
    /// A script at a URL.
    pub(super) fn new(url: &str) -> Self {
        let load = Self {
            url: url.to_owned(),
            attributes: Map::new(),
            settings: Map::new(),
            sources: BTreeSet::new(),
        };
        load.script_from(url)
    }

    /// Adds an attribute of the script element.
    pub(super) fn attribute(mut self, name: &'static str, value: &str) -> Self {
        self.attributes.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a text for the functions of the service.
    pub(super) fn setting(mut self, name: &'static str, value: &str) -> Self {
        self.settings.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a truth value for the functions of the service.
    pub(super) fn flag(mut self, name: &'static str, value: bool) -> Self {
        self.settings.insert(name.to_owned(), value.into());
        self
    }

    /// Allows further scripts.
    pub(super) fn scripts(self, sources: &[&str]) -> Self {
        self.allow(Directive::Scripts, sources)
    }

    /// Allows further scripts from the origin of a URL.
    pub(super) fn script_from(self, url: &str) -> Self {
        let origin = https_origin(url);
        self.allow(Directive::Scripts, origin.as_deref().as_slice())
    }

    /// Allows requests and connections.
    pub(super) fn connect(self, sources: &[&str]) -> Self {
        self.allow(Directive::Connections, sources)
    }

    /// Allows requests to the origin of a URL.
    pub(super) fn connect_to(self, url: &str) -> Self {
        let origin = https_origin(url);
        self.allow(Directive::Connections, origin.as_deref().as_slice())
    }

    /// Allows images.
    pub(super) fn images(self, sources: &[&str]) -> Self {
        self.allow(Directive::Images, sources)
    }

    /// Allows frames.
    pub(super) fn frames(self, sources: &[&str]) -> Self {
        self.allow(Directive::Frames, sources)
    }

    /// Allows style sheets.
    pub(super) fn styles(self, sources: &[&str]) -> Self {
        self.allow(Directive::Styles, sources)
    }

    fn allow(mut self, directive: Directive, sources: &[&str]) -> Self {
        let sources = sources.iter().map(|source| PolicySource {
            directive,
            source: (*source).to_owned(),
        });
        self.sources.extend(sources);
        self
    }

    /// The sources that the policy of a page allows for the service.
    pub(super) fn sources(&self) -> &BTreeSet<PolicySource> {
        &self.sources
    }

    /// The hosts of all sources, without schemes, in alphabetical order.
    pub(super) fn hosts(&self) -> BTreeSet<&str> {
        self.sources
            .iter()
            .filter_map(|source| source.source.split_once("://"))
            .map(|(_, host)| host)
            .collect()
    }

    /// The data that the script of the page reads.
    pub(super) fn data(&self, name: &str) -> Value {
        json!({
            "name": name,
            "url": self.url,
            "attributes": self.attributes,
            "settings": self.settings,
        })
    }
}
