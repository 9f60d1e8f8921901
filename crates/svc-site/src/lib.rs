//! The front door: runs the stages and holds an immutable site.
//!
//! [`load`] reads a repository and takes it through source, configuration, OpenAPI and navigation.
//! The [`Site`] it gives never changes, but for one write-once slot per route: a page is rendered
//! when somebody asks for it first, by [`Site::page`], or by [`Site::render_all`]. Both give the
//! same bytes. [`validate`], [`export`] and [`dump`] are the same site seen from the command line.

mod api;
mod relay_check;
mod codes;
mod dates;
mod digest;
mod render;
mod dump;
mod export;
mod find;
mod remote;
mod cache;
mod links;
mod load;
mod generated;
mod media;
mod near;
mod dependencies;
mod page;
mod playground;
mod policy;
mod repositories;
mod responses;
mod reuse;
mod schema_fragments;
mod served;
mod article_cache;
mod site;
mod stages;
mod summary;
mod validate;
mod variants;
mod fingerprints;
pub mod worker;
mod zip;

pub use relay_check::RelayRejection;
pub use codes::{CODES, all_codes};
pub use dates::{LastModifiedSource, HistoryHead};
pub use dump::{Stage, dump};
pub use export::{
    ContentEncoding, ExportOptions, ExportReport, RELATIVE_BASE, RedirectFormat, ExportedFile, archive, export,
    create_export_dir, manifest_json, parse_manifest, remove_stale,
};
pub use find::{Asset, AssetContent, Resource};
pub use remote::{MAX_REMOTE_DOCUMENTS, RemoteState, RemoteDocuments, check_remote_document, remote_version};
pub use load::{LoadOptions, rebuild, assemble, rebuild_with_dates, load, load_incremental, reload};
pub use generated::GeneratedFile;
pub use media::{ImageError, GeneratedImage, Icon};
pub use page::{CompressedBytes, PageOutput};
pub use playground::CALLBACK_PATH;
pub use policy::page_policy;
pub use responses::NotFound;
pub use schema_fragments::SchemaFragmentOutput;
pub use site::Site;
pub use stages::config_file;
pub use svc_nav::PROTECTED_ID;
pub use svc_openapi::request::RequestTarget;
pub use svc_render::{ProgramAsset, assets as program_assets, preview_script};
pub use svc_render::{Repositories, Repository};
pub use svc_source::{Changes, IgnoreRules};
pub use validate::{Validation, site_dir, validate};
pub use variants::{Variant, VariantContent, VariantStore};

#[cfg(test)]
mod tests;
