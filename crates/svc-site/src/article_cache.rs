//! Articles of equal pages are drawn once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use svc_nav::Route;

use crate::Site;
use crate::digest::Digester;
use crate::render::RenderedArticle;

/// Bytes of HTML that are kept; then everything is forgotten and collected anew.
const MAX_ARTICLE_BYTES: usize = 64 << 20;

type ArticleCell = Arc<OnceLock<Arc<RenderedArticle>>>;

/// The articles of pages that have twins, by their key.
#[derive(Debug, Default)]
pub(crate) struct ArticleCache {
    entries: Mutex<HashMap<[u8; 16], ArticleCell>>,
    bytes: AtomicUsize,
}

impl ArticleCache {
    /// The article of this key, drawn by the first who asks while others wait for it.
    pub(crate) fn get(
        &self,
        key: [u8; 16],
        draw: impl FnOnce() -> RenderedArticle,
    ) -> Arc<RenderedArticle> {
        let cell = {
            let mut known = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
            if self.bytes.load(Ordering::Relaxed) > MAX_ARTICLE_BYTES {
                known.clear();
                self.bytes.store(0, Ordering::Relaxed);
            }
            Arc::clone(known.entry(key).or_default())
        };
        let drawn = cell.get_or_init(|| {
            let drawn = draw();
            let size = drawn.article.html.as_str().len() + drawn.article.text.len();
            self.bytes.fetch_add(size, Ordering::Relaxed);
            Arc::new(drawn)
        });
        Arc::clone(drawn)
    }
}

/// Everything an article is made from that can differ between two pages of one site: the text,
/// the folder (relative links and imports), and what the route says. `None` for a page whose
/// article nobody can share: it documents an operation, or there is only one page of this text.
pub(crate) fn key(site: &Site, route: &Route) -> Option<[u8; 16]> {
    if route.operation.is_some() || route.root_of.is_some() {
        return None;
    }
    let page = site.page_of(route)?;
    if !site.is_repeated(page.file.text()) {
        return None;
    }
    let folder = page.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut digester = Digester::default();
    let texts = [
        page.file.text(),
        folder,
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
