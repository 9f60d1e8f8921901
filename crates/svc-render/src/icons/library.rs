//! SVG sources of the icon libraries.

use std::collections::HashMap;
use std::sync::LazyLock;

use lucide_static_svg::Icon;

use crate::html::Html;

/// Lucide icons by name; the crate only has a list.
static LUCIDE: LazyLock<HashMap<&'static str, Icon>> = LazyLock::new(|| {
    Icon::all()
        .iter()
        .map(|icon| (icon.name(), *icon))
        .collect()
});

/// Names and shapes of Tabler icons, sorted by name.
pub(super) static TABLER: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/tabler.rs"));

/// A Tabler icon: outlined, or filled if the name ends in `-filled`.
pub(super) fn tabler(name: &str) -> Option<Html> {
    let at = TABLER
        .binary_search_by(|(known, _)| (*known).cmp(name))
        .ok()?;
    let (_, inner) = TABLER.get(at)?;
    let ink = if name.ends_with("-filled") {
        "fill=\"currentColor\""
    } else {
        LINES
    };
    Some(icon_svg(ink, inner))
}

/// Attributes of outlined icons.
const LINES: &str = "fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" \
     stroke-linecap=\"round\" stroke-linejoin=\"round\"";

/// An SVG with a view box of 24 by 24.
fn icon_svg(ink: &str, inner: &str) -> Html {
    let mut out = format!(
        "<svg class=\"svc-icon icon\" viewBox=\"0 0 24 24\" width=\"16\" height=\"16\" {ink} \
         aria-hidden=\"true\">"
    );
    // The source has a line with indentation per shape.
    for line in inner.lines() {
        out.push_str(line.trim());
    }
    out.push_str("</svg>");
    Html::trusted(out)
}

/// A Lucide icon, outlined.
pub(super) fn lucide(name: &str) -> Option<Html> {
    let icon = LUCIDE.get(name)?;
    Some(icon_svg(LINES, inside(icon.svg_str())?))
}

/// Whether a name is a brand icon of Font Awesome.
pub(super) fn is_brand(name: &str) -> bool {
    name.len() <= 60 && fontawesome_free_pack::get_icon(&format!("brands/{name}")).is_some()
}

/// A Font Awesome Free icon, filled. Styles that are not free are replaced with `solid`.
pub(super) fn font_awesome(name: &str, style: Option<&str>) -> Option<Html> {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.is_empty() || name.len() > 60 || !name.bytes().all(fits) {
        return None;
    }
    let order = match style {
        Some("regular") => ["regular", "solid", "brands"],
        Some("brands") => ["brands", "solid", "regular"],
        _ => ["solid", "brands", "regular"],
    };
    let icon = order
        .iter()
        .find_map(|family| fontawesome_free_pack::get_icon(&format!("{family}/{name}")))?;
    let inner = inside(icon.svg)?;
    Some(Html::trusted(format!(
        "<svg class=\"svc-icon icon\" viewBox=\"0 0 {} {}\" height=\"16\" fill=\"currentColor\" \
         aria-hidden=\"true\">{}</svg>",
        icon.width,
        icon.height,
        inner.trim().replace("<path fill=\"currentColor\"", "<path"),
    )))
}

/// The contents of the root element.
fn inside(svg: &'static str) -> Option<&'static str> {
    let (_, rest) = svg.split_once("<svg")?;
    let (_, inner) = rest.split_once('>')?;
    inner.rsplit_once("</svg>").map(|(inner, _)| inner)
}
