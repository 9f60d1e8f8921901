//! Images.

use svc_diagnostics::Span;

use super::link;
use crate::article::tag::Props;
use crate::ctx::marks::WITHOUT_ALT;
use crate::ctx::{Ctx, ParentContext};
use crate::evaluate::Value;
use crate::html::Html;
use crate::icons;

/// An image from Markdown, an `<img>` tag or a component.
#[derive(Debug, Clone, Default)]
pub(crate) struct Image<'a> {
    /// URL as written.
    pub(crate) src: &'a str,
    /// Alternative text; `None` if the author wrote none, empty for decoration.
    pub(crate) alt: Option<&'a str>,
    pub(crate) title: Option<&'a str>,
    /// Further attributes, rendered.
    pub(crate) attributes: Html,
    /// Whether the image does not zoom on a click.
    pub(crate) no_zoom: bool,
    /// Buttons on the image.
    pub(crate) actions: Actions,
    pub(crate) span: Span,
}

/// Buttons on an image.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Actions {
    copy: bool,
    download: bool,
    placement: &'static str,
}

/// Allowed positions of the buttons; the first one is the default.
const PLACEMENTS: &[&str] = &[
    "bottom-center",
    "bottom-left",
    "bottom-right",
    "top-center",
    "top-left",
    "top-right",
];

impl Actions {
    /// Reads `actions` (`true`, a list, or names separated by commas) and `actionsPlacement`.
    pub(crate) fn of(props: &Props) -> Self {
        let actions = props.texts("actions");
        let names: Vec<&str> = actions
            .iter()
            .flat_map(|text| text.split(','))
            .map(str::trim)
            .collect();
        let all =
            names.contains(&"true") || matches!(props.get("actions"), Some(Value::Bool(true)));
        let placement = props.text("actionsPlacement");
        let placement = PLACEMENTS
            .iter()
            .find(|known| placement.as_deref() == Some(**known))
            .or(PLACEMENTS.first());
        Self {
            copy: all || names.contains(&"copy"),
            download: all || names.contains(&"download"),
            placement: placement.copied().unwrap_or_default(),
        }
    }
}

pub(super) fn markdown(
    cx: &mut Ctx<'_>,
    url: &str,
    title: Option<&str>,
    alt: &str,
    span: Span,
    out: &mut Html,
) {
    let image = Image {
        src: url,
        alt: Some(alt).filter(|alt| !alt.trim().is_empty()),
        title,
        span,
        ..Image::default()
    };
    out.add(&image_html(cx, &image));
}

/// Renders a lazily loaded `<img>`.
pub(crate) fn image_html(cx: &mut Ctx<'_>, image: &Image<'_>) -> Html {
    let mut out = Html::new();
    let alt = image.alt.unwrap_or_default();
    let Some(src) = link::source(cx, image.src, image.span) else {
        out.esc(alt);
        return out;
    };
    let in_tile = cx
        .frames
        .is_inside(|frame| matches!(frame, ParentContext::Tile));
    cx.out.text.push(alt);
    out.lit("<img")
        .attr("src", &src)
        .attr("alt", alt)
        .attr_if("title", image.title)
        .flag(WITHOUT_ALT, image.alt.is_none() && cx.marks.is_some());
    out.add(&image.attributes);
    let size = size(cx, &src, image.attributes.as_str());
    out.add(&variants(cx, &src, image.attributes.as_str(), &size));
    out.add(&size);
    out.lit(" loading=\"lazy\" decoding=\"async\"");
    out.flag("data-svc-zoom", !image.no_zoom && !in_tile)
        .lit(">");
    if image.actions.copy || image.actions.download {
        return with_actions(cx, &out, &src, image.actions);
    }
    out
}

