//! One page of the site map to HTML.
//!
//! Two pure functions: [`render_article`] makes what stands in a page, [`render_page`] puts the
//! frame of the site around it. Both take everything they look at as a [`RenderContext`] of shared
//! references and do no I/O. What is wrong with a page is a diagnostic beside the article.

mod url;
mod api;
mod article;
mod assets;
pub mod og_image;
mod chrome;
pub mod code;
mod codes;
pub mod components;
mod ctx;
mod diagram;
pub mod evaluate;
mod site_metadata;
mod files;
mod untrusted_markup;
mod formula;
mod html;
mod icons;
mod islands;
mod i18n;
mod markdown;
mod page;
pub mod standalone_assets;
#[cfg(test)]
mod testing;
mod themes;
mod ui;
mod tailwind;

pub use url::{canonical_base, printed_path, public_url};
pub use api::playground::playground_display;
pub use api::{Endpoint, playground_spec, endpoint_of, summary};
pub use api::{FragmentLink, SchemaFragment, render_schema_fragment};
pub use article::{Article, InternalLink, TocItem, PageFeatures, locate_in_document, render_article};
pub use assets::{ProgramAsset, program_assets, preview_script};
pub use chrome::{STYLE_HOOKS, StyleHook, inline_scripts, last_modified};
pub use code::{Highlighter, site_highlighter};
pub use codes::CODES;
pub use ctx::{RenderContext, RenderOptions};
pub use diagram::DiagramCache;
pub use site_metadata::{
    SiteMetadata, FontMetrics, IconLink, RasterImage, Repositories, Repository, repository_slug,
};
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
