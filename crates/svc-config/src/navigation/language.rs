//! Language codes.

/// The allowed codes of `navigation.languages[].language`, in their canonical spelling.
pub const LANGUAGE_CODES: &[&str] = &[
    "ar", "ca", "cs", "cn", "zh-Hant", "da", "nl", "en", "fi", "fr", "de", "he", "hi", "hu", "id",
    "it", "jp", "ko", "lv", "no", "pl", "pt-BR", "ro", "ru", "es", "sv", "tr", "uk", "uz", "vi",
    "zh", "zh-Hans", "zh-CN", "zh-TW", "fr-CA", "ja", "ja-JP", "pt",
];

/// The canonical spelling of a code, compared without case; None if the code is unknown.
pub(super) fn canonical(code: &str) -> Option<&'static str> {
    LANGUAGE_CODES
        .iter()
        .copied()
        .find(|known| known.eq_ignore_ascii_case(code))
}
