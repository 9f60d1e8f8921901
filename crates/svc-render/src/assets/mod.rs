//! Style sheets and scripts of the program, bundled in a fixed order and named by the hash of their
//! content.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::OnceLock;

use svc_config::Theme;

use crate::{api, chrome, components, islands, markdown, themes, ui};

/// A built-in asset. Its name contains a hash of the content, so it can be cached forever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramAsset {
    /// File name with hash: `svc.0123456789abcdef.css`.
    pub name: String,
    /// Media type.
    pub content_type: &'static str,
    /// Content.
    pub content: Cow<'static, [u8]>,
    /// Theme that requires the asset; `None` if all sites use it.
    pub theme: Option<Theme>,
    /// Whether only pages with a playground require it.
    pub playground: bool,
}

impl ProgramAsset {
    /// The content of a script or a style sheet; empty for binary files.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.content).unwrap_or_default()
    }
}

/// File names of the assets that pages include.
#[derive(Debug)]
pub(crate) struct AssetNames {
    pub(crate) css: String,
    pub(crate) js: String,
    pub(crate) early: String,
}

/// All built-in assets, including the scripts, the style sheets of every theme and the playground.
/// They are constant and built on first use.
pub fn program_assets() -> &'static [ProgramAsset] {
    static ASSETS: OnceLock<Vec<ProgramAsset>> = OnceLock::new();
    ASSETS.get_or_init(|| {
        let mut js = String::new();
        let rooms = components::ALL.iter().filter_map(|component| component.js);
        let parts = [
            chrome::JS,
            markdown::JS,
            ui::JS,
            api::JS,
            api::playground::JS,
        ];
        for script in parts.into_iter().flatten().copied().chain(rooms) {
            js.push_str(script);
            js.push('\n');
        }
        let script = "text/javascript; charset=utf-8";
        let mut all = vec![
            hashed("svc", "js", script, js.into_bytes()),
            hashed("theme", "js", script, chrome::EARLY_JS.as_bytes()),
            islands::asset().clone(),
            themes::face::asset().clone(),
        ];
        let common = common_css();
        all.extend(themes::ALL.iter().map(|definition| {
            let mut css = common.clone();
            minify_css(definition.css, &mut css);
            let sheet = hashed(
                definition.theme.name(),
                "css",
                "text/css; charset=utf-8",
                css.into_bytes(),
            );
            ProgramAsset {
                theme: Some(definition.theme),
                ..sheet
            }
        }));
        all.extend(api::playground::assets().iter().cloned());
        all
    })
}

/// The script of local previews (see [`crate::RenderOptions::dev`]), served at
/// `/_svc/dev/client.js`. Other servers and exports do not have it.
pub fn preview_script() -> &'static str {
    chrome::PREVIEW_JS
}

/// The rules that all themes share; the rules of a theme come after them.
fn common_css() -> String {
    let mut css = themes::face::css();
    let rooms = components::ALL.iter().map(|component| component.css);
    let parts = [
        themes::BASE_CSS,
        markdown::CSS,
        ui::CSS,
        api::CSS,
        api::playground::CSS,
        chrome::CSS,
    ];
    let rooms = rooms.chain([islands::CSS]);
    for sheet in parts.into_iter().flatten().copied().chain(rooms) {
        minify_css(sheet, &mut css);
    }
    css.push_str(&markdown::default_palette());
    css
}

pub(crate) fn names(theme: Theme) -> AssetNames {
    let name =
        |found: Option<&ProgramAsset>| found.map(|asset| asset.name.clone()).unwrap_or_default();
    AssetNames {
        css: name(
            program_assets()
                .iter()
                .find(|asset| asset.theme == Some(theme)),
        ),
        js: name(program_assets().first()),
        early: name(program_assets().get(1)),
    }
}

/// Creates an asset from a script.
pub(crate) fn script(stem: &str, text: String) -> ProgramAsset {
    hashed(
        stem,
        "js",
        "text/javascript; charset=utf-8",
        text.into_bytes(),
    )
}

/// Creates an asset from a style sheet, minified.
pub(crate) fn sheet(stem: &str, css: &str) -> ProgramAsset {
    let mut text = String::new();
    minify_css(css, &mut text);
    hashed(stem, "css", "text/css; charset=utf-8", text.into_bytes())
}

/// Creates an asset from JSON data for scripts.
pub(crate) fn data(stem: &str, value: &serde_json::Value) -> ProgramAsset {
    hashed(
        stem,
        "json",
        "application/json",
        value.to_string().into_bytes(),
    )
}

/// Creates an asset from a WOFF2 font.
pub(crate) fn font(stem: &str, bytes: &'static [u8]) -> ProgramAsset {
    hashed(stem, "woff2", "font/woff2", bytes)
}

/// Creates an asset whose name contains the hash of its content.
fn hashed(
    stem: &str,
    extension: &str,
    content_type: &'static str,
    content: impl Into<Cow<'static, [u8]>>,
) -> ProgramAsset {
    let content = content.into();
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    let mut name = String::new();
    // Formatting to a `String` cannot fail.
    let _ = write!(name, "{stem}.{:016x}.{extension}", hasher.finish());
    ProgramAsset {
        name,
        content_type,
        content,
        theme: None,
        playground: false,
    }
}

/// Removes comments and indentation from a style sheet. Strings in built-in style sheets contain no
/// `/*`.
fn minify_css(css: &str, out: &mut String) {
    let mut rest = css;
    let mut plain = String::with_capacity(css.len());
    while let Some(start) = rest.find("/*") {
        plain.push_str(&rest[..start]);
        let after = &rest[start..];
        rest = after.find("*/").map_or("", |end| &after[end + 2..]);
    }
    plain.push_str(rest);
    for line in plain.lines().map(str::trim).filter(|line| !line.is_empty()) {
        out.push_str(line);
        // Line breaks are only significant within selectors and values.
        if !line.ends_with([',', '{', ';', '}']) {
            out.push(' ');
        }
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minified_css_retains_the_rules() {
        let mut out = String::new();
        minify_css("/* a */\na,\nb {\n  color: red; /* x */\n}\n", &mut out);
        assert_eq!(out, "a,b {color: red;}\n");
    }

    #[test]
    fn names_depend_on_the_content() {
        let one = hashed("svc", "css", "text/css", b"a{}".as_slice());
        let two = hashed("svc", "css", "text/css", b"b{}".as_slice());
        assert_ne!(one.name, two.name);
    }
}
