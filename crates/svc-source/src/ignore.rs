//! Which files do not belong to the site.

use std::iter::once;
use std::path::Path;

/// Left out before any ignore file is read; `!name` in an ignore file brings one back.
const DEFAULT_RULES: &str = "\
.*
!.mintlify
!.svc
!.snippets
!.well-known
!.svcignore
!.mintignore
node_modules/
build/
dist/
coverage/
tmp/
temp/
README.md
LICENSE.md
CHANGELOG.md
CONTRIBUTING.md
";

/// The names of ignore files, the own name last: it wins.
pub(crate) const IGNORE_FILES: [&str; 2] = [".mintignore", ".svcignore"];

/// The longest pattern that is read.
const MAX_PATTERN_LEN: usize = 512;
/// How many patterns of one file are read.
const MAX_PATTERNS: usize = 2000;

/// Rules in the order of the files; the last one that matches a path decides.
#[derive(Debug, Clone)]
pub(crate) struct Ignore {
    rules: Vec<Rule>,
}

#[derive(Debug, Clone)]
struct Rule {
    negated: bool,
    dirs_only: bool,
    /// Compared with the name alone, at any depth.
    name_only: bool,
    /// No wildcard: comparing is enough.
    literal: bool,
    parts: Vec<String>,
}

impl Ignore {
    /// The built-in rules.
    pub(crate) fn new() -> Self {
        let mut ignore = Self { rules: Vec::new() };
        ignore.add(DEFAULT_RULES);
        ignore
    }

    /// The built-in rules and those of the ignore files of a folder.
    pub(crate) fn load(root: &Path) -> Self {
        let mut ignore = Self::new();
        for name in IGNORE_FILES {
            if let Some(text) = crate::load::ignore_file(&root.join(name)) {
                ignore.add(&text);
            }
        }
        ignore
    }

    /// Whether a folder or one that holds it is left out.
    pub(crate) fn skips_dir(&self, path: &str) -> bool {
        let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        folders.chain(once(path)).any(|part| self.skips(part, true))
    }

    /// Adds the lines of an ignore file.
    pub(crate) fn add(&mut self, text: &str) {
        self.rules
            .extend(text.lines().filter_map(Rule::parse).take(MAX_PATTERNS));
    }

    /// Whether a file or folder is left out, its parents not considered.
    pub(crate) fn skips(&self, path: &str, folder: bool) -> bool {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        let decides = |rule: &&Rule| rule.matches(path, name, folder);
        self.rules
            .iter()
            .rev()
            .find(decides)
            .is_some_and(|rule| !rule.negated)
    }

    /// Whether a file or one of its folders is left out.
    pub(crate) fn skips_file(&self, path: &str) -> bool {
        let folders = path.match_indices('/').map(|(at, _)| (&path[..at], true));
        folders
            .chain(once((path, false)))
            .any(|(part, folder)| self.skips(part, folder))
    }
}

impl Rule {
    fn parse(line: &str) -> Option<Self> {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') || line.len() > MAX_PATTERN_LEN {
            return None;
        }
        let (keep, line) = line
            .strip_prefix('!')
            .map_or((false, line), |rest| (true, rest));
        let line = line.strip_prefix('\\').unwrap_or(line);
        let folders_only = line.ends_with('/');
        let line = line.trim_end_matches('/');
        let floating = !line.contains('/');
        let parts: Vec<String> = line
            .split('/')
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect();
        let plain = !line.contains(['*', '?', '[', '\\']);
        (!parts.is_empty()).then_some(Self {
            negated: keep,
            dirs_only: folders_only,
            name_only: floating,
            literal: plain,
            parts,
        })
    }

    fn matches(&self, path: &str, name: &str, folder: bool) -> bool {
        if self.dirs_only && !folder {
            return false;
        }
        match self.parts.as_slice() {
            [only] if self.name_only && self.literal => only == name,
            [only] if self.name_only => part_matches(only, name),
            parts => path_matches(parts, path),
        }
    }
}

