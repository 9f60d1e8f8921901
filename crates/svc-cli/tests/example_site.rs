//! The site that the tests of commands read.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

/// The `docs.json` of [`site`].
pub(crate) const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
  "navigation": {"groups": [{"group": "Guides", "pages": ["index", "start"]}]}}"##;

/// A site with a start page of this text and a second page.
pub(crate) fn site(index: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| std::fs::write(dir.path().join(path), text).unwrap();
    write("docs.json", CONFIG);
    write("index.mdx", index);
    let start = "---\ntitle: Start\nsidebarTitle: Begin\n---\n\n## First\n\nText.\n";
    write("start.mdx", start);
    dir
}
