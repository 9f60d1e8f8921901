//! The start pages of a site in several languages.

use crate::site::Site;

/// The start page of a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageStart {
    /// Code of the language in `docs.json`.
    pub code: String,
    /// Canonical path of the page.
    pub path: String,
}

impl Site {
    /// The start pages of the languages; the first one is what readers without a preference get at
    /// `/`. Empty if there is no choice, or if the site turns it off (`i18n.detect`).
    pub fn language_starts(&self) -> &[LanguageStart] {
        self.language_starts.get_or_init(|| {
            if !self.config.i18n.detect {
                return Vec::new();
            }
            let starts = self.map.language_starts().into_iter();
            let start = |(code, path): (&str, String)| LanguageStart {
                code: code.to_owned(),
                path,
            };
            starts.map(start).collect()
        })
    }
}
