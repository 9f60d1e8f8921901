//! Cache of articles that several pages share.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::render::RenderedArticle;

/// Bytes of HTML and text in the cache; it is cleared when they exceed this.
const MAX_ARTICLE_BYTES: usize = 64 << 20;

type ArticleCell = Arc<OnceLock<Arc<RenderedArticle>>>;

/// Articles of pages with identical sources, by cache key.
#[derive(Debug, Default)]
pub(crate) struct ArticleCache {
    entries: Mutex<HashMap<[u8; 16], ArticleCell>>,
    bytes: AtomicUsize,
    /// Number of articles that were rendered for the cache.
    #[cfg(test)]
    pub(crate) rendered: AtomicUsize,
}

impl ArticleCache {
    /// The article with this key, if it is in the cache.
    pub(crate) fn find(&self, key: [u8; 16]) -> Option<Arc<RenderedArticle>> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.get(&key)?.get().map(Arc::clone)
    }

    /// Adds another key of an article.
    pub(crate) fn add(&self, key: [u8; 16], article: &Arc<RenderedArticle>) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let cell = entries.entry(key).or_default();
        // A concurrent caller may have added the same article.
        let _ = cell.set(Arc::clone(article));
    }

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
            #[cfg(test)]
            self.rendered.fetch_add(1, Ordering::Relaxed);
            let sections = rendered.article.sections.iter();
            let text: usize = sections.map(|s| s.text.len() + s.code.len()).sum();
            let size = rendered.article.html.as_str().len() + text;
            self.bytes.fetch_add(size, Ordering::Relaxed);
            Arc::new(rendered)
        });
        Arc::clone(rendered)
    }
}
