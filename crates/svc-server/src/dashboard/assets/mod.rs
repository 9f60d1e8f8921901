//! Style sheet, script and logo, with content hashes in their names.

use std::sync::OnceLock;

use bytes::Bytes;
use http::{HeaderValue, Response, header};
use svc_render::standalone_assets;

use super::refusal::Refusal;

const MARK: &str = include_str!("mark.svg");

/// File names of the assets.
#[derive(Debug)]
pub(super) struct AssetNames {
    pub(super) style: String,
    pub(super) script: String,
}

struct File {
    name: String,
    kind: &'static str,
    text: String,
}

/// All files, built on first use from the embedded sources.
fn files() -> &'static [File; 3] {
    static FILES: OnceLock<[File; 3]> = OnceLock::new();
    FILES.get_or_init(|| {
        let rules = [
            include_str!("dashboard.css"),
            include_str!("../parts/parts.css"),
        ];
        let style = standalone_assets::style("dashboard", &rules);
        let script = standalone_assets::script("dashboard", include_str!("dashboard.js"));
        let file = |asset: svc_render::ProgramAsset| File {
            text: asset.text().to_owned(),
            name: asset.name,
            kind: asset.content_type,
        };
        let mark = File {
            name: "mark.svg".to_owned(),
            kind: "image/svg+xml",
            text: MARK.to_owned(),
        };
        [file(style), file(script), mark]
    })
}

/// File names of this build.
pub(super) fn names() -> &'static AssetNames {
    static NAMES: OnceLock<AssetNames> = OnceLock::new();
    NAMES.get_or_init(|| {
        let [style, script, _] = files();
        AssetNames {
            style: style.name.clone(),
            script: script.name.clone(),
        }
    })
}

/// Response with an asset.
pub(super) fn file(name: &str) -> Result<Response<Bytes>, Refusal> {
    let file = files().iter().find(|file| file.name == name);
    let file = file.ok_or(Refusal::NotFound)?;
    let mut response = Response::new(Bytes::from_static(file.text.as_bytes()));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.kind));
    let life = if file.name == "mark.svg" {
        "public, max-age=86400"
    } else {
        "public, max-age=31536000, immutable"
    };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(life));
    Ok(response)
}