/// `width` and `height` of an image of the repository, to avoid layout shifts. Empty if the
/// author's `attributes` set the size.
pub(crate) fn size(cx: &Ctx<'_>, src: &str, attributes: &str) -> Html {
    let mut out = Html::new();
    let chosen = |name: &str| attribute(attributes, name);
    if chosen("style").is_some() || chosen("class").is_some_and(sizes) {
        return out;
    }
    let Some((width, height)) = cx.input.tree.image_size(&file_of(cx, src)) else {
        return out;
    };
    // A missing dimension is computed from the given one.
    let follows = |written: &str, this: u32, other: u32| {
        let written: u64 = written.trim_end_matches("px").parse().ok()?;
        let computed = written.saturating_mul(u64::from(other)) / u64::from(this.max(1));
        Some(computed.max(1))
    };
    match (chosen("width"), chosen("height")) {
        (None, None) => {
            out.lit(" width=\"").num(width).lit("\"");
            out.lit(" height=\"").num(height).lit("\"");
        }
        (Some(written), None) => {
            if let Some(computed) = follows(written, width, height) {
                out.lit(" height=\"").num(computed).lit("\"");
            } else {
                // The size is relative, such as `100%`, so only the aspect ratio is known.
                out.lit(" style=\"aspect-ratio:")
                    .num(width)
                    .lit("/")
                    .num(height)
                    .lit("\"");
            }
        }
        (None, Some(written)) => {
            if let Some(computed) = follows(written, height, width) {
                out.lit(" width=\"").num(computed).lit("\"");
            }
        }
        (Some(_), Some(_)) => {}
    }
    out
}

/// The value of an attribute, without decoding.
fn attribute<'h>(attributes: &'h str, name: &str) -> Option<&'h str> {
    let (_, rest) = attributes.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

/// The repository path of a URL of this site.
fn file_of(cx: &Ctx<'_>, src: &str) -> String {
    let base = &cx.input.options.site.base_path;
    let path = src.strip_prefix(base.as_str()).unwrap_or(src);
    let path = svc_data::percent::decode(path.split(['?', '#']).next().unwrap_or(path));
    path.trim_start_matches('/').to_owned()
}

/// Maximum width of an image in the text column in pixels, in the widest theme.
const COLUMN_WIDTH: u32 = 768;
/// Maximum width in modes without a side column in pixels.
const WIDE_COLUMN_WIDTH: u32 = 992;

/// `srcset` and `sizes` of an image with narrower variants. `size` are its known `width` and
/// `height` attributes.
fn variants(cx: &Ctx<'_>, src: &str, attributes: &str, size: &Html) -> Html {
    let mut out = Html::new();
    let Some(images) = &cx.input.options.metadata.images else {
        return out;
    };
    let own = |name: &str| attribute(attributes, name);
    // White space and commas separate the URLs in a `srcset`.
    if own("srcset").is_some() || src.contains(char::is_whitespace) || src.ends_with(',') {
        return out;
    }
    let file = file_of(cx, src);
    cx.input.tree.record_contents(&file);
    let Some(image) = images.get(&file) else {
        return out;
    };
    let base = &cx.input.options.site.base_path;
    let mut list: String = image
        .variant_widths()
        .map(|width| format!("{base}{} {width}w, ", image.variant_path(width)))
        .collect();
    if list.is_empty() {
        return out;
    }
    list.push_str(&format!("{src} {}w", image.width));
    out.attr("srcset", &list);
    if own("sizes").is_none() {
        let written = own("width").or_else(|| attribute(size.as_str(), "width"));
        let written = written.and_then(|width| width.trim_end_matches("px").parse().ok());
        let column = match (cx.page.plain_headings, cx.page.without_aside) {
            // The page has its own layout.
            (true, _) => image.width,
            (false, true) => WIDE_COLUMN_WIDTH,
            (false, false) => COLUMN_WIDTH,
        };
        let width: u32 = written.unwrap_or(image.width);
        let width = width.min(column).min(image.width);
        out.attr("sizes", &format!("(max-width:{width}px) 100vw,{width}px"));
    }
    out
}

