//! `colors`: the accent colours.

use crate::{
    codes::COLOR,
    decode::{Cx, NodeRef, shorten},
};

/// Accent colours, each `#rrggbb` in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colors {
    /// Accent colour, normally in light mode.
    pub primary: String,
    /// Accent colour in dark mode.
    pub light: Option<String>,
    /// Buttons and hover states, depending on the theme.
    pub dark: Option<String>,
}

/// A colour per mode, each `#rrggbb` in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModeColors {
    /// In light mode.
    pub light: Option<String>,
    /// In dark mode.
    pub dark: Option<String>,
}

/// The accent colour of a site that names none.
const DEFAULT_PRIMARY: &str = "#16a34a";

impl Default for Colors {
    fn default() -> Self {
        Self {
            primary: DEFAULT_PRIMARY.to_owned(),
            light: None,
            dark: None,
        }
    }
}

impl Colors {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["primary", "light", "dark"])?;
        Some(Self {
            primary: cx
                .required(&fields, "primary", Cx::color)
                .unwrap_or_else(|| DEFAULT_PRIMARY.to_owned()),
            light: cx.optional(&fields, "light", Cx::color),
            dark: cx.optional(&fields, "dark", Cx::color),
        })
    }
}

impl ModeColors {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["light", "dark"])?;
        Some(Self {
            light: cx.optional(&fields, "light", Cx::color),
            dark: cx.optional(&fields, "dark", Cx::color),
        })
    }
}

impl Cx {
    /// A hex colour, as `#rrggbb` in lower case.
    pub(crate) fn color(&mut self, at: &NodeRef<'_>) -> Option<String> {
        let text = self.string(at)?;
        let found = hex(&text);
        if found.is_none() {
            let bare = hex(&format!("#{text}")).is_some();
            let hint = if bare {
                format!("write `#{text}`")
            } else {
                "write `#` and three or six hex digits, for example `#16a34a`".to_owned()
            };
            let message = format!("{} is not a colour: `{}`", at.name(), shorten(&text));
            self.report(&COLOR, at, message, hint);
        }
        found
    }
}

/// A hex code of three or six digits, as `#rrggbb` in lower case.
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
        let found = root(&format!(
            r#"{{"theme":"svc","name":"X","colors":{{"primary":{color}}},"navigation":{{"pages":["a"]}}}}"#
        ));
        let problems = pointers(&found);
        let wrong = problems
            .iter()
            .filter(|problem| !problem.ends_with("contrast"));
        let wrong = wrong.count();
        (found.value.unwrap().colors.primary, wrong)
    }

    #[test]
    fn three_and_six_digits_are_colours_and_nothing_else_is() {
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
    fn a_missing_primary_colour_is_placed_at_the_object() {
        let found = root(
            "{\"theme\":\"svc\",\"name\":\"X\",\n\"colors\":{},\"navigation\":{\"pages\":[\"a\"]}}",
        );
        assert_eq!(pointers(&found), ["/colors/primary config-missing"]);
        assert_eq!(found.diagnostics[0].location_string(), "docs.json:2:10");
    }

    #[test]
    fn an_unknown_colour_is_a_warning() {
        assert_eq!(
            errors_of(r##""background":{"color":{"light":"#fff","x":"#000"}}"##),
            [""; 0]
        );
    }
}
