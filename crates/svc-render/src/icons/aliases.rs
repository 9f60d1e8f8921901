//! Aliases of icon names.

use crate::table::Table;

static FONT_AWESOME: Table = Table::new(include_str!("font_awesome_aliases.txt"));
static LUCIDE: Table = Table::new(include_str!("lucide_aliases.txt"));
static SUBSTITUTES: Table = Table::new(include_str!("substitutes.txt"));

/// The current name in Font Awesome.
pub(super) fn font_awesome(name: &str) -> Option<&'static str> {
    FONT_AWESOME.get(name)
}

/// The current name in Lucide.
pub(super) fn lucide(name: &str) -> Option<&'static str> {
    LUCIDE.get(name)
}

/// The replacements of names that no free library has.
#[cfg(test)]
pub(super) fn substitutes() -> impl Iterator<Item = &'static str> {
    SUBSTITUTES.entries().iter().map(|(_, near)| *near)
}

/// Similar names, the most similar first.
pub(super) fn nearest(name: &str) -> Vec<String> {
    let substitute = SUBSTITUTES.get(name).map(str::to_owned);
    let mut out: Vec<String> = substitute.into_iter().collect();
    if let Some((shape, sign)) = name.split_once('-')
        && matches!(shape, "circle" | "square")
        && let [sign] = sign.as_bytes()
    {
        let kind = if sign.is_ascii_digit() {
            "number"
        } else {
            "letter"
        };
        out.push(format!("{shape}-{kind}-{}", char::from(*sign)));
    }
    let message = name
        .strip_prefix("message-")
        .or_else(|| name.strip_prefix("comment-alt-"));
    out.extend(message.map(|rest| format!("comment-{rest}")));
    let ends = [
        "-alt", "-simple", "-lines", "-duotone", "-solid", "-regular", "-light", "-thin", "-2",
    ];
    out.extend(
        ends.iter()
            .find_map(|end| name.strip_suffix(end))
            .map(str::to_owned),
    );
    out.extend(message.map(|_| "comment".to_owned()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_names_of_lucide_lead_to_icons() {
        for (old, new) in LUCIDE.entries() {
            assert!(super::super::library::lucide(new).is_some(), "{old} {new}");
        }
    }

    #[test]
    fn tables_are_sorted() {
        for table in [&FONT_AWESOME, &LUCIDE, &SUBSTITUTES] {
            assert!(table.is_sorted());
        }
    }
}
