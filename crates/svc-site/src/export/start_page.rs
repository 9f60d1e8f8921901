//! The script of the start page that opens it in the language of the reader, because web servers of
//! static files do not look at that.

use std::borrow::Cow;
use std::fmt::Write as _;

use memchr::memmem;
use svc_render::start_script;

use crate::Site;

/// Beginning of the head of every page, and of pages that redirect.
const HEAD: &[u8] = b"<meta charset=\"utf-8\">";
/// File of the start page.
const START_FILE: &str = "index.html";

/// A page with the script, if it is the start page and the site has a choice of languages.
pub(super) fn with_script<'h>(tag: Option<&str>, path: &str, html: &'h [u8]) -> Cow<'h, [u8]> {
    let is_start = path.trim_start_matches('/') == START_FILE;
    let (Some(tag), Some(at)) = (tag.filter(|_| is_start), memmem::find(html, HEAD)) else {
        return Cow::Borrowed(html);
    };
    let (before, rest) = html.split_at(at + HEAD.len());
    Cow::Owned([before, tag.as_bytes(), rest].concat())
}

/// The element that loads the script. `None` if there is no choice of languages.
pub(super) fn tag(site: &Site) -> Option<String> {
    let base = site.base_path();
    let mut starts = String::new();
    for start in site.language_starts() {
        // Writing to a String cannot fail.
        let _ = write!(starts, "{}={} ", start.code, site.href(&start.path));
    }
    let starts = starts
        .trim_end()
        .replace('&', "&amp;")
        .replace('"', "&quot;");
    (!starts.is_empty()).then(|| {
        format!(
            "\n<script src=\"{base}/{}\" data-base=\"{base}\" data-languages=\"{starts}\"></script>",
            script_path()
        )
    })
}

/// Path of the script in the export.
pub(super) fn script_path() -> String {
    format!("_svc/assets/{}", start_script().name)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use svc_source::SourceTree;

    use crate::export::export;
    use crate::{ExportOptions, LoadOptions, RELATIVE_BASE, SiteOptions, assemble};

    /// The files `index.html` and `de/index.html` of an export.
    fn pages(base_path: &str, english: &str, i18n: &str) -> [String; 2] {
        let config = format!(
            r##"{{"theme": "svc", "name": "Acme", "colors": {{"primary": "#0a7d4f"}}, {i18n}
            "navigation": {{"languages": [{{"language": "en", "pages": ["{english}"]}}, {{"language": "de", "pages": ["de/index"]}}]}}}}"##
        );
        let page = format!("{english}.mdx");
        let files = [
            ("docs.json", &*config),
            (&*page, "Hello."),
            ("de/index.mdx", "Hallo."),
        ];
        let options = LoadOptions::from(SiteOptions {
            base_path: base_path.to_owned(),
            export: true,
            ..SiteOptions::default()
        });
        let site = assemble(SourceTree::from_files(files), &options)
            .unwrap()
            .value;
        let out = tempfile::tempdir().unwrap();
        export(&site, out.path(), &ExportOptions::default()).unwrap();
        ["index.html", "de/index.html"].map(|path| {
            let html = fs::read_to_string(out.path().join(path)).unwrap();
            if let Some((_, rest)) = html.split_once("_svc/assets/start.") {
                let name = rest.split('"').next().unwrap();
                let script = out.path().join(format!("_svc/assets/start.{name}"));
                assert!(script.is_file(), "{script:?}");
            }
            html
        })
    }

    #[test]
    fn the_start_page_has_a_script_and_other_pages_have_none() {
        let [start, german] = pages("", "index", "");
        assert!(
            start.contains(r#"data-base="" data-languages="en=/ de=/de"></script>"#),
            "{start}"
        );
        assert!(!german.contains("_svc/assets/start."));
        let [start, _] = pages("/docs", "index", "");
        assert!(start.contains(r#"data-base="/docs" data-languages="en=/docs/ de=/docs/de">"#));
        let [start, _] = pages(RELATIVE_BASE, "index", "");
        assert!(
            start.contains(r#"data-base="." data-languages="en=./index.html de=./de/index.html">"#),
            "{start}"
        );
        // Without a page at `/`, the page that redirects to the first page has it.
        let [start, _] = pages("", "en/a", "");
        assert!(
            start.contains(r#"data-languages="en=/en/a de=/de">"#),
            "{start}"
        );
        assert!(start.contains("http-equiv=\"refresh\""));
        let [start, _] = pages("", "index", r#""i18n": {"detect": false},"#);
        assert!(!start.contains("_svc/assets/start."));
    }
}
