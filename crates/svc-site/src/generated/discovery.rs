//! Files by which clients discover what the site has for them, at paths that depend on the site.

use std::sync::Arc;

use super::sitemap::{self, SitemapLimits};
use super::{api_catalog, skills};
use crate::Site;
use crate::page::CompressedBytes;

/// URL path of the list of skills, or of the only one.
const ROOT_SKILL: &str = "/skill.md";

/// A generated file for discovery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiscoveryFile {
    /// `/sitemap-N.xml`: a part of a sitemap that is too long for one file.
    SitemapPart(usize),
    /// `/.well-known/api-catalog`: the APIs of the site (RFC 9727).
    ApiCatalog,
    /// `/.well-known/agent-skills/index.json`: the skills with their digests.
    SkillIndex,
    /// `/.well-known/skills/index.json`: the skills for older clients.
    OldSkillIndex,
    /// `/.well-known/agent-skills/NAME/SKILL.md`, also below `/.well-known/skills`.
    Skill(String),
    /// `/skill.md`: the only skill, or a list of all.
    RootSkill,
}

impl DiscoveryFile {
    /// Media type of the file.
    pub const fn content_type(&self) -> &'static str {
        match self {
            Self::SitemapPart(_) => "application/xml",
            Self::ApiCatalog => api_catalog::CONTENT_TYPE,
            Self::SkillIndex | Self::OldSkillIndex => "application/json",
            Self::Skill(_) | Self::RootSkill => "text/markdown; charset=utf-8",
        }
    }

    /// Whether scripts of other origins may read the file.
    pub const fn is_shared(&self) -> bool {
        !matches!(self, Self::SitemapPart(_))
    }
}

impl Site {
    /// The file for discovery at a URL path; `None` if the site has none there.
    pub(crate) fn find_discovery_file(&self, path: &str) -> Option<DiscoveryFile> {
        match path {
            "/.well-known/api-catalog" => {
                return api_catalog::exists(self).then_some(DiscoveryFile::ApiCatalog);
            }
            skills::INDEX => return Some(DiscoveryFile::SkillIndex),
            skills::OLD_INDEX => return Some(DiscoveryFile::OldSkillIndex),
            // The Markdown version of a page takes precedence.
            ROOT_SKILL if !self.map.routes.contains_key("/skill") => {
                return Some(DiscoveryFile::RootSkill);
            }
            _ => {}
        }
        if let Some(name) = skills::name_of(path) {
            return skills::exists(self, name).then(|| DiscoveryFile::Skill(name.to_owned()));
        }
        let number = sitemap::number_of(path)?;
        (number <= self.sitemap_parts()).then_some(DiscoveryFile::SitemapPart(number))
    }

    /// The number of files into which the sitemap is split; 0 if it is not split.
    fn sitemap_parts(&self) -> usize {
        let count = || sitemap::part_count(self, "", SitemapLimits::PROTOCOL);
        *self.generated.sitemap_parts.get_or_init(count)
    }

    /// The contents of a file for discovery. `origin` and `mcp` are as for [`Self::skills`].
    /// `None` if the site has no such file.
    pub fn discovery_file(
        &self,
        file: &DiscoveryFile,
        origin: &str,
        mcp: bool,
    ) -> Option<Arc<CompressedBytes>> {
        let name = format!("discovery {file:?} {mcp} {}", self.public_url(origin, "/"));
        let make = || {
            let text = match file {
                DiscoveryFile::SitemapPart(number) => {
                    sitemap::part(self, origin, *number, SitemapLimits::PROTOCOL)?
                }
                DiscoveryFile::ApiCatalog => api_catalog::catalog(self, origin),
                DiscoveryFile::SkillIndex => skills::index(self, origin, mcp),
                DiscoveryFile::OldSkillIndex => skills::old_index(self, origin, mcp),
                DiscoveryFile::Skill(name) => {
                    let skills = self.skills(origin, mcp);
                    let skill = skills.iter().find(|skill| skill.name == *name)?;
                    skill.text.to_string()
                }
                DiscoveryFile::RootSkill => skills::root(self, origin, mcp),
            };
            Some(text.into_bytes())
        };
        self.responses.get_or_make(&name, make)
    }

    /// The files for discovery with their URL paths, for an export.
    pub(crate) fn discovery_files(&self, origin: &str) -> Vec<(String, DiscoveryFile)> {
        let parts = sitemap::part_count(self, origin, SitemapLimits::PROTOCOL);
        let mut files: Vec<_> = (1..=parts)
            .map(|number| (sitemap::path(number), DiscoveryFile::SitemapPart(number)))
            .collect();
        let fixed = [
            ("/.well-known/api-catalog", DiscoveryFile::ApiCatalog),
            (skills::INDEX, DiscoveryFile::SkillIndex),
            (skills::OLD_INDEX, DiscoveryFile::OldSkillIndex),
            (ROOT_SKILL, DiscoveryFile::RootSkill),
        ];
        for (path, file) in fixed {
            if self.find_discovery_file(path).is_some() {
                files.push((path.to_owned(), file));
            }
        }
        for skill in self.skills(origin, false) {
            let old = skill.path.replace("/agent-skills/", "/skills/");
            for path in [skill.path, old] {
                files.push((path, DiscoveryFile::Skill(skill.name.clone())));
            }
        }
        files
    }

    /// The value of the header `Link` (RFC 8288) of every page: where clients find the lists of
    /// pages, the APIs, the skills and, if one is served, the MCP endpoint.
    pub fn discovery_links(&self, mcp: bool) -> &str {
        let [without, with] = &self.generated.discovery_links;
        let links = if mcp { with } else { without };
        links.get_or_init(|| self.make_discovery_links(mcp))
    }

    fn make_discovery_links(&self, mcp: bool) -> String {
        let mut links = Vec::new();
        let mut add = |path: &str, rel: &str, more: &str| {
            links.push(format!("<{}>; rel=\"{rel}\"{more}", self.href(path)));
        };
        if !self.config.seo.is_noindex() {
            add("/llms.txt", "llms-txt", "");
            add("/llms-full.txt", "llms-full-txt", "");
        }
        if api_catalog::exists(self) {
            let kind = "; type=\"application/linkset+json\"";
            add("/.well-known/api-catalog", "api-catalog", kind);
        }
        if mcp {
            let kind = "; type=\"application/json\"";
            add("/.well-known/mcp/server-card.json", "mcp-server-card", kind);
        }
        add(skills::INDEX, "agent-skills", "; type=\"application/json\"");
        links.join(", ")
    }
}
