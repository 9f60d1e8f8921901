//! Schema fragments: parts of schemas that are rendered on demand.
//!
//! A page contains the first levels of its schemas. Deeper levels and recursive schemas are
//! collapsed sections with a link to a separate page, whose content a script inserts when the
//! section is opened. The URL of a fragment identifies a position in a document and not on a page,
//! so that all pages share fragments and their number is limited by the document.

mod path;

use askama::Template;

use super::parts::FieldListContext;
use super::schema_budget::SchemaBudget;
use crate::article::content::Article;
use crate::assets::names;
use crate::chrome::color_mode;
use crate::components;
use crate::ctx::{Ctx, FileScope, RenderContext};
use crate::html::Html;
use crate::language::{direction, language_tag};
use crate::themes::site_css::site_css;
use crate::url::resolve_url;

pub use path::SchemaFragment;

#[derive(Template)]
#[template(path = "api/schema_fragment/part.html")]
struct FragmentPage<'a> {
    lang: &'a str,
    dir: &'static str,
    theme: &'static str,
    color_mode: &'static str,
    title: &'a str,
    document: &'a str,
    site: &'a str,
    home: String,
    asset_base: String,
    theme_script: &'a str,
    stylesheet: &'a str,
    site_css: Html,
    content: &'a Html,
}

/// Renders a fragment as a page of its own with its article. `None` if its document does not exist
/// any more.
pub fn render_schema_fragment(
    cx: &RenderContext<'_>,
    part: &SchemaFragment,
) -> Option<(String, Article)> {
    let document = cx.catalog.documents.get(part.document)?;
    let modules = components::modules(cx);
    let scope = FileScope::new(document.file.clone(), 0, modules.empty());
    let mut state = Ctx::new(cx, Some(&part.language), scope, modules);
    state.page.document = Some(part.document);
    let mut sheet = SchemaBudget::fragment(document, part.document, part.direction);
    sheet.ancestors.extend(part.schema.component_name());
    let level = sheet.level(&part.schema, part.from)?;
    let spot = FieldListContext {
        prefix: "",
        depth: 0,
    };
    let html = sheet.fields(&mut state, (&part.schema, &level), spot);
    let config = cx.config;
    let names = names(config.theme);
    let title = part.schema.title();
    let lang = language_tag(&part.language);
    let page = FragmentPage {
        lang,
        dir: direction(lang),
        theme: config.theme.name(),
        color_mode: color_mode(config),
        title: &title,
        document: &document.title,
        site: &config.name,
        home: resolve_url(&cx.options.site.base_path, "/"),
        asset_base: format!("{}/_svc/assets/", cx.options.site.base_path),
        theme_script: &names.early,
        stylesheet: &names.css,
        site_css: Html::trusted(site_css(config, cx.options)),
        content: &html,
    };
    // Formatting a `String` cannot fail.
    let page = page.render().unwrap_or_default();
    let article = Article {
        ids: state.ids.into_vec(),
        fragments: state.out.fragments,
        ..Article::default()
    };
    Some((page, article))
}
