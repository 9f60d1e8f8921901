//! Documents that run something when a browser opens them.
//!
//! The server sends a policy with every XML document. A web server that knows nothing of it does
//! not, so an export leaves out those that need one.

use svc_diagnostics::{Diagnostic, SourceFile, Span};

use crate::Asset;
use crate::codes::ACTIVE_FILE;
use crate::find::AssetContent;

/// Bytes of a document that are looked through; a larger one is left out.
const MAX_BYTES: u64 = 32 << 20;

/// What is wrong with writing a file: nothing where browsers run nothing in it.
pub(super) fn check(path: &str, asset: &Asset<'_>) -> Option<Diagnostic> {
    let picture = asset.content_type == "image/svg+xml";
    if !picture && !asset.content_type.ends_with("/xml") {
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
    if text.is_some_and(|text| !is_active(text, picture)) {
        return None;
    }
    let message = format!(
        "`{path}` is left out: it has scripts or a style sheet, and no web server would stop them"
    );
    let place = SourceFile::new(path, "").location(Span::default());
    Some(
        Diagnostic::new(&ACTIVE_FILE, message).at(place).hint(
            "take them out of the document; `svc serve` serves it with a policy that stops them",
        ),
    )
}

/// Whether a document may run something. It is compared, not read: what only looks like it counts
/// too.
fn is_active(text: &str, picture: bool) -> bool {
    let lower = text.to_ascii_lowercase();
    // Other encodings say in ASCII what is something else.
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
    // Elements of other vocabularies, under whichever name.
    !picture
        && ["www.w3.org/1999/xhtml", "www.w3.org/2000/svg"]
            .iter()
            .any(|name| lower.contains(name))
}

/// Whether an attribute begins with `on`.
fn has_handler(lower: &str) -> bool {
    lower.match_indices("on").any(|(at, _)| {
        let before = lower.get(..at).and_then(|text| text.chars().next_back());
        let starts = before.is_some_and(|c| c.is_whitespace() || matches!(c, '"' | '\'' | '/'));
        let rest = lower.get(at..).unwrap_or("");
        let name = rest
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(rest.len());
        let behind = rest.get(name..).unwrap_or("").trim_start();
        starts && name > 2 && behind.starts_with('=')
    })
}

/// Whether an entity is declared that stands for more than text.
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
        let outside = rest.get(..open).is_none_or(|name| {
            name.contains('%') || name.contains("system") || name.contains("public")
        });
        outside || value.is_none_or(|value| value.contains(['<', '&', '%']))
    })
}

#[cfg(test)]
mod tests {
    use super::is_active;

    #[test]
    fn documents_that_run_something_are_known() {
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
        for calm in [
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><style>a{}</style><text>on top = 1</text></svg>",
            "<!DOCTYPE svg [<!ENTITY ns \"http://www.w3.org/2000/svg\">]><svg xmlns=\"&ns;\"/>",
        ] {
            assert!(!is_active(calm, true), "{calm}");
        }
        assert!(!is_active(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><urlset><url/></urlset>",
            false
        ));
    }
}
