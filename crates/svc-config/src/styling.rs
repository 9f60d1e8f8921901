//! `styling`: eyebrows, LaTeX, code blocks.

use svc_diagnostics::did_you_mean;

use crate::{
    codes::UNKNOWN_VALUE,
    decode::{Cx, Fields, NodeRef, shorten},
    string_enum::string_enum,
};

string_enum! {
    /// `styling.eyebrows`: the text above the title of a page.
    Eyebrows {
        Section = "section",
        Breadcrumbs = "breadcrumbs",
    }
}

/// `styling.codeblocks`: themes and languages of code blocks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CodeBlocks {
    /// Highlighting theme in light mode; None for the default one.
    pub light_theme: Option<String>,
    /// Highlighting theme in dark mode; None for the default one.
    pub dark_theme: Option<String>,
    /// Whether code blocks are dark in both modes.
    pub always_dark: bool,
    /// Paths of TextMate grammar files.
    pub custom_languages: Vec<String>,
}

/// `styling`: details of the look.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Styling {
    /// Text above page titles; None for the default of the theme.
    pub eyebrows: Option<Eyebrows>,
    /// Whether formulas are rendered; None renders them where they occur.
    pub latex: Option<bool>,
    /// Code blocks.
    pub codeblocks: CodeBlocks,
}

/// The highlighting themes that can be referred to by name.
pub const CODE_THEMES: &[&str] = &[
    "andromeeda",
    "aurora-x",
    "ayu-dark",
    "ayu-light",
    "ayu-mirage",
    "catppuccin-frappe",
    "catppuccin-latte",
    "catppuccin-macchiato",
    "catppuccin-mocha",
    "css-variables",
    "dark-plus",
    "dracula",
    "dracula-soft",
    "everforest-dark",
    "everforest-light",
    "github-dark",
    "github-dark-default",
    "github-dark-dimmed",
    "github-dark-high-contrast",
    "github-light",
    "github-light-default",
    "github-light-high-contrast",
    "gruvbox-dark-hard",
    "gruvbox-dark-medium",
    "gruvbox-dark-soft",
    "gruvbox-light-hard",
    "gruvbox-light-medium",
    "gruvbox-light-soft",
    "horizon",
    "horizon-bright",
    "houston",
    "kanagawa-dragon",
    "kanagawa-lotus",
    "kanagawa-wave",
    "laserwave",
    "light-plus",
    "material-theme",
    "material-theme-darker",
    "material-theme-lighter",
    "material-theme-ocean",
    "material-theme-palenight",
    "min-dark",
    "min-light",
    "monokai",
    "night-owl",
    "night-owl-light",
    "nord",
    "one-dark-pro",
    "one-light",
    "plastic",
    "poimandres",
    "red",
    "rose-pine",
    "rose-pine-dawn",
    "rose-pine-moon",
    "slack-dark",
    "slack-ochin",
    "snazzy-light",
    "solarized-dark",
    "solarized-light",
    "synthwave-84",
    "tokyo-night",
    "vesper",
    "vitesse-black",
    "vitesse-dark",
    "vitesse-light",
];

impl Styling {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["eyebrows", "latex", "codeblocks"])?;
        Some(Self {
            eyebrows: cx.optional(&fields, "eyebrows", Cx::string_enum),
            latex: cx.optional(&fields, "latex", Cx::boolean),
            codeblocks: cx
                .optional(&fields, "codeblocks", CodeBlocks::decode)
                .unwrap_or_default(),
        })
    }
}

