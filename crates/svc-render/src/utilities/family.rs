//! Utilities with a value: `mt-4`, `w-1/2`, `text-gray-500/80`, `grid-cols-[1fr_2fr]`.

use super::name::Name;
use super::scale::{self, Scale};
use super::{Brand, Found, color, value};

/// What the values of a family are.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// Steps of the scale of distances; may be negative with `true`, and `auto`.
    Space(bool),
    /// Steps, shares and names of sizes; `screen` means this.
    Size(&'static str),
    /// Distances from the edges: steps, shares, `auto`, `full`, with a sign.
    Edge,
    /// A whole number, as it is or in a pattern with `#` for it; may be negative with `true`.
    Number(bool, &'static str),
    /// A number of hundredths.
    Percent,
    /// A number in a unit, with a sign.
    Unit(&'static str),
    /// A named step.
    Named(Scale),
    /// A named step, inside a pattern with `#`.
    Pattern(Scale, &'static str),
    /// A colour.
    Color,
    /// A width in pixels, nothing for one.
    Pixels,
    /// Whatever stands in brackets only.
    Bracket,
}

/// The names with one beginning.
struct Family {
    root: &'static str,
    order: u8,
    kind: Kind,
    /// Declarations in which `#` is the value; a bare name is a property.
    sets: &'static str,
    inside: &'static str,
}

const fn family(root: &'static str, order: u8, kind: Kind, sets: &'static str) -> Family {
    Family {
        root,
        order,
        kind,
        sets,
        inside: "",
    }
}

const fn within(root: &'static str, order: u8, kind: Kind, sets: &'static str) -> Family {
    Family {
        root,
        order,
        kind,
        sets,
        inside: if order == NEIGHBOURS {
            ">*+*"
        } else {
            "::placeholder"
        },
    }
}

const NEIGHBOURS: u8 = 8;
const RINGS: &str = "box-shadow:var(--u-ring,0 0 #0000),var(--u-shadow,0 0 #0000)";
const MOVED: &str = "translate:var(--u-tx,0) var(--u-ty,0)";
const SCALED: &str = "scale:var(--u-sx,1) var(--u-sy,1)";
const FILTERED: &str = "filter:var(--u-blur,) var(--u-light,) var(--u-contrast,) var(--u-gray,) \
var(--u-hue,) var(--u-invert,) var(--u-saturate,) var(--u-sepia,) var(--u-drop,)";

/// All families. Several may share a beginning; the first that understands the value counts.
#[rustfmt::skip]
const FAMILIES: &[Family] = &[
    family("p", 40, Kind::Space(false), "padding"),
    family("px", 41, Kind::Space(false), "padding-inline"),
    family("py", 41, Kind::Space(false), "padding-block"),
    family("pt", 42, Kind::Space(false), "padding-top"),
    family("pr", 42, Kind::Space(false), "padding-right"),
    family("pb", 42, Kind::Space(false), "padding-bottom"),
    family("pl", 42, Kind::Space(false), "padding-left"),
    family("ps", 42, Kind::Space(false), "padding-inline-start"),
    family("pe", 42, Kind::Space(false), "padding-inline-end"),
    within("space-x", NEIGHBOURS, Kind::Space(true), "margin-inline:#_0"),
    within("space-y", NEIGHBOURS, Kind::Space(true), "margin-block:#_0"),
    within("divide-x", NEIGHBOURS, Kind::Pixels, "border-inline-start:#_solid_var(--svc-border)"),
    within("divide-y", NEIGHBOURS, Kind::Pixels, "border-top:#_solid_var(--svc-border)"),
    within("divide", NEIGHBOURS, Kind::Color, "border-color"),
    family("m", 10, Kind::Space(true), "margin"),
    family("mx", 11, Kind::Space(true), "margin-inline"),
    family("my", 11, Kind::Space(true), "margin-block"),
    family("mt", 12, Kind::Space(true), "margin-top"),
    family("mr", 12, Kind::Space(true), "margin-right"),
    family("mb", 12, Kind::Space(true), "margin-bottom"),
    family("ml", 12, Kind::Space(true), "margin-left"),
    family("ms", 12, Kind::Space(true), "margin-inline-start"),
    family("me", 12, Kind::Space(true), "margin-inline-end"),
    family("scroll-m", 10, Kind::Space(true), "scroll-margin"),
    family("scroll-mt", 12, Kind::Space(true), "scroll-margin-top"),
    family("scroll-p", 10, Kind::Space(false), "scroll-padding"),
    family("scroll-pt", 12, Kind::Space(false), "scroll-padding-top"),
    family("gap", 30, Kind::Space(false), "gap"),
    family("gap-x", 31, Kind::Space(false), "column-gap"),
    family("gap-y", 31, Kind::Space(false), "row-gap"),
    family("indent", 60, Kind::Space(true), "text-indent"),
    family("border-spacing", 26, Kind::Space(false), "border-spacing"),
    family("size", 14, Kind::Size("auto"), "width:#;height:#"),
    family("w", 15, Kind::Size("100vw"), "width"),
    family("h", 15, Kind::Size("100vh"), "height"),
    family("min-w", 16, Kind::Size("100vw"), "min-width"),
    family("min-h", 16, Kind::Size("100vh"), "min-height"),
    family("max-w", 16, Kind::Size("100vw"), "max-width"),
    family("max-h", 16, Kind::Size("100vh"), "max-height"),
    family("basis", 16, Kind::Size("100vw"), "flex-basis"),
    family("columns", 26, Kind::Number(false, "#"), "columns"),
    family("columns", 26, Kind::Named(scale::WIDTH), "columns"),
    family("inset", 10, Kind::Edge, "inset"),
    family("inset-x", 11, Kind::Edge, "inset-inline"),
    family("inset-y", 11, Kind::Edge, "inset-block"),
    family("top", 12, Kind::Edge, "top"),
    family("right", 12, Kind::Edge, "right"),
    family("bottom", 12, Kind::Edge, "bottom"),
    family("left", 12, Kind::Edge, "left"),
    family("start", 12, Kind::Edge, "inset-inline-start"),
    family("end", 12, Kind::Edge, "inset-inline-end"),
    family("z", 12, Kind::Number(true, "#"), "z-index"),
    family("z", 12, Kind::Named(&[("auto", "auto")]), "z-index"),
    family("order", 12, Kind::Number(true, "#"), "order"),
    family("order", 12, Kind::Named(&[("first", "-9999"), ("last", "9999"), ("none", "0")]), "order"),
    family("flex", 26, Kind::Number(false, "#_#_0%"), "flex"),
    family("grow", 27, Kind::Named(&[("", "1")]), "flex-grow"),
    family("grow", 27, Kind::Number(false, "#"), "flex-grow"),
    family("flex-grow", 27, Kind::Named(&[("", "1")]), "flex-grow"),
    family("flex-grow", 27, Kind::Number(false, "#"), "flex-grow"),
    family("shrink", 27, Kind::Named(&[("", "1")]), "flex-shrink"),
    family("shrink", 27, Kind::Number(false, "#"), "flex-shrink"),
    family("flex-shrink", 27, Kind::Named(&[("", "1")]), "flex-shrink"),
    family("flex-shrink", 27, Kind::Number(false, "#"), "flex-shrink"),
    family("grid-cols", 28, Kind::Named(GRID), "grid-template-columns"),
    family("grid-cols", 28, Kind::Number(false, "repeat(#,minmax(0,1fr))"), "grid-template-columns"),
    family("grid-rows", 28, Kind::Named(GRID), "grid-template-rows"),
    family("grid-rows", 28, Kind::Number(false, "repeat(#,minmax(0,1fr))"), "grid-template-rows"),
    family("auto-cols", 28, Kind::Named(TRACKS), "grid-auto-columns"),
    family("auto-rows", 28, Kind::Named(TRACKS), "grid-auto-rows"),
    family("col", 12, Kind::Named(&[("auto", "auto")]), "grid-column"),
    family("col-span", 12, Kind::Named(SPAN), "grid-column"),
    family("col-span", 12, Kind::Number(false, "span_#/span_#"), "grid-column"),
    family("col-start", 13, Kind::Number(true, "#"), "grid-column-start"),
    family("col-end", 13, Kind::Number(true, "#"), "grid-column-end"),
    family("row-span", 12, Kind::Named(SPAN), "grid-row"),
    family("row-span", 12, Kind::Number(false, "span_#/span_#"), "grid-row"),
    family("row-start", 13, Kind::Number(true, "#"), "grid-row-start"),
    family("row-end", 13, Kind::Number(true, "#"), "grid-row-end"),
    family("aspect", 15, Kind::Bracket, "aspect-ratio"),
    family("object", 15, Kind::Bracket, "object-position"),
    family("rounded", 32, Kind::Named(scale::RADIUS), "border-radius"),
    family("rounded-t", 33, Kind::Named(scale::RADIUS), "border-top-left-radius:#;border-top-right-radius:#"),
    family("rounded-r", 33, Kind::Named(scale::RADIUS), "border-top-right-radius:#;border-bottom-right-radius:#"),
    family("rounded-b", 33, Kind::Named(scale::RADIUS), "border-bottom-left-radius:#;border-bottom-right-radius:#"),
    family("rounded-l", 33, Kind::Named(scale::RADIUS), "border-top-left-radius:#;border-bottom-left-radius:#"),
    family("rounded-s", 33, Kind::Named(scale::RADIUS), "border-start-start-radius:#;border-end-start-radius:#"),
    family("rounded-e", 33, Kind::Named(scale::RADIUS), "border-start-end-radius:#;border-end-end-radius:#"),
    family("rounded-tl", 34, Kind::Named(scale::RADIUS), "border-top-left-radius"),
    family("rounded-tr", 34, Kind::Named(scale::RADIUS), "border-top-right-radius"),
    family("rounded-bl", 34, Kind::Named(scale::RADIUS), "border-bottom-left-radius"),
    family("rounded-br", 34, Kind::Named(scale::RADIUS), "border-bottom-right-radius"),
    family("border", 38, Kind::Color, "border-color"),
    family("border-x", 39, Kind::Color, "border-inline-color"),
    family("border-y", 39, Kind::Color, "border-block-color"),
    family("border-t", 39, Kind::Color, "border-top-color"),
    family("border-r", 39, Kind::Color, "border-right-color"),
    family("border-b", 39, Kind::Color, "border-bottom-color"),
    family("border-l", 39, Kind::Color, "border-left-color"),
    family("border-s", 39, Kind::Color, "border-inline-start-color"),
    family("border-e", 39, Kind::Color, "border-inline-end-color"),
    family("border", 35, Kind::Pixels, "border-width"),
    family("border-x", 36, Kind::Pixels, "border-inline-width"),
    family("border-y", 36, Kind::Pixels, "border-block-width"),
    family("border-t", 37, Kind::Pixels, "border-top-width"),
    family("border-r", 37, Kind::Pixels, "border-right-width"),
    family("border-b", 37, Kind::Pixels, "border-bottom-width"),
    family("border-l", 37, Kind::Pixels, "border-left-width"),
    family("border-s", 37, Kind::Pixels, "border-inline-start-width"),
    family("border-e", 37, Kind::Pixels, "border-inline-end-width"),
    family("outline", 62, Kind::Color, "outline-color"),
    family("outline", 62, Kind::Pixels, "outline-width:#;outline-style:solid"),
    family("outline-offset", 63, Kind::Pixels, "outline-offset"),
    family("ring-offset", 62, Kind::Pixels, "outline-offset"),
    family("ring", 63, Kind::Color, "--u-ring-color"),
    family("ring", 62, Kind::Pixels, "--u-ring:0_0_0_#_var(--u-ring-color,rgb(59_130_246/50%));RINGS"),
    family("bg", 43, Kind::Color, "background-color"),
    family("bg", 44, Kind::Bracket, "background"),
    family("bg-gradient-to", 44, Kind::Named(scale::DIRECTION), "background-image:linear-gradient(to_#,var(--u-stops))"),
    family("bg-linear-to", 44, Kind::Named(scale::DIRECTION), "background-image:linear-gradient(to_#,var(--u-stops))"),
    family("from", 45, Kind::Color, "--u-from:#;--u-stops:var(--u-from),var(--u-to,transparent)"),
    family("via", 46, Kind::Color, "--u-stops:var(--u-from,transparent),#,var(--u-to,transparent)"),
    family("to", 47, Kind::Color, "--u-to"),
    family("fill", 48, Kind::Named(&[("none", "none")]), "fill"),
    family("fill", 48, Kind::Color, "fill"),
    family("stroke", 48, Kind::Named(&[("none", "none")]), "stroke"),
    family("stroke", 48, Kind::Color, "stroke"),
    family("stroke", 48, Kind::Number(false, "#"), "stroke-width"),
    family("accent", 48, Kind::Color, "accent-color"),
    family("caret", 48, Kind::Color, "caret-color"),
    family("text", 51, Kind::Color, "color"),
    family("text", 50, Kind::Bracket, "font-size"),
    family("font", 52, Kind::Named(scale::WEIGHT), "font-weight"),
    family("font", 52, Kind::Bracket, "font-weight"),
    family("leading", 53, Kind::Named(scale::LEADING), "line-height"),
    family("leading", 53, Kind::Space(false), "line-height"),
    family("tracking", 53, Kind::Named(scale::TRACKING), "letter-spacing"),
    family("tracking", 53, Kind::Bracket, "letter-spacing"),
    family("decoration", 61, Kind::Color, "text-decoration-color"),
    family("decoration", 61, Kind::Pixels, "text-decoration-thickness"),
    family("underline-offset", 61, Kind::Pixels, "text-underline-offset"),
    within("placeholder", 61, Kind::Color, "color"),
    family("line-clamp", 22, Kind::Number(false, "#"), "display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:#;overflow:hidden"),
    family("content", 60, Kind::Named(&[("none", "none")]), "content"),
    family("content", 60, Kind::Bracket, "content"),
    family("list", 60, Kind::Bracket, "list-style-type"),
    family("align", 60, Kind::Bracket, "vertical-align"),
    family("cursor", 60, Kind::Bracket, "cursor"),
    family("opacity", 64, Kind::Percent, "opacity"),
    family("shadow", 65, Kind::Named(scale::SHADOW), "--u-shadow:#;RINGS"),
    family("shadow", 65, Kind::Bracket, "--u-shadow:#;RINGS"),
    family("translate-x", 67, Kind::Edge, "--u-tx:#;MOVED"),
    family("translate-y", 67, Kind::Edge, "--u-ty:#;MOVED"),
    family("translate", 66, Kind::Edge, "--u-tx:#;--u-ty:#;MOVED"),
    family("scale", 66, Kind::Percent, "--u-sx:#;--u-sy:#;SCALED"),
    family("scale-x", 67, Kind::Percent, "--u-sx:#;SCALED"),
    family("scale-y", 67, Kind::Percent, "--u-sy:#;SCALED"),
    family("rotate", 66, Kind::Unit("deg"), "rotate"),
    family("skew-x", 66, Kind::Unit("deg"), "transform:skewX(#)"),
    family("skew-y", 66, Kind::Unit("deg"), "transform:skewY(#)"),
    family("origin", 66, Kind::Bracket, "transform-origin"),
    family("blur", 68, Kind::Pattern(scale::BLUR, "blur(#)"), "--u-blur:#;FILTERED"),
    family("brightness", 68, Kind::Percent, "--u-light:brightness(#);FILTERED"),
    family("contrast", 68, Kind::Percent, "--u-contrast:contrast(#);FILTERED"),
    family("saturate", 68, Kind::Percent, "--u-saturate:saturate(#);FILTERED"),
    family("grayscale", 68, Kind::Named(WHOLE), "--u-gray:grayscale(#);FILTERED"),
    family("invert", 68, Kind::Named(WHOLE), "--u-invert:invert(#);FILTERED"),
    family("sepia", 68, Kind::Named(WHOLE), "--u-sepia:sepia(#);FILTERED"),
    family("hue-rotate", 68, Kind::Unit("deg"), "--u-hue:hue-rotate(#);FILTERED"),
    family("drop-shadow", 68, Kind::Named(scale::DROP), "--u-drop:#;FILTERED"),
    family("backdrop-blur", 68, Kind::Pattern(scale::BLUR, "blur(#)"), "backdrop-filter"),
    family("transition", 69, Kind::Bracket, "transition-property:#;transition-timing-function:cubic-bezier(.4,0,.2,1);transition-duration:150ms"),
    family("duration", 70, Kind::Unit("ms"), "transition-duration"),
    family("delay", 70, Kind::Unit("ms"), "transition-delay"),
    family("ease", 70, Kind::Named(scale::EASE), "transition-timing-function"),
    family("ease", 70, Kind::Bracket, "transition-timing-function"),
];

const WHOLE: Scale = &[("", "100%"), ("0", "0")];
const GRID: Scale = &[("none", "none"), ("subgrid", "subgrid")];
const SPAN: Scale = &[("full", "1/-1")];
const TRACKS: Scale = &[
    ("auto", "auto"),
    ("min", "min-content"),
    ("max", "max-content"),
    ("fr", "minmax(0,1fr)"),
];

/// The utility of a name with a value.
pub(super) fn find(name: &Name<'_>, brand: &Brand) -> Option<Found> {
    if let Some(found) = text(name) {
        return Some(found);
    }
    let base = name.base;
    let bracket = base.find('[').unwrap_or(base.len());
    // Longest beginnings first: `rounded-tl-lg` before `rounded`.
    let mut end = Some(base.len()).filter(|_| bracket == base.len());
    let mut before = bracket;
    loop {
        if let Some(end) = end {
            let root = base.get(..end)?;
            let value = base.get(end..)?.strip_prefix('-').unwrap_or("");
            // A value that begins with a minus has two of them.
            let found = FAMILIES
                .iter()
                .filter(|family| family.root == root)
                .find_map(|family| set(family, value, name.negative, brand));
            if found.is_some() {
                return found;
            }
        }
        let next = base.get(..before)?.rfind('-')?;
        before = next;
        end = Some(next);
    }
}

/// `text-lg` and `text-lg/7`: a size with the height of its lines.
fn text(name: &Name<'_>) -> Option<Found> {
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
    Some(Found::new(
        50,
        format!("font-size:{size};line-height:{line}"),
    ))
}

fn set(family: &Family, text: &str, negative: bool, brand: &Brand) -> Option<Found> {
    let value = value_of(family.kind, text, negative, brand)?;
    let mut body = if family.sets.contains(':') {
        family.sets.replace('_', " ").replace('#', &value)
    } else {
        format!("{}:{value}", family.sets)
    };
    for (word, declaration) in [
        ("RINGS", RINGS),
        ("MOVED", MOVED),
        ("SCALED", SCALED),
        ("FILTERED", FILTERED),
    ] {
        if let Some(start) = body.strip_suffix(word) {
            body = format!("{start}{declaration}");
        }
    }
    Some(Found {
        order: family.order,
        body,
        inside: family.inside,
    })
}

fn value_of(kind: Kind, text: &str, negative: bool, brand: &Brand) -> Option<String> {
    let written = || value::bracket(text);
    let signed = |value: String| match (negative, value.as_str()) {
        (false, _) | (true, "0rem" | "0") => Some(value),
        (true, plain) if plain.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            Some(format!("-{value}"))
        }
        (true, _) => Some(format!("calc({value}*-1)")),
    };
    match kind {
        Kind::Space(sign) => {
            if negative && !sign {
                return None;
            }
            if sign && text == "auto" {
                return (!negative).then(|| "auto".to_owned());
            }
            signed(value::step(text).or_else(written)?)
        }
        Kind::Size(screen) => {
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
        Kind::Edge => {
            let found = match text {
                "auto" => return (!negative).then(|| "auto".to_owned()),
                "full" => "100%".to_owned(),
                text => value::step(text)
                    .or_else(|| value::fraction(text))
                    .or_else(written)?,
            };
            signed(found)
        }
        Kind::Number(sign, pattern) => {
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
        Kind::Percent => match value::hundredths(text) {
            Some(number) => signed(value::decimal(number, 10_000)),
            None => signed(written()?),
        },
        Kind::Unit(unit) => match value::hundredths(text) {
            Some(number) => signed(format!("{}{unit}", value::decimal(number, 100))),
            None => signed(written()?),
        },
        Kind::Named(_) | Kind::Pattern(..) | Kind::Color | Kind::Pixels | Kind::Bracket
            if negative =>
        {
            None
        }
        Kind::Named(scale) => scale::find(scale, text)
            .map(str::to_owned)
            .or_else(|| written().filter(|_| takes_any(scale))),
        Kind::Pattern(scale, pattern) => {
            let value = scale::find(scale, text)
                .map(str::to_owned)
                .or_else(written)?;
            Some(pattern.replace('#', &value))
        }
        Kind::Color => color::find(text, brand),
        Kind::Pixels => match text {
            "" => Some("1px".to_owned()),
            "auto" => Some("auto".to_owned()),
            text => value::integer(text)
                .map(|number| format!("{number}px"))
                .or_else(written),
        },
        Kind::Bracket => written(),
    }
}

/// Whether a value in brackets fits; single words such as `auto` leave that to the next family.
fn takes_any(scale: Scale) -> bool {
    scale.len() > 1
}

/// `dvh` and the like, and whole windows.
fn viewport(text: &str) -> Option<String> {
    ["dvh", "dvw", "svh", "svw", "lvh", "lvw"]
        .contains(&text)
        .then(|| format!("100{text}"))
}
