//! Colors.

/// An opaque sRGB color: red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

impl Color {
    /// Parses `#rgb` or `#rrggbb`. Returns `None` for any other text.
    pub fn parse(hex: &str) -> Option<Self> {
        let digits = hex.strip_prefix('#')?;
        let digit = |c: char| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let digits: Option<Vec<u8>> = digits.chars().map(digit).collect();
        match *digits? {
            [r, g, b] => Some(Self(r * 17, g * 17, b * 17)),
            [r, r2, g, g2, b, b2] => Some(Self(r * 16 + r2, g * 16 + g2, b * 16 + b2)),
            _ => None,
        }
    }

    pub(crate) fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }

    /// Relative luminance from 0 to 1 (WCAG 2.2).
    pub(crate) fn luminance(self) -> f64 {
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

    /// Whether white text has more contrast on this color than black text.
    pub(crate) fn is_dark(self) -> bool {
        self.luminance() < 0.3
    }

    /// Mixes this color with `percent` of another.
    pub(crate) fn mixed(self, other: Self, percent: u32) -> Self {
        let mix = |own: u8, other: u8| {
            let sum =
                u32::from(own) * (100 - percent.min(100)) + u32::from(other) * percent.min(100);
            u8::try_from(sum / 100).unwrap_or(u8::MAX)
        };
        Self(
            mix(self.0, other.0),
            mix(self.1, other.1),
            mix(self.2, other.2),
        )
    }
}
