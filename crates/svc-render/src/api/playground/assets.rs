//! Assets of the playground. File names contain a hash of the content.

use std::sync::OnceLock;

use crate::api::script as api_script;
use crate::assets::asset::{ProgramAsset, data, script, sheet};
use crate::i18n::{self, Messages};
use crate::islands::compile::shorten;

/// The modules in dependency order: each comes after those that it imports.
const MODULES: &[(&str, &str)] = &[
    ("element.js", include_str!("js/element.js")),
    ("store.js", include_str!("js/store.js")),
    ("fields.js", include_str!("js/fields.js")),
    ("oauth.js", include_str!("js/oauth.js")),
    ("auth.js", include_str!("js/auth.js")),
    ("send.js", include_str!("js/send.js")),
    ("response.js", include_str!("js/response.js")),
    ("endpoints.js", include_str!("js/endpoints.js")),
    ("form.js", include_str!("js/form.js")),
];

const STYLE: &str = include_str!("playground.css");
const CALLBACK: &str = include_str!("js/callback.js");

/// All assets of the playground.
#[derive(Debug)]
struct PlaygroundFiles {
    all: Vec<ProgramAsset>,
    form: String,
    style: String,
    callback: String,
}

fn files() -> &'static PlaygroundFiles {
    static FILES: OnceLock<PlaygroundFiles> = OnceLock::new();
    FILES.get_or_init(|| {
        let (call, languages) = (api_script::asset(), api_script::languages());
        // Exports that are used across modules, and the file names of the modules.
        let mut names = vec![
            ("call.js", call.name.clone()),
            ("languages.json", languages.name.clone()),
        ];
        let mut all = vec![call.clone(), languages.clone()];
        for (name, text) in MODULES {
            let mut text = (*text).to_owned();
            for (known, served) in &names {
                text = text.replace(&format!("\"./{known}\""), &format!("\"./{served}\""));
            }
            let stem = name.trim_end_matches(".js");
            let file = script(stem, shorten(&text));
            names.push((name, file.name.clone()));
            all.push(file);
        }
        let form = all.last().map(|last| last.name.clone());
        let style = sheet("playground", STYLE);
        let callback = script("callback", shorten(CALLBACK));
        let (style_name, callback_name) = (style.name.clone(), callback.name.clone());
        all.extend([style, callback]);
        for texts in i18n::all() {
            let own = messages(texts);
            if !all.iter().any(|known| known.name == own.name) {
                all.push(own);
            }
        }
        for asset in &mut all {
            asset.playground = true;
        }
        PlaygroundFiles {
            all,
            form: form.unwrap_or_default(),
            style: style_name,
            callback: callback_name,
        }
    })
}

/// All assets of the playground.
pub(crate) fn assets() -> &'static [ProgramAsset] {
    &files().all
}

/// File name of the module that pages import.
pub(super) fn form() -> &'static str {
    &files().form
}

/// File name of the style sheet.
pub(super) fn style() -> &'static str {
    &files().style
}

/// File name of the script of the OAuth redirect page.
pub(crate) fn callback() -> &'static str {
    &files().callback
}

/// Messages of a language: those of the playground and those that it shares with pages.
pub(crate) fn messages(texts: &Messages) -> ProgramAsset {
    let mut all = serde_json::to_value(&texts.playground).unwrap_or_default();
    let common = [
        ("authorization", texts.authorization),
        ("body", texts.body),
        ("body_optional", texts.body_optional),
        ("close", texts.close),
        ("code", texts.code),
        ("cookies", texts.cookies),
        ("copied", texts.copied),
        ("copy", texts.copy),
        ("default", texts.default),
        ("deprecated", texts.deprecated_label),
        ("headers", texts.headers),
        ("no_authorization", texts.no_authorization),
        ("nothing_found", texts.no_results),
        ("path_parameters", texts.path_parameters),
        ("query_parameters", texts.query_parameters),
        ("request", texts.request),
        ("required", texts.required),
        ("response", texts.response),
        ("search", texts.search),
        ("try_it", texts.try_it),
    ];
    if let Some(all) = all.as_object_mut() {
        all.extend(common.map(|(name, text)| (name.to_owned(), text.into())));
    }
    let mut file = data("words", &all);
    file.playground = true;
    file
}
