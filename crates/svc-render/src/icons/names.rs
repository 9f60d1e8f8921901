//! Which icon names there are, for checks of what an author wrote.

use std::sync::LazyLock;

use lucide_static_svg::Icon;
use svc_config::IconLibrary;
use svc_diagnostics::did_you_mean;

use super::{is_in_library, library, render_icon};

/// Every name of Font Awesome, also those that only its paid version draws.
static FONT_AWESOME: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    include_str!("font_awesome.txt")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .collect()
});

/// The names of Font Awesome that can be drawn: only these are worth a suggestion.
static FREE: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let all = FONT_AWESOME.iter().copied();
    all.filter(|name| library::font_awesome(name, None).is_some())
        .collect()
});

/// Whether a name may be written for this library: it draws the name, maybe by a drawing that looks
/// nearly the same, or it is a name of the paid version. Names of other libraries are drawn too, but
/// all icons of a site should be of one.
pub fn icon_exists(library: IconLibrary, name: &str) -> bool {
    let paid = || {
        let lower = name.trim().to_ascii_lowercase().replace([' ', '_'], "-");
        let lower = lower.strip_prefix("fa-").unwrap_or(&lower);
        FONT_AWESOME.binary_search(&lower).is_ok()
    };
    match library {
        IconLibrary::Lucide | IconLibrary::Tabler => is_in_library(name, library),
        IconLibrary::FontAwesome => render_icon(name, None, library).is_some() || paid(),
    }
}

/// The name of a library that was probably meant. This compares with every name, so whoever asks
/// for many names should stop after some.
pub fn nearest_icon(library: IconLibrary, name: &str) -> Option<&'static str> {
    match library {
        IconLibrary::Tabler => did_you_mean(name, library::TABLER.iter().map(|(name, _)| *name)),
        IconLibrary::Lucide => did_you_mean(name, Icon::all().iter().map(|icon| icon.name())),
        IconLibrary::FontAwesome => did_you_mean(name, FREE.iter().copied()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_so_that_they_are_found() {
        assert!(FONT_AWESOME.is_sorted());
        assert!(FREE.len() > 1_500, "{}", FREE.len());
        assert!(FONT_AWESOME.len() > FREE.len());
        assert!(library::TABLER.is_sorted_by_key(|(name, _)| *name));
        assert_eq!(library::TABLER.len(), 5_944);
    }

    #[test]
    fn names_of_the_paid_version_and_old_names_are_not_blamed() {
        for name in [
            "house",
            "home",
            "telescope",
            "acorn",
            "signal-stream",
            "square-question",
            "fa-alicorn",
            "GitHub",
            "bot",
        ] {
            assert!(icon_exists(IconLibrary::FontAwesome, name), "{name}");
        }
        for name in ["house", "trash-2", "check-circle", "blocks", "github"] {
            assert!(icon_exists(IconLibrary::Lucide, name), "{name}");
        }
        for name in ["brand-github", "home-2", "mood-smile-filled"] {
            assert!(icon_exists(IconLibrary::Tabler, name), "{name}");
        }
    }

    #[test]
    fn a_name_of_another_library_is_none_of_this_one() {
        for (library, name) in [
            (IconLibrary::Lucide, "hat-wizard"),
            (IconLibrary::Tabler, "hat-wizard"),
        ] {
            assert!(!icon_exists(library, name), "{name}");
            assert!(render_icon(name, None, library).is_some(), "{name}");
        }
    }

    #[test]
    fn slips_are_found_and_corrected() {
        for (library, name, meant) in [
            (IconLibrary::FontAwesome, "huose", Some("house")),
            (IconLibrary::FontAwesome, "rockett", Some("rocket")),
            (IconLibrary::FontAwesome, "no-such-icon-anywhere", None),
            (IconLibrary::Lucide, "huose", Some("house")),
            (IconLibrary::Tabler, "brand-githb", Some("brand-github")),
            (
                IconLibrary::Lucide,
                "squar-terminal",
                Some("square-terminal"),
            ),
        ] {
            assert!(!icon_exists(library, name), "{name}");
            assert_eq!(nearest_icon(library, name), meant, "{name}");
        }
    }
}
