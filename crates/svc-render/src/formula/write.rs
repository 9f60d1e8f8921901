//! Rewrites the engine's MathML as MathML Core.
//!
//! Elements and attributes of MathML Core are kept. Other MathML is converted: alphabets to Unicode
//! letters, column and row settings of tables to classes and padding, lines and boxes to classes.

use super::alphabet;
use crate::html::Html;
use crate::untrusted_markup::{self, MarkupToken};

/// Maximum size of the markup of one formula in bytes.
const MAX_OUTPUT_BYTES: usize = 2 * 1024 * 1024;

/// An open element.
#[derive(Default)]
struct OpenElement {
    /// End tag; empty if the element was dropped.
    end: &'static str,
    /// Alphabet of the element's text.
    variant: Option<String>,
    /// Whether the element's text is dropped.
    silent: bool,
    table: Option<TableLayout>,
    /// Number of rows of a table or cells of a row so far.
    count: usize,
}

/// Column and row settings of a table.
#[derive(Default)]
struct TableLayout {
    align: Vec<String>,
    columns: Vec<f32>,
    rows: Vec<f32>,
    column_lines: Vec<String>,
    row_lines: Vec<String>,
    /// Whether the table is as wide as the line, with a centered formula and its number at the end.
    full: bool,
}

/// Rewrites the formula. Returns `None` if the markup contains an element or attribute that is not
/// allowed.
pub(super) fn write(markup: &str, source: &str) -> Option<Html> {
    let mut out = Html::new();
    let mut open: Vec<OpenElement> = Vec::new();
    for piece in untrusted_markup::tokenize(markup)? {
        if out.len() > MAX_OUTPUT_BYTES {
            return None;
        }
        match piece {
            MarkupToken::Open(name, attributes) => {
                let element = begin(&mut out, &mut open, name, &attributes)?;
                open.push(element);
            }
            MarkupToken::Close => {
                let element = open.pop()?;
                // Written from the author's source, because the engine's annotation is of the
                // source that was changed for the engine.
                if element.silent {
                    out.esc(source.trim());
                }
                out.lit(element.end);
            }
            MarkupToken::Text(text) => {
                let element = open.last()?;
                match &element.variant {
                    _ if element.silent => {}
                    Some(variant) => {
                        out.esc(&alphabet::styled(&text, variant));
                    }
                    None => {
                        out.esc(&text);
                    }
                }
            }
        }
    }
    Some(out)
}

/// Allowed elements with their start tag, end tag and attributes.
const ELEMENTS: &[(&str, &str, &str, &[&str])] = &[
    ("math", "<math", "</math>", &["display", "xmlns"]),
    ("semantics", "<semantics", "</semantics>", &[]),
    ("annotation", "<annotation", "</annotation>", &["encoding"]),
    ("mrow", "<mrow", "</mrow>", &[]),
    ("mi", "<mi", "</mi>", &[]),
    ("mn", "<mn", "</mn>", &[]),
    (
        "mo",
        "<mo",
        "</mo>",
        &[
            "fence",
            "form",
            "largeop",
            "lspace",
            "maxsize",
            "minsize",
            "movablelimits",
            "rspace",
            "separator",
            "stretchy",
            "symmetric",
        ],
    ),
    ("mtext", "<mtext", "</mtext>", &[]),
    (
        "mspace",
        "<mspace",
        "</mspace>",
        &["depth", "height", "width"],
    ),
    ("mover", "<mover", "</mover>", &["accent"]),
    ("munder", "<munder", "</munder>", &["accentunder"]),
    (
        "munderover",
        "<munderover",
        "</munderover>",
        &["accent", "accentunder"],
    ),
    ("msup", "<msup", "</msup>", &[]),
    ("msub", "<msub", "</msub>", &[]),
    ("msubsup", "<msubsup", "</msubsup>", &[]),
    ("mfrac", "<mfrac", "</mfrac>", &["linethickness"]),
    ("mroot", "<mroot", "</mroot>", &[]),
    ("msqrt", "<msqrt", "</msqrt>", &[]),
    ("mtable", "<mtable", "</mtable>", &[]),
    ("mtr", "<mtr", "</mtr>", &[]),
    ("mtd", "<mtd", "</mtd>", &[]),
    (
        "mstyle",
        "<mstyle",
        "</mstyle>",
        &["displaystyle", "mathsize", "scriptlevel"],
    ),
    (
        "mpadded",
        "<mpadded",
        "</mpadded>",
        &["depth", "height", "lspace", "voffset", "width"],
    ),
    ("mphantom", "<mphantom", "</mphantom>", &[]),
    ("menclose", "<mrow", "</mrow>", &[]),
];

