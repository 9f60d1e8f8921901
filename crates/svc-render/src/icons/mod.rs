//! Icons by name, drawn into the page.
//!
//! Font Awesome Free, Lucide and Tabler are in the program. A name is looked for in the site's library,
//! under its aliases, then in the other libraries, then under a name that looks nearly the same.

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

/// A name that the library does not have.
pub(crate) static UNKNOWN_ICON: DiagnosticCode =
    DiagnosticCode::warning("icon-unknown", "the icon library has no such icon");
/// A name that can be drawn only by those who pay for it.
pub(crate) static PAID_ICON: DiagnosticCode = DiagnosticCode::info(
    "icon-paid",
    "an icon is only available in the paid version of its library",
);

/// An icon of `docs.json` or of front matter; nothing where the name is unknown.
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

/// An icon that a page names; an unknown one is reported and shows nothing.
pub(crate) fn named(cx: &mut Ctx<'_>, name: &str, style: Option<&str>, span: Span) -> Html {
    named_in(cx, name, style, None, span)
}

/// An icon that a page names, of a library of its own choice.
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
    if let Some(known) = cx.icons.get(&key) {
        return known.clone().unwrap_or_default();
    }
    let library = library
        .and_then(library_named)
        .unwrap_or(cx.site.config.icons);
    let found = render_icon(name, style, library);
    if let Some((code, message, hint)) = fault(cx, library, name, found.is_some())
        && cx.report_once(code, name)
    {
        cx.report(code, span, message, hint);
    }
    cx.icons.insert(key, found.clone());
    found.unwrap_or_default()
}

/// What is wrong with an icon that the page names outside of its text, and what to do.
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
        .unwrap_or(cx.site.config.icons);
    let is_drawn = render_icon(name, style, library).is_some();
    fault(cx, library, name, is_drawn)
}

/// How many unknown icons of a page get a suggestion; each one is compared with all names.
const MAX_SUGGESTIONS: u32 = 20;

/// What is wrong with an icon, and what to do. A name of another library is drawn, and is a fault
/// only where a site or an icon names the library that it wants.
fn fault(
    cx: &mut Ctx<'_>,
    library: IconLibrary,
    name: &str,
    is_drawn: bool,
) -> Option<(&'static DiagnosticCode, String, String)> {
    if is_drawn && (library == IconLibrary::FontAwesome || icon_exists(library, name)) {
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
    cx.icon_suggestions += 1;
    let near = (cx.icon_suggestions <= MAX_SUGGESTIONS)
        .then(|| nearest_icon(library, name))
        .flatten();
    let hint = near.map_or_else(
        || format!("choose a name of {spelling}"),
        |near| format!("did you mean `{near}`?"),
    );
    let message = match is_drawn {
        true => format!("`{name}` is not an icon of {spelling}; that of another library is shown"),
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

/// Whether an icon is an address or a file and not a name.
fn is_file(name: &str) -> bool {
    name.contains('/') || name.contains(':') || name.ends_with(".svg") || name.ends_with(".png")
}

fn file_url(cx: &RenderContext<'_>, name: &str) -> String {
    let web = name.starts_with("https://") || name.starts_with("http://") || name.starts_with("//");
    if web {
        return name.to_owned();
    }
    if markdown::has_scheme(name) {
        return String::new();
    }
    format!("{}/{}", cx.options.base_path, svc_source::normalize(name))
}

fn image_icon(address: &str) -> Html {
    let mut out = Html::new();
    out.lit("<img class=\"svc-icon icon\"").attr("src", address);
    out.lit(" alt=\"\" width=\"16\" height=\"16\" loading=\"lazy\">");
    out
}

/// The drawing of a name.
pub(crate) fn render_icon(name: &str, style: Option<&str>, library: IconLibrary) -> Option<Html> {
    let lower = name.trim().to_ascii_lowercase().replace([' ', '_'], "-");
    let lower = lower.strip_prefix("fa-").unwrap_or(&lower);
    if let Some(found) = by_name(lower, style, library) {
        return Some(found);
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

/// Whether a library draws a name itself, or an alias or a neighbour of it. Brands are drawn from
/// Font Awesome for every library, as the others have given them up.
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
    fn names_aliases_and_neighbours_are_found() {
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
    fn drawings_take_the_color_of_the_text() {
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
    fn every_name_that_stands_for_another_is_drawn() {
        for name in aliases::substitutes() {
            assert!(
                by_name(name, None, IconLibrary::FontAwesome).is_some(),
                "{name}"
            );
        }
    }

    #[test]
    fn a_library_draws_its_own_icon_before_another_has_one_of_that_name() {
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
    fn the_style_of_font_awesome_is_followed() {
        let solid = render_icon("house", Some("solid"), IconLibrary::FontAwesome);
        let regular = render_icon("house", Some("regular"), IconLibrary::FontAwesome);
        assert!(solid != regular);
        assert_eq!(
            render_icon("house", Some("duotone"), IconLibrary::FontAwesome),
            solid
        );
    }
}
