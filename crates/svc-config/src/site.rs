//! The whole file.

use std::collections::BTreeMap;

use svc_data::Node;
use svc_diagnostics::{Checked, Diagnostic, SourceFile, Span};

use crate::{
    Api, Appearance, Background, Banner, Colors, Contextual, Document, Favicon, Fonts, Footer,
    IconLibrary, Interaction, Logo, Markdown, Navbar, Navigation, NotFound, Redirect,
    ResolveContext, Seo, Styling, Theme, Thumbnails, aliases,
    codes::{LEGACY, LIMIT, UNREADABLE, URL},
    contrast,
    decode::{Cx, MAX_DIAGNOSTICS, NodeRef, shorten},
    effect, integrations,
    json_ref::{self, opening},
    legacy, redirects,
    resolve_context::DeferredChecks,
    tree::{FileSpan, Value},
    url::is_url,
    variables,
};

/// The checked form of `docs.json`, with defaults filled in.
#[derive(Debug, Clone)]
pub struct SiteConfig {
    /// Theme of the site.
    pub theme: Theme,
    /// Name of the project.
    pub name: String,
    /// Description of the site in one sentence.
    pub description: Option<String>,
    /// Whether pages are public unless they say otherwise.
    pub public: Option<bool>,
    /// Whether it configures a sign-in of readers: `auth` or `userAuth`.
    pub sign_in: bool,
    /// Accent colors.
    pub colors: Colors,
    /// Logo.
    pub logo: Option<Logo>,
    /// Icon in the browser tab.
    pub favicon: Option<Favicon>,
    /// Light and dark mode.
    pub appearance: Appearance,
    /// Typefaces.
    pub fonts: Fonts,
    /// Icon library.
    pub icons: IconLibrary,
    /// Background of the pages.
    pub background: Background,
    /// Details of the look.
    pub styling: Styling,
    /// Generated preview images.
    pub thumbnails: Thumbnails,
    /// Header.
    pub navbar: Navbar,
    /// Footer.
    pub footer: Footer,
    /// Banner above the header.
    pub banner: Option<Banner>,
    /// Behavior of the sidebar.
    pub interaction: Interaction,
    /// Menu beside the title of a page.
    pub contextual: Option<Contextual>,
    /// API reference.
    pub api: Api,
    /// Placeholder of the search field.
    pub search_prompt: Option<String>,
    /// Settings for search engines.
    pub seo: Seo,
    /// Moved paths.
    pub redirects: Vec<Redirect>,
    /// Analytics and similar services: name and settings, as written.
    pub integrations: Vec<(String, serde_json::Value)>,
    /// The 404 page.
    pub not_found: NotFound,
    /// Whether pages show the date of their last change.
    pub timestamp: bool,
    /// Names and values of `{{name}}` in pages.
    pub variables: Vec<(String, String)>,
    /// Markdown form of pages.
    pub markdown: Markdown,
    /// Navigation.
    pub navigation: Navigation,
    /// The file that the configuration was read from.
    pub file: SourceFile,
}

/// The top-level keys, in the order of the specification.
const KEYS: &[&str] = &[
    "$schema",
    "theme",
    "name",
    "description",
    "public",
    "auth",
    "userAuth",
    "colors",
    "logo",
    "favicon",
    "appearance",
    "fonts",
    "icons",
    "background",
    "styling",
    "thumbnails",
    "navbar",
    "footer",
    "banner",
    "navigation",
    "interaction",
    "contextual",
    "api",
    "search",
    "seo",
    "redirects",
    "integrations",
    "errors",
    "metadata",
    "variables",
    "markdown",
];

/// Keys that configure a sign-in of readers.
const SIGN_IN: [&str; 2] = ["auth", "userAuth"];

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

/// Reads `docs.json` and checks it against the repository of `context`.
pub fn parse_with(file: &SourceFile, context: &ResolveContext<'_>) -> Checked<Option<SiteConfig>> {
    let read = Document::read(file);
    resolve_root(file, read.value.into_root(), read.diagnostics, context)
}

impl Document {
    /// The checked form of the document, with all problems of its values. Problems of its text are
    /// reported when the document is read.
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
        diagnostics,
        deferred: DeferredChecks::new(context),
    };
    let mut tree = resolved.tree;
    if matches!(tree.value, Value::Object(_)) && is_legacy(file) {
        let span = FileSpan {
            offsets: opening(tree.span.offsets),
        };
        let message = "`mint.json` is read as `docs.json`";
        let hint = "run `svc migrate --write` to convert it to `docs.json`";
        cx.report_at(&LEGACY, span, String::new(), message, hint);
        tree = legacy::convert(tree);
    }
    let root = NodeRef::root(&tree);
    let value = if root.is_object() {
        site(&mut cx, &root, file)
    } else {
        // The whole document may be a `$ref` to a file that is already reported.
        let mut span = tree.span;
        span.offsets = opening(span.offsets);
        let message = format!("`{}` is not a JSON object", file.path());
        let hint = "write one JSON object: `{ \"theme\": …, \"name\": … }`";
        cx.report_at(&UNREADABLE, span, String::new(), message, hint);
        None
    };
    if let Some(site) = &value {
        cx.run_deferred_checks(context, site.icons);
        contrast::check(&mut cx, &root, site);
        effect::check(&mut cx, &root, site);
    }
    let diagnostics = sorted_diagnostics(cx);
    Checked { value, diagnostics }
}

