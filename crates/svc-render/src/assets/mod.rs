//! Style sheets and scripts of the program, bundled in a fixed order and named by the hash of their
//! content.

pub(crate) mod asset;

use std::sync::OnceLock;

use svc_config::Theme;

use asset::{hashed, minify_css};

use crate::{api, chrome, components, integrations, islands, markdown, themes, ui};

pub use asset::ProgramAsset;

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
        let scripts = components::ALL.iter().filter_map(|component| component.js);
        let parts = [
            chrome::JS,
            markdown::JS,
            ui::JS,
            api::JS,
            api::playground::JS,
        ];
        for script in parts.into_iter().flatten().copied().chain(scripts) {
            js.push_str(script);
            js.push('\n');
        }
        let script = "text/javascript; charset=utf-8";
        let mut all = vec![
            hashed("svc", "js", script, js.into_bytes()),
            hashed("theme", "js", script, chrome::EARLY_JS.as_bytes()),
            islands::runtime::asset().clone(),
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
        all.extend(chrome::search_scripts().iter().cloned());
        all.extend(integrations::assets().iter().cloned());
        all
    })
}

/// The script of local previews (see [`crate::RenderOptions::dev`]), served at
/// `/_svc/dev/client.js`. Other servers and exports do not have it.
pub fn preview_script() -> &'static str {
    chrome::PREVIEW_JS
}

/// Content type and text of a file with which pages mark their changes (see
/// [`crate::SiteOptions::change_marks`]), served below `/_svc/changes/`. `None` for other names.
pub fn change_marks_file(name: &str) -> Option<(&'static str, &'static str)> {
    match name {
        "change_marks.js" => Some(("text/javascript; charset=utf-8", chrome::CHANGE_MARKS_JS)),
        "change_marks.css" => Some(("text/css; charset=utf-8", chrome::CHANGE_MARKS_CSS)),
        _ => None,
    }
}

/// The rules that all themes share; the rules of a theme come after them.
fn common_css() -> String {
    let mut css = themes::face::css();
    let sheets = components::ALL.iter().map(|component| component.css);
    let parts = [
        themes::BASE_CSS,
        markdown::CSS,
        ui::CSS,
        api::CSS,
        api::playground::CSS,
        chrome::CSS,
    ];
    let sheets = sheets.chain([islands::runtime::CSS]);
    for sheet in parts.into_iter().flatten().copied().chain(sheets) {
        minify_css(sheet, &mut css);
    }
    css.push_str(&markdown::default_palette());
    css
}

pub(crate) fn names(theme: Theme) -> AssetNames {
    let name =
        |asset: Option<&ProgramAsset>| asset.map(|asset| asset.name.clone()).unwrap_or_default();
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
