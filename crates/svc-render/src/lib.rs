//! Renders the routes of a site map to HTML.
//!
//! [`render_article`] renders the content of a page, [`render_page`] the complete document around
//! it. Both are pure functions of a [`RenderContext`] and do no I/O. Problems of a page are
//! diagnostics next to the article, which always contains the rest of the page.
//!
//! # Modules
//!
//! | module | content |
//! |---|---|
//! | `article` | MDX nodes, modules and expressions to an [`Article`] |
//! | `markdown` | elements of Markdown and HTML |
//! | `components` | built-in components, one directory each |
//! | `evaluate` | evaluator for the JavaScript of pages: expressions and exports |
//! | `islands` | components that run in a sandbox and in the browser |
//! | `api` | OpenAPI operations, schemas and the playground |
//! | `code` | syntax highlighting and the notation of code blocks |
//! | `diagram`, `formula` | Mermaid to SVG, LaTeX to MathML |
//! | `tailwind` | generator of Tailwind-compatible CSS |
//! | `chrome`, `themes`, `icons`, `i18n` | the page around the article |

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
mod language;
mod markdown;
mod modules;
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
pub use api::{SchemaFragment, render_schema_fragment};
pub use article::{Article, locate_in_document, render_article};
pub use assets::{ProgramAsset, preview_script, program_assets};
pub use chrome::{STYLE_HOOKS, StyleHook, inline_scripts, last_modified};
pub use code::{Highlighter, site_highlighter};
pub use codes::CODES;
pub use ctx::{FragmentLink, InternalLink, PageFeatures, RenderContext, RenderOptions, TocItem};
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
