//! Functional utilities: `mt-4`, `w-1/2`, `text-gray-500/80`, `grid-cols-[1fr_2fr]`.

use super::name::ClassName;
use super::scale::{self, Scale};
use super::utility::Utility;
use super::{Brand, color, value};

/// Kind of the value of a utility.
#[derive(Debug, Clone, Copy)]
enum ValueKind {
    /// Spacing scale and `auto`; `true` allows negative values.
    Space(bool),
    /// Spacing scale, fractions and named sizes; `screen` is mapped to this value.
    Size(&'static str),
    /// Offset from an edge: spacing scale, fractions, `auto`, `full`; can be negative.
    Edge,
    /// An integer, inserted for `#` in the pattern; `true` allows negative values.
    Number(bool, &'static str),
    /// A percentage.
    Percent,
    /// A number with this unit; can be negative.
    Unit(&'static str),
    /// A named step of a scale.
    Named(Scale),
    /// A named step of a scale, inserted for `#` in the pattern.
    Pattern(Scale, &'static str),
    /// A color.
    Color,
    /// A width in pixels; 1 if there is no value.
    Pixels,
    /// Only an arbitrary value in brackets.
    Bracket,
}

/// The utilities with one prefix.
struct FunctionalUtility {
    root: &'static str,
    order: u8,
    kind: ValueKind,
    /// Declarations in which `#` is the value; a bare name is a property.
    sets: &'static str,
    inside: &'static str,
}

const fn functional(
    root: &'static str,
    order: u8,
    kind: ValueKind,
    sets: &'static str,
) -> FunctionalUtility {
    FunctionalUtility {
        root,
        order,
        kind,
        sets,
        inside: "",
    }
}

const fn within(
    root: &'static str,
    order: u8,
    kind: ValueKind,
    sets: &'static str,
) -> FunctionalUtility {
    FunctionalUtility {
        root,
        order,
        kind,
        sets,
        inside: if order == NEIGHBORS {
            ">*+*"
        } else {
            "::placeholder"
        },
    }
}

const NEIGHBORS: u8 = 8;
const RINGS: &str = "box-shadow:var(--u-ring,0 0 #0000),var(--u-shadow,0 0 #0000)";
const TRANSLATE: &str = "translate:var(--u-tx,0) var(--u-ty,0)";
const SCALE: &str = "scale:var(--u-sx,1) var(--u-sy,1)";
const FILTER: &str = "filter:var(--u-blur,) var(--u-light,) var(--u-contrast,) var(--u-gray,) \
var(--u-hue,) var(--u-invert,) var(--u-saturate,) var(--u-sepia,) var(--u-drop,)";

/// All functional utilities. If several share a prefix, the first that accepts the value is used.
#[rustfmt::skip]
const UTILITIES: &[FunctionalUtility] = &[
    functional("p", 40, ValueKind::Space(false), "padding"),
    functional("px", 41, ValueKind::Space(false), "padding-inline"),
    functional("py", 41, ValueKind::Space(false), "padding-block"),
    functional("pt", 42, ValueKind::Space(false), "padding-top"),
    functional("pr", 42, ValueKind::Space(false), "padding-right"),
    functional("pb", 42, ValueKind::Space(false), "padding-bottom"),
    functional("pl", 42, ValueKind::Space(false), "padding-left"),
    functional("ps", 42, ValueKind::Space(false), "padding-inline-start"),
    functional("pe", 42, ValueKind::Space(false), "padding-inline-end"),
    within("space-x", NEIGHBORS, ValueKind::Space(true), "margin-inline:#_0"),
    within("space-y", NEIGHBORS, ValueKind::Space(true), "margin-block:#_0"),
    within("divide-x", NEIGHBORS, ValueKind::Pixels, "border-inline-start:#_solid_var(--svc-border)"),
    within("divide-y", NEIGHBORS, ValueKind::Pixels, "border-top:#_solid_var(--svc-border)"),
    within("divide", NEIGHBORS, ValueKind::Color, "border-color"),
    functional("m", 10, ValueKind::Space(true), "margin"),
    functional("mx", 11, ValueKind::Space(true), "margin-inline"),
    functional("my", 11, ValueKind::Space(true), "margin-block"),
    functional("mt", 12, ValueKind::Space(true), "margin-top"),
    functional("mr", 12, ValueKind::Space(true), "margin-right"),
    functional("mb", 12, ValueKind::Space(true), "margin-bottom"),
    functional("ml", 12, ValueKind::Space(true), "margin-left"),
    functional("ms", 12, ValueKind::Space(true), "margin-inline-start"),
    functional("me", 12, ValueKind::Space(true), "margin-inline-end"),
    functional("scroll-m", 10, ValueKind::Space(true), "scroll-margin"),
    functional("scroll-mt", 12, ValueKind::Space(true), "scroll-margin-top"),
    functional("scroll-p", 10, ValueKind::Space(false), "scroll-padding"),
    functional("scroll-pt", 12, ValueKind::Space(false), "scroll-padding-top"),
    functional("gap", 30, ValueKind::Space(false), "gap"),
    functional("gap-x", 31, ValueKind::Space(false), "column-gap"),
    functional("gap-y", 31, ValueKind::Space(false), "row-gap"),
    functional("indent", 60, ValueKind::Space(true), "text-indent"),
    functional("border-spacing", 26, ValueKind::Space(false), "border-spacing"),
    functional("size", 14, ValueKind::Size("auto"), "width:#;height:#"),
    functional("w", 15, ValueKind::Size("100vw"), "width"),
    functional("h", 15, ValueKind::Size("100vh"), "height"),
    functional("min-w", 16, ValueKind::Size("100vw"), "min-width"),
    functional("min-h", 16, ValueKind::Size("100vh"), "min-height"),
    functional("max-w", 16, ValueKind::Size("100vw"), "max-width"),
    functional("max-h", 16, ValueKind::Size("100vh"), "max-height"),
    functional("basis", 16, ValueKind::Size("100vw"), "flex-basis"),
    functional("columns", 26, ValueKind::Number(false, "#"), "columns"),
    functional("columns", 26, ValueKind::Named(scale::WIDTH), "columns"),
    functional("inset", 10, ValueKind::Edge, "inset"),
    functional("inset-x", 11, ValueKind::Edge, "inset-inline"),
    functional("inset-y", 11, ValueKind::Edge, "inset-block"),
    functional("top", 12, ValueKind::Edge, "top"),
    functional("right", 12, ValueKind::Edge, "right"),
    functional("bottom", 12, ValueKind::Edge, "bottom"),
    functional("left", 12, ValueKind::Edge, "left"),
    functional("start", 12, ValueKind::Edge, "inset-inline-start"),
    functional("end", 12, ValueKind::Edge, "inset-inline-end"),
    functional("z", 12, ValueKind::Number(true, "#"), "z-index"),
    functional("z", 12, ValueKind::Named(&[("auto", "auto")]), "z-index"),
    functional("order", 12, ValueKind::Number(true, "#"), "order"),
    functional("order", 12, ValueKind::Named(&[("first", "-9999"), ("last", "9999"), ("none", "0")]), "order"),
    functional("flex", 26, ValueKind::Number(false, "#_#_0%"), "flex"),
    functional("grow", 27, ValueKind::Named(&[("", "1")]), "flex-grow"),
    functional("grow", 27, ValueKind::Number(false, "#"), "flex-grow"),
    functional("flex-grow", 27, ValueKind::Named(&[("", "1")]), "flex-grow"),
    functional("flex-grow", 27, ValueKind::Number(false, "#"), "flex-grow"),
    functional("shrink", 27, ValueKind::Named(&[("", "1")]), "flex-shrink"),
    functional("shrink", 27, ValueKind::Number(false, "#"), "flex-shrink"),
    functional("flex-shrink", 27, ValueKind::Named(&[("", "1")]), "flex-shrink"),
    functional("flex-shrink", 27, ValueKind::Number(false, "#"), "flex-shrink"),
    functional("grid-cols", 28, ValueKind::Named(GRID), "grid-template-columns"),
    functional("grid-cols", 28, ValueKind::Number(false, "repeat(#,minmax(0,1fr))"), "grid-template-columns"),
    functional("grid-rows", 28, ValueKind::Named(GRID), "grid-template-rows"),
    functional("grid-rows", 28, ValueKind::Number(false, "repeat(#,minmax(0,1fr))"), "grid-template-rows"),
    functional("auto-cols", 28, ValueKind::Named(TRACKS), "grid-auto-columns"),
    functional("auto-rows", 28, ValueKind::Named(TRACKS), "grid-auto-rows"),
    functional("col", 12, ValueKind::Named(&[("auto", "auto")]), "grid-column"),
    functional("col-span", 12, ValueKind::Named(SPAN), "grid-column"),
    functional("col-span", 12, ValueKind::Number(false, "span_#/span_#"), "grid-column"),
    functional("col-start", 13, ValueKind::Number(true, "#"), "grid-column-start"),
    functional("col-end", 13, ValueKind::Number(true, "#"), "grid-column-end"),
    functional("row-span", 12, ValueKind::Named(SPAN), "grid-row"),
    functional("row-span", 12, ValueKind::Number(false, "span_#/span_#"), "grid-row"),
    functional("row-start", 13, ValueKind::Number(true, "#"), "grid-row-start"),
    functional("row-end", 13, ValueKind::Number(true, "#"), "grid-row-end"),
    functional("aspect", 15, ValueKind::Bracket, "aspect-ratio"),
    functional("object", 15, ValueKind::Bracket, "object-position"),
    functional("rounded", 32, ValueKind::Named(scale::RADIUS), "border-radius"),
    functional("rounded-t", 33, ValueKind::Named(scale::RADIUS), "border-top-left-radius:#;border-top-right-radius:#"),
    functional("rounded-r", 33, ValueKind::Named(scale::RADIUS), "border-top-right-radius:#;border-bottom-right-radius:#"),
    functional("rounded-b", 33, ValueKind::Named(scale::RADIUS), "border-bottom-left-radius:#;border-bottom-right-radius:#"),
    functional("rounded-l", 33, ValueKind::Named(scale::RADIUS), "border-top-left-radius:#;border-bottom-left-radius:#"),
    functional("rounded-s", 33, ValueKind::Named(scale::RADIUS), "border-start-start-radius:#;border-end-start-radius:#"),
    functional("rounded-e", 33, ValueKind::Named(scale::RADIUS), "border-start-end-radius:#;border-end-end-radius:#"),
    functional("rounded-tl", 34, ValueKind::Named(scale::RADIUS), "border-top-left-radius"),
    functional("rounded-tr", 34, ValueKind::Named(scale::RADIUS), "border-top-right-radius"),
    functional("rounded-bl", 34, ValueKind::Named(scale::RADIUS), "border-bottom-left-radius"),
    functional("rounded-br", 34, ValueKind::Named(scale::RADIUS), "border-bottom-right-radius"),
    functional("border", 38, ValueKind::Color, "border-color"),
    functional("border-x", 39, ValueKind::Color, "border-inline-color"),
    functional("border-y", 39, ValueKind::Color, "border-block-color"),
    functional("border-t", 39, ValueKind::Color, "border-top-color"),
    functional("border-r", 39, ValueKind::Color, "border-right-color"),
    functional("border-b", 39, ValueKind::Color, "border-bottom-color"),
    functional("border-l", 39, ValueKind::Color, "border-left-color"),
    functional("border-s", 39, ValueKind::Color, "border-inline-start-color"),
    functional("border-e", 39, ValueKind::Color, "border-inline-end-color"),
    functional("border", 35, ValueKind::Pixels, "border-width"),
    functional("border-x", 36, ValueKind::Pixels, "border-inline-width"),
    functional("border-y", 36, ValueKind::Pixels, "border-block-width"),
    functional("border-t", 37, ValueKind::Pixels, "border-top-width"),
    functional("border-r", 37, ValueKind::Pixels, "border-right-width"),
    functional("border-b", 37, ValueKind::Pixels, "border-bottom-width"),
    functional("border-l", 37, ValueKind::Pixels, "border-left-width"),
    functional("border-s", 37, ValueKind::Pixels, "border-inline-start-width"),
    functional("border-e", 37, ValueKind::Pixels, "border-inline-end-width"),
    functional("outline", 62, ValueKind::Color, "outline-color"),
    functional("outline", 62, ValueKind::Pixels, "outline-width:#;outline-style:solid"),
    functional("outline-offset", 63, ValueKind::Pixels, "outline-offset"),
    functional("ring-offset", 62, ValueKind::Pixels, "outline-offset"),
    functional("ring", 63, ValueKind::Color, "--u-ring-color"),
    functional("ring", 62, ValueKind::Pixels, "--u-ring:0_0_0_#_var(--u-ring-color,rgb(59_130_246/50%));RINGS"),
    functional("bg", 43, ValueKind::Color, "background-color"),
    functional("bg", 44, ValueKind::Bracket, "background"),
    functional("bg-gradient-to", 44, ValueKind::Named(scale::DIRECTION), "background-image:linear-gradient(to_#,var(--u-stops))"),
    functional("bg-linear-to", 44, ValueKind::Named(scale::DIRECTION), "background-image:linear-gradient(to_#,var(--u-stops))"),
    functional("from", 45, ValueKind::Color, "--u-from:#;--u-stops:var(--u-from),var(--u-to,transparent)"),
    functional("via", 46, ValueKind::Color, "--u-stops:var(--u-from,transparent),#,var(--u-to,transparent)"),
    functional("to", 47, ValueKind::Color, "--u-to"),
    functional("fill", 48, ValueKind::Named(&[("none", "none")]), "fill"),
    functional("fill", 48, ValueKind::Color, "fill"),
    functional("stroke", 48, ValueKind::Named(&[("none", "none")]), "stroke"),
    functional("stroke", 48, ValueKind::Color, "stroke"),
    functional("stroke", 48, ValueKind::Number(false, "#"), "stroke-width"),
    functional("accent", 48, ValueKind::Color, "accent-color"),
    functional("caret", 48, ValueKind::Color, "caret-color"),
    functional("text", 51, ValueKind::Color, "color"),
    functional("text", 50, ValueKind::Bracket, "font-size"),
    functional("font", 52, ValueKind::Named(scale::WEIGHT), "font-weight"),
    functional("font", 52, ValueKind::Bracket, "font-weight"),
    functional("leading", 53, ValueKind::Named(scale::LEADING), "line-height"),
    functional("leading", 53, ValueKind::Space(false), "line-height"),
    functional("tracking", 53, ValueKind::Named(scale::TRACKING), "letter-spacing"),
    functional("tracking", 53, ValueKind::Bracket, "letter-spacing"),
    functional("decoration", 61, ValueKind::Color, "text-decoration-color"),
    functional("decoration", 61, ValueKind::Pixels, "text-decoration-thickness"),
    functional("underline-offset", 61, ValueKind::Pixels, "text-underline-offset"),
    within("placeholder", 61, ValueKind::Color, "color"),
    functional("line-clamp", 22, ValueKind::Number(false, "#"), "display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:#;overflow:hidden"),
    functional("content", 60, ValueKind::Named(&[("none", "none")]), "content"),
    functional("content", 60, ValueKind::Bracket, "content"),
    functional("list", 60, ValueKind::Bracket, "list-style-type"),
    functional("align", 60, ValueKind::Bracket, "vertical-align"),
    functional("cursor", 60, ValueKind::Bracket, "cursor"),
    functional("opacity", 64, ValueKind::Percent, "opacity"),
    functional("shadow", 65, ValueKind::Named(scale::SHADOW), "--u-shadow:#;RINGS"),
    functional("shadow", 65, ValueKind::Bracket, "--u-shadow:#;RINGS"),
    functional("translate-x", 67, ValueKind::Edge, "--u-tx:#;MOVED"),
    functional("translate-y", 67, ValueKind::Edge, "--u-ty:#;MOVED"),
    functional("translate", 66, ValueKind::Edge, "--u-tx:#;--u-ty:#;MOVED"),
    functional("scale", 66, ValueKind::Percent, "--u-sx:#;--u-sy:#;SCALED"),
    functional("scale-x", 67, ValueKind::Percent, "--u-sx:#;SCALED"),
    functional("scale-y", 67, ValueKind::Percent, "--u-sy:#;SCALED"),
    functional("rotate", 66, ValueKind::Unit("deg"), "rotate"),
    functional("skew-x", 66, ValueKind::Unit("deg"), "transform:skewX(#)"),
    functional("skew-y", 66, ValueKind::Unit("deg"), "transform:skewY(#)"),
    functional("origin", 66, ValueKind::Bracket, "transform-origin"),
    functional("blur", 68, ValueKind::Pattern(scale::BLUR, "blur(#)"), "--u-blur:#;FILTERED"),
    functional("brightness", 68, ValueKind::Percent, "--u-light:brightness(#);FILTERED"),
    functional("contrast", 68, ValueKind::Percent, "--u-contrast:contrast(#);FILTERED"),
    functional("saturate", 68, ValueKind::Percent, "--u-saturate:saturate(#);FILTERED"),
    functional("grayscale", 68, ValueKind::Named(FULL), "--u-gray:grayscale(#);FILTERED"),
    functional("invert", 68, ValueKind::Named(FULL), "--u-invert:invert(#);FILTERED"),
    functional("sepia", 68, ValueKind::Named(FULL), "--u-sepia:sepia(#);FILTERED"),
    functional("hue-rotate", 68, ValueKind::Unit("deg"), "--u-hue:hue-rotate(#);FILTERED"),
    functional("drop-shadow", 68, ValueKind::Named(scale::DROP), "--u-drop:#;FILTERED"),
    functional("backdrop-blur", 68, ValueKind::Pattern(scale::BLUR, "blur(#)"), "backdrop-filter"),
    functional("transition", 69, ValueKind::Bracket, "transition-property:#;transition-timing-function:cubic-bezier(.4,0,.2,1);transition-duration:150ms"),
    functional("duration", 70, ValueKind::Unit("ms"), "transition-duration"),
    functional("delay", 70, ValueKind::Unit("ms"), "transition-delay"),
    functional("ease", 70, ValueKind::Named(scale::EASE), "transition-timing-function"),
    functional("ease", 70, ValueKind::Bracket, "transition-timing-function"),
];

const FULL: Scale = &[("", "100%"), ("0", "0")];
const GRID: Scale = &[("none", "none"), ("subgrid", "subgrid")];
const SPAN: Scale = &[("full", "1/-1")];
const TRACKS: Scale = &[
    ("auto", "auto"),
    ("min", "min-content"),
    ("max", "max-content"),
    ("fr", "minmax(0,1fr)"),
];

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
            let utility = UTILITIES
                .iter()
                .filter(|family| family.root == root)
                .find_map(|family| set(family, value, name.negative, brand));
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
            let line = scale::find(scale::LEADING, line)
                .map(str::to_owned)
                .or_else(|| value::bracket(line))
                .or_else(|| value::step(line))?;
            (size, Some(line))
        }
        None => (written, None),
    };
    let (_, size, line) = scale::TEXT.iter().find(|(known, ..)| *known == size)?;
    let line = own.as_deref().unwrap_or(line);
    Some(Utility::new(
        50,
        format!("font-size:{size};line-height:{line}"),
    ))
}

fn set(family: &FunctionalUtility, text: &str, negative: bool, brand: &Brand) -> Option<Utility> {
    let value = value_of(family.kind, text, negative, brand)?;
    let mut body = if family.sets.contains(':') {
        family.sets.replace('_', " ").replace('#', &value)
    } else {
        format!("{}:{value}", family.sets)
    };
    for (placeholder, declaration) in [
        ("RINGS", RINGS),
        ("MOVED", TRANSLATE),
        ("SCALED", SCALE),
        ("FILTERED", FILTER),
    ] {
        if let Some(start) = body.strip_suffix(placeholder) {
            body = format!("{start}{declaration}");
        }
    }
    Some(Utility {
        order: family.order,
        body,
        inside: family.inside,
    })
}

fn value_of(kind: ValueKind, text: &str, negative: bool, brand: &Brand) -> Option<String> {
    let written = || value::bracket(text);
    let signed = |value: String| match (negative, value.as_str()) {
        (false, _) | (true, "0rem" | "0") => Some(value),
        (true, plain) if plain.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            Some(format!("-{value}"))
        }
        (true, _) => Some(format!("calc({value}*-1)")),
    };
    match kind {
        ValueKind::Space(sign) => {
            if negative && !sign {
                return None;
            }
            if sign && text == "auto" {
                return (!negative).then(|| "auto".to_owned());
            }
            signed(value::step(text).or_else(written)?)
        }
        ValueKind::Size(screen) => {
            if negative {
                return None;
            }
            scale::find(scale::SIZE, text)
                .or_else(|| scale::find(scale::WIDTH, text))
                .or_else(|| (text == "screen").then_some(screen))
                .map(str::to_owned)
                .or_else(|| viewport(text))
                .or_else(|| value::step(text))
                .or_else(|| value::fraction(text))
                .or_else(written)
        }
        ValueKind::Edge => {
            let size = match text {
                "auto" => return (!negative).then(|| "auto".to_owned()),
                "full" => "100%".to_owned(),
                text => value::step(text)
                    .or_else(|| value::fraction(text))
                    .or_else(written)?,
            };
            signed(size)
        }
        ValueKind::Number(sign, pattern) => {
            if negative && !sign {
                return None;
            }
            match value::integer(text) {
                Some(number) => {
                    let number = signed(number.to_string())?;
                    Some(pattern.replace('_', " ").replace('#', &number))
                }
                None => signed(written()?),
            }
        }
        ValueKind::Percent => match value::hundredths(text) {
            Some(number) => signed(value::decimal(number, 10_000)),
            None => signed(written()?),
        },
        ValueKind::Unit(unit) => match value::hundredths(text) {
            Some(number) => signed(format!("{}{unit}", value::decimal(number, 100))),
            None => signed(written()?),
        },
        ValueKind::Named(_)
        | ValueKind::Pattern(..)
        | ValueKind::Color
        | ValueKind::Pixels
        | ValueKind::Bracket
            if negative =>
        {
            None
        }
        ValueKind::Named(scale) => scale::find(scale, text)
            .map(str::to_owned)
            .or_else(|| written().filter(|_| takes_any(scale))),
        ValueKind::Pattern(scale, pattern) => {
            let value = scale::find(scale, text)
                .map(str::to_owned)
                .or_else(written)?;
            Some(pattern.replace('#', &value))
        }
        ValueKind::Color => color::find(text, brand),
        ValueKind::Pixels => match text {
            "" => Some("1px".to_owned()),
            "auto" => Some("auto".to_owned()),
            text => value::integer(text)
                .map(|number| format!("{number}px"))
                .or_else(written),
        },
        ValueKind::Bracket => written(),
    }
}

/// Whether an arbitrary value is accepted; single words such as `auto` are left to the next
/// utility.
fn takes_any(scale: Scale) -> bool {
    scale.len() > 1
}

/// `dvh` and similar, and full viewport sizes.
fn viewport(text: &str) -> Option<String> {
    ["dvh", "dvw", "svh", "svw", "lvh", "lvw"]
        .contains(&text)
        .then(|| format!("100{text}"))
}
