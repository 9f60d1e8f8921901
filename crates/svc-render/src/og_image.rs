//! The names of preview pictures. They are drawn elsewhere; their address is the page's own below
//! a folder that is named by everything that all of them share.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use svc_config::ElementKind;
use svc_nav::{NavNode, NodeKind, Route, SiteMap};

/// The name of the innermost group that a page is in.
pub fn section(map: &SiteMap, route: &Route) -> Option<String> {
    let nodes = map.nodes_on_trail(&route.path);
    let group = |node: &&&NavNode| node.kind == NodeKind::Element(ElementKind::Group);
    let section = nodes.iter().rev().find(group)?;
    Some(section.name.clone())
}

/// The path of a page's picture in the folder of pictures.
pub fn file_name(path: &str) -> String {
    match path {
        "/" => "/index.png".to_owned(),
        path => format!("{path}.png"),
    }
}

/// Changes when what the picture of one page says changes, so that nobody shows an old one.
pub(crate) fn fingerprint(texts: &[&str]) -> String {
    let mut hasher = DefaultHasher::new();
    texts.hash(&mut hasher);
    format!("{:08x}", hasher.finish() >> 32)
}

/// The page whose picture has this path in the folder of pictures.
pub fn page_of(name: &str) -> Option<&str> {
    match name.strip_suffix(".png")? {
        "/index" => Some("/"),
        path if path.starts_with('/') => Some(path),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_pages() {
        for path in ["/", "/a", "/a/b.c"] {
            assert_eq!(page_of(&file_name(path)), Some(path));
        }
        assert_eq!(page_of("x.png"), None);
        assert_eq!(page_of("/x.jpg"), None);
    }
}
