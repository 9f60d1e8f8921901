//! Icons by name, rendered inline.
//!
//! Font Awesome Free, Lucide and Tabler are part of the binary. A name is resolved in the site's
//! library, by its aliases, in the other libraries, and finally by similar names.

mod aliases;
mod library;
mod names;
mod sprite;

use svc_config::IconLibrary;
use svc_diagnostics::{DiagnosticCode, Span};

use crate::ctx::{Ctx, RenderContext};
use crate::html::Html;
use crate::markdown;

pub use names::{icon_exists, nearest_icon};
pub(crate) use sprite::with_sprite;

/// The icon library has no icon of this name.
pub(crate) static UNKNOWN_ICON: DiagnosticCode =
    DiagnosticCode::warning("icon-unknown", "the icon library has no such icon");
/// The icon is only in the paid version of its library.
pub(crate) static PAID_ICON: DiagnosticCode = DiagnosticCode::info(
    "icon-paid",
    "an icon is only available in the paid version of its library",
);

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
        let source = markdown::source(cx, name, span);
        return source.map(|source| image_icon(&source)).unwrap_or_default();
    }
    let key = format!("{}/{}/{name}", library.unwrap_or(""), style.unwrap_or(""));
    if let Some(cached) = cx.cache.icons.get(&key) {
        return cached.clone().unwrap_or_default();
    }
    let library = library
        .and_then(library_named)
        .unwrap_or(cx.input.config.icons);
    let icon = render_icon(name, style, library);
    if let Some((code, message, hint)) = fault(cx, library, name, icon.is_some())
        && cx.out.is_first(code, name)
    {
        cx.report(code, span, message, hint);
    }
    cx.cache.icons.insert(key, icon.clone());
    icon.unwrap_or_default()
}

/// The diagnostic code, message and hint for an invalid icon outside of a page's text. `None` for a
/// valid one.
pub(crate) fn problem(
    cx: &mut Ctx<'_>,
    name: &str,
    style: Option<&str>,
    library: Option<&str>,
) -> Option<(&'static DiagnosticCode, String, String)> {
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

/// The diagnostic code, message and hint for an invalid icon. A name of another library is
/// rendered, and is invalid only if the site or the icon selects a library.
fn fault(
    cx: &mut Ctx<'_>,
    library: IconLibrary,
    name: &str,
    is_rendered: bool,
) -> Option<(&'static DiagnosticCode, String, String)> {
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
        return Some((
            &PAID_ICON,
            message,
            format!("choose a free name of {spelling}"),
        ));
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
    Some((&UNKNOWN_ICON, message, hint))
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

/// The SVG of an icon name. `None` if no library has it.
pub(crate) fn render_icon(name: &str, style: Option<&str>, library: IconLibrary) -> Option<Html> {
    let lower = name.trim().to_ascii_lowercase().replace([' ', '_'], "-");
    let lower = lower.strip_prefix("fa-").unwrap_or(&lower);
    if let Some(icon) = by_name(lower, style, library) {
        return Some(icon);
    }
    aliases::nearest(lower)
        .iter()
        .find_map(|near| by_name(near, style, library))
}

fn by_name(name: &str, style: Option<&str>, library: IconLibrary) -> Option<Html> {
    let font_awesome = || {
        library::font_awesome(name, style)
            .or_else(|| library::font_awesome(aliases::font_awesome(name)?, style))
    };
    let lucide = || library::lucide(name).or_else(|| library::lucide(aliases::lucide(name)?));
    let tabler = || library::tabler(name);
    match library {
        IconLibrary::FontAwesome => font_awesome().or_else(lucide).or_else(tabler),
        IconLibrary::Lucide => lucide().or_else(font_awesome).or_else(tabler),
        IconLibrary::Tabler => tabler().or_else(lucide).or_else(font_awesome),
    }
}

/// Whether a library has an icon of this name, an alias or a similar name. Brands count for all
/// libraries, because the others have removed them; they are rendered from Font Awesome.
fn is_in_library(name: &str, library: IconLibrary) -> bool {
    let lower = name.trim().to_ascii_lowercase().replace([' ', '_'], "-");
    let lower = lower.strip_prefix("fa-").unwrap_or(&lower);
    let own = |name: &str| match library {
        IconLibrary::FontAwesome => library::font_awesome(name, None)
            .or_else(|| library::font_awesome(aliases::font_awesome(name)?, None)),
        IconLibrary::Lucide => {
            library::lucide(name).or_else(|| library::lucide(aliases::lucide(name)?))
        }
        IconLibrary::Tabler => library::tabler(name),
    };
    own(lower).is_some()
        || library::is_brand(lower)
        || aliases::nearest(lower)
            .iter()
            .any(|near| own(near).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(name: &str, library: IconLibrary) -> bool {
        render_icon(name, None, library).is_some()
    }

    #[test]
    fn names_aliases_and_similar_names_are_resolved() {
        for name in [
            "house",
            "home",
            "github",
            "GitHub",
            "cog",
            "rocket-launch",
            "sparkles",
            "webhook",
            "python",
            "book-open",
            "message-bot",
            "message-lines",
            "message-anything",
            "circle-1",
            "square-k",
            "wave-pulse",
            "up",
            "grid",
            "file-alt",
            "browser",
            "fa-rocket",
        ] {
            assert!(has(name, IconLibrary::FontAwesome), "{name}");
        }
        for name in [
            "house", "home", "trash-2", "smile", "github", "python", "zap",
        ] {
            assert!(has(name, IconLibrary::Lucide), "{name}");
        }
        for name in [
            "home",
            "brand-github",
            "star-filled",
            "a-b-2",
            "rocket",
            "sparkles-2",
            "webhook",
        ] {
            assert!(has(name, IconLibrary::Tabler), "{name}");
        }
        assert!(!has("no-such-icon-anywhere", IconLibrary::FontAwesome));
    }

    #[test]
    fn icons_use_the_color_of_the_text() {
        for library in [
            IconLibrary::FontAwesome,
            IconLibrary::Lucide,
            IconLibrary::Tabler,
        ] {
            let html = render_icon("house", None, library).expect("it is in both");
            assert!(
                html.as_str().starts_with("<svg class=\"svc-icon icon\""),
                "{html}"
            );
            assert!(html.as_str().contains("currentColor"), "{html}");
            assert!(html.as_str().contains("aria-hidden"), "{html}");
        }
    }

    #[test]
    fn every_substitute_is_rendered() {
        for name in aliases::substitutes() {
            assert!(
                by_name(name, None, IconLibrary::FontAwesome).is_some(),
                "{name}"
            );
        }
    }

    #[test]
    fn the_icon_of_the_selected_library_takes_precedence() {
        let own = render_icon("rocket", None, IconLibrary::Tabler);
        assert_ne!(own, render_icon("rocket", None, IconLibrary::Lucide));
        let filled = render_icon("star-filled", None, IconLibrary::Tabler).expect("it is known");
        assert!(
            filled.as_str().contains("fill=\"currentColor\""),
            "{filled}"
        );
        assert!(!filled.as_str().contains("stroke="), "{filled}");
    }

    #[test]
    fn the_style_selects_the_font_awesome_variant() {
        let solid = render_icon("house", Some("solid"), IconLibrary::FontAwesome);
        let regular = render_icon("house", Some("regular"), IconLibrary::FontAwesome);
        assert!(solid != regular);
        assert_eq!(
            render_icon("house", Some("duotone"), IconLibrary::FontAwesome),
            solid
        );
    }
}
