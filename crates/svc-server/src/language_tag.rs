//! Lookup of a language among those of a site (RFC 4647, section 3.4).

/// Subtags of regions where Chinese is written in traditional characters.
const TRADITIONAL_REGIONS: [&str; 3] = ["tw", "hk", "mo"];

/// Primary subtags that mean the same as another one.
const ALIASES: [(&str, &str); 7] = [
    ("cmn", "zh"),
    ("cn", "zh"),
    ("in", "id"),
    ("iw", "he"),
    ("jp", "ja"),
    ("nb", "no"),
    ("nn", "no"),
];

/// The index of the tag that the first of the ranges with a match finds; `None` if none matches, or
/// if any language (`*`) is as good as the next range.
///
/// A range is shortened from its end until it is equal to a tag. Then a tag of another region is as
/// good as none: `pt` finds `pt-BR`.
pub(crate) fn lookup(ranges: &[&str], tags: &[&str]) -> Option<usize> {
    let tags: Vec<String> = tags.iter().map(|tag| canonical(tag)).collect();
    for range in ranges {
        if *range == "*" {
            return None;
        }
        let range = canonical(range);
        let mut rest = range.as_str();
        loop {
            if let Some(at) = tags.iter().position(|tag| *tag == rest) {
                return Some(at);
            }
            match rest.rsplit_once('-') {
                Some((shorter, _)) => rest = shorter,
                None => break,
            }
        }
        let is_same = |tag: &String| tag.split('-').next() == Some(rest);
        if let Some(at) = tags.iter().position(is_same) {
            return Some(at);
        }
    }
    None
}

/// The tag in lower case, with one spelling for what means the same: Chinese has a script and no
/// region, Japanese no region.
fn canonical(tag: &str) -> String {
    let tag = tag.to_ascii_lowercase().replace('_', "-");
    let (primary, rest) = tag.split_once('-').unwrap_or((&tag, ""));
    let alias = ALIASES.iter().find(|(name, _)| *name == primary);
    let primary = alias.map_or(primary, |(_, name)| *name);
    let has = |name: &str| rest.split('-').any(|subtag| subtag == name);
    match primary {
        "zh" => {
            let is_traditional = TRADITIONAL_REGIONS.iter().any(|region| has(region));
            match has("hant") || (is_traditional && !has("hans")) {
                true => "zh-hant".to_owned(),
                false => "zh-hans".to_owned(),
            }
        }
        "ja" => "ja".to_owned(),
        _ if rest.is_empty() => primary.to_owned(),
        _ => format!("{primary}-{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_finds_the_nearest_tag() {
        let tags = [
            "en", "de", "fr", "fr-CA", "pt-BR", "jp", "cn", "zh-Hant", "no",
        ];
        for (ranges, expected) in [
            ("de", Some("de")),
            ("DE-ch", Some("de")),
            ("de-CH-1996", Some("de")),
            ("fr-CA", Some("fr-CA")),
            ("fr-BE", Some("fr")),
            ("pt", Some("pt-BR")),
            ("pt-PT", Some("pt-BR")),
            ("ja-JP", Some("jp")),
            ("zh", Some("cn")),
            ("zh-CN", Some("cn")),
            ("zh-Hans-TW", Some("cn")),
            ("zh-TW", Some("zh-Hant")),
            ("zh-Hant-HK", Some("zh-Hant")),
            ("nb-NO", Some("no")),
            ("it, de", Some("de")),
            ("it, *, de", None),
            ("it", None),
            ("den", None),
            ("-", None),
            ("", None),
        ] {
            let ranges: Vec<&str> = ranges.split(", ").collect();
            let found = lookup(&ranges, &tags).map(|at| tags[at]);
            assert_eq!(found, expected, "{ranges:?}");
        }
        assert_eq!(lookup(&["zh-TW"], &["en", "zh"]), Some(1));
    }
}
