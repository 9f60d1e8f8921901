//! A grammar of the repository.

use syntaxmate::PreparedLanguage;

/// A grammar of the repository.
#[derive(Debug)]
pub(super) struct CustomGrammar {
    /// Names in fenced code blocks, in lower case.
    pub(super) names: Vec<String>,
    pub(super) prepared: PreparedLanguage,
}

impl CustomGrammar {
    /// Returns the name and the grammar if `lang` refers to this one.
    pub(super) fn named(&self, lang: &str) -> Option<(&str, &PreparedLanguage)> {
        let lang = lang.trim();
        let known = |name: &String| name.to_lowercase() == lang.to_lowercase();
        (lang.len() <= 100 && self.names.iter().any(known))
            .then_some((self.names.first()?.as_str(), &self.prepared))
    }
}
