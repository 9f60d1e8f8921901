//! Generated files. A file of the repository with the same path replaces them.

mod api_catalog;
pub(crate) mod api_text;
mod archive;
pub(crate) mod discovery;
pub(crate) mod feed;
pub(crate) mod file;
mod llms;
pub(crate) mod markdown;
pub(crate) mod operation;
mod robots;
pub(crate) mod sections;
pub(crate) mod server_card;
mod sitemap;
pub(crate) mod skills;
mod text;
pub(crate) mod tokens;
mod tool;

use std::sync::{Arc, OnceLock};

use svc_openapi::ApiDocument;

use self::file::GeneratedFile;
use self::sections::{SectionFile, Sections};
use self::sitemap::SitemapLimits;
use crate::page::CompressedBytes;
use crate::site::Site;

impl Site {
    /// The contents of a generated file. `origin` is that of the request, such as
    /// `https://docs.example.com`; the canonical URL in `docs.json` takes precedence.
    pub fn generated_file(&self, file: GeneratedFile, origin: &str) -> Arc<CompressedBytes> {
        let cached = |cell: &OnceLock<Arc<CompressedBytes>>, make: fn(&Self) -> String| {
            let packed =
                cell.get_or_init(|| Arc::new(CompressedBytes::new(make(self).into_bytes())));
            Arc::clone(packed)
        };
        let response = |make: fn(&Self, &str) -> String| {
            let name = format!("{} {}", file.path(), self.public_url(origin, "/"));
            let make = || Some(make(self, origin).into_bytes());
            self.responses
                .get_or_make(&name, make)
                .unwrap_or_else(|| Arc::new(CompressedBytes::new([])))
        };
        match file {
            GeneratedFile::Sitemap => {
                response(|site, origin| sitemap::sitemap(site, origin, SitemapLimits::PROTOCOL))
            }
            GeneratedFile::Robots => response(robots::robots),
            GeneratedFile::Llms => response(llms::llms),
            GeneratedFile::LlmsFull => response(llms::llms_full),
            // The same for every site; editors load it through `$schema` in docs.json.
            GeneratedFile::Schema => cached(&self.generated.schema, |_| {
                format!("{:#}\n", svc_config::schema())
            }),
            GeneratedFile::ApiSpecs => {
                let make = || Arc::new(CompressedBytes::new(archive::specs(self)));
                Arc::clone(self.generated.api_specs.get_or_init(make))
            }
        }
    }

    /// A list or full text of a section for language models. `origin` is as for
    /// [`Self::generated_file`].
    pub fn section_file(&self, file: &SectionFile<'_>, origin: &str) -> Arc<CompressedBytes> {
        let name = format!("{} {}", file.path(), self.public_url(origin, "/"));
        let make = || Some(llms::section(self, file, origin).into_bytes());
        self.responses
            .get_or_make(&name, make)
            .unwrap_or_else(|| Arc::new(CompressedBytes::new([])))
    }

    /// The pages that language models may know, by section; computed once.
    pub(crate) fn sections(&self) -> &Sections {
        self.generated.sections.get_or_init(|| Sections::new(self))
    }

    /// The absolute URL of a percent-encoded path of this site. Only the path with its prefix if
    /// neither the site nor the request has an origin. `origin` is as for [`Self::generated_file`].
    pub fn public_url(&self, origin: &str, path: &str) -> String {
        let base = self.base_path();
        let origin = match self.options.site.origin.as_str() {
            "" => origin,
            known => known,
        };
        svc_render::public_url(&self.config, origin, base, path)
            .unwrap_or_else(|| format!("{base}{path}"))
    }

    /// The origin of absolute URLs of the site; empty if neither the site nor the request has one.
    fn origin(&self, request: &str) -> String {
        let root = self.public_url(request, "/");
        let base = format!("{}/", self.base_path());
        root.strip_suffix(&base).unwrap_or_default().to_owned()
    }

    /// The Markdown version of a page.
    ///
    /// `origin` is as for [`Self::generated_file`].
    pub fn markdown(&self, route: &svc_nav::Route, origin: &str) -> String {
        markdown::markdown(self, route, origin)
    }

    /// The canonical URL of a page. `origin` is as for [`Self::generated_file`].
    pub fn page_url(&self, route: &svc_nav::Route, origin: &str) -> String {
        markdown::url(self, route, origin)
    }

    /// The RSS feed of a page with changelog entries. `origin` is as for [`Self::generated_file`].
    pub fn feed(&self, route: &svc_nav::Route, origin: &str) -> String {
        feed::feed(self, route, origin)
    }

    /// Whether the site has this generated file.
    pub fn offers(&self, file: GeneratedFile) -> bool {
        match file {
            GeneratedFile::ApiSpecs => self.offers_documents(),
            GeneratedFile::Llms | GeneratedFile::LlmsFull => !self.config.seo.is_noindex(),
            _ => true,
        }
    }

    /// Whether the OpenAPI documents of the site can be downloaded; not on protected sites.
    fn offers_documents(&self) -> bool {
        !self.config.is_protected() && self.open_documents().next().is_some()
    }

    /// The OpenAPI documents that can be downloaded.
    pub(crate) fn open_documents(&self) -> impl Iterator<Item = &ApiDocument> {
        let documents = self.open_sources();
        documents.filter(|document| !document.is_tool_list())
    }

    /// The OpenAPI documents and lists of MCP tools that can be downloaded.
    pub(crate) fn open_sources(&self) -> impl Iterator<Item = &ApiDocument> {
        let documents = self.map.documents.iter();
        documents.filter_map(|at| self.catalog.documents.get(*at))
    }
}
