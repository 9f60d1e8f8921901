//! Names of previews, which are part of their hosts.

use sha2::{Digest as _, Sha256};

use crate::settings::{Host, HostPattern};

/// Maximum length of a name.
const MAX_NAME_CHARS: usize = 40;
/// Number of hash digits that distinguish branches with the same name.
const SUFFIX_DIGITS: usize = 6;

/// Name of the preview of a request.
pub(super) fn of_request(number: u64, hosts: &HostPattern) -> Option<(String, Host)> {
    let name = format!("pr-{number}");
    let host = hosts.host(&name)?;
    Some((name, host))
}

/// A free name for the preview of a branch: its letters and digits, with hash digits if two
/// branches have the same name or the name could belong to a request. `None` if the pattern leaves
/// no space for a name.
pub(super) fn of_branch(
    branch: &str,
    hosts: &HostPattern,
    is_taken: &dyn Fn(&str, &Host) -> bool,
) -> Option<(String, Host)> {
    let slug = slug(branch);
    let fits = !slug.is_empty() && slug.len() <= MAX_NAME_CHARS && !is_of_request(&slug);
    if fits
        && let Some(host) = hosts.host(&slug)
        && !is_taken(&slug, &host)
    {
        return Some((slug, host));
    }
    let digest = Sha256::digest(branch.as_bytes());
    let mark = hex::encode(digest);
    (0..=MAX_NAME_CHARS - SUFFIX_DIGITS - 1)
        .rev()
        .find_map(|length| {
            let start = slug.get(..length.min(slug.len())).unwrap_or_default();
            let start = start.trim_end_matches('-');
            let name = if start.is_empty() {
                format!("b{}", mark.get(..SUFFIX_DIGITS)?)
            } else {
                format!("{start}-{}", mark.get(..SUFFIX_DIGITS)?)
            };
            let host = hosts.host(&name)?;
            (!is_taken(&name, &host)).then_some((name, host))
        })
}

/// ASCII letters and digits in lower case, with single hyphens for all other characters.
fn slug(branch: &str) -> String {
    let mut out = String::new();
    for letter in branch.chars() {
        if letter.is_ascii_alphanumeric() {
            out.push(letter.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.truncate(out.trim_end_matches('-').len());
    out
}

/// Whether the name could belong to a request.
fn is_of_request(name: &str) -> bool {
    let number = name.strip_prefix("pr-");
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts() -> HostPattern {
        HostPattern::parse("{preview}.docs.example.com").unwrap()
    }

    fn name(branch: &str) -> String {
        of_branch(branch, &hosts(), &|_, _| false).unwrap().0
    }

    #[test]
    fn a_preview_name_is_the_branch_if_possible() {
        for (branch, expected) in [
            ("fix-typo", "fix-typo"),
            ("feature/New_Nav", "feature-new-nav"),
            ("a--b", "a-b"),
            ("-_ä/x", "x"),
            ("xn--bcher-kva", "xn-bcher-kva"),
            ("pr-x", "pr-x"),
        ] {
            assert_eq!(name(branch), expected);
        }
    }

    #[test]
    fn every_branch_name_results_in_a_valid_host() {
        for branch in [
            "例え",
            "pr-12",
            "PR/12",
            &"long/".repeat(40),
            "-",
            &"é".repeat(90),
        ] {
            let name = name(branch);
            assert!(
                name.len() <= MAX_NAME_CHARS && hosts().host(&name).is_some(),
                "{name}"
            );
            assert!(!is_of_request(&name), "{name}");
        }
        assert_ne!(name("例え"), name("テスト"));
    }

    #[test]
    fn branches_with_the_same_slug_get_different_names() {
        let taken = |name: &str, _: &Host| name == "a-b";
        let (first, _) = of_branch("a/b", &hosts(), &|_, _| false).unwrap();
        let (two, host) = of_branch("a-b", &hosts(), &taken).unwrap();
        let (three, _) = of_branch("a_b", &hosts(), &taken).unwrap();
        assert_eq!(first, "a-b");
        assert!(two.starts_with("a-b-") && three.starts_with("a-b-") && two != three);
        assert_eq!(host.as_str(), format!("{two}.docs.example.com"));
        assert_eq!(of_branch("a", &hosts(), &|_, _| true), None);
    }

    #[test]
    fn a_long_host_pattern_gets_short_names() {
        let long = format!("{}-{{preview}}.example.com", "x".repeat(50));
        let hosts = HostPattern::parse(&long).unwrap();
        let (name, host) = of_branch("feature/navigation", &hosts, &|_, _| false).unwrap();
        assert!(name.starts_with("featu-") && name.len() == 12, "{name}");
        assert_eq!(host.as_str().split('.').next().map(str::len), Some(63));
    }
}
