//! The headings of the page.

use askama::Template;

use super::View;
use crate::article::Article;
use crate::html::Html;
use crate::language::Texts;

#[derive(Template)]
#[template(path = "chrome/toc/toc.html")]
struct Toc<'a> {
    view: &'a View<'a>,
    texts: &'static Texts,
    items: Vec<Item<'a>>,
    menu: Html,
}

struct Item<'a> {
    level: u8,
    id: &'a str,
    text: &'a str,
}

/// The headings, and below them what the menu of the page puts there.
pub(super) fn render(view: &View<'_>, article: &Article, menu: Html) -> Html {
    // A list of one heading tells nothing that the title does not.
    let listed = if article.toc.len() < 2 {
        &[][..]
    } else {
        &article.toc
    };
    if listed.is_empty() && menu.is_empty() {
        return Html::new();
    }
    let items = listed.iter().map(|item| Item {
        // Styles of real sites count from 0, which is a heading of the second level.
        level: item.depth.saturating_sub(2).min(2),
        id: &item.id,
        text: &item.text,
    });
    let toc = Toc {
        view,
        texts: view.texts(),
        items: items.collect(),
        menu,
    };
    Html::trusted(toc.render().unwrap_or_default())
}
