//! All diagnostic codes, by the part of svc that reports them.

use svc_diagnostics::DiagnosticCode;

use crate::CODES;

/// A part of svc and the codes that it reports.
#[derive(Debug, Clone, Copy)]
pub struct Area {
    /// Heading of the reference page.
    pub title: &'static str,
    /// Codes in no particular order.
    pub codes: &'static [&'static DiagnosticCode],
}

impl Area {
    /// Returns the codes in alphabetical order.
    pub fn sorted_codes(&self) -> Vec<&'static DiagnosticCode> {
        let mut codes = self.codes.to_vec();
        codes.sort_by_key(|code| code.id);
        codes
    }
}

/// The areas, in the order of the reference page.
pub fn areas() -> [Area; 13] {
    [
        ("Reading JSON and YAML", svc_data::CODES),
        ("Git repositories", svc_git::CODES),
        ("Repository and front matter", svc_source::CODES),
        ("docs.json", svc_config::CODES),
        ("OpenAPI documents", svc_openapi::CODES),
        ("Navigation", svc_nav::CODES),
        ("MDX", svc_mdx::CODES),
        ("Pages and components", svc_render::CODES),
        ("The site", svc_site::CODES),
        ("Links to other sites", CODES),
        ("Migrations", svc_migrate::CODES),
        ("Settings of a server", svc_server::SETTINGS_CODES),
        ("The administration", svc_server::ADMIN_CODES),
    ]
    .map(|(title, codes)| Area { title, codes })
}

/// Returns all codes, by area.
pub fn diagnostic_codes() -> impl Iterator<Item = &'static DiagnosticCode> {
    areas()
        .into_iter()
        .flat_map(|area| area.codes.iter().copied())
}
