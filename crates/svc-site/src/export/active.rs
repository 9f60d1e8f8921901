//! XML documents and SVG images with active content.
//!
//! The server sends a Content Security Policy with every XML document. Other web servers do not, so
//! an export omits the documents that need one.

use svc_diagnostics::{Diagnostic, SourceFile, Span};

use crate::Asset;
use crate::codes::ACTIVE_FILE;
use crate::find::AssetContent;

/// Maximum size of a document that is searched; larger ones are omitted.
const MAX_BYTES: u64 = 32 << 20;

/// The diagnostic for a file that must not be exported. `None` for files without active content.
pub(crate) fn check(path: &str, asset: &Asset<'_>) -> Option<Diagnostic> {
    let is_svg = asset.content_type == "image/svg+xml";
    if !is_svg && !asset.content_type.ends_with("/xml") {
        return None;
    }
    let read;
    let text = match asset.content {
        AssetContent::Text(text) => Some(&**text),
        AssetContent::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
        AssetContent::Disk { path, .. } => {
            let fits = std::fs::metadata(path).is_ok_and(|file| file.len() <= MAX_BYTES);
            read = fits.then(|| std::fs::read_to_string(path).ok()).flatten();
            read.as_deref()
        }
    };
    if text.is_some_and(|text| !is_active(text, is_svg)) {
        return None;
    }
    let message = format!(
        "`{path}` is omitted: it has active content, and web servers send it without a policy"
    );
    let location = SourceFile::new(path, "").location(Span::default());
    Some(
        Diagnostic::new(&ACTIVE_FILE, message).at(location).hint(
            "remove scripts and style sheet references; `svc serve` sends the file with a policy that blocks them",
        ),
    )
}

/// Whether a document may have active content. The text is searched, not parsed, so false positives
/// are possible.
pub(crate) fn is_active(text: &str, is_svg: bool) -> bool {
    let lower = text.to_ascii_lowercase();
    // In other encodings ASCII bytes can have another meaning.
    if lower.contains("encoding=") && !lower.contains("utf-8") && !lower.contains("us-ascii") {
        return true;
    }
    let parts = [
        "<script",
        ":script",
        "<?xml-stylesheet",
        "javascript:",
        "srcdoc",
        "<iframe",
        ":iframe",
        "<embed",
        "<object",
        "<handler",
        "<listener",
        ":handler",
        ":listener",
    ];
    if parts.iter().any(|part| lower.contains(part))
        || has_handler(&lower)
        || has_markup_entity(&lower)
    {
        return true;
    }
    // Elements of other vocabularies, with any prefix.
    !is_svg
        && ["www.w3.org/1999/xhtml", "www.w3.org/2000/svg"]
            .iter()
            .any(|name| lower.contains(name))
}

/// Whether an attribute name begins with `on`.
fn has_handler(lower: &str) -> bool {
    lower.match_indices("on").any(|(at, _)| {
        let before = lower.get(..at).and_then(|text| text.chars().next_back());
        let starts = before.is_some_and(|c| c.is_whitespace() || matches!(c, '"' | '\'' | '/'));
        let rest = lower.get(at..).unwrap_or("");
        let name = rest
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(rest.len());
        let after = rest.get(name..).unwrap_or("").trim_start();
        starts && name > 2 && after.starts_with('=')
    })
}

/// Whether the document declares an entity whose value is more than plain text.
fn has_markup_entity(lower: &str) -> bool {
    lower.match_indices("<!entity").any(|(at, _)| {
        let rest = lower.get(at + 8..).unwrap_or("");
        let Some(open) = rest.find(['"', '\'']) else {
            return true;
        };
        let quote = rest.as_bytes().get(open).copied().map_or('"', char::from);
        let value = rest
            .get(open + 1..)
            .and_then(|rest| rest.split(quote).next());
        let is_external = rest.get(..open).is_none_or(|name| {
            name.contains('%') || name.contains("system") || name.contains("public")
        });
        is_external || value.is_none_or(|value| value.contains(['<', '&', '%']))
    })
}

#[cfg(test)]
mod tests {
    use super::is_active;

    #[test]
    fn active_content_is_detected() {
        for active in [
            "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body/></html>",
            "<?xml-stylesheet href=\"x.xsl\"?><a/>",
            "<x:script xmlns:x=\"http://www.w3.org/1999/xhtml\"/>",
            "<!DOCTYPE a [<!ENTITY b '<s'>]><a>&b;</a>",
            "<?xml version=\"1.0\" encoding=\"UTF-7\"?><a/>",
        ] {
            assert!(is_active(active, false), "{active}");
        }
        for active in [
            "<svg onload=\"x\"/>",
            "<svg><SCRIPT/></svg>",
            "<svg><a href='JavaScript:x'/></svg>",
            "<svg>\n<g\nonClick = 'x'/></svg>",
        ] {
            assert!(is_active(active, true), "{active}");
        }
        for inert in [
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><style>a{}</style><text>on top = 1</text></svg>",
            "<!DOCTYPE svg [<!ENTITY ns \"http://www.w3.org/2000/svg\">]><svg xmlns=\"&ns;\"/>",
        ] {
            assert!(!is_active(inert, true), "{inert}");
        }
        assert!(!is_active(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><urlset><url/></urlset>",
            false
        ));
    }
}
