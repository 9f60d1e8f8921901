//! File names of Open Graph images. The image of a page is served at the path of the page below a
//! directory whose name is a fingerprint of everything that all images share.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use svc_config::ElementKind;
use svc_nav::{NavNode, NodeKind, Route, SiteMap};

/// Name of the innermost navigation group of a page; `None` if the page is in no group.
pub fn section(map: &SiteMap, route: &Route) -> Option<String> {
    let nodes = map.nodes_on_trail(&route.path);
    let group = |node: &&&NavNode| node.kind == NodeKind::Element(ElementKind::Group);
    let section = nodes.iter().rev().find(group)?;
    Some(section.name.clone())
}

/// Path of a page's image in the image directory.
pub fn file_name(path: &str) -> String {
    match path {
        "/" => "/index.png".to_owned(),
        path => format!("{path}.png"),
    }
}

/// Fingerprint of the text of one image, so that clients do not use an outdated copy.
pub(crate) fn fingerprint(texts: &[&str]) -> String {
    let mut hasher = DefaultHasher::new();
    texts.hash(&mut hasher);
    format!("{:08x}", hasher.finish() >> 32)
}

/// Route path of the page whose image has this path in the image directory; `None` if `name` is not
/// the path of an image.
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
    fn file_names_map_back_to_page_paths() {
        for path in ["/", "/a", "/a/b.c"] {
            assert_eq!(page_of(&file_name(path)), Some(path));
        }
        assert_eq!(page_of("x.png"), None);
        assert_eq!(page_of("/x.jpg"), None);
    }
}
