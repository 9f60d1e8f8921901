//! The configuration of a project.

use std::time::Duration;

use svc_site::{LoadOptions, SiteOptions};

use super::PublishTarget;
use crate::settings::{GitSettings, SourceSettings};

/// Configuration of a project for the deployer.
#[derive(Debug, Clone)]
pub struct ProjectConfig {
    /// ID of the project.
    pub id: String,
    /// Source of the files.
    pub source: SourceSettings,
    /// Options for fetching a Git repository.
    pub git: GitSettings,
    /// Options for loading the site.
    pub load: LoadOptions,
    /// Whether errors stop a deployment, as fatal problems always do.
    pub stop_on_errors: bool,
    /// Number of deployments that are retained for rollback, including the live one.
    pub max_retained: usize,
    /// Interval at which the source is checked for changes; `None` for never.
    pub poll: Option<Duration>,
}

impl ProjectConfig {
    /// Options for loading the site of a target. `foreign` is whether its files come from a fork.
    pub(super) fn load_options(&self, target: &PublishTarget, foreign: bool) -> LoadOptions {
        let origin = match target {
            PublishTarget::Live => self.load.site.origin.clone(),
            // A preview is not at the public origin.
            PublishTarget::Preview { .. } => String::new(),
        };
        LoadOptions {
            site: SiteOptions {
                origin,
                without_scripts: self.load.site.without_scripts || foreign,
                // Untrusted content must not choose the servers that are contacted.
                relay: self.load.site.relay && !foreign,
                ..self.load.site.clone()
            },
            remote: match &self.load.remote {
                Some(provider) if foreign => Some(provider.cache_only()),
                provider => provider.clone(),
            },
            ..self.load.clone()
        }
    }
}