/// Compares part by part. After a mismatch only the last `**` takes one part more, so the time is
/// bounded by the product of both lengths.
fn path_matches(pattern: &[String], path: &str) -> bool {
    let path: Vec<&str> = path.split('/').collect();
    let (mut p, mut at) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while at < path.len() {
        match pattern.get(p) {
            Some(part) if part == "**" => {
                // At the end `**` needs at least one part, which the loop condition gives.
                if p + 1 == pattern.len() {
                    return true;
                }
                retry = Some((p, at));
                p += 1;
            }
            Some(part) if part_matches(part, path[at]) => (p, at) = (p + 1, at + 1),
            _ => {
                let Some((star, from)) = retry else {
                    return false;
                };
                retry = Some((star, from + 1));
                (p, at) = (star + 1, from + 1);
            }
        }
    }
    p == pattern.len()
}

/// `*`, `?`, `[a-z]` and `\x` within one part of a path; bounded like [`path_matches`].
fn part_matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut p, mut at) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while at < text.len() {
        let step = match pattern.get(p) {
            Some('*') => {
                retry = Some((p, at));
                p += 1;
                continue;
            }
            Some('?') => Some(1),
            Some('[') => class(&pattern[p..], text[at]),
            Some('\\') => pattern.get(p + 1).filter(|c| **c == text[at]).map(|_| 2),
            Some(c) if *c == text[at] => Some(1),
            _ => None,
        };
        if let Some(step) = step {
            (p, at) = (p + step, at + 1);
        } else {
            let Some((star, from)) = retry else {
                return false;
            };
            retry = Some((star, from + 1));
            (p, at) = (star + 1, from + 1);
        }
    }
    pattern[p.min(pattern.len())..].iter().all(|c| *c == '*')
}

/// How many characters of the pattern a class takes, if it holds the character.
fn class(pattern: &[char], c: char) -> Option<usize> {
    let negated = matches!(pattern.get(1), Some('!' | '^'));
    let first = if negated { 2 } else { 1 };
    let length = pattern.iter().skip(first + 1).position(|c| *c == ']')? + first + 1;
    let inside = &pattern[first..length];
    let mut held = false;
    let mut at = 0;
    while at < inside.len() {
        if inside.get(at + 1) == Some(&'-') && at + 2 < inside.len() {
            held |= (inside[at]..=inside[at + 2]).contains(&c);
            at += 3;
        } else {
            held |= inside[at] == c;
            at += 1;
        }
    }
    (held != negated).then_some(length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skips(rules: &str, path: &str) -> bool {
        let mut ignore = Ignore::new();
        ignore.add(rules);
        ignore.skips_file(path)
    }

    #[test]
    fn the_defaults_leave_out_what_is_not_documentation() {
        for path in [
            ".git/x",
            "a/node_modules/b.md",
            "README.md",
            "a/README.md",
            "dist/i.mdx",
        ] {
            assert!(skips("", path), "{path}");
        }
        for path in [
            "readme.mdx",
            "a/b.mdx",
            "buildings.mdx",
            ".well-known/x.json",
            "build.mdx",
        ] {
            assert!(!skips("", path), "{path}");
        }
    }

    #[test]
    fn patterns_have_the_meaning_of_gitignore() {
        for (rules, path, skipped) in [
            ("drafts/", "a/drafts/b.mdx", true),
            ("drafts/", "drafts", false),
            ("/drafts", "a/drafts/b.mdx", false),
            ("/drafts", "drafts/b.mdx", true),
            ("a/*.mdx", "a/b.mdx", true),
            ("a/*.mdx", "a/b/c.mdx", false),
            ("a/**/c.mdx", "a/c.mdx", true),
            ("a/**/c.mdx", "a/x/y/c.mdx", true),
            ("**/c.mdx", "x/c.mdx", true),
            ("a/**", "a/x/y", true),
            ("a/**", "a", false),
            ("*.draft.mdx", "x/y.draft.mdx", true),
            ("*.mdx\n!keep.mdx", "keep.mdx", false),
            ("!README.md", "README.md", false),
            ("# x\n\n\\#x", "#x", true),
            ("[a-c]?.md", "bz.md", true),
            ("[!a-c]z.md", "bz.md", false),
            ("[", "[", false),
        ] {
            assert_eq!(skips(rules, path), skipped, "{rules} {path}");
        }
    }

    #[test]
    fn many_stars_end() {
        let stars = format!("{}b", "*a".repeat(200));
        assert!(!skips(&stars, &"a".repeat(2000)));
    }
}
