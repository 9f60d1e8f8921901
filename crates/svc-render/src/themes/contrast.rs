//! Contrast of the colors that a site sets, on the surfaces of its theme (WCAG 2.2, success criteria
//! 1.4.3 and 1.4.11, level AA).
//!
//! Most colors need no check: text in the accent color has a tone that is readable, see
//! [`site_css`](super::site_css). What is left are colors that are shown as they are.

use svc_config::{ColorMode, SiteConfig};

use super::color::Rgb;
use super::site_css::{DAY, NIGHT, accent_text};
use super::theme::ThemeDef;
use super::{BASE_CSS, definition};

/// Minimum contrast of text.
const MIN_TEXT: f64 = 4.5;
/// Minimum contrast of lines that show a state.
const MIN_GRAPHICS: f64 = 3.0;
/// Tokens of surfaces with text that a background of the site does not replace.
const SURFACES: [&str; 4] = [
    "--svc-bg-soft",
    "--svc-bg-raised",
    "--svc-almond-ground",
    "--svc-luma-desk",
];

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

/// A color that a site sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Primary,
    Light,
    Dark,
    /// The background in light (0) or dark mode (1).
    Background(usize),
}

impl Source {
    const fn pointer(self) -> &'static str {
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
struct SiteColors {
    primary: Rgb,
    light: Option<Rgb>,
    dark: Option<Rgb>,
    backgrounds: [Option<Rgb>; 2],
}

impl SiteColors {
    fn of(config: &SiteConfig) -> Option<Self> {
        let parse = |color: &Option<String>| color.as_deref().and_then(Rgb::parse);
        let background = &config.background.color;
        Some(Self {
            primary: Rgb::parse(&config.colors.primary)?,
            light: parse(&config.colors.light),
            dark: parse(&config.colors.dark),
            backgrounds: [parse(&background.light), parse(&background.dark)],
        })
    }

    const fn get(self, source: Source) -> Option<Rgb> {
        match source {
            Source::Primary => Some(self.primary),
            Source::Light => self.light,
            Source::Dark => self.dark,
            Source::Background(0) => self.backgrounds[0],
            Source::Background(_) => self.backgrounds[1],
        }
    }

    const fn with(mut self, source: Source, color: Rgb) -> Self {
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
struct Pair {
    /// The color that an author would change.
    source: Source,
    subject: &'static str,
    mode: Option<&'static str>,
    foreground: Rgb,
    background: Rgb,
    min_ratio: f64,
}

impl Pair {
    fn ratio(&self) -> f64 {
        self.foreground.contrast(self.background)
    }

    fn is_readable(&self) -> bool {
        self.ratio() >= self.min_ratio
    }
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

/// All pairs that the colors of the site decide, without those that are readable in every case.
fn pairs(theme: &ThemeDef, colors: SiteColors, modes: [bool; 2]) -> Vec<Pair> {
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
fn surfaces(theme: &ThemeDef, mode: usize, accent: Rgb) -> Vec<Rgb> {
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
mod tests {
    use svc_diagnostics::SourceFile;

    use super::*;

    fn problems_in(theme: &str, keys: &str) -> Vec<ContrastProblem> {
        let text =
            format!(r#"{{"theme":"{theme}","name":"T","navigation":{{"pages":["a"]}},{keys}}}"#);
        let config = svc_config::parse(&SourceFile::new("docs.json", text), &|_| None).value;
        contrast_problems(&config.expect("it is an object"), &[])
    }

    fn summaries(theme: &str, keys: &str) -> Vec<String> {
        let problems = problems_in(theme, keys);
        let line = |one: &ContrastProblem| {
            let nearest = one.nearest.as_deref().unwrap_or("-");
            format!("{} {:.2} {nearest}", one.pointer, one.ratio)
        };
        problems.iter().map(line).collect()
    }

    #[test]
    fn white_text_of_a_button_of_medium_lightness_is_reported() {
        let problems = problems_in("svc", r##""colors":{"primary":"#16a34a"}"##);
        assert_eq!(problems.len(), 1, "{problems:?}");
        let problem = &problems[0];
        assert_eq!(problem.subject, "the text of buttons");
        assert_eq!(
            (&*problem.foreground, &*problem.background),
            ("#ffffff", "#16a34a")
        );
        assert!(problem.ratio > 3.2 && problem.ratio < 3.4);
        // The shade is readable, and the one before it is not.
        let near = problem
            .nearest
            .as_deref()
            .and_then(Rgb::parse)
            .expect("a shade");
        assert!(near.contrast(Rgb(255, 255, 255)) >= 4.5);
        assert!(near.contrast(Rgb(255, 255, 255)) < 4.6, "{near}");
    }

    #[test]
    fn colors_that_pages_make_readable_are_not_reported() {
        // Black text on a pale button, links in a darker tone.
        for theme in ["svc", "maple", "palm", "willow", "linden", "aspen", "luma"] {
            assert_eq!(
                summaries(
                    theme,
                    r##""colors":{"primary":"#0f766e","light":"#2dd4bf"}"##
                ),
                [""; 0],
                "{theme}"
            );
        }
    }

    #[test]
    fn each_color_is_reported_where_it_is_set() {
        let dark = problems_in(
            "svc",
            r##""colors":{"primary":"#0f766e","dark":"#16a34a"}"##,
        );
        assert_eq!(dark.len(), 1, "{dark:?}");
        assert_eq!(dark[0].pointer, "/colors/dark");
        // Sequoia has buttons in the color of text.
        assert_eq!(
            summaries("sequoia", r##""colors":{"primary":"#16a34a"}"##),
            [""; 0]
        );
    }

    #[test]
    fn modes_that_the_site_never_shows_are_not_checked() {
        let navy = r##""colors":{"primary":"#0b1f4b"}"##;
        let count = |keys: &str| summaries("svc", keys).len();
        assert_eq!(count(navy), 1, "invisible on the dark background");
        let strict = format!(r#"{navy},"appearance":{{"default":"light","strict":true}}"#);
        assert_eq!(count(&strict), 0);
        let own = r##""colors":{"primary":"#0b1f4b","light":"#8ab4ff"}"##;
        assert_eq!(count(own), 0);
    }

    #[test]
    fn a_background_that_reverses_a_mode_is_reported() {
        let keys = r##""colors":{"primary":"#0f766e","light":"#2dd4bf"},"background":{"color":{"light":"#1b1b1b","dark":"#101010"}}"##;
        let problems = problems_in("svc", keys);
        assert!(
            problems
                .iter()
                .any(|one| one.pointer == "/background/color/light" && one.ratio < 3.0),
            "{problems:?}"
        );
        assert!(
            problems
                .iter()
                .all(|one| one.pointer != "/background/color/dark")
        );
    }

    #[test]
    fn every_theme_declares_its_surfaces() {
        for theme in super::super::ALL {
            for mode in [0, 1] {
                let surfaces = surfaces(theme, mode, Rgb(15, 118, 110));
                assert!(surfaces.len() >= 2, "{:?} {mode}", theme.theme);
            }
        }
    }
}
