//! In-memory cache of response bodies and their compressed forms, so that later requests neither
//! render, compress nor hash them.

use std::sync::{Arc, PoisonError};

use svc_nav::Route;

use crate::find::AssetContent;
use crate::generated::markdown;
use crate::page::CompressedBytes;
use crate::render;
use crate::site::Site;

/// The body of a 404 response.
#[derive(Debug)]
pub enum NotFound {
    /// The page without suggestions, shared by all paths.
    Static(Arc<CompressedBytes>),
    /// The page with suggestions of similar routes.
    WithSuggestions {
        /// HTML before and after the suggestions, shared by all paths of a language.
        template: Arc<[String; 2]>,
        /// HTML of the suggestions.
        suggestions: String,
    },
}

impl Site {
    /// A text that depends only on the site and `key`: the one from before, or the result of `make`.
    /// Errors are not stored, and old texts are dropped when they need more than 32 MB.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn cached_text<E>(
        &self,
        key: &str,
        make: impl FnOnce() -> Result<String, E>,
    ) -> Result<Arc<String>, E> {
        let mut error = None;
        let make = || make().map_err(|other| error = Some(other)).ok();
        let text = self.responses.texts.get_or_make(key, make, String::len);
        match (text, error) {
            (Some(text), _) => Ok(text),
            (None, Some(error)) => Err(error),
            // `make` returned an error or a text.
            (None, None) => Ok(Arc::default()),
        }
    }

    /// A file of the repository that is in memory, by its URL path, with its compressed forms.
    /// `None` when there is no such file, it is not served, or it is on disk.
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
        // If two requests created it concurrently, the first one is stored.
        let mut assets = assets();
        Some(Arc::clone(assets.entry(path.to_owned()).or_insert(packed)))
    }

    /// The response body of the Markdown version of a page. `origin` is as for
    /// [`Self::generated_file`].
    pub fn compressed_markdown(&self, route: &Route, origin: &str) -> Option<Arc<CompressedBytes>> {
        let name = format!("markdown {} {}", route.path, self.public_url(origin, "/"));
        let make = || Some(self.markdown(route, origin).into_bytes());
        self.responses.get_or_make(&name, make)
    }

    /// The title, description and content of a page as Markdown: its Markdown version without the
    /// front matter and the note for agents. Links within the site have no origin.
    pub fn compressed_page_text(&self, route: &Route) -> Option<Arc<CompressedBytes>> {
        let name = format!("page text {}", route.path);
        let make = || Some(markdown::page(self, route, "").into_bytes());
        self.responses.get_or_make(&name, make)
    }

    /// The response body of the feed of a page. `origin` is as for [`Self::generated_file`].
    pub fn compressed_feed(&self, route: &Route, origin: &str) -> Option<Arc<CompressedBytes>> {
        let name = format!("feed {} {}", route.path, self.public_url(origin, "/"));
        let make = || Some(self.feed(route, origin).into_bytes());
        self.responses.get_or_make(&name, make)
    }

    /// The response body of an island module. `None` when there is no such module.
    pub fn compressed_module(&self, name: &str) -> Option<Arc<CompressedBytes>> {
        let make = || Some(self.island_module(name)?.into_bytes());
        self.responses.get_or_make(&format!("module {name}"), make)
    }

    /// The response body of the page at [`CALLBACK_PATH`](crate::CALLBACK_PATH).
    pub fn compressed_callback_page(&self) -> Option<Arc<CompressedBytes>> {
        let make = || Some(self.callback_page().into_bytes());
        self.responses.get_or_make("callback", make)
    }

    /// HTML of the page for a missing path, with similar routes.
    pub fn not_found(&self, path: &str) -> Vec<u8> {
        let language = self.map.language_of(path);
        let (template, suggestions) =
            self.not_found_with(path, &self.similar_routes(path), language);
        let [before, after] = &*template;
        [before, &*suggestions, after].concat().into_bytes()
    }

    /// The page for a missing path as a response, sharing the parts that do not depend on the path.
    pub fn not_found_response(&self, path: &str) -> NotFound {
        let near = self.similar_routes(path);
        let language = self.map.language_of(path);
        if near.is_empty() {
            // Without suggestions the HTML does not contain the path; the script of the page
            // inserts it.
            let make = || {
                let (template, suggestions) = self.not_found_with("", &near, language);
                let [before, after] = &*template;
                Some([before, &*suggestions, after].concat().into_bytes())
            };
            let name = format!("not found {}", language.unwrap_or_default());
            if let Some(packed) = self.responses.get_or_make(&name, make) {
                return NotFound::Static(packed);
            }
        }
        let (template, suggestions) = self.not_found_with(path, &near, language);
        NotFound::WithSuggestions {
            template,
            suggestions,
        }
    }

    /// The HTML around the suggestions, shared by all paths of a language, and the HTML of the
    /// suggestions.
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
        let template = self.responses.not_found.get_or_make(name, make, size);
        let suggestions = svc_render::suggestions(&cx, path, near, language);
        (template.unwrap_or_default(), suggestions.into_string())
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
    fn a_file_in_memory_is_shared_and_compressed_once() {
        let site = site();
        let (first, second) = (
            site.compressed_asset("/data.json"),
            site.compressed_asset("/data.json"),
        );
        let (first, second) = (first.unwrap(), second.unwrap());
        assert!(Arc::ptr_eq(&first, &second));
        let AssetContent::Text(text) = site.asset("/data.json").unwrap().content else {
            panic!("a text");
        };
        assert_eq!(first.bytes.as_ptr(), text.as_ptr(), "it is the same memory");
        assert!(site.compressed_asset("/none.json").is_none());
        assert!(site.compressed_asset("/docs.json").is_none());
    }

    #[test]
    fn responses_are_created_once() {
        let site = site();
        let route = site.map.routes.get("/start").unwrap();
        let bodies = [
            site.compressed_markdown(route, "").unwrap(),
            site.compressed_markdown(route, "").unwrap(),
        ];
        assert!(Arc::ptr_eq(&bodies[0], &bodies[1]));
        let pages = ["/a/b", "/c/d"].map(|path| match site.not_found_response(path) {
            NotFound::Static(packed) => packed,
            NotFound::WithSuggestions { .. } => panic!("nothing is near to it"),
        });
        assert!(Arc::ptr_eq(&pages[0], &pages[1]));
    }

    #[test]
    fn suggestions_are_inserted_into_the_shared_page() {
        let site = site();
        let text = |path: &str| String::from_utf8(site.not_found(path)).unwrap();
        let with_suggestions = text("/old/start");
        assert!(
            with_suggestions.contains("href=\"/start\">The &lt;start&gt;</a></li></ul>"),
            "{with_suggestions}"
        );
        for text in [with_suggestions, text("/none")] {
            assert!(
                !text.contains("<!--svc") && text.ends_with("</html>"),
                "{text}"
            );
        }
    }
}
