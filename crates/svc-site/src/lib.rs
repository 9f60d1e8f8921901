//! The front door: runs the stages and holds an immutable site.
//!
//! [`load`] reads a repository and takes it through source, configuration, OpenAPI and navigation.
//! The [`Site`] it gives never changes, but for one write-once slot per route: a page is rendered
//! when somebody asks for it first, by [`Site::page`], or by [`Site::render_all`]. Both give the
//! same bytes. [`validate`], [`export`] and [`dump`] are the same site seen from the command line.

mod api;
mod callable;
mod codes;
mod dates;
mod digest;
mod draw;
mod dump;
mod export;
mod find;
mod hosted;
mod kept;
mod links;
mod load;
mod machine;
mod media;
mod near;
mod needs;
mod page;
mod playground;
mod policy;
mod repositories;
mod responses;
mod reuse;
mod schema_parts;
mod served;
mod shared;
mod site;
mod stages;
mod summary;
mod validate;
mod variants;
mod versions;
pub mod worker;
mod zip;

pub use callable::NotCallable;
pub use codes::{CODES, all_codes};
pub use dates::{Dates, History};
pub use dump::{Stage, dump};
pub use export::{
    Coding, ExportOptions, ExportReport, RELATIVE_BASE, RedirectsFor, Written, archive, export,
    export_folder, list_json, read_list, remove_stale,
};
pub use find::{Asset, AssetContent, Found};
pub use hosted::{HOSTED_MOST, Hosted, HostedSource, check_hosted, hosted_version};
pub use load::{LoadOptions, again, assemble, dated_again, load, load_after, reload};
pub use machine::Machine;
pub use media::{DrawError, Drawing, Icon};
pub use page::{PackedBytes, PageOutput};
pub use playground::CALLBACK_PATH;
pub use policy::page_policy;
pub use responses::NotFound;
pub use schema_parts::SchemaPartOutput;
pub use site::Site;
pub use stages::config_file;
pub use svc_nav::PROTECTED;
pub use svc_openapi::request::Target;
pub use svc_render::{Asset as ProgramAsset, assets as program_assets, preview_script};
pub use svc_render::{Repositories, Repository};
pub use svc_source::{Changes, IgnoreRules};
pub use validate::{Validation, site_folder, validate};
pub use variants::{Variant, VariantContent, VariantStore};

#[cfg(test)]
mod tests;
