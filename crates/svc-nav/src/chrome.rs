//! Banner, header and footer around a page: a language may bring its own.

use svc_config::{Banner, Children, Element, ElementKind, Footer, Navbar, SiteConfig};

use crate::{NavNode, SiteMap};

/// What surrounds a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageChrome<'a> {
    /// Line above the header.
    pub banner: Option<&'a Banner>,
    /// Header.
    pub navbar: &'a Navbar,
    /// End of the page.
    pub footer: &'a Footer,
}

impl SiteMap {
    /// The frame of a page: the parts of the languages around it, the nearest first, each else the
    /// one of the site. `config` is what the map was made from.
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

/// The division that a node was made from; languages never stand inside of groups.
fn element_of<'c>(children: &'c Children, node: &NavNode) -> Option<&'c Element> {
    let Children::Elements(kind, elements) = children else {
        return None;
    };
    if node.element() != Some(*kind) || !node.is_division() {
        return None;
    }
    elements.iter().find(|element| element.name == node.key)
}
