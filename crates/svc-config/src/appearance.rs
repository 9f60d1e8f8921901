//! `appearance`: light and dark mode.

use crate::{
    decode::{Cx, NodeRef},
    string_enum::string_enum,
};

string_enum! {
    /// `appearance.default`: the initial color mode.
    ColorMode {
        System = "system",
        Light = "light",
        Dark = "dark",
    }
}

/// `appearance`: light and dark mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appearance {
    /// The initial mode.
    pub default: ColorMode,
    /// Whether the toggle is hidden.
    pub strict: bool,
}

impl Default for Appearance {
    fn default() -> Self {
        Self {
            default: ColorMode::System,
            strict: false,
        }
    }
}

impl Appearance {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["default", "strict"])?;
        Some(Self {
            default: cx
                .optional(&fields, "default", Cx::string_enum)
                .unwrap_or(ColorMode::System),
            strict: cx.bool_or(&fields, "strict", false),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Appearance, ColorMode,
        tests::{errors_of, problems_of, site_of},
    };

    #[test]
    fn modes_and_the_toggle() {
        let site = site_of(r#""appearance":{"default":"dark","strict":true}"#)
            .value
            .unwrap();
        assert_eq!(
            site.appearance,
            Appearance {
                default: ColorMode::Dark,
                strict: true
            }
        );
        assert_eq!(
            errors_of(r#""appearance":{"default":"auto"}"#),
            ["/appearance/default config-invalid-value"]
        );
        assert_eq!(
            errors_of(r#""appearance":{"strict":"true"}"#),
            ["/appearance/strict config-type"]
        );
        assert_eq!(
            problems_of(r#""appearance":{"layout":"x"}"#),
            ["/appearance/layout config-unknown-key"]
        );
    }
}
