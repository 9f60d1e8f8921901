//! Texts of links that do not name their target (WCAG 2.2, success criteria 2.4.4 and 2.4.9).

/// Vague texts by language code, in the form of [`normalized`].
const VAGUE: &[(&str, &[&str])] = &[
    (
        "en",
        &[
            "click here",
            "click this",
            "details",
            "find out more",
            "go",
            "go here",
            "here",
            "info",
            "learn more",
            "link",
            "more",
            "more details",
            "more info",
            "more information",
            "read more",
            "right here",
            "see here",
            "see more",
            "this",
            "this link",
            "this one",
            "this page",
            "view more",
        ],
    ),
    (
        "ar",
        &["هنا", "اضغط هنا", "انقر هنا", "اقرأ المزيد", "المزيد"],
    ),
    (
        "cs",
        &["zde", "klikněte zde", "více", "více informací", "číst dále"],
    ),
    (
        "de",
        &[
            "dieser link",
            "hier",
            "hier klicken",
            "klicken sie hier",
            "klicke hier",
            "mehr",
            "mehr erfahren",
            "mehr infos",
            "mehr informationen",
            "mehr lesen",
            "siehe hier",
            "weitere informationen",
            "weiterlesen",
        ],
    ),
    (
        "es",
        &[
            "aquí",
            "clic aquí",
            "este enlace",
            "haga clic aquí",
            "haz clic aquí",
            "leer más",
            "más",
            "más información",
            "saber más",
            "ver más",
        ],
    ),
    (
        "fr",
        &[
            "ce lien",
            "cliquez ici",
            "en savoir plus",
            "ici",
            "lire la suite",
            "plus",
            "plus d'informations",
            "plus d’informations",
            "voir plus",
        ],
    ),
    (
        "he",
        &["כאן", "לחץ כאן", "לחצו כאן", "קרא עוד", "מידע נוסף"],
    ),
    (
        "id",
        &[
            "di sini",
            "klik di sini",
            "selengkapnya",
            "baca selengkapnya",
        ],
    ),
    (
        "it",
        &[
            "clicca qui",
            "leggi di più",
            "leggi tutto",
            "maggiori informazioni",
            "qui",
            "scopri di più",
        ],
    ),
    (
        "ja",
        &[
            "ここ",
            "ここをクリック",
            "こちら",
            "こちらをクリック",
            "もっと見る",
            "続きを読む",
            "詳しくはこちら",
        ],
    ),
    (
        "ko",
        &[
            "더 보기",
            "더 알아보기",
            "여기",
            "여기를 클릭",
            "여기를 클릭하세요",
            "자세히 보기",
        ],
    ),
    (
        "nl",
        &[
            "hier",
            "klik hier",
            "lees meer",
            "meer informatie",
            "meer lezen",
        ],
    ),
    (
        "pl",
        &[
            "czytaj więcej",
            "dowiedz się więcej",
            "kliknij tutaj",
            "tutaj",
            "więcej",
        ],
    ),
    (
        "pt",
        &[
            "aqui",
            "clique aqui",
            "leia mais",
            "mais",
            "mais informações",
            "saiba mais",
            "ver mais",
        ],
    ),
    (
        "ru",
        &[
            "здесь",
            "нажмите здесь",
            "подробнее",
            "тут",
            "узнать больше",
            "читать далее",
        ],
    ),
    ("sv", &["här", "klicka här", "läs mer", "mer information"]),
    (
        "tr",
        &[
            "buraya tıklayın",
            "burada",
            "daha fazla",
            "devamını oku",
            "tıklayın",
        ],
    ),
    (
        "uk",
        &[
            "детальніше",
            "докладніше",
            "натисніть тут",
            "тут",
            "читати далі",
        ],
    ),
    (
        "vi",
        &["nhấn vào đây", "tại đây", "xem thêm", "ở đây", "đọc thêm"],
    ),
    (
        "zh",
        &[
            "了解更多",
            "更多",
            "查看更多",
            "此处",
            "此處",
            "点击此处",
            "点击这里",
            "這裡",
            "這裏",
            "点这里",
            "點擊此處",
            "點擊這裡",
            "这里",
            "阅读更多",
            "閱讀更多",
        ],
    ),
];

/// The text in lower case, without punctuation and arrows at its ends.
pub(super) fn normalized(text: &str) -> String {
    let is_mark = |c: char| !c.is_alphanumeric();
    text.trim_matches(is_mark).to_lowercase()
}

/// Whether a normalized text fits any target. `language` is that of the page; `None` if the site
/// has only one, which is not known.
pub(super) fn is_vague(text: &str, language: Option<&str>) -> bool {
    let code = language.map(|language| match language {
        "cn" => "zh",
        "jp" => "ja",
        "ua" => "uk",
        _ => language.split('-').next().unwrap_or(language),
    });
    let applies = |known: &str| known == "en" || code.is_none_or(|code| code == known);
    let mut lists = VAGUE.iter().filter(|(known, _)| applies(known));
    lists.any(|(_, texts)| texts.contains(&text))
}

/// Whether the text is a URL with more than a host.
pub(super) fn is_long_url(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let rest = lower
        .strip_prefix("https://")
        .or_else(|| lower.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        let path = rest.split_once('/').map_or("", |(_, path)| path);
        !path.is_empty() && !text.contains(char::is_whitespace)
    })
}
