//! Reading the whole file and checking it.

use std::collections::BTreeMap;

use svc_data::{Node, Value};
use svc_diagnostics::{Checked, Diagnostic, SourceFile, Span};

use crate::{
    Document, ResolveContext, SiteConfig, aliases,
    codes::{LEGACY, LIMIT, UNREADABLE},
    decode::{Cx, NodeRef},
    effect, json_ref,
    keys::ValueKind as _,
    legacy, mount,
    text::{MAX_DIAGNOSTICS, opening},
};

/// Reads `docs.json` or, by its file name, `mint.json`. `lookup` returns the files that `$ref`
/// refers to, by path relative to the root. The value is None only if the document has no readable
/// root object.
///
/// ```
/// use svc_diagnostics::SourceFile;
/// let text = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#070"},
///     "navigation": {"pages": ["index"]}}"##;
/// let checked = svc_config::parse(&SourceFile::new("docs.json", text), &|_| None);
/// assert!(checked.diagnostics.is_empty());
/// assert_eq!(checked.value.map(|site| site.colors.primary).as_deref(), Some("#007700"));
/// ```
pub fn parse(
    file: &SourceFile,
    lookup: &dyn Fn(&str) -> Option<SourceFile>,
) -> Checked<Option<SiteConfig>> {
    parse_with(file, &ResolveContext::default().read_file_with(lookup))
}

/// Reads `docs.json` and checks it against the repository of `context`, as the example of
/// [`ResolveContext`] does.
pub fn parse_with(file: &SourceFile, context: &ResolveContext<'_>) -> Checked<Option<SiteConfig>> {
    let read = Document::read(file);
    resolve_root(file, read.value.into_root(), read.diagnostics, context)
}

impl Document {
    /// The checked form of the document, with all problems of its values. Problems of its text are
    /// reported when the document is read.
    ///
    /// ```
    /// use svc_config::{Document, ResolveContext, SourceFile};
    /// let read = Document::read(&SourceFile::new("docs.json", r#"{"name": "Acme", "theme": "mapel"}"#));
    /// let checked = read.value.resolve(&ResolveContext::default());
    /// assert_eq!(checked.value.map(|site| site.name).as_deref(), Some("Acme"));
    /// ```
    pub fn resolve(&self, context: &ResolveContext<'_>) -> Checked<Option<SiteConfig>> {
        let root = self.root().clone();
        resolve_root(self.file(), root, Vec::new(), context)
    }
}

fn resolve_root(
    file: &SourceFile,
    root: Node,
    mut diagnostics: Vec<Diagnostic>,
    context: &ResolveContext<'_>,
) -> Checked<Option<SiteConfig>> {
    let resolved = json_ref::resolve(root, file, context.text);
    diagnostics.extend(resolved.diagnostics);
    let mut cx = Cx {
        files: resolved.files,
        failed: resolved.failed,
        diagnostics,
        deferred: context.deferred_checks(),
    };
    let mut tree = resolved.tree;
    if matches!(tree.value, Value::Object(_)) && is_legacy(file) {
        let span = opening(tree.span);
        let message = "`mint.json` is read as `docs.json`";
        let hint = "run `svc migrate --write` to convert it to `docs.json`";
        cx.report_at(&LEGACY, span, String::new(), message, hint);
        tree = legacy::convert(tree);
    }
    let root = NodeRef::root(&tree);
    let mut value = if root.is_object() {
        SiteConfig::decode(&mut cx, &root)
    } else {
        // The whole document may be a `$ref` to a file that is already reported.
        let mut span = tree.span;
        span = opening(span);
        let message = format!("`{}` is not a JSON object", file.path());
        let hint = "write one JSON object: `{ \"theme\": …, \"name\": … }`";
        cx.report_at(&UNREADABLE, span, String::new(), message, hint);
        None
    };
    if let Some(site) = &value {
        cx.run_deferred_checks(context, site.icons);
        effect::check(&mut cx, &root, site);
        check_menu(&mut cx, &root, site);
    }
    let mut diagnostics = sorted_diagnostics(cx);
    if let Some(site) = &mut value {
        diagnostics.extend(mount::versions(site, context));
    }
    Checked { value, diagnostics }
}

fn is_legacy(file: &SourceFile) -> bool {
    file.path().rsplit('/').next() == Some(aliases::FILE.old)
}

/// Reports entries of the menu that need what the site does not have.
fn check_menu(cx: &mut Cx, root: &NodeRef<'_>, site: &SiteConfig) {
    let at = root.fields().and_then(|fields| fields.get("contextual"));
    if let (Some(at), Some(menu)) = (at, &site.contextual) {
        menu.report_unoffered(cx, &at);
    }
}

/// The diagnostics in the order of the files and, within a file, of the text.
fn sorted_diagnostics(cx: Cx) -> Vec<Diagnostic> {
    let order: BTreeMap<&str, usize> = cx
        .files
        .iter()
        .enumerate()
        .map(|(index, file)| (&**file.path(), index))
        .collect();
    let mut diagnostics = cx.diagnostics;
    if diagnostics.len() >= MAX_DIAGNOSTICS
        && let Some(file) = cx.files.get(0)
    {
        let end = u32::try_from(file.text().len()).unwrap_or(u32::MAX);
        let message = format!("only the first {MAX_DIAGNOSTICS} problems are listed");
        let note = Diagnostic::new(&LIMIT, message)
            .at(file.location(Span::new(end, end)))
            .pointer("")
            .hint("correct these first");
        diagnostics.push(note);
    }
    diagnostics.sort_by_key(|diagnostic| {
        diagnostic
            .location
            .as_ref()
            .map(|at| (order.get(&*at.file).copied(), at.span.start))
    });
    diagnostics
}
