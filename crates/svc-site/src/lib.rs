//! Loads a documentation repository and serves it as an immutable site.
//!
//! [`load`] runs the stages source, configuration, OpenAPI and navigation and returns a [`Site`]. A
//! site does not change, except for one write-once slot per route: a page is rendered on the first
//! call of [`Site::page`], or ahead of that by [`Site::render_all`]. Both produce the same bytes.
//! [`reload`], [`load_incremental`] and [`rebuild`] build another site and reuse what did not
//! change. [`validate`], [`export`] and [`dump`] are the operations of the command line on a site.
//!
//! # Example
//!
//! ```
//! use svc_site::{LoadOptions, assemble};
//! use svc_source::SourceTree;
//!
//! let config = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#16a34a"},
//!     "navigation": {"pages": ["index"]}}"##;
//! let tree = SourceTree::from_files([("docs.json", config), ("index.mdx", "Welcome to Acme.")]);
//! let checked = assemble(tree, &LoadOptions::default())?;
//! for diagnostic in &checked.diagnostics {
//!     println!("{}: {}", diagnostic.code.id, diagnostic.message);
//! }
//! let page = checked.value.page("/").expect("the route of `index.mdx`");
//! assert!(String::from_utf8_lossy(&page.html.bytes).contains("Welcome to Acme."));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Modules
//!
//! | module | content |
//! |---|---|
//! | `load`, `options` | entry points and their options |
//! | `stages` | the stages of the build, and what invalidates each of them |
//! | `dependencies`, `reuse` | recorded dependencies, and which rendered pages stay valid |
//! | `site` | [`Site`]: inputs, and the slots of rendered pages |
//! | `rendering`, `render`, `page`, `summary`, `article_cache` | rendering of pages, calls to the renderer, and what is stored of a page |
//! | `languages`, `translations` | the start pages of languages, and pages that are missing or outdated in a language |
//! | `find`, `near`, `served`, `file_types`, `references` | what is at a URL path, similar routes, which files are served |
//! | `responses`, `response_cache`, `cache`, `policy` | response bodies in memory, Content Security Policy |
//! | `generated` | `llms.txt`, sitemap, feeds, Markdown versions |
//! | `search` | the pages as documents of the search index, and its results |
//! | `machine` | sections, token counts and operations for programs |
//! | `api`, `playground`, `schema_fragments`, `relay_check` | API pages: data of the playground, fragments, checks of relayed requests |
//! | `media`, `variants`, `variant_store`, `fingerprints` | icons, preview images, narrower images, versions of files |
//! | `remote`, `repositories`, `dates` | data from outside of the files: OpenAPI documents, GitHub, history |
//! | `validate`, `fix`, `links`, `diagnostics`, `codes` | checks, the order of their results, and fixes |
//! | `accessibility` | checks for readers with a screen reader, a keyboard or low vision |
//! | `format` | the normal form of pages and configuration files |
//! | `comparison`, `block_changes` | what a revision changes on the site, and on one page |
//! | `export` | static files for any web server |
//! | `book` | the pages as an EPUB, and as one document to print |
//! | `rename` | new paths of pages and folders, and of everything that refers to them |
//! | `worker` | child processes for untrusted work |
//! | `parallel`, `digest`, `zip` | helpers |

mod accessibility;
mod api;
mod article_cache;
mod block_changes;
mod book;
mod cache;
mod codes;
mod comparison;
mod dates;
mod dependencies;
mod diagnostics;
mod digest;
mod dump;
mod export;
mod file_types;
mod find;
mod fingerprints;
mod fix;
mod format;
mod generated;
mod languages;
mod links;
mod load;
mod machine;
mod media;
mod near;
mod options;
mod page;
mod parallel;
mod playground;
mod policy;
mod reader_groups;
mod redirect_links;
mod references;
mod relay_check;
mod remote;
mod rename;
mod render;
mod rendering;
mod repositories;
mod response_cache;
mod responses;
mod reuse;
mod schema_fragments;
mod search;
mod served;
mod site;
mod stages;
mod statistics;
mod summary;
mod translations;
mod validate;
mod variant_store;
mod variants;
mod versions;
pub mod worker;
mod zip;

pub use accessibility::{AccessibilityChecks, check_accessibility};
pub use book::{Book, BookOptions, PageFormat, PrintDocument, book};
pub use codes::CODES;
pub use comparison::{PageChange, PageChangeKind, SiteComparison, compare};
pub use dates::{HistoryHead, LastModifiedSource};
pub use dump::{Stage, dump};
pub use export::{
    ContentEncoding, ExportOptions, ExportReport, ExportedFile, RELATIVE_BASE, RedirectFormat,
    archive, create_export_dir, export, manifest_json, parse_manifest, remove_stale,
};
pub use find::{Asset, AssetContent, Resource};
pub use fix::SiteFix;
pub use format::{format, format_all};
pub use generated::discovery::DiscoveryFile;
pub use generated::file::GeneratedFile;
pub use generated::sections::SectionFile;
pub use generated::server_card::{McpDiscoveryFile, McpEndpoint};
pub use generated::skills::Skill;
pub use generated::tokens::estimated_tokens;
pub use languages::LanguageStart;
pub use links::LINK_CODES;
pub use load::{
    assemble, for_audience, load, load_incremental, rebuild, rebuild_with_dates, reload, update,
};
pub use media::{GeneratedImage, Icon, ImageError};
pub use options::LoadOptions;
pub use page::{CompressedBytes, PageOutput, SchemaFragmentOutput};
pub use parallel::PROGRESS_TARGET;
pub use playground::CALLBACK_PATH;
pub use policy::page_policy;
pub use relay_check::RelayRejection;
pub use remote::{
    MAX_REMOTE_DOCUMENTS, RemoteDocuments, RemoteState, check_remote_document, remote_version,
};
pub use rename::{RenameError, RenamePlan, TextChange, new_problems, plan as plan_rename};
pub use rendering::NoticePage;
pub use responses::NotFound;
pub use search::{SEARCH_FACETS, SearchPageRequest, SearchResult, SearchResults, SectionResult};
pub use site::Site;
pub use stages::{CONFIGS, config_file};
pub use statistics::{CacheStatistics, ProblemCounts, SiteStatistics};
pub use svc_nav::{Audience, PROTECTED_ID};
pub use svc_openapi::request::RequestTarget;
pub use svc_render::{Directive, PolicySource};
pub use svc_render::{
    HandoverPage, READER_PATH, SIGN_IN_PATH, SIGN_OUT_PATH, SignInFailure, SignInForm,
    SignInService,
};
pub use svc_render::{ProgramAsset, change_marks_file, preview_script, program_assets};
pub use svc_render::{Repositories, Repository, SiteOptions};
pub use svc_source::{Changes, IgnoreRules};
pub use translations::{
    ChangedSection, SectionChange, TRANSLATION_LOCK, Translation, TranslationState,
};
pub use validate::{Validation, enclosing_site, site_dir, validate};
pub use variant_store::VariantStore;
pub use variants::{Variant, VariantContent};
pub use versions::{
    MAX_VERSION_REFS, VERSIONS_DIR, VersionFiles, VersionProblem, VersionRequest, VersionSource,
    version_requests, write_versions,
};

#[cfg(test)]
mod tests;
