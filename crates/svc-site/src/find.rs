//! Resolution of URL paths to resources.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use svc_nav::Route;
use svc_render::SchemaFragment;
use svc_source::Contents;

use crate::generated::discovery::DiscoveryFile;
use crate::generated::feed;
use crate::generated::file::GeneratedFile;
use crate::generated::sections::SectionFile;
use crate::media::GeneratedImage;
use crate::page::CompressedBytes;
use crate::site::Site;
use crate::variants::Variant;

/// The resource at a URL path.
#[derive(Debug)]
pub enum Resource<'a> {
    /// A page.
    Page(&'a Route),
    /// A file of the repository, served unchanged.
    Asset(Asset<'a>),
    /// The Markdown version of a page.
    Markdown(&'a Route),
    /// The RSS feed of a page with changelog entries.
    Feed(&'a Route),
    /// A generated file such as `sitemap.xml`.
    Generated(GeneratedFile),
    /// A list or full text of a section for language models.
    SectionFile(SectionFile<'a>),
    /// A generated file for discovery, such as the list of skills.
    Discovery(DiscoveryFile),
    /// An OpenAPI document, or a part of one, as text for language models.
    ApiText(&'a Arc<CompressedBytes>),
    /// The JSON that the playground of a page needs to call its endpoint.
    PlaygroundSpec(&'a Route),
    /// An icon or preview image that the site renders.
    Image(GeneratedImage<'a>),
    /// A narrower variant of a raster image.
    Variant(Variant<'a>),
    /// A part of a schema that is loaded when a reader expands it.
    SchemaFragment(SchemaFragment),
    /// A redirect.
    Redirect {
        /// Destination, valid as the value of a `Location` header.
        to: String,
        /// Status code, 307 or 308.
        status: u16,
    },
    /// No resource.
    NotFound,
}

/// A file of the repository that is served unchanged.
#[derive(Debug)]
pub struct Asset<'a> {
    /// Media type.
    pub content_type: &'static str,
    /// Contents of the file.
    pub content: AssetContent<'a>,
}

/// Contents of an asset: in memory or on disk.
#[derive(Debug)]
pub enum AssetContent<'a> {
    /// Text in memory.
    Text(&'a Arc<str>),
    /// Bytes in memory.
    Bytes(&'a Arc<[u8]>),
    /// A file on disk, not read into memory.
    Disk {
        /// Path in the file system.
        path: &'a Path,
        /// Time of the last modification, if the file system has one.
        modified: Option<SystemTime>,
    },
}

impl Site {
    /// The resource at `path`, which begins with a slash, is percent-decoded and has no base path.
    /// All lookups use the maps of the site, so that no path can leave the repository.
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
        if let Some(file) = GeneratedFile::from_path(path).filter(|file| self.offers(*file)) {
            return Resource::Generated(file);
        }
        if let Some(file) = self.section_file_at(path) {
            return Resource::SectionFile(file);
        }
        if let Some(file) = self.find_discovery_file(path) {
            return Resource::Discovery(file);
        }
        if let Some(text) = self.api_text(path) {
            return Resource::ApiText(text);
        }
        if let Some(image) = self.image(path) {
            return Resource::Image(image);
        }
        if let Some(variant) = self.variant(path) {
            return Resource::Variant(variant);
        }
        if let Some(resource) = self.api_resource(path) {
            return resource;
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
            let is_internal = to.starts_with('/') && !to.starts_with("//");
            let to = if is_internal {
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

    /// The destination of a page whose front matter sets `url`, valid as the value of a `Location`
    /// header.
    pub(crate) fn redirect_target(&self, route: &Route) -> Option<String> {
        let url = route.url.as_deref()?;
        let is_internal = url.starts_with('/') && !url.starts_with("//");
        Some(match is_internal {
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

    /// The file of the repository that is served unchanged at `path`. `None` when there is none or
    /// it is not served.
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

    /// All files that are served unchanged, by path.
    pub fn assets(&self) -> impl Iterator<Item = (&str, Asset<'_>)> {
        let files = self.tree.iter();
        files.filter_map(|(path, _)| Some((path, self.asset(&format!("/{path}"))?)))
    }

    /// The URL path of `path` with the base path, percent-encoded for links and headers.
    pub fn href(&self, path: &str) -> String {
        format!("{}{}", self.base_path(), svc_source::encoded_path(path))
    }
}
