//! Loads a documentation repository and serves it as an immutable site.
//!
//! [`load`] runs the stages source, configuration, OpenAPI and navigation and returns a [`Site`]. A
//! site does not change, except for one write-once slot per route: a page is rendered on the first
//! call of [`Site::page`], or ahead of that by [`Site::render_all`]. Both produce the same bytes.
//! [`validate`], [`export`] and [`dump`] are the operations of the command line on a site.

mod api;
mod article_cache;
mod cache;
mod codes;
mod dates;
mod dependencies;
mod digest;
mod dump;
mod export;
mod find;
mod fingerprints;
mod generated;
mod links;
mod load;
mod media;
mod near;
mod page;
mod playground;
mod policy;
mod relay_check;
mod remote;
mod render;
mod repositories;
mod responses;
mod reuse;
mod schema_fragments;
mod served;
mod site;
mod stages;
mod summary;
mod validate;
mod variants;
pub mod worker;
mod zip;

pub use codes::CODES;
pub use dates::{HistoryHead, LastModifiedSource};
pub use dump::{Stage, dump};
pub use export::{
    ContentEncoding, ExportOptions, ExportReport, ExportedFile, RELATIVE_BASE, RedirectFormat,
    archive, create_export_dir, export, manifest_json, parse_manifest, remove_stale,
};
pub use find::{Asset, AssetContent, Resource};
pub use generated::GeneratedFile;
pub use load::{
    LoadOptions, assemble, load, load_incremental, rebuild, rebuild_with_dates, reload,
};
pub use media::{GeneratedImage, Icon, ImageError};
pub use page::{CompressedBytes, PageOutput};
pub use playground::CALLBACK_PATH;
pub use policy::page_policy;
pub use relay_check::RelayRejection;
pub use remote::{
    MAX_REMOTE_DOCUMENTS, RemoteDocuments, RemoteState, check_remote_document, remote_version,
};
pub use responses::NotFound;
pub use schema_fragments::SchemaFragmentOutput;
pub use site::Site;
pub use stages::config_file;
pub use svc_nav::PROTECTED_ID;
pub use svc_openapi::request::RequestTarget;
pub use svc_render::{ProgramAsset, preview_script, program_assets};
pub use svc_render::{Repositories, Repository};
pub use svc_source::{Changes, IgnoreRules};
pub use validate::{Validation, site_dir, validate};
pub use variants::{Variant, VariantContent, VariantStore};

#[cfg(test)]
mod tests;
