//! Skills: instructions for agents about the product or its documentation (agentskills.io).
//!
//! Those of the repository are `skill.md`, `skills/NAME/SKILL.md`, `.mintlify/skills/NAME/SKILL.md`
//! and `.svc/skills/NAME/SKILL.md`. A site without any has a generated one, which describes how to
//! use the documentation. The index lists them with the digests of their texts (Agent Skills
//! Discovery 0.2.0).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use svc_diagnostics::{Diagnostic, SourceFile, Span};

use super::text::line;
use crate::codes::INVALID_SKILL;
use crate::{RELATIVE_BASE, Site};

/// URL path of the index.
pub(super) const INDEX: &str = "/.well-known/agent-skills/index.json";
/// URL path of the index of version 0.1, without digests.
pub(super) const OLD_INDEX: &str = "/.well-known/skills/index.json";
/// Identifier of the format of the index.
const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

/// Directories with skills; those of later directories take precedence.
const DIRS: [&str; 3] = ["skills/", ".mintlify/skills/", ".svc/skills/"];
/// Maximum number of skills.
const MAX_SKILLS: usize = 100;
/// Maximum size of a skill in bytes.
const MAX_SKILL_BYTES: usize = 256 << 10;
/// Maximum number of characters of a name.
const MAX_NAME_CHARS: usize = 64;
/// Maximum number of characters of a description.
const MAX_DESCRIPTION_CHARS: usize = 1024;

/// Instructions for agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Unique name: lower-case letters, digits and hyphens.
    pub name: String,
    /// What the skill does and when to use it.
    pub description: String,
    /// URL path of its file, without base path.
    pub path: String,
    /// The Markdown text, with its front matter.
    pub text: Arc<str>,
}

