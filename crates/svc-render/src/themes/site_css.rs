//! Style rules of a site: its colors, fonts and background.

use std::fmt::Write as _;

use svc_config::SiteConfig;

use super::color::Rgb;
use super::{background, definition, fonts};
use crate::ctx::RenderOptions;

/// Maximum percentage of the accent color in the background of marked text.
const MAX_MARK_TINT: u16 = 18;

/// The three text colors of light pages, from strong to faint.
pub(super) const DAY: [(&str, Rgb); 3] = [
    ("text", Rgb(20, 23, 28)),
    ("text-soft", Rgb(67, 74, 86)),
    ("text-faint", Rgb(90, 98, 112)),
];

/// The three text colors of dark pages.
pub(super) const NIGHT: [(&str, Rgb); 3] = [
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
    tones(&mut css, ":root", primary, accent_text(primary, day));
    tones(&mut css, "html.dark", light, accent_text(light, night));
    if let Some(button) = config.colors.dark.as_deref().and_then(Rgb::parse) {
        let on = button.ink();
        // Writing to a String cannot fail.
        let _ = write!(
            css,
            ":root{{--svc-button:{button};--svc-on-button:{on};--svc-hover:{}}}html.dark{{--svc-hover:{}}}",
            accent_text(button, day),
            accent_text(button, night)
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

/// The tone of an accent color for text. The background of marked entries contains some of the color.
pub(super) fn accent_text(accent: Rgb, ground: Rgb) -> Rgb {
    accent.readable_on(ground.mixed(accent, MAX_MARK_TINT))
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
