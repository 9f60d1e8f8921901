//! What an address stands for.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use svc_nav::Route;
use svc_render::SchemaFragment;
use svc_source::Contents;

use crate::generated::feed;
use crate::{GeneratedFile, GeneratedImage, Site, Variant};

/// What an address stands for.
#[derive(Debug)]
pub enum Resource<'a> {
    /// A page.
    Page(&'a Route),
    /// A file of the repository, as it is.
    Asset(Asset<'a>),
    /// The Markdown twin of a page.
    Markdown(&'a Route),
    /// The feed of a page with changelog entries.
    Feed(&'a Route),
    /// A file for machines.
    Generated(GeneratedFile),
    /// What a browser has to know to call the endpoint of a page.
    PlaygroundSpec(&'a Route),
    /// A picture that the site draws itself.
    Image(GeneratedImage<'a>),
    /// A narrower variant of an image.
    Variant(Variant<'a>),
    /// A part of a schema that pages show when a reader opens it.
    SchemaFragment(SchemaFragment),
    /// Another address and the status that says so.
    Redirect {
        /// The address, ready for a header.
        to: String,
        /// 307 or 308.
        status: u16,
    },
    /// Nothing.
    NotFound,
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
    pub fn find(&self, path: &str) -> Resource<'_> {
        if let Some(route) = self.open_route(path) {
            return match self.redirect_target(route) {
                Some(to) => Resource::Redirect { to, status: 307 },
                None => Resource::Page(route),
            };
        }
        if let Some(asset) = self.asset(path) {
            return Resource::Asset(asset);
        }
        if let Some(machine) =
            GeneratedFile::from_path(path).filter(|machine| self.offers(*machine))
        {
            return Resource::Generated(machine);
        }
        if let Some(drawing) = self.image(path) {
            return Resource::Image(drawing);
        }
        if let Some(variant) = self.variant(path) {
            return Resource::Variant(variant);
        }
        if let Some(found) = self.api_resource(path) {
            return found;
        }
        if let Some(route) = path
            .strip_suffix(".md")
            .and_then(|stem| self.markdown_route(stem))
        {
            return match self.redirect_target(route) {
                Some(to) => Resource::Redirect { to, status: 307 },
                None => Resource::Markdown(route),
            };
        }
        let feed = path.strip_suffix("/rss.xml");
        let feed = feed.and_then(|stem| self.open_route(if stem.is_empty() { "/" } else { stem }));
        if let Some(route) = feed.filter(|route| feed::exists(self, route)) {
            return Resource::Feed(route);
        }
        if let Some((to, status)) = self.map.redirect(path) {
            let own = to.starts_with('/') && !to.starts_with("//");
            let to = if own {
                format!("{}{to}", self.base_path())
            } else {
                to
            };
            return Resource::Redirect { to, status };
        }
        let canonical = path
            .strip_suffix("/index")
            .map(|stem| if stem.is_empty() { "/" } else { stem });
        if let Some(route) = canonical.and_then(|stem| self.open_route(stem)) {
            return Resource::Redirect {
                to: self.href(&route.path),
                status: 308,
            };
        }
        if let Some(first) = self.map.dir_redirect(path) {
            return Resource::Redirect {
                to: self.href(first),
                status: 307,
            };
        }
        if path == "/"
            && let Some(first) = self.map.first_page()
        {
            return Resource::Redirect {
                to: self.href(first),
                status: 307,
            };
        }
        Resource::NotFound
    }

    /// Where a page leads that has no text of its own, ready for a header.
    pub(crate) fn redirect_target(&self, route: &Route) -> Option<String> {
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

    fn markdown_route(&self, stem: &str) -> Option<&Route> {
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
