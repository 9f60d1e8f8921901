//! Banner, header and footer of a page. A language can override those of the site.

use svc_config::{Banner, Children, Element, ElementKind, Footer, Navbar, SiteConfig};

use crate::{NavNode, SiteMap};

/// Parts of the layout around a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageChrome<'a> {
    /// Banner above the header: `banner` of docs.json.
    pub banner: Option<&'a Banner>,
    /// Header: `navbar` of docs.json.
    pub navbar: &'a Navbar,
    /// Footer: `footer` of docs.json.
    pub footer: &'a Footer,
}

impl SiteMap {
    /// Returns the layout parts of a page: each from the nearest language around it that sets it,
    /// otherwise from the site. `config` is the configuration that the map was resolved from.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn chrome<'c>(&self, config: &'c SiteConfig, path: &str) -> PageChrome<'c> {
        let mut frame = PageChrome {
            banner: config.banner.as_ref(),
            navbar: &config.navbar,
            footer: &config.footer,
        };
        let mut children = &config.navigation.children;
        for node in self.nodes_on_trail(path) {
            let Some(element) = element_of(children, node) else {
                break;
            };
            if element.kind == ElementKind::Language {
                frame.banner = element.banner.as_deref().or(frame.banner);
                frame.navbar = element.navbar.as_deref().unwrap_or(frame.navbar);
                frame.footer = element.footer.as_deref().unwrap_or(frame.footer);
            }
            children = &element.children;
        }
        frame
    }
}

/// Returns the element that a node was created from. Languages never occur inside of groups.
fn element_of<'c>(children: &'c Children, node: &NavNode) -> Option<&'c Element> {
    let Children::Elements(kind, elements) = children else {
        return None;
    };
    if node.element() != Some(*kind) || !node.is_division() {
        return None;
    }
    elements.iter().find(|element| element.name == node.key)
}
