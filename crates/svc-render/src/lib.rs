//! Renders the routes of a site map to HTML.
//!
//! [`render_article`] renders the content of a page, [`render_page`] the complete document around
//! it. Both are pure functions of a [`RenderContext`] and do no I/O. Problems of a page are
//! diagnostics next to the article, which always contains the rest of the page.
//!
//! ```
//! use svc_openapi::ApiCatalog;
//! use svc_render::{
//!     DiagramCache, Highlighter, Reader, RenderContext, RenderOptions, TrackedFiles, render_article,
//!     render_page,
//! };
//! use svc_source::SourceTree;
//!
//! let config = r##"{"theme": "svc", "name": "Pets", "colors": {"primary": "#112233"},
//!     "navigation": {"pages": ["start"]}}"##;
//! let tree = SourceTree::from_files(vec![
//!     ("docs.json".to_owned(), config.to_owned()),
//!     ("start.mdx".to_owned(), "## Hello\n\n<Note>A *note*.</Note>".to_owned()),
//! ]);
//! let config = tree.text("docs.json").expect("added above");
//! let config = svc_config::parse(config, &|path| tree.text(path).cloned());
//! let config = config.value.expect("a valid configuration");
//! let pages = svc_source::pages(&tree).value;
//! let catalog = ApiCatalog::new(Vec::new());
//! let site_map = svc_nav::resolve(&config, &pages, &catalog).value;
//!
//! let cx = RenderContext {
//!     config: &config,
//!     site_map: &site_map,
//!     pages: &pages,
//!     tree: TrackedFiles::new(&tree),
//!     catalog: &catalog,
//!     options: &RenderOptions::default(),
//!     highlighter: &Highlighter::default(),
//!     diagrams: &DiagramCache::new(),
//!     engine: None,
//!     reader: Reader::Human,
//! };
//! let route = &site_map.routes["/start"];
//! let article = render_article(&cx, route);
//! assert!(article.diagnostics.is_empty());
//! assert_eq!(article.value.toc[0].text, "Hello");
//! assert!(article.value.html.as_str().contains("<em>note</em>"));
//! assert!(render_page(&cx, route, &article.value).starts_with("<!doctype html>"));
//! ```
//!
//! # Modules
//!
//! Rendering is recursive: an element contains nodes, a node can be an element. The state of a page
//! (`ctx::Ctx`) imports none of the modules that render; they add methods to it (`cx.children(…)`,
//! `cx.nodes(…)`, `cx.value(…)`, `cx.tag(…)`). Modules import only those below them in this table.
//!
//! | module | content |
//! |---|---|
//! | `page`, `codes` | [`render_page`] and the built-in pages; all diagnostic codes |
//! | `chrome` | the page around the article: one directory per part |
//! | `accessibility` | [`check_accessibility`]: checks of the HTML of articles |
//! | `article` | [`render_article`]: nodes, elements, expressions and snippets |
//! | `islands` | components that run in a sandbox and in the browser |
//! | `api` | OpenAPI operations, schemas and the playground |
//! | [`components`] | built-in components, one directory each, and their attributes |
//! | `markdown` | elements of Markdown and HTML |
//! | `ui` | parts that components, Markdown and API pages share: callouts, diagrams, fields, panels |
//! | `html_markdown`, `content_blocks` | rendered HTML as Markdown, as static XHTML for books, and as a list of blocks to compare |
//! | `integrations` | services of other companies that pages load, and consent to them |
//! | `icons`, `themes`, `assets` | icons by name; themes and fonts; bundled styles and scripts |
//! | `ctx` | state of a page: input, scope, frames, budget, ids and output |
//! | `modules` | files with imports and exports, loaded once per page |
//! | [`evaluate`] | evaluator for the JavaScript of pages |
//! | [`code`], `diagram`, `formula`, `tailwind` | syntax highlighting; Mermaid to SVG; LaTeX to MathML; CSS for utility classes |
//! | `files`, `site_metadata`, `site_options`, `i18n`, `language`, `table`, `style`, `url`, `html` | tracked files, facts about the site and its options, interface texts, tables in text files, safe declarations, URLs, escaped HTML |

mod accessibility;
mod api;
mod article;
mod assets;
mod chrome;
pub mod code;
mod codes;
pub mod components;
mod content_blocks;
mod ctx;
mod diagram;
pub mod evaluate;
mod files;
mod formula;
mod html;
mod html_markdown;
mod i18n;
mod icons;
mod integrations;
mod islands;
mod language;
mod markdown;
mod modules;
pub mod og_image;
mod page;
mod sign_in;
mod site_metadata;
mod site_options;
pub mod standalone_assets;
mod style;
mod table;
mod tailwind;
#[cfg(test)]
mod testing;
mod themes;
mod ui;
mod untrusted_markup;
mod url;
mod version_twin;

pub use accessibility::check_accessibility;
pub use api::playground::playground_display;
pub use api::{Endpoint, endpoint_of, playground_spec, summary};
pub use api::{SchemaFragment, render_schema_fragment};
pub use article::{Article, locate_in_document, render_article};
pub use assets::{ProgramAsset, change_marks_file, preview_script, program_assets};
pub use chrome::{SearchPage, SearchPageResult, search_page};
pub use chrome::{inline_scripts, last_modified, start_script};
pub use code::{Highlighter, site_highlighter};
pub use codes::CODES;
pub use content_blocks::{ContentBlock, content_blocks};
pub use ctx::{
    FragmentLink, PageFeatures, PageLink, Reader, RenderContext, RenderOptions, TocItem,
};
pub use diagram::DiagramCache;
pub use files::{Dependencies, TrackedFiles};
pub use html::Html;
pub use html_markdown::{
    BookArticle, BookPart, book_id, book_text, html_to_book, html_to_markdown,
};
pub use i18n::change_mark_messages;
pub use icons::{icon_exists, icon_names, icon_svg, nearest_icon};
pub use integrations::{Directive, Integrations, PolicySource, report_integrations};
pub use islands::{
    ComponentEngine, ComponentRunner, ComponentSession, LocalEngine, SessionError, island_module,
};
pub use language::{LanguageAlternate, language_alternates};
pub use markdown::{book_code_css, document_text};
pub use page::{
    broken_page, callback_page, not_found, notice_page, protected_page, redirect_page, render_page,
    suggestions,
};
pub use sign_in::{
    HandoverPage, READER_PATH, SIGN_IN_PATH, SIGN_OUT_PATH, SignInFailure, SignInForm,
    SignInService, handover_page, sign_in_page,
};
pub use site_metadata::{
    FontMetrics, IconLink, OutdatedTranslation, RasterImage, Repositories, Repository,
    SiteMetadata, SourceSection, repository_slug,
};
pub use site_options::SiteOptions;
pub use themes::contrast::{ContrastProblem, contrast_problems};
pub use url::{canonical_base, printed_path, public_url};
pub use version_twin::default_version_path;
