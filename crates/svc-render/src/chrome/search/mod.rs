//! The search box.

use askama::Template;

use super::View;
use crate::html::Html;

#[derive(Template)]
#[template(path = "chrome/search/search.html")]
struct Search<'a> {
    index: String,
    base: &'a str,
    prompt: &'a str,
}

/// The prompt of the box and of the button that opens it.
pub(super) fn prompt<'a>(view: &View<'a>) -> &'a str {
    view.config().search_prompt.as_deref().unwrap_or("Search")
}

pub(super) fn render(view: &View<'_>) -> Html {
    let search = Search {
        index: view.href("/search-index.json"),
        base: &view.cx.options.base_path,
        prompt: prompt(view),
    };
    Html::trusted(search.render().unwrap_or_default())
}
