//! Ignore rules: files that are not part of the site.

use std::iter::once;
use std::path::Path;

use crate::read_limited::read_regular;

/// Built-in rules, applied before ignore files; `!name` in an ignore file includes a file again.
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

/// Names of ignore files. The rules of later files take precedence.
pub(crate) const IGNORE_FILES: [&str; 2] = [".mintignore", ".svcignore"];

/// Maximum size of an ignore file in bytes; larger ones are not read.
const MAX_IGNORE_BYTES: u64 = 1 << 20;
/// Maximum length of a pattern in bytes; longer ones are ignored.
const MAX_PATTERN_LEN: usize = 512;
/// Maximum number of patterns of a file.
const MAX_PATTERNS: usize = 2000;

/// Ignore rules in the order of the files; the last rule that matches a path decides.
#[derive(Debug, Clone)]
pub(crate) struct Ignore {
    rules: Vec<Rule>,
}

#[derive(Debug, Clone)]
struct Rule {
    negated: bool,
    dirs_only: bool,
    /// The pattern has no slash and is matched against the file name at any depth.
    name_only: bool,
    /// The pattern has no wildcards and is compared literally.
    literal: bool,
    parts: Vec<String>,
}

impl Ignore {
    /// Creates the built-in rules.
    pub(crate) fn new() -> Self {
        let mut ignore = Self { rules: Vec::new() };
        ignore.add(DEFAULT_RULES);
        ignore
    }

    /// Creates the built-in rules and adds those of the ignore files of a directory.
    pub(crate) fn load(root: &Path) -> Self {
        let mut ignore = Self::new();
        for name in IGNORE_FILES {
            if let Some(text) = ignore_file(&root.join(name)) {
                ignore.add(&text);
            }
        }
        ignore
    }

    /// Returns true if a directory or one of its parents is ignored.
    pub(crate) fn skips_dir(&self, path: &str) -> bool {
        let dirs = path.match_indices('/').map(|(at, _)| &path[..at]);
        dirs.chain(once(path)).any(|part| self.skips(part, true))
    }

    /// Adds the rules of an ignore file.
    pub(crate) fn add(&mut self, text: &str) {
        self.rules
            .extend(text.lines().filter_map(Rule::parse).take(MAX_PATTERNS));
    }

    /// Returns true if a file or directory is ignored. Its parents are not checked.
    pub(crate) fn skips(&self, path: &str, is_dir: bool) -> bool {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        let decides = |rule: &&Rule| rule.matches(path, name, is_dir);
        self.rules
            .iter()
            .rev()
            .find(decides)
            .is_some_and(|rule| !rule.negated)
    }

    /// Returns true if a file or one of its parent directories is ignored.
    pub(crate) fn skips_file(&self, path: &str) -> bool {
        let dirs = path.match_indices('/').map(|(at, _)| (&path[..at], true));
        dirs.chain(once((path, false)))
            .any(|(part, is_dir)| self.skips(part, is_dir))
    }
}

/// Reads an ignore file if it is a regular file.
pub(crate) fn ignore_file(path: &Path) -> Option<String> {
    String::from_utf8(read_regular(path, MAX_IGNORE_BYTES)?).ok()
}

impl Rule {
    fn parse(line: &str) -> Option<Self> {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') || line.len() > MAX_PATTERN_LEN {
            return None;
        }
        let (negated, line) = line
            .strip_prefix('!')
            .map_or((false, line), |rest| (true, rest));
        let line = line.strip_prefix('\\').unwrap_or(line);
        let dirs_only = line.ends_with('/');
        let line = line.trim_end_matches('/');
        let floating = !line.contains('/');
        let parts: Vec<String> = line
            .split('/')
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect();
        let plain = !line.contains(['*', '?', '[', '\\']);
        (!parts.is_empty()).then_some(Self {
            negated,
            dirs_only,
            name_only: floating,
            literal: plain,
            parts,
        })
    }

    fn matches(&self, path: &str, name: &str, is_dir: bool) -> bool {
        if self.dirs_only && !is_dir {
            return false;
        }
        match self.parts.as_slice() {
            [only] if self.name_only && self.literal => only == name,
            [only] if self.name_only => part_matches(only, name),
            parts => path_matches(parts, path),
        }
    }
}

/// Matches a path segment by segment. After a mismatch only the last `**` is extended by a segment,
/// so the time is bounded by the product of both lengths.
fn path_matches(pattern: &[String], path: &str) -> bool {
    let path: Vec<&str> = path.split('/').collect();
    let (mut p, mut at) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while at < path.len() {
        match pattern.get(p) {
            Some(part) if part == "**" => {
                // At the end `**` requires at least one segment, which the loop condition
                // guarantees.
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

/// Matches `*`, `?`, `[a-z]` and `\x` within a path segment; bounded like [`path_matches`].
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

/// Returns the length of a character class in the pattern if it contains the character, otherwise
/// `None`.
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
    fn the_built_in_rules_ignore_files_that_are_not_documentation() {
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
    fn patterns_match_like_gitignore() {
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
    fn patterns_with_many_stars_match_in_bounded_time() {
        let stars = format!("{}b", "*a".repeat(200));
        assert!(!skips(&stars, &"a".repeat(2000)));
    }
}
