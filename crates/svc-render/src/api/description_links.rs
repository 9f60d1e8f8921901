//! Links in the descriptions of OpenAPI documents, for the link checks.

use svc_diagnostics::{SourceFile, Span};

use crate::ctx::{Ctx, PageLink};
use crate::html::Html;

/// Records the links of a description, `text`, to this site and within the page. `html` is the
/// description as the page shows it.
pub(super) fn record_links(cx: &mut Ctx<'_>, text: &str, html: &Html) {
    let base = &*cx.input.options.site.base_path;
    let hrefs: Vec<String> = html
        .as_str()
        .split(" href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter_map(|href| internal(&Html::trusted(href.to_owned()).to_text(), base))
        .collect();
    let document = cx.page.document;
    let document = document.and_then(|at| cx.input.catalog.documents.get(at));
    let Some(document) = document.filter(|_| !hrefs.is_empty()) else {
        return;
    };
    let file = SourceFile::new(document.file.path().clone(), text);
    for href in hrefs {
        let start = text.find(&*href).unwrap_or(0);
        let span = Span::from_range(start..(start + href.len()).min(text.len()));
        cx.out.links.push(PageLink {
            href,
            span,
            file: file.clone(),
        });
    }
}

/// The URL of a link without the base path; `None` if it leads to another site, or may do so.
fn internal(href: &str, base: &str) -> Option<String> {
    if href.starts_with('#') {
        return Some(href.to_owned());
    }
    let path = href.strip_prefix(base)?;
    let is_internal = path.starts_with('/') && !path.starts_with("//");
    is_internal.then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_the_site_have_no_base_path() {
        assert_eq!(internal("/docs/a#b", "/docs").as_deref(), Some("/a#b"));
        assert_eq!(internal("#b", "/docs").as_deref(), Some("#b"));
        assert_eq!(internal("/a", "").as_deref(), Some("/a"));
        for other in ["/a", "//a.com", "https://a.com", "a"] {
            assert_eq!(internal(other, "/docs"), None, "{other}");
        }
        assert_eq!(internal("//a.com", ""), None);
    }
}
