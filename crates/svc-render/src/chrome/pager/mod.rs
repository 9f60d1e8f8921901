//! Links to the previous and next page.

use askama::Template;

use super::View;
use crate::html::Html;
use crate::i18n::Messages;

#[derive(Template)]
#[template(path = "chrome/pager/pager.html")]
struct Pager<'a> {
    view: &'a View<'a>,
    texts: &'static Messages,
    previous: Option<(String, &'a str)>,
    next: Option<(String, &'a str)>,
}

pub(super) fn render(view: &View<'_>) -> Html {
    let off = view
        .cx
        .pages
        .get(&view.route.slug)
        .is_some_and(|page| page.front_matter.hide_footer_pagination);
    let link = |index: Option<usize>| {
        let (_, route) = view.cx.site_map.routes.get_index(index?)?;
        Some((view.href(&route.path), route.short_title()))
    };
    let pager = Pager {
        view,
        texts: view.texts(),
        previous: link(view.route.previous),
        next: link(view.route.next),
    };
    if off || (pager.previous.is_none() && pager.next.is_none()) {
        return Html::new();
    }
    Html::trusted(pager.render().unwrap_or_default())
}
