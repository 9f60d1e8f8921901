//! The headings of the page.

use askama::Template;

use crate::article::Article;
use crate::html::Html;
use crate::language::Texts;

#[derive(Template)]
#[template(path = "chrome/toc/toc.html")]
struct Toc<'a> {
    texts: &'static Texts,
    items: Vec<Item<'a>>,
}

struct Item<'a> {
    level: u8,
    id: &'a str,
    text: &'a str,
}

pub(super) fn render(article: &Article, texts: &'static Texts) -> Html {
    // A list of one heading tells nothing that the title does not.
    if article.toc.len() < 2 {
        return Html::new();
    }
    let items = article.toc.iter().map(|item| Item {
        level: item.depth.saturating_sub(1).clamp(1, 3),
        id: &item.id,
        text: &item.text,
    });
    Html::trusted(
        Toc {
            texts,
            items: items.collect(),
        }
        .render()
        .unwrap_or_default(),
    )
}
