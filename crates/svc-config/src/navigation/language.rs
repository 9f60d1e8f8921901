//! Codes of languages.

/// The codes, in their usual spelling.
pub const LANGUAGE_CODES: &[&str] = &[
    "ar", "ca", "cs", "cn", "zh-Hant", "da", "nl", "en", "fi", "fr", "de", "he", "hi", "hu", "id",
    "it", "jp", "ko", "lv", "no", "pl", "pt-BR", "ro", "ru", "es", "sv", "tr", "uk", "uz", "vi",
    "zh", "zh-Hans", "zh-CN", "zh-TW", "fr-CA", "ja", "ja-JP", "pt",
];

/// The usual spelling of a code, however it is capitalised.
pub(super) fn canonical(code: &str) -> Option<&'static str> {
    LANGUAGE_CODES
        .iter()
        .copied()
        .find(|known| known.eq_ignore_ascii_case(code))
}
