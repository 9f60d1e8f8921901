//! Information on the repository that the caller provides.

use std::fmt;

use svc_diagnostics::{SourceFile, is_typing_error};

use crate::{
    IconLibrary,
    codes::{FILE_MISSING, ICON_UNKNOWN},
    decode::{Cx, NodeRef},
    deferred::{CheckKind, DeferredCheck, DeferredChecks},
    text::shorten,
};

/// Returns the text of a file by its path; None if there is no such file.
type Text<'a> = &'a dyn Fn(&str) -> Option<SourceFile>;
/// Returns whether a file with this path exists.
type Exists<'a> = &'a dyn Fn(&str) -> bool;
/// Returns the path of an existing file that is similar to one that does not exist.
type Similar<'a> = &'a dyn Fn(&str) -> Option<String>;
/// Looks up an icon of a library.
type Icons<'a> = &'a dyn Fn(IconLibrary, &str) -> IconLookup;
/// Returns the directory with the files of a version by the name of the version.
type Versions<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The repository around a configuration: the files that `$ref` refers to and, if the caller
/// provides them, the existing files and icons. Without them, the names of files and icons are not
/// checked.
///
/// ```
/// use svc_config::{IconLookup, ResolveContext, parse_with};
/// use svc_diagnostics::SourceFile;
/// let text = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
///     "logo": "/logo.svg", "navigation": {"groups": [{"group": "A", "icon": "huose", "pages": []}]}}"##;
/// let context = ResolveContext::default()
///     .file_exists_with(&|path| path == "index.mdx")
///     .icon_lookup_with(&|_, name| match name {
///         "house" => IconLookup::Known,
///         _ => IconLookup::Unknown { nearest: Some("house".to_owned()) },
///     });
/// let checked = parse_with(&SourceFile::new("docs.json", text), &context);
/// let codes: Vec<&str> = checked.diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect();
/// assert_eq!(codes, ["config-file-missing", "config-icon-unknown"]);
/// ```
#[derive(Clone, Copy)]
pub struct ResolveContext<'a> {
    pub(crate) text: Text<'a>,
    exists: Option<Exists<'a>>,
    similar: Option<Similar<'a>>,
    icons: Option<Icons<'a>>,
    versions: Option<Versions<'a>>,
}

/// Result of the lookup of an icon name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IconLookup {
    /// The library has the icon.
    Known,
    /// The library has no such icon.
    Unknown {
        /// The most similar name of the library; None if no name is similar.
        nearest: Option<String>,
    },
}