/// Skills of the repository by name, and diagnostics about invalid ones.
#[derive(Debug, Default)]
pub(crate) struct RepositorySkills {
    pub(crate) skills: BTreeMap<String, Skill>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Site {
    /// The skills of the site by name, at least one. `origin` is as for
    /// [`Self::generated_file`]; `mcp` is whether an MCP endpoint is served at `/mcp`.
    pub fn skills(&self, origin: &str, mcp: bool) -> Vec<Skill> {
        let skills = &self.repository_skills().skills;
        if skills.is_empty() {
            return vec![generated_skill(self, origin, mcp)];
        }
        skills.values().cloned().collect()
    }

    /// The skills in the files of the repository; computed once.
    pub(crate) fn repository_skills(&self) -> &RepositorySkills {
        self.generated
            .skills
            .get_or_init(|| repository_skills(self))
    }
}

/// The URL path of a skill's file.
fn skill_path(name: &str) -> String {
    format!("/.well-known/agent-skills/{name}/SKILL.md")
}

/// The name in the URL path of a skill's file.
pub(super) fn name_of(path: &str) -> Option<&str> {
    let rest = path
        .strip_prefix("/.well-known/agent-skills/")
        .or_else(|| path.strip_prefix("/.well-known/skills/"))?;
    rest.strip_suffix("/SKILL.md").filter(|name| is_name(name))
}

/// Whether the site has a skill of this name.
pub(super) fn exists(site: &Site, name: &str) -> bool {
    let skills = &site.repository_skills().skills;
    match skills.is_empty() {
        true => name == generated_name(site),
        false => skills.contains_key(name),
    }
}

/// Text of the index.
pub(super) fn index(site: &Site, origin: &str, mcp: bool) -> String {
    let skills = site.skills(origin, mcp);
    let entries: Vec<Value> = skills
        .iter()
        .map(|skill| {
            json!({
                "name": skill.name,
                "type": "skill-md",
                "description": skill.description,
                "url": site.public_url(origin, &skill.path),
                "digest": format!("sha256:{:x}", Sha256::digest(&*skill.text)),
            })
        })
        .collect();
    format!("{:#}\n", json!({ "$schema": SCHEMA, "skills": entries }))
}

/// Text of the index of version 0.1.
pub(super) fn old_index(site: &Site, origin: &str, mcp: bool) -> String {
    let skills = site.skills(origin, mcp);
    let entry = |skill: &Skill| json!({ "name": skill.name, "description": skill.description, "files": ["SKILL.md"] });
    let entries: Vec<Value> = skills.iter().map(entry).collect();
    format!("{:#}\n", json!({ "skills": entries }))
}

/// Text of `/skill.md`: the only skill, or a list of all.
pub(super) fn root(site: &Site, origin: &str, mcp: bool) -> String {
    let skills = site.skills(origin, mcp);
    if let [skill] = &*skills {
        return skill.text.to_string();
    }
    let mut out = format!("# Skills of {}\n\n", line(&site.config.name));
    for skill in &skills {
        let url = site.public_url(origin, &skill.path);
        // Writing to a String cannot fail.
        let _ = writeln!(out, "- [{}]({url}): {}", skill.name, skill.description);
    }
    out
}

/// The skills in the files of the repository. On a site that withholds protected pages there are
/// none, because a skill has no setting that makes it public.
fn repository_skills(site: &Site) -> RepositorySkills {
    let mut out = RepositorySkills::default();
    if site.is_closed() {
        return out;
    }
    for name in ["skill.md", "SKILL.md"] {
        // Otherwise it is a page.
        let is_page = site.pages.iter().any(|page| *page.path == *name);
        if let (Some(file), false) = (site.tree.text(name), is_page) {
            add(&mut out, file, None);
        }
    }
    for dir in DIRS {
        for (path, _) in site.tree.iter() {
            let rest = path.strip_prefix(dir);
            let stem = rest.and_then(|rest| rest.strip_suffix("/SKILL.md"));
            let Some(name) = stem.filter(|name| !name.contains('/')) else {
                continue;
            };
            let is_page = site.pages.iter().any(|page| *page.path == *path);
            if let (Some(file), false) = (site.tree.text(path), is_page) {
                add(&mut out, file, Some(name));
            }
        }
    }
    out
}

/// Adds a skill. `dir` is the name of its directory; without one the front matter has the name.
fn add(out: &mut RepositorySkills, file: &SourceFile, dir: Option<&str>) {
    let (front_matter, _) = svc_source::front_matter(file).value;
    let name = match dir {
        Some(dir) => dir.to_owned(),
        None => front_matter.extra("name").unwrap_or_default(),
    };
    let description = front_matter.description.as_deref().map(line);
    let description = description.unwrap_or_default();
    let is_text_long = file.text().len() > MAX_SKILL_BYTES;
    let message = if !is_name(&name) {
        "the name of the skill is invalid".to_owned()
    } else if description.is_empty() {
        "`description` of the skill is missing".to_owned()
    } else if description.chars().count() > MAX_DESCRIPTION_CHARS {
        format!("`description` of the skill must be at most {MAX_DESCRIPTION_CHARS} characters")
    } else if is_text_long {
        format!("the skill must be at most {MAX_SKILL_BYTES} bytes")
    } else if out.skills.len() >= MAX_SKILLS && !out.skills.contains_key(&name) {
        format!("the site must have at most {MAX_SKILLS} skills")
    } else {
        let skill = Skill {
            path: skill_path(&name),
            name: name.clone(),
            description,
            text: Arc::clone(file.text()),
        };
        out.skills.insert(name, skill);
        return;
    };
    let hint =
        "a skill has a `name` of lower-case letters, digits and hyphens, and a `description`";
    let diagnostic = Diagnostic::new(&INVALID_SKILL, message)
        .at(file.location(Span::default()))
        .hint(hint);
    out.diagnostics.push(diagnostic);
}

/// Whether a name is valid: lower-case letters and digits, and single hyphens between them.
fn is_name(name: &str) -> bool {
    let part = |part: &str| {
        let mut bytes = part.bytes();
        !part.is_empty() && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    name.len() <= MAX_NAME_CHARS && name.split('-').all(part)
}

/// The name of the generated skill, after the name of the site.
fn generated_name(site: &Site) -> String {
    let mut name = String::new();
    for c in site.config.name.to_lowercase().chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c);
        } else if !name.ends_with('-') && !name.is_empty() {
            name.push('-');
        }
    }
    name.truncate(MAX_NAME_CHARS - "-docs".len());
    match name.trim_matches('-') {
        "" => "docs".to_owned(),
        name if name == "docs" || name.ends_with("-docs") => name.to_owned(),
        name => format!("{name}-docs"),
    }
}

