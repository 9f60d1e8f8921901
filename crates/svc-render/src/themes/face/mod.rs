//! The default font: Inter, variable, for Latin scripts.
//!
//! One file contains all weights; browsers fetch it once and cache it by its name. A page waits for
//! it only briefly. If it arrives later, the page keeps the local fallback font, which is scaled to
//! the same metrics, and the next page uses the file.

use std::sync::OnceLock;

use svc_config::SiteConfig;

use crate::assets::asset::{ProgramAsset, font};

/// The font file as an asset.
pub(crate) fn asset() -> &'static ProgramAsset {
    static ASSET: OnceLock<ProgramAsset> = OnceLock::new();
    ASSET.get_or_init(|| font("inter", include_bytes!("inter.woff2")))
}

/// Whether a site uses the default font: neither the site nor its theme sets another one.
pub(crate) fn is_used(config: &SiteConfig) -> bool {
    let theme = super::definition(config.theme);
    config.fonts.body.is_none() && !theme.css.contains("--svc-font-body:")
}

/// The `@font-face` rules of the font and its fallbacks. The URL is relative to the style sheet,
/// because servers and exports store both in one directory.
pub(crate) fn css() -> String {
    let mut css = format!(
        "@font-face{{font-family:\"Inter Variable\";font-style:normal;font-weight:100 900;\
         font-display:optional;src:url({}) format(\"woff2\");unicode-range:{RANGE}}}\n",
        asset().name
    );
    for (weights, suffix, metrics) in FALLBACKS {
        let sources = ["Arial", "Liberation Sans", "Helvetica", "Arimo"]
            .map(|family| format!("local(\"{family}{suffix}\")"))
            .join(",");
        css.push_str(&format!(
            "@font-face{{font-family:\"Inter Stand-in\";font-weight:{weights};src:{sources};{metrics};line-gap-override:0%}}\n"
        ));
    }
    css
}

/// The characters of the file; pages without any of them do not fetch it.
const RANGE: &str = "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,\
    U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD";

/// Metrics of Inter relative to Arial over English text: weights, the suffix of the local font
/// names, and the descriptors.
const FALLBACKS: &[(&str, &str, &str)] = &[
    (
        "100 599",
        "",
        "size-adjust:107.2%;ascent-override:90.4%;descent-override:22.5%",
    ),
    (
        "600 900",
        " Bold",
        "size-adjust:101.7%;ascent-override:95.3%;descent-override:23.7%",
    ),
];
