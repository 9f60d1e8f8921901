//! Word stems.

use rust_stemmers::{Algorithm, Stemmer};

/// Returns the stemmer of a language, given as a BCP 47 tag; without a language that of English.
/// `None` for languages without a stemmer.
pub(crate) fn stemmer(language: Option<&str>) -> Option<Stemmer> {
    let primary = language.unwrap_or("en").split(['-', '_']).next()?;
    let algorithm = match primary.to_ascii_lowercase().as_str() {
        "ar" => Algorithm::Arabic,
        "da" => Algorithm::Danish,
        "de" => Algorithm::German,
        "el" => Algorithm::Greek,
        "en" => Algorithm::English,
        "es" => Algorithm::Spanish,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "hu" => Algorithm::Hungarian,
        "it" => Algorithm::Italian,
        "nl" => Algorithm::Dutch,
        "nb" | "nn" | "no" => Algorithm::Norwegian,
        "pt" => Algorithm::Portuguese,
        "ro" => Algorithm::Romanian,
        "ru" => Algorithm::Russian,
        "sv" => Algorithm::Swedish,
        "ta" => Algorithm::Tamil,
        "tr" => Algorithm::Turkish,
        _ => return None,
    };
    Some(Stemmer::create(algorithm))
}

/// Returns true for words that have a stem: at least three letters and nothing else.
pub(crate) fn has_stem(word: &str) -> bool {
    word.chars().all(char::is_alphabetic) && word.chars().nth(2).is_some()
}
