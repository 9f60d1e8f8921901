//! What is sent again and again, with its compressed forms.
//!
//! A request must not hash, compress or draw what another one had hashed, compressed or drawn.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use svc_nav::Route;

use crate::cache::SizedCache;
use crate::{AssetContent, CompressedBytes, Site, render};

/// Bytes that are sent in response to requests.
#[derive(Debug, Default)]
pub(crate) struct Responses {
    /// Files of the repository that are in memory, by path. They share the memory of the repository,
    /// so that only their compressed forms come in addition.
    assets: Mutex<HashMap<String, Arc<CompressedBytes>>>,
    /// What is made of the repository, by a name.
    generated: SizedCache<CompressedBytes>,
    /// Pages for addresses that do not exist, by language, around their suggestions.
    not_found: SizedCache<[String; 2]>,
}

impl Responses {
    /// What was made under a name, else what `make` gives now.
    pub(crate) fn get_or_make(
        &self,
        name: &str,
        make: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Option<Arc<CompressedBytes>> {
        // With the compressed forms, which are made later.
        let size = |packed: &CompressedBytes| packed.bytes.len() + packed.bytes.len() / 2;
        self.generated
            .get_or_make(name, || Some(CompressedBytes::new(make()?)), size)
    }
}

/// The page for an address that does not exist.
#[derive(Debug)]
pub enum NotFound {
    /// One for all addresses that no route is near to.
    Static(Arc<CompressedBytes>),
    /// With the routes that were probably meant by this address.
    WithSuggestions {
        /// What stands before and after them, the same for all addresses of a language.
        template: Arc<[String; 2]>,
        /// The list of them.
        suggestions: String,
    },
}

impl Site {
    /// A file of the repository that is in memory, by the path of its address; its compressed forms
    /// are made once.
    pub fn compressed_asset(&self, path: &str) -> Option<Arc<CompressedBytes>> {
        let assets = || {
            let assets = &self.responses.assets;
            assets.lock().unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(packed) = assets().get(path) {
            return Some(Arc::clone(packed));
        }
        let bytes: Arc<[u8]> = match self.asset(path)?.content {
            AssetContent::Text(text) => Arc::clone(text).into(),
            AssetContent::Bytes(bytes) => Arc::clone(bytes),
            AssetContent::Disk { .. } => return None,
        };
        let packed = Arc::new(CompressedBytes::new(bytes));
        // Of two that were made at the same time, one is kept.
        let mut assets = assets();
        Some(Arc::clone(assets.entry(path.to_owned()).or_insert(packed)))
    }

    /// The Markdown twin of a page as it is sent.
    pub fn compressed_markdown(&self, route: &Route) -> Option<Arc<CompressedBytes>> {
        let name = format!("twin {}", route.path);
        let make = || Some(self.markdown(route).into_bytes());
        self.responses.get_or_make(&name, make)
    }

    /// The feed of a page as it is sent. `origin` is as for [`Self::machine`].
    pub fn compressed_feed(&self, route: &Route, origin: &str) -> Option<Arc<CompressedBytes>> {
        let name = format!("feed {} {}", route.path, self.public(origin, "/"));
        let make = || Some(self.feed(route, origin).into_bytes());
        self.responses.get_or_make(&name, make)
    }

    /// A module of a component as it is sent.
    pub fn compressed_module(&self, name: &str) -> Option<Arc<CompressedBytes>> {
        let make = || Some(self.island_module(name)?.into_bytes());
        self.responses.get_or_make(&format!("module {name}"), make)
    }

    /// The page at [`CALLBACK_PATH`](crate::CALLBACK_PATH) as it is sent.
    pub fn compressed_callback_page(&self) -> Option<Arc<CompressedBytes>> {
        let make = || Some(self.callback_page().into_bytes());
        self.responses.get_or_make("callback", make)
    }

    /// The page for an address that does not exist, with routes that were probably meant.
    pub fn not_found(&self, path: &str) -> Vec<u8> {
        let language = self.map.language_of(path);
        let (around, suggestions) = self.not_found_with(path, &self.near(path), language);
        let [before, after] = &*around;
        [before, &*suggestions, after].concat().into_bytes()
    }

    /// The same as it is sent.
    pub fn not_found_response(&self, path: &str) -> NotFound {
        let near = self.near(path);
        let language = self.map.language_of(path);
        if near.is_empty() {
            // Without suggestions only the script of the page says which address it was.
            let make = || {
                let (around, suggestions) = self.not_found_with("", &near, language);
                let [before, after] = &*around;
                Some([before, &*suggestions, after].concat().into_bytes())
            };
            let name = format!("not found {}", language.unwrap_or_default());
            if let Some(packed) = self.responses.get_or_make(&name, make) {
                return NotFound::Static(packed);
            }
        }
        let (around, suggestions) = self.not_found_with(path, &near, language);
        NotFound::WithSuggestions {
            template: around,
            suggestions,
        }
    }

    /// The page around the suggestions, which is the same for all of a language, and they.
    fn not_found_with(
        &self,
        path: &str,
        near: &[&Route],
        language: Option<&str>,
    ) -> (Arc<[String; 2]>, String) {
        let cx = self.context();
        let make = || Some(render::not_found(&cx, language.map(str::to_owned)));
        let size = |[before, after]: &[String; 2]| before.len() + after.len();
        let name = language.unwrap_or_default();
        let around = self.responses.not_found.get_or_make(name, make, size);
        let suggestions = svc_render::suggestions(&cx, path, near, language);
        (around.unwrap_or_default(), suggestions.into_string())
    }
}

#[cfg(test)]
mod tests {
    use svc_source::SourceTree;

