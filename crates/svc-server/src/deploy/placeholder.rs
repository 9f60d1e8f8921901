//! Placeholder site of a project whose first deployment failed.

use std::io;
use std::sync::Arc;

use svc_diagnostics::Diagnostic;
use svc_site::{LoadOptions, Site};
use svc_source::SourceTree;

/// The page is excluded from search engines.
const CONFIG: &str = r##"{"theme": "svc", "name": "Documentation", "colors": {"primary": "#475569"}, "navigation": {"pages": ["index"]}, "seo": {"metatags": {"robots": "noindex"}}}"##;

/// Maximum number of diagnostics on the page.
pub(super) const MAX_PROBLEMS: usize = 50;

/// A site with the reason why the first deployment of a project failed.
pub(super) fn broken(reason: &str, problems: &str, options: &LoadOptions) -> io::Result<Arc<Site>> {
    let fence = "~".repeat(max_run(reason, '~').max(max_run(problems, '~')).max(2) + 1);
    let mut text = format!(
        "---\ntitle: This site cannot be shown yet\n---\nIts first deployment failed. The site is shown as soon as one succeeds.\n\n{fence}text Reason\n{reason}\n{fence}\n"
    );
    if !problems.is_empty() {
        text.push_str(&format!("\n{fence}text Problems\n{problems}\n{fence}\n"));
    }
    site(&text, options)
}

fn site(page: &str, options: &LoadOptions) -> io::Result<Arc<Site>> {
    let tree = SourceTree::from_files([("docs.json", CONFIG), ("index.mdx", page)]);
    svc_site::assemble(tree, options).map(|checked| Arc::new(checked.value))
}

fn max_run(text: &str, of: char) -> usize {
    text.split(|c| c != of).map(str::len).max().unwrap_or(0)
}

/// The first diagnostics, ordered by severity and then by position.
pub(super) fn worst(diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut worst = diagnostics.to_vec();
    worst.sort_by_key(|diagnostic| std::cmp::Reverse(diagnostic.severity));
    worst.truncate(MAX_PROBLEMS);
    worst
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagnostics_are_shown_verbatim_in_a_fence() {
        let problems = "fatal: `<b>`\n~~~\n# not a heading {1 + 1}";
        let site = broken("no `docs.json`", problems, &LoadOptions::default()).unwrap();
        let page = site.page("/").unwrap();
        let html = String::from_utf8(page.html.bytes.to_vec()).unwrap();
        assert!(!page.broken);
        assert!(html.contains("cannot be shown yet"));
        assert!(html.contains("# not a heading {1 + 1}"), "{html}");
        assert!(html.contains("noindex"));
        assert!(!html.contains("<b>`"));
    }
}
