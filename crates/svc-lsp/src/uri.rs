//! URIs of files, and their paths.

use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use lsp_types::Uri;
use url::Url;

/// The path of a `file:` URI. `None` for other URIs.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let url = Url::parse(uri.as_str()).ok()?;
    if url.scheme() != "file" {
        return None;
    }
    url.to_file_path().ok()
}

/// The URI of an absolute path. `None` for relative paths.
pub(crate) fn uri_of(path: &Path) -> Option<Uri> {
    let url = Url::from_file_path(path).ok()?;
    // The URL standard allows them in paths, the URIs of RFC 3986 do not.
    let mut text = url.as_str().to_owned();
    for (character, encoded) in [("[", "%5B"), ("]", "%5D"), ("^", "%5E"), ("|", "%7C")] {
        text = text.replace(character, encoded);
    }
    Uri::from_str(&text).ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_and_uris_are_converted() {
        for path in ["/a/b c.mdx", "/a/é#?%.mdx", "/a/[slug]^|.mdx"] {
            let uri = uri_of(Path::new(path)).expect(path);
            assert_eq!(path_of(&uri), Some(PathBuf::from(path)));
        }
        let other = Uri::from_str("untitled:Untitled-1").expect("a URI");
        assert_eq!(path_of(&other), None);
        // Encoded in another way by some editors.
        let encoded = Uri::from_str("file:///a/%62.mdx").expect("a URI");
        assert_eq!(path_of(&encoded), Some(PathBuf::from("/a/b.mdx")));
    }
}
