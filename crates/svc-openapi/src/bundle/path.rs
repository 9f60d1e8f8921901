//! Paths of references, relative to the directory of the document.

use svc_data::{percent, url_scheme};

/// Why a path cannot be resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathError {
    Url,
    Escapes,
}

impl PathError {
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::Url => "is a URL",
            Self::Escapes => "points outside of the folder of the document",
        }
    }

    pub(super) const fn hint(self) -> &'static str {
        match self {
            Self::Url => {
                "download the file, store it beside the document and refer to it by its path"
            }
            Self::Escapes => "move the document to a folder that contains all of its files",
        }
    }
}

/// Resolves a reference relative to a file.
pub(super) fn join(from: &str, reference: &str) -> Result<String, PathError> {
    if url_scheme(reference).is_some() || reference.starts_with("//") {
        return Err(PathError::Url);
    }
    let decoded = percent::decode(reference);
    if decoded.starts_with('/') || decoded.contains(['\\', '\0']) || url_scheme(&decoded).is_some()
    {
        return Err(PathError::Escapes);
    }
    let mut steps: Vec<&str> = from.split('/').collect();
    steps.pop();
    for step in decoded.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop().ok_or(PathError::Escapes)?;
            }
            step => steps.push(step),
        }
    }
    Ok(steps.join("/"))
}

/// Converts a relative URL of a file to one from the directory of the document.
pub(super) fn rebase(from: &str, url: &str) -> String {
    let Some((dir, _)) = from.rsplit_once('/') else {
        return url.to_owned();
    };
    if url_scheme(url).is_some() || url.starts_with(['/', '#']) {
        return url.to_owned();
    }
    join(from, url).unwrap_or_else(|_| format!("{dir}/{url}"))
}

/// Whether a text is a file name rather than the name of a schema.
pub(super) fn is_file(text: &str) -> bool {
    [".json", ".yaml", ".yml"]
        .iter()
        .any(|end| text.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_file_and_stay_in_the_root_directory() {
        let cases = [
            ("api.yaml", "pet.yaml", Ok("pet.yaml")),
            ("a/b.yaml", "../c/./d.yaml", Ok("c/d.yaml")),
            ("a/b.yaml", "my%20file.yaml", Ok("a/my file.yaml")),
            ("a/b.yaml", "../../c.yaml", Err(PathError::Escapes)),
            ("a.yaml", "%2e%2e/c.yaml", Err(PathError::Escapes)),
            ("a.yaml", "/etc/passwd", Err(PathError::Escapes)),
            ("a.yaml", "..\\c.yaml", Err(PathError::Escapes)),
            ("a.yaml", "https://e.org/c.yaml", Err(PathError::Url)),
            ("a.yaml", "//e.org/c.yaml", Err(PathError::Url)),
            ("a.yaml", "file:///etc/passwd", Err(PathError::Url)),
            ("a.yaml", "c%3a/x.yaml", Err(PathError::Escapes)),
        ];
        for (from, reference, expected) in cases {
            let expected = expected.map(str::to_owned);
            assert_eq!(join(from, reference), expected, "{reference}");
        }
        assert_eq!(rebase("a/b.yaml", "x.json"), "a/x.json");
        assert_eq!(rebase("b.yaml", "x.json"), "x.json");
        assert_eq!(rebase("a/b.yaml", "https://e.org/x"), "https://e.org/x");
    }
}
