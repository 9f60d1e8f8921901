//! Colors and contrast (WCAG 2.2, relative luminance).

use std::fmt;

/// An opaque sRGB color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rgb(pub(super) u8, pub(super) u8, pub(super) u8);

impl Rgb {
    /// Parses `#rgb` or `#rrggbb`.
    pub(super) fn parse(hex: &str) -> Option<Self> {
        let digits = hex.strip_prefix('#')?;
        let nibbles: Option<Vec<u8>> = digits
            .chars()
            .map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok()))
            .collect();
        match *nibbles? {
            [r, g, b] => Some(Self(r * 17, g * 17, b * 17)),
            [r, r2, g, g2, b, b2] => Some(Self(r * 16 + r2, g * 16 + g2, b * 16 + b2)),
            _ => None,
        }
    }

    fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    /// The contrast ratio of two colors, 1 to 21.
    pub(super) fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// This color, mixed with black or white in steps of 4 % until its contrast on `ground` is at
    /// least 4.5 (WCAG 2.2, section 1.4.3).
    pub(super) fn readable_on(self, ground: Self) -> Self {
        let target = if ground.luminance() > 0.5 {
            Self(0, 0, 0)
        } else {
            Self(255, 255, 255)
        };
        (0..=25)
            .map(|step| self.mixed(target, step * 4))
            .find(|color| color.contrast(ground) >= 4.6)
            .unwrap_or(target)
    }

    /// This color mixed with `percent` of another one.
    pub(super) fn mixed(self, other: Self, percent: u16) -> Self {
        let mix = |a: u8, b: u8| {
            let sum = u16::from(a) * (100 - percent) + u16::from(b) * percent;
            u8::try_from(sum / 100).unwrap_or(u8::MAX)
        };
        Self(
            mix(self.0, other.0),
            mix(self.1, other.1),
            mix(self.2, other.2),
        )
    }

    /// White or near-black, whichever is more readable on this color.
    pub(super) fn ink(self) -> Self {
        let (white, black) = (Self(255, 255, 255), Self(12, 14, 17));
        // White is the common text color of buttons, so it is used as long as large text is
        // readable.
        if self.contrast(white) >= 3.2 {
            white
        } else {
            black
        }
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pale_accent_is_darkened_on_white_and_unchanged_on_black() {
        let pale = Rgb::parse("#9ae6b4").unwrap();
        assert!(
            pale.readable_on(Rgb(255, 255, 255))
                .contrast(Rgb(255, 255, 255))
                >= 4.5
        );
        assert_eq!(pale.readable_on(Rgb(12, 14, 17)), pale);
        assert_eq!(Rgb::parse("#fff"), Some(Rgb(255, 255, 255)));
        assert_eq!(Rgb::parse("red;}"), None);
    }
}
