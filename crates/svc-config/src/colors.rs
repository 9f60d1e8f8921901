//! `colors`: the accent colors.

use crate::{
    codes::COLOR,
    decode::{Cx, NodeRef},
    keys::{key, object, patterns, shape::Shape, value_kind},
    text::shorten,
};

object! {
    /// `colors`: accent colors, each as `#rrggbb` in lower case.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Colors {
        /// Accent color, normally in light mode.
        primary: String = key::<Color>("primary").expected().or_else(|| DEFAULT_PRIMARY.to_owned())
            .rule("For text, its shade is adjusted until it is readable."),
        /// Accent color in dark mode.
        light: Option<String> = key::<Color>("light").default("`primary`"),
        /// Color of buttons and hover states, depending on the theme.
        dark: Option<String> = key::<Color>("dark").default("`primary`"),
    }
    impl Default
}

object! {
    /// A color for each mode, each as `#rrggbb` in lower case.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct ModeColors {
        /// Color in light mode.
        light: Option<String> = key::<Color>("light"),
        /// Color in dark mode.
        dark: Option<String> = key::<Color>("dark"),
    }
    definition ("modeColors", "", "A color for each mode.")
}

/// Accent color of a site that sets none.
const DEFAULT_PRIMARY: &str = "#16a34a";

value_kind!(
    /// A hex color.
    Color -> String = Shape::Pattern(&patterns::COLOR), Cx::color
);

impl Cx {
    /// Decodes a hex color to `#rrggbb` in lower case.
    pub(crate) fn color(&mut self, at: &NodeRef<'_>) -> Option<String> {
        let text = self.string(at)?;
        let hex_color = hex(&text);
        if hex_color.is_none() {
            let bare = hex(&format!("#{text}")).is_some();
            let hint = if bare {
                format!("write `#{text}`")
            } else {
                "write `#` and three or six hex digits, for example `#16a34a`".to_owned()
            };
            let message = format!("{} is not a color: `{}`", at.name(), shorten(&text));
            self.report(&COLOR, at, message, hint);
            if bare {
                self.fix_text(at, &format!("#{text}"));
            }
        }
        hex_color
    }
}

/// Expands a hex code of three or six digits to `#rrggbb` in lower case; None if it is none.
pub(crate) fn hex(text: &str) -> Option<String> {
    let digits = text.strip_prefix('#')?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let twice = match digits.len() {
        3 => 2,
        6 => 1,
        _ => return None,
    };
    let mut code = String::from("#");
    for digit in digits.chars() {
        code.extend(std::iter::repeat_n(digit.to_ascii_lowercase(), twice));
    }
    Some(code)
}

#[cfg(test)]
mod tests {
    use crate::tests::{errors_of, pointers, root};

    fn primary(color: &str) -> (String, usize) {
        let checked = root(&format!(
            r#"{{"theme":"svc","name":"X","colors":{{"primary":{color}}},"navigation":{{"pages":["a"]}}}}"#
        ));
        let wrong = pointers(&checked).len();
        (checked.value.unwrap().colors.primary, wrong)
    }

    #[test]
    fn colors_have_three_or_six_digits() {
        assert_eq!(primary("\"#F0a\""), ("#ff00aa".to_owned(), 0));
        assert_eq!(primary("\"#A8FF53\""), ("#a8ff53".to_owned(), 0));
        for bad in [
            "\"red\"",
            "\"#ff0000ff\"",
            "\"fff\"",
            "\"#ggg\"",
            "\"#\"",
            "\"\"",
            "\"#é1\"",
            "5",
            "null",
        ] {
            assert_eq!(primary(bad).1, 1, "{bad}");
        }
    }

    #[test]
    fn a_missing_primary_color_is_reported_at_the_object() {
        let checked = root(
            "{\"theme\":\"svc\",\"name\":\"X\",\n\"colors\":{},\"navigation\":{\"pages\":[\"a\"]}}",
        );
        assert_eq!(pointers(&checked), ["/colors/primary config-missing"]);
        assert_eq!(checked.diagnostics[0].location_string(), "docs.json:2:10");
    }

    #[test]
    fn an_unknown_color_key_is_a_warning() {
        assert_eq!(
            errors_of(r##""background":{"color":{"light":"#fff","x":"#000"}}"##),
            [""; 0]
        );
    }
}
