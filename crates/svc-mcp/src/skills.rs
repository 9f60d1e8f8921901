//! Skills of a site: instructions for agents in files of the repository.

use svc_site::Site;
use svc_source::Contents;

/// Path of the file of a site with a single skill.
const ROOT: &str = "skill.md";
/// Folder with a folder for each skill.
const DIR: &str = ".mintlify/skills/";

/// A skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Skill<'s> {
    /// Name in its URI.
    pub(crate) name: &'s str,
    /// Text of the file.
    pub(crate) text: &'s str,
}

/// The skills of a site in the order of their paths.
pub(crate) fn skills(site: &Site) -> Vec<Skill<'_>> {
    let files = site.tree.iter();
    let skills = files.filter_map(|(path, contents)| {
        let Contents::Text(file) = contents else {
            return None;
        };
        let name = name_of(path)?;
        Some(Skill {
            name,
            text: file.text(),
        })
    });
    skills.collect()
}

fn name_of(path: &str) -> Option<&str> {
    if path.eq_ignore_ascii_case(ROOT) {
        return Some("site");
    }
    let (name, file) = path.strip_prefix(DIR)?.split_once('/')?;
    file.eq_ignore_ascii_case("SKILL.md").then_some(name)
}

impl Skill<'_> {
    /// The description in the front matter of the skill.
    pub(crate) fn description(&self) -> Option<&str> {
        let matter = self.text.strip_prefix("---\n")?.split("\n---").next()?;
        let mut lines = matter.lines();
        let value = lines.find_map(|line| line.strip_prefix("description:"))?;
        let value = value.trim().trim_matches(['"', '\'']);
        (!value.is_empty()).then_some(value)
    }
}
