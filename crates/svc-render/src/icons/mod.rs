//! Icons by name, rendered inline.
//!
//! Font Awesome Free, Lucide and Tabler are part of the binary. A name is resolved in the site's
//! library, by its aliases, in the other libraries, and finally by similar names.

mod aliases;
mod library;
mod names;
mod sprite;
mod svg;

use svc_config::IconLibrary;
use svc_diagnostics::{DiagnosticCode, Span, diagnostic_code, is_typing_error};

use crate::ctx::{Ctx, RenderContext};
use crate::html::Html;
use crate::markdown::link::source;

pub use names::{icon_exists, icon_names, nearest_icon};
pub(crate) use sprite::with_sprite;
pub(crate) use svg::render_icon;

/// The icon library has no icon of this name.
pub(crate) static UNKNOWN_ICON: DiagnosticCode =
    diagnostic_code!(warning, "icon-unknown", "the icon library has no such icon");
/// The icon is only in the paid version of its library.
pub(crate) static PAID_ICON: DiagnosticCode = diagnostic_code!(
    info,
    "icon-paid",
    "an icon is only available in the paid version of its library"
);

/// The SVG of an icon name, as pages show it, with the color `currentColor`. `None` if no library has
/// the name.
///
/// ```
/// use svc_config::IconLibrary;
/// let svg = svc_render::icon_svg(IconLibrary::Lucide, "rocket").expect("an icon");
/// assert!(svg.as_str().starts_with("<svg"));
/// ```
pub fn icon_svg(library: IconLibrary, name: &str) -> Option<Html> {
    render_icon(name, None, library)
}

/// The HTML of an icon of `docs.json` or of front matter; empty if the name is unknown.
pub(crate) fn site_icon(cx: &RenderContext<'_>, icon: &svc_config::Icon) -> Html {
    if is_file(&icon.name) {
        return image_icon(&file_url(cx, &icon.name));
    }
    let library = icon
        .library
        .as_deref()
        .and_then(library_named)
        .unwrap_or(cx.config.icons);
    render_icon(&icon.name, icon.style.as_deref(), library).unwrap_or_default()
}

/// The HTML of an icon in a page; an unknown icon is reported and the result is empty.
pub(crate) fn named(cx: &mut Ctx<'_>, name: &str, style: Option<&str>, span: Span) -> Html {
    named_in(cx, name, style, None, span)
}

/// Like [`named`], with an explicit library.
pub(crate) fn named_in(
    cx: &mut Ctx<'_>,
    name: &str,
    style: Option<&str>,
    library: Option<&str>,
    span: Span,
) -> Html {
    let name = name.trim();
    if name.is_empty() {
        return Html::new();
    }
    if is_file(name) {
        let url = source(cx, name, span);
        return url.map(|url| image_icon(&url)).unwrap_or_default();
    }
    let key = format!("{}/{}/{name}", library.unwrap_or(""), style.unwrap_or(""));
    if let Some(cached) = cx.cache.icons.get(&key) {
        return cached.clone().unwrap_or_default();
    }
    let library = library
        .and_then(library_named)
        .unwrap_or(cx.input.config.icons);
    let icon = render_icon(name, style, library);
    if let Some(problem) = fault(cx, library, name, icon.is_some())
        && cx.out.is_first(problem.code, name)
    {
        cx.report(problem.code, span, problem.message, problem.hint);
        if let Some(near) = problem.near.filter(|near| is_typing_error(name, near)) {
            cx.fix_value(span, name, near);
        }
    }
    cx.cache.icons.insert(key, icon.clone());
    icon.unwrap_or_default()
}

/// A name that is not an icon of its library.
pub(crate) struct IconProblem {
    pub(crate) code: &'static DiagnosticCode,
    pub(crate) message: String,
    pub(crate) hint: String,
    /// The most similar name.
    pub(crate) near: Option<&'static str>,
}

/// The problem of an invalid icon outside of a page's text. `None` for a valid one.
pub(crate) fn problem(
    cx: &mut Ctx<'_>,
    name: &str,
    style: Option<&str>,
    library: Option<&str>,
) -> Option<IconProblem> {
    let name = name.trim();
    if name.is_empty() || is_file(name) || name.starts_with('<') {
        return None;
    }
    let library = library
        .and_then(library_named)
        .unwrap_or(cx.input.config.icons);
    let is_rendered = render_icon(name, style, library).is_some();
    fault(cx, library, name, is_rendered)
}

/// The problem of an invalid icon. A name of another library is rendered, and is invalid only if the
/// site or the icon selects a library.
fn fault(
    cx: &mut Ctx<'_>,
    library: IconLibrary,
    name: &str,
    is_rendered: bool,
) -> Option<IconProblem> {
    if is_rendered && (library == IconLibrary::FontAwesome || icon_exists(library, name)) {
        return None;
    }
    let spelling = match library {
        IconLibrary::FontAwesome => "Font Awesome",
        IconLibrary::Lucide => "Lucide",
        IconLibrary::Tabler => "Tabler",
    };
    if icon_exists(library, name) {
        let message = format!("the icon `{name}` is only in the paid version of {spelling}");
        return Some(IconProblem {
            code: &PAID_ICON,
            message,
            hint: format!("choose a free name of {spelling}"),
            near: None,
        });
    }
    let near = (cx.budget.icon_suggestion())
        .then(|| nearest_icon(library, name))
        .flatten();
    let hint = near.map_or_else(
        || format!("choose a name of {spelling}"),
        |near| format!("did you mean `{near}`?"),
    );
    let message = match is_rendered {
        true => {
            format!("`{name}` is not an icon of {spelling}; the icon of another library is used")
        }
        false => format!("there is no icon `{name}`"),
    };
    Some(IconProblem {
        code: &UNKNOWN_ICON,
        message,
        hint,
        near,
    })
}

fn library_named(name: &str) -> Option<IconLibrary> {
    match name {
        "fontawesome" => Some(IconLibrary::FontAwesome),
        "lucide" => Some(IconLibrary::Lucide),
        "tabler" => Some(IconLibrary::Tabler),
        _ => None,
    }
}

/// Whether an icon is a URL or a file instead of a name.
fn is_file(name: &str) -> bool {
    name.contains('/') || name.contains(':') || name.ends_with(".svg") || name.ends_with(".png")
}

fn file_url(cx: &RenderContext<'_>, name: &str) -> String {
    let web = name.starts_with("https://") || name.starts_with("http://") || name.starts_with("//");
    if web {
        return name.to_owned();
    }
    if svc_data::browser_scheme(name).is_some() {
        return String::new();
    }
    format!(
        "{}/{}",
        cx.options.site.base_path,
        svc_source::normalize(name)
    )
}

fn image_icon(url: &str) -> Html {
    let mut out = Html::new();
    out.lit("<img class=\"svc-icon icon\"").attr("src", url);
    out.lit(" alt=\"\" width=\"16\" height=\"16\" loading=\"lazy\">");
    out
}
