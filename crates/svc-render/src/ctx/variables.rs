//! Variables of a site (`variables` in `docs.json`).

use std::borrow::Cow;
use std::collections::BTreeMap;

use svc_config::SiteConfig;

use crate::html::strip_tags;

/// The variables of a site as plain text, by name.
#[derive(Debug, Default)]
pub(crate) struct Variables(BTreeMap<String, String>);

impl Variables {
    /// The variables of the site, or of the version with files of its own below `root`.
    pub(super) fn new(config: &SiteConfig, root: &str) -> Self {
        let own = config.versions.iter().find(|version| version.dir == root);
        let variables = own.map_or(&config.variables, |version| &version.variables);
        Self(
            variables
                .iter()
                .map(|(name, value)| (name.clone(), strip_tags(value)))
                .collect(),
        )
    }

    /// The value of a variable.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Whether the site has no variables.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names of all variables.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Replaces `{{name}}` in `text`.
    pub(crate) fn expand<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_empty() || !text.contains("{{") {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            out.push_str(before);
            let variable = after.split_once("}}").filter(|(name, _)| name.len() <= 100);
            let value = variable.and_then(|(name, _)| self.get(name.trim()));
            match (variable, value) {
                (Some((_, behind)), Some(value)) => {
                    out.push_str(value);
                    rest = behind;
                }
                _ => {
                    out.push_str("{{");
                    rest = after;
                }
            }
        }
        out.push_str(rest);
        Cow::Owned(out)
    }
}
