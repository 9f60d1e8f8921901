//! HTML elements and attributes that are allowed in pages, and their spelling in HTML.

use crate::table::NameSet;

/// Allowed elements.
pub(super) static ELEMENTS: NameSet = NameSet::new(
    "a abbr address article aside audio b bdi bdo blockquote br button caption center cite \
    code col colgroup data datalist dd del details dfn div dl dt em fieldset figcaption \
    figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr i iframe img input ins kbd label \
    legend li main mark menu meter nav ol optgroup option output p picture pre progress q rp \
    rt ruby s samp section select small source span strike strong sub summary sup table \
    tbody td textarea tfoot th thead time tr track tt u ul var video wbr \
    svg g path circle rect line polyline polygon ellipse defs clipPath mask linearGradient \
    radialGradient stop symbol use title desc text tspan marker pattern filter \
    feGaussianBlur feOffset feBlend feColorMatrix feMerge feMergeNode feFlood feComposite",
);

/// Elements that are removed with their content.
pub(super) static SILENT: NameSet = NameSet::new(
    "script style object embed template noscript foreignObject head base meta link frame \
    frameset applet math animate set",
);

/// Void elements.
pub(super) const VOID: &[&str] = &["br", "hr", "img", "input", "source", "track", "wbr", "col"];

/// Allowed attributes in HTML spelling; attributes of one element are harmless on others.
pub(super) static ATTRIBUTES: NameSet = NameSet::new(
    "abbr accept align allow allowfullscreen alt aspectratio async autocomplete autofocus \
    autoplay border cellpadding cellspacing checked cite class color cols colspan controls \
    controlslist coords crossorigin datetime decoding default dir disabled \
    disablepictureinpicture download enctype fetchpriority for frameborder headers height \
    hidden high href hreflang id inert inputmode itemprop kind label lang list loading loop \
    low max maxlength media method min minlength multiple muted name open optimum pattern \
    placeholder playsinline popover popovertarget poster preload readonly referrerpolicy rel \
    required reversed role rows rowspan sandbox scope scrolling selected shape size sizes \
    span spellcheck src srclang srcset start step style tabindex target title translate type \
    valign value width wrap",
);

/// Allowed SVG attributes in HTML spelling.
pub(super) static SVG_ATTRIBUTES: NameSet = NameSet::new(
    "viewBox preserveAspectRatio xmlns xmlns:xlink xlink:href d fill fill-opacity fill-rule \
    stroke stroke-width stroke-linecap stroke-linejoin stroke-dasharray stroke-dashoffset \
    stroke-miterlimit stroke-opacity clip-path clip-rule clipPathUnits mask maskUnits \
    opacity transform x y x1 x2 y1 y2 cx cy r rx ry fx fy points offset stop-color \
    stop-opacity gradientUnits gradientTransform patternUnits patternTransform spreadMethod \
    text-anchor dominant-baseline font-size font-family font-weight letter-spacing version \
    dx dy markerWidth markerHeight refX refY orient filter filterUnits in in2 stdDeviation \
    result mode values flood-opacity flood-color color-interpolation-filters vector-effect \
    pointer-events focusable overflow",
);

/// Attributes whose value is a URL.
pub(super) const URL_ATTRIBUTES: &[&str] =
    &["href", "src", "poster", "xlink:href", "cite", "action"];

/// Whether `name` is allowed on an element. On images, frames and forms it would also define a
/// property of the document, which can shadow one that scripts use (DOM clobbering).
pub(super) fn may_have_name(element: &str) -> bool {
    matches!(
        element,
        "a" | "button" | "details" | "fieldset" | "input" | "output" | "select" | "textarea"
    )
}

/// Whether an id would define a property of the window that scripts of the page read.
pub(super) fn is_reserved_id(id: &str) -> bool {
    id.strip_prefix("svc")
        .and_then(|rest| rest.chars().next())
        .is_some_and(|next| next.is_ascii_uppercase())
}

/// The HTML spelling of an attribute; `None` if it is not allowed in pages.
pub(super) fn attribute(name: &str) -> Option<String> {
    match name {
        "className" => return Some("class".to_owned()),
        "htmlFor" => return Some("for".to_owned()),
        "xlinkHref" => return Some("xlink:href".to_owned()),
        _ => {}
    }
    if SVG_ATTRIBUTES.contains(name) {
        return Some(name.to_owned());
    }
    let safe = name
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    let lower = name.to_ascii_lowercase();
    if safe && lower.len() > 5 && (lower.starts_with("data-") || lower.starts_with("aria-")) {
        // These attributes are reserved for built-in scripts.
        return (!lower.starts_with("data-svc")).then_some(lower);
    }
    if ATTRIBUTES.contains(lower.as_str()) {
        return Some(lower);
    }
    let hyphenated = hyphenated(name);
    SVG_ATTRIBUTES
        .contains(hyphenated.as_str())
        .then_some(hyphenated)
}

fn hyphenated(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 2);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            out.push('-');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::attribute;

    #[test]
    fn attribute_names_become_html_and_handlers_are_removed() {
        for (name, html) in [
            ("className", Some("class")),
            ("allowFullScreen", Some("allowfullscreen")),
            ("strokeWidth", Some("stroke-width")),
            ("viewBox", Some("viewBox")),
            ("data-x", Some("data-x")),
            ("onClick", None),
            ("onload", None),
            ("srcDoc", None),
            ("formaction", None),
            ("data-svc-copy", None),
            ("data-\"x", None),
        ] {
            assert_eq!(attribute(name).as_deref(), html, "{name}");
        }
    }
}