impl Default for ResolveContext<'_> {
    fn default() -> Self {
        Self {
            text: &|_| None,
            exists: None,
            similar: None,
            icons: None,
            versions: None,
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
    /// The checks of a document, none of them scheduled.
    pub(crate) fn deferred_checks(&self) -> DeferredChecks {
        DeferredChecks {
            files: self.exists.is_some(),
            icons: self.icons.is_some(),
            checks: Vec::new(),
        }
    }

    /// Sets the function that reads the files that `$ref` refers to, by path relative to the root.
    /// [`parse`](crate::parse()) calls it; [`ResolveContext`] has an example.
    #[must_use]
    pub const fn read_file_with(self, text: &'a dyn Fn(&str) -> Option<SourceFile>) -> Self {
        Self { text, ..self }
    }

    /// Sets the function that returns whether a file exists, by path relative to the root without
    /// leading slash. Missing images, fonts and grammars are reported.
    /// [`ResolveContext`] has an example.
    #[must_use]
    pub const fn file_exists_with(self, exists: &'a dyn Fn(&str) -> bool) -> Self {
        Self {
            exists: Some(exists),
            ..self
        }
    }

    /// Sets the function that returns the path of a file that is similar to one that does not exist,
    /// for hints.
    #[must_use]
    pub const fn similar_file_with(self, similar: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self {
            similar: Some(similar),
            ..self
        }
    }

    /// Sets the function that returns the directory with the files of a version that has a `ref`, by
    /// the name of the version; `None` if the tree does not contain them. Without it, such versions
    /// have no pages.
    ///
    /// ```
    /// use svc_config::{ResolveContext, SourceFile, parse_with};
    /// let text = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#070"},
    ///     "navigation": {"versions": [{"version": "2", "pages": ["index"]}, {"version": "1", "ref": "v1"}]}}"##;
    /// let old = r##"{"navigation": {"pages": ["index"]}}"##;
    /// let lookup = |path: &str| (path == "1/docs.json").then(|| SourceFile::new(path, old));
    /// let context = ResolveContext::default()
    ///     .read_file_with(&lookup)
    ///     .version_dir_with(&|version| (version == "1").then(|| "1".to_owned()));
    /// let site = parse_with(&SourceFile::new("docs.json", text), &context).value.unwrap();
    /// assert_eq!(site.versions[0].dir, "1");
    /// ```
    #[must_use]
    pub const fn version_dir_with(self, versions: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self {
            versions: Some(versions),
            ..self
        }
    }

    /// The directory with the files of a version; `None` if the tree does not contain them.
    pub(crate) fn version_dir(&self, version: &str) -> Option<String> {
        self.versions?(version)
    }

    /// Calls `read` with the context of a repository whose root is the directory `dir`. Files that
    /// are read have their full paths.
    pub(crate) fn within<T>(&self, dir: &str, read: impl FnOnce(&ResolveContext<'_>) -> T) -> T {
        let inside = |path: &str| -> bool {
            let rest = path.strip_prefix(dir);
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let text = |path: &str| inside(path).then(|| (self.text)(path)).flatten();
        let exists = |path: &str| {
            let full = format!("{dir}/{path}");
            self.exists.is_none_or(|exists| exists(&full))
        };
        read(&ResolveContext {
            text: &text,
            exists: self.exists.map(|_| &exists as Exists<'_>),
            similar: None,
            icons: self.icons,
            versions: None,
        })
    }

    /// Sets the function that looks up icons. Names that a library does not have are reported.
    /// [`ResolveContext`] has an example.
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

impl Cx {
    /// Schedules the check of a file name.
    pub(crate) fn check_file_later(&mut self, at: &NodeRef<'_>, path: &str) {
        if self.deferred.files {
            self.defer(CheckKind::File, at, path);
        }
    }

    /// Schedules the check of an icon name; None for the library of the site.
    pub(crate) fn check_icon_later(
        &mut self,
        at: &NodeRef<'_>,
        name: &str,
        library: Option<IconLibrary>,
    ) {
        if is_image(name) {
            self.check_file_later(at, name);
        } else if self.deferred.icons {
            self.defer(CheckKind::Icon(library.map(IconLibrary::name)), at, name);
        }
    }

    fn defer(&mut self, what: CheckKind, at: &NodeRef<'_>, path: &str) {
        self.deferred.checks.push(DeferredCheck {
            kind: what,
            span: at.tree.span,
            pointer: at.pointer(),
            key: at.name(),
            value: path.to_owned(),
        });
    }

    /// Runs the scheduled checks and reports names that do not exist.
    pub(crate) fn run_deferred_checks(
        &mut self,
        context: &ResolveContext<'_>,
        library: IconLibrary,
    ) {
        for check in std::mem::take(&mut self.deferred.checks) {
            match check.kind {
                CheckKind::File => self.check_file(context, check),
                CheckKind::Icon(own) => {
                    let own = own.and_then(IconLibrary::from_name);
                    self.check_icon(context, check, own.unwrap_or(library));
                }
            }
        }
    }

    fn check_file(&mut self, context: &ResolveContext<'_>, check: DeferredCheck) {
        let path = local_path(&check.value);
        let web = check.value.contains("://") || check.value.starts_with("//");
        if web || path.is_empty() || context.exists.is_none_or(|exists| exists(&path)) {
            return;
        }
        let written = shorten(&check.value);
        let message = format!(
            "{} refers to a file that does not exist: `{written}`",
            check.key
        );
        let near = context.similar.and_then(|similar| similar(&path));
        let hint = near.as_ref().map_or_else(
            || {
                "check the spelling and case; the path starts at the root of the documentation"
                    .to_owned()
            },
            |near| format!("did you mean `/{near}`?"),
        );
        self.report_at(&FILE_MISSING, check.span, check.pointer, message, hint);
        if let Some(near) = near.filter(|near| is_typing_error(&path, near)) {
            self.fix_span(check.span, &check.value, &format!("/{near}"));
        }
    }

    fn check_icon(
        &mut self,
        context: &ResolveContext<'_>,
        check: DeferredCheck,
        library: IconLibrary,
    ) {
        let lookup = context.icons.map(|icons| icons(library, &check.value));
        let Some(IconLookup::Unknown { nearest }) = lookup else {
            return;
        };
        let (name, title) = (shorten(&check.value), library.title());
        let message = format!("`{name}` is not an icon of {title}");
        let hint = nearest.as_ref().map_or_else(
            || format!("choose a name of {title}, or write the path of an image"),
            |nearest| format!("did you mean `{nearest}`?"),
        );
        self.report_at(&ICON_UNKNOWN, check.span, check.pointer, message, hint);
        if let Some(nearest) = nearest.filter(|nearest| is_typing_error(&check.value, nearest)) {
            self.fix_span(check.span, &check.value, &nearest);
        }
    }
}

/// Whether an icon is the path or URL of an image.
fn is_image(name: &str) -> bool {
    name.contains(['/', ':', '<']) || name.ends_with(".svg") || name.ends_with(".png")
}

/// The path in the repository of a value.
fn local_path(path: &str) -> String {
    let plain = path.split(['?', '#']).next().unwrap_or("");
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
