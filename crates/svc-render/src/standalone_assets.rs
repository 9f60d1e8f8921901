//! Style sheets, scripts and icons for pages that belong to no site, such as the dashboard. They
//! have no theme and follow the color scheme of the system.

use crate::assets::asset::{self, ProgramAsset};
use crate::html::Html;
use crate::themes::BASE_CSS;

/// Start of the tokens of the dark color scheme.
const DARK: &str = "html.dark {";

/// Accent colors of both color schemes, which a theme would otherwise set.
const ACCENT: &str = "
  --svc-accent: #0f766e;
  --svc-accent-text: #0f766e;
  --svc-on-accent: #ffffff;
";
const DARK_ACCENT: &str = "
  --svc-accent: #0f766e;
  --svc-accent-text: #2dd4bf;
  --svc-on-accent: #ffffff;
";

/// Builds a style sheet of design tokens, base rules and `rules`. It follows the color scheme of
/// the system.
pub fn style(stem: &str, rules: &[&str]) -> ProgramAsset {
    let mut css = String::new();
    for sheet in BASE_CSS.iter().take(2) {
        match sheet.split_once(DARK) {
            Some((light, dark)) => {
                css.push_str(light);
                css.push_str(&format!(":root {{{ACCENT}}}\n"));
                // The rules after the tokens apply to both color schemes.
                let (tokens, rest) = dark.split_once('}').unwrap_or((dark, ""));
                let tokens = format!("{DARK_ACCENT}{tokens}}}\n");
                let system = ":root:not([data-theme=\"light\"])";
                css.push_str(&format!(
                    "@media (prefers-color-scheme: dark) {{\n{system} {{{tokens}}}\n\
                     :root[data-theme=\"dark\"] {{{tokens}{rest}\n"
                ));
            }
            None => css.push_str(sheet),
        }
    }
    for rules in rules {
        css.push_str(rules);
    }
    asset::sheet(stem, &css)
}

/// Builds a script with a fingerprint in its file name.
pub fn script(stem: &str, text: &str) -> ProgramAsset {
    asset::script(stem, text.to_owned())
}

/// Renders a Lucide icon by name; empty if there is none.
pub fn icon(name: &str) -> Html {
    crate::icons::render_icon(name, None, svc_config::IconLibrary::Lucide).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dark_tokens_follow_the_system_and_braces_match() {
        let sheet = style("x", &["b { color: var(--svc-text); }"]);
        let sheet = sheet.text();
        let system = "@media (prefers-color-scheme: dark) {:root:not([data-theme=\"light\"]) {";
        let chosen = ":root[data-theme=\"dark\"] {";
        for dark in [system, chosen] {
            let tokens = sheet.split_once(dark).map(|(_, tokens)| tokens);
            assert!(tokens.unwrap().contains("--svc-text: #f1f3f6"), "{dark}");
        }
        assert!(!sheet.contains("html.dark"));
        assert_eq!(sheet.matches('{').count(), sheet.matches('}').count());
        let (light, dark) = sheet.split_once("@media (prefers-color-scheme").unwrap();
        assert!(light.contains("--svc-bg: #ffffff") && dark.contains("--svc-text: #f1f3f6"));
    }

    #[test]
    fn icons_are_rendered_by_name() {
        assert!(icon("key-round").as_str().starts_with("<svg"));
        assert!(icon("no such drawing").is_empty());
    }
}
