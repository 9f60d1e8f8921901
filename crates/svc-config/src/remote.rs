//! Remote OpenAPI documents: their URLs and the values that refer to them.

use svc_diagnostics::Location;

use crate::{
    Children, Element, ElementKind, OpenApiRef, PageEntry, PageRef, SiteConfig, url::is_web_url,
};

/// Maximum depth of elements that are visited; deeper ones have no pages either.
const MAX_DEPTH: usize = 48;

/// A URL of an OpenAPI document and the value that refers to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteDocument {
    /// The URL as it is written.
    pub url: String,
    /// The element that refers to it, for messages: "group `API`".
    pub owner: String,
    /// Location of the value.
    pub location: Location,
    /// JSON pointer of the value (RFC 6901).
    pub pointer: String,
}

/// The URL of a remote document; None for a path in the repository.
///
/// ```
/// use svc_config::remote_url;
/// assert_eq!(remote_url(" https://a.test/x.json "), Some("https://a.test/x.json"));
/// assert_eq!(remote_url("x.json"), None);
/// ```
pub fn remote_url(source: &str) -> Option<&str> {
    let source = source.trim();
    is_web_url(source).then_some(source)
}

/// The URL that precedes the operation in an entry of `pages`: `https://… GET /users`. None if
/// there is no URL.
///
/// ```
/// use svc_config::remote_url_of_entry;
/// assert_eq!(remote_url_of_entry("https://a.test/x.json GET /users"), Some("https://a.test/x.json"));
/// assert_eq!(remote_url_of_entry("x.json GET /users"), None);
/// ```
pub fn remote_url_of_entry(entry: &str) -> Option<&str> {
    let (first, _) = entry.trim().split_once(char::is_whitespace)?;
    remote_url(first)
}

impl SiteConfig {
    /// All references to remote documents: those of `api.openapi`, of the navigation, its elements
    /// and entries of `pages`, in the order of the file.
    ///
    /// ```
    /// use svc_config::{SourceFile, parse};
    /// let text = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#070"},
    ///     "navigation": {"groups": [{"group": "API", "openapi": "https://a.test/x.json"}]}}"##;
    /// let site = parse(&SourceFile::new("docs.json", text), &|_| None).value.expect("a site");
    /// let documents = site.remote_documents();
    /// assert_eq!(documents[0].owner, "group `API`");
    /// assert_eq!(documents[0].pointer, "/navigation/groups/0/openapi");
    /// ```
    pub fn remote_documents(&self) -> Vec<RemoteDocument> {
        let mut documents = Vec::new();
        let navigation = &self.navigation;
        for (openapi, owner) in [
            (&self.api.openapi, "`api`"),
            (&navigation.openapi, "`navigation`"),
        ] {
            documents_of(openapi.as_ref(), owner, &mut documents);
        }
        children(
            &navigation.children,
            "`navigation`",
            "/navigation",
            MAX_DEPTH,
            &mut documents,
        );
        documents
    }
}

fn documents_of(openapi: Option<&OpenApiRef>, owner: &str, documents: &mut Vec<RemoteDocument>) {
    let Some(openapi) = openapi else { return };
    for (source, (location, pointer)) in openapi.sources.iter().zip(&openapi.locations) {
        if let Some(url) = remote_url(source) {
            documents.push(RemoteDocument {
                url: url.to_owned(),
                owner: owner.to_owned(),
                location: location.clone(),
                pointer: pointer.clone(),
            });
        }
    }
}

fn children(
    children: &Children,
    owner: &str,
    pointer: &str,
    depth: usize,
    documents: &mut Vec<RemoteDocument>,
) {
    match children {
        Children::None => {}
        Children::Pages(entries) => {
            for entry in entries {
                match entry {
                    PageEntry::Page(page) => {
                        entry_of(page, owner, &format!("{pointer}/pages"), documents);
                    }
                    PageEntry::Group(group) => {
                        element(group, &format!("{pointer}/pages"), depth, documents);
                    }
                }
            }
        }
        Children::Elements(kind, elements) => {
            let pointer = format!("{pointer}/{}", kind.array_key());
            for item in elements {
                element(item, &pointer, depth, documents);
            }
        }
    }
}

fn entry_of(page: &PageRef, owner: &str, pointer: &str, documents: &mut Vec<RemoteDocument>) {
    if let Some(url) = remote_url_of_entry(&page.path) {
        documents.push(RemoteDocument {
            url: url.to_owned(),
            owner: owner.to_owned(),
            location: page.location.clone(),
            pointer: format!("{pointer}/{}", page.index),
        });
    }
}

fn element(item: &Element, pointer: &str, depth: usize, documents: &mut Vec<RemoteDocument>) {
    if depth == 0 {
        return;
    }
    let kind = match item.kind {
        ElementKind::MenuItem => "menu item",
        kind => kind.as_str(),
    };
    let owner = format!("{kind} `{}`", item.name);
    let pointer = format!("{pointer}/{}", item.index);
    documents_of(item.openapi.as_ref(), &owner, documents);
    if let Some(root) = &item.root
        && let Some(url) = remote_url_of_entry(&root.path)
    {
        documents.push(RemoteDocument {
            url: url.to_owned(),
            owner: owner.clone(),
            location: root.location.clone(),
            pointer: format!("{pointer}/root"),
        });
    }
    children(&item.children, &owner, &pointer, depth - 1, documents);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::root;

    #[test]
    fn all_references_to_remote_documents_are_returned() {
        let checked = root(
            r##"{"theme": "svc", "name": "X", "colors": {"primary": "#000000"}, "api": {"openapi": "https://a.test/1.json"}, "navigation": {"tabs": [
                {"tab": "T", "openapi": ["https://a.test/2.json", "own.json"], "pages": [
                    "https://a.test/3.json GET /x", "page",
                    {"group": "G", "openapi": {"source": "http://a.test/4.json", "directory": "d"}}]},
                {"tab": "U", "menu": [{"item": "M", "openapi": "https://a.test/5.json", "groups": [{"group": "H", "openapi": "https://a.test/1.json"}]}]}]}}"##,
        );
        let config = checked.value.expect("a configuration");
        let all: Vec<String> = config
            .remote_documents()
            .iter()
            .map(|document| format!("{} {} {}", document.url, document.owner, document.pointer))
            .collect();
        assert_eq!(
            all,
            [
                "https://a.test/1.json `api` /api/openapi",
                "https://a.test/2.json tab `T` /navigation/tabs/0/openapi/0",
                "https://a.test/3.json tab `T` /navigation/tabs/0/pages/0",
                "http://a.test/4.json group `G` /navigation/tabs/0/pages/2/openapi/source",
                "https://a.test/5.json menu item `M` /navigation/tabs/1/menu/0/openapi",
                "https://a.test/1.json group `H` /navigation/tabs/1/menu/0/groups/0/openapi",
            ]
        );
    }

    #[test]
    fn only_web_urls_are_remote() {
        assert_eq!(remote_url(" HTTPS://a.test/x "), Some("HTTPS://a.test/x"));
        for own in ["openapi.json", "/a/b.yaml", "ftp://a.test/x", "https://"] {
            assert_eq!(remote_url(own), None, "{own}");
        }
        assert_eq!(remote_url_of_entry("https://a.test/x"), None);
        assert_eq!(remote_url_of_entry("GET /x"), None);
    }
}
