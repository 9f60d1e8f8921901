//! One page of the site map to HTML.
//!
//! Two pure functions: [`render_article`] makes what stands in a page, [`render_page`] puts the
//! frame of the site around it. Both take everything they look at as a [`RenderContext`] of shared
//! references and do no I/O. What is wrong with a page is a diagnostic beside the article.

mod address;
mod api;
mod article;
mod assets;
pub mod card;
mod chrome;
pub mod code;
mod codes;
pub mod components;
mod ctx;
mod diagram;
pub mod evaluate;
mod facts;
mod files;
mod foreign;
mod formula;
mod html;
mod icons;
mod islands;
mod language;
mod markdown;
mod page;
pub mod program;
#[cfg(test)]
mod testing;
mod themes;
mod ui;
mod utilities;

pub use address::{canonical_base, printed_path, public_address};
pub use api::playground::display as playground_display;
pub use api::{Endpoint, call, endpoint_of, summary};
pub use api::{PartLink, SchemaPart, render_part};
pub use article::{Article, OutLink, TocItem, Uses, place_in_document, render_article};
pub use assets::{Asset, assets, preview_script};
pub use chrome::{STYLE_HOOKS, StyleHook, inline_scripts, last_modified};
pub use code::{Highlighter, site_highlighter};
pub use codes::CODES;
pub use ctx::{RenderContext, RenderOptions};
pub use diagram::Drawings;
pub use facts::{
    Facts, FontShape, IconLink, RasterImage, Repositories, Repository, repository_slug,
};
pub use files::{Asked, Files};
pub use html::Html;
pub use icons::{icon_exists, nearest_icon};
pub use islands::{
    ComponentEngine, ComponentRunner, ComponentSession, LocalEngine, SessionError, island_module,
};
pub use markdown::document_words;
pub use page::{
    broken_page, callback_page, not_found, protected_page, redirect_page, render_page, suggestions,
};
