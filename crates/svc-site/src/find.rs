//! What an address stands for.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use svc_nav::Route;
use svc_render::SchemaPart;
use svc_source::Contents;

use crate::machine::feed;
use crate::{Drawing, Machine, Site, Variant};

/// What an address stands for.
#[derive(Debug)]
pub enum Found<'a> {
    /// A page.
    Page(&'a Route),
    /// A file of the repository, as it is.
    Asset(Asset<'a>),
    /// The Markdown twin of a page.
    Twin(&'a Route),
    /// The feed of a page with changelog entries.
    Feed(&'a Route),
    /// A file for machines.
    Machine(Machine),
    /// What a browser has to know to call the endpoint of a page.
    Call(&'a Route),
    /// A picture that the site draws itself.
    Drawing(Drawing<'a>),
    /// A narrower variant of an image.
    Variant(Variant<'a>),
    /// A part of a schema that pages show when a reader opens it.
    SchemaPart(SchemaPart),
    /// Another address and the status that says so.
    Moved {
        /// The address, ready for a header.
        to: String,
        /// 307 or 308.
        status: u16,
    },
    /// Nothing.
    Nothing,
}

/// A file of the repository that is served as it is.
#[derive(Debug)]
pub struct Asset<'a> {
    /// Media type.
    pub content_type: &'static str,
    /// Where its bytes are.
    pub content: AssetContent<'a>,
}

/// Where the bytes of an asset are.
#[derive(Debug)]
pub enum AssetContent<'a> {
    /// In memory.
    Text(&'a Arc<str>),
    /// In memory.
    Bytes(&'a Arc<[u8]>),
    /// On disk.
    Disk {
        /// Where.
        path: &'a Path,
        /// When it was changed last.
        modified: Option<SystemTime>,
    },
}

impl Site {
    /// What an address stands for. `path` begins with a slash, is decoded, and has no base path;
    /// every answer comes from a map, so no path can lead outside of the repository.
    pub fn find(&self, path: &str) -> Found<'_> {
        if let Some(route) = self.open_route(path) {
            return match self.elsewhere(route) {
                Some(to) => Found::Moved { to, status: 307 },
                None => Found::Page(route),
            };
        }
        if let Some(asset) = self.asset(path) {
            return Found::Asset(asset);
        }
        if let Some(machine) = Machine::at(path).filter(|machine| self.offers(*machine)) {
            return Found::Machine(machine);
        }
        if let Some(drawing) = self.drawing(path) {
            return Found::Drawing(drawing);
        }
        if let Some(variant) = self.variant(path) {
            return Found::Variant(variant);
        }
        if let Some(found) = self.api_part(path) {
            return found;
        }
        if let Some(route) = path
            .strip_suffix(".md")
            .and_then(|stem| self.twin_route(stem))
        {
            return match self.elsewhere(route) {
                Some(to) => Found::Moved { to, status: 307 },
                None => Found::Twin(route),
            };
        }
        let feed = path.strip_suffix("/rss.xml");
        let feed = feed.and_then(|stem| self.open_route(if stem.is_empty() { "/" } else { stem }));
        if let Some(route) = feed.filter(|route| feed::exists(self, route)) {
            return Found::Feed(route);
        }
        if let Some((to, status)) = self.map.redirect(path) {
            let own = to.starts_with('/') && !to.starts_with("//");
            let to = if own {
                format!("{}{to}", self.base_path())
            } else {
                to
            };
            return Found::Moved { to, status };
        }
        let canonical = path
            .strip_suffix("/index")
            .map(|stem| if stem.is_empty() { "/" } else { stem });
        if let Some(route) = canonical.and_then(|stem| self.open_route(stem)) {
            return Found::Moved {
                to: self.href(&route.path),
                status: 308,
            };
        }
        if let Some(first) = self.map.folder(path) {
            return Found::Moved {
                to: self.href(first),
                status: 307,
            };
        }
        if path == "/"
            && let Some(first) = self.map.first_page()
        {
            return Found::Moved {
                to: self.href(first),
                status: 307,
            };
        }
        Found::Nothing
    }

    /// Where a page leads that has no text of its own, ready for a header.
    pub(crate) fn elsewhere(&self, route: &Route) -> Option<String> {
        let url = route.url.as_deref()?;
        let own = url.starts_with('/') && !url.starts_with("//");
        Some(match own {
            true => format!("{}{url}", self.base_path()),
            false => url.to_owned(),
        })
    }

    pub(crate) fn open_route(&self, path: &str) -> Option<&Route> {
        self.map.routes.get(path)
    }

    fn twin_route(&self, stem: &str) -> Option<&Route> {
        let index = || {
            stem.strip_suffix("/index")
                .map(|stem| if stem.is_empty() { "/" } else { stem })
        };
        self.open_route(stem).or_else(|| self.open_route(index()?))
    }

    /// A file of the repository that is served as it is.
    pub fn asset(&self, path: &str) -> Option<Asset<'_>> {
        let path = path.strip_prefix('/')?;
        let content_type = self.served_type(path)?;
        let content = match self.tree.get(path)? {
            Contents::Text(file) => AssetContent::Text(file.text()),
            Contents::Bytes(bytes) => AssetContent::Bytes(bytes),
            Contents::Disk { path, modified, .. } => AssetContent::Disk {
                path,
                modified: *modified,
            },
        };
        Some(Asset {
            content_type,
            content,
        })
    }

    /// All files that are served as they are.
    pub fn assets(&self) -> impl Iterator<Item = (&str, Asset<'_>)> {
        let own = self.tree.iter();
        own.filter_map(|(path, _)| Some((path, self.asset(&format!("/{path}"))?)))
    }

    /// The address of a path of this site as it stands in links and headers.
    pub fn href(&self, path: &str) -> String {
        format!("{}{}", self.base_path(), svc_source::encoded_path(path))
    }
}