fn is_legacy(file: &SourceFile) -> bool {
    file.path().rsplit('/').next() == Some(aliases::FILE.old)
}

fn site(cx: &mut Cx, at: &NodeRef<'_>, file: &SourceFile) -> Option<SiteConfig> {
    let fields = cx.object(at, KEYS)?;
    cx.optional(&fields, "$schema", |cx, at| {
        let text = cx.non_empty_string(at)?;
        if !is_url(&text) {
            let message = format!("`$schema` is not a URL: `{}`", shorten(&text));
            cx.report(
                &URL,
                at,
                message,
                "write the URL of the schema or remove the key",
            );
        }
        Some(())
    });
    let search_prompt = cx.optional(&fields, "search", |cx, at| {
        let fields = cx.object(at, &["prompt"])?;
        cx.optional(&fields, "prompt", Cx::string)
    });
    let timestamp = cx.optional(&fields, "metadata", |cx, at| {
        let fields = cx.object(at, &["timestamp"])?;
        cx.optional(&fields, "timestamp", Cx::boolean)
    });
    let redirects = cx
        .optional(&fields, "redirects", redirects::decode)
        .unwrap_or_default();
    let has_mcp = redirects
        .iter()
        .any(|one| one.source.trim_end_matches('/') == "/mcp");
    Some(SiteConfig {
        theme: cx
            .required(&fields, "theme", Theme::decode)
            .unwrap_or(Theme::Svc),
        name: cx
            .required(&fields, "name", Cx::non_empty_string)
            .unwrap_or_else(|| "Documentation".into()),
        description: cx
            .optional(&fields, "description", Cx::string)
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty()),
        public: cx.public(&fields),
        sign_in: SIGN_IN.into_iter().any(|key| fields.has(key)),
        colors: cx
            .required(&fields, "colors", Colors::decode)
            .unwrap_or_default(),
        logo: cx.optional(&fields, "logo", Logo::decode),
        favicon: cx.optional(&fields, "favicon", Favicon::decode),
        appearance: cx
            .optional(&fields, "appearance", Appearance::decode)
            .unwrap_or_default(),
        fonts: cx
            .optional(&fields, "fonts", Fonts::decode)
            .unwrap_or_default(),
        icons: cx
            .optional(&fields, "icons", IconLibrary::decode)
            .unwrap_or(IconLibrary::FontAwesome),
        background: cx
            .optional(&fields, "background", Background::decode)
            .unwrap_or_default(),
        styling: cx
            .optional(&fields, "styling", Styling::decode)
            .unwrap_or_default(),
        thumbnails: cx
            .optional(&fields, "thumbnails", Thumbnails::decode)
            .unwrap_or_default(),
        navbar: cx
            .optional(&fields, "navbar", Navbar::decode)
            .unwrap_or_default(),
        footer: cx
            .optional(&fields, "footer", Footer::decode)
            .unwrap_or_default(),
        banner: cx.optional(&fields, "banner", Banner::decode),
        interaction: cx
            .optional(&fields, "interaction", Interaction::decode)
            .unwrap_or_default(),
        contextual: cx.optional(&fields, "contextual", |cx, at| {
            let menu = Contextual::decode(cx, at)?;
            menu.report_unoffered(cx, at, has_mcp);
            Some(menu)
        }),
        api: cx.optional(&fields, "api", Api::decode).unwrap_or_default(),
        search_prompt,
        seo: cx.optional(&fields, "seo", Seo::decode).unwrap_or_default(),
        redirects,
        integrations: cx
            .optional(&fields, "integrations", integrations::decode)
            .unwrap_or_default(),
        not_found: cx
            .optional(&fields, "errors", NotFound::decode)
            .unwrap_or_default(),
        timestamp: timestamp.unwrap_or(false),
        variables: cx
            .optional(&fields, "variables", variables::decode)
            .unwrap_or_default(),
        markdown: cx
            .optional(&fields, "markdown", Markdown::decode)
            .unwrap_or_default(),
        navigation: cx
            .required(&fields, "navigation", Navigation::decode)
            .unwrap_or_default(),
        file: file.clone(),
    })
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

impl SiteConfig {
    /// Whether pages request protection unless they say otherwise.
    pub fn is_protected(&self) -> bool {
        match self.public {
            Some(public) => !public,
            None => self.sign_in,
        }
    }

    /// The raw form: the file as it is written, with unknown keys and `$ref`s. It can be edited and
    /// saved.
    pub fn document(&self) -> Document {
        Document::read(&self.file).value
    }
}
