//! Patterns of strings.
//!
//! The decoder trims strings, so every pattern allows white space around the text.

use super::shape::Pattern;

/// A scheme with its colon.
const SCHEME: &str = "[A-Za-z][A-Za-z0-9+.-]*:";
/// Schemes that run code or hide content.
const UNSAFE_SCHEMES: &[&str] = &["javascript", "data", "vbscript", "file", "blob"];
/// File extensions that the links of the footer may not have.
const DOWNLOADS: &[&str] = &["svg", "exe", "zip"];

/// A pattern that matches a value without case.
pub(crate) fn any_case(value: &str) -> String {
    value
        .chars()
        .map(|c| {
            if c.is_ascii_alphabetic() {
                format!("[{}{}]", c.to_ascii_lowercase(), c.to_ascii_uppercase())
            } else {
                c.to_string()
            }
        })
        .collect()
}

fn any_of(values: &[&str]) -> String {
    let values: Vec<String> = values.iter().map(|value| any_case(value)).collect();
    format!("(?:{})", values.join("|"))
}

/// The start of an absolute web URL, up to the first character of the host.
fn web() -> String {
    format!(r"{}?:[/\\]*[^\s/\\?#]", any_case("https"))
}

fn https() -> String {
    format!(r"{}:[/\\]*[^\s/\\?#]", any_case("https"))
}

fn no_download() -> String {
    format!(r"(?![\s\S]*\.{}\s*$)", any_of(DOWNLOADS))
}

pub(crate) static NON_EMPTY: Pattern = Pattern {
    id: "filled",
    name: "string",
    regex: || r"\S".to_owned(),
    hint: "Write at least one character.",
};

/// A title of white space is allowed; none is shown.
pub(crate) static TITLE: Pattern = Pattern {
    id: "title",
    name: "string",
    regex: || r"[\s\S]".to_owned(),
    hint: "Write at least one character.",
};

pub(crate) static URI: Pattern = Pattern {
    id: "uri",
    name: "URL",
    regex: || format!(r"^\s*{SCHEME}\S"),
    hint: "Write a full URL, `https://…`.",
};

pub(crate) static COLOR: Pattern = Pattern {
    id: "color",
    name: "hex color",
    regex: || "^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$".to_owned(),
    hint: "Write `#` and three or six hex digits, for example `#16a34a`.",
};

pub(crate) static LINK: Pattern = Pattern {
    id: "link",
    name: "link",
    regex: || {
        format!(
            r"^\s*(?!{}:)(?:[/#]|mailto:|{}|(?!{}?:){SCHEME}|(?!{SCHEME})[^\s\\]+\s*$)",
            any_of(UNSAFE_SCHEMES),
            web(),
            any_case("https"),
        )
    },
    hint: "Write a path such as `/guides/start`, a fragment or a full URL.",
};

/// The link of an element that also works without one: the decoder ignores an invalid link.
pub(crate) static ELEMENT_LINK: Pattern = Pattern {
    id: "elementLink",
    name: "link",
    regex: || format!(r"^\s*(?!{}:)\S", any_of(UNSAFE_SCHEMES)),
    hint: "Write a path such as `/guides/start` or a full URL.",
};

pub(crate) static FOOTER_LINK: Pattern = Pattern {
    id: "footerLink",
    name: "link",
    regex: || {
        format!(
            r"^\s*(?:#|mailto:|/(?!/)|{}{}|(?!{SCHEME}|[/#])[^\s\\]+\s*$)",
            no_download(),
            https(),
        )
    },
    hint: "Write a path, a fragment, `mailto:` or the `https://` URL of a page.",
};

pub(crate) static PROFILE: Pattern = Pattern {
    id: "profile",
    name: "https URL",
    regex: || format!(r"^\s*{}{}", no_download(), https()),
    hint: "Write the `https://` URL of the profile.",
};

pub(crate) static WEB_URL: Pattern = Pattern {
    id: "webUrl",
    name: "URL",
    regex: || format!(r"^\s*{}", web()),
    hint: "Write a full URL, `https://…`.",
};

/// The name of a host with or without a port.
const HOST_NAME: &str = r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::[0-9]{1,5})?";

/// An `https` URL on such a host, whose rest has none of the characters of `without`.
fn service_url(without: &str) -> String {
    let next = if without.is_empty() { "[/?#]" } else { "/" };
    format!(
        r#"^\s*{}://{HOST_NAME}(?:{next}[^\s"'<>\\`{without}]*)?\s*$"#,
        any_case("https")
    )
}

/// The URL of a service that pages load.
pub(crate) static SERVICE_URL: Pattern = Pattern {
    id: "serviceUrl",
    name: "https URL",
    regex: || service_url(""),
    hint: "Write a full URL, `https://…`.",
};

pub(crate) static PLAIN_HTTPS: Pattern = Pattern {
    id: "plainHttps",
    name: "https URL",
    regex: || service_url("?#"),
    hint: "Write an `https://` URL without query and fragment.",
};

pub(crate) static HOST: Pattern = Pattern {
    id: "host",
    name: "host name",
    regex: || format!(r"^\s*{HOST_NAME}\s*$"),
    hint: "Write only the host, without `https://`.",
};

pub(crate) static SITE_NAMES: Pattern = Pattern {
    id: "siteNames",
    name: "host name",
    regex: || r#"^(?![\s\S]*://)\s*[^\s"'<>&\\`]+\s*$"#.to_owned(),
    hint: "Write only the host, without `https://`.",
};

pub(crate) static IDENTIFIER: Pattern = Pattern {
    id: "identifier",
    name: "identifier",
    regex: || r"^\s*[A-Za-z0-9_-]+\s*$".to_owned(),
    hint: "Use letters, digits, `-` and `_`.",
};

pub(crate) static FILE: Pattern = Pattern {
    id: "file",
    name: "path or URL",
    regex: || format!(r"^\s*(?:{}|(?!{SCHEME})\S)", web()),
    hint: "Write a path of the repository or an `https://` URL.",
};

pub(crate) static IMAGE: Pattern = Pattern {
    id: "picture",
    name: "path or URL",
    regex: || format!(r"^\s*(?=\S[\s\S]+\S)(?:{}|(?!{SCHEME})\S)", web()),
    hint: "Write the path with its file extension, `/logo.svg`, or an `https://` URL.",
};

pub(crate) static DIRECTORY: Pattern = Pattern {
    id: "folder",
    name: "folder",
    regex: || {
        let part = r"(?!\.{1,2}(?:/|\s*$))[^\s\\?#/]+";
        format!(r"^\s*{part}(?:/{part})*\s*$")
    },
    hint: "Write a folder without leading and trailing slash, `guides/start`.",
};

pub(crate) static ICON_NAME: Pattern = Pattern {
    id: "iconName",
    name: "icon name, path or URL",
    regex: || r"^(?!\s*fa-)".to_owned(),
    hint: "Write the name without `fa-`.",
};

/// Names of variables.
pub(crate) const VARIABLE: &str = r"^(?:[A-Za-z0-9._-]+|\$ref)$";
