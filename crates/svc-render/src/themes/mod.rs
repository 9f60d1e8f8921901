//! Themes: design tokens, and the colors of a site mapped to them.
//!
//! A theme is data: a [`ThemeDef`] that selects a [`ShellLayout`], and a style sheet that overrides
//! tokens and adds what tokens cannot express. To add a theme, create a directory with its name and
//! add it to [`ALL`].

mod almond;
mod aspen;
mod background;
mod color;
pub(crate) mod contrast;
pub(crate) mod face;
pub(crate) mod fonts;
mod linden;
mod luma;
mod maple;
mod palm;
mod sequoia;
pub(crate) mod site_css;
mod svc;
mod theme;
mod willow;

use svc_config::Theme;

use color::Rgb;

pub(crate) use theme::{ShellLayout, ThemeDef};

/// All themes, in the order of the specification.
pub(crate) const ALL: &[&ThemeDef] = &[
    &svc::DEFINITION,
    &maple::DEFINITION,
    &palm::DEFINITION,
    &willow::DEFINITION,
    &linden::DEFINITION,
    &almond::DEFINITION,
    &aspen::DEFINITION,
    &sequoia::DEFINITION,
    &luma::DEFINITION,
];

/// The definition of a theme.
pub(crate) fn definition(theme: Theme) -> &'static ThemeDef {
    ALL.iter()
        .find(|definition| definition.theme == theme)
        .unwrap_or(&&svc::DEFINITION)
}

/// Base style sheets, in cascade order: tokens, background, text.
pub(crate) const BASE_CSS: &[&str] = &[
    include_str!("base/tokens.css"),
    include_str!("base/base.css"),
    include_str!("base/prose.css"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theme_of_the_specification_has_a_definition_of_its_own() {
        let list: Vec<Theme> = ALL.iter().map(|definition| definition.theme).collect();
        assert_eq!(list, Theme::ALL);
    }

    #[test]
    fn themes_use_declared_tokens_only() {
        let base = BASE_CSS.concat();
        for definition in ALL {
            for used in definition.css.split("var(--svc-").skip(1) {
                let name = &used[..used.find([')', ',']).unwrap()];
                let declared = format!("--svc-{name}:");
                assert!(
                    base.contains(&declared) || definition.css.contains(&declared),
                    "{:?}: {declared}",
                    definition.theme
                );
            }
        }
    }
}
