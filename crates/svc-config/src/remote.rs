//! OpenAPI documents that stand elsewhere: their addresses, and who names them.

use svc_diagnostics::Location;

use crate::{
    Children, Element, ElementKind, OpenApiRef, PageEntry, PageRef, SiteConfig, url::is_web_url,
};

/// How deep elements are looked at; deeper ones are not shown either.
const MAX_DEPTH: usize = 48;

/// An address of an OpenAPI document, and the place that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteDocument {
    /// The address as it is written.
    pub url: String,
    /// Who names it, in words: "group `API`".
    pub owner: String,
    /// Where it is written.
    pub location: Location,
    /// The same as JSON pointer.
    pub pointer: String,
}

/// The address of a document that stands elsewhere; `None` for a path in the repository.
pub fn remote_url(source: &str) -> Option<&str> {
    let source = source.trim();
    is_web_url(source).then_some(source)
}

/// The address that an entry names before its operation: `https://… GET /users`.
pub fn remote_url_of_entry(entry: &str) -> Option<&str> {
    let (first, _) = entry.trim().split_once(char::is_whitespace)?;
    remote_url(first)
}

impl SiteConfig {
    /// Every place that names a document by an address: `api.openapi`, the navigation, its
    /// elements and entries of `pages`, in the order of the file.
    pub fn remote_documents(&self) -> Vec<RemoteDocument> {
        let mut found = Vec::new();
        let navigation = &self.navigation;
        for (openapi, owner) in [
            (&self.api.openapi, "`api`"),
            (&navigation.openapi, "`navigation`"),
        ] {
            named(openapi.as_ref(), owner, &mut found);
        }
        children(
            &navigation.children,
            "`navigation`",
            "/navigation",
            MAX_DEPTH,
            &mut found,
        );
        found
    }
}

fn named(openapi: Option<&OpenApiRef>, owner: &str, found: &mut Vec<RemoteDocument>) {
    let Some(openapi) = openapi else { return };
    for (source, (location, pointer)) in openapi.sources.iter().zip(&openapi.locations) {
        if let Some(address) = remote_url(source) {
            found.push(RemoteDocument {
                url: address.to_owned(),
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
    found: &mut Vec<RemoteDocument>,
) {
    match children {
        Children::None => {}
        Children::Pages(entries) => {
            for entry in entries {
                match entry {
                    PageEntry::Page(page) => {
                        entry_of(page, owner, &format!("{pointer}/pages"), found);
                    }
                    PageEntry::Group(group) => {
                        element(group, &format!("{pointer}/pages"), depth, found);
                    }
                }
            }
        }
        Children::Elements(kind, elements) => {
            let pointer = format!("{pointer}/{}", kind.array_key());
            for one in elements {
                element(one, &pointer, depth, found);
            }
        }
    }
}

fn entry_of(page: &PageRef, owner: &str, pointer: &str, found: &mut Vec<RemoteDocument>) {
    if let Some(address) = remote_url_of_entry(&page.path) {
        found.push(RemoteDocument {
            url: address.to_owned(),
            owner: owner.to_owned(),
            location: page.location.clone(),
            pointer: format!("{pointer}/{}", page.index),
        });
    }
}

fn element(one: &Element, pointer: &str, depth: usize, found: &mut Vec<RemoteDocument>) {
    if depth == 0 {
        return;
    }
    let kind = match one.kind {
        ElementKind::MenuItem => "menu item",
        kind => kind.as_str(),
    };
    let owner = format!("{kind} `{}`", one.name);
    let pointer = format!("{pointer}/{}", one.index);
    named(one.openapi.as_ref(), &owner, found);
    if let Some(root) = &one.root
        && let Some(address) = remote_url_of_entry(&root.path)
    {
        found.push(RemoteDocument {
            url: address.to_owned(),
            owner: owner.clone(),
            location: root.location.clone(),
            pointer: format!("{pointer}/root"),
        });
    }
    children(&one.children, &owner, &pointer, depth - 1, found);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::root;

    #[test]
    fn every_place_that_names_a_document_is_found() {
        let found = root(
            r##"{"theme": "svc", "name": "X", "colors": {"primary": "#000000"}, "api": {"openapi": "https://a.test/1.json"}, "navigation": {"tabs": [
                {"tab": "T", "openapi": ["https://a.test/2.json", "own.json"], "pages": [
                    "https://a.test/3.json GET /x", "page",
                    {"group": "G", "openapi": {"source": "http://a.test/4.json", "directory": "d"}}]},
                {"tab": "U", "menu": [{"item": "M", "openapi": "https://a.test/5.json", "groups": [{"group": "H", "openapi": "https://a.test/1.json"}]}]}]}}"##,
        );
        let config = found.value.expect("a configuration");
        let all: Vec<String> = config
            .remote_documents()
            .iter()
            .map(|one| format!("{} {} {}", one.url, one.owner, one.pointer))
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
    fn only_addresses_of_the_web_are_hosted() {
        assert_eq!(remote_url(" HTTPS://a.test/x "), Some("HTTPS://a.test/x"));
        for own in ["openapi.json", "/a/b.yaml", "ftp://a.test/x", "https://"] {
            assert_eq!(remote_url(own), None, "{own}");
        }
        assert_eq!(remote_url_of_entry("https://a.test/x"), None);
        assert_eq!(remote_url_of_entry("GET /x"), None);
    }
}