/// Whether a utility class sets a width or a height.
fn sizes(classes: &str) -> bool {
    classes.split_whitespace().any(|class| {
        let bare = class.rsplit(':').next().unwrap_or(class);
        ["w-", "h-", "size-", "max-h-", "min-h-", "aspect-"]
            .iter()
            .any(|start| bare.starts_with(start))
    })
}

/// Renders the image with its buttons. Copying requires the script; saving is a link.
fn with_actions(cx: &Ctx<'_>, image: &Html, src: &str, actions: Actions) -> Html {
    let mut out = Html::literal("<span class=\"svc-picture\">");
    out.add(image)
        .lit("<span class=\"svc-picture-actions\"")
        .attr("data-place", actions.placement)
        .lit(">");
    let sign = |name: &str| icons::render_icon(name, None, svc_config::IconLibrary::Lucide);
    if actions.copy {
        out.lit("<button type=\"button\" data-svc-picture-copy hidden")
            .attr("aria-label", cx.texts.copy_image)
            .attr("title", cx.texts.copy_image)
            .lit(">")
            .add(&sign("copy").unwrap_or_default())
            .lit("</button>");
    }
    if actions.download {
        out.lit("<a download")
            .attr("href", src)
            .attr("aria-label", cx.texts.download_image)
            .attr("title", cx.texts.download_image)
            .lit(">")
            .add(&sign("download").unwrap_or_default())
            .lit("</a>");
    }
    out.lit("</span></span>");
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

    #[test]
    fn images_with_actions_have_buttons() {
        let html = page(
            "<img src=\"https://x.test/a.png\" alt=\"A\" actions actionsPlacement=\"top-right\" />",
        )
        .html;
        for part in [
            "data-place=\"top-right\"",
            "data-svc-picture-copy",
            "<a download href=\"https://x.test/a.png\"",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        let html = page("<img src=\"https://x.test/a.png\" alt=\"A\" actions=\"download\" actionsPlacement=\"here\" />").html;
        assert!(
            html.contains("data-place=\"bottom-center\"") && !html.contains("picture-copy"),
            "{html}"
        );
        let html = page("<img src=\"https://x.test/a.png\" alt=\"A\" />").html;
        assert!(!html.contains("svc-picture"), "{html}");
    }

    #[test]
    fn images_of_the_repository_have_width_and_height() {
        let svg = "<svg width=\"40\" height=\"20\"></svg>";
        let site = |text: &str| {
            let files = format!("//- /a.mdx\n{text}\n//- /i/p q.svg\n{svg}\n");
            crate::testing::site(&files, "/a").html
        };
        for (text, part) in [
            ("![a](/i/p%20q.svg)", " width=\"40\" height=\"20\" loading"),
            (
                "<img src=\"./i/p q.svg\" width=\"10\" />",
                " width=\"10\" height=\"5\" loading",
            ),
            (
                "<img src=\"/i/p q.svg\" className=\"dark:h-8\" />",
                "class=\"dark:h-8\" loading",
            ),
            (
                "<img src=\"/i/p q.svg\" height=\"8\" />",
                " height=\"8\" width=\"16\" loading",
            ),
            (
                "<img src=\"/i/p q.svg\" width=\"100%\" />",
                " style=\"aspect-ratio:40/20\" loading",
            ),
            ("![a](/other.png)", "alt=\"a\" loading"),
        ] {
            let html = site(text);
            assert!(html.contains(part), "{part}: {html}");
        }
    }

    #[test]
    fn images_zoom_unless_disabled() {
        assert!(
            page("![a](https://x.test/a.png)")
                .html
                .contains("data-svc-zoom")
        );
        for still in [
            "<img src=\"https://x.test/a.png\" noZoom />",
            "<Image src=\"https://x.test/a.png\" noZoom />",
            "<Tile href=\"/\" title=\"T\">\n![a](https://x.test/a.png)\n</Tile>",
        ] {
            assert!(!page(still).html.contains("data-svc-zoom"), "{still}");
        }
    }
}
