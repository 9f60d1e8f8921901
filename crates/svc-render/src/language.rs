//! Attributes of the languages of pages, and the versions of a page in other languages.

use svc_nav::{Route, SiteMap};

/// The value of the `dir` attribute for a language.
pub(crate) fn direction(lang: &str) -> &'static str {
    if matches!(lang, "ar" | "he") {
        "rtl"
    } else {
        "ltr"
    }
}

/// A version of a page for `hreflang`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LanguageAlternate<'a> {
    /// BCP 47 tag, or `x-default` for readers of all other languages.
    pub language: &'a str,
    /// URL path of the page.
    pub path: &'a str,
}

/// The versions of a page in all languages, itself included, that search engines may index; at the
/// end the one in the default language as `x-default`. Empty if there is only one version.
pub fn language_alternates<'a>(map: &'a SiteMap, route: &'a Route) -> Vec<LanguageAlternate<'a>> {
    let mut alternates: Vec<LanguageAlternate<'a>> = Vec::new();
    for (code, path) in map.language_versions(&route.path) {
        let language = language_tag(code);
        let is_indexed = |other: &Route| other.visibility.sitemap && other.url.is_none();
        let is_new = alternates.iter().all(|other| other.language != language);
        if is_new && map.route(path).is_some_and(is_indexed) {
            alternates.push(LanguageAlternate { language, path });
        }
    }
    if alternates.len() < 2 {
        return Vec::new();
    }
    let default = map.default_language().map(language_tag);
    let default = alternates
        .iter()
        .find(|alternate| Some(alternate.language) == default);
    if let Some(path) = default.map(|alternate| alternate.path) {
        alternates.push(LanguageAlternate {
            language: "x-default",
            path,
        });
    }
    alternates
}

/// The BCP 47 tag for a language code of `docs.json`, where the two differ.
pub(crate) fn language_tag(code: &str) -> &str {
    match code {
        "cn" => "zh",
        "jp" => "ja",
        code => code,
    }
}
