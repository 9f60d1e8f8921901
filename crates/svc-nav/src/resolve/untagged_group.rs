//! The group of operations without a tag, in the languages of the user interface.

use svc_openapi::UNTAGGED_GROUP;

/// Returns the name of the group on pages of a language; English if there is none.
pub(super) fn untagged_group(language: Option<&str>) -> &'static str {
    match language.unwrap_or("en") {
        "ar" => "مرجع API",
        "ca" => "Referència de l’API",
        "cn" | "zh" | "zh-Hans" | "zh-CN" => "API 参考",
        "cs" => "Reference API",
        "da" => "API-reference",
        "de" => "API-Referenz",
        "es" => "Referencia de la API",
        "fi" => "API-viite",
        "fr" | "fr-CA" => "Référence de l’API",
        "he" => "מדריך API",
        "hi" => "API संदर्भ",
        "hu" => "API-referencia",
        "id" => "Referensi API",
        "it" => "Riferimento API",
        "jp" | "ja" | "ja-JP" => "API リファレンス",
        "ko" => "API 레퍼런스",
        "lv" => "API uzziņas",
        "nl" => "API-referentie",
        "no" => "API-referanse",
        "pl" => "Dokumentacja API",
        "pt-BR" | "pt" => "Referência da API",
        "ro" => "Referință API",
        "ru" => "Справочник API",
        "sv" => "API-referens",
        "tr" => "API Referansı",
        "uk" => "Довідник API",
        "uz" => "API maʼlumotnomasi",
        "vi" => "Tham chiếu API",
        "zh-Hant" | "zh-TW" => "API 參考",
        _ => UNTAGGED_GROUP,
    }
}
