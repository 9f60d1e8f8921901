//! Names of languages in fenced code blocks.

use super::grammars;
use crate::table::Table;

static ALIASES: Table = Table::new(include_str!("aliases.txt"));

/// Returns the canonical name of a language; `None` for plain text and unknown names.
#[must_use]
pub fn canonical_language(name: &str) -> Option<&'static str> {
    // No name is longer, so the copy below is small.
    if name.len() > 40 {
        return None;
    }
    let name = name.trim().trim_start_matches('.').to_ascii_lowercase();
    let id = ALIASES.get(&name).unwrap_or(&name);
    grammars::grammar_id(grammars::grammar_index(id)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_are_sorted_and_name_packed_grammars() {
        assert!(ALIASES.is_sorted());
        for (alias, id) in ALIASES.entries() {
            assert!(
                grammars::grammar_index(id).is_some(),
                "{alias} stands for {id}, which is not packed"
            );
            assert_eq!(
                grammars::grammar_index(alias),
                None,
                "{alias} is a grammar's own name"
            );
        }
    }

    #[test]
    fn common_names_resolve_to_their_grammar() {
        for (name, id) in [
            ("bash", "shellscript"),
            ("sh", "shellscript"),
            ("ZSH", "shellscript"),
            ("shell", "shellscript"),
            ("js", "javascript"),
            ("ts", "typescript"),
            ("py", "python"),
            ("pycon", "python"),
            ("python3", "python"),
            ("yml", "yaml"),
            ("md", "markdown"),
            ("rs", "rust"),
            ("rb", "ruby"),
            ("cs", "csharp"),
            ("c#", "csharp"),
            ("kt", "kotlin"),
            ("golang", "go"),
            ("c++", "cpp"),
            ("env", "dotenv"),
            (".env", "dotenv"),
            ("jinja2", "jinja"),
            ("console", "shellsession"),
            ("dockerfile", "docker"),
            ("Dockerfile", "docker"),
            ("JSON", "json"),
            ("tsx", "tsx"),
            ("properties", "ini"),
            ("makefile", "make"),
            ("ps1", "powershell"),
        ] {
            assert_eq!(canonical_language(name), Some(id), "{name}");
        }
    }

    #[test]
    fn plain_and_unknown_names_have_no_grammar() {
        let long = "a".repeat(10_000);
        for name in [
            "text",
            "txt",
            "plain",
            "plaintext",
            "output",
            "commandline",
            "ansi",
            "",
            "*/}",
            "nginx",
            &long,
        ] {
            assert_eq!(canonical_language(name), None, "{name}");
        }
    }
}
