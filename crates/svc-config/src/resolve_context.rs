//! What the caller knows about the repository around a configuration.

use std::fmt;

use svc_diagnostics::SourceFile;

use crate::{
    IconLibrary,
    codes::{FILE_MISSING, ICON_UNKNOWN},
    decode::{Cx, NodeRef, shorten},
    tree::FileSpan,
};

/// Gives the text of a file by its path.
type Text<'a> = &'a dyn Fn(&str) -> Option<SourceFile>;
/// Tells whether there is a file of this path.
type Exists<'a> = &'a dyn Fn(&str) -> bool;
/// Tells whether a library has an icon.
type Icons<'a> = &'a dyn Fn(IconLibrary, &str) -> IconLookup;

/// What surrounds a configuration: the files that `$ref` names, and, where the caller knows them,
/// which files and icons there are. What is not known is not checked.
///
/// ```
/// use svc_config::{IconLookup, ResolveContext, parse_with};
/// use svc_diagnostics::SourceFile;
/// let text = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
///     "logo": "/logo.svg", "navigation": {"groups": [{"group": "A", "icon": "huose", "pages": []}]}}"##;
/// let surroundings = ResolveContext::default()
///     .file_exists_with(&|path| path == "index.mdx")
///     .icon_lookup_with(&|_, name| match name {
///         "house" => IconLookup::Known,
///         _ => IconLookup::Unknown { nearest: Some("house".to_owned()) },
///     });
/// let found = parse_with(&SourceFile::new("docs.json", text), &surroundings);
/// let codes: Vec<&str> = found.diagnostics.iter().map(|found| found.code.id).collect();
/// assert_eq!(codes, ["config-file-missing", "config-icon-unknown"]);
/// ```
#[derive(Clone, Copy)]
pub struct ResolveContext<'a> {
    pub(crate) text: Text<'a>,
    exists: Option<Exists<'a>>,
    icons: Option<Icons<'a>>,
}

/// What a library of icons says about a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IconLookup {
    /// It has the icon.
    Known,
    /// It has no such icon.
    Unknown {
        /// A name it has and that was probably meant.
        nearest: Option<String>,
    },
}

impl Default for ResolveContext<'_> {
    fn default() -> Self {
        Self {
            text: &|_| None,
            exists: None,
            icons: None,
        }
    }
}

impl fmt::Debug for ResolveContext<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ResolveContext")
            .field("exists", &self.exists.is_some())
            .field("icons", &self.icons.is_some())
            .finish_non_exhaustive()
    }
}

impl<'a> ResolveContext<'a> {
    /// With the texts that `$ref` names, by path relative to the root.
    #[must_use]
    pub const fn read_file_with(self, text: &'a dyn Fn(&str) -> Option<SourceFile>) -> Self {
        Self { text, ..self }
    }

    /// With the files there are, by path relative to the root without leading slash: pictures,
    /// fonts and grammars that are not among them are reported.
    #[must_use]
    pub const fn file_exists_with(self, exists: &'a dyn Fn(&str) -> bool) -> Self {
        Self {
            exists: Some(exists),
            ..self
        }
    }

    /// With the icons there are: names that a library does not have are reported.
    #[must_use]
    pub const fn icon_lookup_with(
        self,
        icons: &'a dyn Fn(IconLibrary, &str) -> IconLookup,
    ) -> Self {
        Self {
            icons: Some(icons),
            ..self
        }
    }
}

/// A name that is looked up once the whole document is read.
#[derive(Debug)]
pub(crate) struct DeferredCheck {
    kind: CheckKind,
    span: FileSpan,
    pointer: String,
    /// The key in words.
    key: String,
    value: String,
}

#[derive(Debug, Clone, Copy)]
enum CheckKind {
    File,
    Icon(Option<IconLibrary>),
}

