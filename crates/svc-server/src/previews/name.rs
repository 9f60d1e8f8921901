//! Names of previews, which are part of their hosts.

use hmac::{Hmac, Mac as _};
use sha2::{Digest as _, Sha256};

use crate::settings::{Host, HostPattern};

/// Maximum length of a name.
const MAX_NAME_CHARS: usize = 40;
/// Number of hash digits that distinguish branches with the same name.
const SUFFIX_DIGITS: usize = 6;

/// Number of letters and digits that cannot be guessed; each has 5 bits.
const SECRET_CHARS: usize = 10;
/// Letters and digits of a secret, without those that look alike.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// The part of a name that cannot be guessed without the key: a hyphen and ten letters and digits.
/// It is the same whenever a preview of this source is created.
pub(super) fn secret(key: &[u8; 32], source: &str) -> String {
    let mut out = "-".to_owned();
    // A key of any length is accepted.
    if let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) {
        mac.update(source.as_bytes());
        let digest = mac.finalize().into_bytes();
        let letters = digest.iter().take(SECRET_CHARS);
        let letters = letters.filter_map(|byte| ALPHABET.get(usize::from(byte % 32)));
        out.extend(letters.map(|letter| char::from(*letter)));
    }
    out
}

/// Name of the preview of a request, which ends with `secret`.
pub(super) fn of_request(number: u64, secret: &str, hosts: &HostPattern) -> Option<(String, Host)> {
    let name = format!("pr-{number}{secret}");
    let host = hosts.host(&name)?;
    Some((name, host))
}

/// A free name for the preview of a branch: its letters and digits, with hash digits if two
/// branches have the same name or the name could belong to a request, and `secret` at the end.
/// `None` if the pattern leaves no space for a name.
pub(super) fn of_branch(
    branch: &str,
    secret: &str,
    hosts: &HostPattern,
    is_taken: &dyn Fn(&str, &Host) -> bool,
) -> Option<(String, Host)> {
    let slug = slug(branch);
    let free = |label: String| {
        let name = label + secret;
        let host = hosts.host(&name)?;
        (!is_taken(&name, &host)).then_some((name, host))
    };
    let fits = !slug.is_empty() && slug.len() <= MAX_NAME_CHARS && !is_of_request(&slug);
    if fits && let Some(found) = free(slug.clone()) {
        return Some(found);
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
            free(name)
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
        of_branch(branch, "", &hosts(), &|_, _| false).unwrap().0
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
    fn a_secret_is_part_of_the_host_and_differs_for_each_source_and_key() {
        let first = secret(&[1; 32], "a");
        assert!(first.starts_with('-') && first.len() == 11, "{first}");
        assert_eq!(secret(&[1; 32], "a"), first);
        assert_ne!(secret(&[1; 32], "b"), first);
        assert_ne!(secret(&[2; 32], "a"), first);
        let long = "long/".repeat(40);
        for branch in ["fix-typo", "pr-12", "例え", &long] {
            let (name, host) = of_branch(branch, &first, &hosts(), &|_, _| false).unwrap();
            assert!(name.ends_with(&first), "{name}");
            assert_eq!(host.as_str(), format!("{name}.docs.example.com"));
        }
        let (name, _) = of_request(12, &first, &hosts()).unwrap();
        assert_eq!(name, format!("pr-12{first}"));
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
        let (first, _) = of_branch("a/b", "", &hosts(), &|_, _| false).unwrap();
        let (two, host) = of_branch("a-b", "", &hosts(), &taken).unwrap();
        let (three, _) = of_branch("a_b", "", &hosts(), &taken).unwrap();
        assert_eq!(first, "a-b");
        assert!(two.starts_with("a-b-") && three.starts_with("a-b-") && two != three);
        assert_eq!(host.as_str(), format!("{two}.docs.example.com"));
        assert_eq!(of_branch("a", "", &hosts(), &|_, _| true), None);
    }

    #[test]
    fn a_long_host_pattern_gets_short_names() {
        let long = format!("{}-{{preview}}.example.com", "x".repeat(50));
        let hosts = HostPattern::parse(&long).unwrap();
        let (name, host) = of_branch("feature/navigation", "", &hosts, &|_, _| false).unwrap();
        assert!(name.starts_with("featu-") && name.len() == 12, "{name}");
        assert_eq!(host.as_str().split('.').next().map(str::len), Some(63));
    }
}
