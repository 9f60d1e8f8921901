//! Functional utilities: `mt-4`, `w-1/2`, `text-gray-500/80`, `grid-cols-[1fr_2fr]`.

use super::name::ClassName;
use super::utility::Utility;
use super::{Brand, color, scale, value};
use crate::table::Table;

/// Each prefix with its utilities.
static UTILITIES: Table = Table::new(include_str!("functional_utilities.txt"));

/// Cascade order of the utilities that apply to all children but the first.
const NEIGHBORS: u8 = 8;

/// Texts that declarations can end with.
const ENDINGS: [(&str, &str); 4] = [
    ("RINGS", RINGS),
    ("MOVED", TRANSLATE),
    ("SCALED", SCALE),
    ("FILTERED", FILTER),
];
const RINGS: &str = "box-shadow:var(--u-ring,0 0 #0000),var(--u-shadow,0 0 #0000)";
const TRANSLATE: &str = "translate:var(--u-tx,0) var(--u-ty,0)";
const SCALE: &str = "scale:var(--u-sx,1) var(--u-sy,1)";
const FILTER: &str = "filter:var(--u-blur,) var(--u-light,) var(--u-contrast,) var(--u-gray,) \
var(--u-hue,) var(--u-invert,) var(--u-saturate,) var(--u-sepia,) var(--u-drop,)";

/// Resolves a name with a value.
pub(super) fn find(name: &ClassName<'_>, brand: &Brand) -> Option<Utility> {
    if let Some(utility) = text(name) {
        return Some(utility);
    }
    let base = name.base;
    let bracket = base.find('[').unwrap_or(base.len());
    // The longest prefix is tried first: `rounded-tl-lg` before `rounded`.
    let mut end = Some(base.len()).filter(|_| bracket == base.len());
    let mut before = bracket;
    loop {
        if let Some(end) = end {
            let root = base.get(..end)?;
            let value = base.get(end..)?.strip_prefix('-').unwrap_or("");
            // A double minus is not valid.
            let mut rows = UTILITIES.get(root).unwrap_or_default().split(" | ");
            let utility = rows.find_map(|row| set(root, row, value, name.negative, brand));
            if utility.is_some() {
                return utility;
            }
        }
        let next = base.get(..before)?.rfind('-')?;
        before = next;
        end = Some(next);
    }
}

/// `text-lg` and `text-lg/7`: font size with line height.
fn text(name: &ClassName<'_>) -> Option<Utility> {
    let written = name.base.strip_prefix("text-").filter(|_| !name.negative)?;
    let (size, own) = match written.split_once('/') {
        Some((size, line)) => {
            let line = scale::find("leading", line)
                .map(str::to_owned)
                .or_else(|| value::bracket(line))
                .or_else(|| value::step(line))?;
            (size, Some(line))
        }
        None => (written, None),
    };
    let (size, line) = scale::find("text", size)?.split_once(' ')?;
    let line = own.as_deref().unwrap_or(line);
    Some(Utility::new(
        50,
        format!("font-size:{size};line-height:{line}"),
    ))
}

/// Resolves a row of a prefix with a value.
fn set(root: &str, row: &str, text: &str, negative: bool, brand: &Brand) -> Option<Utility> {
    let (order, row) = row.split_once(' ')?;
    let (kind, sets) = row.split_once(' ')?;
    let order = order.parse().ok()?;
    let value = value_of(kind, text, negative, brand)?;
    let mut body = if sets.contains(':') {
        sets.replace('_', " ").replace('#', &value)
    } else {
        format!("{sets}:{value}")
    };
    for (ending, declaration) in ENDINGS {
        if let Some(start) = body.strip_suffix(ending) {
            body = format!("{start}{declaration}");
        }
    }
    let inside = match root {
        "placeholder" => "::placeholder",
        _ if order == NEIGHBORS => ">*+*",
        _ => "",
    };
    Some(Utility {
        order,
        body,
        inside,
    })
}

/// The value of a utility: `text` by its kind, for example `unit=deg`.
fn value_of(kind: &str, text: &str, negative: bool, brand: &Brand) -> Option<String> {
    let (kind, argument) = kind.split_once('=').unwrap_or((kind, ""));
    let written = || value::bracket(text);
    let signed = |value: String| match (negative, value.as_str()) {
        (false, _) | (true, "0rem" | "0") => Some(value),
        (true, plain) if plain.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            Some(format!("-{value}"))
        }
        (true, _) => Some(format!("calc({value}*-1)")),
    };
    let can_be_negative = ["space-signed", "edge", "integer", "percent", "unit"];
    if negative && !can_be_negative.contains(&kind) {
        return None;
    }
    match kind {
        "space-signed" | "edge" if text == "auto" => (!negative).then(|| "auto".to_owned()),
        // Spacing scale.
        "space" | "space-signed" => signed(value::step(text).or_else(written)?),
        // Spacing scale, fractions and named sizes; the argument is the size of the screen.
        "size" => scale::find("size", text)
            .or_else(|| scale::find("width", text))
            .or_else(|| (text == "screen").then_some(argument))
            .map(str::to_owned)
            .or_else(|| viewport(text))
            .or_else(|| value::step(text))
            .or_else(|| value::fraction(text))
            .or_else(written),
        // Offset from an edge.
        "edge" if text == "full" => signed("100%".to_owned()),
        "edge" => {
            let offset = value::step(text).or_else(|| value::fraction(text));
            signed(offset.or_else(written)?)
        }
        // An integer, inserted for `#` in the argument.
        "number" | "integer" => match value::integer(text) {
            Some(number) => {
                let number = signed(number.to_string())?;
                Some(argument.replace('_', " ").replace('#', &number))
            }
            None => signed(written()?),
        },
        "percent" => match value::hundredths(text) {
            Some(number) => signed(value::decimal(number, 10_000)),
            None => signed(written()?),
        },
        "unit" => match value::hundredths(text) {
            Some(number) => signed(format!("{}{argument}", value::decimal(number, 100))),
            None => signed(written()?),
        },
        // One word with its value.
        "only" => {
            let (word, value) = argument.split_once(':')?;
            (text == word).then(|| value.to_owned())
        }
        // A step of a scale, inserted for `#` in a pattern if there is one.
        "scale" => {
            let (scale, pattern) = argument.split_once('=').unwrap_or((argument, "#"));
            let value = scale::find(scale, text).map(str::to_owned);
            Some(pattern.replace('#', &value.or_else(written)?))
        }
        "color" => color::find(text, brand),
        "pixels" => match text {
            "" => Some("1px".to_owned()),
            "auto" => Some("auto".to_owned()),
            text => value::integer(text)
                .map(|number| format!("{number}px"))
                .or_else(written),
        },
        "bracket" => written(),
        _ => None,
    }
}

/// `dvh` and similar, and full viewport sizes.
fn viewport(text: &str) -> Option<String> {
    ["dvh", "dvw", "svh", "svw", "lvh", "lvw"]
        .contains(&text)
        .then(|| format!("100{text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_sorted_and_unique() {
        assert!(UTILITIES.is_sorted());
    }

    #[test]
    fn every_row_accepts_a_value() {
        let brand = Brand::default();
        let values = [
            "", "1", "sm", "in", "t", "none", "auto", "full", "first", "[1px]", "red-500",
        ];
        for (root, rows) in UTILITIES.entries() {
            for row in rows.split(" | ") {
                let accepts = |value: &&str| set(root, row, value, false, &brand).is_some();
                assert!(values.iter().any(accepts), "{root} {row}");
            }
        }
    }
}