impl Cx {
    /// Notes a file that should be there.
    pub(crate) fn check_file_later(&mut self, at: &NodeRef<'_>, written: &str) {
        if self.deferred.files {
            self.defer(CheckKind::File, at, written);
        }
    }

    /// Notes an icon that its library should have; `None` is the library of the site.
    pub(crate) fn check_icon_later(
        &mut self,
        at: &NodeRef<'_>,
        name: &str,
        library: Option<IconLibrary>,
    ) {
        if is_image(name) {
            self.check_file_later(at, name);
        } else if self.deferred.icons {
            self.defer(CheckKind::Icon(library), at, name);
        }
    }

    fn defer(&mut self, what: CheckKind, at: &NodeRef<'_>, written: &str) {
        self.deferred.checks.push(DeferredCheck {
            kind: what,
            span: at.tree.span,
            pointer: at.pointer(),
            key: at.name(),
            value: written.to_owned(),
        });
    }

    /// Reports the noted names that are not there.
    pub(crate) fn run_deferred_checks(
        &mut self,
        surroundings: &ResolveContext<'_>,
        library: IconLibrary,
    ) {
        for named in std::mem::take(&mut self.deferred.checks) {
            match named.kind {
                CheckKind::File => self.check_file(surroundings, named),
                CheckKind::Icon(own) => {
                    self.check_icon(surroundings, named, own.unwrap_or(library))
                }
            }
        }
    }

    fn check_file(&mut self, surroundings: &ResolveContext<'_>, named: DeferredCheck) {
        let path = local_path(&named.value);
        let web = named.value.contains("://") || named.value.starts_with("//");
        if web || path.is_empty() || surroundings.exists.is_none_or(|exists| exists(&path)) {
            return;
        }
        let written = shorten(&named.value);
        let message = format!(
            "{} names a file that does not exist: `{written}`",
            named.key
        );
        let hint =
            "check spelling and capital letters; the path starts at the root of the documentation";
        self.report_at(&FILE_MISSING, named.span, named.pointer, message, hint);
    }

    fn check_icon(
        &mut self,
        surroundings: &ResolveContext<'_>,
        named: DeferredCheck,
        library: IconLibrary,
    ) {
        let found = surroundings.icons.map(|icons| icons(library, &named.value));
        let Some(IconLookup::Unknown { nearest }) = found else {
            return;
        };
        let (name, title) = (shorten(&named.value), library.title());
        let message = format!("`{name}` is not an icon of {title}");
        let hint = nearest.map_or_else(
            || format!("choose a name of {title}, or write the path of a picture"),
            |nearest| format!("did you mean `{nearest}`?"),
        );
        self.report_at(&ICON_UNKNOWN, named.span, named.pointer, message, hint);
    }
}

/// What is looked up at the end.
#[derive(Debug, Default)]
pub(crate) struct DeferredChecks {
    files: bool,
    icons: bool,
    checks: Vec<DeferredCheck>,
}

impl DeferredChecks {
    pub(crate) const fn new(surroundings: &ResolveContext<'_>) -> Self {
        Self {
            files: surroundings.exists.is_some(),
            icons: surroundings.icons.is_some(),
            checks: Vec::new(),
        }
    }
}

/// Whether an icon is a picture and not a name.
fn is_image(name: &str) -> bool {
    name.contains(['/', ':', '<']) || name.ends_with(".svg") || name.ends_with(".png")
}

/// The path in the repository that a written one means.
fn local_path(written: &str) -> String {
    let plain = written.split(['?', '#']).next().unwrap_or("");
    let mut parts: Vec<&str> = Vec::new();
    for part in plain.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::local_path;

    #[test]
    fn written_paths_start_at_the_root() {
        for (written, path) in [
            ("/a/b.svg", "a/b.svg"),
            ("./a.svg", "a.svg"),
            ("a//b/../c.svg?v=1#x", "a/c.svg"),
            ("/", ""),
        ] {
            assert_eq!(local_path(written), path);
        }
    }
}
