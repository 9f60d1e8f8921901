//! The generated files and their cache.

use std::sync::{Arc, OnceLock};

use super::api_text::ApiTexts;
use super::sections::Sections;
use super::skills::RepositorySkills;
use crate::page::CompressedBytes;

/// A file that the site generates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GeneratedFile {
    /// `/sitemap.xml`.
    Sitemap,
    /// `/robots.txt`.
    Robots,
    /// `/llms.txt`.
    Llms,
    /// `/llms-full.txt`.
    LlmsFull,
    /// `/schema/docs.json`.
    Schema,
    /// `/api-specs.zip`.
    ApiSpecs,
}

impl GeneratedFile {
    /// All generated files.
    pub const ALL: [Self; 6] = [
        Self::Sitemap,
        Self::Robots,
        Self::Llms,
        Self::LlmsFull,
        Self::Schema,
        Self::ApiSpecs,
    ];

    /// URL path of the file.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Sitemap => "/sitemap.xml",
            Self::Robots => "/robots.txt",
            Self::Llms => "/llms.txt",
            Self::LlmsFull => "/llms-full.txt",
            Self::Schema => "/schema/docs.json",
            Self::ApiSpecs => "/api-specs.zip",
        }
    }

    /// The generated file at a URL path.
    pub(crate) fn from_path(path: &str) -> Option<Self> {
        match path {
            "/.well-known/llms.txt" => Some(Self::Llms),
            "/.well-known/llms-full.txt" => Some(Self::LlmsFull),
            _ => Self::ALL.into_iter().find(|file| file.path() == path),
        }
    }

    /// Media type of the file.
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Sitemap => "application/xml",
            Self::Robots | Self::Llms | Self::LlmsFull => "text/plain; charset=utf-8",
            Self::Schema => "application/schema+json",
            Self::ApiSpecs => "application/zip",
        }
    }
}

/// Generated files that do not depend on the host, created on first use.
#[derive(Debug, Default)]
pub(crate) struct GeneratedFiles {
    /// Links of every page, without and with an MCP endpoint.
    pub(super) discovery_links: [OnceLock<String>; 2],
    pub(super) sections: OnceLock<Sections>,
    pub(super) api_texts: OnceLock<ApiTexts>,
    pub(super) schema: OnceLock<Arc<CompressedBytes>>,
    pub(super) api_specs: OnceLock<Arc<CompressedBytes>>,
    pub(super) skills: OnceLock<RepositorySkills>,
    /// The number of files into which the sitemap is split.
    pub(super) sitemap_parts: OnceLock<usize>,
}
