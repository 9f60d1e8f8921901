//! Messages of the interface, in all supported languages.
//!
//! A language is one JSON file in this directory and one line in [`LANGUAGES`]. Every file has all
//! keys of [`Messages`], which are documented there.

mod change_marks;
mod messages;
mod playground;

use std::sync::OnceLock;

pub(crate) use change_marks::ChangeMarkMessages;
pub(crate) use messages::Messages;
pub(crate) use playground::PlaygroundMessages;

/// All languages: their codes in `docs.json`, and the language file. The first one is used for sites
/// without a language.
const LANGUAGES: &[(&[&str], &str)] = &[
    (&["en"], include_str!("en.json")),
    (&["ar"], include_str!("ar.json")),
    (&["ca"], include_str!("ca.json")),
    (&["cs"], include_str!("cs.json")),
    (&["da"], include_str!("da.json")),
    (&["de"], include_str!("de.json")),
    (&["es"], include_str!("es.json")),
    (&["fi"], include_str!("fi.json")),
    (&["fr", "fr-CA"], include_str!("fr.json")),
    (&["he"], include_str!("he.json")),
    (&["hi"], include_str!("hi.json")),
    (&["hu"], include_str!("hu.json")),
    (&["id"], include_str!("id.json")),
    (&["it"], include_str!("it.json")),
    (&["ja", "ja-JP", "jp"], include_str!("ja.json")),
    (&["ko"], include_str!("ko.json")),
    (&["lv"], include_str!("lv.json")),
    (&["nl"], include_str!("nl.json")),
    (&["no"], include_str!("no.json")),
    (&["pl"], include_str!("pl.json")),
    (&["pt-BR", "pt"], include_str!("pt-BR.json")),
    (&["ro"], include_str!("ro.json")),
    (&["ru"], include_str!("ru.json")),
    (&["sv"], include_str!("sv.json")),
    (&["tr"], include_str!("tr.json")),
    (&["uk"], include_str!("uk.json")),
    (&["uz"], include_str!("uz.json")),
    (&["vi"], include_str!("vi.json")),
    (
        &["zh-Hans", "zh-CN", "zh", "cn"],
        include_str!("zh-Hans.json"),
    ),
    (&["zh-Hant", "zh-TW"], include_str!("zh-Hant.json")),
];

/// The decoded language files.
static MESSAGES: [OnceLock<Messages>; LANGUAGES.len()] =
    [const { OnceLock::new() }; LANGUAGES.len()];

/// Whether there are messages in a language.
pub(crate) fn has_messages(code: &str) -> bool {
    position(code).is_some()
}

/// The number of the language with a code of `docs.json`.
fn position(code: &str) -> Option<usize> {
    LANGUAGES
        .iter()
        .position(|(codes, _)| codes.contains(&code))
}

/// Decodes a language file when it is used for the first time. All of them take 2 ms.
fn load(index: usize) -> &'static Messages {
    let decode = || serde_json::from_str(LANGUAGES[index].1);
    MESSAGES[index].get_or_init(|| decode().expect("a test decodes every language file"))
}

/// The messages for a language code of `docs.json`; English without a code.
pub(crate) fn messages(code: Option<&str>) -> &'static Messages {
    load(code.and_then(position).unwrap_or(0))
}

/// The messages of the marks of changes for a language code of `docs.json`, for the script that
/// makes the marks; English without a code.
pub fn change_mark_messages(code: Option<&str>) -> serde_json::Value {
    serde_json::to_value(&messages(code).change_marks).unwrap_or_default()
}

/// The messages of all languages.
pub(crate) fn all() -> impl Iterator<Item = &'static Messages> {
    (0..LANGUAGES.len()).map(load)
}

/// The text before and after the placeholder.
pub(crate) fn split_placeholder(text: &'static str) -> (&'static str, &'static str) {
    text.split_once("{}").unwrap_or((text, ""))
}

#[cfg(test)]
mod tests;
