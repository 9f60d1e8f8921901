//! The configuration of a project.

use std::time::Duration;

use svc_site::{Audience, LoadOptions, SiteOptions, VersionSource};

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
    /// Whether every page of a preview is only for readers who sign in.
    pub private_previews: bool,
    /// Whether pages of previews load the services of `integrations`.
    pub preview_integrations: bool,
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
        let is_preview = matches!(target, PublishTarget::Preview { .. });
        let is_private = is_preview && self.private_previews;
        let origin = match is_preview {
            // A preview is not at the public origin.
            true => String::new(),
            false => self.load.site.origin.clone(),
        };
        let integrations = !is_preview || (self.preview_integrations && !foreign);
        LoadOptions {
            site: SiteOptions {
                origin,
                audience: match is_private {
                    true => Audience::Outsiders,
                    false => self.load.site.audience.clone(),
                },
                sign_in: self.load.site.sign_in || is_private,
                integrations: self.load.site.integrations && integrations,
                change_marks: is_preview,
                without_scripts: self.load.site.without_scripts || foreign,
                // Untrusted content must not choose the servers that are contacted.
                relay: self.load.site.relay && !foreign,
                ..self.load.site.clone()
            },
            versions: match &self.source {
                SourceSettings::Dir { path, .. } => VersionSource::Dir(path.clone()),
                SourceSettings::Git(_) => VersionSource::Snapshot,
            },
            remote: match &self.load.remote {
                Some(provider) if foreign => Some(provider.cache_only()),
                provider => provider.clone(),
            },
            ..self.load.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn previews_load_services_if_the_settings_enable_them_and_forks_never() {
        let preview = PublishTarget::Preview {
            name: "x".to_owned(),
        };
        let loads = |preview_integrations, target: &PublishTarget, foreign| {
            let config = ProjectConfig {
                id: "docs".to_owned(),
                source: SourceSettings::Dir {
                    path: "docs".into(),
                    watch: false,
                },
                git: GitSettings::default(),
                load: LoadOptions::from(SiteOptions {
                    integrations: true,
                    ..SiteOptions::default()
                }),
                private_previews: false,
                preview_integrations,
                stop_on_errors: false,
                max_retained: 1,
                poll: None,
            };
            config.load_options(target, foreign).site.integrations
        };
        assert!(loads(false, &PublishTarget::Live, false));
        assert!(!loads(false, &preview, false));
        assert!(loads(true, &preview, false));
        assert!(!loads(true, &preview, true));
    }
}
