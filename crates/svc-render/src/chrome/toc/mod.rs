//! The table of contents of the page.

use askama::Template;

use super::View;
use crate::article::content::Article;
use crate::html::Html;
use crate::i18n::Messages;

#[derive(Template)]
#[template(path = "chrome/toc/toc.html")]
struct Toc<'a> {
    view: &'a View<'a>,
    texts: &'static Messages,
    items: Vec<TocEntry<'a>>,
    menu: Html,
}

struct TocEntry<'a> {
    level: u8,
    id: &'a str,
    text: &'a str,
}

/// The table of contents for windows without room for a column.
#[derive(Template)]
#[template(path = "chrome/toc/small.html")]
struct SmallToc<'a> {
    texts: &'static Messages,
    items: Vec<TocEntry<'a>>,
}

fn items(article: &Article) -> Vec<TocEntry<'_>> {
    let items = article.toc.iter().map(|item| TocEntry {
        // Existing style sheets count levels from 0, for headings of level 2.
        level: item.depth.saturating_sub(2).min(2),
        id: &item.id,
        text: &item.text,
    });
    items.collect()
}

/// The table of contents, followed by the page menu if it is placed there.
pub(super) fn render(view: &View<'_>, article: &Article, menu: Html) -> Html {
    if article.toc.is_empty() && menu.is_empty() {
        return Html::new();
    }
    let toc = Toc {
        view,
        texts: view.texts(),
        items: items(article),
        menu,
    };
    Html::trusted(toc.render().unwrap_or_default())
}

/// The table of contents as a row below the header that expands into a list.
pub(super) fn small(view: &View<'_>, article: &Article) -> Html {
    if article.toc.is_empty() {
        return Html::new();
    }
    let small = SmallToc {
        texts: view.texts(),
        items: items(article),
    };
    Html::trusted(small.render().unwrap_or_default())
}
