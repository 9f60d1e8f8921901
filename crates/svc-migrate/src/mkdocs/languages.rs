//! Translations with the plugin `i18n`.

use serde_json::Value;

use super::config::Config;
use crate::path::join;
use crate::site::SitePlan;

/// A language of the site.
pub(super) struct Language {
    pub(super) locale: String,
    /// The default language has no prefix in URLs.
    pub(super) is_default: bool,
}

/// The languages of a site; empty if it has only one.
pub(super) struct Languages {
    pub(super) all: Vec<Language>,
    /// A folder for each language instead of suffixes of files.
    has_folders: bool,
}

impl Languages {
    pub(super) fn of(config: &Config) -> Self {
        let options = config.plugin("i18n");
        let list = options
            .and_then(|options| options.get("languages"))
            .and_then(Value::as_array);
        let text =
            |item: &Value, key: &str| item.get(key).and_then(Value::as_str).map(str::to_owned);
        let mut all = Vec::new();
        for item in list.into_iter().flatten() {
            let is_default = item.get("default").and_then(Value::as_bool) == Some(true);
            let is_built = item.get("build").and_then(Value::as_bool) != Some(false);
            if let Some(locale) = text(item, "locale").filter(|_| is_built) {
                all.push(Language { locale, is_default });
            }
        }
        let structure = options.and_then(|options| options.get("docs_structure"));
        if all.len() == 1 {
            all.clear();
        }
        Self {
            all,
            has_folders: structure.and_then(Value::as_str) == Some("folder"),
        }
    }

    /// The prefix of the language and the path without the language.
    pub(super) fn split<'p>(&self, stem: &'p str) -> (&'p str, &'p str) {
        for language in &self.all {
            let locale = language.locale.as_str();
            let found = if self.has_folders {
                stem.strip_prefix(locale)
                    .and_then(|rest| rest.strip_prefix('/'))
                    .map(|rest| (&stem[..locale.len()], rest))
            } else {
                stem.strip_suffix(locale)
                    .and_then(|rest| rest.strip_suffix('.'))
                    .map(|rest| (&stem[stem.len() - locale.len()..], rest))
            };
            if let Some((prefix, rest)) = found {
                return if language.is_default {
                    ("", rest)
                } else {
                    (prefix, rest)
                };
            }
        }
        ("", stem)
    }

    /// Adds the URLs of translations that do not exist to the pages of the default language.
    pub(super) fn add_fallbacks(&self, plan: &mut SitePlan) {
        let known: std::collections::BTreeSet<String> =
            plan.pages.iter().map(|page| page.slug.clone()).collect();
        let prefixes: Vec<&str> = self
            .all
            .iter()
            .filter(|language| !language.is_default)
            .map(|language| language.locale.as_str())
            .collect();
        for page in &mut plan.pages {
            let is_translation = prefixes.iter().any(|prefix| {
                page.slug
                    .strip_prefix(prefix)
                    .is_some_and(|rest| rest.starts_with('/'))
            });
            for prefix in prefixes.iter().filter(|_| !is_translation) {
                if !known.contains(&join(prefix, &page.slug)) {
                    let first = page.old_urls.first().cloned().unwrap_or_default();
                    page.old_urls.push(format!("{prefix}/{first}"));
                }
            }
        }
    }
}
