//! The search dialog.

use askama::Template;

use super::View;
use crate::html::Html;
use crate::i18n::Messages;

#[derive(Template)]
#[template(path = "chrome/search/search.html")]
struct Search<'a> {
    view: &'a View<'a>,
    texts: &'static Messages,
    index: String,
    base: &'a str,
    prompt: &'a str,
}

/// The placeholder of the search field and the label of the button that opens it.
pub(super) fn prompt<'a>(view: &View<'a>) -> &'a str {
    let own = view.config().search_prompt.as_deref();
    own.unwrap_or(view.texts().search)
}

pub(super) fn render(view: &View<'_>) -> Html {
    let search = Search {
        view,
        texts: view.texts(),
        index: view.href("/search-index.json"),
        base: &view.cx.options.site.base_path,
        prompt: prompt(view),
    };
    Html::trusted(search.render().unwrap_or_default())
}
