//! What an address stands for.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use svc_diagnostics::did_you_mean;
use svc_nav::{Audience, Route};
use svc_render::SchemaPart;
use svc_source::Contents;

use crate::machine::feed;
use crate::{Drawing, Machine, Site};

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

/// The kinds of files that are served as they are, with their media types.
const SERVED: &[(&str, &str)] = &[
    ("avif", "image/avif"),
    ("css", "text/css; charset=utf-8"),
    ("csv", "text/csv; charset=utf-8"),
    ("eot", "application/vnd.ms-fontobject"),
    ("gif", "image/gif"),
    ("ico", "image/x-icon"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("otf", "font/otf"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("ttf", "font/ttf"),
    ("txt", "text/plain; charset=utf-8"),
    ("wav", "audio/wav"),
    ("webm", "video/webm"),
    ("webp", "image/webp"),
    ("woff", "font/woff"),
    ("woff2", "font/woff2"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("zip", "application/zip"),
];

/// Files that are never served although their kind is: they say how the site is made.
const PRIVATE: [&str; 5] = [
    "docs.json",
    "mint.json",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
];

/// Whether a file of the repository is served as it is.
pub(crate) fn is_served(path: &str) -> bool {
    media_type(path).is_some()
        && !PRIVATE.contains(&path)
        && !path.split('/').any(|part| part.starts_with('.'))
}

fn media_type(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next()?;
    let (_, ending) = name.rsplit_once('.')?;
    let at = SERVED.binary_search_by(|(known, _)| {
        known
            .bytes()
            .cmp(ending.bytes().map(|byte| byte.to_ascii_lowercase()))
    });
    at.ok().and_then(|at| SERVED.get(at)).map(|(_, kind)| *kind)
}

impl Site {
    /// What an address stands for. `path` begins with a slash, is decoded, and has no base path;
    /// every answer comes from a map, so no path can lead outside of the repository.
    pub fn find(&self, path: &str) -> Found<'_> {
        if let Some(route) = self.open_route(path) {
            return Found::Page(route);
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
        if let Some(found) = self.api_part(path) {
            return found;
        }
        if let Some(route) = path
            .strip_suffix(".md")
            .and_then(|stem| self.twin_route(stem))
        {
            return Found::Twin(route);
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

    pub(crate) fn open_route(&self, path: &str) -> Option<&Route> {
        let route = self.map.routes.get(path)?;
        svc_nav::visible(route, Audience::Everyone).then_some(route)
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
        if !is_served(path) {
            return None;
        }
        let content_type = media_type(path)?;
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

    /// Routes whose path looks like `path`: the same last segment, or a slip of the pen.
    pub(crate) fn near(&self, path: &str) -> Vec<&Route> {
        let last = |path: &str| path.rsplit('/').next().unwrap_or("").to_ascii_lowercase();
        let wanted = last(path);
        let shown = |route: &&Route| route.discovery.search;
        let mut near: Vec<&Route> = Vec::new();
        if !wanted.is_empty() && wanted.len() <= 200 {
            let same = self
                .map
                .routes
                .values()
                .filter(shown)
                .filter(|route| last(&route.path) == wanted);
            near.extend(same.take(4));
            let within = self.map.routes.values().filter(shown).filter(|route| {
                wanted.len() > 3 && route.path.to_ascii_lowercase().contains(&wanted)
            });
            near.extend(within.take(4));
        }
        // Comparing letters costs; on very large sites the exact matches have to do.
        if near.is_empty() && self.map.routes.len() <= 5_000 {
            let paths = self
                .map
                .routes
                .values()
                .filter(shown)
                .map(|route| &*route.path);
            near.extend(did_you_mean(path, paths).and_then(|path| self.map.routes.get(path)));
        }
        let mut seen = Vec::new();
        near.retain(|route| {
            let new = !seen.contains(&&route.path);
            seen.push(&route.path);
            new
        });
        near.truncate(5);
        near
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_kinds_is_sorted() {
        assert!(SERVED.is_sorted());
    }

    #[test]
    fn sources_and_private_files_are_not_served() {
        for served in [
            "a.png",
            "x/A.PNG",
            "openapi.yaml",
            "api/docs.json",
            "llms.txt",
        ] {
            assert!(is_served(served), "{served}");
        }
        let never = [
            "docs.json",
            "mint.json",
            "a.mdx",
            "a.md",
            "a.jsx",
            ".env",
            ".git/x.png",
            "x/.a.png",
            "png",
            "Makefile",
        ];
        for never in never {
            assert!(!is_served(never), "{never}");
        }
    }
}
