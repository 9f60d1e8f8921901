//! The rules of the settings of services.

use crate::{
    text::value_list,
    url::{https_origin, is_host},
};

/// The rule that a setting must satisfy.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rule {
    /// Any text or number.
    Text,
    /// Letters, digits, `-` and `_`, at least so many, with a prefix.
    Identifier {
        prefix: &'static str,
        min: usize,
    },
    /// Identifiers separated by `/`.
    Path,
    Digits,
    OneOf(&'static [&'static str]),
    /// An `https` URL whose host is the source of a Content Security Policy.
    Https,
    /// Such a URL without query and fragment.
    PlainHttps,
    /// A host name without scheme.
    Host,
    /// Names of sites, separated by commas.
    SiteNames,
    /// A text of at most this many characters.
    MaxLength(usize),
    Boolean,
}

impl Rule {
    /// Whether the value may be written as an integer.
    pub(crate) fn allows_numbers(self) -> bool {
        matches!(
            self,
            Self::Text | Self::Digits | Self::Path | Self::Identifier { prefix: "", .. }
        )
    }

    /// Whether a text satisfies the rule.
    pub(super) fn matches(self, text: &str) -> bool {
        match self {
            Self::Text | Self::Boolean => true,
            Self::Identifier { prefix, min } => {
                text.starts_with(prefix) && text.len() >= min && is_identifier(text)
            }
            Self::Path => text.split('/').all(is_identifier),
            Self::Digits => text.bytes().all(|byte| byte.is_ascii_digit()),
            Self::OneOf(values) => values.contains(&text),
            Self::Https => https_origin(text).is_some(),
            Self::PlainHttps => https_origin(text).is_some() && !text.contains(['?', '#']),
            Self::Host => is_host(text),
            Self::SiteNames => {
                let is_stray = |c: char| c.is_whitespace() || c.is_control();
                !text.contains("://") && !text.contains(|c| is_stray(c) || "\"'<>&`\\".contains(c))
            }
            Self::MaxLength(count) => text.chars().count() <= count,
        }
    }

    /// What is allowed.
    pub(super) fn hint(self) -> String {
        match self {
            Self::Identifier { prefix, min } if min > 1 => {
                let begin = match prefix {
                    "" => String::new(),
                    prefix => format!(" that begin with `{prefix}`"),
                };
                format!("write at least {min} letters, digits, `-` and `_`{begin}")
            }
            Self::Identifier { .. } => "use letters, digits, `-` and `_`".to_owned(),
            Self::Path => "use letters, digits, `-`, `_` and `/`".to_owned(),
            Self::Digits => "use digits only".to_owned(),
            Self::OneOf(values) => format!("write one of {}", value_list(values)),
            Self::Https => "write a full URL, `https://…`".to_owned(),
            Self::PlainHttps => "write an `https://` URL without query and fragment".to_owned(),
            Self::Host | Self::SiteNames => "write only the host, without `https://`".to_owned(),
            Self::MaxLength(count) => format!("write at most {count} characters"),
            Self::Text | Self::Boolean => String::new(),
        }
    }
}

fn is_identifier(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    !text.is_empty() && text.bytes().all(is_plain)
}
