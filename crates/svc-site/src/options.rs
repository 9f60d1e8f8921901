//! Options for loading a site.

use std::sync::Arc;

use svc_render::{Repositories, SiteOptions};

use crate::dates::LastModifiedSource;
use crate::remote::RemoteDocuments;
use crate::variant_store::VariantStore;
use crate::versions::VersionSource;

/// Options for loading a site, and the sources of data that is not in the repository.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// Limits on the files of the repository.
    pub source: svc_source::LoadOptions,
    /// Options of the site. Builds of the same files with equal options and data are equal.
    pub site: SiteOptions,
    /// Source of the dates on which pages were last changed.
    pub last_modified: LastModifiedSource,
    /// Source of the files of versions that have a `ref`.
    pub versions: VersionSource,
    /// Data about the GitHub repositories that pages show.
    pub repositories: Arc<Repositories>,
    /// Source of remote OpenAPI documents; without one they are reported as missing.
    pub remote: Option<Arc<dyn RemoteDocuments>>,
    /// Store of rendered image variants; without one each request renders the variant.
    pub variant_store: Option<Arc<dyn VariantStore>>,
}

impl LoadOptions {
    /// The same options without dates, for callers that do not show them: reading a long history
    /// takes seconds.
    #[must_use]
    pub fn without_dates(&self) -> Self {
        Self {
            last_modified: LastModifiedSource::Fixed(Arc::default()),
            ..self.clone()
        }
    }
}

impl From<SiteOptions> for LoadOptions {
    fn from(site: SiteOptions) -> Self {
        Self {
            site,
            ..Self::default()
        }
    }
}
