//! The search dialog, and the page with results for readers without scripts.

mod page;

use std::sync::OnceLock;

use askama::Template;
use svc_config::ElementKind;

use super::View;
use crate::assets::ProgramAsset;
use crate::assets::asset::script;
use crate::html::Html;
use crate::i18n::Messages;
use crate::islands::compile::shorten;

pub use page::{SearchPage, SearchPageResult, search_page};

#[derive(Template)]
#[template(path = "chrome/search/search.html")]
struct Search<'a> {
    view: &'a View<'a>,
    texts: &'static Messages,
    exported: bool,
    /// Directory of the index of an exported site, and the script that searches it.
    index: String,
    engine: String,
    base: &'a str,
    /// URLs of the search of the server and of its page, which needs no scripts.
    url: String,
    page: String,
    language: &'a str,
    version: &'a str,
    product: &'a str,
    /// URL of the script of the dialog.
    script: String,
    prompt: &'a str,
}

/// The modules of the dialog: its own, with which the playground searches too, and the one that searches the index of an exported site.
pub(crate) fn scripts() -> &'static [ProgramAsset; 2] {
    static ASSETS: OnceLock<[ProgramAsset; 2]> = OnceLock::new();
    ASSETS.get_or_init(|| {
        let dialog = [
            include_str!("static.js"),
            include_str!("client.js"),
            include_str!("search.js"),
            include_str!("marks.js"),
        ];
        [
            script("search-dialog", shorten(&dialog.concat())),
            script("search-engine", shorten(svc_search::SEARCH_SCRIPT)),
        ]
    })
}

/// The placeholder of the search field and the label of the button that opens it.
pub(super) fn prompt<'a>(view: &View<'a>) -> &'a str {
    let own = view.config().search.prompt.as_deref();
    own.unwrap_or(view.texts().search)
}

/// The product of the page, as in the facets of the search.
fn product<'a>(view: &View<'a>) -> &'a str {
    let is_product = |kind| matches!(kind, Some(ElementKind::Product | ElementKind::Dropdown));
    let nodes = view.cx.site_map.nodes_on_trail(&view.route.path);
    let product = nodes.into_iter().rfind(|node| is_product(node.element()));
    product.map_or("", |node| &node.name)
}

pub(super) fn render(view: &View<'_>) -> Html {
    let site = &view.cx.options.site;
    let address = |asset: &ProgramAsset| view.href(&format!("/_svc/assets/{}", asset.name));
    let [dialog, engine] = scripts();
    let search = Search {
        view,
        texts: view.texts(),
        exported: site.export,
        index: view.href("/_svc/search/"),
        engine: address(engine),
        base: &site.base_path,
        url: view.href("/_svc/search"),
        page: view.href("/search"),
        language: view.route.language.as_deref().unwrap_or_default(),
        version: view.route.version.as_deref().unwrap_or_default(),
        product: product(view),
        prompt: prompt(view),
        script: address(dialog),
    };
    Html::trusted(search.render().unwrap_or_default())
}
