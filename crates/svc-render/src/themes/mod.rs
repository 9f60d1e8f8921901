//! Themes: tokens, and the colours of one site mapped onto them.

mod color;

use std::fmt::Write as _;

use svc_config::SiteConfig;

use color::Rgb;

/// The styles under every page, in cascade order: tokens, ground, running text.
pub(crate) const BASE_CSS: &[&str] = &[
    include_str!("base/tokens.css"),
    include_str!("base/base.css"),
    include_str!("base/prose.css"),
];

/// The rules that one site adds: its colours in tones that can be read on both grounds, its fonts
/// and its background. Only checked values enter, so nothing can leave the declaration.
pub fn site_css(config: &SiteConfig) -> String {
    let primary = Rgb::parse(&config.colors.primary).unwrap_or(Rgb(15, 118, 110));
    let light = config
        .colors
        .light
        .as_deref()
        .and_then(Rgb::parse)
        .unwrap_or(primary);
    let mut css = String::new();
    let white = Rgb(255, 255, 255);
    let night = Rgb(12, 14, 17);
    tones(&mut css, ":root", primary, primary.readable_on(white));
    tones(&mut css, "html.dark", light, light.readable_on(night));
    for (selector, color) in [
        (":root", &config.background.color.light),
        ("html.dark", &config.background.color.dark),
    ] {
        if let Some(color) = color.as_deref().and_then(Rgb::parse) {
            // Writing to a String cannot fail.
            let _ = write!(css, "{selector}{{--svc-bg:{color}}}");
        }
    }
    for (token, font) in [
        ("body", &config.fonts.body),
        ("heading", &config.fonts.heading),
    ] {
        let Some(font) = font else { continue };
        let family: String = font
            .family
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .collect();
        let _ = write!(
            css,
            ":root{{--svc-font-{token}:\"{family}\",ui-sans-serif,system-ui,sans-serif}}"
        );
    }
    css
}

fn tones(css: &mut String, selector: &str, accent: Rgb, text: Rgb) {
    let on = accent.ink();
    let _ = write!(
        css,
        "{selector}{{--svc-accent:{accent};--svc-accent-text:{text};--svc-on-accent:{on}}}"
    );
}
