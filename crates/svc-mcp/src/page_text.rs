//! The Markdown of pages as tools give it.

use svc_nav::Route;
use svc_site::Site;

/// The Markdown of a page without its front matter and the note for agents, whose facts clients get
/// in other ways. Links of the site have no origin: they are shorter, and `read` accepts them.
pub(crate) fn page_text(site: &Site, route: &Route) -> String {
    let packed = site.compressed_page_text(route);
    packed.map_or_else(String::new, |packed| {
        String::from_utf8_lossy(&packed.bytes).into_owned()
    })
}
