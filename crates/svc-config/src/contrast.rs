//! Contrast check of accent colors (WCAG 2.2, success criterion 1.4.3, level AA).

use crate::{
    ColorMode, Colors, SiteConfig,
    codes::CONTRAST,
    colors::hex,
    decode::{Cx, NodeRef},
};

/// Minimum contrast of text.
const MIN_CONTRAST: f64 = 4.5;
/// Default backgrounds of light and dark mode.
const DEFAULT_BACKGROUNDS: [&str; 2] = ["#ffffff", "#0c0e11"];

/// Reports accent colors that are too close to the background of their mode: `primary` in light
/// mode, `light` in dark mode. A mode that the site never shows is not checked. Buttons are filled
/// with `dark` and lettered in black or white, one of which is always readable.
pub(crate) fn check(cx: &mut Cx, root: &NodeRef<'_>, site: &SiteConfig) {
    let Some(root) = root.fields() else { return };
    let Some(colors) = root.get("colors") else {
        return;
    };
    let Some(colors) = colors.fields() else {
        return;
    };
    let Colors { primary, light, .. } = &site.colors;
    let shown = |mode| !site.appearance.strict || site.appearance.default != mode;
    let ground = &site.background.color;
    let sides = [
        (
            "primary",
            Some(primary),
            &ground.light,
            "light",
            ColorMode::Dark,
        ),
        (
            "light",
            light.as_ref(),
            &ground.dark,
            "dark",
            ColorMode::Light,
        ),
    ];
    for ((key, color, own, mode, other), usual) in sides.into_iter().zip(DEFAULT_BACKGROUNDS) {
        let ground = own.as_deref().unwrap_or(usual);
        let (Some(at), Some(color)) = (colors.get(key), color.and_then(|color| Rgb::parse(color)))
        else {
            continue;
        };
        let Some(ground) = Rgb::parse(ground) else {
            continue;
        };
        // Without a valid color the default one is used, which the author did not write.
        let written = at.tree.as_str().and_then(hex).is_some() && cx.is_written(&at);
        let ratio = color.contrast(ground);
        if !shown(other) || !written || ratio >= MIN_CONTRAST {
            continue;
        }
        let message = format!(
            "{} has a contrast of only {:.2} : 1 on the {mode} background `{}`",
            at.name(),
            (ratio * 100.0).floor() / 100.0,
            ground.hex(),
        );
        let hint = color.nearest_readable(ground).map_or_else(
            || format!("change the background; text needs {MIN_CONTRAST} : 1, which no shade reaches on this one"),
            |near| {
                format!(
                    "write `{}`, the nearest shade with the {MIN_CONTRAST} : 1 that text needs",
                    near.hex()
                )
            },
        );
        cx.report(&CONTRAST, &at, message, hint);
    }
}

/// Red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rgb([u8; 3]);

impl Rgb {
    /// Parses `#rrggbb`.
    fn parse(hex: &str) -> Option<Self> {
        let number = u32::from_str_radix(hex.strip_prefix('#')?, 16).ok()?;
        let [_, red, green, blue] = number.to_be_bytes();
        (hex.len() == 7).then_some(Self([red, green, blue]))
    }

    fn hex(self) -> String {
        let [red, green, blue] = self.0;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|channel| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    /// The closest darker or lighter shade of this color that is readable on `ground`.
    fn nearest_readable(self, ground: Self) -> Option<Self> {
        (1..=255).find_map(|step| {
            [0, 255]
                .map(|end| self.towards(end, step))
                .into_iter()
                .find(|shade| shade.contrast(ground) >= MIN_CONTRAST)
        })
    }

    /// Blends with black (0) or white (255): `step` parts of 255.
    fn towards(self, end: u8, step: u16) -> Self {
        Self(self.0.map(|channel| {
            let sum = u16::from(channel) * (255 - step) + u16::from(end) * step;
            // Round away from the background.
            let rounded = if end == 0 {
                sum / 255
            } else {
                sum.div_ceil(255)
            };
            u8::try_from(rounded).unwrap_or(u8::MAX)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::Rgb;
    use crate::tests::{pointers, root};

    fn problems_with(colors: &str, more: &str) -> Vec<String> {
        pointers(&root(&format!(
            r#"{{"theme":"svc","name":"X","colors":{colors},{more}"navigation":{{"pages":["a"]}}}}"#
        )))
    }

    #[test]
    fn contrast_is_that_of_the_recommendation() {
        let white = Rgb([255; 3]);
        assert!((Rgb([0; 3]).contrast(white) - 21.0).abs() < 1e-9);
        // `#767676` is known as the lightest gray that passes on white.
        assert!(Rgb([0x76; 3]).contrast(white) >= 4.5);
        assert!(Rgb([0x77; 3]).contrast(white) < 4.5);
        assert_eq!(Rgb([0x77; 3]).nearest_readable(white), Some(Rgb([0x76; 3])));
        assert_eq!(Rgb::parse("#12345"), None);
    }

    #[test]
    fn a_pale_accent_is_reported_with_a_shade_that_passes() {
        let site = root(
            r##"{"theme":"svc","name":"X","colors":{"primary":"#16a34a"},"navigation":{"pages":["a"]}}"##,
        );
        assert_eq!(pointers(&site), ["/colors/primary config-contrast"]);
        let problem = &site.diagnostics[0];
        assert_eq!(
            problem.message,
            "`colors.primary` has a contrast of only 3.29 : 1 on the light background `#ffffff`"
        );
        let shade = problem
            .hint
            .as_deref()
            .and_then(|hint| hint.split('`').nth(1))
            .unwrap();
        let shade = Rgb::parse(shade).unwrap();
        assert!(shade.contrast(Rgb([255; 3])) >= 4.5);
        let [red, green, blue] = shade.0;
        assert!(
            green < 0xa3 && green > 0x70 && red < 0x17 && blue < 0x4b,
            "{shade:?}"
        );
    }

    #[test]
    fn each_mode_has_its_color_and_its_background() {
        assert_eq!(
            problems_with(r##"{"primary":"#000","light":"#333"}"##, ""),
            ["/colors/light config-contrast"]
        );
        assert_eq!(
            problems_with(
                r##"{"primary":"#333","light":"#fff"}"##,
                r##""background":{"color":{"light":"#222"}},"##
            ),
            ["/colors/primary config-contrast"]
        );
        assert_eq!(
            problems_with(
                r##"{"primary":"#fff","light":"#fff"}"##,
                r#""appearance":{"default":"dark","strict":true},"#
            ),
            [""; 0]
        );
        assert_eq!(
            problems_with(
                r##"{"primary":"#000","light":"#000"}"##,
                r#""appearance":{"default":"light","strict":true},"#
            ),
            [""; 0]
        );
        assert_eq!(
            problems_with(r##"{"primary":"#000","dark":"#ff0"}"##, ""),
            [""; 0]
        );
    }
}
