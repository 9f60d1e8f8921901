//! One page of the site map to HTML.
//!
//! Two pure functions: [`render_article`] makes what stands in a page, [`render_page`] puts the
//! frame of the site around it. Both take everything they look at as a [`RenderContext`] of shared
//! references and do no I/O. What is wrong with a page is a diagnostic beside the article.

mod api;
mod article;
mod assets;
mod chrome;
pub mod code;
mod codes;
pub mod components;
mod ctx;
mod diagram;
pub mod evaluate;
mod files;
mod formula;
mod html;
mod i18n;
mod icons;
mod islands;
mod markdown;
pub mod og_image;
mod page;
mod site_metadata;
pub mod standalone_assets;
mod tailwind;
#[cfg(test)]
mod testing;
mod themes;
mod ui;
mod untrusted_markup;
mod url;

pub use api::playground::playground_display;
pub use api::{Endpoint, endpoint_of, playground_spec, summary};
pub use api::{FragmentLink, SchemaFragment, render_schema_fragment};
pub use article::{
    Article, InternalLink, PageFeatures, TocItem, locate_in_document, render_article,
};
pub use assets::{ProgramAsset, preview_script, program_assets};
pub use chrome::{STYLE_HOOKS, StyleHook, inline_scripts, last_modified};
pub use code::{Highlighter, site_highlighter};
pub use codes::CODES;
pub use ctx::{RenderContext, RenderOptions};
pub use diagram::DiagramCache;
pub use files::{Dependencies, TrackedFiles};
pub use html::Html;
pub use icons::{icon_exists, nearest_icon};
pub use islands::{
    ComponentEngine, ComponentRunner, ComponentSession, LocalEngine, SessionError, island_module,
};
pub use markdown::document_text;
pub use page::{
    broken_page, callback_page, not_found, protected_page, redirect_page, render_page, suggestions,
};
pub use site_metadata::{
    FontMetrics, IconLink, RasterImage, Repositories, Repository, SiteMetadata, repository_slug,
};
pub use url::{canonical_base, printed_path, public_url};
