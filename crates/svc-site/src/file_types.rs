//! Types of files, and which of them are served unchanged.

/// Media types of files that pages load, sorted by extension.
const LOADABLE: &[(&str, &str)] = &[
    ("avif", "image/avif"),
    ("css", "text/css; charset=utf-8"),
    ("eot", "application/vnd.ms-fontobject"),
    ("gif", "image/gif"),
    ("ico", "image/x-icon"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript; charset=utf-8"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("otf", "font/otf"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("ttf", "font/ttf"),
    ("wav", "audio/wav"),
    ("webm", "video/webm"),
    ("webp", "image/webp"),
    ("woff", "font/woff"),
    ("woff2", "font/woff2"),
];

/// Media types of files that are served only if the site refers to them, sorted by extension.
const DATA: &[(&str, &str)] = &[
    ("csv", "text/csv; charset=utf-8"),
    ("json", "application/json"),
    ("txt", "text/plain; charset=utf-8"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("zip", "application/zip"),
];

/// Names of build configuration files, which are never served from any directory.
const PRIVATE: [&str; 11] = [
    "composer.json",
    "docs.json",
    "i18n.lock.json",
    "jsconfig.json",
    "mint.json",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "package.json",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "tsconfig.json",
];

/// Why a file may be served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// Its type is always served.
    Loaded,
    /// Served only if the site refers to it.
    Data,
}

/// The extension of a file, without the period; empty without one.
pub(crate) fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// Why a file may be served, and its media type. `None` if it is never served.
pub(crate) fn kind(path: &str) -> Option<(Use, &'static str)> {
    let ending = extension(path);
    let find = |list: &'static [(&str, &str)]| {
        let entry = list
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(ending));
        entry.map(|(_, media_type)| *media_type)
    };
    let loaded = find(LOADABLE).map(|media_type| (Use::Loaded, media_type));
    let (used, media_type) = loaded.or_else(|| Some((Use::Data, find(DATA)?)))?;
    let name = path.rsplit('/').next().unwrap_or(path);
    let private = PRIVATE.iter().any(|known| known.eq_ignore_ascii_case(name))
        || path.split('/').any(|part| part.starts_with('.'));
    (!private).then_some((used, media_type))
}

/// Whether the type of a file is always served.
pub(crate) fn is_loaded(path: &str) -> bool {
    matches!(kind(path), Some((Use::Loaded, _)))
}

/// Whether a file can be served at all.
pub(crate) fn can_be_served(path: &str) -> bool {
    kind(path).is_some()
}

/// Whether the extension of a path is that of a file that may be served.
pub(crate) fn has_known_extension(path: &str) -> bool {
    let ending = extension(path);
    let mut known = LOADABLE.iter().chain(DATA);
    known.any(|(known, _)| known.eq_ignore_ascii_case(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_private_names_decide_whether_a_file_can_be_served() {
        assert!(LOADABLE.is_sorted() && DATA.is_sorted() && PRIVATE.is_sorted());
        for loaded in ["a.png", "x/A.PNG", "style.css"] {
            assert!(is_loaded(loaded), "{loaded}");
        }
        for data in ["openapi.yaml", "llms.txt", "a/b.json"] {
            assert!(can_be_served(data) && !is_loaded(data), "{data}");
        }
        let never = [
            "docs.json",
            "mint.json",
            "a.mdx",
            "a.md",
            "a.jsx",
            ".env",
            ".git/x.png",
            "x/.a.png",
            "png",
            "Makefile",
            "sub/docs.json",
            "sub/package.json",
            "x/pnpm-lock.yaml",
        ];
        for never in never {
            assert!(!can_be_served(never), "{never}");
        }
    }
}