/// The skill that describes how to use the documentation.
fn generated_skill(site: &Site, origin: &str, mcp: bool) -> Skill {
    let name = generated_name(site);
    let title = line(&site.config.name);
    let description = format!(
        "Find and read the documentation of {title}. Use for questions about {title} and for work with it."
    );
    let description: String = description.chars().take(MAX_DESCRIPTION_CHARS).collect();
    let url = |path: &str| site.public_url(origin, path);
    let mut text = format!(
        "---\nname: {name}\ndescription: {}\n---\n\n# Documentation of {title}\n",
        Value::from(&*description)
    );
    // Writing to a String cannot fail.
    if let Some(about) = &site.config.description {
        let _ = write!(text, "\n{}\n", line(about));
    }
    text.push_str("\n## Find pages\n\n");
    if !site.config.seo.is_noindex() {
        let _ = write!(
            text,
            "- [llms.txt]({}) lists the pages with their descriptions. Read it first.\n- [llms-full.txt]({}) has the text of all pages; it can be long.\n",
            url("/llms.txt"),
            url("/llms-full.txt")
        );
    }
    if mcp {
        let _ = writeln!(
            text,
            "- The MCP server at {} searches the documentation and returns sections of pages.",
            url("/mcp")
        );
    }
    text.push_str(
        "\n## Read a page\n\nAdd `.md` to the URL of a page, or send `Accept: text/markdown`, to get it as Markdown instead of HTML.\n",
    );
    if super::api_catalog::exists(site) {
        let _ = write!(
            text,
            "\n## APIs\n\n- [API catalog]({}) lists the OpenAPI documents.\n- [api-specs.zip]({}) contains them.\n",
            url("/.well-known/api-catalog"),
            url("/api-specs.zip")
        );
    }
    if !site.config.markdown.instructions.is_empty() {
        text.push_str("\n## Instructions\n\n");
        for instruction in &site.config.markdown.instructions {
            let _ = writeln!(text, "- {}", line(instruction));
        }
    }
    // In exports with relative URLs the marked prefix is not part of the published paths, and the
    // digest is that of the published text.
    let text = text.replace(RELATIVE_BASE, "");
    Skill {
        path: skill_path(&name),
        name,
        description,
        text: text.into(),
    }
}

#[cfg(test)]
mod tests {
    use svc_source::SourceTree;

    use super::*;
    use crate::{LoadOptions, Resource, assemble};

    const ORIGIN: &str = "https://docs.dev";

    fn site(more: &str, files: &[(&str, &str)]) -> Site {
        let config = format!(
            r##"{{"theme": "svc", "name": "Acme \"Cloud\"", "colors": {{"primary": "#112233"}}, {more} "navigation": {{"pages": ["index"]}}}}"##
        );
        let base = [("docs.json", config.as_str()), ("index.mdx", "")];
        let files = base.into_iter().chain(files.iter().copied());
        assemble(SourceTree::from_files(files), &LoadOptions::default())
            .unwrap()
            .value
    }

    fn text(site: &Site, path: &str) -> Option<String> {
        let Resource::Discovery(file) = site.find(path) else {
            return None;
        };
        let bytes = site.discovery_file(&file, ORIGIN, false)?;
        Some(String::from_utf8_lossy(&bytes.bytes).into_owned())
    }

    fn skill(name: &str) -> String {
        format!("---\nname: {name}\ndescription: About\n  {name}.\n---\n\nDo it.\n")
    }

    #[test]
    fn a_site_without_skills_has_a_generated_one() {
        let site = site("", &[]);
        let skills = site.skills(ORIGIN, true);
        let [skill] = &*skills else {
            panic!("{skills:?}");
        };
        assert_eq!(skill.name, "acme-cloud-docs");
        assert!(
            skill.text.contains("https://docs.dev/llms.txt"),
            "{}",
            skill.text
        );
        assert!(skill.text.contains("https://docs.dev/mcp"));
        assert!(!site.skills(ORIGIN, false)[0].text.contains("/mcp"));
        // Its front matter can be parsed and is that of the index.
        let file = SourceFile::new("SKILL.md", &*skill.text);
        let (front_matter, _) = svc_source::front_matter(&file).value;
        assert_eq!(front_matter.extra("name").as_ref(), Some(&skill.name));
        assert_eq!(front_matter.description.as_ref(), Some(&skill.description));
        let own = text(&site, "/.well-known/agent-skills/acme-cloud-docs/SKILL.md");
        assert_eq!(own, text(&site, "/skill.md"));
        assert!(text(&site, "/.well-known/agent-skills/other/SKILL.md").is_none());
    }