/// Attributes that the elements of formulas may have besides their own.
const COMMON_ATTRIBUTES: &[&str] = &["class", "mathbackground", "mathcolor", "style"];

/// Names of the attributes that an element of a formula may have; `None` if formulas do not contain
/// such elements.
pub(crate) fn attributes_of(element: &str) -> Option<impl Iterator<Item = &'static str> + use<>> {
    let (.., own) = ELEMENTS
        .iter()
        .find(|(name, ..)| *name == element && *name != "menclose")?;
    let variant = (element == "mi").then_some("mathvariant");
    Some(own.iter().chain(COMMON_ATTRIBUTES).copied().chain(variant))
}

fn begin(
    out: &mut Html,
    open: &mut [OpenElement],
    name: &str,
    attributes: &[(&str, String)],
) -> Option<OpenElement> {
    // Wrapper element of the engine.
    if name == "span" {
        return Some(OpenElement::default());
    }
    let (_, start, end, allowed) = ELEMENTS.iter().find(|(other, ..)| *other == name)?;
    let value = |key: &str| untrusted_markup::value(attributes, key);
    out.lit(start);
    let padded = name == "mpadded" && value("width").is_some_and(|width| width.starts_with('+'));
    for known in allowed.iter().filter(|_| !padded) {
        if let Some(text) = value(known).filter(|text| is_plain(text)) {
            out.attr(known, text);
        }
    }
    for color in ["mathbackground", "mathcolor"] {
        if let Some(text) = value(color).and_then(crate::style::safe_color) {
            out.attr(color, text);
        }
    }
    let mut element = OpenElement {
        end,
        silent: name == "annotation",
        ..OpenElement::default()
    };
    let mut class = None;
    match name {
        "mi" if value("mathvariant") == Some("normal") => {
            out.lit(" mathvariant=\"normal\"");
        }
        // Screen readers do not read letters of mathematical alphabets as words, so text uses
        // classes.
        "mtext" => class = value("mathvariant").map(text_class),
        "mi" | "mn" | "mo" => element.variant = value("mathvariant").map(str::to_owned),
        "menclose" => class = value("notation").map(stroke_class),
        "mpadded" if padded => pad(out, value("lspace").unwrap_or("")),
        "mtable" => {
            if value("width").is_some() {
                class = Some("svc-math-full".to_owned());
            }
            element.table = Some(table(attributes));
        }
        "mtr" => {
            // Count the row in its table.
            if let Some(table) = open.last_mut() {
                table.count += 1;
            }
        }
        "mtd" => class = cell(out, open, attributes),
        _ => {}
    }
    if let Some(class) = class.filter(|class| !class.is_empty()) {
        out.attr("class", &class);
    }
    out.lit(">");
    Some(element)
}

/// Whether a value consists of lengths, keywords and numbers.
fn is_plain(text: &str) -> bool {
    text.len() <= 60
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-.%/:".contains(&byte))
        && !text.starts_with("-1width")
        && !text.starts_with("-0.5width")
}

fn text_class(variant: &str) -> String {
    let mut class = Vec::new();
    for (part, name) in [
        ("bold", "svc-math-bold"),
        ("italic", "svc-math-italic"),
        ("sans-serif", "svc-math-sans"),
        ("monospace", "svc-math-mono"),
    ] {
        if variant.contains(part) {
            class.push(name);
        }
    }
    class.join(" ")
}

