//! Colors of utilities: the palette, the site's colors, and opacity.

use svc_config::SiteConfig;

use super::{palette, value};

/// The site's colors as RGB.
#[derive(Debug, Clone, Default)]
pub(crate) struct Brand {
    primary: Option<u32>,
    light: Option<u32>,
    dark: Option<u32>,
    ground_light: Option<u32>,
    ground_dark: Option<u32>,
}

impl Brand {
    /// The colors of `docs.json` (`colors`).
    pub(crate) fn of(config: &SiteConfig) -> Self {
        let colors = &config.colors;
        let some = |text: &Option<String>| text.as_deref().and_then(hex);
        Self {
            primary: hex(&colors.primary),
            light: some(&colors.light),
            dark: some(&colors.dark),
            ground_light: some(&config.background.color.light),
            ground_dark: some(&config.background.color.dark),
        }
    }

    /// Resolves `primary`, `primary-light` and similar: a color, or the CSS variable of the theme.
    fn find(&self, name: &str) -> Option<Result<u32, &'static str>> {
        let accent = "var(--svc-accent)";
        let ground = "var(--svc-bg)";
        Some(match name {
            "primary" => self.primary.ok_or(accent),
            "primary-light" => self.light.or(self.primary).ok_or(accent),
            "primary-dark" => self.dark.or(self.primary).ok_or(accent),
            "background-light" => self.ground_light.ok_or(ground),
            "background-dark" => self.ground_dark.ok_or(ground),
            _ => return None,
        })
    }
}

/// Resolves a color to CSS: `gray-500`, `white/20`, `[#1da1f2]/50`, `current`.
pub(super) fn find(text: &str, brand: &Brand) -> Option<String> {
    let (name, opacity) = match text.rsplit_once('/') {
        Some((name, opacity)) if !opacity.contains(']') || opacity.starts_with('[') => {
            (name, Some(percent(opacity)?))
        }
        _ => (text, None),
    };
    let value = match name {
        "current" => "currentcolor".to_owned(),
        "transparent" => return Some("transparent".to_owned()),
        "inherit" => return Some("inherit".to_owned()),
        "black" => return Some(solid(0, opacity.as_deref())),
        "white" => return Some(solid(0x00ff_ffff, opacity.as_deref())),
        name if name.starts_with('[') => {
            let color = value::bracket(name)?;
            let looks = color.starts_with('#')
                || color.starts_with("var(")
                || [
                    "rgb",
                    "hsl",
                    "hwb",
                    "lab(",
                    "lch(",
                    "oklab(",
                    "oklch(",
                    "color-mix(",
                ]
                .iter()
                .any(|start| color.starts_with(start))
                || name.starts_with("[color:");
            if !looks {
                return None;
            }
            color
        }
        name => {
            if let Some(rgb) = palette::find(name) {
                return Some(solid(rgb, opacity.as_deref()));
            }
            match brand.find(name)? {
                Ok(rgb) => return Some(solid(rgb, opacity.as_deref())),
                Err(token) => token.to_owned(),
            }
        }
    };
    Some(match opacity {
        Some(opacity) => format!("color-mix(in srgb,{value} {opacity},transparent)"),
        None => value,
    })
}

fn solid(color: u32, opacity: Option<&str>) -> String {
    let [_, red, green, blue] = color.to_be_bytes();
    match opacity {
        Some(opacity) => format!("rgb({red} {green} {blue}/{opacity})"),
        None => format!("#{color:06x}"),
    }
}

/// Parses `50` or `[0.3]` as a percentage.
fn percent(text: &str) -> Option<String> {
    if text.starts_with('[') {
        return value::bracket(text);
    }
    let number = value::hundredths(text).filter(|share| *share <= 10_000)?;
    Some(format!("{}%", value::decimal(number, 100)))
}

/// Parses `#rgb` or `#rrggbb`.
fn hex(text: &str) -> Option<u32> {
    let digits = text.trim().strip_prefix('#')?;
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    match digits.len() {
        6 => u32::from_str_radix(digits, 16).ok(),
        3 => {
            let short = u32::from_str_radix(digits, 16).ok()?;
            let part = |shift: u32| ((short >> shift) & 15) * 17;
            Some(part(8) << 16 | part(4) << 8 | part(0))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_from_the_palette_the_site_or_arbitrary() {
        let brand = Brand {
            primary: hex("#1af"),
            ..Brand::default()
        };
        for (name, want) in [
            ("gray-500", "#6b7280"),
            ("white/20", "rgb(255 255 255/20%)"),
            ("zinc-950/[0.3]", "rgb(9 9 11/0.3)"),
            ("primary", "#11aaff"),
            ("primary-light/50", "rgb(17 170 255/50%)"),
            ("background-dark", "var(--svc-bg)"),
            (
                "current/50",
                "color-mix(in srgb,currentcolor 50%,transparent)",
            ),
            ("[#1da1f2]", "#1da1f2"),
            ("[3px]", ""),
            ("gray-500/2000", ""),
            ("nothing", ""),
        ] {
            assert_eq!(find(name, &brand).unwrap_or_default(), want, "{name}");
        }
    }
}
