//! Attributes of the languages of pages.

/// The value of the `dir` attribute for a language.
pub(crate) fn direction(lang: &str) -> &'static str {
    if matches!(lang, "ar" | "he") {
        "rtl"
    } else {
        "ltr"
    }
}

/// The BCP 47 tag for a language code of `docs.json`, where the two differ.
pub(crate) fn language_tag(code: &str) -> &str {
    match code {
        "cn" => "zh",
        "jp" => "ja",
        code => code,
    }
}
