//! `appearance`: light and dark mode.

use crate::{
    keys::{key, object},
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

object! {
    /// `appearance`: light and dark mode.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Appearance {
        /// Initial mode; `system` follows the device of the reader.
        default: ColorMode = key::<ColorMode>("default").or(|| ColorMode::System),
        /// Whether the switch between the modes is hidden.
        strict: bool = key::<bool>("strict").or(|| false),
    }
    impl Default
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
