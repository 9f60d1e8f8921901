//! Deduplication of icons: an icon that occurs more than once in a page is a symbol of a sprite.

use std::collections::HashMap;

use memchr::memmem::Finder;

/// Beginning of the SVG of an icon.
const START: &str = "<svg class=\"svc-icon icon\"";
/// End of the SVG of an icon; icons do not nest.
const END: &str = "</svg>";

/// Replaces repeated icons in a document with references to a sprite. The sprite is at the
/// beginning of the body, so that it is available while the page is still loading.
pub(crate) fn with_sprite(document: String) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    let bytes = document.as_bytes();
    let (starts, ends) = (Finder::new(START), Finder::new(END));
    while let Some(offset) = bytes.get(at..).and_then(|rest| starts.find(rest)) {
        let start = at + offset;
        let Some(length) = bytes.get(start..).and_then(|rest| ends.find(rest)) else {
            break;
        };
        at = start + length + END.len();
        ranges.push((start, at));
    }
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for &(start, end) in &ranges {
        *uses
            .entry(document.get(start..end).unwrap_or(""))
            .or_default() += 1;
    }
    let begin = document.find("<body").and_then(|tag| {
        let end = document.get(tag..)?.find('>')?;
        Some(tag + end + 1)
    });
    let bounds = begin.zip(document.rfind("</body>"));
    let (Some((begin, body_end)), true) = (bounds, uses.values().any(|count| *count > 1)) else {
        return document;
    };
    let mut body = String::with_capacity(document.len());
    let mut sprite = String::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut position = begin;
    for &(start, end) in &ranges {
        let svg = document.get(start..end).unwrap_or("");
        let repeated = uses.get(svg).is_some_and(|count| *count > 1);
        let parts = repeated.then(|| parts(svg)).flatten();
        let Some(parts) = parts.filter(|_| start >= begin && end <= body_end) else {
            continue;
        };
        let next = numbers.len() + 1;
        let number = *numbers.entry(svg).or_insert_with(|| {
            sprite.push_str(&format!(
                "<g id=\"svc-icon-{next}\"{}>{}</g>",
                parts.ink, parts.inner
            ));
            next
        });
        body.push_str(document.get(position..start).unwrap_or(""));
        body.push_str(&format!(
            "{START}{} aria-hidden=\"true\"><use href=\"#svc-icon-{number}\"/>{END}",
            parts.frame
        ));
        position = end;
    }
    body.push_str(document.get(position..).unwrap_or(""));
    let mut out = document.get(..begin).unwrap_or("").to_owned();
    out.push_str(
        "\n<svg class=\"svc-sprite\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>",
    );
    out.push_str(&sprite);
    out.push_str("</defs></svg>");
    out.push_str(&body);
    out
}

/// The parts of an icon's SVG.
struct SvgParts<'d> {
    /// Size attributes.
    frame: &'d str,
    /// Color attributes.
    ink: &'d str,
    /// Shapes.
    inner: &'d str,
}

/// Splits the SVG of an icon, whose attributes are size, color and `aria-hidden`, in this order.
fn parts(svg: &str) -> Option<SvgParts<'_>> {
    let (tag, inner) = svg.strip_prefix(START)?.split_once('>')?;
    let attributes = tag.strip_suffix(" aria-hidden=\"true\"")?;
    let (frame, ink) = attributes.split_at(attributes.find(" fill=")?);
    Some(SvgParts {
        frame,
        ink,
        inner: inner.strip_suffix(END)?,
    })
}

#[cfg(test)]
mod tests {
    use svc_config::IconLibrary;

    use super::with_sprite;
    use crate::icons::render_icon;

    fn icon(name: &str, library: IconLibrary) -> String {
        render_icon(name, None, library)
            .expect("it is known")
            .into_string()
    }

    #[test]
    fn only_repeated_icons_are_in_the_sprite() {
        let (house, star) = (
            icon("house", IconLibrary::Lucide),
            icon("star", IconLibrary::FontAwesome),
        );
        let solid = icon("house", IconLibrary::FontAwesome);
        let page = format!("<body>{house}a{star}b{house}c{solid}d{solid}{house}</body>");
        let out = with_sprite(page);
        assert_eq!(
            out.matches("<use href=\"#svc-icon-1\"/>").count(),
            3,
            "{out}"
        );
        assert_eq!(
            out.matches("<use href=\"#svc-icon-2\"/>").count(),
            2,
            "{out}"
        );
        assert_eq!(out.matches("<g id=").count(), 2, "{out}");
        assert!(out.contains(&star), "{out}");
        assert!(
            out.contains("<g id=\"svc-icon-1\" fill=\"none\" stroke=\"currentColor\""),
            "{out}"
        );
        // Each occurrence retains its size.
        assert_eq!(
            out.matches("viewBox=\"0 0 24 24\" width=\"16\" height=\"16\" aria-hidden")
                .count(),
            3,
            "{out}"
        );
        assert!(
            out.starts_with("<body>\n<svg class=\"svc-sprite\""),
            "{out}"
        );
        assert!(out.ends_with("</svg></body>"), "{out}");
    }

    #[test]
    fn a_page_without_repeated_icons_is_unchanged() {
        let house = icon("house", IconLibrary::Lucide);
        for page in [
            format!("<body>{house}</body>"),
            "<body></body>".to_owned(),
            format!("{house}{house}"),
            format!("<body>{house}</body><svg class=\"svc-icon icon\""),
        ] {
            assert_eq!(with_sprite(page.clone()), page);
        }
    }
}
