//! Runtime of islands: elements, hooks, and two renderers.
//!
//! `core.js` and `react.js` are shared, `server.js` renders once in the sandbox, and `browser.js`
//! hydrates the HTML and renders updates.

use std::sync::OnceLock;

use super::compile::shorten;
use crate::assets::asset::{ProgramAsset, script};

const CORE: &str = include_str!("core.js");
const SERVER: &str = include_str!("server.js");
const BROWSER: &str = include_str!("browser.js");
const REACT: &str = include_str!("react.js");

/// Style sheet of the markup of islands.
pub(crate) const CSS: &str = include_str!("islands.css");

/// The runtime for the browser, bundled in one file.
pub(crate) fn asset() -> &'static ProgramAsset {
    static ASSET: OnceLock<ProgramAsset> = OnceLock::new();
    ASSET.get_or_init(|| {
        let text = [CORE, BROWSER, REACT].concat();
        script("islands", shorten(&text))
    })
}

/// The module that exports the runtime in the sandbox.
pub(super) fn server() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| [CORE, SERVER, REACT].concat())
}

/// The URL of the runtime.
pub(crate) fn runtime_url(base: &str) -> String {
    format!("{base}/_svc/assets/{}", asset().name)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    #[test]
    fn the_runtime_has_six_kilobytes_or_less() {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&asset().content).unwrap();
        let size = gzip.finish().unwrap().len();
        assert!(size <= 6_144, "{size} bytes");
    }

    #[test]
    fn both_sides_export_every_name_that_modules_may_import() {
        for side in [server(), &[CORE, BROWSER, REACT].concat()] {
            for name in super::super::compile::RUNTIME.iter().chain(&["$x"]) {
                let declared = ["const", "function"]
                    .iter()
                    .any(|keyword| side.contains(&format!("export {keyword} {name}")));
                assert!(declared, "{name}");
            }
        }
    }
}
