//! Themes: design tokens, and the colors of a site mapped to them.
//!
//! A theme is data: a [`ThemeDef`] that selects a [`ShellLayout`], and a style sheet that overrides
//! tokens and adds what tokens cannot express. To add a theme, create a directory with its name and
//! add it to [`ALL`].

mod almond;
mod aspen;
mod background;
mod color;
pub(crate) mod face;
pub(crate) mod fonts;
mod linden;
mod luma;
mod maple;
mod palm;
mod sequoia;
mod svc;
mod willow;

use std::fmt::Write as _;

use svc_config::{SiteConfig, Theme};

use color::Rgb;

use crate::ctx::RenderOptions;

/// Location of logo, search and links in a wide window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShellLayout {
    /// In a header above the page.
    Header,
    /// Above and below the pages in the sidebar; only the tabs are above the text.
    Side,
}

/// Definition of a theme.
#[derive(Debug)]
pub(crate) struct ThemeDef {
    /// Its name in `docs.json`.
    pub(crate) theme: Theme,
    /// Layout of the page frame.
    pub(crate) shell: ShellLayout,
    /// Default of `interaction.drilldown`: whether the title of a group links to its first page.
    pub(crate) drilldown: bool,
    /// Default of `styling.eyebrows`: whether breadcrumbs are above the title.
    pub(crate) breadcrumbs: bool,
    /// Background of text in light mode, for choosing readable tones.
    light: Rgb,
    /// Background of text in dark mode.
    dark: Rgb,
    /// Style sheet, after the base styles and those of all components.
    pub(crate) css: &'static str,
}

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

/// Maximum percentage of the accent color in the background of marked text.
const MAX_MARK_TINT: u16 = 18;

/// The three text colors of light pages, from strong to faint.
const DAY: [(&str, Rgb); 3] = [
    ("text", Rgb(20, 23, 28)),
    ("text-soft", Rgb(67, 74, 86)),
    ("text-faint", Rgb(90, 98, 112)),
];

/// The three text colors of dark pages.
const NIGHT: [(&str, Rgb); 3] = [
    ("text", Rgb(241, 243, 246)),
    ("text-soft", Rgb(185, 192, 203)),
    ("text-faint", Rgb(141, 149, 163)),
];

/// The style rules of a site: its colors in tones that are readable on both backgrounds, its fonts
/// and its background. Only parsed values are inserted, so that a value cannot end its declaration.
pub(crate) fn site_css(config: &SiteConfig, options: &RenderOptions) -> String {
    let primary = Rgb::parse(&config.colors.primary).unwrap_or(Rgb(15, 118, 110));
    let light = config
        .colors
        .light
        .as_deref()
        .and_then(Rgb::parse)
        .unwrap_or(primary);
    let mut css = String::new();
    let theme = definition(config.theme);
    let ground =
        |own: &Option<String>, default: Rgb| own.as_deref().and_then(Rgb::parse).unwrap_or(default);
    let day = ground(&config.background.color.light, theme.light);
    let night = ground(&config.background.color.dark, theme.dark);
    // The background of marked entries contains some of the accent color.
    let text = |accent: Rgb, ground: Rgb| accent.readable_on(ground.mixed(accent, MAX_MARK_TINT));
    tones(&mut css, ":root", primary, text(primary, day));
    tones(&mut css, "html.dark", light, text(light, night));
    if let Some(button) = config.colors.dark.as_deref().and_then(Rgb::parse) {
        let on = button.ink();
        // Writing to a String cannot fail.
        let _ = write!(
            css,
            ":root{{--svc-button:{button};--svc-on-button:{on};--svc-hover:{}}}html.dark{{--svc-hover:{}}}",
            text(button, day),
            text(button, night)
        );
    }
    for (selector, color) in [
        (":root", &config.background.color.light),
        ("html.dark", &config.background.color.dark),
    ] {
        if let Some(color) = color.as_deref().and_then(Rgb::parse) {
            // Writing to a String cannot fail.
            let _ = write!(css, "{selector}{{--svc-bg:{color}");
            let inks = if selector == ":root" { DAY } else { NIGHT };
            for (name, ink) in inks {
                let ink = ink.readable_on(color);
                let _ = write!(css, ";--svc-{name}:{ink}");
            }
            css.push('}');
        }
    }
    css.push_str(&fonts::css(config, options));
    css.push_str(&background::css(config, &options.site.base_path));
    css
}

/// A color of a site, and black or white, whichever is readable on it. `None` if the color is
/// invalid.
pub(crate) fn color_pair(color: &str) -> Option<(String, String)> {
    let color = Rgb::parse(color)?;
    Some((color.to_string(), color.ink().to_string()))
}

fn tones(css: &mut String, selector: &str, accent: Rgb, text: Rgb) {
    let on = accent.ink();
    let _ = write!(
        css,
        "{selector}{{--svc-accent:{accent};--svc-accent-text:{text};--svc-on-accent:{on}}}"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theme_of_the_specification_has_a_definition_of_its_own() {
        let listed: Vec<Theme> = ALL.iter().map(|definition| definition.theme).collect();
        assert_eq!(listed, Theme::ALL);
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
