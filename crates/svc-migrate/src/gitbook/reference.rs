//! References to pages and to other sites.

use super::block::{Blocks, State};
use crate::markdown::attribute;
use crate::path::{parent, resolve};

impl Blocks<'_> {
    /// A card for a page.
    pub(super) fn reference(&self, url: &str, from: &str, indent: &str, state: &mut State<'_>) {
        let path = url.split('#').next().unwrap_or(url);
        let file = resolve(parent(from), path);
        let page = file.and_then(|file| {
            let readme = crate::path::join(&file, "README.md");
            let titles = [file, readme].into_iter();
            titles.filter_map(|path| self.titles.get(&path)).next()
        });
        let title = match page {
            Some(title) => title.clone(),
            None if url.is_empty() => return,
            None => url
                .trim_start_matches("https://")
                .trim_end_matches('/')
                .to_owned(),
        };
        let (title, url) = (attribute(&title), attribute(url));
        state.mdx(
            indent,
            &format!("<Card title={title} href={url} horizontal />"),
        );
    }
}

/// A video, or a link to another site.
pub(super) fn embed(url: &str, indent: &str, state: &mut State<'_>) {
    match crate::video::player(url) {
        Some(source) => {
            let source = attribute(&source);
            let tag = format!("<iframe src={source} title=\"Video\" allowFullScreen></iframe>");
            state.mdx(indent, &tag);
        }
        None => {
            state.blank();
            state.text(format!("{indent}<{url}>"));
            state.blank();
        }
    }
}