    use super::*;
    use crate::{LoadOptions, assemble};

    fn site() -> Site {
        let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index", "start"]}}"##;
        let files = [
            ("docs.json", config),
            ("index.mdx", "[Data](/data.json)"),
            ("start.mdx", "---\ntitle: The <start>\n---\nWords."),
            ("data.json", "{}"),
        ];
        let tree = SourceTree::from_files(files);
        assemble(tree, &LoadOptions::default()).unwrap().value
    }

    #[test]
    fn a_file_in_memory_is_neither_copied_nor_packed_again() {
        let site = site();
        let (one, two) = (
            site.compressed_asset("/data.json"),
            site.compressed_asset("/data.json"),
        );
        let (one, two) = (one.unwrap(), two.unwrap());
        assert!(Arc::ptr_eq(&one, &two));
        let AssetContent::Text(text) = site.asset("/data.json").unwrap().content else {
            panic!("a text");
        };
        assert_eq!(one.bytes.as_ptr(), text.as_ptr(), "it is the same memory");
        assert!(site.compressed_asset("/none.json").is_none());
        assert!(site.compressed_asset("/docs.json").is_none());
    }

    #[test]
    fn what_is_made_is_made_once() {
        let site = site();
        let route = site.map.routes.get("/start").unwrap();
        let twins = [
            site.compressed_markdown(route).unwrap(),
            site.compressed_markdown(route).unwrap(),
        ];
        assert!(Arc::ptr_eq(&twins[0], &twins[1]));
        let pages = ["/a/b", "/c/d"].map(|path| match site.not_found_response(path) {
            NotFound::Static(packed) => packed,
            NotFound::WithSuggestions { .. } => panic!("nothing is near to it"),
        });
        assert!(Arc::ptr_eq(&pages[0], &pages[1]));
    }

    #[test]
    fn suggestions_stand_in_the_page_that_is_drawn_once() {
        let site = site();
        let text = |path: &str| String::from_utf8(site.not_found(path)).unwrap();
        let found = text("/old/start");
        assert!(
            found.contains("href=\"/start\">The &lt;start&gt;</a></li></ul>"),
            "{found}"
        );
        for text in [found, text("/none")] {
            assert!(
                !text.contains("<!--svc") && text.ends_with("</html>"),
                "{text}"
            );
        }
    }
}
