//! Versions of files in their URLs, so that a page loads the images, styles and scripts that it was
//! rendered with, even after the next deployment.

use std::collections::BTreeMap;
use std::time::UNIX_EPOCH;

use svc_source::{Contents, SourceTree};

use crate::Site;
use crate::digest::Digester;
use crate::file_types::can_be_served;

/// Extensions of text files that pages load.
const TEXT_EXTENSIONS: [&str; 3] = [".css", ".js", ".svg"];

/// Versions of all files that pages load, by file path.
pub(crate) fn fingerprints(tree: &SourceTree) -> BTreeMap<String, String> {
    let files = tree.iter().filter(|(path, _)| can_be_served(path));
    files
        .filter_map(|(path, contents)| Some((path.to_owned(), fingerprint(path, contents)?)))
        .collect()
}

fn fingerprint(path: &str, contents: &Contents) -> Option<String> {
    let mut digester = Digester::default();
    match contents {
        Contents::Text(file) => {
            TEXT_EXTENSIONS
                .iter()
                .find(|ending| path.ends_with(**ending))?;
            digester.add(file.text().as_bytes());
        }
        Contents::Bytes(bytes) => {
            digester.add(bytes);
        }
        // Reading large files only for this is too expensive.
        Contents::Disk { len, modified, .. } => {
            let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            digester.add(&len.to_le_bytes());
            digester.add(&since.map_or(0, |since| since.as_nanos()).to_le_bytes());
        }
    }
    let key = digester.key();
    Some(hex::encode(key.get(..5)?))
}

impl Site {
    /// The version of a file that pages append to its URL, as in `/a.png?v=0123456789`. `None`
    /// without [`LoadOptions::fingerprints`](crate::LoadOptions::fingerprints) or for files without
    /// a version.
    pub fn fingerprint(&self, path: &str) -> Option<&str> {
        let versions = &self.options.metadata.fingerprints;
        versions
            .get(path.trim_start_matches('/'))
            .map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, SiteOptions, assemble};

    const FILES: [(&str, &str); 5] = [
        (
            "docs.json",
            r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}}"##,
        ),
        (
            "index.mdx",
            "![A](/a.svg)\n\n<img src=\"a.svg#part\" />\n\n<img src=\"a.svg?x=1\" />\n",
        ),
        ("a.svg", "<svg/>"),
        ("style.css", "b {}"),
        ("data.json", "{}"),
    ];

    fn page(files: &[(&str, &str)], versions: bool) -> String {
        let tree = SourceTree::from_files(files.iter().copied());
        let options = LoadOptions::from(SiteOptions {
            fingerprints: versions,
            base_path: "/docs".to_owned(),
            ..SiteOptions::default()
        });
        let site = assemble(tree, &options).unwrap().value;
        String::from_utf8(site.page("/").unwrap().html.bytes.to_vec()).unwrap()
    }

    #[test]
    fn urls_of_images_and_styles_change_with_their_contents() {
        let plain = page(&FILES, false);
        assert!(plain.contains("\"/docs/a.svg\"") && !plain.contains(".svg?v="));
        let tree = SourceTree::from_files(FILES);
        let all = fingerprints(&tree);
        let (svg, css) = (&all["a.svg"], &all["style.css"]);
        assert!(!all.contains_key("data.json"));
        let html = page(&FILES, true);
        for expected in [
            format!("\"/docs/a.svg?v={svg}\""),
            format!("\"/docs/a.svg?v={svg}#part\""),
            "\"/docs/a.svg?x=1\"".to_owned(),
            format!("\"/docs/style.css?v={css}\""),
        ] {
            assert!(html.contains(&expected), "{expected}");
        }
        let mut changed = FILES;
        changed[3].1 = "i {}";
        let html = page(&changed, true);
        assert!(html.contains(&**svg) && !html.contains(&**css));
    }
}
