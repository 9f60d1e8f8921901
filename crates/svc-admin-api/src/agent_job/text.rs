//! Validated texts of jobs: branches, prompts, URLs.

use std::fmt;

use serde::{Deserialize, Serialize};
use url::Url;

/// Maximum length of a URL in bytes.
const MAX_URL_LEN: usize = 2_048;
/// Maximum length of a branch in characters.
const MAX_BRANCH_CHARS: usize = 200;
/// Maximum length of a prompt in characters.
const MAX_PROMPT_CHARS: usize = 50_000;

/// The requirement that a text violates, for the error message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ValidationError(&'static str);

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident, $rule:ident, $what:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = ValidationError;

            fn try_from(text: String) -> Result<Self, ValidationError> {
                if $rule(&text) { Ok(Self(text)) } else { Err(ValidationError($what)) }
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

texts! {
    /// Branch of a Git repository. The text cannot be taken for an option or another kind of
    /// reference.
    Branch, is_branch,
    "a branch must be a valid Git branch name with 1 to 200 characters that does not begin with `-`";

    /// Prompt for an agent.
    Prompt, is_prompt,
    "a prompt must have 1 to 50000 characters without U+0000";

    /// URL of a repository, without a password.
    Repository, is_repository,
    "a repository must be an absolute `https`, `http`, `ssh`, `git` or `file` URL without a password";

    /// URL of a pull request.
    Link, is_link,
    "a link must be an absolute `https` or `http` URL";
}

/// The rules of `git check-ref-format --branch`; backslashes are also invalid.
fn is_branch(text: &str) -> bool {
    let refused = |c: char| {
        c <= ' ' || c == '\u{7f}' || matches!(c, '~' | '^' | ':' | '?' | '*' | '[' | '\\' | '{')
    };
    let part = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && !part.ends_with('.')
            && !part.contains("..")
            && !part.ends_with(".lock")
    };
    (1..=MAX_BRANCH_CHARS).contains(&text.chars().count())
        && text != "@"
        && !text.starts_with('-')
        && !text.contains(refused)
        && text.split('/').all(part)
}

fn is_prompt(text: &str) -> bool {
    (1..=MAX_PROMPT_CHARS).contains(&text.chars().count()) && !text.contains('\0')
}

fn parse_url(text: &str, schemes: &[&str]) -> Option<Url> {
    let plain = text.len() <= MAX_URL_LEN && text.bytes().all(|b| b.is_ascii_graphic());
    let url = plain.then(|| Url::parse(text).ok()).flatten()?;
    let known = schemes.contains(&url.scheme());
    (known && url.password().is_none()).then_some(url)
}

fn is_repository(text: &str) -> bool {
    let url = parse_url(text, &["https", "http", "ssh", "git", "file"]);
    // A user name is part of an SSH URL; in other URLs it is a token.
    url.is_some_and(|url| url.username().is_empty() || url.scheme() == "ssh")
}

fn is_link(text: &str) -> bool {
    parse_url(text, &["https", "http"]).is_some_and(|url| url.username().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_follow_the_rules_of_git() {
        // spec: admin.job.source.ref accepts and refuses
        for good in [
            "main",
            "feature/a.b",
            "übung",
            "a-b_c",
            "user@host",
            "x/@/y",
            "v1.2",
        ] {
            assert!(is_branch(good), "{good}");
        }
        for bad in [
            "",
            "@",
            "-x",
            "--upload-pack=x",
            "a b",
            "a..b",
            "/a",
            "a/",
            "a//b",
            ".a",
            "a/.b",
            "a.",
            "a.lock",
            "a.lock/b",
            "a~1",
            "a^",
            "a:b",
            "a?",
            "a*",
            "a[",
            "a\\b",
            "a@{1}",
            "a\n",
            "a\u{7f}",
            "a\0",
        ] {
            assert!(!is_branch(bad), "{bad:?}");
        }
        assert!(is_branch(&"ä".repeat(200)) && !is_branch(&"a".repeat(201)));
    }

    #[test]
    fn repositories_have_an_absolute_url_without_secrets() {
        // spec: admin.job.source.repository accepts and refuses
        for good in [
            "https://example.com/a/b.git",
            "ssh://git@example.com/a/b",
            "file:///srv/git/a.git",
        ] {
            assert!(is_repository(good), "{good}");
        }
        for bad in [
            "",
            "a/b",
            "git@example.com:a/b",
            "ext::sh -c x",
            "https://token@example.com/a",
            "https://user:secret@example.com/a",
            "ssh://git:secret@example.com/a",
            "javascript:alert(1)",
            "https://example.com/a b",
        ] {
            assert!(!is_repository(bad), "{bad}");
        }
    }

    #[test]
    fn links_are_web_urls() {
        assert!(is_link("https://example.com/a/pull/1"));
        // spec: admin.job.pr-link refuses
        for bad in [
            "",
            "/pull/1",
            "javascript:alert(1)",
            "https://",
            "ftp://example.com/a",
        ] {
            assert!(!is_link(bad), "{bad}");
        }
    }

    #[test]
    fn prompts_have_a_minimum_and_maximum_length() {
        assert!(is_prompt(" ") && is_prompt(&"ä".repeat(50_000)));
        assert!(!is_prompt("") && !is_prompt("a\0") && !is_prompt(&"a".repeat(50_001)));
    }
}
