//! `styling`: eyebrows, LaTeX, code blocks.

use serde_json::json;
use svc_diagnostics::did_you_mean;

use crate::{
    codes::UNKNOWN_VALUE,
    decode::{Cx, NodeRef},
    keys::{
        key, keys,
        kinds::{ListOf, StringOr},
        object,
        shape::{Object, Shape},
        single_key, value_kind,
    },
    link::File,
    string_enum::string_enum,
    text::shorten,
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

object! {
    /// `styling`: details of the look.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Styling {
        /// Text above the title of a page: its section, or the breadcrumbs to it.
        ///
        /// None for the default of the theme.
        eyebrows: Option<Eyebrows> = key::<Eyebrows>("eyebrows").default("\"section\"")
            .rule("Some themes choose `breadcrumbs` themselves."),
        /// Whether formulas are rendered: `false` shows them as text. They need no style sheet, so
        /// `true` has no effect.
        ///
        /// None renders them where they occur.
        latex: Option<bool> = key::<bool>("latex").default("true"),
        /// Colors of code: `system` follows the mode, `dark` is dark in both, or the name of a
        /// highlighting theme, or an object.
        codeblocks: CodeBlocks = key::<StringOr<CodeStyle, CodeBlockObject>>("codeblocks")
            .or_default().default("\"system\""),
    }
}

keys! {
    struct CodeBlockKeys {
        /// One highlighting theme, or one for each mode.
        theme: CodeBlocks = key::<StringOr<CodeStyle, CodeTheme>>("theme").or_default(),
        /// Additional languages.
        languages: Vec<String> = key::<CodeLanguages>("languages").or_default(),
        /// The same as `theme.light`.
        = key::<UnreadThemeName>("light").deprecated("Write it below `theme`."),
        /// The same as `theme.dark`.
        = key::<UnreadThemeName>("dark").deprecated("Write it below `theme`."),
    }
}

object! {
    struct CodePair {
        /// Theme in light mode.
        light: Option<String> = key::<CodeThemeName>("light")
            .expected_if(|_| true, "add `\"light\": …`"),
        /// Theme in dark mode.
        dark: Option<String> = key::<CodeThemeName>("dark")
            .expected_if(|_| true, "add `\"dark\": …`"),
    }
    rules [json!({ "required": ["light", "dark"] })]
}

single_key!(CodeLanguages -> Vec<String> {
    /// Paths of grammar files in the TextMate format.
    = key::<ListOf<File>>("custom").or_default()
});

value_kind!(CodeThemeName -> String = Shape::Suggested(CODE_THEMES.to_vec()), theme_name,
    definition ("codeTheme", "", ""));
value_kind!(
    /// The name of a theme that is only read if there is no `theme`.
    UnreadThemeName -> () = CodeThemeName::shape(), |_, _| None,
    definition ("codeTheme", "", ""));
value_kind!(CodeStyle -> CodeBlocks =
    Shape::Suggested([&["system", "dark"], CODE_THEMES].concat()), highlighting_theme,
    definition ("codeStyle", "", ""));
value_kind!(CodeTheme -> CodeBlocks = CodePair::shape(), |cx, at| {
    CodePair::decode(cx, at).map(CodeBlocks::from)
});
value_kind!(CodeBlockObject -> CodeBlocks = code_block_shape(), |cx, at| {
    let fields = cx.object(at, CodeBlockKeys::NAMES)?;
    let keys = CodeBlockKeys::read(cx, &fields)?;
    let mut blocks = keys.theme;
    // `{light, dark}` directly is equivalent to the same object below `theme`.
    if !fields.has("theme") && (fields.has("light") || fields.has("dark")) {
        blocks = CodePair::read(cx, &fields)?.into();
    }
    blocks.custom_languages = keys.languages;
    Some(blocks)
});

fn code_block_shape() -> Shape {
    let rule = json!({
        "if": { "not": { "required": ["theme"] } },
        "then": { "dependentRequired": { "light": ["dark"], "dark": ["light"] } },
    });
    Shape::Object(Object {
        rules: vec![rule],
        ..Object::new(CodeBlockKeys::properties())
    })
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

impl From<CodePair> for CodeBlocks {
    fn from(pair: CodePair) -> Self {
        Self {
            light_theme: pair.light,
            dark_theme: pair.dark,
            ..Self::default()
        }
    }
}

fn highlighting_theme(cx: &mut Cx, at: &NodeRef<'_>) -> Option<CodeBlocks> {
    let mut blocks = CodeBlocks::default();
    match at.tree.as_str()? {
        "system" => {}
        "dark" => blocks.always_dark = true,
        _ => {
            blocks.light_theme = Some(theme_name(cx, at)?);
            blocks.dark_theme.clone_from(&blocks.light_theme);
        }
    }
    Some(blocks)
}

fn theme_name(cx: &mut Cx, at: &NodeRef<'_>) -> Option<String> {
    let name = cx.non_empty_string(at)?;
    if !CODE_THEMES.contains(&&*name) {
        let message = format!("unknown highlighting theme `{}`", shorten(&name));
        let near = did_you_mean(&name, CODE_THEMES.iter().copied());
        let hint = near.map_or_else(
            || "write `system`, `dark` or a theme name such as `github-dark`".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        cx.report(&UNKNOWN_VALUE, at, message, hint);
        if let Some(near) = near {
            cx.fix_text(at, near);
        }
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
