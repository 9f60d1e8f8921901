//! Validation of icon names, and suggestions.

use std::sync::LazyLock;

use lucide_static_svg::Icon;
use svc_config::IconLibrary;
use svc_diagnostics::did_you_mean;

use super::library;
use super::svg::{is_in_library, render_icon};

/// All icon names of Font Awesome, including its paid version.
static FONT_AWESOME: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    include_str!("font_awesome.txt")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .collect()
});

/// The names of Font Awesome Free, which are used for suggestions.
static FREE: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let all = FONT_AWESOME.iter().copied();
    all.filter(|name| library::font_awesome(name, None).is_some())
        .collect()
});

/// Whether a name is valid for a library: the library has it, an alias or a similar icon, or it is
/// in the paid version. Names of other libraries are rendered too, but are invalid here, because
/// all icons of a site should be from one library.
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

/// The names of a library that are free to use, without aliases.
pub fn icon_names(library: IconLibrary) -> Vec<&'static str> {
    match library {
        IconLibrary::Tabler => library::TABLER.iter().map(|(name, _)| *name).collect(),
        IconLibrary::Lucide => Icon::all().iter().map(|icon| icon.name()).collect(),
        IconLibrary::FontAwesome => FREE.clone(),
    }
}

/// The most similar name of a library. `None` if no name is similar. Compares `name` with all names
/// of the library, so callers should limit the number of calls.
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
    fn names_are_sorted_for_binary_search() {
        assert!(FONT_AWESOME.is_sorted());
        assert!(FREE.len() > 1_500, "{}", FREE.len());
        assert!(FONT_AWESOME.len() > FREE.len());
        assert!(library::TABLER.is_sorted_by_key(|(name, _)| *name));
        assert_eq!(library::TABLER.len(), 5_944);
    }

    #[test]
    fn paid_and_old_names_are_valid() {
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
    fn a_name_of_another_library_is_invalid() {
        for (library, name) in [
            (IconLibrary::Lucide, "hat-wizard"),
            (IconLibrary::Tabler, "hat-wizard"),
        ] {
            assert!(!icon_exists(library, name), "{name}");
            assert!(render_icon(name, None, library).is_some(), "{name}");
        }
    }

    #[test]
    fn misspelled_names_have_suggestions() {
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
