//! The pairs of colors that readers see on each other.

use svc_config::SiteConfig;

use super::super::BASE_CSS;
use super::super::color::Rgb;
use super::super::site_css::{DAY, NIGHT, accent_text};
use super::super::theme::ThemeDef;

/// Minimum contrast of text.
pub(super) const MIN_TEXT: f64 = 4.5;
/// Minimum contrast of lines that show a state.
const MIN_GRAPHICS: f64 = 3.0;
/// Tokens of surfaces with text that a background of the site does not replace.
const SURFACES: [&str; 4] = [
    "--svc-bg-soft",
    "--svc-bg-raised",
    "--svc-almond-ground",
    "--svc-luma-desk",
];

/// A color that a site sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Primary,
    Light,
    Dark,
    /// The background in light (0) or dark mode (1).
    Background(usize),
}

impl Source {
    pub(super) const fn pointer(self) -> &'static str {
        match self {
            Self::Primary => "/colors/primary",
            Self::Light => "/colors/light",
            Self::Dark => "/colors/dark",
            Self::Background(0) => "/background/color/light",
            Self::Background(_) => "/background/color/dark",
        }
    }
}

/// The colors that a site sets.
#[derive(Debug, Clone, Copy)]
pub(super) struct SiteColors {
    primary: Rgb,
    light: Option<Rgb>,
    dark: Option<Rgb>,
    backgrounds: [Option<Rgb>; 2],
}

impl SiteColors {
    pub(super) fn of(config: &SiteConfig) -> Option<Self> {
        let parse = |color: &Option<String>| color.as_deref().and_then(Rgb::parse);
        let background = &config.background.color;
        Some(Self {
            primary: Rgb::parse(&config.colors.primary)?,
            light: parse(&config.colors.light),
            dark: parse(&config.colors.dark),
            backgrounds: [parse(&background.light), parse(&background.dark)],
        })
    }

    pub(super) const fn get(self, source: Source) -> Option<Rgb> {
        match source {
            Source::Primary => Some(self.primary),
            Source::Light => self.light,
            Source::Dark => self.dark,
            Source::Background(0) => self.backgrounds[0],
            Source::Background(_) => self.backgrounds[1],
        }
    }

    pub(super) const fn with(mut self, source: Source, color: Rgb) -> Self {
        match source {
            Source::Primary => self.primary = color,
            Source::Light => self.light = Some(color),
            Source::Dark => self.dark = Some(color),
            Source::Background(0) => self.backgrounds[0] = Some(color),
            Source::Background(_) => self.backgrounds[1] = Some(color),
        }
        self
    }
}

/// Two colors that readers see on each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pair {
    /// The color that an author would change.
    pub(super) source: Source,
    pub(super) subject: &'static str,
    pub(super) mode: Option<&'static str>,
    pub(super) foreground: Rgb,
    pub(super) background: Rgb,
    pub(super) min_ratio: f64,
}

impl Pair {
    pub(super) fn ratio(&self) -> f64 {
        self.foreground.contrast(self.background)
    }

    pub(super) fn is_readable(&self) -> bool {
        self.ratio() >= self.min_ratio
    }
}

/// All pairs that the colors of the site decide, without those that are readable in every case.
pub(super) fn pairs(theme: &ThemeDef, colors: SiteColors, modes: [bool; 2]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut add = |pair: Pair| {
        let is_known = pairs.iter().any(|other: &Pair| {
            (other.subject, other.foreground, other.background)
                == (pair.subject, pair.foreground, pair.background)
        });
        if !is_known {
            pairs.push(pair);
        }
    };
    let grounds = [theme.light, theme.dark];
    for (mode, name) in [(0, "light"), (1, "dark")] {
        if !modes[mode] {
            continue;
        }
        let (source, accent) = match colors.light {
            Some(light) if mode == 1 => (Source::Light, light),
            _ => (Source::Primary, colors.primary),
        };
        let ground = colors.backgrounds[mode].unwrap_or(grounds[mode]);
        // A theme can have buttons in the color of text.
        let button = match colors.dark {
            Some(dark) => Some((Source::Dark, dark)),
            None => Some((source, accent)).filter(|_| !theme.css.contains("--svc-button:")),
        };
        if let Some((source, button)) = button {
            add(Pair {
                source,
                subject: "the text of buttons",
                mode: None,
                foreground: button.ink(),
                background: button,
                min_ratio: MIN_TEXT,
            });
        }
        // The selected entry is filled in light mode.
        if mode == 0 && theme.css.contains("  color: var(--svc-on-accent);") {
            add(Pair {
                source,
                subject: "the selected entry of the navigation",
                mode: Some(name),
                foreground: accent.ink(),
                background: accent,
                min_ratio: MIN_TEXT,
            });
        }
        add(Pair {
            source,
            subject: "the line below the selected tab",
            mode: Some(name),
            foreground: accent,
            background: ground,
            min_ratio: MIN_GRAPHICS,
        });
        if colors.backgrounds[mode].is_some() {
            let inks = [DAY, NIGHT][mode].map(|(_, ink)| ink.readable_on(ground));
            let texts = inks.into_iter().chain([accent_text(accent, ground)]);
            let on_surfaces = texts.flat_map(|text| {
                let surfaces = surfaces(theme, mode, accent).into_iter();
                surfaces.map(move |surface| Pair {
                    source: Source::Background(mode),
                    subject: "the text of search field, cards and sidebar",
                    mode: Some(name),
                    foreground: text,
                    background: surface,
                    min_ratio: MIN_TEXT,
                })
            });
            if let Some(worst) = on_surfaces.min_by(|a, b| a.ratio().total_cmp(&b.ratio())) {
                add(worst);
            }
        }
    }
    pairs
}

/// Colors of the surfaces of a theme in light (0) or dark mode (1).
pub(super) fn surfaces(theme: &ThemeDef, mode: usize, accent: Rgb) -> Vec<Rgb> {
    let selector = ["\n:root {", "\nhtml.dark {"][mode];
    let declared = |css: &str, name: &str| {
        let with_start = format!("\n{css}");
        let (_, block) = with_start.split_once(selector)?;
        let (block, _) = block.split_once('}')?;
        let (_, value) = block.split_once(&format!("{name}: "))?;
        color(value.split(';').next()?, accent)
    };
    SURFACES
        .iter()
        .filter_map(|name| {
            declared(theme.css, name)
                .or_else(|| BASE_CSS.iter().find_map(|css| declared(css, name)))
        })
        .collect()
}

/// A hex color, or one mixed with a percentage of the accent color.
fn color(value: &str, accent: Rgb) -> Option<Rgb> {
    let Some(mix) = value.strip_prefix("color-mix(in oklab, var(--svc-accent) ") else {
        return Rgb::parse(value);
    };
    let (percent, other) = mix.strip_suffix(')')?.split_once("%, ")?;
    Some(Rgb::parse(other)?.mixed(accent, percent.parse().ok()?))
}