fn stroke_class(notation: &str) -> String {
    let mut class = Vec::new();
    for token in notation.split_ascii_whitespace() {
        class.push(match token {
            "box" => "svc-math-box",
            "updiagonalstrike" => "svc-math-up",
            "downdiagonalstrike" => "svc-math-down",
            "horizontalstrike" => "svc-math-strike",
            "actuarial" => "svc-math-actuarial",
            "phasorangle" => "svc-math-phase",
            _ => continue,
        });
    }
    class.join(" ")
}

/// Converts `width="+0.6em" lspace="0.3em"` to padding, which browsers support.
fn pad(out: &mut Html, space: &str) {
    let digits = space.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = space.get(digits.len()..).unwrap_or("");
    if let Ok(length) = digits.parse::<f32>()
        && (0.0..20.0).contains(&length)
        && matches!(unit, "em" | "pt" | "px" | "ex")
    {
        out.attr("style", &format!("padding:0 {length}{unit}"));
    }
}

fn table(attributes: &[(&str, String)]) -> TableLayout {
    let tokens = |name| {
        let text = untrusted_markup::value(attributes, name).unwrap_or("");
        text.split_ascii_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let lengths = |name| {
        let length = |token: String| token.strip_suffix("em")?.parse::<f32>().ok();
        tokens(name)
            .into_iter()
            .map(|token| length(token).unwrap_or(0.0).clamp(0.0, 20.0))
            .collect()
    };
    TableLayout {
        align: tokens("columnalign"),
        columns: lengths("columnspacing"),
        rows: lengths("rowspacing"),
        column_lines: tokens("columnlines"),
        row_lines: tokens("rowlines"),
        full: untrusted_markup::value(attributes, "width").is_some(),
    }
}

/// Entry `at` of a list; the last entry applies to all later positions.
fn nth<T>(list: &[T], at: usize) -> Option<&T> {
    list.get(at).or(list.last())
}

/// Writes the padding of a cell and returns its classes.
fn cell(out: &mut Html, open: &mut [OpenElement], attributes: &[(&str, String)]) -> Option<String> {
    let [.., table, row] = open else {
        return None;
    };
    let column = row.count;
    row.count += 1;
    let line = table.count.checked_sub(1)?;
    let of = table.table.as_ref()?;
    let class = untrusted_markup::value(attributes, "class");
    if class == Some("mtr-glue") || untrusted_markup::value(attributes, "width").is_some() {
        return Some("svc-math-glue".to_owned());
    }
    if class == Some("mml-eqn-num") || (of.full && column == 3) {
        return Some("svc-math-number".to_owned());
    }
    let mut class = Vec::new();
    match of.align.get(column).map(String::as_str) {
        Some("left") => class.push("svc-math-left"),
        Some("right") => class.push("svc-math-right"),
        _ => {}
    }
    let before = column.checked_sub(1);
    match before
        .and_then(|at| of.column_lines.get(at))
        .map(String::as_str)
    {
        Some("solid") => class.push("svc-math-rule-left"),
        Some("dashed") => class.push("svc-math-dash-left"),
        _ => {}
    }
    let above = line.checked_sub(1);
    match above
        .and_then(|at| of.row_lines.get(at))
        .map(String::as_str)
    {
        Some("solid") => class.push("svc-math-rule-top"),
        Some("dashed") => class.push("svc-math-dash-top"),
        _ => {}
    }
    let half = |list: &[f32], at: Option<usize>| {
        at.and_then(|at| nth(list, at))
            .map_or(0.0, |space| space / 2.0)
    };
    let last = column + 1 >= of.align.len();
    let right = if last {
        0.0
    } else {
        half(&of.columns, Some(column))
    };
    let top = half(&of.rows, above);
    let bottom = half(&of.rows, Some(line));
    let left = half(&of.columns, before);
    out.attr(
        "style",
        &format!("padding:{top:.3}em {right:.3}em {bottom:.3}em {left:.3}em"),
    );
    Some(class.join(" "))
}