    #[test]
    fn the_index_has_the_digests_of_the_files() {
        let (one, two) = (skill("one"), skill("two"));
        let files = [
            (".mintlify/skills/one/SKILL.md", &*one),
            ("skill.md", &*two),
        ];
        let site = site("", &files);
        let index: Value = serde_json::from_str(&text(&site, INDEX).unwrap()).unwrap();
        assert_eq!(index["$schema"], SCHEMA);
        let entries = index["skills"].as_array().unwrap();
        assert_eq!(entries.len(), 2);
        for (entry, expected) in entries.iter().zip(["one", "two"]) {
            assert_eq!(entry["name"], expected);
            assert_eq!(entry["description"], format!("About {expected}."));
            assert_eq!(entry["type"], "skill-md");
            let path = entry["url"].as_str().unwrap().strip_prefix(ORIGIN).unwrap();
            let text = text(&site, path).unwrap();
            assert_eq!(
                entry["digest"],
                format!("sha256:{:x}", Sha256::digest(&text))
            );
            assert_eq!(text, skill(expected));
        }
        let old: Value = serde_json::from_str(&text(&site, OLD_INDEX).unwrap()).unwrap();
        assert_eq!(old["skills"][0]["files"], json!(["SKILL.md"]));
        assert!(text(&site, "/.well-known/skills/one/SKILL.md").is_some());
        let root = text(&site, "/skill.md").unwrap();
        assert!(
            root.contains(
                "- [one](https://docs.dev/.well-known/agent-skills/one/SKILL.md): About one."
            ),
            "{root}"
        );
        assert!(site.map.route("/skill").is_none());
    }

    #[test]
    fn later_directories_take_precedence_and_invalid_skills_are_reported() {
        let long = format!("---\nname: x\ndescription: {}\n---\n", "x".repeat(1025));
        let files = [
            (
                ".mintlify/skills/same/SKILL.md",
                "---\ndescription: old\n---\n",
            ),
            (".svc/skills/same/SKILL.md", "---\ndescription: new\n---\n"),
            (
                ".svc/skills/Bad_Name/SKILL.md",
                "---\ndescription: x\n---\n",
            ),
            (".svc/skills/empty/SKILL.md", ""),
            (".svc/skills/long/SKILL.md", &long),
            (".svc/skills/deep/er/SKILL.md", "---\ndescription: x\n---\n"),
        ];
        let site = site("", &files);
        let skills = site.skills(ORIGIN, false);
        let found: Vec<_> = skills
            .iter()
            .map(|skill| (&*skill.name, &*skill.description))
            .collect();
        assert_eq!(found, [("same", "new")]);
        let diagnostics = &site.repository_skills().diagnostics;
        let files: Vec<String> = diagnostics
            .iter()
            .map(Diagnostic::location_string)
            .collect();
        assert_eq!(
            files,
            [
                ".svc/skills/Bad_Name/SKILL.md:1:1",
                ".svc/skills/empty/SKILL.md:1:1",
                ".svc/skills/long/SKILL.md:1:1"
            ]
        );
    }

    #[test]
    fn a_page_named_skill_and_skills_of_protected_sites_are_not_published() {
        let page = site(
            "",
            &[("skill.md", "---\ntitle: Skill\nname: x\n---\nA page.")],
        );
        assert!(page.map.route("/skill").is_some());
        assert!(matches!(page.find("/skill.md"), Resource::Markdown(_)));
        let one = skill("one");
        let closed = site(r#""public": false,"#, &[(".svc/skills/one/SKILL.md", &one)]);
        assert_eq!(closed.skills(ORIGIN, false)[0].name, "acme-cloud-docs");
        assert!(text(&closed, "/.well-known/agent-skills/one/SKILL.md").is_none());
    }
}
