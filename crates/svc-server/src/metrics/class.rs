//! Classes of requests, which bound the number of time series.

use http::StatusCode;

/// Class of a request, from its path and the status of its response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestClass {
    Page,
    Asset,
    /// Markdown, `llms.txt`, sitemaps and other files for programs.
    Machine,
    Search,
    Mcp,
    Relay,
    Webhook,
    Health,
    /// The Admin API and the dashboard.
    Admin,
    NotFound,
}

impl RequestClass {
    pub(super) const COUNT: usize = Self::ALL.len();
    pub(super) const ALL: [Self; 10] = [
        Self::Page,
        Self::Asset,
        Self::Machine,
        Self::Search,
        Self::Mcp,
        Self::Relay,
        Self::Webhook,
        Self::Health,
        Self::Admin,
        Self::NotFound,
    ];

    /// Class of a path at a site, before the response is known.
    pub(crate) fn of(path: &str) -> Self {
        // Most paths have no such part, which `contains` finds out faster.
        if path.contains("/_svc/")
            && let Some((_, name)) = path.split_once("/_svc/")
        {
            let name = name.split('/').next().unwrap_or_default();
            return match name {
                "search" => Self::Search,
                "health" | "ready" => Self::Health,
                "relay" => Self::Relay,
                "webhook" => Self::Webhook,
                _ => Self::Asset,
            };
        }
        let file = path.rsplit('/').next().unwrap_or_default();
        match file.rsplit_once('.').map(|(_, extension)| extension) {
            None if file == "mcp" => Self::Mcp,
            None => Self::Page,
            Some("md" | "txt" | "xml" | "json" | "yaml") => Self::Machine,
            Some("html") => Self::Page,
            Some(_) => Self::Asset,
        }
    }

    /// The class of the response.
    pub(super) fn with_status(self, status: StatusCode) -> Self {
        match (self, status) {
            (Self::Admin, _) => self,
            (_, StatusCode::NOT_FOUND | StatusCode::GONE) => Self::NotFound,
            _ => self,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Asset => "asset",
            Self::Machine => "machine",
            Self::Search => "search",
            Self::Mcp => "mcp",
            Self::Relay => "relay",
            Self::Webhook => "webhook",
            Self::Health => "health",
            Self::Admin => "admin",
            Self::NotFound => "not_found",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_the_class_of_its_path() {
        use RequestClass::{Asset, Health, Machine, Mcp, Page, Relay, Search, Webhook};
        for (path, class) in [
            ("/", Page),
            ("/guides/setup", Page),
            ("/guides/setup.html", Page),
            ("/guides/setup.md", Machine),
            ("/llms.txt", Machine),
            ("/images/a.png", Asset),
            ("/_svc/assets/a.js", Asset),
            ("/docs/_svc/search", Search),
            ("/_svc/health", Health),
            ("/_svc/ready", Health),
            ("/_svc/relay", Relay),
            ("/_svc/webhook/github", Webhook),
            ("/docs/mcp", Mcp),
            ("*", Page),
        ] {
            assert_eq!(RequestClass::of(path), class, "{path}");
        }
        assert_eq!(Page.with_status(StatusCode::GONE), RequestClass::NotFound);
        assert_eq!(Page.with_status(StatusCode::FORBIDDEN), Page);
        for (index, class) in RequestClass::ALL.into_iter().enumerate() {
            assert_eq!(index, class as usize, "the counters are indexed by class");
        }
    }
}
