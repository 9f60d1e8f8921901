//! Contrast of the colors that a site sets, on the surfaces of its theme (WCAG 2.2, success criteria
//! 1.4.3 and 1.4.11, level AA).
//!
//! Most colors need no check: text in the accent color has a tone that is readable, see
//! [`site_css`](super::site_css). What is left are colors that are shown as they are.

mod pairs;

use svc_config::{ColorMode, SiteConfig};

use self::pairs::{MIN_TEXT, Pair, SiteColors, Source, pairs};
use super::color::Rgb;
use super::definition;

/// A color of `docs.json` with too little contrast.
#[derive(Debug, Clone, PartialEq)]
pub struct ContrastProblem {
    /// JSON pointer of the color in `docs.json`.
    pub pointer: String,
    /// The color that is set there, as `#rrggbb`.
    pub color: String,
    /// What readers see in the color: "the text of buttons".
    pub subject: &'static str,
    /// `light` or `dark`; `None` if both modes show it.
    pub mode: Option<&'static str>,
    /// Color of the text or line, as `#rrggbb`.
    pub foreground: String,
    /// Color behind it, as `#rrggbb`.
    pub background: String,
    /// The contrast ratio, 1 to 21.
    pub ratio: f64,
    /// The minimum contrast ratio.
    pub min_ratio: f64,
    /// The nearest shade of the color with enough contrast wherever it is shown; `None` if there is
    /// none.
    pub nearest: Option<String>,
}

/// Finds the colors of `docs.json` that are too close to what is behind or on them. Modes that the
/// site never shows are not checked. `banners` are the JSON pointers and values of further colors
/// that are backgrounds of a line of text.
pub fn contrast_problems(
    config: &SiteConfig,
    banners: &[(String, String)],
) -> Vec<ContrastProblem> {
    let Some(colors) = SiteColors::of(config) else {
        return Vec::new();
    };
    let theme = definition(config.theme);
    let is_hidden = |other| config.appearance.strict && config.appearance.default == other;
    let modes = [is_hidden(ColorMode::Dark), is_hidden(ColorMode::Light)].map(|hidden| !hidden);
    let pairs = |colors: SiteColors| pairs(theme, colors, modes);
    let mut problems: Vec<ContrastProblem> = Vec::new();
    for pair in pairs(colors).iter().filter(|pair| !pair.is_readable()) {
        let Some(color) = colors.get(pair.source) else {
            continue;
        };
        let nearest = nearest(color, &|shade| {
            let shaded = pairs(colors.with(pair.source, shade));
            let of_source = |other: &&Pair| other.source == pair.source;
            // White text on the color remains white.
            let has_same_text = |other: &Pair| {
                pair.background != color
                    || other.subject != pair.subject
                    || other.foreground == pair.foreground
            };
            let mut shaded = shaded.iter().filter(of_source);
            shaded.all(|other| other.is_readable() && has_same_text(other))
        });
        problems.push(problem(pair, pair.source.pointer(), color, nearest));
    }
    for (pointer, color) in banners {
        let Some(color) = Rgb::parse(color) else {
            continue;
        };
        let pair = |color: Rgb| Pair {
            source: Source::Primary,
            subject: "the text of the banner",
            mode: None,
            foreground: color.ink(),
            background: color,
            min_ratio: MIN_TEXT,
        };
        if !pair(color).is_readable() {
            let nearest = nearest(color, &|shade| {
                pair(shade).is_readable() && shade.ink() == color.ink()
            });
            problems.push(problem(&pair(color), pointer, color, nearest));
        }
    }
    problems
}

fn problem(pair: &Pair, pointer: &str, color: Rgb, nearest: Option<Rgb>) -> ContrastProblem {
    ContrastProblem {
        pointer: pointer.to_owned(),
        color: color.to_string(),
        subject: pair.subject,
        mode: pair.mode,
        foreground: pair.foreground.to_string(),
        background: pair.background.to_string(),
        ratio: pair.ratio(),
        min_ratio: pair.min_ratio,
        nearest: nearest.map(|color| color.to_string()),
    }
}

/// The closest darker or lighter shade that meets a condition.
fn nearest(color: Rgb, is_readable: &dyn Fn(Rgb) -> bool) -> Option<Rgb> {
    (1..=255).find_map(|step| {
        let shades = [0, 255].map(|end| shade(color, end, step));
        shades.into_iter().find(|shade| is_readable(*shade))
    })
}

/// The color mixed with `step` parts of 255 of black (0) or white (255).
fn shade(Rgb(red, green, blue): Rgb, end: u16, step: u16) -> Rgb {
    let mix = |channel: u8| {
        let sum = u16::from(channel) * (255 - step) + end * step;
        u8::try_from((sum + 127) / 255).unwrap_or(u8::MAX)
    };
    Rgb(mix(red), mix(green), mix(blue))
}

#[cfg(test)]
mod tests;
