//! Cache of articles that several pages share.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use svc_nav::Route;

use crate::Site;
use crate::digest::Digester;
use crate::render::RenderedArticle;

/// Bytes of HTML and text in the cache; it is cleared when they exceed this.
const MAX_ARTICLE_BYTES: usize = 64 << 20;

type ArticleCell = Arc<OnceLock<Arc<RenderedArticle>>>;

/// Articles of pages with identical sources, by cache key.
#[derive(Debug, Default)]
pub(crate) struct ArticleCache {
    entries: Mutex<HashMap<[u8; 16], ArticleCell>>,
    bytes: AtomicUsize,
}

impl ArticleCache {
    /// The article with this key. Concurrent callers wait for the first one, which renders it with
    /// `render`.
    pub(crate) fn get(
        &self,
        key: [u8; 16],
        render: impl FnOnce() -> RenderedArticle,
    ) -> Arc<RenderedArticle> {
        let cell = {
            let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
            if self.bytes.load(Ordering::Relaxed) > MAX_ARTICLE_BYTES {
                entries.clear();
                self.bytes.store(0, Ordering::Relaxed);
            }
            Arc::clone(entries.entry(key).or_default())
        };
        let rendered = cell.get_or_init(|| {
            let rendered = render();
            let size = rendered.article.html.as_str().len() + rendered.article.text.len();
            self.bytes.fetch_add(size, Ordering::Relaxed);
            Arc::new(rendered)
        });
        Arc::clone(rendered)
    }
}

/// Digest of the inputs of an article that can differ between two pages of one site: the text, the
/// directory (for relative links and imports) and the fields of the route that the article uses.
/// `None` when the article is not shared: the page documents an operation, or no other page has
/// this text.
pub(crate) fn key(site: &Site, route: &Route) -> Option<[u8; 16]> {
    if route.operation.is_some() || route.root_of.is_some() {
        return None;
    }
    let page = site.page_of(route)?;
    if !site.is_repeated(page.file.text()) {
        return None;
    }
    let dir = page.path.rsplit_once('/').map_or("", |(dir, _)| dir);
    let mut digester = Digester::default();
    let texts = [
        page.file.text(),
        dir,
        &route.title,
        route.description.as_deref().unwrap_or("\0"),
        route.language.as_deref().unwrap_or("\0"),
        route.version.as_deref().unwrap_or("\0"),
    ];
    texts.iter().for_each(|text| {
        digester.add(text.as_bytes());
    });
    Some(digester.key())
}
