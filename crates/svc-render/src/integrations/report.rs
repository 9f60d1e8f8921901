//! Diagnostics about the services that pages load.

use svc_config::SiteConfig;
use svc_diagnostics::{Diagnostic, DiagnosticCode, diagnostic_code};

use super::{Integrations, LoadedService};
use crate::site_options::SiteOptions;

/// Pages load a service of another company.
pub(crate) static INTEGRATION: DiagnosticCode = diagnostic_code!(
    info,
    "integration-data",
    "pages load a service that gets data about readers"
);

/// Reports for each service which hosts get data from readers, and whether they consent first.
pub fn report_integrations(config: &SiteConfig, options: &SiteOptions) -> Vec<Diagnostic> {
    let configured = Integrations::configured(config);
    let all = configured.manager.iter().chain(&configured.services);
    let document = (!configured.is_empty()).then(|| config.document());
    let report = |loaded: &LoadedService| {
        let pointer = format!("/integrations/{}", loaded.service.name);
        let location = document.as_ref().and_then(|read| read.location(&pointer));
        let (message, hint) = match options.without_scripts {
            true => skipped(loaded),
            false => texts(&configured, loaded),
        };
        let diagnostic = Diagnostic::new(&INTEGRATION, message)
            .hint(hint)
            .pointer(pointer);
        match location {
            Some(location) => diagnostic.at(location),
            None => diagnostic,
        }
    };
    all.map(report).collect()
}

fn skipped(loaded: &LoadedService) -> (String, &'static str) {
    let message = format!(
        "`{}` is not loaded, because scripts are disabled for this site",
        loaded.service.name
    );
    (message, "enable `scripts`, or remove the service")
}

const PREVIEWS: &str = "previews and `svc dev` load no services unless an option enables them";

/// Message and hint about a service.
fn texts(configured: &Integrations, loaded: &LoadedService) -> (String, &'static str) {
    let name = loaded.service.name;
    let hosts: Vec<&str> = loaded.load.hosts().into_iter().collect();
    let hosts = hosts.join(", ");
    let (consent, hint) = match &configured.manager {
        _ if loaded.is_manager() => (", which manages consent".to_owned(), PREVIEWS),
        Some(manager) => (
            format!(" after readers consent in `{}`", manager.service.name),
            PREVIEWS,
        ),
        None if configured.cookies.is_some() => (" after readers consent".to_owned(), PREVIEWS),
        None => (
            " without the consent of readers".to_owned(),
            "add `\"cookies\": {}` to `integrations` to load it after consent only",
        ),
    };
    let message = format!("every page loads `{name}`{consent}; browsers send data to {hosts}");
    (message, hint)
}