impl CodeBlocks {
    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        if at.is_string() {
            return Self::highlighting_theme(cx, at);
        }
        if !at.is_object() {
            cx.type_mismatch(at, "a string or an object");
            return None;
        }
        let fields = cx.object(at, &["theme", "languages", "light", "dark"])?;
        let mut blocks = Self::default();
        // `{light, dark}` directly is equivalent to the same object below `theme`.
        if fields.has("theme") {
            blocks = cx
                .optional(&fields, "theme", Self::theme)
                .unwrap_or_default();
        } else if fields.has("light") || fields.has("dark") {
            blocks = Self::pair(cx, &fields);
        }
        blocks.custom_languages = cx
            .optional(&fields, "languages", |cx, at| {
                let fields = cx.object(at, &["custom"])?;
                cx.optional(&fields, "custom", |cx, at| cx.list(at, Cx::file))
            })
            .unwrap_or_default();
        Some(blocks)
    }

    fn theme(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        if at.is_string() {
            return Self::highlighting_theme(cx, at);
        }
        if !at.is_object() {
            cx.type_mismatch(at, "a string or an object");
            return None;
        }
        let fields = cx.object(at, &["light", "dark"])?;
        Some(Self::pair(cx, &fields))
    }

    fn pair(cx: &mut Cx, fields: &Fields<'_>) -> Self {
        Self {
            light_theme: cx.required(fields, "light", theme_name),
            dark_theme: cx.required(fields, "dark", theme_name),
            ..Self::default()
        }
    }

    fn highlighting_theme(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        match at.tree.as_str()? {
            "system" => Some(Self::default()),
            "dark" => Some(Self {
                always_dark: true,
                ..Self::default()
            }),
            _ => {
                let name = theme_name(cx, at)?;
                Some(Self {
                    light_theme: Some(name.clone()),
                    dark_theme: Some(name),
                    ..Self::default()
                })
            }
        }
    }
}

fn theme_name(cx: &mut Cx, at: &NodeRef<'_>) -> Option<String> {
    let name = cx.non_empty_string(at)?;
    if !CODE_THEMES.contains(&&*name) {
        let message = format!("unknown highlighting theme `{}`", shorten(&name));
        let hint = did_you_mean(&name, CODE_THEMES.iter().copied()).map_or_else(
            || "write `system`, `dark` or a theme name such as `github-dark`".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        cx.report(&UNKNOWN_VALUE, at, message, hint);
    }
    Some(name)
}

#[cfg(test)]
mod tests {
    use crate::{
        CodeBlocks, Eyebrows,
        tests::{errors_of, problems_of, site_of},
    };

    fn blocks(json: &str) -> CodeBlocks {
        let checked = site_of(&format!("\"styling\":{{\"codeblocks\":{json}}}"));
        assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
        checked.value.unwrap().styling.codeblocks
    }

    fn themes(light: &str, dark: &str) -> CodeBlocks {
        CodeBlocks {
            light_theme: Some(light.into()),
            dark_theme: Some(dark.into()),
            ..CodeBlocks::default()
        }
    }

    #[test]
    fn all_forms_of_code_block_themes_are_read() {
        assert_eq!(blocks("\"system\""), CodeBlocks::default());
        assert!(blocks("\"dark\"").always_dark);
        assert_eq!(blocks("\"dracula\""), themes("dracula", "dracula"));
        assert_eq!(blocks(r#"{"theme":"nord"}"#), themes("nord", "nord"));
        let pair = r#"{"light":"github-light","dark":"github-dark"}"#;
        assert_eq!(blocks(pair), themes("github-light", "github-dark"));
        assert_eq!(
            blocks(&format!("{{\"theme\":{pair}}}")),
            themes("github-light", "github-dark")
        );
        let custom = blocks(r#"{"languages":{"custom":["/a.json"]}}"#);
        assert_eq!(custom.custom_languages, ["/a.json"]);
    }

    #[test]
    fn problems_of_styling() {
        for (json, expected) in [
            (
                r#"{"eyebrows":"x"}"#,
                "/styling/eyebrows config-invalid-value",
            ),
            (r#"{"latex":"yes"}"#, "/styling/latex config-type"),
            (r#"{"codeblocks":5}"#, "/styling/codeblocks config-type"),
            (
                r#"{"codeblocks":{"theme":{"light":"nord"}}}"#,
                "/styling/codeblocks/theme/dark config-missing",
            ),
            (
                r#"{"codeblocks":{"languages":{"custom":"/a.json"}}}"#,
                "/styling/codeblocks/languages/custom config-type",
            ),
        ] {
            assert_eq!(errors_of(&format!("\"styling\":{json}")), [expected]);
        }
        assert_eq!(
            problems_of(r#""styling":{"codeblocks":"draculla"}"#),
            ["/styling/codeblocks config-unknown-value"]
        );
        let site = site_of(r#""styling":{"eyebrows":"breadcrumbs"}"#)
            .value
            .unwrap();
        assert_eq!(site.styling.eyebrows, Some(Eyebrows::Breadcrumbs));
    }
}
