//! The SVG of an icon name: from the library, its aliases, the other libraries, or a similar name.

use svc_config::IconLibrary;

use super::{aliases, library};
use crate::html::Html;

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
pub(super) fn is_in_library(name: &str, library: IconLibrary) -> bool {
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
